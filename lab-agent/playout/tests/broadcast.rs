//! A listener can be taken from one lane's packets to another's between any two.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs)]

mod signal;

use opusic_c::{Channels, Decoder, SampleRate};
use signal::{MS, largest_step, speech_like, vowel};
use thinlab_playout::{BROADCAST_SAMPLES, Broadcast};

const FRAMES: usize = 100;
const LENGTH: usize = FRAMES * BROADCAST_SAMPLES;
/// Of two frames (RFC 6716, 4.3.7).
const OVERLAP: usize = 5 * MS / 2;
/// Until the decoder's de-emphasis (0.85 a sample) has forgotten the other lane.
const SETTLED: usize = OVERLAP + MS / 2;
/// Before and after a switch: what either side could depend on.
const FRAMES_AROUND: usize = 5;

/// Energy at -70 dBFS of what is compared after a switch.
const INAUDIBLE: f64 = 10.0 * 10.0 * (FRAMES_AROUND * BROADCAST_SAMPLES) as f64;

fn broadcast(samples: &[i16]) -> Vec<Vec<u8>> {
    let mut broadcast = Broadcast::new().unwrap();
    let (frames, _) = samples.as_chunks::<BROADCAST_SAMPLES>();
    frames
        .iter()
        .map(|frame| broadcast.encode(frame).unwrap())
        .collect()
}

fn decoded<'a>(packets: impl IntoIterator<Item = &'a Vec<u8>>) -> Vec<i16> {
    let mut decoder = Decoder::new(Channels::Mono, SampleRate::Hz48000).unwrap();
    let mut frame = [0; BROADCAST_SAMPLES];
    let mut samples = Vec::new();
    for packet in packets {
        let length = decoder.decode_to_slice(packet, &mut frame, false).unwrap();
        assert_eq!(length, BROADCAST_SAMPLES);
        samples.extend(frame.iter().map(|sample| sample.cast_signed()));
    }
    samples
}

fn energy(samples: &[i16]) -> f64 {
    samples
        .iter()
        .map(|sample| f64::from(*sample).powi(2))
        .sum()
}

/// Signals that differ in every way: pitch, level, hiss, pauses.
fn pairs() -> Vec<[Vec<i16>; 2]> {
    let voice = || vowel(173.0, LENGTH);
    let speech = || speech_like(LENGTH);
    let later = speech_like(LENGTH + 500 * MS)[500 * MS..].to_vec();
    let silence = vec![0; LENGTH];
    vec![
        [voice(), speech()],
        [speech(), voice()],
        [later, speech()],
        [silence.clone(), speech()],
        [voice(), silence],
    ]
}

#[test]
fn a_switch_is_over_when_the_overlap_is() {
    for [from, to] in pairs() {
        let (before, after) = (broadcast(&from), broadcast(&to));
        let (left, entered) = (decoded(&before), decoded(&after));
        let step_max = largest_step(&left).max(largest_step(&entered)) * 5 / 4;
        for switch in FRAMES_AROUND..=FRAMES - FRAMES_AROUND {
            let heard = decoded(
                before[switch - FRAMES_AROUND..switch]
                    .iter()
                    .chain(&after[switch..switch + FRAMES_AROUND]),
            );
            let heard = &heard[FRAMES_AROUND * BROADCAST_SAMPLES - 1..];
            let step = largest_step(&heard[..=SETTLED]);
            assert!(
                step <= step_max,
                "a step of {step} at frame {switch}, {step_max} elsewhere"
            );

            let heard = &heard[1 + SETTLED..];
            let from = switch * BROADCAST_SAMPLES + SETTLED;
            let expected = &entered[from..from + heard.len()];
            let differ = heard.iter().zip(expected).map(|(a, b)| a.abs_diff(*b));
            // -50 dBFS: where a frame has a transient, the decoder fills bands
            // that were left empty with noise as loud as in the frames before.
            let most = differ.max().unwrap();
            assert!(most <= 103, "{most} off after the switch at frame {switch}");
            let [heard, expected] = [heard, expected].map(|samples| energy(samples).max(INAUDIBLE));
            let level_db = 10.0 * (heard / expected).log10();
            assert!(
                level_db.abs() < 0.25,
                "{level_db} dB after the switch at frame {switch}"
            );
        }
    }
}

#[test]
fn a_packet_carries_20_ms_and_fits_into_a_datagram() {
    let packets = broadcast(&speech_like(LENGTH));
    assert_eq!(decoded(&packets).len(), LENGTH);
    assert!(packets.iter().all(|packet| packet.len() < 1000));
}

#[test]
fn what_is_decoded_sounds_like_what_was_encoded() {
    let source = speech_like(LENGTH);
    let heard = decoded(&broadcast(&source));
    // The codec looks ahead by its overlap and no more.
    let (mut signal, mut noise) = (0.0, 0.0);
    for (sent, heard) in source.iter().zip(&heard[OVERLAP..]) {
        signal += f64::from(*sent).powi(2);
        noise += (f64::from(*sent) - f64::from(*heard)).powi(2);
    }
    let ratio_db = 10.0 * (signal / noise).log10();
    assert!(ratio_db > 15.0, "{ratio_db} dB");
}
