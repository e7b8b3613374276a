//! What reached the other end: first arrivals, and when everything before a
//! byte was there.
// SPDX-License-Identifier: Apache-2.0

use crate::coverage::{Coverage, Piece};
use crate::flow::{EndView, Unwrap};

/// A range of the stream whose bytes share their history: first transmission
/// (S), first arrival of any segment holding them (A), availability in order
/// (I). On the sender's clock, since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveredRange {
    /// Stream offset of the first byte.
    pub start: u64,
    /// Stream offset after the last byte.
    pub end: u64,
    /// S.
    pub sent_ns: i64,
    /// A; none when no copy arrived.
    pub arrived_ns: Option<i64>,
    /// I; none when it or a byte before it never arrived.
    pub available_ns: Option<i64>,
}

/// The receiver's side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Receiving {
    /// Each byte's first arrival, by stream offset; `packet` counts arrivals.
    pub first_arrived: Vec<Piece>,
    /// Whether each arrival was taken into the stream.
    pub accepted: Vec<bool>,
    /// The highest offset that the receiver itself acknowledged.
    pub acknowledged: u64,
}

/// The room a receiver has offered. A segment that begins beyond it (a probe of
/// a closed window) is thrown away on arrival.
struct Offer {
    shift: Option<u8>,
    edge: Option<i64>,
}

/// Reads the receiver's capture, with the arrivals' instants on the sender's
/// clock; `origin` is the sequence number of offset 0.
pub(crate) fn read(view: &EndView, origin: u32, arrived_ns: &[i64]) -> Receiving {
    let mut receiving = Receiving {
        accepted: vec![false; view.forward.len()],
        ..Receiving::default()
    };
    let (mut offsets, mut acknowledgements) = (Unwrap::new(origin), Unwrap::new(origin));
    let mut arrived = Coverage::default();
    let mut offer = Offer {
        shift: None,
        edge: None,
    };
    let mut said = view
        .backward
        .iter()
        .filter(|packet| packet.flags.ack())
        .peekable();
    for (index, packet) in view.forward.iter().enumerate() {
        while let Some(ack) = said.next_if(|ack| ack.at_ns < packet.at_ns) {
            offer.hear(ack, acknowledgements.offset(ack.ack));
        }
        if packet.is_damaged() {
            continue;
        }
        let seq = packet.seq.wrapping_add(u32::from(packet.flags.syn()));
        let start = offsets.offset(seq);
        let end = start + i64::from(packet.payload_bytes);
        if packet.payload_bytes == 0 || offer.edge.is_some_and(|edge| start >= edge) {
            continue;
        }
        receiving.accepted[index] = true;
        let at_ns = arrived_ns[index];
        for (start, end) in arrived.insert(start.max(0) as u64, end.max(0) as u64) {
            receiving.first_arrived.push(Piece {
                start,
                end,
                at_ns,
                packet: index,
            });
        }
    }
    said.for_each(|ack| {
        acknowledgements.offset(ack.ack);
    });
    receiving.acknowledged = acknowledgements.highest();
    receiving.first_arrived.sort_by_key(|piece| piece.start);
    receiving
}

impl Offer {
    fn hear(&mut self, packet: &crate::capture::Packet, acknowledged: i64) {
        let window = i64::from(packet.window);
        if packet.flags.syn() {
            // The window of a SYN is never shifted (RFC 7323, section 2.2).
            self.shift = Some(packet.window_shift.unwrap_or(0));
            self.edge = Some(acknowledged + window);
        } else if let (Some(shift), Some(edge)) = (self.shift, self.edge) {
            // A window never shrinks for a receiver that keeps its word.
            self.edge = Some(edge.max(acknowledged + (window << shift)));
        }
    }
}

/// Puts both sides together. Bytes that the receiver acknowledged although its
/// capture lacks them do not hold up what follows.
pub(crate) fn join(sent: &[Piece], receiving: &Receiving) -> Vec<DeliveredRange> {
    let mut ranges = Vec::with_capacity(sent.len());
    let mut available = Availability::default();
    let mut arrivals = receiving.first_arrived.iter().peekable();
    for piece in sent {
        let mut start = piece.start;
        while start < piece.end {
            while let Some(passed) = arrivals.next_if(|arrival| arrival.end <= start) {
                available.reach(passed, receiving.acknowledged);
            }
            let next = arrivals.peek().filter(|arrival| arrival.start < piece.end);
            let (end, arrived_ns) = match next {
                Some(arrival) if arrival.start <= start => {
                    (arrival.end.min(piece.end), Some(arrival.at_ns))
                }
                Some(arrival) => (arrival.start, None),
                None => (piece.end, None),
            };
            let available_ns = match (next, arrived_ns) {
                (Some(arrival), Some(_)) => available.reach(arrival, receiving.acknowledged),
                _ => None,
            };
            ranges.push(DeliveredRange {
                start,
                end,
                sent_ns: piece.at_ns,
                arrived_ns,
                available_ns,
            });
            start = end;
        }
    }
    ranges
}

/// How far the stream is there in order, and since when.
#[derive(Default)]
struct Availability {
    next: u64,
    at_ns: Option<i64>,
    blocked: bool,
}

impl Availability {
    fn reach(&mut self, arrival: &Piece, acknowledged: u64) -> Option<i64> {
        self.blocked |= arrival.start > self.next && acknowledged < arrival.start;
        self.next = self.next.max(arrival.end);
        self.at_ns = self.at_ns.max(Some(arrival.at_ns));
        self.at_ns.filter(|_| !self.blocked)
    }
}
