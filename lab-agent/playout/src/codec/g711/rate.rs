//! Between the lab's 48 kHz and the telephone's 8 kHz, in integers, so that the same sound gives
//! the same samples on every machine.
//!
//! One low-pass for both ways: flat to 3.4 kHz, the upper end of a telephone's band (ITU-T
//! G.712), and as good as nothing from 4.4 kHz on, so that what folds back lies above 3.6 kHz.
//! It delays by 2.5 ms each way; Opus looks ahead by 6.5 ms in all.
// SPDX-License-Identifier: Apache-2.0

use std::f64::consts::PI;
use std::sync::LazyLock;

/// 48 kHz by 8 kHz.
pub(super) const RATIO: usize = 6;

/// At 48 kHz; odd, so that it has a middle.
const TAPS: usize = 241;
/// Of the sampling rate: half way between what is kept and what is not.
const CUT_OFF: f64 = 3_850.0 / 48_000.0;
/// Taps are so many parts of one.
const ONE: i64 = 1 << 16;

/// A windowed sinc (Blackman), rounded; their sum is `ONE` for each of the six phases, or a
/// constant would come out with a tone of 8 kHz.
static LOW_PASS: LazyLock<[i64; TAPS]> = LazyLock::new(|| {
    let middle = (TAPS / 2) as f64;
    let exact: Vec<f64> = (0..TAPS)
        .map(|tap| {
            let from_middle = tap as f64 - middle;
            let turn = 2.0 * PI * CUT_OFF * from_middle;
            let sinc = if from_middle == 0.0 {
                1.0
            } else {
                turn.sin() / turn
            };
            let along = 2.0 * PI * tap as f64 / (TAPS - 1) as f64;
            sinc * (0.42 - 0.5 * along.cos() + 0.08 * (2.0 * along).cos())
        })
        .collect();
    let mut taps = [0; TAPS];
    for phase in 0..RATIO {
        let sum: f64 = exact.iter().skip(phase).step_by(RATIO).sum();
        let mut left = ONE;
        for tap in (phase..TAPS).step_by(RATIO) {
            taps[tap] = (exact[tap] / sum * ONE as f64).round() as i64;
            left -= taps[tap];
        }
        // What rounding left goes to the phase's largest tap, near the middle.
        let largest = (phase..TAPS).step_by(RATIO).max_by_key(|&tap| taps[tap]);
        taps[largest.unwrap_or(phase)] += left;
    }
    taps
});

/// To every sixth sample.
pub(super) struct Down {
    /// The last `TAPS` − 1 samples, and those that are being taken.
    heard: Vec<i16>,
}

impl Down {
    pub fn new() -> Self {
        Self {
            heard: vec![0; TAPS - 1],
        }
    }

    /// Takes a multiple of six samples.
    pub fn take(&mut self, samples: &[i16]) -> Vec<i16> {
        self.heard.extend_from_slice(samples);
        let windows = self.heard.windows(TAPS).step_by(RATIO);
        let narrow = windows.map(|window| {
            let pairs = window.iter().zip(LOW_PASS.iter());
            let sum: i64 = pairs.map(|(&sample, tap)| i64::from(sample) * tap).sum();
            rounded(sum, ONE * RATIO as i64)
        });
        let narrow = narrow.collect();
        self.heard.drain(..self.heard.len() - (TAPS - 1));
        narrow
    }
}

/// To six for each sample.
pub(super) struct Up {
    /// The last ones that a tap still reaches, and those that are being taken.
    heard: Vec<i16>,
}

/// Samples of 8 kHz that the filter spans.
const SPAN: usize = TAPS.div_ceil(RATIO);

impl Up {
    pub fn new() -> Self {
        Self {
            heard: vec![0; SPAN - 1],
        }
    }

    pub fn take(&mut self, samples: &[i16]) -> Vec<i16> {
        self.heard.extend_from_slice(samples);
        let windows = self.heard.windows(SPAN);
        let wide = windows.flat_map(|window| {
            (0..RATIO).map(move |phase| {
                let taps = LOW_PASS.iter().skip(phase).step_by(RATIO);
                let pairs = window.iter().rev().zip(taps);
                let sum: i64 = pairs.map(|(&sample, tap)| i64::from(sample) * tap).sum();
                rounded(sum, ONE)
            })
        });
        let wide = wide.collect();
        self.heard.drain(..self.heard.len() - (SPAN - 1));
        wide
    }
}

fn rounded(sum: i64, one: i64) -> i16 {
    let nearest = (sum + one / 2).div_euclid(one);
    nearest.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: usize = 48_000;

    /// A second of a tone there and back: its power against what went in, in dB.
    fn gain_db(frequency_hz: f64) -> f64 {
        let tone: Vec<i16> = (0..SECOND)
            .map(|n| (10_000.0 * (2.0 * PI * frequency_hz * n as f64 / 48_000.0).sin()) as i16)
            .collect();
        let back = Up::new().take(&Down::new().take(&tone));
        assert_eq!(back.len(), tone.len());
        let power = |samples: &[i16]| -> f64 {
            let middle = &samples[SECOND / 4..SECOND * 3 / 4];
            middle.iter().map(|&s| f64::from(s).powi(2)).sum()
        };
        10.0 * (power(&back) / power(&tone)).log10()
    }

    #[test]
    fn a_telephones_band_is_kept_and_nothing_else() {
        for frequency_hz in [300.0, 1_000.0, 2_000.0, 3_000.0, 3_400.0] {
            assert!(gain_db(frequency_hz).abs() < 0.2, "{frequency_hz} Hz");
        }
        for frequency_hz in [4_500.0, 5_000.0, 7_000.0, 12_000.0, 20_000.0] {
            assert!(gain_db(frequency_hz) < -55.0, "{frequency_hz} Hz");
        }
    }

    #[test]
    fn a_constant_stays_one() {
        let back = Up::new().take(&Down::new().take(&vec![1_234; SECOND]));
        assert!(back[1_000..].iter().all(|&sample| sample == 1_234));
    }

    #[test]
    fn it_comes_when_the_filter_says() {
        let mut click = vec![0; 4_800];
        click[1_200] = 20_000;
        let back = Up::new().take(&Down::new().take(&click));
        let loudest = (0..back.len()).max_by_key(|&at| back[at]);
        assert_eq!(loudest, Some(1_200 + TAPS - 1));
    }

    #[test]
    fn in_pieces_it_is_the_same() {
        let sound: Vec<i16> = (0..4_800_i64).map(|n| (n * n % 7_919) as i16).collect();
        let whole = Down::new().take(&sound);
        let mut down = Down::new();
        let pieces: Vec<i16> = sound
            .chunks(960)
            .flat_map(|piece| down.take(piece))
            .collect();
        assert_eq!(pieces, whole);
        let mut up = Up::new();
        let back: Vec<i16> = whole.chunks(160).flat_map(|piece| up.take(piece)).collect();
        assert_eq!(back, Up::new().take(&whole));
    }
}
