//! Known arrivals, known consequences.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs, clippy::cast_possible_wrap)]

mod signal;

use signal::{MS, PATH_NS, constant, fingerprint, largest_step, late, speech_like, vowel};
use thinlab_playout::{Arrival, Codec, Message, PlayError, Playout, decode, encode, play};

const SECOND: usize = 1000 * MS;
const SECOND_NS: u64 = 1_000_000_000;
/// The delay without jitter: one message of 40 ms and 20 ms to spare.
const LEAST_DELAY_NS: u64 = 60_000_000;
const TICK_NS: u64 = 10_000_000;

fn played(messages: &[Message], arrivals: &[Arrival], length: usize) -> Playout {
    play(Codec::Opus, messages, arrivals, PATH_NS, length).unwrap()
}

/// How far behind the earliest message the next sample would be played.
fn final_delay(heard: &Playout) -> i64 {
    let position = heard.account.source - heard.account.unplayed;
    (heard.account.length + LEAST_DELAY_NS * 6 / 125_000) as i64 - position as i64
}

/// All messages sent within `from_ns .. from_ns + length_ns` come at its end.
fn with_stall(messages: &[Message], from_ns: u64, length_ns: u64) -> Vec<Arrival> {
    late(messages, PATH_NS, |message| {
        let at_ns = messages[message].at_ns;
        if at_ns < from_ns {
            0
        } else {
            (from_ns + length_ns).saturating_sub(at_ns)
        }
    })
}

/// Samples up to the first message sent at or after `at_ns`.
fn samples_before(messages: &[Message], at_ns: u64) -> u64 {
    let before = messages.iter().rev().find(|message| message.at_ns < at_ns);
    before.map_or(0, |message| message.at_ns) * 6 / 125_000
}

#[test]
fn constant_delay_gives_the_plain_decode_whatever_the_delay() {
    let source = speech_like(5 * SECOND);
    let messages = encode(Codec::Opus, &source).unwrap();
    let plain = decode(Codec::Opus, &messages).unwrap();
    for delay_ns in [0, 1, 65_000_000, 65_000_001, 3 * SECOND_NS] {
        let heard = play(
            Codec::Opus,
            &messages,
            &constant(&messages, delay_ns),
            delay_ns,
            5 * SECOND,
        )
        .unwrap();
        assert_eq!(heard.samples, plain[..5 * SECOND]);
        assert_eq!(heard.account.played, 5 * SECOND as u64);
        assert!((heard.facts.delay_mean_ms - 60.0).abs() < 1e-9);
        assert!((heard.facts.delay_max_ms - 60.0).abs() < 1e-9);
    }
}

#[test]
fn delays_count_from_the_paths_minimum() {
    let messages = encode(Codec::Opus, &speech_like(SECOND)).unwrap();
    let heard = play(
        Codec::Opus,
        &messages,
        &constant(&messages, 70_000_000),
        PATH_NS,
        SECOND,
    )
    .unwrap();
    assert!((heard.facts.delay_mean_ms - 65.0).abs() < 1e-9);
}

#[test]
fn jitter_below_the_margin_changes_nothing() {
    let messages = encode(Codec::Opus, &speech_like(5 * SECOND)).unwrap();
    let plain = decode(Codec::Opus, &messages).unwrap();
    let jitter = late(&messages, PATH_NS, |message| {
        (message as u64 * 7 % 20) * 1_000_000
    });
    assert_eq!(
        played(&messages, &jitter, 5 * SECOND).samples,
        plain[..5 * SECOND]
    );
}

#[test]
fn after_the_last_message_there_is_silence() {
    let messages = encode(Codec::Opus, &vowel(200.0, SECOND)).unwrap();
    let plain = decode(Codec::Opus, &messages).unwrap();
    let heard = played(&messages, &constant(&messages, PATH_NS), 2 * SECOND);
    assert_eq!(heard.samples[..plain.len()], plain);
    assert!(
        heard.samples[plain.len()..]
            .iter()
            .all(|sample| *sample == 0)
    );
    assert_eq!(
        (heard.account.gaps, heard.account.after_end),
        (0, (2 * SECOND - plain.len()) as u64)
    );
}

#[test]
fn a_stall_of_a_second_is_one_gap_then_haste_then_as_before() {
    let messages = encode(Codec::Opus, &speech_like(20 * SECOND)).unwrap();
    let from_ns = 5 * SECOND_NS;
    let heard = played(
        &messages,
        &with_stall(&messages, from_ns, SECOND_NS),
        20 * SECOND,
    );

    // What had arrived plays to its end; the next tick after the stall resumes.
    let ran_dry = samples_before(&messages, from_ns);
    let resumed_ns = (from_ns + SECOND_NS - LEAST_DELAY_NS).next_multiple_of(TICK_NS);
    let gap = resumed_ns * 6 / 125_000 - ran_dry;
    assert_eq!((heard.account.gaps, heard.account.longest_gap), (1, gap));
    assert_eq!(heard.account.concealed, gap);
    assert!((900.0..1000.0).contains(&heard.facts.longest_gap_ms));

    // Behind by the delay and the gap: beyond 400 ms is thrown away, the rest caught up.
    let behind = LEAST_DELAY_NS * 6 / 125_000 + gap;
    assert_eq!(heard.account.dropped, behind - 400 * MS as u64);
    assert!(heard.account.compressed > 300 * MS as u64);
    assert!((heard.facts.delay_max_ms - 400.0).abs() < 1e-9);
    let delay_ms = final_delay(&heard) as f64 / MS as f64;
    assert!((57.0..=80.0).contains(&delay_ms), "{delay_ms} ms");
}

#[test]
fn a_short_stall_drops_nothing() {
    let messages = encode(Codec::Opus, &speech_like(20 * SECOND)).unwrap();
    let heard = played(
        &messages,
        &with_stall(&messages, 5 * SECOND_NS, 250_000_000),
        20 * SECOND,
    );
    assert_eq!((heard.account.gaps, heard.account.dropped), (1, 0));
    assert!(heard.account.compressed >= heard.account.concealed - 20 * MS as u64);
}

#[test]
fn repeated_stalls_are_learnt() {
    // Every 300 ms the messages of 100 ms come late: far more than one in twenty.
    let messages = encode(Codec::Opus, &vowel(200.0, 30 * SECOND)).unwrap();
    let arrivals = late(&messages, PATH_NS, |message| {
        (100_000_000_u64).saturating_sub(messages[message].at_ns % 300_000_000)
    });
    let heard = played(&messages, &arrivals, 30 * SECOND);
    assert!(
        (1..=4).contains(&heard.account.gaps),
        "{} gaps",
        heard.account.gaps
    );
    assert!(heard.facts.delay_mean_ms > 100.0);
}

#[test]
fn a_buffer_that_runs_low_is_played_slower() {
    // First 3 s of jitter raise the delay, then comes a stall that only
    // stretching can bridge in part.
    let messages = encode(Codec::Opus, &vowel(200.0, 10 * SECOND)).unwrap();
    let jitter_until_ns = 3 * SECOND_NS;
    let arrivals = late(&messages, PATH_NS, |message| {
        let at_ns = messages[message].at_ns;
        let phase_ns = if at_ns < jitter_until_ns {
            at_ns % 300_000_000
        } else {
            at_ns - jitter_until_ns
        };
        150_000_000_u64.saturating_sub(phase_ns)
    });
    let heard = played(&messages, &arrivals, 10 * SECOND);
    assert!(heard.account.stretched > 0);
}

#[test]
fn a_late_start_is_a_gap_and_not_a_shift() {
    let messages = encode(Codec::Opus, &vowel(200.0, 10 * SECOND)).unwrap();
    let heard = played(
        &messages,
        &with_stall(&messages, 0, 300_000_000),
        10 * SECOND,
    );
    let silent = (300_000_000 - LEAST_DELAY_NS) * 6 / 125_000;
    assert!(
        heard.samples[..silent as usize]
            .iter()
            .all(|sample| *sample == 0)
    );
    assert_eq!((heard.account.gaps, heard.account.concealed), (1, silent));
    // The clip's position is that of an undisturbed recording again.
    assert!(final_delay(&heard) <= (80 * MS) as i64);
}

#[test]
fn what_never_arrives_is_a_gap_to_the_end() {
    let messages = encode(Codec::Opus, &vowel(200.0, 2 * SECOND)).unwrap();
    let arrivals = constant(&messages, PATH_NS);
    let heard = played(&messages, &arrivals[..20], 2 * SECOND);
    let arrived = messages[19].at_ns * 6 / 125_000;
    assert_eq!((heard.account.played, heard.account.gaps), (arrived, 1));
    assert_eq!(heard.account.concealed, 2 * SECOND as u64 - arrived);

    let nothing = played(&messages, &[], SECOND);
    assert_eq!(nothing.samples, vec![0; SECOND]);
    assert_eq!(
        (nothing.account.gaps, nothing.account.concealed),
        (1, SECOND as u64)
    );
}

/// Periods between 100 and 300 samples that fit the window best, by
/// normalised autocorrelation.
fn pitch_period(window: &[i16]) -> (usize, f64) {
    let product = |a: &[i16], b: &[i16]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    };
    (100..300)
        .map(|lag| {
            let (a, b) = (&window[lag..], &window[..window.len() - lag]);
            (lag, product(a, b) / (product(a, a) * product(b, b)).sqrt())
        })
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .unwrap()
}

#[test]
fn haste_keeps_the_pitch() {
    // 173 Hz: a period of 277.5 samples, of which the longest lag is no multiple.
    let messages = encode(Codec::Opus, &vowel(173.0, 12 * SECOND)).unwrap();
    let stall = with_stall(&messages, 5 * SECOND_NS, 500_000_000);
    let heard = played(&messages, &stall, 12 * SECOND);
    assert!(heard.account.compressed > 300 * MS as u64);
    let resumed = 5 * SECOND + 500 * MS;
    for start in (resumed..11 * SECOND).step_by(20 * MS) {
        let (period, similarity) = pitch_period(&heard.samples[start..start + 30 * MS]);
        assert!(
            (277..=278).contains(&period),
            "{period} at {} ms",
            start / MS
        );
        assert!(similarity > 0.98, "{similarity} at {} ms", start / MS);
    }
}

#[test]
fn nothing_clicks() {
    for (name, source) in [
        ("vowel", vowel(173.0, 20 * SECOND)),
        ("speech", speech_like(20 * SECOND)),
    ] {
        let messages = encode(Codec::Opus, &source).unwrap();
        let plain = decode(Codec::Opus, &messages).unwrap();
        // A stall of 40 to 400 ms every 700 ms.
        let arrivals = late(&messages, PATH_NS, |message| {
            let at_ns = messages[message].at_ns;
            let length_ns = (40 + at_ns / 700_000_000 * 53 % 360) * 1_000_000;
            length_ns.saturating_sub(at_ns % 700_000_000)
        });
        let heard = played(&messages, &arrivals, 20 * SECOND);
        assert!(heard.account.gaps > 5 && heard.account.compressed > 0);
        let (sent, heard) = (largest_step(&plain), largest_step(&heard.samples));
        assert!(
            heard * 4 <= sent * 5,
            "{name}: steps of {heard}, {sent} in the source"
        );
    }
}

#[test]
fn the_samples_are_the_same_on_every_machine() {
    let messages = encode(Codec::Opus, &speech_like(8 * SECOND)).unwrap();
    let arrivals = late(&messages, PATH_NS, |message| {
        (message as u64 % 23 / 22) * (message as u64 * 37 % 350) * 1_000_000
    });
    let heard = played(&messages, &arrivals, 8 * SECOND);
    assert!(heard.account.gaps > 3 && heard.account.compressed > 0);
    let bytes = heard.samples.iter().flat_map(|sample| sample.to_le_bytes());
    assert_eq!(fingerprint(bytes), 0xe187_e92a_f952_503f);
}

#[test]
fn impossible_arrivals_are_named() {
    let messages = encode(Codec::Opus, &vowel(200.0, SECOND)).unwrap();
    let good = constant(&messages, PATH_NS);
    let refused = |change: &dyn Fn(&mut Vec<Arrival>)| {
        let mut arrivals = good.clone();
        change(&mut arrivals);
        play(Codec::Opus, &messages, &arrivals, PATH_NS, SECOND).unwrap_err()
    };
    assert_eq!(
        refused(&|arrivals| arrivals.swap(3, 4)),
        PlayError::Order { index: 3, found: 4 }
    );
    assert_eq!(
        refused(&|arrivals| arrivals.extend([Arrival {
            message: good.len(),
            at_ns: u64::MAX
        }])),
        PlayError::Order {
            index: good.len(),
            found: good.len()
        }
    );
    assert_eq!(
        refused(&|arrivals| arrivals[5].at_ns = arrivals[4].at_ns - 1),
        PlayError::Instant {
            index: 5,
            at_ns: good[4].at_ns - 1,
            earliest_ns: good[4].at_ns.max(messages[5].at_ns)
        }
    );
    assert_eq!(
        refused(&|arrivals| arrivals[0].at_ns = 0),
        PlayError::Instant {
            index: 0,
            at_ns: 0,
            earliest_ns: messages[0].at_ns
        }
    );
    assert_eq!(
        play(Codec::Opus, &[], &[], 0, 480),
        Err(PlayError::NoMessages)
    );
}
