//! What holds for every way that messages can arrive.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs, clippy::cast_possible_wrap)]

mod signal;

use std::sync::OnceLock;

use proptest::prelude::*;
use signal::{MS, PATH_NS, late, speech_like};
use thinlab_playout::{Arrival, Codec, Event, EventKind, Message, encode, play};

const LENGTH: usize = 6000 * MS;

fn messages() -> &'static [Message] {
    static MESSAGES: OnceLock<Vec<Message>> = OnceLock::new();
    MESSAGES.get_or_init(|| encode(Codec::Opus, &speech_like(LENGTH)).unwrap())
}

/// Stalls of up to 1.5 s at any message, on top of a jitter of up to 30 ms.
fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let count = messages().len();
    let stalls = prop::collection::vec((0..count, 0..1_500_000_000_u64), 0..8);
    let jitter = prop::collection::vec(0..30_000_000_u64, count);
    (stalls, jitter, 0..=count).prop_map(|(stalls, jitter, arrive)| {
        let mut all = late(messages(), PATH_NS, |message| {
            let stalled = stalls
                .iter()
                .filter(|(at, _)| *at == message)
                .map(|(_, ns)| *ns)
                .max();
            stalled.unwrap_or(jitter[message])
        });
        // One in ten is cut short: the connection broke.
        if arrive % 10 == 0 {
            all.truncate(arrive);
        }
        all
    })
}

fn takes_time(event: &Event) -> bool {
    matches!(event.kind, EventKind::Concealed | EventKind::Silent)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_sample_is_accounted_for(arrivals in arrivals(), length in 0..LENGTH + 50_000) {
        let heard = play(Codec::Opus, messages(), &arrivals, PATH_NS, length).unwrap();
        let account = &heard.account;
        prop_assert_eq!(heard.samples.len(), length);
        prop_assert_eq!(account.length, length as u64);
        prop_assert_eq!(account.played + account.concealed + account.after_end, account.length);
        prop_assert_eq!(
            account.played + account.compressed + account.dropped + account.unplayed,
            account.source + account.stretched
        );
        prop_assert_eq!(account.gaps == 0, account.concealed == 0);
        prop_assert!(account.longest_gap <= account.concealed);
        prop_assert!(account.longest_gap * account.gaps >= account.concealed);
    }

    #[test]
    fn the_events_add_up_to_the_account(arrivals in arrivals(), length in 0..LENGTH + 50_000) {
        let heard = play(Codec::Opus, messages(), &arrivals, PATH_NS, length).unwrap();
        let account = &heard.account;
        let events = account.events();
        let of = |kind| events.iter().filter(move |event| event.kind == kind);
        let sum = |kind| of(kind).map(|event| event.samples).sum::<u64>();
        prop_assert_eq!(sum(EventKind::Concealed) + sum(EventKind::Silent), account.concealed);
        prop_assert_eq!(sum(EventKind::Stretched), account.stretched);
        prop_assert_eq!(sum(EventKind::Compressed), account.compressed);
        prop_assert_eq!(sum(EventKind::Dropped), account.dropped);
        prop_assert!(events.is_sorted_by_key(|event| event.at));
        prop_assert!(events.iter().all(|event| event.samples > 0 && event.at <= account.length));

        // A gap is a run of concealment and silence.
        let missing: Vec<&Event> = events.iter().filter(|event| takes_time(event)).collect();
        let ends = |event: &Event| event.at + event.samples;
        prop_assert!(missing.windows(2).all(|pair| ends(pair[0]) <= pair[1].at));
        let joints = missing.windows(2).filter(|pair| ends(pair[0]) == pair[1].at);
        prop_assert_eq!((missing.len() - joints.count()) as u64, account.gaps);
        prop_assert!(missing.iter().all(|event| ends(event) <= account.length));
    }

    #[test]
    fn the_same_again_is_the_same(arrivals in arrivals()) {
        let twice = [(); 2].map(|()| play(Codec::Opus, messages(), &arrivals, PATH_NS, LENGTH).unwrap());
        prop_assert_eq!(&twice[0], &twice[1]);
    }

    #[test]
    fn the_facts_are_the_account_in_milliseconds(arrivals in arrivals()) {
        let heard = play(Codec::Opus, messages(), &arrivals, PATH_NS, LENGTH).unwrap();
        let (facts, account) = (&heard.facts, &heard.account);
        let samples = |ms: f64| (ms * MS as f64).round() as u64;
        prop_assert_eq!(facts.played_ms, account.played / MS as u64);
        prop_assert_eq!(facts.gaps, account.gaps);
        prop_assert_eq!(samples(facts.concealed_ms), account.concealed);
        prop_assert_eq!(samples(facts.longest_gap_ms), account.longest_gap);
        prop_assert_eq!(samples(facts.stretched_ms), account.stretched);
        prop_assert_eq!(samples(facts.compressed_ms), account.compressed);
        prop_assert_eq!(samples(facts.dropped_ms), account.dropped);
    }

    #[test]
    fn speed_and_delay_stay_in_their_bounds(arrivals in arrivals()) {
        let heard = play(Codec::Opus, messages(), &arrivals, 0, LENGTH).unwrap();
        let account = &heard.account;
        // A third faster at most; each return from a gap may skip 10 ms more.
        let faster = account.played / 3 + (20 * MS) as u64 + account.gaps * (10 * MS) as u64;
        prop_assert!(account.compressed <= faster);
        prop_assert!(account.stretched <= account.played / 5 + (20 * MS) as u64);
        if account.played > 0 {
            let lowest_ns = arrivals.iter().zip(messages()).map(|(a, m)| a.at_ns - m.at_ns).min();
            let lowest_ms = lowest_ns.unwrap() as f64 / 1e6;
            prop_assert!(heard.facts.delay_max_ms <= 400.0 + lowest_ms + 1e-6);
            prop_assert!(heard.facts.delay_mean_ms <= heard.facts.delay_max_ms + 1e-6);
        }
    }

    #[test]
    fn nothing_is_heard_before_it_has_arrived(arrivals in arrivals(), cut in 1..150_usize) {
        // The same arrivals up to `cut`, then nothing: until then no difference.
        prop_assume!(cut < arrivals.len());
        let all = play(Codec::Opus, messages(), &arrivals, PATH_NS, LENGTH).unwrap();
        let first = play(Codec::Opus, messages(), &arrivals[..cut], PATH_NS, LENGTH).unwrap();
        let lowest = |of: &[Arrival]| of.iter().zip(messages()).map(|(a, m)| a.at_ns - m.at_ns).min();
        prop_assume!(lowest(&arrivals) == lowest(&arrivals[..cut]));
        let start_ns = lowest(&arrivals).unwrap() + 60_000_000;
        let same = arrivals[cut].at_ns.saturating_sub(start_ns) as usize * 6 / 125_000;
        let same = same.min(LENGTH);
        prop_assert_eq!(&all.samples[..same], &first.samples[..same]);
    }
}
