//! What goes into the socket: sizes, times, and that it decodes to as much.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs, clippy::cast_possible_wrap)]

mod signal;

use signal::{MS, fingerprint, speech_like, vowel};
use thinlab_playout::{Codec, Message, MessageError, decode, encode};

#[test]
fn sizes_and_times_are_those_of_the_papers_trace() {
    let messages = encode(Codec::Opus, &speech_like(60_000 * MS)).unwrap();
    let mut gaps_ns: Vec<u64> = messages
        .windows(2)
        .map(|pair| pair[1].at_ns - pair[0].at_ns)
        .collect();
    let mean_ms = gaps_ns.iter().sum::<u64>() as f64 / gaps_ns.len() as f64 / 1e6;
    gaps_ns.sort_unstable();
    assert!((mean_ms - 34.0).abs() < 0.1, "{mean_ms} ms");
    assert_eq!(gaps_ns[gaps_ns.len() / 2], 40_000_000);

    let sizes: Vec<usize> = messages.iter().map(|message| message.bytes.len()).collect();
    let mean_bytes = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
    // The clips come to 235 to 239; here a sixth of the time is digital silence.
    assert!((mean_bytes - 236.0).abs() < 25.0, "{mean_bytes} bytes");
    let varied = sizes.iter().max().unwrap() > &(sizes.iter().min().unwrap() * 2);
    assert!(varied, "the bitrate must follow the audio");
}

#[test]
fn decoding_gives_as_many_samples_as_were_framed() {
    for length in [1, 959, 960, 961, 48_000, 100_003] {
        let messages = encode(Codec::Opus, &vowel(150.0, length)).unwrap();
        let samples = decode(Codec::Opus, &messages).unwrap().len();
        let framed = messages.last().unwrap().at_ns * 6 / 125_000;
        assert_eq!(samples as u64, framed);
        assert!(
            (length..length + 40 * MS).contains(&samples),
            "{length} became {samples}"
        );
    }
}

#[test]
fn what_is_decoded_sounds_like_what_was_encoded() {
    let source = vowel(150.0, 48_000);
    let heard = decode(Codec::Opus, &encode(Codec::Opus, &source).unwrap()).unwrap();
    // The codec looks ahead by 6.5 ms (RFC 6716).
    let look_ahead = 312;
    let (mut signal, mut noise) = (0.0, 0.0);
    for (sent, heard) in source[9600..40_000].iter().zip(&heard[9600 + look_ahead..]) {
        signal += f64::from(*sent).powi(2);
        noise += (f64::from(*sent) - f64::from(*heard)).powi(2);
    }
    let ratio_db = 10.0 * (signal / noise).log10();
    assert!(ratio_db > 20.0, "{ratio_db} dB");
}

/// The claim "the same bytes on every machine": libopus in fixed point, and no
/// floating-point function of the C library anywhere.
#[test]
fn the_bytes_are_the_same_on_every_machine() {
    let messages = encode(Codec::Opus, &speech_like(2000 * MS)).unwrap();
    let packets = messages
        .iter()
        .flat_map(|message| message.bytes.iter().copied());
    let samples = decode(Codec::Opus, &messages).unwrap();
    let heard = samples.iter().flat_map(|sample| sample.to_le_bytes());
    assert_eq!(
        [fingerprint(packets), fingerprint(heard)],
        [0x7970_6a3a_4d07_6e33, 0xdfd3_ec8f_f85f_324e]
    );
}

#[test]
fn damaged_messages_are_named() {
    let good = encode(Codec::Opus, &vowel(150.0, 48_000)).unwrap();
    let damaged = |change: &dyn Fn(&mut Message)| {
        let mut messages = good.clone();
        change(&mut messages[7]);
        decode(Codec::Opus, &messages).unwrap_err()
    };
    let carries = good[7].bytes.len() - 1;
    assert_eq!(
        damaged(&|message| message.bytes.truncate(carries)),
        MessageError::Length {
            message: 7,
            carries
        }
    );
    assert_eq!(
        damaged(&|message| message.bytes.clear()),
        MessageError::Length {
            message: 7,
            carries: 0
        }
    );
    assert_eq!(
        damaged(&|message| message.bytes = vec![0, 0]),
        MessageError::Length {
            message: 7,
            carries: 2
        }
    );
    // A packet of code 3 without its frame count (RFC 6716, 3.2.5).
    let no_count = damaged(&|message| message.bytes = vec![0, 1, 0xff]);
    assert!(
        matches!(no_count, MessageError::Packet { message: 7, .. }),
        "{no_count}"
    );
    let at_ns = good[7].at_ns + 1;
    assert_eq!(
        damaged(&|message| message.at_ns += 1),
        MessageError::Instant {
            message: 7,
            at_ns,
            ends_ns: at_ns - 1
        }
    );
}
