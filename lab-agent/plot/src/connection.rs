//! A connection's packets, told apart by what a person wants to see of them.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeMap;

use lab_proto::Recovery;
use thinlab_trace::{Analysis, PacketKind, PacketRecord, Records};

/// A stretch of time, in ns since the first byte of the stream left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// From here on.
    pub from_ns: i64,
    /// Up to here, not included.
    pub until_ns: i64,
}

/// An analysed connection as pictures and comments need it.
pub struct Connection<'a> {
    /// What to call it, such as its capture's name.
    pub label: &'a str,
    pub(crate) analysis: &'a Analysis,
    pub(crate) packets: Vec<Packet<'a>>,
    pub(crate) records: &'a Records,
    /// When the stream's first byte left.
    pub(crate) origin_ns: i64,
}

/// One packet and its place among its like.
#[derive(Clone, Copy)]
pub(crate) struct Packet<'a> {
    pub record: &'a PacketRecord,
    pub role: Role,
    /// Of a retransmission, the how manieth of its bytes; of a dupACK, the how
    /// manieth in a row. From 1; else 0.
    pub ordinal: u32,
}

/// What a packet is to the stream that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Control,
    Acknowledgement,
    New,
    Bundle,
    Fast,
    Timeout,
}

impl<'a> Connection<'a> {
    /// Of an analysis and the packets of its captures.
    pub fn new(label: &'a str, analysis: &'a Analysis, records: &'a Records) -> Self {
        let mut ordinals = [Ordinals::default(), Ordinals::default()];
        let packets = records.packets.iter().map(|record| {
            let passage = &record.passage;
            let role = match (passage.kind, passage.cause) {
                (PacketKind::Control, _) => Role::Control,
                (PacketKind::Acknowledgement, _) => Role::Acknowledgement,
                (PacketKind::New, _) => Role::New,
                (PacketKind::Bundle, _) => Role::Bundle,
                (PacketKind::Retransmission, Recovery::Fast) => Role::Fast,
                (PacketKind::Retransmission, _) => Role::Timeout,
            };
            Packet {
                record,
                role,
                ordinal: ordinals[usize::from(passage.forward)].next(record),
            }
        });
        let first_sent = analysis.ranges.first().map(|range| range.sent_ns);
        let first_packet = records.packets.first().map(|it| it.passage.sent_ns);
        Self {
            label,
            analysis,
            packets: packets.collect(),
            records,
            origin_ns: first_sent.or(first_packet).unwrap_or(0),
        }
    }

    /// What it was made from.
    pub fn analysis(&self) -> &'a Analysis {
        self.analysis
    }

    /// Since the first byte of the stream left.
    pub(crate) fn since_ns(&self, at_ns: i64) -> i64 {
        at_ns - self.origin_ns
    }

    /// From the first packet's departure to just after the last instant of any.
    pub(crate) fn whole(&self) -> Span {
        let sent_ns = self.packets.iter().map(|it| it.record.passage.sent_ns);
        let last = |it: &Packet| {
            let passage = &it.record.passage;
            passage.arrived_ns.unwrap_or(i64::MIN).max(passage.sent_ns)
        };
        let until_ns = self.packets.iter().map(last).max();
        Span {
            from_ns: self.since_ns(sent_ns.min().unwrap_or(self.origin_ns)),
            until_ns: self.since_ns(until_ns.unwrap_or(self.origin_ns)) + 1,
        }
    }

    /// The part of a span in which there is a connection.
    pub(crate) fn clipped(&self, span: Span) -> Span {
        let whole = self.whole();
        Span {
            from_ns: span.from_ns.max(whole.from_ns),
            until_ns: span.until_ns.min(whole.until_ns),
        }
    }

    /// The packets that leave within a span.
    pub(crate) fn within(&self, span: Span) -> &[Packet<'a>] {
        let before = |limit_ns: i64| {
            self.packets
                .partition_point(|it| self.since_ns(it.record.passage.sent_ns) < limit_ns)
        };
        let from = before(span.from_ns);
        &self.packets[from..before(span.until_ns).max(from)]
    }
}

impl Packet<'_> {
    pub(crate) fn is_lost(&self) -> bool {
        self.record.passage.arrived_ns.is_none()
    }

    pub(crate) fn carries_data(&self) -> bool {
        self.record.passage.end > self.record.passage.start
    }
}

/// Of one direction.
#[derive(Default)]
struct Ordinals {
    /// How often pieces of the stream have been retransmitted: start to end and
    /// count, without overlaps.
    again: BTreeMap<u64, (u64, u32)>,
    duplicates: u32,
}

impl Ordinals {
    fn next(&mut self, record: &PacketRecord) -> u32 {
        let passage = &record.passage;
        if passage.kind == PacketKind::Retransmission {
            return self.retransmit(passage.start, passage.end);
        }
        if passage.duplicate {
            self.duplicates += 1;
            return self.duplicates;
        }
        if passage.kind == PacketKind::Acknowledgement {
            self.duplicates = 0;
        }
        0
    }

    /// Counts `start..end` once more; returns the highest count in it.
    fn retransmit(&mut self, start: u64, end: u64) -> u32 {
        let before = self.again.range(..start).next_back();
        let first = match before {
            Some((from, (until, _))) if *until > start => *from,
            _ => start,
        };
        let touched: Vec<(u64, (u64, u32))> = self
            .again
            .range(first..end)
            .map(|(from, piece)| (*from, *piece))
            .collect();
        let (mut at, mut highest) = (start, 1);
        for (from, (until, count)) in touched {
            self.again.remove(&from);
            if from < start {
                self.again.insert(from, (start, count));
            }
            if at < from {
                self.again.insert(at, (from, 1));
            }
            self.again
                .insert(from.max(start), (until.min(end), count + 1));
            if until > end {
                self.again.insert(end, (until, count));
            }
            highest = highest.max(count + 1);
            at = until.min(end);
        }
        if at < end {
            self.again.insert(at, (end, 1));
        }
        highest
    }
}

#[cfg(test)]
mod tests {
    use super::Ordinals;

    #[test]
    fn retransmissions_count_by_byte() {
        let mut ordinals = Ordinals::default();
        let told = [
            (0, 100),
            (100, 200),
            (0, 200),
            (50, 150),
            (300, 400),
            (40, 310),
            (0, 10),
        ]
        .map(|(start, end)| ordinals.retransmit(start, end));
        assert_eq!(told, [1, 1, 2, 3, 1, 4, 3]);
        let counted: Vec<_> = ordinals
            .again
            .iter()
            .map(|(at, it)| (*at, it.0, it.1))
            .collect();
        assert!(
            counted.windows(2).all(|pair| pair[0].1 <= pair[1].0),
            "{counted:?}"
        );
    }
}
