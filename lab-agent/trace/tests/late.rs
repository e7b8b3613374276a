//! Late messages on scripted connections, by what let them through. Messages are
//! 36 bytes; a round trip is 130 ms.
// SPDX-License-Identifier: Apache-2.0

// Shares of a few messages are exact.
#![allow(clippy::float_cmp)]

use lab_proto::LateMessages;
use thinlab_trace::golden::{Fate, FileFormat, Intent, Script};
use thinlab_trace::{Options, analyze, read_capture};

const MS: u64 = 1_000_000;
const THERE: Fate = Fate::Arrives { after_ns: 65 * MS };

fn late(script: &Script, messages: u64) -> LateMessages {
    let files = script.run().files(&FileFormat::default());
    let [sender, receiver] =
        [&files.sender, &files.receiver].map(|file| read_capture(file).unwrap());
    let options = Options {
        message_ends: Some((1..=messages).map(|index| 36 * index).collect()),
        ..Options::default()
    };
    let analysis = analyze(&sender, &receiver, &options).unwrap();
    analysis.late.unwrap()
}

fn message(script: &mut Script, at_ms: u64, index: u64, fate: Fate) {
    script.data(at_ms * MS, Intent::New, 36 * index..36 * (index + 1), fate);
}

#[test]
fn a_bundle_within_a_round_trip_saves_a_message_and_a_later_one_lets_it_through() {
    for (after_ms, bundle_share) in [(100, 0.0), (131, 0.5)] {
        let mut script = Script::new();
        message(&mut script, 1000, 0, Fate::Lost);
        let at_ns = (1000 + after_ms) * MS;
        script.data(at_ns, Intent::Bundle { new_from: 36 }, 0..72, THERE);
        let late = late(&script, 2);
        assert_eq!(late.bundle_share, bundle_share, "after {after_ms} ms");
        assert_eq!(late.lowest_rtt_us, 130_000.0);
        assert_eq!(
            (late.none_share, late.fast_share, late.timeout_share),
            (0.0, 0.0, 0.0)
        );
    }
}

/// The second message arrives in time and waits for the first: both are late.
#[test]
fn a_message_that_waits_for_an_earlier_one_counts_by_what_let_that_through() {
    let mut script = Script::new();
    message(&mut script, 1000, 0, Fate::Lost);
    message(&mut script, 1200, 1, THERE);
    script.data(1331 * MS, Intent::Retransmission, 0..36, THERE);
    message(&mut script, 1600, 2, THERE);
    message(&mut script, 1800, 3, THERE);
    let late = late(&script, 4);
    assert_eq!(late.fast_share, 0.5);
    assert_eq!(late.timeout_share, 0.0);
}

#[test]
fn a_retransmission_that_no_acknowledgement_called_for_is_the_timers() {
    let mut script = Script::new();
    message(&mut script, 1000, 0, THERE);
    message(&mut script, 1300, 1, Fate::Lost);
    script.data(1700 * MS, Intent::Retransmission, 36..72, THERE);
    assert_eq!(late(&script, 2).timeout_share, 0.5);
}

#[test]
fn what_is_late_without_a_loss_was_held_up() {
    let mut script = Script::new();
    message(&mut script, 1000, 0, THERE);
    message(&mut script, 1300, 1, Fate::Arrives { after_ns: 300 * MS });
    let late = late(&script, 2);
    assert_eq!((late.none_share, late.timeout_share), (0.5, 0.0));
}
