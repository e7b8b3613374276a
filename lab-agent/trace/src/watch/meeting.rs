//! One direction's departures and arrivals while they meet, and what can be said
//! of those that have not.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{HashMap, VecDeque};

use lab_proto::PacketFate;

use crate::damage;
use crate::pairing::{Came, DirectionCount, Key, Left, Pairing};
use crate::receiving::Taken;
use crate::tracker::Departures;

/// Rounding of two stamps.
pub(crate) const SLACK_NS: i64 = 2;

/// A copy of a departure, the first or a later one.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    pub departure: u64,
    /// Of the first one: when it came.
    pub first_ns: Option<i64>,
    pub taken: Taken,
}

/// One direction so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meeting {
    pairing: Pairing,
    /// Arrivals whose departure has not been told.
    early: HashMap<u32, (i64, Taken)>,
    /// What each departure pairs by, and its number among both directions'.
    departures: VecDeque<(Key, u64)>,
    forgotten: u64,
    arrivals: u32,
    /// Departures that neither arrived nor were overtaken.
    under_way: VecDeque<u64>,
    highest_arrived: Option<u64>,
    /// By so many packets one was overtaken that arrived after all.
    reordering: u64,
    arrived: u64,
    smallest_delay_ns: Option<i64>,
    twin_copies: u64,
    /// Arrivals with a wrong checksum.
    pub damaged_ns: Vec<i64>,
    /// When those left that are forgotten and never arrived.
    missing_ns: Vec<i64>,
    fates: Vec<PacketFate>,
}

impl Meeting {
    /// The next packet leaves; `number` counts both directions.
    pub(crate) fn depart(&mut self, key: Key, sent_ns: i64, number: u64) -> Vec<Met> {
        let departure = self.until();
        self.departures.push_back((key, number));
        self.under_way.push_back(departure);
        let Left::Known(arrivals) = self.pairing.depart(key, departure as u32) else {
            return Vec::new();
        };
        let mut first = true;
        let mut met = Vec::new();
        for arrival in arrivals {
            let Some((at_ns, taken)) = self.early.remove(&arrival) else {
                continue;
            };
            let first_ns = std::mem::take(&mut first).then_some(at_ns);
            self.meet(departure, first_ns, sent_ns);
            met.push(Met {
                departure,
                first_ns,
                taken,
            });
        }
        met
    }

    /// An undamaged packet comes.
    pub(crate) fn arrive(
        &mut self,
        key: Key,
        at_ns: i64,
        taken: Taken,
        departures: &Departures,
    ) -> Option<Met> {
        let arrival = self.arrivals;
        self.arrivals += 1;
        let (departure, is_first) = match self.pairing.arrive(key, arrival) {
            Came::First(departure) => (u64::from(departure), true),
            Came::Copy(departure) => (u64::from(departure), false),
            Came::Unsent => {
                self.early.insert(arrival, (at_ns, taken));
                return None;
            }
            Came::Twin(twins) => self.likely_twin(twins, at_ns, departures)?,
        };
        let first_ns = is_first.then_some(at_ns);
        let sent_ns = departures.get(departure)?.passage.sent_ns;
        self.meet(departure, first_ns, sent_ns);
        Some(Met {
            departure,
            first_ns,
            taken,
        })
    }

    /// By what a departure pairs.
    pub(crate) fn key_of(&self, departure: u64) -> Option<Key> {
        let at = departure.checked_sub(self.forgotten)? as usize;
        self.departures.get(at).map(|(key, _)| *key)
    }

    /// Of packets that are alike, the latest one that had left and not arrived.
    fn likely_twin(
        &mut self,
        twins: u32,
        at_ns: i64,
        departures: &Departures,
    ) -> Option<(u64, bool)> {
        let twins = self.pairing.twins[twins as usize].departures.iter().rev();
        let left = twins.filter_map(|twin| {
            let passage = departures.get(u64::from(*twin))?.passage;
            (passage.sent_ns <= at_ns).then_some((u64::from(*twin), passage.arrived_ns.is_none()))
        });
        let left: Vec<(u64, bool)> = left.collect();
        let likely = left.iter().find(|(_, missing)| *missing).or(left.first());
        self.twin_copies += u64::from(likely.is_some_and(|(_, missing)| !missing));
        likely.copied()
    }

    fn meet(&mut self, departure: u64, first_ns: Option<i64>, sent_ns: i64) {
        let Some(at_ns) = first_ns else {
            return;
        };
        self.arrived += 1;
        let delay_ns = at_ns - sent_ns;
        let smallest_ns = self.smallest_delay_ns.unwrap_or(delay_ns);
        self.smallest_delay_ns = Some(smallest_ns.min(delay_ns));
        self.fates.push(PacketFate {
            number: self.number(departure),
            arrived_ns: Some(at_ns as u64),
        });
        if let Ok(at) = self.under_way.binary_search(&departure) {
            self.under_way.remove(at);
        }
        match self.highest_arrived {
            Some(highest) if departure < highest => {
                self.reordering = self.reordering.max(highest - departure);
            }
            _ => self.highest_arrived = Some(departure),
        }
        let highest = self.highest_arrived.unwrap_or(departure);
        while let Some(first) = self.under_way.front()
            && first + self.reordering < highest
        {
            self.give_up();
        }
    }

    /// The first packet under way is lost.
    fn give_up(&mut self) {
        if let Some(departure) = self.under_way.pop_front() {
            self.fates.push(PacketFate {
                number: self.number(departure),
                arrived_ns: None,
            });
        }
    }

    /// Nothing more will come.
    pub(crate) fn end(&mut self) {
        while !self.under_way.is_empty() {
            self.give_up();
        }
    }

    /// Its number among both directions'.
    pub(crate) fn number(&self, departure: u64) -> u64 {
        let at = departure.saturating_sub(self.forgotten) as usize;
        self.departures.get(at).map_or(0, |(_, number)| *number)
    }

    fn until(&self) -> u64 {
        self.forgotten + self.departures.len() as u64
    }

    pub(crate) fn take_fates(&mut self) -> Vec<PacketFate> {
        std::mem::take(&mut self.fates)
    }

    /// The counts so far. Packets under way are sent, neither arrived nor lost.
    /// `strays_ns`: damaged arrivals that look like another connection's.
    pub(crate) fn count(&self, departures: &Departures, strays_ns: &[i64]) -> DirectionCount {
        let missing = departures.iter().map(|departure| departure.passage);
        let missing = missing
            .filter(|passage| passage.arrived_ns.is_none())
            .map(|passage| passage.sent_ns);
        let missing_ns = self.missing_ns.iter().copied().chain(missing);
        let damaged = self.explained(missing_ns, strays_ns);
        let arrived = self.arrived + damaged;
        let sent = self.until();
        let open = self.under_way.len() as u64;
        DirectionCount {
            sent,
            arrived,
            lost: (sent - arrived).saturating_sub(open),
            duplicated: self.pairing.duplicated + self.twin_copies,
            damaged,
            unsent: self.pairing.unsent,
        }
    }

    /// How many damaged arrivals the missing departures explain.
    pub(crate) fn explained(
        &self,
        missing_ns: impl Iterator<Item = i64>,
        strays_ns: &[i64],
    ) -> u64 {
        let mut damaged_ns = [&self.damaged_ns, strays_ns].concat();
        damaged_ns.sort_unstable();
        let early_ns = (SLACK_NS - self.smallest_delay_ns.unwrap_or(0)).max(0);
        damage::explained(missing_ns, &damaged_ns, early_ns)
    }

    /// How many of the last `sent` departures are under way.
    pub(crate) fn under_way_since(&self, sent: u64) -> u64 {
        let from = self.until() - sent;
        let under_way = self.under_way.iter().rev();
        under_way
            .take_while(|departure| **departure >= from)
            .count() as u64
    }

    /// Forgets departures that left before `at_ns` and were told (`until`);
    /// returns up to which.
    pub(crate) fn forget(&mut self, at_ns: i64, until: u64, departures: &Departures) -> u64 {
        for departure in departures.iter() {
            let sent_ns = departure.passage.sent_ns;
            if sent_ns >= at_ns || self.forgotten >= until {
                break;
            }
            if departure.passage.arrived_ns.is_none() {
                self.missing_ns.push(sent_ns);
                if self.under_way.front() == Some(&self.forgotten) {
                    self.give_up();
                }
            }
            if let Some((key, _)) = self.departures.pop_front() {
                self.pairing.forget(key);
            }
            self.forgotten += 1;
        }
        self.forgotten
    }
}
