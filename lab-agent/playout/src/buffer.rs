//! What has arrived: the samples still to be played, a little of what was
//! played before them, and when each was captured.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use crate::samples_of_ns;
use crate::splice::{LAG_MAX, TICK};

/// Played samples that concealment and splices may look back at: a lag and a
/// fade, from a place that a splice before has already moved back by one lag.
const PAST: usize = 2 * LAG_MAX + TICK;

/// The samples of one message.
struct Chunk {
    /// Place in the stream behind its last sample.
    end: u64,
    /// When that sample was captured.
    captured_ns: i64,
}

/// Places count the samples of the stream from its first.
#[derive(Default)]
pub(crate) struct Buffer {
    samples: Vec<i16>,
    /// Place of the first sample kept.
    start: u64,
    /// Place of the next sample to play.
    position: u64,
    /// Those not played, and at least the last.
    chunks: VecDeque<Chunk>,
}

impl Buffer {
    /// A message whose last sample was captured at `captured_ns`.
    pub fn push(&mut self, samples: impl IntoIterator<Item = i16>, captured_ns: i64) {
        self.samples.extend(samples);
        self.chunks.push_back(Chunk {
            end: self.start + self.samples.len() as u64,
            captured_ns,
        });
        self.forget();
    }

    /// Nothing has been played.
    pub fn is_new(&self) -> bool {
        self.position == 0
    }

    /// Samples to play.
    pub fn available(&self) -> usize {
        self.samples.len() - self.played()
    }

    /// Of those, the ones of the message that the next sample belongs to.
    pub fn left_of_message(&self) -> usize {
        let end = self.chunks.front().map_or(self.position, |chunk| chunk.end);
        end.saturating_sub(self.position) as usize
    }

    /// The next samples to play.
    pub fn ahead(&self) -> &[i16] {
        &self.samples[self.played()..]
    }

    /// The samples before the next, as far as they are kept.
    pub fn past(&self) -> &[i16] {
        &self.samples[..self.played()]
    }

    /// From `back` samples before the next on.
    pub fn from(&self, back: usize) -> &[i16] {
        &self.samples[self.played() - back..]
    }

    pub fn advance(&mut self, samples: usize) {
        self.position += samples as u64;
        self.pass_messages();
    }

    pub fn go_back(&mut self, samples: usize) {
        self.position -= samples as u64;
    }

    /// How long before `now_ns` the next sample was captured, in samples; where
    /// nothing is left, the one that follows the last.
    pub fn age(&self, now_ns: i64) -> i64 {
        self.chunks.front().map_or(0, |chunk| {
            samples_of_ns(now_ns - chunk.captured_ns) + (chunk.end as i64 - self.position as i64)
        })
    }

    /// Samples held in memory.
    pub fn kept(&self) -> usize {
        self.samples.len()
    }

    fn played(&self) -> usize {
        (self.position - self.start) as usize
    }

    fn pass_messages(&mut self) {
        while self.chunks.len() > 1 && self.chunks[0].end <= self.position {
            self.chunks.pop_front();
        }
    }

    fn forget(&mut self) {
        self.pass_messages();
        // Seldom, for each time moves all that is kept.
        if self.played() > 4 * PAST {
            let forgotten = self.played() - PAST;
            self.samples.drain(..forgotten);
            self.start += forgotten as u64;
        }
    }
}
