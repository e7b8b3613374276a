//! Datagrams: what never comes, comes twice in the call for it, or after its successor.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs, clippy::cast_possible_wrap)]

mod call;
mod signal;

use call::{Call, LEAST_DELAY_NS};
use proptest::prelude::*;
use signal::{MS, PATH_NS, constant, late, speech_like};
use thinlab_playout::{
    Arrival, Codec, LivePlayout, Message, PlayError, Playout, TICK_NS, decode, encode, play,
    play_datagrams,
};

const SECOND: usize = 1000 * MS;

fn heard(messages: &[Message], arrivals: &[Arrival], length: usize) -> Playout {
    play_datagrams(Codec::Opus, messages, arrivals, PATH_NS, length).unwrap()
}

/// Samples of a message.
fn length(messages: &[Message], message: usize) -> u64 {
    let before = message
        .checked_sub(1)
        .map_or(0, |before| messages[before].at_ns);
    (messages[message].at_ns - before) * 6 / 125_000
}

fn without(arrivals: &[Arrival], lost: &[usize]) -> Vec<Arrival> {
    let kept = arrivals
        .iter()
        .filter(|arrival| !lost.contains(&arrival.message));
    kept.copied().collect()
}

fn adds_up(heard: &Playout, length: usize) {
    let account = &heard.account;
    assert_eq!(heard.samples.len(), length);
    assert_eq!(account.length, length as u64);
    balances(account);
}

fn balances(account: &thinlab_playout::Account) {
    assert_eq!(
        account.played + account.concealed + account.after_end,
        account.length
    );
    assert_eq!(
        account.played + account.compressed + account.dropped + account.lost + account.unplayed,
        account.source + account.stretched
    );
}

#[test]
fn where_all_come_in_order_it_is_heard_as_over_tcp() {
    let messages = encode(Codec::Opus, &speech_like(5 * SECOND)).unwrap();
    for stall_ms in [0, 15, 200] {
        let arrivals = late(&messages, PATH_NS, |message| {
            if message == 40 {
                stall_ms * 1_000_000
            } else {
                0
            }
        });
        let over_tcp = play(Codec::Opus, &messages, &arrivals, PATH_NS, 5 * SECOND).unwrap();
        assert_eq!(heard(&messages, &arrivals, 5 * SECOND), over_tcp);
    }
}

#[test]
fn reordering_below_the_margin_changes_nothing() {
    let messages = encode(Codec::Opus, &speech_like(5 * SECOND)).unwrap();
    let mut arrivals = constant(&messages, PATH_NS);
    for arrival in arrivals.iter_mut().skip(1).step_by(7) {
        // Behind its successor, which leaves 20 or 40 ms later, at least some of the time.
        arrival.at_ns += 20_000_000;
    }
    arrivals.reverse();
    let plain = decode(Codec::Opus, &messages).unwrap();
    assert_eq!(
        heard(&messages, &arrivals, 5 * SECOND).samples,
        plain[..5 * SECOND]
    );
}

#[test]
fn a_hole_is_concealed_for_as_long_as_its_message_and_nothing_is_late_after_it() {
    let messages = encode(Codec::Opus, &speech_like(10 * SECOND)).unwrap();
    let all = constant(&messages, PATH_NS);
    // One alone, three in a row, and the first.
    for lost in [&[100][..], &[80, 81, 82], &[0]] {
        let heard = heard(&messages, &without(&all, lost), 10 * SECOND);
        adds_up(&heard, 10 * SECOND);
        let account = &heard.account;
        let gone: u64 = lost.iter().map(|&message| length(&messages, message)).sum();
        assert_eq!(account.lost, gone);
        assert_eq!(account.gaps, 1, "{lost:?}");
        assert!(
            account.concealed.abs_diff(gone) <= 240,
            "{lost:?}: {account:?}"
        );
        assert_eq!((account.dropped, account.stretched), (0, 0));
        // Up to 10 ms are skipped where the sound after the hole fits best.
        assert!(account.compressed <= 480);
        assert!((heard.facts.lost_ms.unwrap() - gone as f64 / MS as f64).abs() < 1e-9);
        assert!(heard.facts.delay_max_ms <= 65.0, "{:?}", heard.facts);
    }
}

#[test]
fn what_comes_after_its_place_is_not_played() {
    let messages = encode(Codec::Opus, &speech_like(10 * SECOND)).unwrap();
    let mut arrivals = constant(&messages, PATH_NS);
    arrivals[100].at_ns += 900_000_000;
    let late = heard(&messages, &arrivals, 10 * SECOND);
    adds_up(&late, 10 * SECOND);
    assert_eq!(late.account.lost, length(&messages, 100));
    assert_eq!(late.account.gaps, 1);
}

#[test]
fn where_nothing_comes_any_more_the_rest_is_lost() {
    let messages = encode(Codec::Opus, &speech_like(3 * SECOND)).unwrap();
    let all = constant(&messages, PATH_NS);
    for kept in [0, 1, messages.len() - 1] {
        let heard = heard(&messages, &all[..kept], 5 * SECOND);
        adds_up(&heard, 5 * SECOND);
        let gone: u64 = (kept..messages.len()).map(|it| length(&messages, it)).sum();
        assert_eq!(heard.account.lost, gone, "{kept}");
        assert_eq!(heard.account.unplayed, 0);
    }
}

#[test]
fn arrivals_that_cannot_be_are_refused() {
    let messages = encode(Codec::Opus, &speech_like(SECOND)).unwrap();
    let arrival = |message, at_ns| Arrival { message, at_ns };
    let late = 5_000_000_000;
    for (arrivals, expected) in [
        (
            vec![arrival(3, late), arrival(3, late)],
            PlayError::Unknown { index: 1, found: 3 },
        ),
        (
            vec![arrival(9_999, late)],
            PlayError::Unknown {
                index: 0,
                found: 9_999,
            },
        ),
        (
            vec![arrival(0, 1)],
            PlayError::Instant {
                index: 0,
                at_ns: 1,
                earliest_ns: messages[0].at_ns,
            },
        ),
    ] {
        assert_eq!(
            play_datagrams(Codec::Opus, &messages, &arrivals, PATH_NS, SECOND),
            Err(expected)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_sample_is_accounted_for(
        fates in proptest::collection::vec((0..10_u8, 0..300_u64), 130),
        seconds in 1..5_usize,
    ) {
        let messages = encode(Codec::Opus, &speech_like(4 * SECOND)).unwrap();
        let arrivals: Vec<_> = constant(&messages, PATH_NS)
            .into_iter()
            .zip(fates.iter().cycle())
            .filter(|(_, (lost, _))| *lost > 1)
            .map(|(arrival, (_, late_ms))| Arrival {
                at_ns: arrival.at_ns + late_ms * 1_000_000 / 3,
                ..arrival
            })
            .collect();
        let heard = heard(&messages, &arrivals, seconds * SECOND);
        adds_up(&heard, seconds * SECOND);
        prop_assert_eq!(&heard, &play_datagrams(Codec::Opus, &messages, &arrivals, PATH_NS, seconds * SECOND).unwrap());
    }
}

/// What a call hears of the same messages and arrivals as a recording, to the sample.
#[test]
fn a_call_hears_holes_as_a_recording_does() {
    let messages = encode(Codec::Opus, &speech_like(10 * SECOND)).unwrap();
    let all = constant(&messages, PATH_NS);
    for lost in [&[100][..], &[80, 81, 82], &[60, 62]] {
        let arrivals = without(&all, lost);
        let recorded = heard(&messages, &arrivals, 9 * SECOND);
        let mut call = Call::of_datagrams(&messages, &arrivals, PATH_NS + LEAST_DELAY_NS);
        call.hear(9 * SECOND);
        // Until a call at rest comes back to its target, there is no difference at all.
        let last = messages[lost[lost.len() - 1]].at_ns as usize;
        let same = last * 6 / 125_000 + 250 * MS;
        assert!(call.heard[..same] == recorded.samples[..same], "{lost:?}");
        let (live, recorded) = (call.playout.facts(), recorded.facts);
        assert_eq!(
            (live.gaps, live.lost_ms, live.concealed_ms),
            (recorded.gaps, recorded.lost_ms, recorded.concealed_ms),
            "{lost:?}"
        );
    }
}

#[test]
fn in_a_call_what_comes_late_or_never_ends_nothing() {
    let messages = encode(Codec::Opus, &speech_like(10 * SECOND)).unwrap();
    let mut arrivals = constant(&messages, PATH_NS);
    // Long after its place, and out of order; and nothing more comes after the 200th.
    arrivals[100].at_ns += 900_000_000;
    arrivals.truncate(200);
    arrivals.sort_by_key(|arrival| arrival.at_ns);
    let mut call = Call::of_datagrams(&messages, &arrivals, PATH_NS + LEAST_DELAY_NS);
    call.hear(12 * SECOND);
    let facts = call.playout.facts();
    let rest: u64 = (200..messages.len())
        .map(|message| length(&messages, message))
        .sum();
    let lost = (length(&messages, 100) + rest) as f64 / MS as f64;
    assert!((facts.lost_ms.unwrap() - lost).abs() < 1e-6, "{facts:?}");
    // It is silent and over, and nothing is kept.
    assert!(call.heard[11 * SECOND..].iter().all(|sample| *sample == 0));
    assert_eq!(call.playout.kept().1, 0);
    balances(&call.playout.account());
}

#[test]
fn in_a_call_damage_is_heard_or_thrown_away_as_the_codec_can() {
    let facts_of = |codec: Codec, changed: &[(usize, u8)]| {
        let messages = encode(codec, &speech_like(3 * SECOND)).unwrap();
        let mut playout = LivePlayout::new(codec);
        let (mut next, mut heard) = (0, Vec::new());
        for tick in 0..290 {
            let now_ns = tick * TICK_NS;
            while let Some(message) = messages.get(next)
                && message.at_ns <= now_ns
            {
                playout.send(message, message.at_ns).unwrap();
                let changed = if next == 40 { changed } else { &[] };
                playout
                    .arrive_changed(next as u64, message.at_ns, changed)
                    .unwrap();
                next += 1;
            }
            heard.extend(playout.tick(now_ns));
        }
        let report = playout.report();
        let damaged = report
            .passages
            .into_iter()
            .filter(|it| it.kind == "damaged");
        (playout.facts(), damaged.collect::<Vec<_>>(), heard)
    };
    for codec in [Codec::Opus, Codec::G711] {
        let (clean, passages, sound) = facts_of(codec, &[]);
        assert_eq!((clean.damaged_ms, clean.lost_ms), (None, Some(0.0)));
        assert_eq!(passages, []);
        let (facts, passages, noise) = facts_of(codec, &[(20, 0x55), (21, 0x2a)]);
        assert!(noise != sound);
        if codec.takes_damage() {
            // Two samples of 8 kHz.
            assert_eq!((facts.damaged_ms, facts.gaps), (Some(0.25), 0));
            assert_eq!(passages.len(), 1);
            assert_eq!(Some(passages[0].length_ms), facts.damaged_ms);
        } else {
            // All of the message; nothing waits for it, and nothing is late after it.
            let gone_ms = facts.lost_ms.unwrap();
            assert_eq!(facts.damaged_ms, Some(gone_ms));
            assert!((20.0..=40.0).contains(&gone_ms), "{facts:?}");
            assert_eq!((facts.gaps, facts.dropped_ms, passages.len()), (1, 0.0, 0));
        }
    }
}

/// Before the first one that comes, nobody knows what the path takes.
#[test]
fn a_call_whose_first_messages_are_lost_begins_with_the_first_that_comes() {
    let messages = encode(Codec::Opus, &speech_like(5 * SECOND)).unwrap();
    let all = constant(&messages, PATH_NS);
    for lost in [&[0][..], &[0, 1, 2], &[1]] {
        let arrivals = without(&all, lost);
        let mut call = Call::of_datagrams(&messages, &arrivals, 0);
        call.hear(4 * SECOND);
        let facts = call.playout.facts();
        let gone: u64 = lost.iter().map(|&message| length(&messages, message)).sum();
        assert_eq!(facts.lost_ms, Some(gone as f64 / MS as f64), "{lost:?}");
        assert!(facts.played_ms > 3_500, "{lost:?}: {facts:?}");
        assert_eq!(facts.gaps, u64::from(lost == [1]), "{lost:?}");
    }
}
