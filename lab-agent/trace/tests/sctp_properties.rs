//! What holds of any association, over random scripts.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap)]

mod random;
mod truth;

use proptest::prelude::*;
use random::fates;
use thinlab_trace::golden::sctp::Script;
use thinlab_trace::golden::{Fate, FileFormat};
use thinlab_trace::{ChunkKind, Flow, Options, analyze};
use truth::{captures, expect_directions};

const MS: u64 = 1_000_000;

/// A message: stream, whether it is ordered, sizes of its fragments.
type Message = (u16, bool, Vec<u64>);

/// One packet: what is new in it, and how many old chunks from how far back.
type Step = (Vec<Message>, Option<(usize, usize)>, u64, Fate);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let sizes = proptest::collection::vec(1_u64..200, 1..4);
    let message = (0_u16..3, any::<bool>(), sizes);
    let messages = proptest::collection::vec(message, 0..3);
    let old = proptest::option::of((1_usize..12, 1_usize..5));
    let step = (messages, old, 1_u64..200, fates(20..400));
    proptest::collection::vec(step, 1..30)
}

fn scripts() -> impl Strategy<Value = Script> {
    let sacks = proptest::collection::vec(fates(20..400), 0..20);
    let rest = (any::<u32>(), any::<bool>(), any::<bool>());
    (steps(), sacks, rest).prop_map(|(steps, sacks, (tsn, handshake, interleaves))| {
        let mut script = Script::new();
        script.wire.sender_tsn = tsn;
        script.wire.interleaves = interleaves;
        script.without_handshake = !handshake;
        let (mut at_ns, mut sent) = (5_000 * MS, 0);
        for (messages, old, gap_ms, fate) in steps {
            at_ns += gap_ms * MS;
            let first = sent;
            for (stream, is_ordered, sizes) in messages {
                sent = script.fragments(stream, is_ordered, &sizes) + sizes.len();
            }
            let mut pieces = Vec::new();
            if let Some((back, count)) = old {
                let from = first - back.min(first);
                let kind = if sent > first {
                    ChunkKind::Bundled
                } else {
                    ChunkKind::Timeout
                };
                pieces.extend((from..(from + count).min(first)).map(|old| (old, kind)));
            }
            pieces.extend((first..sent).map(|new| (new, ChunkKind::New)));
            if !pieces.is_empty() {
                script.send(at_ns, &pieces, fate);
            }
        }
        for (ordinal, fate) in sacks.into_iter().enumerate() {
            script.sack(ordinal, fate);
        }
        script
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_association_comes_back(script in scripts()) {
        let played = script.run();
        let truth = &played.truth;
        prop_assume!(truth.chunks.iter().any(|chunk| chunk.arrived_ns.is_some()));
        let [sender, receiver] = captures(&played.trace, &FileFormat::default());
        let flow = Flow { sender: script.wire.sender, receiver: script.wire.receiver };
        let options = Options { flow: Some(flow), ..Options::default() };
        let analysis = analyze(&sender, &receiver, &options).expect("an association");
        let epoch = script.clocks.epoch_ns;
        prop_assert_eq!(analysis.ranges.len(), truth.chunks.len());
        for (range, chunk) in analysis.ranges.iter().zip(&truth.chunks) {
            prop_assert_eq!(range.end - range.start, chunk.bytes);
            let since = |at_ns: Option<i64>| at_ns.map(|at_ns| at_ns as u64 - epoch);
            prop_assert_eq!(since(Some(range.sent_ns)), chunk.sent_ns);
            prop_assert_eq!(since(range.arrived_ns), chunk.arrived_ns);
            prop_assert_eq!(since(range.available_ns), chunk.available_ns);
        }
        let (traffic, chunks) = (&analysis.traffic, analysis.chunks.expect("chunks"));
        prop_assert_eq!(traffic.payload_bytes, truth.traffic.payload_bytes);
        // Whether acknowledgements had called for a copy, a random script does not say.
        prop_assert_eq!(
            traffic.retransmitted_bytes + traffic.bundled_bytes,
            truth.traffic.retransmitted_bytes + truth.traffic.bundled_bytes
        );
        prop_assert_eq!(
            chunks.spurious + chunks.bundled_in_vain,
            truth.spurious + truth.bundled_in_vain
        );
        prop_assert_eq!(chunks.sent, chunks.new + chunks.retransmitted() + chunks.bundled);
        prop_assert_eq!(chunks.new as usize, truth.chunks.len());
        prop_assert_eq!(chunks.duplicate_tsns, truth.duplicate_tsns);
        prop_assert_eq!(chunks.gap_blocks, truth.gap_blocks);
        prop_assert!(traffic.spurious_bytes <= traffic.retransmitted_bytes);
        expect_directions("random", &analysis, &truth.forward, &truth.backward);
    }
}
