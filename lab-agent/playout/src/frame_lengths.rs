//! How long the messages are, one after the other: the pace of the papers' trace.
//!
//! User-evaluation paper, table I: interarrival time 34 ms on average with a
//! median of 40 ms. Frames of 20 and 40 ms in the ratio 3 : 7 have just that
//! mean and median.
// SPDX-License-Identifier: Apache-2.0

use crate::SAMPLES_PER_MS;

const SHORT_SAMPLES: usize = 20 * SAMPLES_PER_MS;
pub(crate) const LONG_SAMPLES: usize = 40 * SAMPLES_PER_MS;

/// Three of every ten messages are short: the mean is 34 ms over each ten, so
/// a clip of any length keeps it.
const BLOCK: usize = 10;
const SHORT_IN_BLOCK: usize = 3;

/// Frame lengths in samples, endless, the same for every source: an order that
/// followed the audio would let a member of a pair differ in its framing.
#[derive(Default)]
pub(crate) struct FrameLengths {
    block: u64,
    lengths: [usize; BLOCK],
    given: usize,
}

impl Iterator for FrameLengths {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let at = self.given % BLOCK;
        if at == 0 {
            self.lengths = shuffled(self.block);
            self.block += 1;
        }
        self.given += 1;
        Some(self.lengths[at])
    }
}

fn shuffled(block: u64) -> [usize; BLOCK] {
    let mut lengths = [LONG_SAMPLES; BLOCK];
    lengths[..SHORT_IN_BLOCK].fill(SHORT_SAMPLES);
    let mut state = block;
    for last in (1..BLOCK).rev() {
        state = split_mix(state);
        lengths.swap(last, (state % (last as u64 + 1)) as usize);
    }
    lengths
}

/// One step of `SplitMix64` (Steele, Lea, Flood 2014): a fixed order needs no
/// better randomness, and no crate that might change its own.
fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_papers_mean_and_median() {
        let mut lengths: Vec<usize> = FrameLengths::default().take(1000).collect();
        assert_eq!(lengths.iter().sum::<usize>(), 1000 * 34 * SAMPLES_PER_MS);
        lengths.sort_unstable();
        assert_eq!(lengths[500], 40 * SAMPLES_PER_MS);
    }

    #[test]
    fn lengths_are_not_periodic() {
        let lengths: Vec<usize> = FrameLengths::default().take(1000).collect();
        for period in 1..200 {
            let repeats = (period..1000).all(|at| lengths[at] == lengths[at - period]);
            assert!(!repeats, "repeats every {period} messages");
        }
    }
}
