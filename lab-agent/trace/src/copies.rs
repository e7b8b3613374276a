//! Every departure that carried a byte, and what brought the byte when the first
//! of them was lost.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::Recovery;

use crate::capture::Packet;
use crate::error::AnalyzeError;
use crate::flow::{self, EndView, Flow, Unwrap};
use crate::pairing::{self, Ends};
use crate::traffic::{self, DataPacket};
use crate::{Capture, DeliveredRange, delivery};

/// A retransmission that leaves so soon after an acknowledgement came was made
/// by it; a timer's falls there by chance only.
const AT_ONCE_NS: i64 = 2_000_000;

/// One stream's departures, joined with their arrivals; both captures by one
/// clock.
pub struct Departures {
    data: Vec<Departure>,
    /// When acknowledgements came to the sender, and how far what they
    /// acknowledge selectively reaches.
    heard: Vec<(i64, Option<u64>)>,
    /// What RACK waits for reordered packets: a quarter of the round trip.
    reordering_ns: i64,
    /// Every byte that was sent, range by range.
    pub ranges: Vec<DeliveredRange>,
    /// One-way delay of every packet that arrived, payload or not: departure
    /// and delay.
    pub forward_delays_ns: Vec<(i64, i64)>,
    /// The same of the way back.
    pub backward_delays_ns: Vec<(i64, i64)>,
}

#[derive(Clone, Copy)]
struct Departure {
    data: DataPacket,
    at_ns: i64,
    arrived_ns: Option<i64>,
}

impl Departures {
    /// Reads both captures.
    ///
    /// # Errors
    /// [`AnalyzeError`], when they do not hold the flow.
    pub fn read(sender: &Capture, receiver: &Capture, flow: &Flow) -> Result<Self, AnalyzeError> {
        let flow = flow::choose(sender, receiver, Some(*flow))?;
        let (here, there) = (EndView::new(sender, &flow), EndView::new(receiver, &flow));
        let origin = flow::origin(&here, &there, &flow)?;
        let sending = traffic::read(&here, origin);
        let arrivals = |view: &[&Packet]| view.iter().map(|packet| packet.at_ns).collect();
        let forward_arrived: Vec<i64> = arrivals(&there.forward);
        let forward = pair(&here.forward, &there.forward);
        let backward = pair(&there.backward, &here.backward);
        let receiving = delivery::read(&there, origin, &forward_arrived);
        let delay = |departures: &[&Packet], arrivals: &[&Packet], pairing: &pairing::Pairing| {
            let delay = |(departure, arrival): (usize, usize)| {
                let departed_ns = departures[departure].at_ns;
                (departed_ns, arrivals[arrival].at_ns - departed_ns)
            };
            pairing.pairs().map(delay).collect::<Vec<_>>()
        };
        let forward_delays_ns = delay(&here.forward, &there.forward, &forward);
        let backward_delays_ns = delay(&there.backward, &here.backward, &backward);
        let least = |delays: &[(i64, i64)]| delays.iter().map(|(_, delay)| *delay).min();
        let round_trip_ns =
            least(&forward_delays_ns).unwrap_or(0) + least(&backward_delays_ns).unwrap_or(0);
        let data = sending.data.iter().map(|data| Departure {
            data: *data,
            at_ns: here.forward[data.packet].at_ns,
            arrived_ns: forward.arrival_of[data.packet].map(|arrival| forward_arrived[arrival]),
        });
        Ok(Self {
            data: data.collect(),
            heard: heard(&here, origin),
            reordering_ns: round_trip_ns / 4,
            ranges: delivery::join(&sending.first_sent, &receiving),
            forward_delays_ns,
            backward_delays_ns,
        })
    }

    /// When `start..end` had left, and when it had arrived, as far as it did.
    pub fn instants(&self, start: u64, end: u64) -> (Option<i64>, Option<i64>) {
        let first = self.ranges.partition_point(|range| range.end <= start);
        let inside = self.ranges[first..]
            .iter()
            .take_while(|range| range.start < end);
        let (mut covered, mut sent_ns, mut arrived_ns) = (0, None, Some(i64::MIN));
        for range in inside {
            covered += range.end.min(end) - range.start.max(start);
            sent_ns = sent_ns.max(Some(range.sent_ns));
            arrived_ns = arrived_ns.zip(range.arrived_ns).map(|(a, b)| a.max(b));
        }
        if covered < end - start {
            return (None, None);
        }
        (sent_ns, arrived_ns)
    }

    /// How many departures carried the byte at `offset`, and what brought it.
    pub fn of(&self, offset: u64) -> (u32, Recovery) {
        let carriers = self
            .data
            .iter()
            .filter(|departure| (departure.data.start..departure.data.end).contains(&offset));
        let carriers: Vec<&Departure> = carriers.collect();
        let arrived = carriers.iter().filter(|one| one.arrived_ns.is_some());
        let brought = arrived.min_by_key(|one| one.arrived_ns);
        let recovery = match (carriers.first(), brought) {
            (None, _) => Recovery::Unspecified,
            (Some(_), None) => Recovery::Never,
            (Some(first), Some(brought)) if first.at_ns == brought.at_ns => Recovery::None,
            (Some(_), Some(brought)) if brought.data.is_bundle() => Recovery::Bundle,
            (Some(first), Some(brought)) if self.was_asked_for(first, brought) => Recovery::Fast,
            _ => Recovery::Timeout,
        };
        (carriers.len() as u32, recovery)
    }

    /// Whether the sender had been told that something after `lost` arrived,
    /// and sent `again` because of it.
    fn was_asked_for(&self, lost: &Departure, again: &Departure) -> bool {
        let until = self
            .heard
            .partition_point(|(at_ns, _)| *at_ns <= again.at_ns);
        let since = self
            .heard
            .partition_point(|(at_ns, _)| *at_ns <= lost.at_ns);
        let between = &self.heard[since.min(until)..until];
        let told = between
            .iter()
            .find(|(_, reach)| reach.is_some_and(|reach| reach > lost.data.end));
        let (Some((told_ns, _)), Some((last_ns, _))) = (told, between.last()) else {
            return false;
        };
        again.at_ns - last_ns <= AT_ONCE_NS
            || again.at_ns - told_ns <= self.reordering_ns + AT_ONCE_NS
    }
}

pub(crate) fn pair(departures: &[&Packet], arrivals: &[&Packet]) -> pairing::Pairing {
    let mut pairing = pairing::pair(departures, arrivals);
    let departed_ns: Vec<i64> = departures.iter().map(|packet| packet.at_ns).collect();
    let arrived_ns: Vec<i64> = arrivals.iter().map(|packet| packet.at_ns).collect();
    let ends = Ends {
        departures,
        departed_ns: &departed_ns,
        arrived_ns: &arrived_ns,
        slack_ns: 0,
    };
    pairing.resolve(&ends, &[]);
    pairing
}

fn heard(here: &EndView, origin: u32) -> Vec<(i64, Option<u64>)> {
    let mut offsets = Unwrap::new(origin);
    here.backward
        .iter()
        .filter(|packet| packet.flags.ack() && !packet.is_damaged())
        .map(|packet| {
            let acknowledged = offsets.offset(packet.ack);
            let reach = packet
                .sacked_bytes
                .map(|above| (acknowledged + i64::from(above)).max(0) as u64);
            (packet.at_ns, reach)
        })
        .collect()
}
