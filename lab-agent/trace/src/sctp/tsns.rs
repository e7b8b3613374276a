//! A direction's chunks in the order of their TSNs, as one stream of bytes: the offset of a
//! chunk is what all chunks before it hold. So everything that is known of streams holds.
// SPDX-License-Identifier: Apache-2.0

use super::chunk::{Chunk, Data};
use crate::unwrap::Unwrap;

/// All chunks that either capture has of one direction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tsns {
    /// By TSN.
    known: Vec<Known>,
}

/// A chunk of the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Its TSN, counted on where 32 bits wrap.
    pub number: i64,
    /// Offset of its first byte.
    pub start: u64,
    pub data: Data,
}

impl Known {
    pub(crate) fn end(&self) -> u64 {
        self.start + u64::from(self.data.bytes)
    }
}

impl Tsns {
    /// Of what departed and then of what arrived, each in the order of its capture.
    pub(crate) fn of<'a>(
        origin: u32,
        departures: impl Iterator<Item = &'a Chunk>,
        arrivals: impl Iterator<Item = &'a Chunk>,
    ) -> Self {
        let mut tsns = Self::default();
        let mut late = Vec::new();
        tsns.add(origin, departures, &mut late);
        tsns.add(origin, arrivals, &mut late);
        if !late.is_empty() {
            tsns.known.extend(late);
            tsns.known.sort_by_key(|known| known.number);
            tsns.known.dedup_by_key(|known| known.number);
        }
        let mut start = 0;
        for known in &mut tsns.known {
            known.start = start;
            start = known.end();
        }
        tsns
    }

    /// What is new goes to the end, or aside.
    fn add<'a>(
        &mut self,
        origin: u32,
        chunks: impl Iterator<Item = &'a Chunk>,
        late: &mut Vec<Known>,
    ) {
        let mut numbers = Unwrap::new(origin);
        for chunk in chunks {
            let Chunk::Data(data) = chunk else { continue };
            let known = Known {
                number: numbers.offset(data.tsn),
                start: 0,
                data: *data,
            };
            match self.known.last() {
                Some(last) if last.number >= known.number => {
                    if self.at(known.number).is_none() {
                        late.push(known);
                    }
                }
                _ => self.known.push(known),
            }
        }
    }

    /// A chunk leaves: behind all others, or one of those again.
    pub(crate) fn follow(&mut self, number: i64, data: Data) {
        let last = self.known.last();
        if last.is_none_or(|last| last.number < number) {
            let start = last.map_or(0, Known::end);
            self.known.push(Known {
                number,
                start,
                data,
            });
        }
    }

    /// The highest TSN.
    pub(crate) fn last(&self) -> Option<i64> {
        self.known.last().map(|known| known.number)
    }

    /// Forgets what is before a TSN, but never the last one: it says where the stream goes on.
    pub(crate) fn forget(&mut self, number: i64) {
        let until = self.behind(number.saturating_sub(1));
        self.known
            .drain(..until.min(self.known.len().saturating_sub(1)));
    }

    /// In order of their TSNs.
    pub(crate) fn all(&self) -> &[Known] {
        &self.known
    }

    pub(crate) fn at(&self, number: i64) -> Option<&Known> {
        Some(&self.known[self.place(number)?])
    }

    /// Which of all it is.
    pub(crate) fn place(&self, number: i64) -> Option<usize> {
        let place = self.behind(number.wrapping_sub(1));
        let known = self.known.get(place)?;
        (known.number == number).then_some(place)
    }

    /// Where the stream goes on behind a TSN.
    pub(crate) fn offset_behind(&self, number: i64) -> u64 {
        let last = self.known.last();
        self.known
            .get(self.behind(number))
            .or(last)
            .map_or(0, |known| {
                if known.number <= number {
                    known.end()
                } else {
                    known.start
                }
            })
    }

    /// How many chunks there are up to a TSN. Nearly always none is missing.
    fn behind(&self, number: i64) -> usize {
        let Some(first) = self.known.first() else {
            return 0;
        };
        let place = number.saturating_sub(first.number).saturating_add(1);
        let place = usize::try_from(place).unwrap_or(0);
        let place = place.min(self.known.len());
        let fits = (place == 0 || self.known[place - 1].number <= number)
            && self
                .known
                .get(place)
                .is_none_or(|known| known.number > number);
        if fits {
            place
        } else {
            self.known.partition_point(|known| known.number <= number)
        }
    }
}
