//! Retransmissions of what did arrive, sooner or later, from an earlier copy.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use crate::coverage::{Coverage, Parts};

/// What earlier copies brought of each retransmission, as departures turn out to
/// arrive. Departures are told in order, their arrivals in any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spurious {
    /// Brought by any departure so far.
    arrives: Coverage,
    retransmissions: VecDeque<Retransmission>,
}

#[derive(Clone, Debug)]
struct Retransmission {
    departure: u64,
    start: u64,
    end: u64,
    needless: Coverage,
}

impl Spurious {
    /// `start..end` leaves again; returns how much of it has arrived before.
    pub(crate) fn depart(&mut self, departure: u64, start: u64, end: u64) -> u64 {
        let mut needless = Coverage::default();
        let known: Parts = self.arrives.parts(start, end).collect();
        for (start, end) in &known {
            needless.insert(*start, *end);
        }
        self.retransmissions.push_back(Retransmission {
            departure,
            start,
            end,
            needless,
        });
        bytes(&known)
    }

    /// A departure turns out to bring `start..end`; returns for which later
    /// retransmissions that makes how much more needless.
    pub(crate) fn arrive(&mut self, departure: u64, start: u64, end: u64) -> Vec<(u64, u64)> {
        self.arrives.insert(start, end);
        let later = self
            .retransmissions
            .iter_mut()
            .rev()
            .take_while(|again| again.departure > departure);
        let mut needless = Vec::new();
        for again in later {
            let (start, end) = (start.max(again.start), end.min(again.end));
            let more = bytes(&again.needless.insert(start, end));
            if more > 0 {
                needless.push((again.departure, more));
            }
        }
        needless
    }

    /// Forgets retransmissions before a departure.
    pub(crate) fn forget(&mut self, departure: u64) {
        while self
            .retransmissions
            .front()
            .is_some_and(|again| again.departure < departure)
        {
            self.retransmissions.pop_front();
        }
    }
}

fn bytes(parts: &[(u64, u64)]) -> u64 {
    parts.iter().map(|(start, end)| end - start).sum()
}
