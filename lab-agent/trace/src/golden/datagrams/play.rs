//! A script of datagrams, what both ends capture of it, and what is true of it: each message
//! is there when its first whole copy is.
// SPDX-License-Identifier: Apache-2.0

use super::super::crossing::Crossing;
use super::super::script::{self, Clocks, Fate, Frame};
use super::super::truth::DirectionTruth;
use super::wire::{Datagram, Wire};

/// One message, in true time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageTruth {
    /// Its length.
    pub bytes: u64,
    /// When it left.
    pub sent_ns: u64,
    /// When its first copy came that the receiver took.
    pub arrived_ns: Option<u64>,
}

/// What is true of the flow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// From the sender, in the order in which they left.
    pub messages: Vec<MessageTruth>,
    /// Sender to receiver.
    pub forward: DirectionTruth,
    /// Receiver to sender.
    pub backward: DirectionTruth,
}

/// What a script leaves behind.
pub type Played = script::Played<Truth>;

/// Messages to be sent.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Identity and habits on the wire.
    pub wire: Wire,
    /// The captures' clocks.
    pub clocks: Clocks,
    sends: Vec<Send>,
}

#[derive(Clone, Debug)]
struct Send {
    at_ns: u64,
    bytes: u64,
    fate: Fate,
    from_sender: bool,
}

impl Script {
    /// Of UDP over IPv4, with one nanosecond clock.
    pub fn new() -> Self {
        Self::default()
    }

    /// A message leaves the sender.
    pub fn message(&mut self, at_ns: u64, bytes: u64, fate: Fate) -> &mut Self {
        self.send(at_ns, bytes, fate, true)
    }

    /// One leaves the receiver.
    pub fn answer(&mut self, at_ns: u64, bytes: u64, fate: Fate) -> &mut Self {
        self.send(at_ns, bytes, fate, false)
    }

    fn send(&mut self, at_ns: u64, bytes: u64, fate: Fate, from_sender: bool) -> &mut Self {
        self.sends.push(Send {
            at_ns,
            bytes,
            fate,
            from_sender,
        });
        self
    }

    /// Plays the script.
    pub fn run(&self) -> Played {
        let mut sends = self.sends.clone();
        sends.sort_by_key(|send| send.at_ns);
        let mut truth = Truth::default();
        let mut frames = Vec::new();
        // From the receiver, from the sender.
        let mut ids = [300_u16, 7_000];
        for (number, send) in sends.iter().enumerate() {
            let id = &mut ids[usize::from(send.from_sender)];
            *id = id.wrapping_add(1);
            let salt = if self.wire.tells_apart { number } else { 0 };
            let datagram = Datagram {
                from_sender: send.from_sender,
                payload: (0..send.bytes as usize)
                    .map(|at| (at.wrapping_mul(31) ^ salt.wrapping_mul(7)) as u8)
                    .collect(),
                ip_id: *id,
            };
            self.capture(send, &datagram, &mut frames);
            let direction = if send.from_sender {
                truth.messages.push(MessageTruth {
                    bytes: send.bytes,
                    sent_ns: send.at_ns,
                    arrived_ns: self.taken(send),
                });
                &mut truth.forward
            } else {
                &mut truth.backward
            };
            direction.count(&send.fate, self.takes_damage_from());
        }
        Played::new(frames, &self.clocks, truth)
    }

    /// When the receiver takes the first copy.
    fn taken(&self, send: &Send) -> Option<u64> {
        if send.fate.is_damage_refused(self.takes_damage_from()) {
            return None;
        }
        let mut arrivals = send.fate.arrivals().into_iter();
        arrivals.next().map(|(after_ns, _)| send.at_ns + after_ns)
    }

    /// The byte of the IP packet from which on the checksum covers none.
    fn takes_damage_from(&self) -> Option<usize> {
        let header_bytes = if self.wire.sender.is_ipv4() { 20 } else { 40 };
        let covered = self.wire.coverage_bytes.filter(|bytes| *bytes > 0);
        covered.map(|bytes| header_bytes + usize::from(bytes))
    }

    fn capture(&self, send: &Send, datagram: &Datagram, frames: &mut Vec<Frame>) {
        let offloaded = send.from_sender && self.wire.sender_offloads_checksums;
        let crossing = Crossing {
            from_sender: send.from_sender,
            at_ns: send.at_ns,
            fate: &send.fate,
        };
        let packet = |ttl, is_leaving| datagram.bytes(&self.wire, ttl, !(offloaded && is_leaving));
        crossing.capture(&self.clocks, packet, frames);
    }
}
