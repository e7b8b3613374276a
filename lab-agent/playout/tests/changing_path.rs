//! What only a call has: a path that becomes another one, pauses, messages that
//! are never written, and news that come late.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs)]

mod call;
mod signal;

use call::{Call, MS_NS, START_NS};
use proptest::prelude::*;
use signal::{MS, constant, largest_step, late, speech_like, vowel};
use thinlab_playout::{Arrival, Codec, LivePlayout, Message, TICK_NS, TICK_SAMPLES, encode};

const SECOND: usize = 1000 * MS;
const LENGTH: usize = 20 * SECOND;
/// The path changes, or the stream pauses, at this place.
const CHANGE_NS: u64 = 10_000 * MS_NS;
const CHANGE: usize = 10 * SECOND;
/// Of a path without jitter, beyond its own.
const LEAST_DELAY_MS: f64 = 60.0;
/// How near to its target a call comes where nothing disturbs it.
const AT_REST_MS: f64 = 5.1;

fn with_path(messages: &[Message], before_ms: u64, after_ms: u64) -> Vec<Arrival> {
    late(messages, 0, |message| {
        let before = messages[message].at_ns < CHANGE_NS;
        MS_NS * if before { before_ms } else { after_ms }
    })
}

fn assert_at_rest(call: &mut Call<'_>, path_ms: u64) {
    let report = call.playout.report();
    let target_ms = path_ms as f64 + LEAST_DELAY_MS;
    assert!((report.target_ms - target_ms).abs() < 1e-6, "{report:?}");
    let off_ms = report.delay_ms - target_ms;
    assert!(off_ms.abs() <= AT_REST_MS, "{off_ms} ms off: {report:?}");
}

#[test]
fn a_slower_path_is_one_gap_and_then_the_delay() {
    let messages = encode(Codec::Opus, &speech_like(LENGTH)).unwrap();
    for (before_ms, after_ms) in [(65, 165), (65, 300), (65, 500), (0, 1500)] {
        let arrivals = with_path(&messages, before_ms, after_ms);
        let mut call = Call::new(&messages, &arrivals, 0);
        call.hear(CHANGE + 4 * SECOND);
        assert_at_rest(&mut call, after_ms);
        let facts = call.playout.facts();
        // The audio is late by the difference; then it takes half a second to
        // believe that the path is another one.
        let rise_ms = (after_ms - before_ms) as f64;
        assert_eq!(facts.gaps, 1);
        assert!(facts.concealed_ms < rise_ms + 600.0, "{facts:?}");
        call.hear(LENGTH);
        assert_eq!(call.playout.facts().gaps, 1);
        assert_at_rest(&mut call, after_ms);
    }
}

#[test]
fn a_faster_path_is_hurried_to_without_a_gap() {
    let messages = encode(Codec::Opus, &speech_like(LENGTH)).unwrap();
    for (before_ms, after_ms) in [(165, 65), (500, 65), (1000, 0)] {
        let arrivals = with_path(&messages, before_ms, after_ms);
        let mut call = Call::new(&messages, &arrivals, 0);
        call.hear(LENGTH);
        assert_at_rest(&mut call, after_ms);
        let facts = call.playout.facts();
        assert_eq!((facts.gaps, facts.dropped_ms), (0, 0.0));
        let fall_ms = (before_ms - after_ms) as f64;
        let hurried_ms = facts.compressed_ms - facts.stretched_ms;
        assert!((hurried_ms - fall_ms).abs() <= AT_REST_MS, "{facts:?}");
    }
}

#[test]
fn a_pause_is_silence_and_no_gap() {
    let mut messages = encode(Codec::Opus, &vowel(173.0, LENGTH)).unwrap();
    let pause_ns = 3_000 * MS_NS;
    for message in &mut messages {
        message.at_ns += pause_ns * u64::from(message.at_ns > CHANGE_NS);
    }
    let arrivals = constant(&messages, 65 * MS_NS);
    let mut call = Call::new(&messages, &arrivals, 0);
    call.hear(LENGTH);
    let facts = call.playout.facts();
    assert_eq!((facts.gaps, facts.dropped_ms), (0, 0.0));
    assert!((facts.delay_max_ms - LEAST_DELAY_MS).abs() <= AT_REST_MS + 10.0);
    // Faded, then nothing.
    let paused = &call.heard[CHANGE + 350 * MS..CHANGE + 3 * SECOND];
    assert!(paused.iter().all(|sample| *sample == 0));
    let sounding = largest_step(&call.heard[SECOND..CHANGE]);
    assert!(largest_step(&call.heard[CHANGE..]) <= sounding * 5 / 4);
    assert!(call.heard[CHANGE + 4 * SECOND..].iter().any(|s| *s > 1000));
}

#[test]
fn what_was_never_written_counts_as_dropped() {
    let messages = encode(Codec::Opus, &speech_like(LENGTH)).unwrap();
    let mut playout = LivePlayout::new(Codec::Opus);
    let (stalled, skipped) = (200..300_u64, 220..280_u64);
    let mut arrived = 0;
    let mut sent = 0;
    for tick in 0..2000 {
        let now_ns = START_NS + tick * TICK_NS;
        while sent < messages.len() && START_NS + messages[sent].at_ns <= now_ns {
            let captured_ns = START_NS + messages[sent].at_ns;
            let number = playout.send(&messages[sent], captured_ns).unwrap();
            if skipped.contains(&number) {
                playout.skip(number).unwrap();
            }
            sent += 1;
        }
        while arrived < sent as u64 {
            let due = if stalled.contains(&arrived) {
                stalled.end
            } else {
                arrived
            };
            let at_ns = START_NS + messages[due as usize].at_ns + 65 * MS_NS;
            if at_ns > now_ns {
                break;
            }
            if !skipped.contains(&arrived) {
                playout.arrive(arrived, at_ns).unwrap();
            }
            arrived += 1;
        }
        playout.tick(now_ns);
    }
    let account = playout.account();
    let length = |numbers: std::ops::Range<u64>| {
        let [from, to] = [numbers.start, numbers.end].map(|n| messages[n as usize - 1].at_ns);
        (to - from) * 6 / 125_000
    };
    assert!(account.dropped >= length(skipped));
    assert_eq!(account.gaps, 1);
    assert!(account.concealed + account.dropped >= length(stalled));
    assert_balanced(&playout);
}

fn assert_balanced(playout: &LivePlayout) {
    let account = playout.account();
    let heard = account.played + account.concealed + account.after_end;
    assert_eq!(heard, account.length);
    let spent = account.played + account.compressed + account.dropped + account.unplayed;
    assert_eq!(spent, account.source + account.stretched);
}

#[test]
fn news_that_come_later_and_later_only_raise_the_delay() {
    // As if the clock that stamps the arrivals drifted: 10 ms in a second.
    let length = 60 * SECOND;
    let messages = encode(Codec::Opus, &speech_like(length)).unwrap();
    let mut playout = LivePlayout::new(Codec::Opus);
    let mut told = 0;
    for tick in 0..6000 {
        let now_ns = START_NS + tick * TICK_NS;
        while told < messages.len() {
            let captured_ns = START_NS + messages[told].at_ns;
            let arrived_ns = captured_ns + 65 * MS_NS;
            if arrived_ns + messages[told].at_ns / 100 > now_ns {
                break;
            }
            let number = playout.send(&messages[told], captured_ns).unwrap();
            playout.arrive(number, arrived_ns).unwrap();
            told += 1;
        }
        playout.tick(now_ns);
    }
    let (facts, report) = (playout.facts(), playout.report());
    assert!(facts.gaps <= 2, "{facts:?}");
    assert_eq!(playout.account().dropped, 0);
    assert!((600.0..800.0).contains(&report.delay_ms), "{report:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_sample_is_accounted_for(
        stalls in prop::collection::vec((0..150_usize, 0..1500_u64), 0..6),
        paths in prop::collection::vec((0..150_usize, 0..900_u64), 1..5),
        from_ns in 0..3_000_000_000_u64,
    ) {
        let messages = encode(Codec::Opus, &speech_like(5 * SECOND)).unwrap();
        let arrivals = late(&messages, 0, |message| {
            let path = paths.iter().rfind(|(from, _)| *from <= message);
            let stall = stalls.iter().find(|(at, _)| *at == message);
            MS_NS * (path.map_or(65, |(_, ms)| *ms) + stall.map_or(0, |(_, ms)| *ms))
        });
        let mut call = Call::new(&messages, &arrivals, from_ns);
        let mut noted = 0.0;
        for tick in 1..=800_u64 {
            call.tick();
            assert_balanced(&call.playout);
            prop_assert_eq!(call.playout.account().length, tick * TICK_SAMPLES as u64);
            if tick % 10 == 0 {
                noted += missing_ms(&mut call.playout);
            }
        }
        let facts = call.playout.facts();
        prop_assert!((noted - facts.concealed_ms).abs() < 1e-6);
    }
}

/// Of gaps, as told since the last report.
fn missing_ms(playout: &mut LivePlayout) -> f64 {
    let report = playout.report();
    let missing = report
        .passages
        .iter()
        .filter(|passage| ["concealed", "silent"].contains(&passage.kind.as_str()));
    missing.map(|passage| passage.length_ms).sum()
}
