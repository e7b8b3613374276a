//! What became known, in the contract's words.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{MessagePassage, PacketDeparture, Recovery};

use super::News;
use super::following::Following;
use super::messages::LiveMessage;
use crate::error::{Direction, End};
use crate::packets::{PacketKind, PacketPassage};
use crate::ranges::DeliveredRange;

impl Following {
    pub(super) fn news(&mut self) -> News {
        let mut news = News::default();
        for direction in [Direction::Forward, Direction::Backward] {
            self.departed(direction, &mut news.departures);
            let meeting = &mut self.meetings[direction as usize];
            news.fates.extend(meeting.take_fates());
        }
        news.departures
            .sort_unstable_by_key(|departure| departure.number);
        while let Some(next) = self.messages.next() {
            let Some(passage) = self.passage(next) else {
                break;
            };
            news.messages.push(passage);
            self.messages.announced();
        }
        news
    }

    fn departed(&mut self, direction: Direction, news: &mut Vec<PacketDeparture>) {
        let departures = &self.tracker.way(direction).departures;
        let meeting = &self.meetings[direction as usize];
        let told = &mut self.told[direction as usize];
        while let Some(departure) = departures.get(*told) {
            news.push(departure.passage.told(meeting.number(*told)));
            *told += 1;
        }
    }

    /// None while a packet that may have brought it has not been told.
    fn passage(&self, message: &LiveMessage) -> Option<MessagePassage> {
        let latency = &message.latency;
        let (sent_ns, arrived_ns) = (latency.sent_ns?, latency.arrived_ns?);
        let ranges = self.tracker.ranges.within(latency.start, latency.end);
        let last = ranges
            .clone()
            .find(|range| range.arrived_ns == latency.arrived_ns)?;
        let brought = self.brought(last);
        if brought.is_none() && self.ends[End::Sender as usize].last_ns < arrived_ns {
            return None;
        }
        let offset = last.start.max(latency.start);
        let recovery = brought.map_or(Recovery::Unspecified, |brought| brought.recovery(offset));
        Some(MessagePassage {
            number: message.number,
            written_ns: message.written_ns.unwrap_or(sent_ns as u64),
            sent_ns: sent_ns as u64,
            arrived_ns: arrived_ns as u64,
            available_ns: latency.available_ns? as u64,
            recovery: recovery as i32,
        })
    }

    /// The packet that brought a range first.
    fn brought(&self, range: &DeliveredRange) -> Option<PacketPassage> {
        let departures = self.tracker.forward.departures.iter().rev();
        departures
            .map(|departure| departure.passage)
            .take_while(|passage| passage.sent_ns >= range.sent_ns)
            .filter(|passage| (passage.start..passage.end).contains(&range.start))
            .filter(|passage| passage.arrived_ns == range.arrived_ns)
            .last()
    }
}

impl PacketPassage {
    /// In the contract's words.
    pub fn told(&self, number: u64) -> PacketDeparture {
        let kind = match self.kind {
            PacketKind::Control => lab_proto::PacketKind::Control,
            PacketKind::Acknowledgement => lab_proto::PacketKind::Acknowledgement,
            PacketKind::New => lab_proto::PacketKind::New,
            PacketKind::Bundle => lab_proto::PacketKind::Bundle,
            PacketKind::Retransmission => lab_proto::PacketKind::Retransmission,
        };
        PacketDeparture {
            number,
            forward: self.forward,
            kind: kind as i32,
            sent_ns: self.sent_ns as u64,
            start: self.start,
            end: self.end,
            new_from: self.new_from,
            acknowledged: self.acknowledged,
            duplicate: self.duplicate,
            selective: self.selective,
            cause: self.cause as i32,
        }
    }
}
