//! What somebody types, and how long they take for each key.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use crate::random::SplitMix;

/// How far times between keys spread: of six, four lie within a factor of 1.65
/// of the middle. Times between keystrokes are close to log-normal.
const SPREAD: f64 = 0.5;
/// No finger is faster, and who thinks for longer is not typing.
const SHORTEST: Duration = Duration::from_millis(15);
const LONGEST: Duration = Duration::from_secs(2);
/// A line is ended after so many keys, well before the screen's edge.
const LINE_KEYS: usize = 60;
const LETTERS: &[u8] = b"etaoin shrdlu cmfwyp vbgkq jxz ";

/// One keydown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// Since the one before.
    pub after: Duration,
    /// What it is for the terminal.
    pub data: Vec<u8>,
}

/// So many keys of text, a mean time apart; the same for the same seed.
pub fn text(count: usize, mean: Duration, seed: u64) -> Vec<Stroke> {
    let mut random = SplitMix(seed);
    (1..=count)
        .map(|index| Stroke {
            after: pause(&mut random, mean),
            data: match index % LINE_KEYS {
                0 => vec![b'\r'],
                _ => vec![LETTERS[random.next() as usize % LETTERS.len()]],
            },
        })
        .collect()
}

/// Log-normal; the mean of e^(σz) is e^(σ²/2).
fn pause(random: &mut SplitMix, mean: Duration) -> Duration {
    let pause = mean.mul_f64((SPREAD * random.normal() - SPREAD * SPREAD / 2.0).exp());
    pause.clamp(SHORTEST, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_have_the_mean_that_was_asked_for_and_vary() {
        let mean = Duration::from_millis(150);
        let strokes = text(20_000, mean, 3);
        assert_eq!(strokes, text(20_000, mean, 3));
        let mut pauses: Vec<f64> = strokes.iter().map(|s| s.after.as_secs_f64()).collect();
        let average = pauses.iter().sum::<f64>() / pauses.len() as f64;
        // A deviation of 53 % over 20 000 draws: five standard errors are 1.9 %.
        assert!((average / 0.15 - 1.0).abs() < 0.02, "{average}");
        pauses.sort_by(f64::total_cmp);
        let middle = pauses[pauses.len() / 2];
        let upper = pauses[pauses.len() * 84 / 100];
        assert!((upper / middle - 1.65).abs() < 0.1, "{middle} {upper}");
    }

    #[test]
    fn lines_end_before_the_screen_does() {
        let strokes = text(240, Duration::from_millis(100), 1);
        let ends: Vec<usize> = (0..240).filter(|&i| strokes[i].data == [b'\r']).collect();
        assert_eq!(ends, [59, 119, 179, 239]);
    }
}
