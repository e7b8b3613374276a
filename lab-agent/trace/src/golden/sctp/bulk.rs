//! A long stream, for measuring, as [`crate::golden::bulk`] is of TCP, by the same rule.
// SPDX-License-Identifier: Apache-2.0

use super::super::bulk::{BYTES, Departure, Packets, frames, in_order, up_to_last};
use super::super::script::Trace;
use super::script::Piece;
use super::wire::{Packet, Wire, chunk, words};

/// `messages` of 120 bytes, 20 ms apart, one way 65 ms; the last of every fifty is lost and
/// comes again 330 ms later.
///
/// # Panics
/// When `messages` is no multiple of fifty.
pub fn bulk(messages: u64) -> Trace {
    Trace {
        frames: frames(messages, &Wire::default()),
        resolution_ns: 1,
        truth: crate::golden::Truth::default(),
    }
}

impl Packets for Wire {
    fn data(&self, departure: &Departure) -> impl Fn(u8) -> Vec<u8> {
        let message = departure.message as u32;
        let tsn = self.sender_tsn.wrapping_add(message);
        let data = Piece::whole(message, BYTES).chunk(tsn, false);
        packet(self, (true, data), departure)
    }

    fn acknowledgement(&self, departure: &Departure, arrived_ns: u64) -> impl Fn(u8) -> Vec<u8> {
        let (next, last) = (in_order(arrived_ns), up_to_last(arrived_ns));
        let cumulative = self.sender_tsn.wrapping_add(next as u32);
        let cumulative = cumulative.wrapping_sub(1);
        let has_gap = u32::from(next < last);
        let mut value = words(&[cumulative, 100_000, has_gap << 16]);
        if next < last {
            value.extend(words(&[2 << 16 | (last - next) as u32]));
        }
        packet(self, (false, chunk(3, 0, &value)), departure)
    }
}

fn packet(
    wire: &Wire,
    (from_sender, chunk): (bool, Vec<u8>),
    departure: &Departure,
) -> impl Fn(u8) -> Vec<u8> {
    let mut packet = Packet::new(wire, from_sender, vec![chunk]);
    packet.ip_id = departure.message as u16;
    move |ttl| packet.bytes(wire, ttl, true)
}
