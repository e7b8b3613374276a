//! One direction's packets on their way: which arrival is which departure, and what
//! became of those that are forgotten.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;

use super::{HELD_NS, MOST_HELD, Unclear};
use crate::pairing::{Digest, DirectionCount, Key};

/// Packets that may still arrive, again or late, and those that have arrived without
/// having left.
#[derive(Debug, Default)]
pub(super) struct Crossing {
    known: Known,
    /// Of all departures not forgotten.
    keys: VecDeque<Key>,
    forgotten: u64,
    /// Behind the last one that arrived: packets arrive nearly in order.
    next: u64,
    pub count: DirectionCount,
    pub lowest_delay_ns: Option<i64>,
    /// Whether any damaged packet came.
    pub has_damage: bool,
    damage: Damage,
}

/// Departures by what they pair by, and [`UNSENT`] arrivals. Nothing is removed one by
/// one: all of a generation is, once the next one is full.
#[derive(Debug, Default)]
struct Known {
    young: Generation,
    old: Generation,
    since_ns: i64,
}

type Generation = HashMap<Key, u64, BuildHasherDefault<Digest>>;

const UNSENT: u64 = u64::MAX;

impl Known {
    fn get(&self, key: Key) -> Option<u64> {
        self.young.get(&key).or_else(|| self.old.get(&key)).copied()
    }

    /// Says whether it is new.
    fn insert(&mut self, key: Key, number: u64, at_ns: i64) -> bool {
        let is_full =
            self.young.len() >= MOST_HELD || at_ns >= self.since_ns.saturating_add(HELD_NS);
        if is_full {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
            self.since_ns = at_ns;
        }
        self.young.insert(key, number).is_none() && !self.old.contains_key(&key)
    }
}

/// Packets that never arrived whole, against damaged arrivals: as
/// [`crate::damage::explained`] does it, while they become known.
#[derive(Debug, Default)]
struct Damage {
    /// Missing packets that explain no damaged one.
    spare: u64,
    explained: u64,
    /// Damaged arrivals that packets yet to be settled may explain.
    open_ns: VecDeque<i64>,
}

impl Crossing {
    /// The next packet leaves.
    pub fn depart(&mut self, key: Key, at_ns: i64) -> Result<(), Unclear> {
        let number = self.forgotten + self.keys.len() as u64;
        self.count.sent += 1;
        self.keys.push_back(key);
        if self.known.insert(key, number, at_ns) {
            return Ok(());
        }
        // It looks like another one, or has come before it left.
        Err(Unclear)
    }

    /// An undamaged packet comes: the departure that it is a copy of.
    pub fn arrive(&mut self, key: Key, at_ns: i64) -> Option<u64> {
        let number = if self.key(self.next) == Some(key) {
            self.next
        } else {
            let known = self.known.get(key);
            if known.is_none() {
                self.known.insert(key, UNSENT, at_ns);
            }
            let departure = known.filter(|number| (self.forgotten..UNSENT).contains(number));
            let Some(number) = departure else {
                self.count.unsent += 1;
                return None;
            };
            number
        };
        self.next = number + 1;
        Some(number)
    }

    /// A departure arrives for the first time.
    pub fn meet(&mut self, delay_ns: i64) {
        self.count.arrived += 1;
        let lowest_ns = self.lowest_delay_ns.unwrap_or(delay_ns);
        self.lowest_delay_ns = Some(lowest_ns.min(delay_ns));
    }

    pub fn damaged(&mut self, at_ns: i64) {
        self.has_damage = true;
        self.damage.open_ns.push_back(at_ns);
    }

    /// Forgets the first departure.
    pub fn forget(&mut self, sent_ns: i64, arrived: bool) {
        self.forgotten += u64::from(self.keys.pop_front().is_some());
        self.damage.settled(sent_ns, arrived);
    }

    /// All departures are forgotten: what became of them.
    pub fn settled(&mut self) -> DirectionCount {
        self.damage.before(i64::MAX);
        let damaged = self.damage.explained;
        let arrived = self.count.arrived + damaged;
        DirectionCount {
            arrived,
            lost: self.count.sent - arrived,
            damaged,
            ..self.count
        }
    }

    /// Whether packets left and packets came and none was the same.
    pub fn is_foreign(&self) -> bool {
        let any_came = self.count.unsent > 0 || self.has_damage;
        self.count.arrived == 0 && self.count.sent > 0 && any_came
    }

    fn key(&self, number: u64) -> Option<Key> {
        let at = number.checked_sub(self.forgotten)?;
        self.keys.get(at as usize).copied()
    }
}

impl Damage {
    /// What became of a departure; all before it were told.
    fn settled(&mut self, sent_ns: i64, arrived: bool) {
        self.before(sent_ns);
        self.spare += u64::from(!arrived);
    }

    /// Nothing that left before an instant will be told any more.
    fn before(&mut self, sent_ns: i64) {
        while self
            .open_ns
            .pop_front_if(|at_ns| *at_ns < sent_ns)
            .is_some()
        {
            if self.spare > 0 {
                self.spare -= 1;
                self.explained += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::damage::explained;

    #[test]
    fn damage_is_explained_as_with_all_in_view() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..500 {
            let mut instants = |count| {
                let mut all: Vec<i64> = (0..count).map(|_| random(20) as i64).collect();
                all.sort_unstable();
                all
            };
            let (missing_ns, damaged_ns) = (instants(6), instants(8));
            let mut damage = Damage {
                open_ns: damaged_ns.iter().copied().collect(),
                ..Damage::default()
            };
            for sent_ns in &missing_ns {
                damage.settled(*sent_ns, false);
            }
            damage.before(i64::MAX);
            let expected = explained(missing_ns.iter().copied(), &damaged_ns, 0);
            assert_eq!(damage.explained, expected, "{missing_ns:?} {damaged_ns:?}");
        }
    }
}
