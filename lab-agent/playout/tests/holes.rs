//! Datagrams: what never comes, comes twice in the call for it, or after its successor.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs, clippy::cast_possible_wrap)]

mod signal;

use proptest::prelude::*;
use signal::{MS, PATH_NS, constant, late, speech_like};
use thinlab_playout::{
    Arrival, Codec, Message, PlayError, Playout, decode, encode, play, play_datagrams,
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
