//! Known arrivals, and every gap, stretch and hurry at its place, to the sample.
//!
//! The source is silence: there, a splice has no pitch to wait for, and removes
//! or repeats its longest lag, 20 ms. At 1.10 times the speed that is one every
//! 200 ms, at 1.33 times every 60 ms, at 0.80 times every 100 ms.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs)]

mod signal;

use signal::{MS, PATH_NS, constant, late, speech_like};
use thinlab_playout::{Arrival, Codec, Event, EventKind, Message, Playout, decode, encode, play};

use EventKind::{Compressed, Concealed, Dropped, Silent, Stretched};

const SECOND: usize = 1000 * MS;
const MS_NS: u64 = 1_000_000;
const LENGTH: usize = 15 * SECOND;
/// Of an undisturbed path.
const DELAY_MS: u64 = 60;
const LAG_MS: u64 = 20;

fn silence() -> Vec<Message> {
    encode(Codec::Opus, &vec![0; LENGTH]).unwrap()
}

fn heard(messages: &[Message], arrivals: &[Arrival]) -> Playout {
    play(Codec::Opus, messages, arrivals, PATH_NS, LENGTH).unwrap()
}

fn event(kind: EventKind, at_ms: u64, length_ms: u64) -> Event {
    let samples = |ms: u64| ms * MS as u64;
    Event {
        kind,
        at: samples(at_ms),
        samples: samples(length_ms),
    }
}

/// When the message's last sample was captured; the same place of an undisturbed recording.
fn end_ms(messages: &[Message], message: usize) -> u64 {
    messages[message].at_ns / MS_NS
}

/// The tick that first finds a message that came `late_ms` late.
fn heard_from_ms(messages: &[Message], message: usize, late_ms: u64) -> u64 {
    (end_ms(messages, message) + late_ms - DELAY_MS).next_multiple_of(10)
}

/// The first message after `at_ms` that is `length_ms` long.
fn message_of(messages: &[Message], at_ms: u64, length_ms: u64) -> usize {
    (1..messages.len())
        .find(|&message| {
            let start_ms = end_ms(messages, message - 1);
            start_ms >= at_ms && end_ms(messages, message) - start_ms == length_ms
        })
        .unwrap()
}

/// One message comes late, and those behind it no earlier.
fn one_late(messages: &[Message], late_message: usize, late_ms: u64) -> Vec<Arrival> {
    late(messages, PATH_NS, |message| {
        late_ms * MS_NS * u64::from(message == late_message)
    })
}

/// `concealed` for 120 ms, then `silent`.
fn gap(from_ms: u64, to_ms: u64) -> Vec<Event> {
    let sounding_ms = (to_ms - from_ms).min(120);
    let mut events = vec![event(Concealed, from_ms, sounding_ms)];
    if to_ms - from_ms > 120 {
        events.push(event(Silent, from_ms + 120, to_ms - from_ms - 120));
    }
    events
}

#[test]
fn without_loss_nothing_happens_and_every_sample_is_the_decoders() {
    let messages = encode(Codec::Opus, &speech_like(LENGTH)).unwrap();
    let plain = decode(Codec::Opus, &messages).unwrap();
    for delay_ns in [0, 1, PATH_NS, PATH_NS + 1, 3_000_000_000] {
        let heard = heard(&messages, &constant(&messages, delay_ns));
        assert_eq!(heard.account.events(), []);
        assert_eq!(heard.events, []);
        assert_eq!(heard.samples, plain[..LENGTH]);
    }
}

#[test]
fn a_message_late_within_the_delay_is_not_noticed() {
    let messages = encode(Codec::Opus, &speech_like(LENGTH)).unwrap();
    let plain = decode(Codec::Opus, &messages).unwrap();
    for length_ms in [20, 40] {
        let message = message_of(&messages, 5000, length_ms);
        // A message can be late by the delay less its own length.
        let spare_ms = DELAY_MS - length_ms;
        let in_time = heard(&messages, &one_late(&messages, message, spare_ms));
        assert_eq!(in_time.account.events(), []);
        assert_eq!(in_time.samples, plain[..LENGTH]);

        let too_late = heard(&messages, &one_late(&messages, message, spare_ms + 1));
        let from_ms = end_ms(&messages, message - 1);
        assert_eq!(
            too_late.account.events()[0],
            event(Concealed, from_ms, 10),
            "of {length_ms} ms"
        );
    }
}

#[test]
fn a_late_message_is_a_gap_and_then_a_hurry_of_the_same_length() {
    let messages = silence();
    for (length_ms, splices) in [(20, 2), (40, 3)] {
        let message = message_of(&messages, 5000, length_ms);
        let heard = heard(&messages, &one_late(&messages, message, 75));
        let from_ms = end_ms(&messages, message - 1);
        let to_ms = heard_from_ms(&messages, message, 75);
        assert_eq!(to_ms - from_ms, splices * LAG_MS);
        let mut expected = gap(from_ms, to_ms);
        expected.extend((0..splices).map(|n| event(Compressed, to_ms + 10 + n * 200, LAG_MS)));
        assert_eq!(heard.account.events(), expected);
    }
}

#[test]
fn packets_in_the_wrong_order_come_as_one_and_delay_only_the_first() {
    // TCP hands over what came too early together with what it waited for.
    let messages = silence();
    for first in 150..180 {
        let wait_ms = end_ms(&messages, first + 1) - end_ms(&messages, first);
        let heard = heard(&messages, &one_late(&messages, first, wait_ms));
        let from_ms = end_ms(&messages, first - 1);
        let to_ms = heard_from_ms(&messages, first, wait_ms);
        let expected = if to_ms > from_ms {
            gap(from_ms, to_ms)
        } else {
            vec![]
        };
        assert_eq!(heard.account.events(), expected, "message {first}");
    }
}

#[test]
fn a_burst_after_a_stall_begins_at_the_next_tick_and_is_caught_up() {
    let messages = silence();
    for stall_ms in [100, 150, 250, 333] {
        let message = message_of(&messages, 5000, 40);
        let heard = heard(&messages, &one_late(&messages, message, stall_ms));
        let from_ms = end_ms(&messages, message - 1);
        let to_ms = heard_from_ms(&messages, message, stall_ms);
        let gap = gap(from_ms, to_ms);
        let events = heard.account.events();
        assert_eq!(events[..gap.len()], gap, "{stall_ms} ms");
        let hurry = &events[gap.len()..];
        assert!(hurry.iter().all(|event| event.kind == Compressed));
        let caught_up: u64 = hurry.iter().map(|event| event.samples).sum();
        assert_eq!(caught_up, (to_ms - from_ms) * MS as u64);
    }
}

#[test]
fn a_stall_of_a_second_is_known_to_the_sample() {
    let messages = silence();
    let message = message_of(&messages, 5000, 40);
    let heard = heard(&messages, &one_late(&messages, message, 1000));
    let from_ms = end_ms(&messages, message - 1);
    let to_ms = heard_from_ms(&messages, message, 1000);
    let mut expected = gap(from_ms, to_ms);
    // What would be heard more than 400 ms late is thrown away. The stall's thirty
    // late messages raise the target to its greatest, 240 ms: 160 ms to make good, the
    // first 60 of them in haste.
    expected.push(event(Dropped, to_ms, DELAY_MS + (to_ms - from_ms) - 400));
    expected.extend((0..3).map(|n| event(Compressed, to_ms + 10 + n * 60, LAG_MS)));
    expected.extend((1..6).map(|n| event(Compressed, to_ms + 130 + n * 200, LAG_MS)));
    let events = heard.account.events();
    assert_eq!(events[..expected.len()], expected);
    // When the stall is forgotten, after about four seconds, so is the delay.
    let rest = &events[expected.len()..];
    assert!(rest.iter().all(|event| event.kind == Compressed));
    assert!(rest[0].at > (to_ms + 3000) * MS as u64);
    let forgotten: u64 = rest.iter().map(|event| event.samples).sum();
    assert_eq!(forgotten, (240 - DELAY_MS) * MS as u64);
}

#[test]
fn a_queue_that_stays_is_stretched_for_until_it_is_usual_and_then_left_alone() {
    let messages = silence();
    let message = message_of(&messages, 5000, 40);
    let arrivals = late(&messages, PATH_NS, |later| {
        100 * MS_NS * u64::from(later >= message)
    });
    let heard = heard(&messages, &arrivals);
    let from_ms = end_ms(&messages, message - 1);
    let to_ms = heard_from_ms(&messages, message, 100);
    let mut expected = gap(from_ms, to_ms);
    expected.extend((0..10).map(|n| event(Stretched, to_ms + 10 + n * 100, LAG_MS)));
    let events = heard.account.events();
    assert_eq!(events[..expected.len()], expected);
    // A second and a half: half of what the receiver remembers is the queue.
    let last = events.last().unwrap();
    assert!(last.at < 10 * SECOND as u64, "{last:?}");
    let in_time_ms = (40 + 100)..=(40 + 110 + 20);
    let delay =
        heard.account.length + DELAY_MS * MS as u64 + heard.account.unplayed - heard.account.source;
    assert!(in_time_ms.contains(&(delay / MS as u64)), "{delay} samples");
}

#[test]
fn what_never_comes_is_a_gap_to_the_end() {
    let messages = silence();
    let arrivals = constant(&messages, PATH_NS);
    let heard = heard(&messages, &arrivals[..200]);
    let from_ms = end_ms(&messages, 199);
    assert_eq!(heard.account.events(), gap(from_ms, 15_000));
}

#[test]
fn the_contract_has_the_same_events_in_milliseconds() {
    let messages = silence();
    let arrivals = one_late(&messages, 100, 1000);
    let heard = heard(&messages, &arrivals);
    assert_eq!(heard.events.len(), heard.account.events().len());
    for (said, event) in heard.events.iter().zip(heard.account.events()) {
        assert_eq!(said.kind, event.kind.name());
        let samples = |ms: f64| (ms * MS as f64).round() as u64;
        assert_eq!(
            (samples(said.at_ms), samples(said.length_ms)),
            (event.at, event.samples)
        );
    }
}
