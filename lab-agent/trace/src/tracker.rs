//! Both directions of a connection, packet by packet: what each departure
//! carried and why it left, and what its arrival brought.
//!
//! Each end's packets come in the order of its capture; how the two ends' take
//! turns changes nothing in the end.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{BTreeMap, VecDeque};

use crate::capture::Packet;
use crate::coverage::Parts;
use crate::distribution::{Sample, distribution};
use crate::error::Direction;
use crate::leaf::Leaf;
use crate::ordinal::Ordinals;
use crate::packets::{PacketKind, PacketPassage};
use crate::ranges::{DeliveredRange, Ranges};
use crate::receiving::{Receiving, Said, Taken};
use crate::recoveries::Recoveries;
use crate::sending::{Sending, Sent};
use crate::spurious::Spurious;
use crate::traffic::Traffic;

/// A connection so far.
#[derive(Clone, Debug)]
pub(crate) struct Tracker {
    pub forward: Way,
    pub backward: Way,
    /// The stream from sender to receiver.
    pub ranges: Ranges,
    /// Where its packets' new bytes end, in order of the stream.
    pub packet_ends: Vec<u64>,
}

/// One direction.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    sending: Sending,
    pub receiving: Receiving,
    pub departures: Departures,
    spurious: Spurious,
    /// None when nobody asks.
    ordinals: Option<Ordinals>,
    pub traffic: Traffic,
    first_data_ns: Option<i64>,
    /// Of departures that carry more than one part of the stream.
    pieces: BTreeMap<u64, Parts>,
}

/// What left, in order; the oldest may be forgotten.
#[derive(Clone, Debug, Default)]
pub(crate) struct Departures {
    list: VecDeque<Departure>,
    forgotten: u64,
}

/// A departure and what became of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Departure {
    pub passage: PacketPassage,
    /// Of its bytes, those sent before.
    pub old_bytes: u64,
    /// Whether any copy was taken into the far end's stream.
    accepted: bool,
    /// Of a retransmission's bytes, those that an earlier copy brought.
    pub spurious_bytes: u64,
    /// Of a bundle's old bytes, those that it brought first.
    pub hit_bytes: u64,
}

impl Tracker {
    /// Origins are the sequence numbers of offset 0, where known.
    pub(crate) fn new(forward: Option<u32>, backward: Option<u32>, ranges: Ranges) -> Self {
        Self {
            forward: Way::new(forward),
            backward: Way::new(backward),
            ranges,
            packet_ends: Vec::new(),
        }
    }

    /// Also remembers, of the stream forward, what [`Way::own`] tells.
    pub(crate) fn with_own(mut self) -> Self {
        self.forward.sending.measure_acks();
        self.forward.ordinals = Some(Ordinals::default());
        self
    }

    pub(crate) fn way(&self, direction: Direction) -> &Way {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Backward => &self.backward,
        }
    }

    /// The way a packet goes, and the other one.
    fn ways(&mut self, direction: Direction) -> (&mut Way, &mut Way) {
        match direction {
            Direction::Forward => (&mut self.forward, &mut self.backward),
            Direction::Backward => (&mut self.backward, &mut self.forward),
        }
    }

    /// A packet leaves; returns its number among its direction's departures.
    #[inline]
    pub(crate) fn depart(
        &mut self,
        leaf: &mut impl Leaf,
        direction: Direction,
        packet: &Packet,
    ) -> u64 {
        let (way, other) = self.ways(direction);
        let mut said = Said::default();
        if packet.flags.ack() {
            said = leaf.say(direction, &mut other.receiving, packet);
        }
        let number = way.departures.until();
        let mut sent = Sent::default();
        leaf.depart(direction, &mut way.sending, packet, &mut sent);
        way.depart(number, direction, packet, said, &mut sent);
        if direction == Direction::Forward {
            for &(start, end) in &sent.new {
                self.ranges.depart(start, end, packet.at_ns);
                if self.packet_ends.last().is_none_or(|last| *last <= end) {
                    self.packet_ends.push(end);
                } else {
                    let at = self.packet_ends.partition_point(|other| *other <= end);
                    self.packet_ends.insert(at, end);
                }
            }
        } else {
            self.ranges
                .acknowledge(self.forward.receiving.acknowledged());
        }
        number
    }

    /// A packet comes, at `at_ns` by the sender's clock.
    #[inline]
    pub(crate) fn arrive(
        &mut self,
        leaf: &mut impl Leaf,
        direction: Direction,
        packet: &Packet,
        at_ns: i64,
    ) -> Taken {
        if packet.is_damaged() {
            return Taken::default();
        }
        let (way, other) = self.ways(direction);
        if packet.flags.ack() {
            leaf.hear(direction, &mut other.sending, packet);
        }
        let mut taken = Taken::default();
        leaf.take(direction, &mut way.receiving, packet, &mut taken);
        if direction == Direction::Forward {
            for (start, end) in &taken.new {
                self.ranges.arrive(*start, *end, at_ns);
            }
        }
        taken
    }

    /// What left with a number comes, of which no header says where in the stream it belongs.
    pub(crate) fn arrive_as(&mut self, direction: Direction, number: u64, at_ns: i64) -> Taken {
        let way = self.ways(direction).0;
        let Some(departure) = way.departures.get(number) else {
            return Taken::default();
        };
        let (start, end) = (departure.passage.start, departure.passage.end);
        if start == end {
            return Taken::default();
        }
        let mut taken = Taken::default();
        way.receiving.take_parts(&[(start, end)], &mut taken);
        if direction == Direction::Forward {
            for (start, end) in &taken.new {
                self.ranges.arrive(*start, *end, at_ns);
            }
        }
        taken
    }

    /// Forgets a direction's departures before a number.
    pub(crate) fn forget(&mut self, direction: Direction, number: u64) {
        self.ways(direction).0.forget(number);
    }

    /// What [`Way::own`] would tell of since the last time, so that it need not be kept:
    /// how long acknowledgements took, and what retransmissions brought.
    pub(crate) fn take_own(
        &mut self,
        mut acknowledged: impl FnMut(i64),
        brought: impl FnMut(usize, Sample),
    ) {
        self.forward
            .sending
            .take_to_acks_ns()
            .for_each(&mut acknowledged);
        if let Some(ordinals) = &mut self.forward.ordinals {
            ordinals.take(&self.ranges, brought);
        }
    }

    /// Forgets of retransmissions what only concerns the stream before an offset.
    pub(crate) fn forget_before(&mut self, offset: u64) {
        let until = self.forward.departures.forgotten;
        if let Some(ordinals) = &mut self.forward.ordinals {
            ordinals.forget(until, offset);
        }
    }

    /// An arrival turns out to be a copy of a departure, the first or a later one.
    pub(crate) fn settle(
        &mut self,
        direction: Direction,
        departure: u64,
        first_ns: Option<i64>,
        taken: &Taken,
    ) {
        self.ways(direction).0.settle(departure, first_ns, taken);
    }
}

impl Way {
    fn new(origin: Option<u32>) -> Self {
        Self {
            sending: Sending::new(origin),
            receiving: Receiving::new(origin),
            departures: Departures::default(),
            spurious: Spurious::default(),
            ordinals: None,
            traffic: Traffic::default(),
            first_data_ns: None,
            pieces: BTreeMap::new(),
        }
    }

    /// What its sender has of it.
    pub(crate) fn own(&self, ranges: &[DeliveredRange]) -> Recoveries {
        let ordinals = self.ordinals.as_ref();
        let to_ack = |latency_ns: &i64| Sample {
            latency_ns: *latency_ns,
            weight: 1,
        };
        let to_acks_ns = self.sending.to_acks_ns();
        Recoveries {
            time_to_ack: distribution(to_acks_ns.iter().map(to_ack).collect()),
            by_ordinal: ordinals.map_or(Vec::new(), |ordinals| ordinals.latencies(ranges)),
        }
    }

    fn depart(
        &mut self,
        number: u64,
        direction: Direction,
        packet: &Packet,
        said: Said,
        sent: &mut Sent,
    ) {
        self.traffic.probe_packets += u64::from(sent.is_probe);
        let mut spurious_bytes = 0;
        if let Some(carried) = &sent.carried {
            self.traffic.count(carried);
            let first_ns = *self.first_data_ns.get_or_insert(packet.at_ns);
            self.traffic.span_ns = (packet.at_ns - first_ns).max(0) as u64;
            if carried.is_retransmission() {
                let whole = [(carried.start, carried.end)];
                let pieces = sent.pieces.as_ref().map_or(&whole[..], |pieces| pieces);
                for &(start, end) in pieces {
                    let end = end.min(carried.new_from);
                    if start < end {
                        spurious_bytes += self.spurious.depart(number, start, end);
                        if let Some(ordinals) = &mut self.ordinals {
                            ordinals.depart(number, start, end);
                        }
                    }
                }
                self.traffic
                    .count_spurious(spurious_bytes, spurious_bytes == carried.old_bytes);
            }
        }
        if let Some(pieces) = sent.pieces.take() {
            self.pieces.insert(number, *pieces);
        }
        let carried = sent.carried.as_ref();
        self.departures.list.push_back(Departure {
            passage: PacketPassage {
                forward: direction == Direction::Forward,
                kind: PacketKind::of(packet, carried),
                sent_ns: packet.at_ns,
                arrived_ns: None,
                start: carried.map_or(0, |carried| carried.start),
                end: carried.map_or(0, |carried| carried.end),
                new_from: carried.map_or(0, |carried| carried.new_from),
                acknowledged: said.acknowledged,
                duplicate: said.duplicate,
                selective: packet.sacked_bytes.is_some(),
                cause: sent.cause,
            },
            old_bytes: carried.map_or(0, |carried| carried.old_bytes),
            accepted: false,
            spurious_bytes,
            hit_bytes: 0,
        });
    }

    fn settle(&mut self, number: u64, first_ns: Option<i64>, taken: &Taken) {
        let Some(departure) = self.departures.get_mut(number) else {
            return;
        };
        let passage = &mut departure.passage;
        passage.arrived_ns = passage.arrived_ns.or(first_ns);
        if passage.kind == PacketKind::Bundle {
            let old =
                |(start, end): &(u64, u64)| (*end).min(passage.new_from).saturating_sub(*start);
            let hit_bytes: u64 = taken.new.iter().map(old).sum();
            departure.hit_bytes += hit_bytes;
            self.traffic.bundle_hit_bytes += hit_bytes;
        }
        let is_again = passage.kind == PacketKind::Retransmission;
        if let (true, Some(ordinals), Some(at_ns)) = (is_again, &mut self.ordinals, first_ns) {
            ordinals.arrive(number, &taken.new, at_ns);
        }
        if !taken.accepted || departure.accepted || departure.passage.end == 0 {
            return;
        }
        departure.accepted = true;
        let whole = [(departure.passage.start, departure.passage.end)];
        let pieces = self.pieces.get(&number).map_or(&whole[..], |pieces| pieces);
        for &(start, end) in pieces {
            for (again, bytes) in self.spurious.arrive(number, start, end) {
                let Some(again) = self.departures.get_mut(again) else {
                    continue;
                };
                again.spurious_bytes += bytes;
                let whole = again.spurious_bytes == again.old_bytes;
                self.traffic.count_spurious(bytes, whole);
            }
        }
    }

    fn forget(&mut self, number: u64) {
        while self.departures.forgotten < number && self.departures.list.pop_front().is_some() {
            self.departures.forgotten += 1;
        }
        self.spurious.forget(self.departures.forgotten);
    }
}

impl Departures {
    /// The number that the next one gets.
    pub(crate) fn until(&self) -> u64 {
        self.forgotten + self.list.len() as u64
    }

    /// The number of the first one that is not forgotten.
    pub(crate) fn forgotten(&self) -> u64 {
        self.forgotten
    }

    pub(crate) fn get(&self, number: u64) -> Option<&Departure> {
        let at = number.checked_sub(self.forgotten)?;
        self.list.get(at as usize)
    }

    fn get_mut(&mut self, number: u64) -> Option<&mut Departure> {
        let at = number.checked_sub(self.forgotten)?;
        self.list.get_mut(at as usize)
    }

    /// Those not forgotten, in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Departure> + Clone {
        self.list.iter()
    }
}
