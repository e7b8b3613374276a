//! Joining two places of a signal so that the joint is not heard: the place is
//! chosen where the waveforms agree (a whole number of pitch periods apart),
//! then one is faded into the other. This is WSOLA (Verhelst, Roelands 1993)
//! and `NetEQ`'s accelerate/expand in its simplest form: the pitch stays.
// SPDX-License-Identifier: Apache-2.0

use crate::SAMPLES_PER_MS;

/// 10 ms: what a receiver works on at a time, and the length of every fade.
pub(crate) const TICK: usize = 10 * SAMPLES_PER_MS;

/// What a splice removes or repeats: a pitch period, or several, of a voice or
/// an instrument between 50 and 400 Hz.
pub(crate) const LAG_MIN: usize = 5 * SAMPLES_PER_MS / 2;
pub(crate) const LAG_MAX: usize = 20 * SAMPLES_PER_MS;

/// First look at every fourth sample (12 kHz), then closely around the best.
const COARSE: usize = 4;

/// Root mean square below which a block has no pitch worth keeping: -50 dBFS.
const QUIET_RMS: i64 = 103;

/// Where a pattern fits best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Match {
    pub offset: usize,
    /// Normalised cross-correlation, -1 to 1.
    pub similarity: f64,
}

/// The offset into `region` at which it resembles `pattern` most.
pub(crate) fn best_match(pattern: &[i16], region: &[i16]) -> Match {
    let coarse_pattern = thinned(pattern);
    let coarse_region = thinned(region);
    let coarse = best_of(
        &coarse_pattern,
        &coarse_region,
        0..=coarse_region.len().saturating_sub(coarse_pattern.len()),
    );
    let around = coarse.offset * COARSE;
    let last = region.len() - pattern.len();
    let nearby = around.saturating_sub(COARSE - 1).min(last)..=(around + COARSE - 1).min(last);
    best_of(&widened(pattern), &widened(region), nearby)
}

fn best_of(pattern: &[i64], region: &[i64], offsets: std::ops::RangeInclusive<usize>) -> Match {
    let pattern_energy: i64 = pattern.iter().map(|sample| sample * sample).sum();
    let mut best = Match {
        offset: *offsets.start(),
        similarity: f64::NEG_INFINITY,
    };
    for offset in offsets {
        let there = &region[offset..offset + pattern.len()];
        let (mut product, mut energy) = (0_i64, 0_i64);
        for (a, b) in pattern.iter().zip(there) {
            product += a * b;
            energy += b * b;
        }
        let scale = (pattern_energy as f64 * energy as f64).sqrt();
        let similarity = if scale > 0.0 {
            product as f64 / scale
        } else {
            0.0
        };
        if similarity > best.similarity {
            best = Match { offset, similarity };
        }
    }
    best
}

fn thinned(samples: &[i16]) -> Vec<i64> {
    samples
        .chunks_exact(COARSE)
        .map(|four| four.iter().map(|sample| i64::from(*sample)).sum())
        .collect()
}

fn widened(samples: &[i16]) -> Vec<i64> {
    samples.iter().map(|sample| i64::from(*sample)).collect()
}

pub(crate) fn is_quiet(samples: &[i16]) -> bool {
    let energy: i64 = samples.iter().map(|sample| i64::from(*sample).pow(2)).sum();
    energy <= QUIET_RMS * QUIET_RMS * samples.len() as i64
}

/// Appends a fade from one signal into another of the same length. The weight
/// is `3t² - 2t³`: no corner at either end, and exact in integers.
pub(crate) fn cross_fade(from: &[i16], to: &[i16], samples: &mut Vec<i16>) {
    let length = from.len() as i64;
    let whole = 8 * length.pow(3);
    samples.extend(from.iter().zip(to).enumerate().map(|(n, (from, to))| {
        let t = 2 * n as i64 + 1;
        let weight = t * t * (6 * length - 2 * t);
        let sum = i64::from(*from) * (whole - weight) + i64::from(*to) * weight;
        (sum / whole) as i16
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(period: f64, from: usize, length: usize) -> Vec<i16> {
        (from..from + length)
            .map(|n| ((n as f64 * std::f64::consts::TAU / period).sin() * 9000.0) as i16)
            .collect()
    }

    #[test]
    fn finds_the_pitch_period_to_the_sample() {
        let period = 437.0;
        let found = best_match(&tone(period, 0, TICK), &tone(period, 120, 480 + 840));
        assert_eq!(found.offset + 120, 437);
        assert!(found.similarity > 0.999);
    }

    #[test]
    fn a_fade_starts_and_ends_where_its_signals_do() {
        let mut faded = Vec::new();
        cross_fade(&[10_000; TICK], &[-10_000; TICK], &mut faded);
        assert_eq!((faded[0], faded[TICK - 1]), (9999, -9999));
        assert!(faded.windows(2).all(|pair| pair[0] >= pair[1]));
    }

    #[test]
    fn a_fade_between_equals_changes_nothing() {
        let signal = tone(100.0, 0, TICK);
        let mut faded = Vec::new();
        cross_fade(&signal, &signal, &mut faded);
        assert_eq!(faded, signal);
    }

    #[test]
    fn full_scale_does_not_overflow() {
        let mut faded = Vec::new();
        cross_fade(&[i16::MIN; TICK], &[i16::MIN; TICK], &mut faded);
        assert_eq!(faded, [i16::MIN; TICK]);
    }
}
