//! The sender's data packets, read from its capture.
// SPDX-License-Identifier: Apache-2.0
use thinlab_trace::read_capture;

/// A packet with payload, by its place in the stream.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Since the first of them.
    pub at_ms: f64,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last.
    pub end: u32,
    /// How many of its bytes had been sent before.
    pub old_bytes: u32,
}

impl Segment {
    /// Its payload.
    pub fn bytes(&self) -> u32 {
        self.end - self.start
    }

    /// Old bytes and new ones behind them.
    pub fn is_bundle(&self) -> bool {
        self.old_bytes > 0 && !self.is_retransmission()
    }

    /// Nothing but old bytes.
    pub fn is_retransmission(&self) -> bool {
        self.old_bytes == self.bytes()
    }
}

/// All of them, in order of time.
pub fn segments(sender_capture: &[u8]) -> Vec<Segment> {
    let capture = read_capture(sender_capture).unwrap();
    let opening = capture.packets[0];
    assert!(opening.flags.syn() && !opening.flags.ack());
    let mut highest = 0;
    let mut first_ns = None;
    let sent = capture.packets.iter();
    sent.filter(|packet| packet.from_first && packet.payload_bytes > 0)
        .map(|packet| {
            let start = packet.seq.wrapping_sub(opening.seq).wrapping_sub(1);
            let end = start + packet.payload_bytes;
            let old_bytes = end.min(highest).saturating_sub(start);
            highest = highest.max(end);
            let since_ns = packet.at_ns - *first_ns.get_or_insert(packet.at_ns);
            Segment {
                at_ms: since_ns as f64 / 1e6,
                start,
                end,
                old_bytes,
            }
        })
        .collect()
}
