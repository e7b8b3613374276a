//! What passes one interface, packet by packet.
// SPDX-License-Identifier: Apache-2.0
use super::pcapng::Packet;
use super::ring::Ring;
use crate::fault::Outcome;

/// Everything that passes an interface, in both directions.
pub struct Tap {
    ring: Ring,
    sent: u64,
    received: u64,
    newest_ns: u64,
}

impl Tap {
    /// Listens on `interface` of the calling thread's namespace, with room for
    /// so many packets between two looks.
    pub fn open(interface: &str, frames: usize) -> Outcome<Self> {
        Ok(Self {
            ring: Ring::open(interface, frames)?,
            sent: 0,
            received: 0,
            newest_ns: 0,
        })
    }

    /// Hands every waiting packet to `each`, oldest first. Costs a memory read
    /// when there is none.
    pub fn drain(&mut self, mut each: impl FnMut(&Packet<'_>)) {
        let (sent, received) = (&mut self.sent, &mut self.received);
        let newest_ns = &mut self.newest_ns;
        self.ring.drain(|packet| {
            if packet.outgoing {
                *sent += 1;
            } else {
                *received += 1;
            }
            *newest_ns = packet.at_ns;
            each(packet);
        });
    }

    /// Packets that found the ring full, since the last call.
    pub fn overruns(&self) -> Outcome<u32> {
        self.ring.overruns()
    }

    /// Packets that left this end.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Packets that arrived here.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// When the last packet was seen.
    pub fn newest_ns(&self) -> u64 {
        self.newest_ns
    }
}
