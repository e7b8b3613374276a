//! What is played while there is nothing to play: the last pitch periods over
//! and over, fading to silence (after ITU-T G.711, Appendix I).
//!
//! Not libopus' own concealment: its fixed-point build drifts to a constant
//! offset of up to a tenth of full scale within 50 ms, and both its builds come
//! back with a burst of noise at 100 ms (docs/playout.md has the figures).
// SPDX-License-Identifier: Apache-2.0

use crate::SAMPLES_PER_MS;
use crate::splice::{LAG_MAX, LAG_MIN, TICK, best_match, cross_fade};

/// The repetition keeps its level this long ...
const FADE_FROM: usize = 20 * SAMPLES_PER_MS;
/// ... and is silent from here: held longer it is heard as a robot's voice.
const FADE_TO: usize = 120 * SAMPLES_PER_MS;

/// The repetition may start beside the last sample played: the step is spread
/// over this much.
const STEP: usize = 5 * SAMPLES_PER_MS / 2;

/// Concealment of one gap.
pub(crate) struct Concealer {
    /// Whole pitch periods whose end flows into their start; empty: silence.
    periods: Vec<i16>,
    /// Last sample played less the one that precedes the repetition.
    step: i64,
    made: usize,
}

impl Concealer {
    /// Goes on after `heard`, of which the last 30 ms matter; silent when
    /// there is less than that.
    pub fn after(heard: &[i16]) -> Self {
        let Some(recent) = heard
            .len()
            .checked_sub(LAG_MAX + TICK)
            .map(|from| &heard[from..])
        else {
            return Self::silent();
        };
        let end = recent.len();
        let found = best_match(&recent[end - TICK..], &recent[..end - LAG_MIN]);
        let period = LAG_MAX - found.offset;
        // Several short periods together: one alone would buzz.
        let length = period * (LAG_MAX / period);
        let from = end - length;
        let overlap = length / 4;
        let mut periods = recent[from..end - overlap].to_vec();
        let into_start = &recent[from - overlap..from];
        cross_fade(&recent[end - overlap..], into_start, &mut periods);
        let step = i64::from(recent[end - 1]) - i64::from(recent[from - 1]);
        Self {
            periods,
            step,
            made: 0,
        }
    }

    /// Nothing but zeros.
    pub const fn silent() -> Self {
        Self {
            periods: Vec::new(),
            step: 0,
            made: 0,
        }
    }

    /// Nothing but zeros from here on.
    pub fn is_silent(&self) -> bool {
        self.periods.is_empty() || self.made >= FADE_TO
    }

    /// How many of the next `count` samples are more than silence.
    pub fn sounding(&self, count: usize) -> usize {
        if self.is_silent() {
            0
        } else {
            count.min(FADE_TO - self.made)
        }
    }

    /// Appends the next `count` samples.
    pub fn fill(&mut self, samples: &mut Vec<i16>, count: usize) {
        samples.extend((0..count).map(|_| self.next_sample()));
    }

    fn next_sample(&mut self) -> i16 {
        if self.is_silent() {
            return 0;
        }
        let repeated = i64::from(self.periods[self.made % self.periods.len()]);
        let step_left = STEP.saturating_sub(self.made) as i64;
        let level_left = (FADE_TO - self.made.max(FADE_FROM)) as i64;
        self.made += 1;
        let sample = repeated + self.step * step_left / STEP as i64;
        let faded = sample * level_left / (FADE_TO - FADE_FROM) as i64;
        faded.clamp(i16::MIN.into(), i16::MAX.into()) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vowel-like sound of `pitch_hz` with overtones.
    fn vowel(pitch_hz: f64, samples: usize) -> Vec<i16> {
        (0..samples)
            .map(|n| {
                let phase = n as f64 / 48_000.0 * pitch_hz * std::f64::consts::TAU;
                let voice: f64 = (1..12)
                    .map(|k| (phase * f64::from(k)).sin() / f64::from(k))
                    .sum();
                (voice * 4000.0) as i16
            })
            .collect()
    }

    fn concealed(heard: &[i16], count: usize) -> Vec<i16> {
        let mut samples = Vec::new();
        Concealer::after(heard).fill(&mut samples, count);
        samples
    }

    #[test]
    fn a_steady_vowel_goes_on_as_it_was() {
        // 200 Hz has a period of exactly 240 samples.
        let whole = vowel(200.0, 4800 + FADE_FROM);
        let made = concealed(&whole[..4800], FADE_FROM);
        for (made, real) in made.iter().zip(&whole[4800..]) {
            assert!((i32::from(*made) - i32::from(*real)).abs() <= 8);
        }
    }

    #[test]
    fn any_pitch_goes_on_without_a_jump() {
        for pitch_hz in [52.0, 93.7, 141.3, 230.9, 399.0] {
            let heard = vowel(pitch_hz, 9600);
            let mut all = heard.clone();
            all.extend(concealed(&heard, FADE_TO + 100));
            let largest = |samples: &[i16]| {
                samples
                    .windows(2)
                    .map(|pair| (i32::from(pair[1]) - i32::from(pair[0])).abs())
                    .max()
            };
            assert!(largest(&all[9599..]).unwrap() <= largest(&heard).unwrap() * 5 / 4);
        }
    }

    #[test]
    fn starts_where_the_sound_was() {
        // A ramp has no period: any repetition starts far below its end.
        let ramp: Vec<i16> = (0..9600).collect();
        assert!((concealed(&ramp, 1)[0] - ramp[9599]).abs() <= 1);
    }

    #[test]
    fn fades_to_silence_and_stays_there() {
        let heard = vowel(110.0, 9600);
        let made = concealed(&heard, FADE_TO + 1000);
        let loudest = |samples: &[i16]| samples.iter().map(|sample| sample.abs()).max().unwrap();
        assert!(loudest(&made[..FADE_FROM]) > 3000);
        assert!(loudest(&made[FADE_TO - 480..FADE_TO]) < 1000);
        assert_eq!(loudest(&made[FADE_TO..]), 0);
    }

    #[test]
    fn before_there_is_something_to_repeat_there_is_silence() {
        assert_eq!(
            concealed(&vowel(110.0, LAG_MAX + TICK - 1), 480),
            vec![0; 480]
        );
    }

    #[test]
    fn a_repetition_at_full_scale_does_not_overflow() {
        let square: Vec<i16> = (0..9600)
            .map(|n| if n / 100 % 2 == 0 { i16::MAX } else { i16::MIN })
            .collect();
        assert_eq!(concealed(&square, FADE_TO).len(), FADE_TO);
    }
}
