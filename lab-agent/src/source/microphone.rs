//! Sound as it comes in from somewhere that has a clock of its own.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use lab_proto::SoundPiece;

use super::audio::of_s16le;
use crate::fault::{Outcome, invalid};

const SAMPLES_PER_MS: usize = 48;
/// A second: what comes in larger pieces is no microphone.
const LONGEST_PIECE_BYTES: usize = 1000 * SAMPLES_PER_MS * 2;
/// More than this does not wait: older sound is left out.
const MOST: usize = 250 * SAMPLES_PER_MS;
/// After silence so much gathers first: pieces of 20 ms come unevenly.
const CUSHION: usize = 40 * SAMPLES_PER_MS;

/// What came in and was not taken yet.
#[derive(Default)]
pub struct Microphone {
    waiting: VecDeque<i16>,
    flowing: bool,
}

impl Microphone {
    /// Takes in a piece.
    pub fn hear(&mut self, s16le: &[u8]) {
        self.waiting.extend(of_s16le(s16le));
        if self.waiting.len() > MOST {
            self.waiting.drain(..self.waiting.len() - CUSHION);
        }
    }

    /// So many samples more; silence where nothing came.
    pub fn next(&mut self, count: usize) -> Vec<i16> {
        self.flowing |= self.waiting.len() >= CUSHION;
        if !self.flowing {
            return vec![0; count];
        }
        let there = count.min(self.waiting.len());
        let mut samples: Vec<i16> = self.waiting.drain(..there).collect();
        samples.resize(count, 0);
        self.flowing = there == count;
        samples
    }
}

/// Checks a piece of sound.
pub fn check(piece: &SoundPiece) -> Outcome<()> {
    let bytes = piece.s16le_48k_mono.len();
    if !bytes.is_multiple_of(2) || bytes > LONGEST_PIECE_BYTES {
        return invalid(format!(
            "microphone.s16le_48k_mono has {bytes} bytes: give whole 16-bit samples, a second of \
             them at most"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECE: usize = 10 * SAMPLES_PER_MS;

    fn sound(samples: impl Iterator<Item = i16>) -> Vec<u8> {
        samples.flat_map(i16::to_le_bytes).collect()
    }

    #[test]
    fn what_comes_in_goes_out_in_order() {
        let mut microphone = Microphone::default();
        microphone.hear(&sound(1..=CUSHION as i16));
        let out: Vec<i16> = (0..4).flat_map(|_| microphone.next(PIECE)).collect();
        assert!(out.into_iter().eq(1..=CUSHION as i16));
    }

    #[test]
    fn silence_fills_in_until_enough_has_gathered_again() {
        let mut microphone = Microphone::default();
        microphone.hear(&sound((0..PIECE).map(|_| 7)));
        assert_eq!(microphone.next(PIECE), vec![0; PIECE], "gathering");
        microphone.hear(&sound((0..CUSHION).map(|_| 7)));
        for _ in 0..5 {
            assert_eq!(microphone.next(PIECE), vec![7; PIECE]);
        }
        assert_eq!(microphone.next(PIECE), vec![0; PIECE]);
        microphone.hear(&sound((0..PIECE).map(|_| 7)));
        assert_eq!(microphone.next(PIECE), vec![0; PIECE], "gathering again");
    }

    #[test]
    fn never_more_than_a_quarter_of_a_second_waits() {
        let mut microphone = Microphone::default();
        for piece in 0..40_i16 {
            microphone.hear(&sound((0..PIECE).map(|_| piece)));
            assert!(microphone.waiting.len() <= MOST);
        }
        let oldest = microphone.next(PIECE)[0];
        assert!(oldest > 40 - 25, "{oldest} has waited for too long");
    }

    #[test]
    fn half_a_sample_is_refused() {
        let piece = |bytes| SoundPiece {
            s16le_48k_mono: vec![0; bytes],
        };
        assert!(check(&piece(1920)).is_ok());
        for bytes in [3, 96_002] {
            let fault = check(&piece(bytes)).unwrap_err();
            fault.expect_invalid("microphone.s16le_48k_mono");
        }
    }
}
