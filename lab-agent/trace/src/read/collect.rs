//! A file's frames to its [`Capture`].
// SPDX-License-Identifier: Apache-2.0

use super::Reading;
use super::frame::{Frames, SeenPacket};
use super::records::Record;
use crate::capture::{Capture, Packet};

/// Collects packets.
pub(super) struct Collection {
    frames: Frames,
    packets: Vec<Packet>,
    seen: SeenPacket,
    resolution_ns: u32,
    reading: Reading,
}

impl Collection {
    pub(super) fn new(frames: Frames, reading: Reading) -> Self {
        Self {
            frames,
            packets: Vec::new(),
            seen: SeenPacket::NONE,
            resolution_ns: 0,
            reading,
        }
    }

    pub(super) fn add(&mut self, record: &Record) {
        self.resolution_ns = self.resolution_ns.max(record.resolution_ns);
        if !self.frames.see(record, &mut self.seen) {
            return;
        }
        let seen = &self.seen;
        match self.reading.mss_bytes {
            Some(mss_bytes) => seen.cut_apart(mss_bytes, &mut self.packets),
            None => self.packets.push(seen.packet),
        }
    }

    pub(super) fn finish(mut self) -> Capture {
        // Captures of several queues come slightly out of order.
        self.packets.sort_by_key(|packet| packet.at_ns);
        Capture {
            packets: self.packets,
            resolution_ns: self.resolution_ns.max(1),
            frames: self.frames.count(),
            connections: self.frames.connections,
            skipped: self.frames.skipped,
            chunks: self.frames.chunks,
        }
    }
}
