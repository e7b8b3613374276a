//! A long stream, for measuring: too long for a truth byte by byte, regular
//! enough for one by formula.
// SPDX-License-Identifier: Apache-2.0

use std::iter;

use super::crossing::Crossing;
use super::script::{Clocks, Fate, Frame, Trace};
use super::truth::{DirectionTruth, TrafficTruth, Truth};
use super::wire::{ChecksumStyle, Segment, Wire};

const MS: u64 = 1_000_000;
pub(super) const BYTES: u64 = 120;
const IAT: u64 = 20 * MS;
const ONE_WAY: u64 = 65 * MS;
const TIMEOUT: u64 = 330 * MS;
/// One message in so many is lost, and comes again after the timeout.
const LOST_ONE_IN: u64 = 50;
/// From a message's arrival to the acknowledgement that it causes.
const ACK_AFTER_NS: u64 = 10_000;

/// `messages` of 120 bytes, 20 ms apart, one way 65 ms; the last of every fifty
/// is lost and comes again 330 ms later. The truth holds counts, not bytes.
///
/// # Panics
/// When `messages` is no multiple of fifty.
pub fn bulk(messages: u64) -> Trace {
    let frames = frames(messages, &Wire::default());
    let lost = messages / LOST_ONE_IN;
    let truth = Truth {
        traffic: TrafficTruth {
            data_packets: messages + lost,
            payload_bytes: (messages + lost) * BYTES,
            retransmitted_packets: lost,
            retransmitted_bytes: lost * BYTES,
            ..TrafficTruth::default()
        },
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
        frames,
        resolution_ns: 1,
        truth,
    }
}

/// What a protocol makes of the stream: its packets, each still without a TTL.
pub(super) trait Packets {
    /// That with a message.
    fn data(&self, departure: &Departure) -> impl Fn(u8) -> Vec<u8>;
    /// That which its arrival causes.
    fn acknowledgement(&self, departure: &Departure, arrived_ns: u64) -> impl Fn(u8) -> Vec<u8>;
}

/// A message that leaves, for the first time or again.
pub(super) struct Departure {
    /// Its number.
    pub message: u64,
    pub at_ns: u64,
    fate: Fate,
}

/// What both ends capture of so many messages.
///
/// # Panics
/// When they are no multiple of fifty.
pub(super) fn frames(messages: u64, packets: &impl Packets) -> Vec<Frame> {
    let clocks = Clocks::default();
    let mut frames = Vec::new();
    for departure in departures(messages) {
        let data = Crossing {
            from_sender: true,
            at_ns: departure.at_ns,
            fate: &departure.fate,
        };
        let packet = packets.data(&departure);
        data.capture(&clocks, |ttl, _| packet(ttl), &mut frames);
        if departure.fate != Fate::Lost {
            let arrived_ns = departure.at_ns + ONE_WAY;
            let acknowledgement = Crossing {
                from_sender: false,
                at_ns: arrived_ns + ACK_AFTER_NS,
                fate: &Fate::arrives(ONE_WAY),
            };
            let packet = packets.acknowledgement(&departure, arrived_ns);
            acknowledgement.capture(&clocks, |ttl, _| packet(ttl), &mut frames);
        }
    }
    frames.sort_by_key(|frame| frame.true_ns);
    frames
}

fn departures(messages: u64) -> impl Iterator<Item = Departure> {
    assert_eq!(
        messages % LOST_ONE_IN,
        0,
        "whole rounds of {LOST_ONE_IN} messages"
    );
    (0..messages).flat_map(|message| {
        let arrives_at = move |at_ns| Departure {
            message,
            at_ns,
            fate: Fate::arrives(ONE_WAY),
        };
        let is_lost = message % LOST_ONE_IN == LOST_ONE_IN - 1;
        let mut first = arrives_at(message * IAT);
        if is_lost {
            first.fate = Fate::Lost;
        }
        let again = is_lost.then(|| arrives_at(message * IAT + TIMEOUT));
        iter::once(first).chain(again)
    })
}

/// How many messages there are up to the last one that is there, once one has arrived at
/// `now_ns`.
pub(super) fn up_to_last(now_ns: u64) -> u64 {
    (now_ns - ONE_WAY) / IAT + 1
}

/// And how many are there in order.
pub(super) fn in_order(now_ns: u64) -> u64 {
    let arrived = up_to_last(now_ns);
    let whole_rounds = arrived / LOST_ONE_IN;
    let Some(hole) = (whole_rounds * LOST_ONE_IN).checked_sub(1) else {
        return arrived;
    };
    let healed = hole * IAT + TIMEOUT + ONE_WAY <= now_ns;
    if healed { arrived } else { hole }
}

impl Packets for Wire {
    fn data(&self, departure: &Departure) -> impl Fn(u8) -> Vec<u8> {
        let message = departure.message;
        let segment = Segment {
            from_sender: true,
            seq: sequence(self, message),
            ack: Some(self.receiver_isn + 1),
            window: 502,
            timestamps: Some(((departure.at_ns / MS) as u32, 1)),
            payload: vec![message as u8; BYTES as usize],
            ip_id: message as u16,
            ..Segment::default()
        };
        move |ttl| segment.packet(self, ttl, ChecksumStyle::Full)
    }

    fn acknowledgement(&self, departure: &Departure, arrived_ns: u64) -> impl Fn(u8) -> Vec<u8> {
        let sent_ns = departure.at_ns;
        let segment = Segment {
            seq: self.receiver_isn + 1,
            ack: Some(sequence(self, in_order(arrived_ns))),
            window: 8_192,
            timestamps: Some(((arrived_ns / MS) as u32, (sent_ns / MS) as u32)),
            ip_id: departure.message as u16,
            ..Segment::default()
        };
        move |ttl| segment.packet(self, ttl, ChecksumStyle::Full)
    }
}

fn sequence(wire: &Wire, message: u64) -> u32 {
    wire.sender_isn
        .wrapping_add(1)
        .wrapping_add((message * BYTES) as u32)
}
