//! Which retransmission of a byte it was that brought it: the first, the second …
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use lab_proto::LatencyDistribution;

use crate::coverage::{Coverage, Parts};
use crate::distribution::{Sample, distribution};
use crate::ranges::{DeliveredRange, Ranges};

/// Later ones are counted with this one: timers double, so that it is hours away.
const HIGHEST: usize = 16;

/// Retransmissions of a stream as they leave, and what they bring.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ordinals {
    /// What was retransmitted once at least, twice at least …
    at_least: Vec<Coverage>,
    /// Parts of retransmissions, in the order in which they left.
    parts: VecDeque<Again>,
    brought: Vec<Brought>,
}

#[derive(Clone, Copy, Debug)]
struct Again {
    departure: u64,
    start: u64,
    end: u64,
    ordinal: usize,
}

#[derive(Clone, Copy, Debug)]
struct Brought {
    start: u64,
    end: u64,
    ordinal: usize,
    at_ns: i64,
}

impl Brought {
    /// Of a range that holds bytes of it.
    fn sample(&self, range: &DeliveredRange) -> Sample {
        Sample {
            latency_ns: self.at_ns - range.sent_ns,
            weight: range.end.min(self.end) - range.start.max(self.start),
        }
    }
}

impl Ordinals {
    /// A retransmission of `start..end` leaves.
    pub(crate) fn depart(&mut self, departure: u64, start: u64, end: u64) {
        let mut rest = Parts::from_elem((start, end), 1);
        for ordinal in 1..=HIGHEST {
            if self.at_least.len() < ordinal {
                self.at_least.push(Coverage::default());
            }
            let known = &mut self.at_least[ordinal - 1];
            let mut again = Parts::new();
            for (start, end) in rest {
                let before: Parts = known.parts(start, end).collect();
                let new = known.insert(start, end);
                let part = |&(start, end): &(u64, u64)| Again {
                    departure,
                    start,
                    end,
                    ordinal,
                };
                self.parts.extend(new.iter().map(part));
                if ordinal == HIGHEST {
                    self.parts.extend(before.iter().map(part));
                } else {
                    again.extend(before);
                }
            }
            rest = again;
            if rest.is_empty() {
                break;
            }
        }
    }

    /// It brings `new` at `at_ns`, before any other copy.
    pub(crate) fn arrive(&mut self, departure: u64, new: &Parts, at_ns: i64) {
        let first = self
            .parts
            .partition_point(|part| part.departure < departure);
        let parts = self.parts.range(first..);
        for part in parts.take_while(|part| part.departure == departure) {
            for (start, end) in new {
                let (start, end) = ((*start).max(part.start), (*end).min(part.end));
                if start < end {
                    self.brought.push(Brought {
                        start,
                        end,
                        ordinal: part.ordinal,
                        at_ns,
                    });
                }
            }
        }
    }

    /// What was brought since the last time: by which retransmission, and for how long
    /// its bytes had been sent.
    pub(crate) fn take(&mut self, ranges: &Ranges, mut each: impl FnMut(usize, Sample)) {
        for brought in self.brought.drain(..) {
            for range in ranges.within(brought.start, brought.end) {
                each(brought.ordinal, brought.sample(range));
            }
        }
    }

    /// Forgets what left before a departure, and all of the stream before an offset, of
    /// which nothing is to be brought any more.
    pub(crate) fn forget(&mut self, departure: u64, offset: u64) {
        while self
            .parts
            .front()
            .is_some_and(|part| part.departure < departure)
        {
            self.parts.pop_front();
        }
        for known in &mut self.at_least {
            known.forget(offset);
        }
    }

    /// The transport latency of what the first retransmission of a byte brought, of
    /// what the second brought, and so on, by byte.
    pub(crate) fn latencies(&self, ranges: &[DeliveredRange]) -> Vec<LatencyDistribution> {
        let highest = self.brought.iter().map(|brought| brought.ordinal).max();
        let mut samples = vec![Vec::new(); highest.unwrap_or(0)];
        for brought in &self.brought {
            let first = ranges.partition_point(|range| range.end <= brought.start);
            let inside = ranges[first..].iter();
            for range in inside.take_while(|range| range.start < brought.end) {
                samples[brought.ordinal - 1].push(brought.sample(range));
            }
        }
        samples.into_iter().map(distribution).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_counts_its_own_retransmissions() {
        let mut ordinals = Ordinals::default();
        ordinals.depart(5, 0, 100);
        ordinals.depart(7, 50, 150);
        ordinals.depart(9, 0, 200);
        let told: Vec<_> = ordinals
            .parts
            .iter()
            .map(|part| (part.departure, part.start, part.end, part.ordinal))
            .collect();
        assert_eq!(
            told,
            [
                (5, 0, 100, 1),
                (7, 100, 150, 1),
                (7, 50, 100, 2),
                (9, 150, 200, 1),
                (9, 0, 50, 2),
                (9, 100, 150, 2),
                (9, 50, 100, 3),
            ]
        );
        let sent = DeliveredRange {
            start: 0,
            end: 200,
            sent_ns: 1_000,
            arrived_ns: Some(9_000),
            available_ns: Some(9_000),
        };
        ordinals.arrive(9, &Parts::from_elem((0, 200), 1), 9_000);
        let told = ordinals.latencies(&[sent]);
        let bytes: Vec<u64> = told.iter().map(|latency| latency.samples).collect();
        assert_eq!(bytes, [50, 100, 50]);
        assert!((told[2].max_us - 8.0).abs() < 1e-9);
    }
}
