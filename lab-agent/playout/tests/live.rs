//! A playout that runs gives what the same messages and arrivals give as a
//! recording, and lives with what only a call has: pauses, messages that are
//! skipped, a path that changes.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs, clippy::cast_possible_wrap)]

mod call;
mod signal;

use call::{Call, LEAST_DELAY_NS, MS_NS};
use signal::{MS, PATH_NS, constant, late, speech_like, vowel};
use thinlab_playout::{
    Codec, Encoder, LiveError, LivePlayout, Message, MessageError, encode, play,
};

const SECOND: usize = 1000 * MS;

#[test]
fn pushing_any_pieces_makes_the_messages_of_the_whole() {
    // Ends within a message.
    let source = speech_like(5 * SECOND + 7);
    let whole = encode(Codec::Opus, &source).unwrap();
    for piece in [1, 7, 480, 960, 1921, 100_000] {
        let mut encoder = Encoder::new(Codec::Opus).unwrap();
        let mut messages = Vec::new();
        for samples in source.chunks(piece) {
            messages.extend(encoder.push(samples).unwrap());
        }
        messages.extend(encoder.push(&vec![0; encoder.missing()]).unwrap());
        assert!(messages == whole, "pieces of {piece}");
    }
}

#[test]
fn a_constant_path_gives_the_recordings_samples() {
    let length = 10 * SECOND;
    let messages = encode(Codec::Opus, &speech_like(length)).unwrap();
    for path_ns in [0, 1_234_567, PATH_NS, 900_000_000] {
        let arrivals = constant(&messages, path_ns);
        let recorded = play(Codec::Opus, &messages, &arrivals, path_ns, length).unwrap();
        // Ticks at any phase, from before the first message.
        for from_ns in [0, 3_333_333, 9_999_999] {
            let mut call = Call::new(&messages, &arrivals, from_ns);
            call.hear(length + 2 * SECOND);
            let waited_ns = path_ns + LEAST_DELAY_NS - from_ns;
            let waited = ((waited_ns * 6).div_ceil(125_000)) as usize;
            assert!(call.heard[..waited].iter().all(|sample| *sample == 0));
            assert_eq!(call.heard[waited..waited + length], recorded.samples);
            let (live, recorded) = (call.playout.facts(), &recorded.facts);
            assert_eq!(live.gaps, 0);
            assert!((live.delay_mean_ms - recorded.delay_mean_ms).abs() < 0.03);
        }
    }
}

#[test]
fn one_stall_is_heard_as_in_the_recording() {
    let length = 10 * SECOND;
    let messages = encode(Codec::Opus, &speech_like(length)).unwrap();
    for stall_ms in [100, 250, 700] {
        let arrivals = late(&messages, PATH_NS, |message| {
            let since_ns = messages[message].at_ns.saturating_sub(5_000 * MS_NS);
            let begun = messages[message].at_ns >= 5_000 * MS_NS;
            u64::from(begun) * (stall_ms * MS_NS).saturating_sub(since_ns)
        });
        let recorded = play(Codec::Opus, &messages, &arrivals, PATH_NS, length).unwrap();
        assert_eq!(recorded.facts.gaps, 1);
        let mut call = Call::new(&messages, &arrivals, PATH_NS + LEAST_DELAY_NS);
        call.hear(length);
        // Until a second at rest has passed, there is no difference at all.
        let same = 6 * SECOND;
        assert_eq!(call.heard[..same], recorded.samples[..same]);
        assert_eq!(call.playout.facts().gaps, 1);
    }
}

#[test]
fn impossible_news_is_named() {
    let messages = encode(Codec::Opus, &vowel(200.0, SECOND)).unwrap();
    let mut playout = LivePlayout::new(Codec::Opus);
    for message in &messages[..5] {
        playout.send(message, message.at_ns).unwrap();
    }
    playout.arrive(0, 100 * MS_NS).unwrap();
    // Skipped when what was written before is still under way.
    playout.skip(2).unwrap();
    playout.arrive(1, 100 * MS_NS).unwrap();
    let order = |number| Err(LiveError::Order { number });
    assert_eq!(playout.arrive(2, 200 * MS_NS), order(2));
    assert_eq!(playout.arrive(1, 200 * MS_NS), order(1));
    let not_sent = Err(LiveError::NotSent { number: 5, sent: 5 });
    assert_eq!(playout.skip(5), not_sent);
    assert_eq!(playout.arrive(5, 200 * MS_NS), not_sent);
    assert_eq!(
        playout.arrive(3, 99 * MS_NS),
        Err(LiveError::Instant {
            number: 3,
            at_ns: 99 * MS_NS,
            earliest_ns: 100 * MS_NS
        })
    );
    let empty = Message {
        at_ns: 0,
        bytes: vec![0, 0],
    };
    assert_eq!(
        playout.send(&empty, 0),
        Err(MessageError::Length {
            message: 5,
            carries: 2
        })
    );
}
