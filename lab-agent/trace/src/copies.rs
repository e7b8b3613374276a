//! Every departure that carried a byte, and what brought the byte when the first
//! of them was lost.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::Recovery;

use crate::Capture;
use crate::DeliveredRange;
use crate::error::AnalyzeError;
use crate::flow::{self, EndView, Flow};
use crate::packets::{PacketKind, PacketPassage};
use crate::tracker::Way;
use crate::whole;

/// One stream's departures, joined with their arrivals; both captures by one
/// clock.
pub struct Departures {
    /// Whose they are.
    pub flow: Flow,
    data: Vec<PacketPassage>,
    /// Every byte that was sent, range by range.
    pub ranges: Vec<DeliveredRange>,
    /// One-way delay of every packet that arrived, payload or not: departure
    /// and delay.
    pub forward_delays_ns: Vec<(i64, i64)>,
    /// The same of the way back.
    pub backward_delays_ns: Vec<(i64, i64)>,
}

impl Departures {
    /// Reads both captures; of the only flow that both hold, where none is named.
    ///
    /// # Errors
    /// [`AnalyzeError`], when they do not hold the flow.
    pub fn read(
        sender: &Capture,
        receiver: &Capture,
        flow: Option<Flow>,
    ) -> Result<Self, AnalyzeError> {
        let flow = flow::choose(sender, receiver, flow)?;
        let (here, there) = (EndView::new(sender, &flow), EndView::new(receiver, &flow));
        flow::origin(&here, &there, &flow)?;
        let tracker = whole::by_one_clock(&here, &there, &flow)?.tracker;
        let passages = tracker.forward.departures.iter();
        let data = passages
            .map(|departure| departure.passage)
            .filter(|passage| passage.end > passage.start);
        Ok(Self {
            flow,
            data: data.collect(),
            forward_delays_ns: delays_ns(&tracker.forward),
            backward_delays_ns: delays_ns(&tracker.backward),
            ranges: tracker.ranges.into_sent(),
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
            .filter(|departure| (departure.start..departure.end).contains(&offset));
        let carriers: Vec<&PacketPassage> = carriers.collect();
        let first = self.ranges.partition_point(|range| range.end <= offset);
        let arrived_ns = self.ranges.get(first).and_then(|range| range.arrived_ns);
        let brought = carriers
            .iter()
            .find(|carrier| arrived_ns.is_some() && carrier.arrived_ns == arrived_ns);
        let recovery = match brought {
            Some(brought) => brought.recovery(offset),
            None if carriers.is_empty() => Recovery::Unspecified,
            None => Recovery::Never,
        };
        (carriers.len() as u32, recovery)
    }
}

/// Departure and delay of all that arrived.
pub(crate) fn delays_ns(way: &Way) -> Vec<(i64, i64)> {
    let delay = |passage: PacketPassage| {
        let delay_ns = passage.arrived_ns? - passage.sent_ns;
        Some((passage.sent_ns, delay_ns))
    };
    let departures = way.departures.iter();
    departures
        .filter_map(|departure| delay(departure.passage))
        .collect()
}

impl PacketPassage {
    /// What this packet was to a byte of its own that it brought first.
    pub(crate) fn recovery(&self, offset: u64) -> Recovery {
        match self.kind {
            _ if offset >= self.new_from => Recovery::None,
            PacketKind::Bundle => Recovery::Bundle,
            _ => self.cause,
        }
    }
}
