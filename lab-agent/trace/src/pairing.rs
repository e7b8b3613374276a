//! Which packet at one end is which at the other: true loss, duplication,
//! damage, direction by direction.
//!
//! Packets pair by content ([`Packet::identity`] and the IP identification).
//! Copies that are alike in all of that are told apart by time: of all ways to
//! pair them in order, the one that leaves the fewest arrivals unexplained and
//! then needs the least delay beyond the path's minimum.
// SPDX-License-Identifier: Apache-2.0

use std::ops::Range;

use crate::capture::Packet;

/// Packets of one direction, counted at both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionCount {
    /// Put on the wire.
    pub sent: u64,
    /// Of those, arrived (once or more, damaged or not).
    pub arrived: u64,
    /// Of those, never arrived: the true loss.
    pub lost: u64,
    /// Arrivals beyond the first of a packet: the path made copies.
    pub duplicated: u64,
    /// Arrived with a wrong checksum; the far end throws them away.
    pub damaged: u64,
    /// Arrivals that nobody sent: the sender's capture began late or lacks them.
    pub unsent: u64,
}

/// The pairing of one direction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairing {
    /// For each departure, its first undamaged arrival.
    pub arrival_of: Vec<Option<usize>>,
    /// For each arrival, the departure it is a copy of.
    pub departure_of: Vec<Option<usize>>,
    pub count: DirectionCount,
    /// Groups of identical packets, for [`Pairing::resolve`].
    ambiguous: Vec<(Vec<usize>, Vec<usize>)>,
}

/// Larger groups of identical packets are paired greedily.
const LARGEST_EXACT_GROUP: usize = 4_000_000;

/// Pairs all packets that have no identical twin among the departures.
pub(crate) fn pair(departures: &[&Packet], arrivals: &[&Packet]) -> Pairing {
    let with_ids = pair_by(departures, arrivals, |packet| {
        (packet.identity, packet.ip_id.unwrap_or(0))
    });
    if with_ids.departure_of.iter().any(Option::is_some) {
        return with_ids;
    }
    // A middlebox that rewrites the identification changes it in all packets.
    pair_by(departures, arrivals, |packet| (packet.identity, 0))
}

type Key = (u64, u16);

fn pair_by(departures: &[&Packet], arrivals: &[&Packet], key: impl Fn(&Packet) -> Key) -> Pairing {
    let mut pairing = Pairing {
        arrival_of: vec![None; departures.len()],
        departure_of: vec![None; arrivals.len()],
        count: DirectionCount {
            sent: departures.len() as u64,
            ..DirectionCount::default()
        },
        ambiguous: Vec::new(),
    };
    let sent = sorted(departures, &key, |_| true);
    let arrived = sorted(arrivals, &key, |packet| !packet.is_damaged());
    let mut from = 0;
    for group in groups(&sent) {
        let key = sent[group.start].0;
        while from < arrived.len() && arrived[from].0 < key {
            pairing.count.unsent += 1;
            from += 1;
        }
        let until = from
            + arrived[from..]
                .iter()
                .take_while(|(other, _)| *other == key)
                .count();
        let (sent, arrived) = (&sent[group], &arrived[from..until]);
        from = until;
        match (sent, arrived) {
            (_, []) => {}
            ([(_, departure)], [(_, first), copies @ ..]) => {
                pairing.arrival_of[*departure] = Some(*first);
                pairing.departure_of[*first] = Some(*departure);
                for (_, copy) in copies {
                    pairing.departure_of[*copy] = Some(*departure);
                }
                pairing.count.duplicated += copies.len() as u64;
            }
            _ => {
                let indices =
                    |list: &[(Key, usize)]| list.iter().map(|(_, index)| *index).collect();
                pairing.ambiguous.push((indices(sent), indices(arrived)));
            }
        }
    }
    pairing.count.unsent += (arrived.len() - from) as u64;
    pairing
}

fn sorted(
    packets: &[&Packet],
    key: &impl Fn(&Packet) -> Key,
    keep: impl Fn(&Packet) -> bool,
) -> Vec<(Key, usize)> {
    let kept = packets
        .iter()
        .enumerate()
        .filter(|(_, packet)| keep(packet));
    let mut keyed: Vec<(Key, usize)> = kept.map(|(index, packet)| (key(packet), index)).collect();
    keyed.sort_unstable();
    keyed
}

fn groups(sorted: &[(Key, usize)]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (position, (key, _)) in sorted.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if sorted[group.start].0 == *key => group.end += 1,
            _ => groups.push(position..position + 1),
        }
    }
    groups
}

/// The packets of one direction and their instants, on one clock.
pub(crate) struct Ends<'a> {
    pub departures: &'a [&'a Packet],
    pub departed_ns: &'a [i64],
    pub arrived_ns: &'a [i64],
    /// Rounding of the stamps: a delay may look this much too short.
    pub slack_ns: i64,
}

/// A packet that arrived with a wrong checksum.
pub(crate) struct Damaged<'a> {
    /// Its place among the arrivals, unless it looks like a foreign packet.
    pub index: Option<usize>,
    pub at_ns: i64,
    pub packet: &'a Packet,
}

impl Pairing {
    /// Departures with their first undamaged arrivals, as far as settled.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let paired = self.arrival_of.iter().enumerate();
        paired.filter_map(|(departure, arrival)| Some((departure, (*arrival)?)))
    }

    /// Whether no packet was seen at both ends.
    pub(crate) fn is_empty(&self) -> bool {
        self.ambiguous.is_empty() && self.pairs().next().is_none()
    }

    /// Pairs the rest by time, and settles the counts.
    pub(crate) fn resolve(&mut self, ends: &Ends, damaged: &[Damaged]) {
        let minimum_ns = self.minimum_delay_ns(ends);
        for (departures, arrivals) in std::mem::take(&mut self.ambiguous) {
            let excess = |departure: usize, arrival: usize| {
                let delay = ends.arrived_ns[arrival] - ends.departed_ns[departure];
                let excess = delay - minimum_ns;
                (excess >= -ends.slack_ns).then_some(excess.max(0))
            };
            let pairs = if departures.len() * arrivals.len() <= LARGEST_EXACT_GROUP {
                cheapest_in_order(&departures, &arrivals, excess)
            } else {
                first_in_order(&departures, &arrivals, excess)
            };
            for (arrival, departure) in arrivals.iter().zip(pairs) {
                let Some(departure) = departure else {
                    // A copy of whichever: the latest that could have made it.
                    let able = departures
                        .iter()
                        .rev()
                        .find(|d| excess(**d, *arrival).is_some());
                    self.departure_of[*arrival] = able.copied();
                    self.count.duplicated += 1;
                    continue;
                };
                self.departure_of[*arrival] = Some(departure);
                self.arrival_of[departure] = Some(*arrival);
            }
        }
        self.count.arrived = self.arrival_of.iter().flatten().count() as u64;
        self.explain_damage(ends, damaged, minimum_ns);
        self.count.lost = self.count.sent - self.count.arrived;
    }

    fn minimum_delay_ns(&self, ends: &Ends) -> i64 {
        let delay = |(departure, arrival): (usize, usize)| {
            ends.arrived_ns[arrival] - ends.departed_ns[departure]
        };
        self.pairs().map(delay).min().unwrap_or(0)
    }

    /// A damaged arrival is the missing departure that it still resembles or,
    /// with its header hit, the one that fits its time best.
    fn explain_damage(&mut self, ends: &Ends, damaged: &[Damaged], minimum_ns: i64) {
        let departures = self.arrival_of.iter().enumerate();
        let mut missing: Vec<(i64, usize)> = departures
            .filter(|(_, arrival)| arrival.is_none())
            .map(|(departure, _)| (ends.departed_ns[departure], departure))
            .collect();
        missing.sort_unstable();
        for damaged in damaged {
            let before = |latest_ns: i64| missing.partition_point(|(at_ns, _)| *at_ns <= latest_ns);
            let sent_before = before(damaged.at_ns);
            let alike = |(_, departure): &(i64, usize)| {
                ends.departures[*departure].identity == damaged.packet.identity
            };
            let by_content = missing[..sent_before].iter().rposition(alike);
            let able = before(damaged.at_ns - minimum_ns + ends.slack_ns);
            let by_time = if able > 0 {
                able.checked_sub(1)
            } else {
                sent_before.checked_sub(1)
            };
            let Some(position) = by_content.or(by_time) else {
                continue;
            };
            let (_, departure) = missing.remove(position);
            if let Some(index) = damaged.index {
                self.departure_of[index] = Some(departure);
            }
            self.count.damaged += 1;
            self.count.arrived += 1;
        }
    }
}

/// For each arrival its departure, in order, by dynamic programming: an
/// unexplained arrival costs more than any delay, a loss costs nothing.
fn cheapest_in_order(
    departures: &[usize],
    arrivals: &[usize],
    excess: impl Fn(usize, usize) -> Option<i64>,
) -> Vec<Option<usize>> {
    const UNEXPLAINED: i64 = i64::MAX >> 16;
    let columns = departures.len() + 1;
    // best[a * columns + d]: the cost of the first a arrivals and d departures.
    let mut best = vec![0_i64; (arrivals.len() + 1) * columns];
    let pair_cost = |a: usize, d: usize| excess(departures[d], arrivals[a]);
    for a in 1..=arrivals.len() {
        best[a * columns] = best[(a - 1) * columns].saturating_add(UNEXPLAINED);
        for d in 1..columns {
            let lost = best[a * columns + d - 1];
            let copy = best[(a - 1) * columns + d].saturating_add(UNEXPLAINED);
            let pair = pair_cost(a - 1, d - 1).map_or(i64::MAX, |cost| {
                best[(a - 1) * columns + d - 1].saturating_add(cost)
            });
            best[a * columns + d] = lost.min(copy).min(pair);
        }
    }
    let mut pairs = vec![None; arrivals.len()];
    let (mut a, mut d) = (arrivals.len(), departures.len());
    while a > 0 {
        let cost = best[a * columns + d];
        if d > 0 && best[a * columns + d - 1] == cost {
            d -= 1;
        } else if best[(a - 1) * columns + d].saturating_add(UNEXPLAINED) == cost {
            a -= 1;
        } else {
            (a, d) = (a - 1, d - 1);
            pairs[a] = Some(departures[d]);
        }
    }
    pairs
}

/// The same by a single walk: each arrival takes the earliest departure left
/// that leaves no later one unable to explain its own.
fn first_in_order(
    departures: &[usize],
    arrivals: &[usize],
    excess: impl Fn(usize, usize) -> Option<i64>,
) -> Vec<Option<usize>> {
    let mut next = 0;
    let walk = |(position, arrival): (usize, &usize)| {
        let spare = |next: usize| departures.len() - next > arrivals.len() - position;
        while next + 1 < departures.len()
            && spare(next)
            && excess(departures[next + 1], *arrival).is_some()
        {
            next += 1;
        }
        let departure = departures
            .get(next)
            .copied()
            .filter(|d| excess(*d, *arrival).is_some());
        next += usize::from(departure.is_some());
        departure
    };
    arrivals.iter().enumerate().map(walk).collect()
}

#[cfg(test)]
mod tests {
    use super::{cheapest_in_order, first_in_order};

    /// Three copies leave at 0, 330 and 660; the path takes 65.
    fn excess(departure: usize, arrival: usize) -> Option<i64> {
        let excess = arrival as i64 - departure as i64 - 65;
        (excess >= 0).then_some(excess)
    }

    #[test]
    fn the_copy_that_fits_the_time_is_the_one_that_arrived() {
        for pairs in [cheapest_in_order, first_in_order] {
            assert_eq!(pairs(&[0, 330, 660], &[395], excess), [Some(330)]);
            assert_eq!(pairs(&[0, 330, 660], &[725], excess), [Some(660)]);
            assert_eq!(pairs(&[0, 330], &[65, 395], excess), [Some(0), Some(330)]);
        }
        assert_eq!(
            cheapest_in_order(&[0, 330], &[65, 70, 395], excess),
            [Some(0), None, Some(330)]
        );
    }
}
