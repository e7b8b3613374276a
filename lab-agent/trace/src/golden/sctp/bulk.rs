//! A long stream, for measuring, as [`crate::golden::bulk`] is of TCP.
// SPDX-License-Identifier: Apache-2.0

use super::super::script::{Clocks, End, Frame, Trace};
use super::script::Piece;
use super::wire::{Packet, Wire, chunk, words};

const MS: u64 = 1_000_000;
const BYTES: u64 = 120;
const IAT: u64 = 20 * MS;
const ONE_WAY: u64 = 65 * MS;
const TIMEOUT: u64 = 330 * MS;
/// One message in so many is lost, and comes again after the timeout.
const LOST_ONE_IN: u64 = 50;

/// `messages` of 120 bytes, 20 ms apart, one way 65 ms; the last of every fifty is lost and
/// comes again 330 ms later.
///
/// # Panics
/// When `messages` is no multiple of fifty.
pub fn bulk(messages: u64) -> Trace {
    assert_eq!(messages % LOST_ONE_IN, 0, "whole rounds of {LOST_ONE_IN}");
    let mut bulk = Bulk {
        wire: Wire::default(),
        clocks: Clocks::default(),
        frames: Vec::new(),
    };
    for message in 0..messages {
        let sent_ns = message * IAT;
        let is_lost = message % LOST_ONE_IN == LOST_ONE_IN - 1;
        bulk.data(message, sent_ns, !is_lost);
        if is_lost {
            bulk.data(message, sent_ns + TIMEOUT, true);
        }
    }
    bulk.frames.sort_by_key(|frame| frame.true_ns);
    Trace {
        frames: bulk.frames,
        resolution_ns: 1,
        truth: crate::golden::Truth::default(),
    }
}

struct Bulk {
    wire: Wire,
    clocks: Clocks,
    frames: Vec<Frame>,
}

impl Bulk {
    /// A data packet and, when it arrives, its acknowledgement.
    fn data(&mut self, message: u64, sent_ns: u64, arrives: bool) {
        let piece = Piece {
            stream: 0,
            is_ordered: true,
            begins: true,
            ends: true,
            bytes: BYTES,
            message: message as u32,
            fragment: 0,
        };
        let tsn = self.wire.sender_tsn.wrapping_add(message as u32);
        let data = piece.chunk(tsn, false);
        self.cross((true, data), message as u16, sent_ns, arrives);
        if arrives {
            let now_ns = sent_ns + ONE_WAY;
            let (next, last) = there(now_ns);
            let cumulative = self.wire.sender_tsn.wrapping_add(next as u32);
            let cumulative = cumulative.wrapping_sub(1);
            let has_gap = u32::from(next < last);
            let mut value = words(&[cumulative, 100_000, has_gap << 16]);
            if next < last {
                value.extend(words(&[2 << 16 | (last - next) as u32]));
            }
            let sack = chunk(3, 0, &value);
            self.cross((false, sack), message as u16, now_ns + 10_000, true);
        }
    }

    fn cross(
        &mut self,
        (from_sender, chunk): (bool, Vec<u8>),
        ip_id: u16,
        at_ns: u64,
        arrives: bool,
    ) {
        let packet = Packet {
            from_sender,
            on_second_path: false,
            tag: if from_sender {
                self.wire.receiver_tag
            } else {
                self.wire.sender_tag
            },
            chunks: vec![chunk],
            ip_id,
        };
        let (from, to) = if from_sender {
            (End::Sender, End::Receiver)
        } else {
            (End::Receiver, End::Sender)
        };
        let mut frame = |end, true_ns, ttl| {
            self.frames.push(Frame {
                end,
                true_ns,
                stamp_ns: self.clocks.stamp(end, true_ns),
                outgoing: end == from,
                packet: packet.bytes(&self.wire, ttl, true),
            });
        };
        frame(from, at_ns, 64);
        if arrives {
            frame(to, at_ns + ONE_WAY, 63);
        }
    }
}

/// How many messages are there in order once one has arrived, and how many up to the last
/// one that is there.
fn there(now_ns: u64) -> (u64, u64) {
    let arrived = (now_ns - ONE_WAY) / IAT + 1;
    let last = if arrived.is_multiple_of(LOST_ONE_IN) {
        arrived - 1
    } else {
        arrived
    };
    let whole_rounds = arrived / LOST_ONE_IN;
    let Some(hole) = (whole_rounds * LOST_ONE_IN).checked_sub(1) else {
        return (last, last);
    };
    let healed = hole * IAT + TIMEOUT + ONE_WAY <= now_ns;
    if healed { (last, last) } else { (hole, last) }
}
