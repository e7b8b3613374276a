//! A file's frames to its [`Capture`].
// SPDX-License-Identifier: Apache-2.0

use super::Reading;
use super::frame::{Frames, Link};
use crate::capture::{Capture, Packet};

/// Collects packets.
pub(super) struct Collection {
    frames: Frames,
    packets: Vec<Packet>,
    resolution_ns: u32,
    reading: Reading,
}

impl Collection {
    pub(super) fn new(reading: Reading) -> Self {
        Self {
            frames: Frames::default(),
            packets: Vec::new(),
            resolution_ns: 0,
            reading,
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.frames.count()
    }

    /// Stamps are no finer than this.
    pub(super) fn resolution(&mut self, resolution_ns: u32) {
        self.resolution_ns = self.resolution_ns.max(resolution_ns);
    }

    /// Takes a frame of which `data` was kept and `whole_bytes` were there.
    pub(super) fn add(&mut self, at_ns: i64, link: Link, data: &[u8], whole_bytes: usize) {
        let Some(seen) = self.frames.see(at_ns, link, data, whole_bytes) else {
            return;
        };
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
        }
    }
}
