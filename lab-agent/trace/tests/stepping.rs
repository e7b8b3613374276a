//! Clocks that are set while captures are taken: found, measured and taken out, and
//! nothing else taken for it.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap)]

use proptest::prelude::*;
use thinlab_trace::golden::{
    self, ClockSet, Clocks, Fate, FileFormat, Intent, Script, Trace, scenarios,
};
use thinlab_trace::{
    Analysis, Clock, ClockStep, Direction, Options, SetClock, Unclear, Warning, analyze, packets,
    read_capture, records, summarize,
};

const MS: u64 = 1_000_000;

fn analysed(trace: &Trace, clock: Clock) -> Analysis {
    let pair = trace.files(&FileFormat::default());
    let sender = read_capture(&pair.sender).expect("the sender's capture");
    let receiver = read_capture(&pair.receiver).expect("the receiver's capture");
    let options = Options {
        clock,
        ..Options::default()
    };
    let analysis = analyze(&sender, &receiver, &options).expect("a connection in both");
    // Who shows packets has them in the same order.
    let records = records(&sender, &receiver, &analysis).expect("the same captures");
    let steps = &analysis.clock_steps;
    let passages = packets(&sender, &receiver, Some(analysis.flow), steps).expect("the same");
    assert_eq!(records.packets.len(), passages.len());
    assert_eq!(
        records
            .packets
            .iter()
            .filter(|it| it.passage.arrived_ns.is_none())
            .count() as u64,
        analysis.forward.lost + analysis.backward.lost
    );
    analysis
}

/// The latency of every byte, with `slack_ns` for two roundings of stamps.
fn expect_latencies(name: &str, trace: &Trace, analysis: &Analysis, slack_ns: u64) {
    let mut covered = 0;
    for range in &analysis.ranges {
        assert_eq!(range.start, covered, "{name}");
        covered = range.end;
        for byte in &trace.truth.bytes[range.start as usize..range.end as usize] {
            let truth = |at_ns: Option<u64>| Some((at_ns? - byte.sent_ns?) as i64);
            for (told_ns, true_ns) in [
                (range.arrived_ns, truth(byte.arrived_ns)),
                (range.available_ns, truth(byte.available_ns)),
            ] {
                let told_ns = told_ns.map(|at_ns| at_ns - range.sent_ns);
                let is_near = match (told_ns, true_ns) {
                    (Some(told_ns), Some(true_ns)) => told_ns.abs_diff(true_ns) <= slack_ns,
                    (told_ns, true_ns) => told_ns == true_ns,
                };
                assert!(is_near, "{name}: {range:?}: {told_ns:?} is {true_ns:?}");
            }
        }
    }
    assert_eq!(covered, trace.truth.bytes.len() as u64, "{name}");
    let truth = &trace.truth;
    assert_eq!(
        analysis.metrics.packets, truth.traffic.data_packets,
        "{name}"
    );
    assert_eq!(
        analysis.metrics.retransmitted_bytes, truth.traffic.retransmitted_bytes,
        "{name}"
    );
    assert_eq!(analysis.forward.lost, truth.forward.lost, "{name}");
    assert_eq!(analysis.backward.lost, truth.backward.lost, "{name}");
}

fn expect_step(name: &str, step: &ClockStep, set: &ClockSet, drift_ppb: i64, slack_ns: u64) {
    let whose = match set.end {
        Some(golden::End::Sender) => SetClock::Sender,
        Some(golden::End::Receiver) => SetClock::Receiver,
        None => SetClock::Shared,
    };
    assert_eq!(step.clock, whose, "{name}: {step}");
    assert!(step.by_ns.abs_diff(set.by_ns) <= slack_ns, "{name}: {step}");
    let told = step.uncertainty_ns.expect("two clocks");
    // Where it may have been the other clock, what that one drifts during the step.
    let drifted_ns = (set.by_ns.abs() * drift_ppb.abs()) as u64 / 1_000_000_000;
    assert!(told <= 2 * slack_ns + drifted_ns, "{name}: {step}");
    assert_eq!(step.sender_frame.is_some(), whose == SetClock::Sender);
    assert_eq!(step.receiver_frame.is_some(), whose == SetClock::Receiver);
}

/// The frame of the first packet that an end captures after an instant.
fn first_frame(trace: &Trace, end: golden::End, at_ns: u64) -> u32 {
    let captured = trace.frames.iter().filter(|frame| frame.end == end);
    1 + captured.filter(|frame| frame.true_ns < at_ns).count() as u32
}

#[test]
fn stepping_clocks_come_back_to_the_resolution() {
    for (name, script) in scenarios::stepping_clocks() {
        let trace = script.run();
        let analysis = analysed(&trace, Clock::Separate);
        let slack_ns = 2 * trace.resolution_ns;
        assert_eq!(
            analysis.clock_steps.len(),
            script.clocks.sets.len(),
            "{name}: {:?}",
            analysis.clock_steps
        );
        for (step, set) in analysis.clock_steps.iter().zip(&script.clocks.sets) {
            expect_step(name, step, set, script.clocks.receiver_drift_ppb, slack_ns);
            let frame = step.sender_frame.or(step.receiver_frame);
            let end = set.end.expect("two clocks");
            assert_eq!(frame, Some(first_frame(&trace, end, set.at_ns)), "{name}");
        }
        expect_latencies(name, &trace, &analysis, 2 * slack_ns);
        let said: Vec<_> = analysis
            .clock_steps
            .iter()
            .copied()
            .map(Warning::ClockSet)
            .collect();
        assert_eq!(analysis.warnings, said, "{name}");
    }
}

/// One packet under way at a time: whichever clock was set, every delay is the same.
#[test]
fn whose_clock_it_was_may_be_open() {
    let set = ClockSet {
        end: Some(golden::End::Sender),
        at_ns: 24_030 * MS,
        by_ns: 30 * MS as i64,
    };
    let script = scenarios::jitter(Clocks {
        sets: vec![set],
        ..Clocks::default()
    });
    let trace = script.run();
    let analysis = analysed(&trace, Clock::Separate);
    let [step] = analysis.clock_steps[..] else {
        panic!("{:?}", analysis.clock_steps);
    };
    assert_eq!(
        (step.clock, step.by_ns),
        (SetClock::Either, -30 * MS as i64)
    );
    expect_latencies("either", &trace, &analysis, 4);
}

/// A hundred messages, then as many over paths that are longer by so much.
fn route_change(forward_ms: u64, backward_ms: u64) -> Script {
    let mut script = Script::new();
    for n in 0..200 {
        let more_ms = |ms: u64| if n < 100 { 0 } else { ms };
        let queue_ns = n * 7_919 % 5 * MS;
        let forward = Fate::arrives((65 + more_ms(forward_ms)) * MS + queue_ns);
        script.data(
            (10_000 + n * 30) * MS,
            Intent::New,
            n * 50..n * 50 + 50,
            forward,
        );
        let backward = Fate::arrives((65 + more_ms(backward_ms)) * MS + n * 6_007 % 3 * MS);
        script.acknowledgement(n as usize, backward);
    }
    script
}

#[test]
fn another_route_is_no_step() {
    for (forward_ms, backward_ms) in [(20, 0), (0, 20), (20, 20), (15, 25), (200, 0)] {
        let analysis = analysed(
            &route_change(forward_ms, backward_ms).run(),
            Clock::Separate,
        );
        assert_eq!(analysis.clock_steps, [], "{forward_ms} and {backward_ms}");
        assert_eq!(analysis.warnings, [], "{forward_ms} and {backward_ms}");
    }
}

/// The acknowledgements after the hundredth message are lost, and the clock is set
/// then.
#[test]
fn where_packets_go_one_way_only_nothing_is_decided() {
    let mut script = route_change(0, 0);
    for n in 100..200 {
        script.acknowledgement(n, Fate::Lost);
    }
    let by_ns = 40 * MS as i64;
    script.clocks.sets = vec![ClockSet {
        end: Some(golden::End::Receiver),
        at_ns: 14_500 * MS,
        by_ns,
    }];
    let trace = script.run();
    let analysis = analysed(&trace, Clock::Separate);
    assert_eq!(analysis.clock_steps, []);
    let unclear = Unclear {
        direction: Direction::Forward,
        receiver_frame: first_frame(&trace, golden::End::Receiver, 14_500 * MS),
        by_ns,
    };
    assert_eq!(analysis.warnings, [Warning::ClockUnclear(unclear)]);
    // Of the messages before the 151st, two were under way; the rest are as they were.
    let late = analysis
        .messages
        .iter()
        .filter(|message| message.transport_ns() > Some(100 * MS as i64));
    assert_eq!(late.count(), 200 - 148);
}

/// One clock at both ends, set back while packets are under way or not.
#[test]
fn a_shared_clock_that_is_set_back_is_found_out() {
    for (at_ns, by_ms) in [(14_003, -1_500), (14_009, -170), (15_001, -3_600_000)] {
        let mut script = scenarios::dense(Clocks::default());
        script.clocks.sets = vec![ClockSet {
            end: None,
            at_ns: at_ns * MS,
            by_ns: by_ms * MS as i64,
        }];
        let trace = script.run();
        let analysis = analysed(&trace, Clock::Shared);
        let [step] = analysis.clock_steps[..] else {
            panic!("{by_ms}: {:?}", analysis.clock_steps);
        };
        assert_eq!((step.clock, step.uncertainty_ns), (SetClock::Shared, None));
        // Messages that met an empty path were under way.
        assert_eq!(step.by_ns, by_ms * MS as i64);
        expect_latencies("shared", &trace, &analysis, 0);
        let files = trace.files(&FileFormat::default());
        assert_eq!(
            summarize(&files.sender, &files.receiver, &Options::default()),
            None
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Whichever clock is set when and by how much: latencies come back, within what the
    /// rounding of stamps makes of the drift.
    #[test]
    fn steps_come_back(
        is_receivers in any::<bool>(),
        at_ms in 12_000_u64..18_000,
        back in any::<bool>(),
        by_us in prop_oneof![3_000_u64..1_000_000, 1_000_000_u64..10_000_000_000],
        drift_ppb in -100_000_i64..100_000,
        extra_us in proptest::collection::vec(0_u64..9_000, 400..401),
    ) {
        let end = if is_receivers { golden::End::Receiver } else { golden::End::Sender };
        let by_ns = if back { -(by_us as i64) } else { by_us as i64 } * 1_000;
        let mut script = Script::new();
        script.clocks = Clocks {
            receiver_drift_ppb: drift_ppb,
            sets: vec![ClockSet { end: Some(end), at_ns: at_ms * MS + 1, by_ns }],
            ..Clocks::default()
        };
        for (n, extra_us) in extra_us.iter().enumerate() {
            let n = n as u64;
            let extra_ns = if n.is_multiple_of(8) { 0 } else { extra_us * 1_000 };
            script.data(10_000 * MS + n * 25 * MS, Intent::New, n * 10..n * 10 + 10, Fate::arrives(65 * MS + extra_ns));
        }
        let trace = script.run();
        let analysis = analysed(&trace, Clock::Separate);
        prop_assert_eq!(analysis.clock_steps.len(), 1, "{:?}", analysis.clock_steps);
        let step = analysis.clock_steps[0];
        let ahead_ns = match step.clock {
            SetClock::Sender => -step.by_ns,
            _ => step.by_ns,
        };
        let truth_ns = if is_receivers { by_ns } else { -by_ns };
        let off_ns = ahead_ns.abs_diff(truth_ns);
        prop_assert!(Some(off_ns) <= step.uncertainty_ns.map(|open_ns| open_ns + 100), "{} against {}: {}", ahead_ns, truth_ns, step);
        // Queues of nearly the length of the step may hide where it was, and with that whose.
        let is_hidden = by_us < 20_000;
        let whose = if is_receivers { SetClock::Receiver } else { SetClock::Sender };
        prop_assert!(is_hidden || (step.clock == whose && off_ns <= 100), "{} against {}: {}", ahead_ns, truth_ns, step);
        let slack_ns = 100 + step.uncertainty_ns.map_or(0, |open_ns| if is_hidden { open_ns as i64 } else { 0 });
        let drifted_ns = by_ns.abs() / 1_000 * drift_ppb.abs() / 1_000_000;
        for range in &analysis.ranges {
            let truth = trace.truth.bytes[range.start as usize];
            let told = range.available_ns.expect("all arrive") - range.sent_ns;
            let true_ns = (truth.available_ns.expect("all arrive") - truth.sent_ns.expect("all sent")) as i64;
            // Next to it, a packet may be on either side.
            let is_open = is_hidden && truth.sent_ns.is_some_and(|sent_ns| sent_ns.abs_diff(at_ms * MS) < 500 * MS);
            let slack_ns = slack_ns + if is_open { by_ns.abs() + drifted_ns } else { 0 };
            prop_assert!((told - true_ns).abs() <= slack_ns, "{} against {}", told, true_ns);
        }
    }

    /// Queues of any length are no step.
    #[test]
    fn queues_are_no_step(
        forward_us in proptest::collection::vec(0_u64..60_000, 400..401),
        backward_us in proptest::collection::vec(0_u64..60_000, 400..401),
        drift_ppb in -100_000_i64..100_000,
    ) {
        let mut script = Script::new();
        script.clocks.receiver_drift_ppb = drift_ppb;
        for (n, (forward_us, backward_us)) in forward_us.iter().zip(&backward_us).enumerate() {
            let at_ns = 10_000 * MS + n as u64 * 70 * MS;
            let n = n as u64;
            script.data(at_ns, Intent::New, n * 10..n * 10 + 10, Fate::arrives(65 * MS + forward_us * 1_000));
            script.acknowledgement(n as usize, Fate::arrives(65 * MS + backward_us * 1_000));
        }
        let analysis = analysed(&script.run(), Clock::Separate);
        prop_assert_eq!(&analysis.clock_steps, &[]);
        prop_assert_eq!(&analysis.warnings, &[]);
    }

    /// The one clock of both ends set back anywhere: no panic, no latency below the
    /// path's.
    #[test]
    fn a_shared_clock_set_back_breaks_nothing(at_us in 9_000_000_u64..19_000_000, back_ms in 1_i64..20_000) {
        let mut script = scenarios::dense(Clocks::default());
        script.clocks.sets = vec![ClockSet { end: None, at_ns: at_us * 1_000 + 1, by_ns: -back_ms * MS as i64 }];
        let trace = script.run();
        let pair = trace.files(&FileFormat::default());
        let [sender, receiver] = [&pair.sender, &pair.receiver].map(|file| read_capture(file).unwrap());
        // Less than the way takes and than the time between packets, stamps do not contradict.
        if back_ms <= 65 {
            let _ = analyze(&sender, &receiver, &Options::default());
            return Ok(());
        }
        let analysis = analyze(&sender, &receiver, &Options::default()).expect("without the step");
        expect_latencies("shared", &trace, &analysis, 10 * MS);
    }
}
