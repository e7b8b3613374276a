//! What the sender put on the wire: new bytes, retransmissions, bundles, probes.
// SPDX-License-Identifier: Apache-2.0

use crate::coverage::{Coverage, Piece};
use crate::flow::{EndView, Unwrap};

/// Payload accounts of the sender. `payload = unique + retransmitted + bundled`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Packets that carry stream bytes; probes are not among them.
    pub data_packets: u64,
    /// Bytes in them, copies included.
    pub payload_bytes: u64,
    /// Distinct bytes of the stream.
    pub unique_bytes: u64,
    /// Packets with nothing but bytes sent before.
    pub retransmitted_packets: u64,
    /// Bytes in those.
    pub retransmitted_bytes: u64,
    /// Packets with new bytes behind bytes sent before.
    pub bundle_packets: u64,
    /// The bytes sent before, in those.
    pub bundled_bytes: u64,
    /// Of those, the ones whose first arrival was in the bundle: what bundling
    /// saved. The rest was carried for nothing.
    pub bundle_hit_bytes: u64,
    /// Retransmitted bytes of which an earlier copy did arrive, sooner or later.
    pub spurious_bytes: u64,
    /// Retransmissions of which that is true of every byte.
    pub spurious_packets: u64,
    /// Keepalives and window probes that carry a byte long acknowledged.
    pub probe_packets: u64,
    /// Between the first and the last data packet.
    pub span_ns: u64,
}

/// A departure that carries stream bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataPacket {
    /// Index among the departures.
    pub packet: usize,
    pub start: u64,
    pub end: u64,
    /// Where its new bytes begin; `end` when it has none.
    pub new_from: u64,
}

impl DataPacket {
    pub(crate) fn is_retransmission(&self) -> bool {
        self.new_from == self.end
    }

    pub(crate) fn is_bundle(&self) -> bool {
        self.start < self.new_from && self.new_from < self.end
    }
}

/// The sender's side, in order of departure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sending {
    pub data: Vec<DataPacket>,
    /// Each byte's first transmission, by stream offset.
    pub first_sent: Vec<Piece>,
    pub traffic: Traffic,
}

/// Reads the sender's capture; `origin` is the sequence number of offset 0.
pub(crate) fn read(view: &EndView, origin: u32) -> Sending {
    let mut sending = Sending::default();
    let mut sent = Coverage::default();
    let (mut offsets, mut acknowledgements) = (Unwrap::new(origin), Unwrap::new(origin));
    let (mut highest, mut acknowledged) = (0, 0);
    let mut heard = view
        .backward
        .iter()
        .filter(|packet| packet.flags.ack() && !packet.is_damaged())
        .peekable();
    for (index, packet) in view.forward.iter().enumerate() {
        while let Some(ack) = heard.next_if(|ack| ack.at_ns <= packet.at_ns) {
            acknowledged = acknowledged.max(acknowledgements.offset(ack.ack));
        }
        if packet.payload_bytes == 0 {
            continue;
        }
        // A SYN takes a sequence number of its own in front of its data.
        let seq = packet.seq.wrapping_add(u32::from(packet.flags.syn()));
        let start = offsets.offset(seq);
        let end = start + i64::from(packet.payload_bytes);
        if packet.payload_bytes == 1 && end == highest && end <= acknowledged {
            sending.traffic.probe_packets += 1;
            continue;
        }
        let (start, end) = (start.max(0) as u64, end.max(0) as u64);
        highest = highest.max(end as i64);
        let new = sent.insert(start, end);
        let new_from = new.first().map_or(end, |(first, _)| *first);
        let at_ns = packet.at_ns;
        let pieces = new.iter().map(|(start, end)| Piece {
            start: *start,
            end: *end,
            at_ns,
            packet: index,
        });
        sending.first_sent.extend(pieces);
        let new_bytes: u64 = new.iter().map(|(start, end)| end - start).sum();
        let data = DataPacket {
            packet: index,
            start,
            end,
            new_from,
        };
        sending.traffic.count(&data, end - start - new_bytes);
        sending.data.push(data);
    }
    sending.first_sent.sort_by_key(|piece| piece.start);
    sending.traffic.unique_bytes = sent.bytes();
    let at_ns = |data: Option<&DataPacket>| data.map_or(0, |data| view.forward[data.packet].at_ns);
    let span = at_ns(sending.data.last()) - at_ns(sending.data.first());
    sending.traffic.span_ns = span.max(0) as u64;
    sending
}

impl Traffic {
    fn count(&mut self, data: &DataPacket, old_bytes: u64) {
        self.data_packets += 1;
        self.payload_bytes += data.end - data.start;
        if data.is_retransmission() {
            self.retransmitted_packets += 1;
            self.retransmitted_bytes += old_bytes;
        } else if old_bytes > 0 {
            self.bundle_packets += 1;
            self.bundled_bytes += old_bytes;
        }
    }

    /// Tells retransmissions that were needed from spurious ones.
    /// `accepted[d]`: departure `d` reached the far end's stream.
    pub(crate) fn count_spurious(&mut self, data: &[DataPacket], accepted: &[bool]) {
        let mut arrives = Coverage::default();
        for packet in data {
            if packet.is_retransmission() {
                let spurious = arrives.overlap(packet.start, packet.end);
                self.spurious_bytes += spurious;
                self.spurious_packets += u64::from(spurious == packet.end - packet.start);
            }
            if accepted[packet.packet] {
                arrives.insert(packet.start, packet.end);
            }
        }
    }
}
