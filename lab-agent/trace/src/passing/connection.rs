//! A connection whose packets pass: tracked by the code that goes through whole
//! captures, with what is settled told and forgotten at once.
// SPDX-License-Identifier: Apache-2.0

use super::crossing::Crossing;
use super::tally::Tally;
use super::{HELD_NS, MOST_HELD, Unclear};
use crate::capture::Packet;
use crate::curve::Curve;
use crate::error::{Direction, End};
use crate::flow::Flow;
use crate::leaf::Tcp;
use crate::metrics::{message_sample, metrics};
use crate::pairing::{DirectionCount, key};
use crate::ranges::Ranges;
use crate::recoveries::Recoveries;
use crate::summary::Summary;
use crate::tracker::Tracker;
use crate::warning::Suspicions;

/// How often that is looked at which hardly ever needs to be forgotten.
const FORGET_EVERY_NS: i64 = 1_000_000_000;
/// So many arrivals that were not seen leaving, and none that was, are another
/// connection's, or of one whose packets a middlebox has rewritten.
const HOPELESS: u64 = 1_024;

/// Which flow, and the sequence number of its stream's first byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub flow: Flow,
    pub origin: u32,
}

/// All that is known of a connection so far.
#[derive(Debug)]
pub(super) struct Passing {
    opening: Opening,
    /// Whether messages end where packets do.
    by_packet: bool,
    tracker: Tracker,
    crossings: [Crossing; 2],
    tally: Tally,
    to_ack: Curve,
    by_ordinal: Vec<Curve>,
    suspicions: Suspicions,
    /// Whether each capture holds any whole packet.
    is_in: [bool; 2],
    way: WayShown,
    forgotten_ns: i64,
}

/// Which way the stream goes, as the sender's capture shows it.
#[derive(Debug, Default)]
struct WayShown {
    forward_bytes: u64,
    backward_bytes: u64,
    /// Whether the last SYN says so.
    opened_forward: Option<bool>,
}

impl Passing {
    /// Messages end at `ends` or, without them, where each packet's new bytes do.
    pub fn new(opening: Opening, ends: Option<&[u64]>) -> Self {
        Self {
            opening,
            by_packet: ends.is_none(),
            tracker: Tracker::new(Some(opening.origin), None, Ranges::default()).with_own(),
            crossings: Default::default(),
            tally: Tally::new(ends.unwrap_or_default()),
            to_ack: Curve::default(),
            by_ordinal: Vec::new(),
            suspicions: Suspicions::default(),
            is_in: [false; 2],
            way: WayShown::default(),
            forgotten_ns: i64::MIN,
        }
    }

    /// A packet in the capture of `end`; all before it, of both, were told.
    pub fn saw(&mut self, end: End, direction: Direction, packet: &Packet) -> Result<(), Unclear> {
        self.suspicions.hear(end, direction, packet);
        if self.opens_another(end, direction, packet) {
            return Err(Unclear);
        }
        self.is_in[end as usize] |= !packet.is_damaged();
        if end == End::Sender {
            self.way.see(direction, packet);
        }
        if (end == End::Sender) == (direction == Direction::Forward) {
            self.depart(direction, packet)?;
        } else {
            self.arrive(direction, packet)?;
        }
        self.take_settled(packet.at_ns)
    }

    /// Whether it is a SYN that begins another stream than the one at work.
    fn opens_another(&self, end: End, direction: Direction, packet: &Packet) -> bool {
        let counts = end == End::Sender || !packet.is_damaged();
        let opens = packet.flags.syn() && direction == Direction::Forward && counts;
        opens && packet.seq.wrapping_add(1) != self.opening.origin
    }

    fn depart(&mut self, direction: Direction, packet: &Packet) -> Result<(), Unclear> {
        self.crossings[direction as usize].depart(key(packet), packet.at_ns)?;
        self.tracker.depart(&mut Tcp, direction, packet);
        while let Some(end) = self.tracker.packet_ends.pop() {
            // Bytes that only now were seen leaving, where what is behind them was told.
            if end <= self.tally.until {
                return Err(Unclear);
            }
            if self.by_packet {
                self.tally.end(end);
            }
        }
        let departures = &self.tracker.way(direction).departures;
        if departures.until() - departures.forgotten() > MOST_HELD as u64 {
            self.forget_departures(direction, packet.at_ns);
        }
        Ok(())
    }

    fn arrive(&mut self, direction: Direction, packet: &Packet) -> Result<(), Unclear> {
        let at_ns = packet.at_ns;
        let crossing = &mut self.crossings[direction as usize];
        if packet.is_damaged() {
            crossing.damaged(at_ns);
            return Ok(());
        }
        let taken = self.tracker.arrive(&mut Tcp, direction, packet, at_ns);
        // Bytes that came after all, where what is behind them was told already.
        if direction == Direction::Forward
            && taken.new.iter().any(|(start, _)| *start < self.tally.until)
        {
            return Err(Unclear);
        }
        let Some(number) = crossing.arrive(key(packet), at_ns) else {
            let count = &crossing.count;
            let is_hopeless = count.arrived == 0 && count.unsent > HOPELESS;
            return if is_hopeless { Err(Unclear) } else { Ok(()) };
        };
        let Some(departure) = self.tracker.way(direction).departures.get(number) else {
            return Ok(());
        };
        let passage = departure.passage;
        let is_first = passage.arrived_ns.is_none();
        if is_first {
            crossing.meet(at_ns - passage.sent_ns);
            if direction == Direction::Forward && passage.end > passage.start {
                self.tally.arrive(at_ns, number, passage);
            }
        } else {
            crossing.count.duplicated += 1;
        }
        self.tracker
            .settle(direction, number, is_first.then_some(at_ns), &taken);
        Ok(())
    }

    /// Tells what cannot change any more.
    fn take_settled(&mut self, now_ns: i64) -> Result<(), Unclear> {
        let Self {
            tracker,
            to_ack,
            by_ordinal,
            tally,
            ..
        } = self;
        tracker.take_own(
            |latency_ns| to_ack.add(message_sample(latency_ns)),
            |ordinal, sample| {
                if by_ordinal.len() < ordinal {
                    by_ordinal.resize_with(ordinal, Curve::default);
                }
                by_ordinal[ordinal - 1].add(sample);
            },
        );
        let held_ns = now_ns.saturating_sub(HELD_NS);
        while let Some(range) = tracker.ranges.take_first(held_ns) {
            tally.take(&range, tracker.forward.receiving.acknowledged())?;
        }
        if now_ns >= self.forgotten_ns.saturating_add(FORGET_EVERY_NS) {
            self.forgotten_ns = now_ns;
            // Many at once: one by one, each would have to be fetched from far away.
            self.forget_departures(Direction::Forward, now_ns);
            self.forget_departures(Direction::Backward, now_ns);
            self.tracker.forget_before(self.tally.until);
            self.tracker.ranges.forget_unsent(held_ns);
        }
        Ok(())
    }

    /// Forgets what has left too long ago to arrive.
    fn forget_departures(&mut self, direction: Direction, now_ns: i64) {
        let departures = &self.tracker.way(direction).departures;
        let held_ns = now_ns.saturating_sub(HELD_NS);
        let crossing = &mut self.crossings[direction as usize];
        let mut number = departures.forgotten();
        while let Some(departure) = departures.get(number)
            && (departure.passage.sent_ns < held_ns
                || departures.until() - number > MOST_HELD as u64)
        {
            let passage = &departure.passage;
            crossing.forget(passage.sent_ns, passage.arrived_ns.is_some());
            number += 1;
        }
        if number > departures.forgotten() {
            self.tracker.forget(direction, number);
        }
    }

    /// Whether the sender's capture shows that the stream goes the other way.
    pub fn goes_back(&self) -> Result<bool, Unclear> {
        let way = &self.way;
        match way.opened_forward {
            Some(forward) => Ok(!forward),
            None if way.forward_bytes == way.backward_bytes => Err(Unclear),
            None => Ok(way.forward_bytes < way.backward_bytes),
        }
    }

    /// Nothing more comes; none without data. Stamps may be off by `slack_ns`.
    pub fn finish(mut self, fragments: u64, slack_ns: i64) -> Result<Option<Summary>, Unclear> {
        let acknowledged = self.tracker.forward.receiving.acknowledged();
        while let Some(range) = self.tracker.ranges.take_any() {
            self.tally.take(&range, acknowledged)?;
        }
        let mut counts = [DirectionCount::default(); 2];
        for direction in [Direction::Forward, Direction::Backward] {
            let crossing = &mut self.crossings[direction as usize];
            let lowest_delay_ns = crossing.lowest_delay_ns.unwrap_or(0);
            if crossing.is_foreign() || crossing.has_damage && lowest_delay_ns < slack_ns {
                return Err(Unclear);
            }
            for departure in self.tracker.way(direction).departures.iter() {
                let passage = &departure.passage;
                crossing.forget(passage.sent_ns, passage.arrived_ns.is_some());
            }
            counts[direction as usize] = crossing.settled();
        }
        let traffic = self.tracker.forward.traffic;
        if self.is_in != [true; 2] {
            return Err(Unclear);
        }
        if traffic.data_packets == 0 {
            return Ok(None);
        }
        let lowest_ns = self.crossings.iter().map(|it| it.lowest_delay_ns);
        let lowest_rtt_ns = lowest_ns.sum();
        let missing_at_sender = self.tracker.ranges.arrived_bytes() - self.tally.arrived_bytes;
        self.suspicions.fragments = fragments;
        let missing = [self.tally.missing_bytes, missing_at_sender];
        let warnings = self.suspicions.warnings(missing, counts);
        let delivered_bytes = self.tally.delivered_bytes;
        let (latencies, late) = self.tally.told(lowest_rtt_ns);
        let metrics = metrics(&traffic, counts, delivered_bytes, latencies);
        let flow = self.opening.flow;
        let mut summary = Summary::new(flow, metrics, (traffic, counts), late, warnings);
        let by_ordinal = self.by_ordinal.into_iter();
        summary.recoveries = Recoveries {
            time_to_ack: self.to_ack.whole().told(),
            by_ordinal: by_ordinal.map(|curve| curve.whole().told()).collect(),
        };
        Ok(Some(summary))
    }
}

impl WayShown {
    fn see(&mut self, direction: Direction, packet: &Packet) {
        if packet.is_damaged() {
            return;
        }
        let forward = direction == Direction::Forward;
        let bytes = if forward {
            &mut self.forward_bytes
        } else {
            &mut self.backward_bytes
        };
        *bytes += u64::from(packet.payload_bytes);
        if packet.flags.syn() {
            self.opened_forward = Some(forward != packet.flags.ack());
        }
    }
}
