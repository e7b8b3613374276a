//! The figures of a connection that is followed, of all of it and of its last
//! part.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{FeltMetrics, LaneFigures, TraceMetrics};

use super::following::Following;
use super::meeting::SLACK_NS;
use crate::analysis::Analysis;
use crate::error::{AnalyzeError, Direction, End};
use crate::felt::felt;
use crate::late;
use crate::metrics::{Latencies, latency, metrics};
use crate::packets::PacketKind;
use crate::pairing::DirectionCount;
use crate::ranges::DeliveredRange;
use crate::summary::Summary;
use crate::tracker::Departure;
use crate::traffic::{Carried, Traffic};
use crate::warning::missing_bytes;

/// Of a connection that has not begun.
pub(super) fn none() -> LaneFigures {
    let nothing: [DeliveredRange; 0] = [];
    let latencies = Latencies::of(&nothing.iter(), &[].iter());
    let traffic = Traffic::default();
    figures(
        metrics(&traffic, Default::default(), 0, latencies),
        &traffic,
        felt(&[]),
    )
}

fn figures(metrics: TraceMetrics, traffic: &Traffic, felt: FeltMetrics) -> LaneFigures {
    LaneFigures {
        metrics: Some(metrics),
        copies: Some(traffic.copies()),
        felt: Some(felt),
    }
}

impl Following {
    pub(super) fn figures(&self) -> LaneFigures {
        figures(
            self.metrics(self.counts()),
            &self.tracker.forward.traffic,
            self.felt.whole(),
        )
    }

    fn metrics(&self, counts: [DirectionCount; 2]) -> TraceMetrics {
        let curves = &self.curves;
        let latencies = Latencies {
            transport: latency(
                curves.transport_bytes.told(),
                curves.transport_messages.told(),
            ),
            application: latency(
                curves.application_bytes.told(),
                curves.application_messages.told(),
            ),
        };
        let traffic = &self.tracker.forward.traffic;
        metrics(traffic, counts, curves.delivered_bytes, latencies)
    }

    fn counts(&self) -> [DirectionCount; 2] {
        [Direction::Forward, Direction::Backward].map(|direction| {
            let strays_ns = self.strays_ns(direction);
            let departures = &self.tracker.way(direction).departures;
            self.meetings[direction as usize].count(departures, &strays_ns)
        })
    }

    /// Damaged arrivals that look like another connection's.
    fn strays_ns(&self, direction: Direction) -> Vec<i64> {
        let end = match direction {
            Direction::Forward => End::Receiver,
            Direction::Backward => End::Sender,
        };
        self.ends[end as usize].strays_ns(direction)
    }

    pub(super) fn figures_since(&self, at_ns: i64) -> LaneFigures {
        let traffic = Traffic::of(self.since(Direction::Forward, at_ns));
        let sent_since = |sent_ns: Option<i64>| sent_ns.is_none_or(|sent_ns| sent_ns >= at_ns);
        let ranges = self.tracker.ranges.sent().iter().rev();
        let ranges = ranges.take_while(|range| range.sent_ns >= at_ns);
        let messages = self.messages.iter().rev();
        let messages = messages.take_while(|message| sent_since(message.sent_ns));
        let delivered = ranges.clone().filter(|range| range.available_ns.is_some());
        let delivered_bytes = delivered.map(DeliveredRange::bytes).sum();
        let counts = [Direction::Forward, Direction::Backward]
            .map(|direction| self.count_since(direction, at_ns));
        figures(
            metrics(
                &traffic,
                counts,
                delivered_bytes,
                Latencies::of(&ranges, &messages),
            ),
            &traffic,
            self.felt.since(at_ns.max(0) as u64),
        )
    }

    /// What left since an instant, the last first.
    fn since(&self, direction: Direction, at_ns: i64) -> impl Iterator<Item = &Departure> + Clone {
        let departures = self.tracker.way(direction).departures.iter().rev();
        departures.take_while(move |departure| departure.passage.sent_ns >= at_ns)
    }

    fn count_since(&self, direction: Direction, at_ns: i64) -> DirectionCount {
        let meeting = &self.meetings[direction as usize];
        let since = self.since(direction, at_ns);
        let sent = since.clone().count() as u64;
        let missing = since.filter(|departure| departure.passage.arrived_ns.is_none());
        let mut missing_ns: Vec<i64> = missing.map(|it| it.passage.sent_ns).collect();
        missing_ns.reverse();
        let damaged = meeting.explained(missing_ns.iter().copied(), &self.strays_ns(direction));
        let whole = sent - missing_ns.len() as u64;
        let open = meeting.under_way_since(sent);
        DirectionCount {
            sent,
            arrived: whole + damaged,
            lost: (sent - whole - damaged).saturating_sub(open),
            damaged,
            ..DirectionCount::default()
        }
    }

    pub(super) fn finish(self) -> Result<Analysis, AnalyzeError> {
        let traffic = self.tracker.forward.traffic;
        let flow = self.flow;
        if traffic.data_packets == 0 {
            return Err(AnalyzeError::NoData { flow });
        }
        if let Some((by_ns, offset)) = self.curves.earliest
            && by_ns > SLACK_NS
        {
            return Err(AnalyzeError::ArrivedBeforeSent { offset, by_ns });
        }
        if let Some(wrong) = self.messages.wrong {
            return Err(wrong);
        }
        let counts = self.counts();
        let metrics = self.metrics(counts);
        let messages: Vec<_> = self.messages.iter().copied().collect();
        let acknowledged = self.tracker.forward.receiving.acknowledged();
        let missing_at_sender = self.tracker.ranges.arrived_bytes() - self.curves.arrived_bytes;
        let mut suspicions = self.suspicions;
        let skipped = self.ends.iter().map(|end| end.frames.skipped.fragments);
        suspicions.fragments = skipped.sum();
        let ranges = self.tracker.ranges.into_sent();
        let ways = [&self.tracker.forward, &self.tracker.backward];
        let late = late::late(&messages, &ranges, ways);
        let missing = [missing_bytes(&ranges, acknowledged), missing_at_sender];
        let warnings = suspicions.warnings(missing, counts);
        let summary = Summary::new(flow, metrics, (traffic, counts), late, warnings);
        Ok(Analysis {
            summary,
            messages,
            ranges,
        })
    }
}

impl Traffic {
    /// The accounts of some departures, the last first.
    fn of<'a>(departures: impl Iterator<Item = &'a Departure>) -> Self {
        let mut traffic = Self::default();
        let mut last_ns = None;
        for departure in departures {
            let passage = &departure.passage;
            if passage.end == 0 {
                continue;
            }
            traffic.count(&Carried {
                start: passage.start,
                end: passage.end,
                new_from: passage.new_from,
                // New bytes are the last ones; of old ones there may be some here and some there.
                bytes: departure.old_bytes + (passage.end - passage.new_from),
                old_bytes: departure.old_bytes,
                is_again: passage.kind == PacketKind::Retransmission,
            });
            if passage.kind == PacketKind::Retransmission {
                let whole = departure.spurious_bytes == departure.old_bytes;
                traffic.count_spurious(departure.spurious_bytes, whole);
            }
            traffic.bundle_hit_bytes += departure.hit_bytes;
            let last_ns = *last_ns.get_or_insert(passage.sent_ns);
            traffic.span_ns = (last_ns - passage.sent_ns).max(0) as u64;
        }
        traffic
    }
}
