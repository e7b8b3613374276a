//! UDP (RFC 768) and UDP-Lite (RFC 3828): each packet is a message by itself, nothing is
//! numbered, acknowledged or sent again.
//!
//! The messages in the order in which they left are a stream of bytes like TCP's. Which of
//! them has arrived no number says, but the pairing of both captures does.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;

use crate::capture::Packet;
use crate::error::Direction;
use crate::flow::EndView;
use crate::leaf::Leaf;
use crate::pairing::key;
use crate::ranges::DeliveredRange;
use crate::receiving::{Receiving, Said, Taken};
use crate::sending::{Sending, Sent};
use crate::whole::Paired;

/// Both directions' datagrams.
#[derive(Clone, Debug, Default)]
pub(crate) struct Datagrams {
    forward: Way,
    backward: Way,
}

/// One direction's.
#[derive(Clone, Debug, Default)]
struct Way {
    /// Bytes that have left.
    sent_bytes: u64,
    /// Of each frame that arrived, where in the stream it begins.
    starts: HashMap<u32, u64>,
}

impl Datagrams {
    /// As both captures have them.
    pub(crate) fn of(
        (here, there): (&EndView, &EndView),
        (forward, backward): (&Paired, &Paired),
    ) -> Self {
        Self {
            forward: Way::paired(&here.forward, &there.forward, forward),
            backward: Way::paired(&there.backward, &here.backward, backward),
        }
    }

    /// As their receiver's capture has them: in the order of their first arrivals.
    pub(crate) fn at_receiver(view: &EndView) -> Self {
        Self {
            forward: Way::arrived(&view.forward),
            backward: Way::default(),
        }
    }

    fn way(&mut self, direction: Direction) -> &mut Way {
        match direction {
            Direction::Forward => &mut self.forward,
            Direction::Backward => &mut self.backward,
        }
    }
}

impl Way {
    fn depart(&mut self, sending: &mut Sending, packet: &Packet, sent: &mut Sent) {
        let start = self.sent_bytes;
        self.sent_bytes += u64::from(packet.payload_bytes);
        let placed = Packet {
            seq: start as u32,
            ..*packet
        };
        sending.depart(&placed, sent);
    }

    fn paired(sent: &[&Packet], arrived: &[&Packet], paired: &Paired) -> Self {
        let mut end = 0;
        let starts: Vec<u64> = sent
            .iter()
            .map(|packet| {
                let start = end;
                end += u64::from(packet.payload_bytes);
                start
            })
            .collect();
        let places = arrived.iter().zip(&paired.departure_of);
        let places =
            places.filter_map(|(packet, of)| Some((packet.frame, *starts.get((*of)? as usize)?)));
        Self {
            sent_bytes: 0,
            starts: places.collect(),
        }
    }

    fn arrived(packets: &[&Packet]) -> Self {
        let mut end = 0;
        let mut first = HashMap::new();
        let whole = packets.iter().filter(|packet| !packet.is_damaged());
        let starts = whole.map(|packet| {
            let start = *first.entry(key(packet)).or_insert(end);
            if start == end {
                end += u64::from(packet.payload_bytes);
            }
            (packet.frame, start)
        });
        Self {
            sent_bytes: 0,
            starts: starts.collect(),
        }
    }
}

impl Leaf for Datagrams {
    fn depart(&mut self, way: Direction, sending: &mut Sending, packet: &Packet, sent: &mut Sent) {
        self.way(way).depart(sending, packet, sent);
    }

    fn say(&mut self, _: Direction, _: &mut Receiving, _: &Packet) -> Said {
        Said::default()
    }

    fn take(
        &mut self,
        way: Direction,
        receiving: &mut Receiving,
        packet: &Packet,
        taken: &mut Taken,
    ) {
        let bytes = u64::from(packet.payload_bytes);
        match self.way(way).starts.get(&packet.frame) {
            Some(start) if bytes > 0 => receiving.take_parts(&[(*start, start + bytes)], taken),
            _ => {}
        }
    }

    fn hear(&mut self, _: Direction, _: &mut Sending, _: &Packet) {}
}

/// Datagrams while they pass: where in the stream one begins is known when it leaves, and what
/// arrives is told by the pairing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live([Way; 2]);

impl Leaf for Live {
    fn depart(&mut self, way: Direction, sending: &mut Sending, packet: &Packet, sent: &mut Sent) {
        self.0[way as usize].depart(sending, packet, sent);
    }

    fn say(&mut self, _: Direction, _: &mut Receiving, _: &Packet) -> Said {
        Said::default()
    }

    fn take(&mut self, _: Direction, _: &mut Receiving, _: &Packet, _: &mut Taken) {}

    fn hear(&mut self, _: Direction, _: &mut Sending, _: &Packet) {}
}

/// Sets since when each range could be read: since it was there.
pub(crate) fn deliver(ranges: &mut [DeliveredRange]) {
    for range in ranges {
        range.available_ns = range.arrived_ns;
    }
}
