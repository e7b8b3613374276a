//! Whole captures: which packet is which with all of both ends in view, and a
//! tracker led through them.
// SPDX-License-Identifier: Apache-2.0

use crate::alike::{Alike, Finder};
use crate::capture::{Packet, Protocol};
use crate::clock::ClockRelation;
use crate::damage;
use crate::datagrams::Datagrams;
use crate::error::{AnalyzeError, Direction};
use crate::flow::{self, EndView, Flow};
use crate::leaf::{Leaf, Tcp};
use crate::pairing::{Came, DirectionCount, Key, Pairing, key};
use crate::ranges::Ranges;
use crate::receiving::Taken;
use crate::sctp::Association;
use crate::tracker::Tracker;
use crate::twins;

/// The pairing of one direction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paired {
    /// For each departure, its first undamaged arrival.
    pub arrival_of: Vec<Option<u32>>,
    /// For each arrival, the departure it is a copy of.
    pub departure_of: Vec<Option<u32>>,
    pub count: DirectionCount,
    pairing: Pairing,
}

/// The packets of one direction and their instants, on one clock.
pub(crate) struct Ends<'a> {
    departures: &'a [&'a Packet],
    arrivals: &'a [&'a Packet],
    relation: Relation,
    /// Rounding of the stamps: a delay may look this much too short.
    slack_ns: i64,
}

/// How stamps become the sender's.
#[derive(Clone, Copy, Default)]
pub(crate) struct Relation {
    pub departures: ClockRelation,
    pub arrivals: ClockRelation,
}

impl<'a> Ends<'a> {
    pub(crate) fn new(
        departures: &'a [&'a Packet],
        arrivals: &'a [&'a Packet],
        relation: Relation,
        slack_ns: i64,
    ) -> Self {
        Self {
            departures,
            arrivals,
            relation,
            slack_ns,
        }
    }

    fn departed_ns(&self, departure: usize) -> i64 {
        let at_ns = self.departures[departure].at_ns;
        self.relation.departures.on_senders_clock(at_ns)
    }

    fn arrived_ns(&self, arrival: usize) -> i64 {
        let at_ns = self.arrivals[arrival].at_ns;
        self.relation.arrivals.on_senders_clock(at_ns)
    }

    fn delay_ns(&self, departure: usize, arrival: usize) -> i64 {
        self.arrived_ns(arrival) - self.departed_ns(departure)
    }
}

/// Pairs all packets that have no twin among the departures.
pub(crate) fn pair(departures: &[&Packet], arrivals: &[&Packet]) -> Paired {
    let with_ids = pair_by(departures, arrivals, key);
    if with_ids.departure_of.iter().any(Option::is_some) {
        return with_ids;
    }
    // A middlebox that rewrites the identification changes it in all packets.
    let without_ids = pair_by(departures, arrivals, |packet| packet.identity);
    if without_ids.departure_of.iter().any(Option::is_some) {
        return without_ids;
    }
    // A capture that cuts packets inside their options has none of these in whole.
    pair_by(departures, arrivals, fixed_key)
}

/// Of what the fixed part of the TCP header says.
fn fixed_key(packet: &Packet) -> Key {
    let numbers = u64::from(packet.seq) << 32 | u64::from(packet.ack);
    let flags_and_window = u64::from(packet.flags.0) << 16 | u64::from(packet.window);
    let rest = flags_and_window << 32 | u64::from(packet.payload_bytes);
    let mixed = u128::from(numbers ^ 0x243f_6a88_85a3_08d3) * u128::from(rest.rotate_left(17) | 1);
    (mixed as u64 ^ (mixed >> 64) as u64).wrapping_add(numbers.rotate_left(29) ^ rest)
}

fn pair_by(departures: &[&Packet], arrivals: &[&Packet], key: impl Fn(&Packet) -> Key) -> Paired {
    let keys: Vec<Key> = departures.iter().map(|packet| key(packet)).collect();
    let alike = Alike::of(&keys);
    let mut pairing = Pairing::default();
    for (departure, key) in keys.iter().enumerate().filter(|(_, key)| alike.has(**key)) {
        pairing.depart(*key, departure as u32);
    }
    let mut alone = Finder::of(&keys);
    let mut arrival_of = vec![None; departures.len()];
    let mut departure_of = vec![None; arrivals.len()];
    let mut count = DirectionCount {
        sent: departures.len() as u64,
        ..DirectionCount::default()
    };
    for (arrival, packet) in arrivals.iter().enumerate() {
        if packet.is_damaged() {
            continue;
        }
        let key = key(packet);
        if alike.has(key) {
            match pairing.arrive(key, arrival as u32) {
                Came::First(departure) => {
                    arrival_of[departure as usize] = Some(arrival as u32);
                    departure_of[arrival] = Some(departure);
                }
                Came::Copy(departure) => departure_of[arrival] = Some(departure),
                Came::Unsent | Came::Twin(_) => {}
            }
            continue;
        }
        let Some(departure) = alone.find(key) else {
            count.unsent += 1;
            continue;
        };
        departure_of[arrival] = Some(departure as u32);
        let first = arrival_of[departure].get_or_insert(arrival as u32);
        count.duplicated += u64::from(*first != arrival as u32);
    }
    count.duplicated += pairing.duplicated;
    count.unsent += pairing.unsent;
    Paired {
        arrival_of,
        departure_of,
        count,
        pairing,
    }
}

impl Paired {
    /// Departures with their first undamaged arrivals, as far as settled.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let paired = self.arrival_of.iter().enumerate();
        paired.filter_map(|(departure, arrival)| Some((departure, (*arrival)? as usize)))
    }

    /// Whether no packet was seen at both ends.
    pub(crate) fn is_empty(&self) -> bool {
        let twins = &self.pairing.twins;
        twins.iter().all(|twins| twins.arrivals.is_empty()) && self.pairs().next().is_none()
    }

    /// Pairs the rest by time, and settles the counts. `damaged_ns` are the
    /// arrivals with a wrong checksum.
    pub(crate) fn resolve(&mut self, ends: &Ends, damaged_ns: &[i64]) {
        let delays = self
            .pairs()
            .map(|(departure, arrival)| ends.delay_ns(departure, arrival));
        let minimum_ns = delays.min().unwrap_or(0);
        let excess = |departure: usize, arrival: usize| {
            let excess = ends.delay_ns(departure, arrival) - minimum_ns;
            (excess >= -ends.slack_ns).then_some(excess.max(0))
        };
        let indices = |list: &[u32]| list.iter().map(|index| *index as usize).collect();
        for group in std::mem::take(&mut self.pairing.twins) {
            let departures: Vec<usize> = indices(&group.departures);
            let arrivals: Vec<usize> = indices(&group.arrivals);
            let pairs = twins::pair(&departures, &arrivals, excess);
            for (arrival, departure) in arrivals.iter().zip(pairs) {
                let Some(departure) = departure else {
                    // A copy of whichever: the latest that could have made it.
                    let able = departures
                        .iter()
                        .rev()
                        .find(|departure| excess(**departure, *arrival).is_some());
                    self.departure_of[*arrival] = able.map(|departure| *departure as u32);
                    self.count.duplicated += 1;
                    continue;
                };
                self.departure_of[*arrival] = Some(departure as u32);
                self.arrival_of[departure] = Some(*arrival as u32);
            }
        }
        let missing = self.arrival_of.iter().enumerate();
        let missing_ns = missing
            .filter(|(_, arrival)| arrival.is_none())
            .map(|(departure, _)| ends.departed_ns(departure));
        let early_ns = (ends.slack_ns - minimum_ns).max(0);
        self.count.damaged = damage::explained(missing_ns, damaged_ns, early_ns);
        self.count.arrived = self.arrival_of.iter().flatten().count() as u64 + self.count.damaged;
        self.count.lost = self.count.sent - self.count.arrived;
    }
}

/// One end's packets of both directions, in the order of its capture.
struct Captured<'a> {
    view: &'a EndView<'a>,
    relation: ClockRelation,
    passed: usize,
    forward: usize,
    backward: usize,
}

impl<'a> Captured<'a> {
    fn new(view: &'a EndView, relation: ClockRelation) -> Self {
        Self {
            view,
            relation,
            passed: 0,
            forward: 0,
            backward: 0,
        }
    }

    /// The next packet: its direction, its place in it, its instant.
    fn peek(&self) -> Option<(Direction, usize, &'a Packet, i64)> {
        let is_forward = *self.view.order.get(self.passed)?;
        let (direction, at, list) = if is_forward {
            (Direction::Forward, self.forward, &self.view.forward)
        } else {
            (Direction::Backward, self.backward, &self.view.backward)
        };
        let packet = list[at];
        Some((
            direction,
            at,
            packet,
            self.relation.on_senders_clock(packet.at_ns),
        ))
    }

    fn pass(&mut self, direction: Direction) {
        self.passed += 1;
        match direction {
            Direction::Forward => self.forward += 1,
            Direction::Backward => self.backward += 1,
        }
    }
}

/// A connection that was gone through.
pub(crate) struct Tracked<'a> {
    pub tracker: Tracker,
    /// What its chunks are, if it is SCTP's.
    pub association: Option<Association<'a>>,
}

/// A tracker led through captures by one clock, where the flow may carry data one
/// way only.
pub(crate) fn by_one_clock<'a>(
    here: &EndView<'a>,
    there: &EndView<'a>,
    flow: &Flow,
) -> Result<Tracked<'a>, AnalyzeError> {
    let (turned, reversed) = ((there.turned(), here.turned()), flow.reversed());
    let origins = (
        known(flow::origin(here, there, flow))?,
        known(flow::origin(&turned.0, &turned.1, &reversed))?,
    );
    let mut forward = pair(&here.forward, &there.forward);
    let mut backward = pair(&there.backward, &here.backward);
    let relation = Relation::default();
    let ends = Ends::new(&here.forward, &there.forward, relation, 0);
    forward.resolve(&ends, &[]);
    let ends = Ends::new(&there.backward, &here.backward, relation, 0);
    backward.resolve(&ends, &[]);
    let relation = ClockRelation::default();
    let pairs = (&forward, &backward);
    Ok(track((here, there), origins, relation, pairs))
}

/// A direction in which nothing but acknowledgements went has none.
fn known(origin: Result<u32, AnalyzeError>) -> Result<Option<u32>, AnalyzeError> {
    match origin {
        Ok(origin) => Ok(Some(origin)),
        Err(AnalyzeError::NoData { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Leads a tracker through both captures, as far as the clocks allow in the
/// order in which it happened.
pub(crate) fn track<'a>(
    (here, there): (&EndView<'a>, &EndView<'a>),
    origins: (Option<u32>, Option<u32>),
    relation: ClockRelation,
    pairs: (&Paired, &Paired),
) -> Tracked<'a> {
    let views = (here, there);
    if here.protocol == Protocol::Sctp {
        let mut association = Association::of(here, there, origins);
        let tracker = lead(views, origins, relation, pairs, &mut association);
        return Tracked {
            tracker,
            association: Some(association),
        };
    }
    let tracker = if here.protocol.is_of_datagrams() {
        let mut datagrams = Datagrams::of(views, pairs);
        lead(views, origins, relation, pairs, &mut datagrams)
    } else {
        lead(views, origins, relation, pairs, &mut Tcp)
    };
    Tracked {
        tracker,
        association: None,
    }
}

fn lead(
    (here, there): (&EndView, &EndView),
    origins: (Option<u32>, Option<u32>),
    relation: ClockRelation,
    (forward, backward): (&Paired, &Paired),
    leaf: &mut impl Leaf,
) -> Tracker {
    let mut tracker = Tracker::new(origins.0, origins.1, Ranges::default()).with_own();
    let mut sender = Captured::new(here, ClockRelation::default());
    let mut receiver = Captured::new(there, relation);
    let mut early: Vec<(Direction, u32, Option<i64>, Taken)> = Vec::new();
    let mut nexts = (sender.peek(), receiver.peek());
    loop {
        let is_here = match &nexts {
            (Some((.., here_ns)), Some((.., there_ns))) => here_ns <= there_ns,
            (here, _) => here.is_some(),
        };
        let (end, next) = if is_here {
            (&mut sender, &mut nexts.0)
        } else {
            (&mut receiver, &mut nexts.1)
        };
        let Some((direction, at, packet, at_ns)) = *next else {
            break;
        };
        end.pass(direction);
        *next = end.peek();
        if is_here == (direction == Direction::Forward) {
            tracker.depart(leaf, direction, packet);
            continue;
        }
        let taken = tracker.arrive(leaf, direction, packet, at_ns);
        let paired = match direction {
            Direction::Forward => forward,
            Direction::Backward => backward,
        };
        let Some(departure) = paired.departure_of[at] else {
            continue;
        };
        let is_first = paired.arrival_of[departure as usize] == Some(at as u32);
        let first_ns = is_first.then_some(at_ns);
        if u64::from(departure) < tracker.way(direction).departures.until() {
            tracker.settle(direction, u64::from(departure), first_ns, &taken);
        } else {
            early.push((direction, departure, first_ns, taken));
        }
    }
    for (direction, departure, first_ns, taken) in early {
        tracker.settle(direction, u64::from(departure), first_ns, &taken);
    }
    tracker
}
