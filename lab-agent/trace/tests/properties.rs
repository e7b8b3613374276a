//! What must hold of any trace: random scripts, played, captured, analysed.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap, clippy::float_cmp)]

mod random;

use lab_proto::LatencyDistribution;
use proptest::prelude::*;
use random::{can_be_told, scripts};
use thinlab_trace::golden::{Clocks, End, Fate, FileFormat, Intent, IpIds, Noise, Script, Trace};
use thinlab_trace::{
    Analysis, Clock, Flow, Options, Sample, accept_damaged, analyze, distribution, read_capture,
};

const MS: u64 = 1_000_000;

fn analysed(trace: &Trace, options: &Options) -> Analysis {
    let pair = trace.files(&FileFormat::default());
    let sender = read_capture(&pair.sender).expect("the sender's capture");
    let receiver = read_capture(&pair.receiver).expect("the receiver's capture");
    analyze(&sender, &receiver, options).expect("a connection in both")
}

fn rises(distribution: &LatencyDistribution) -> bool {
    let quantiles = [
        distribution.min_us,
        distribution.p50_us,
        distribution.p90_us,
        distribution.p95_us,
        distribution.p98_us,
        distribution.p99_us,
        distribution.p999_us,
        distribution.max_us,
    ];
    let cdf = &distribution.cdf;
    let ends = cdf.first().map(|point| point.latency_us) == Some(distribution.min_us)
        && cdf.last().map(|point| (point.latency_us, point.share))
            == Some((distribution.max_us, 1.0));
    quantiles.is_sorted()
        && (distribution.samples == 0 || ends)
        && cdf.len() <= 512
        && cdf
            .windows(2)
            .all(|pair| pair[0].latency_us < pair[1].latency_us && pair[0].share < pair[1].share)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// The golden truth, byte for byte, of scripts nobody wrote by hand.
    #[test]
    fn random_scripts_come_back_exactly(script in scripts()) {
        let trace = script.run();
        prop_assume!(can_be_told(&trace));
        let analysis = analysed(&trace, &Options::default());
        let epoch = script.clocks.epoch_ns as i64;
        let told = |at_ns: Option<i64>| at_ns.map(|at_ns| (at_ns - epoch) as u64);
        for range in &analysis.ranges {
            for byte in range.start..range.end {
                let truth = trace.truth.bytes[byte as usize];
                prop_assert_eq!(told(Some(range.sent_ns)), truth.sent_ns);
                prop_assert_eq!(told(range.arrived_ns), truth.arrived_ns);
                prop_assert_eq!(told(range.available_ns), truth.available_ns);
            }
        }
        let (truth, traffic) = (&trace.truth, &analysis.traffic);
        prop_assert_eq!(traffic.retransmitted_bytes, truth.traffic.retransmitted_bytes);
        prop_assert_eq!(traffic.bundled_bytes, truth.traffic.bundled_bytes);
        prop_assert_eq!(traffic.bundle_hit_bytes, truth.traffic.bundle_hit_bytes);
        prop_assert_eq!(traffic.spurious_bytes, truth.traffic.spurious_bytes);
        prop_assert_eq!(analysis.forward.lost, truth.forward.lost);
        prop_assert_eq!(analysis.forward.duplicated, truth.forward.duplicated);
        prop_assert_eq!(analysis.forward.damaged, truth.forward.damaged);
        prop_assert_eq!(analysis.backward.lost, truth.backward.lost);
    }

    /// The same, where the receiver takes what is damaged behind the headers, and says so.
    #[test]
    fn damage_that_is_taken_comes_back_exactly(mut script in scripts()) {
        script.takes_damage_from = Some(if script.wire.timestamps { 52 } else { 40 });
        let trace = script.run();
        prop_assume!(can_be_told(&trace));
        let pair = trace.files(&FileFormat::default());
        let sender = read_capture(&pair.sender).expect("the sender's capture");
        let mut receiver = read_capture(&pair.receiver).expect("the receiver's capture");
        let flow = Flow { sender: script.wire.sender, receiver: script.wire.receiver };
        let came_damaged = analyze(&sender, &receiver, &Options::default());
        let accepted = accept_damaged(&sender, &mut receiver, Some(flow)).expect("a connection");
        let analysis = analyze(&sender, &receiver, &Options { flow: Some(flow), ..Options::default() });
        let analysis = analysis.expect("a connection in both");
        if let Ok(before) = came_damaged {
            prop_assert_eq!(before.forward.damaged, analysis.forward.damaged + accepted);
        }
        let epoch = script.clocks.epoch_ns as i64;
        let told = |at_ns: Option<i64>| at_ns.map(|at_ns| (at_ns - epoch) as u64);
        for range in &analysis.ranges {
            for byte in range.start..range.end {
                let truth = trace.truth.bytes[byte as usize];
                prop_assert_eq!(told(range.arrived_ns), truth.arrived_ns);
                prop_assert_eq!(told(range.available_ns), truth.available_ns);
            }
        }
        let (truth, traffic) = (&trace.truth, &analysis.traffic);
        prop_assert_eq!(traffic.bundle_hit_bytes, truth.traffic.bundle_hit_bytes);
        prop_assert_eq!(traffic.spurious_bytes, truth.traffic.spurious_bytes);
        prop_assert_eq!(analysis.forward.lost, truth.forward.lost);
        prop_assert_eq!(analysis.forward.damaged, truth.forward.damaged);
    }

    #[test]
    fn accounts_balance(script in scripts()) {
        let trace = script.run();
        prop_assume!(can_be_told(&trace));
        let analysis = analysed(&trace, &Options::default());
        let (metrics, traffic) = (&analysis.metrics, &analysis.traffic);
        prop_assert_eq!(
            metrics.payload_bytes,
            metrics.unique_bytes + metrics.retransmitted_bytes + traffic.bundled_bytes
        );
        prop_assert!(metrics.redundancy_share >= metrics.retransmitted_share);
        prop_assert!(metrics.delivered_bytes <= metrics.unique_bytes);
        prop_assert!(traffic.bundle_hit_bytes <= traffic.bundled_bytes);
        prop_assert!(traffic.spurious_bytes <= traffic.retransmitted_bytes);
        for count in [analysis.forward, analysis.backward] {
            prop_assert_eq!(count.sent, count.arrived + count.lost);
            prop_assert_eq!(count.unsent, 0);
        }
        prop_assert!(analysis.warnings.is_empty(), "{:?}", analysis.warnings);
    }

    #[test]
    fn application_latency_is_never_below_transport(script in scripts()) {
        let trace = script.run();
        prop_assume!(can_be_told(&trace));
        let analysis = analysed(&trace, &Options::default());
        for range in &analysis.ranges {
            prop_assert!(range.available_ns.is_none_or(|at_ns| Some(at_ns) >= range.arrived_ns));
            prop_assert!(range.arrived_ns.is_none_or(|at_ns| at_ns >= range.sent_ns));
        }
        for message in &analysis.messages {
            prop_assert!(message.application_ns().is_none_or(|ns| Some(ns) >= message.transport_ns()));
        }
        for latency in [analysis.summary.metrics.transport, analysis.summary.metrics.application].into_iter().flatten() {
            for distribution in [latency.per_byte, latency.per_message].into_iter().flatten() {
                prop_assert!(rises(&distribution), "{:?}", distribution);
            }
        }
    }

    /// Messages cut anywhere cover the same bytes, and none is there before
    /// its last byte.
    #[test]
    fn messages_follow_from_the_bytes(script in scripts(), sizes in proptest::collection::vec(1_u64..500, 1..40)) {
        let trace = script.run();
        prop_assume!(can_be_told(&trace));
        let ends: Vec<u64> = sizes.iter().scan(0, |end, size| { *end += size; Some(*end) }).collect();
        let options = Options { message_ends: Some(ends.clone()), ..Options::default() };
        let analysis = analysed(&trace, &options);
        prop_assert_eq!(analysis.messages.len(), ends.len());
        let epoch = script.clocks.epoch_ns as i64;
        for message in &analysis.messages {
            let bytes = message.start as usize..message.end as usize;
            let whole = trace.truth.bytes.get(bytes.clone());
            let available = whole.and_then(|bytes| bytes.last()).and_then(|byte| byte.available_ns);
            prop_assert_eq!(message.available_ns.map(|at_ns| (at_ns - epoch) as u64), available);
            let sent = whole.and_then(|bytes| bytes.iter().filter_map(|byte| byte.sent_ns).max());
            prop_assert_eq!(message.sent_ns.map(|at_ns| (at_ns - epoch) as u64), sent);
        }
    }

    /// Foreign packets among the connection's change nothing.
    #[test]
    fn foreign_packets_change_nothing(script in scripts(), noise in proptest::collection::vec((0_u64..15_000, 0..3_u8), 1..20)) {
        let quiet = script.run();
        prop_assume!(can_be_told(&quiet));
        let mut noisy = script.clone();
        for (at_ms, kind) in noise {
            let kind = [Noise::Arp, Noise::Udp, Noise::OtherConnection][usize::from(kind)];
            noisy.noise(at_ms * MS + 3, if at_ms % 2 == 0 { End::Sender } else { End::Receiver }, kind);
        }
        let options = Options { flow: Some(analysed(&quiet, &Options::default()).flow), ..Options::default() };
        let (quiet, noisy) = (analysed(&quiet, &options), analysed(&noisy.run(), &options));
        prop_assert_eq!(quiet.summary.metrics, noisy.summary.metrics);
        prop_assert_eq!(quiet.messages, noisy.messages);
    }

    /// Where frames stand in the file does not matter, only their stamps.
    #[test]
    fn the_order_in_the_file_changes_nothing(script in scripts(), seed in any::<u64>()) {
        let mut trace = script.run();
        prop_assume!(can_be_told(&trace));
        let straight = analysed(&trace, &Options::default());
        // Frames at one instant keep their order: it is all they have.
        trace.frames.sort_by_key(|frame| frame.true_ns.wrapping_mul(seed | 1).rotate_left(17));
        let shuffled = analysed(&trace, &Options { flow: Some(straight.flow), ..Options::default() });
        prop_assert_eq!(straight.summary.metrics, shuffled.summary.metrics);
        prop_assert_eq!(straight.ranges, shuffled.ranges);
    }

    /// Whatever two clocks say, latencies above the lowest come back.
    #[test]
    fn two_clocks_come_back(
        offset_ns in -1_000_000_000_000_i64..1_000_000_000_000,
        drift_ppb in -200_000_i64..200_000,
        extra_us in proptest::collection::vec(0_u64..40_000, 60..120),
    ) {
        let mut script = Script::new();
        script.clocks = Clocks { receiver_offset_ns: offset_ns, receiver_drift_ppb: drift_ppb, ..Clocks::default() };
        for (n, extra_us) in extra_us.iter().enumerate() {
            let n = n as u64;
            // Every eighth packet meets an empty path: without such there is no envelope.
            let extra_ns = if n.is_multiple_of(8) { 0 } else { extra_us * 1_000 };
            script.data(5_000 * MS + n * 100 * MS, Intent::New, n * 10..n * 10 + 10, Fate::arrives(65 * MS + extra_ns));
        }
        let trace = script.run();
        let analysis = analysed(&trace, &Options { clock: Clock::Separate, ..Options::default() });
        for range in &analysis.ranges {
            let truth = trace.truth.bytes[range.start as usize];
            let told = range.available_ns.expect("all arrive") - range.sent_ns;
            let true_ns = (truth.available_ns.expect("all arrive") - truth.sent_ns.expect("all sent")) as i64;
            prop_assert!((told - true_ns).abs() <= 2, "{} against {}", told, true_ns);
        }
    }

    /// Identical copies without any mark: single packets may be mistaken for
    /// each other, losses may not be miscounted when time is plain.
    #[test]
    fn identical_copies_are_counted_by_time(fates in proptest::collection::vec(any::<bool>(), 1..12)) {
        let mut script = Script::new();
        script.wire.timestamps = false;
        script.wire.ip_ids = IpIds::Zero;
        script.data(4_000 * MS, Intent::New, 0..50, Fate::arrives(65 * MS));
        for (n, arrives) in fates.iter().enumerate() {
            let fate = if *arrives { Fate::arrives(65 * MS) } else { Fate::Lost };
            script.data(5_000 * MS + n as u64 * 300 * MS, Intent::Retransmission, 0..50, fate);
        }
        let trace = script.run();
        let analysis = analysed(&trace, &Options::default());
        prop_assert_eq!(analysis.forward.lost, trace.truth.forward.lost);
        prop_assert_eq!(analysis.forward.duplicated, 0);
        prop_assert_eq!(analysis.traffic.spurious_bytes, trace.truth.traffic.spurious_bytes);
    }

    /// Quantiles by counting, one sample at a time.
    #[test]
    fn quantiles_agree_with_counting(samples in proptest::collection::vec((0_i64..500, 1_u64..9), 1..200)) {
        let weighted = samples.iter().map(|(latency_ns, weight)| Sample { latency_ns: *latency_ns, weight: *weight });
        let told = distribution(weighted.collect());
        let mut all: Vec<i64> = samples.iter().flat_map(|(latency, weight)| vec![*latency; *weight as usize]).collect();
        all.sort_unstable();
        let nearest_rank = |permille: usize| all[(all.len() * permille).div_ceil(1_000) - 1] as f64 / 1_000.0;
        prop_assert_eq!(told.samples, all.len() as u64);
        prop_assert_eq!((told.p50_us, told.p90_us, told.p95_us), (nearest_rank(500), nearest_rank(900), nearest_rank(950)));
        prop_assert_eq!((told.p98_us, told.p99_us, told.p999_us), (nearest_rank(980), nearest_rank(990), nearest_rank(999)));
        prop_assert!(rises(&told));
    }
}
