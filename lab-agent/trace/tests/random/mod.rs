//! Random scripts: any sender over any path.
// SPDX-License-Identifier: Apache-2.0
// Each test file uses what it needs of it.
#![allow(dead_code)]

use std::ops::Range;

use proptest::prelude::*;
use thinlab_trace::golden::{Fate, FileFormat, Intent, Script, Trace};
use thinlab_trace::{Checksum, read_capture};

const MS: u64 = 1_000_000;

/// What a random sender does next.
#[derive(Clone, Debug)]
enum Move {
    /// New bytes.
    New { bytes: u64 },
    /// New bytes behind this many old ones.
    Bundle { old: u64, bytes: u64 },
    /// Old bytes, from so far back.
    Again { back: u64, bytes: u64 },
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => (1_u64..300).prop_map(|bytes| Move::New { bytes }),
        2 => (1_u64..600, 1_u64..300).prop_map(|(old, bytes)| Move::Bundle { old, bytes }),
        2 => (1_u64..900, 1_u64..600).prop_map(|(back, bytes)| Move::Again { back, bytes }),
    ]
}

/// What the path does to a packet; where it damages one, it hits one of these bytes.
pub fn fates(damaged: Range<usize>) -> impl Strategy<Value = Fate> {
    let delay = 50 * MS..250 * MS;
    prop_oneof![
        6 => Just(Fate::arrives(50 * MS)),
        2 => delay.clone().prop_map(Fate::arrives),
        2 => Just(Fate::Lost),
        1 => (delay, 0..30 * MS).prop_map(|(after_ns, more)| Fate::Twice { after_ns, again_after_ns: after_ns + more }),
        1 => damaged.prop_map(|at_byte| Fate::Damaged { after_ns: 50 * MS, at_byte }),
    ]
}

/// Any sender over any path. Packets are told apart by their identification:
/// what a trace does not hold, no analysis can know.
pub fn scripts() -> impl Strategy<Value = Script> {
    let step = (moves(), 1_u64..400, fates(40..1_000));
    let acks = proptest::collection::vec(fates(40..1_000), 0..20);
    (
        proptest::collection::vec(step, 1..40),
        acks,
        any::<u32>(),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(steps, acks, isn, handshake, timestamps)| {
            let mut script = Script::new();
            script.wire.sender_isn = isn;
            script.wire.receiver_isn = !isn;
            script.wire.timestamps = timestamps;
            script.without_handshake = !handshake;
            let (mut at_ns, mut sent) = (5_000 * MS, 0);
            for (index, (step, gap_ms, fate)) in steps.into_iter().enumerate() {
                at_ns += gap_ms * MS;
                // Without a handshake the first data packet marks the origin.
                let step = if index == 0 {
                    Move::New { bytes: 100 }
                } else {
                    step
                };
                let (intent, bytes) = match step {
                    Move::New { bytes } => (Intent::New, sent..sent + bytes),
                    Move::Bundle { old, bytes } => (
                        Intent::Bundle { new_from: sent },
                        sent - old.min(sent)..sent + bytes,
                    ),
                    Move::Again { back, bytes } => {
                        let start = sent - back.min(sent);
                        (Intent::Retransmission, start..(start + bytes).min(sent))
                    }
                };
                // One byte below all that is acknowledged would be a probe.
                if bytes.end - bytes.start == 1 && intent == Intent::Retransmission {
                    continue;
                }
                sent = sent.max(bytes.end);
                script.data(at_ns, intent, bytes, fate);
            }
            for (ordinal, fate) in acks.into_iter().enumerate() {
                script.acknowledgement(ordinal, fate);
            }
            script
        })
}

/// Whether the captures hold what is to be found: something of the connection
/// arrived, and each damaged packet shows it. One whose checksum is 0 or that of the
/// addresses alone, two in 65,536, looks as if the card were still to fill it in.
pub fn can_be_told(trace: &Trace) -> bool {
    let mut bytes = trace.truth.bytes.iter();
    bytes.any(|byte| byte.arrived_ns.is_some()) && damage_shows(trace)
}

/// Of scripts in which no card fills in checksums.
fn damage_shows(trace: &Trace) -> bool {
    let captures = trace.files(&FileFormat::default());
    [captures.sender, captures.receiver].iter().all(|file| {
        let capture = read_capture(file).expect("a capture");
        let mut packets = capture.packets.iter();
        packets.all(|packet| packet.checksum != Checksum::Offloaded)
    })
}
