//! A packet on its way from one end to the other, as both ends capture it.
// SPDX-License-Identifier: Apache-2.0

use super::script::{Clocks, End, Fate, Frame};

/// These tell the two sides of the emulator apart.
const LEAVING_TTL: u8 = 64;
const ARRIVING_TTL: u8 = 63;

/// A packet's departure and what becomes of it.
pub(super) struct Crossing<'a> {
    pub from_sender: bool,
    pub at_ns: u64,
    pub fate: &'a Fate,
}

impl Crossing<'_> {
    /// The frames that both ends capture. `packet` makes its bytes, with a TTL and as it leaves
    /// (its checksum may then be the card's business) or arrives.
    pub(super) fn capture(
        &self,
        clocks: &Clocks,
        packet: impl Fn(u8, bool) -> Vec<u8>,
        frames: &mut Vec<Frame>,
    ) {
        let (here, there) = if self.from_sender {
            (End::Sender, End::Receiver)
        } else {
            (End::Receiver, End::Sender)
        };
        let leaving = packet(LEAVING_TTL, true);
        frames.push(clocks.frame(here, self.at_ns, true, leaving));
        for (after_ns, damage) in self.fate.arrivals() {
            let mut arriving = packet(ARRIVING_TTL, false);
            if let Some(at_byte) = damage {
                let at_byte = at_byte.min(arriving.len() - 1);
                arriving[at_byte] ^= 1;
            }
            frames.push(clocks.frame(there, self.at_ns + after_ns, false, arriving));
        }
    }
}

impl Clocks {
    /// A packet that an end captures at a true instant.
    pub(super) fn frame(&self, end: End, true_ns: u64, outgoing: bool, packet: Vec<u8>) -> Frame {
        Frame {
            end,
            true_ns,
            stamp_ns: self.stamp(end, true_ns),
            outgoing,
            packet,
        }
    }
}
