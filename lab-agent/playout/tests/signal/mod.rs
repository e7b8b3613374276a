//! Signals to play, and ways for messages to arrive.
// SPDX-License-Identifier: Apache-2.0
#![allow(dead_code)] // each test file uses its part

use thinlab_playout::{Arrival, Message, SAMPLE_RATE_HZ};

pub const MS: usize = SAMPLE_RATE_HZ as usize / 1000;
pub const PATH_NS: u64 = 65_000_000;

/// A steady sound of one pitch with eleven overtones.
pub fn vowel(pitch_hz: f64, samples: usize) -> Vec<i16> {
    (0..samples)
        .map(|n| {
            let phase = n as f64 / f64::from(SAMPLE_RATE_HZ) * pitch_hz * std::f64::consts::TAU;
            let voice: f64 = (1..=12)
                .map(|k| (phase * f64::from(k)).sin() / f64::from(k))
                .sum();
            (voice * 4000.0) as i16
        })
        .collect()
}

/// Syllables of changing pitch and level, a hiss in every third, pauses
/// between: what a codec and a jitter buffer see of speech. In integers, so
/// that it is the same on every machine.
pub fn speech_like(samples: usize) -> Vec<i16> {
    let syllable = 180 * MS;
    let mut noise = 1_u32;
    let mut phase = 0_i64;
    (0..samples)
        .map(|n| {
            let (count, at) = (n / syllable, n % syllable);
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if count % 6 == 5 {
                return 0;
            }
            let swell = (at.min(syllable - at) * 2) as i64;
            let hiss = i64::from(noise >> 20) - 2048;
            if count % 3 == 2 {
                return (hiss * swell / syllable as i64 / 2) as i16;
            }
            // A period of 200 to 400 samples: 120 to 240 Hz, gliding.
            phase += 65_536 / (200 + (count * 37 % 200) as i64 + at as i64 / 100);
            let saw = phase % 65_536 - 32_768;
            // A bent saw tooth has overtones that fall like a voice's.
            let voice = saw * (32_768 - saw.abs()) / 16_384;
            ((voice / 2 + hiss / 16) * swell / syllable as i64) as i16
        })
        .collect()
}

/// Every message takes the same time.
pub fn constant(messages: &[Message], delay_ns: u64) -> Vec<Arrival> {
    late(messages, delay_ns, |_| 0)
}

/// Each message is late by what `late_ns` says; those behind it wait for it.
pub fn late(messages: &[Message], delay_ns: u64, late_ns: impl Fn(usize) -> u64) -> Vec<Arrival> {
    let mut before_ns = 0;
    messages
        .iter()
        .enumerate()
        .map(|(message, sent)| {
            before_ns = before_ns.max(sent.at_ns + delay_ns + late_ns(message));
            Arrival {
                message,
                at_ns: before_ns,
            }
        })
        .collect()
}

pub fn largest_step(samples: &[i16]) -> i32 {
    samples
        .windows(2)
        .map(|pair| (i32::from(pair[1]) - i32::from(pair[0])).abs())
        .max()
        .unwrap_or(0)
}

/// FNV-1a, for pinning bytes.
pub fn fingerprint(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
