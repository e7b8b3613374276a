//! A long stream, for measuring: too long for a truth byte by byte, regular
//! enough for one by formula.
// SPDX-License-Identifier: Apache-2.0

use super::script::{Clocks, End, Frame, Trace};
use super::truth::{DirectionTruth, Truth};
use super::wire::{ChecksumStyle, Segment, Wire};

const MS: u64 = 1_000_000;
const BYTES: u64 = 120;
const IAT: u64 = 20 * MS;
const ONE_WAY: u64 = 65 * MS;
const TIMEOUT: u64 = 330 * MS;
/// One message in so many is lost, and comes again after the timeout.
const LOST_ONE_IN: u64 = 50;

/// `messages` of 120 bytes, 20 ms apart, one way 65 ms; the last of every fifty
/// is lost and comes again 330 ms later. The truth holds counts, not bytes.
///
/// # Panics
/// When `messages` is no multiple of fifty.
pub fn bulk(messages: u64) -> Trace {
    assert_eq!(
        messages % LOST_ONE_IN,
        0,
        "whole rounds of {LOST_ONE_IN} messages"
    );
    let mut bulk = Bulk {
        wire: Wire::default(),
        clocks: Clocks::default(),
        frames: Vec::new(),
    };
    for message in 0..messages {
        let sent_ns = message * IAT;
        if message % LOST_ONE_IN == LOST_ONE_IN - 1 {
            bulk.data(message, sent_ns, false);
            bulk.data(message, sent_ns + TIMEOUT, true);
        } else {
            bulk.data(message, sent_ns, true);
        }
    }
    bulk.frames.sort_by_key(|frame| frame.true_ns);
    let lost = messages / LOST_ONE_IN;
    let truth = Truth {
        data_packets: messages + lost,
        payload_bytes: (messages + lost) * BYTES,
        retransmitted_packets: lost,
        retransmitted_bytes: lost * BYTES,
        forward: DirectionTruth {
            sent: messages + lost,
            lost,
            ..DirectionTruth::default()
        },
        backward: DirectionTruth {
            sent: messages,
            ..DirectionTruth::default()
        },
        ..Truth::default()
    };
    Trace {
        frames: bulk.frames,
        resolution_ns: 1,
        truth,
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
        let segment = Segment {
            from_sender: true,
            seq: self.sequence(message),
            ack: Some(self.wire.receiver_isn + 1),
            window: 502,
            timestamps: Some(((sent_ns / MS) as u32, 1)),
            payload: vec![message as u8; BYTES as usize],
            ip_id: message as u16,
            ..Segment::default()
        };
        self.cross(&segment, End::Sender, sent_ns, arrives);
        if arrives {
            let arrived_ns = sent_ns + ONE_WAY;
            let acknowledgement = Segment {
                seq: self.wire.receiver_isn + 1,
                ack: Some(self.sequence(in_order(arrived_ns))),
                window: 8_192,
                timestamps: Some(((arrived_ns / MS) as u32, (sent_ns / MS) as u32)),
                ip_id: message as u16,
                ..Segment::default()
            };
            self.cross(&acknowledgement, End::Receiver, arrived_ns + 10_000, true);
        }
    }

    fn cross(&mut self, segment: &Segment, from: End, at_ns: u64, arrives: bool) {
        let to = if from == End::Sender {
            End::Receiver
        } else {
            End::Sender
        };
        let mut frame = |end, true_ns, ttl| {
            let packet = segment.packet(&self.wire, ttl, ChecksumStyle::Full);
            let stamp_ns = self.clocks.stamp(end, true_ns);
            self.frames.push(Frame {
                end,
                true_ns,
                stamp_ns,
                outgoing: end == from,
                packet,
            });
        };
        frame(from, at_ns, 64);
        if arrives {
            frame(to, at_ns + ONE_WAY, 63);
        }
    }

    fn sequence(&self, message: u64) -> u32 {
        self.wire
            .sender_isn
            .wrapping_add(1)
            .wrapping_add((message * BYTES) as u32)
    }
}

/// How many messages are there in order once one has arrived at `now_ns`.
fn in_order(now_ns: u64) -> u64 {
    let arrived = (now_ns - ONE_WAY) / IAT + 1;
    let whole_rounds = arrived / LOST_ONE_IN;
    let Some(hole) = (whole_rounds * LOST_ONE_IN).checked_sub(1) else {
        return arrived;
    };
    let healed = hole * IAT + TIMEOUT + ONE_WAY <= now_ns;
    if healed { arrived } else { hole }
}
