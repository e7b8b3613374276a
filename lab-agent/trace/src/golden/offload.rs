//! Captures of hosts whose network card cuts segments apart or puts them together.
// SPDX-License-Identifier: Apache-2.0

use super::script::{End, Frame, Trace};

const IP_BYTES: usize = 20;

impl Trace {
    /// As captured at `end` by a host with offload: IPv4 packets of one direction that
    /// are there at one instant, each going on where the one before ended, are one.
    #[must_use]
    pub fn offloaded_at(mut self, end: End) -> Self {
        let mut frames: Vec<Frame> = Vec::new();
        for frame in self.frames {
            match frames.last_mut().filter(|last| last.end == end) {
                Some(last) if goes_on(last, &frame) => append(&mut last.packet, &frame.packet),
                _ => frames.push(frame),
            }
        }
        self.frames = frames;
        self
    }
}

fn goes_on(last: &Frame, next: &Frame) -> bool {
    let payload = |packet: &[u8]| packet.len() - header_bytes(packet);
    last.end == next.end
        && last.true_ns == next.true_ns
        && last.outgoing == next.outgoing
        && payload(&last.packet) > 0
        && payload(&next.packet) > 0
        && seq(&next.packet) == seq(&last.packet).wrapping_add(payload(&last.packet) as u32)
}

fn header_bytes(packet: &[u8]) -> usize {
    IP_BYTES + usize::from(packet[IP_BYTES + 12] >> 4) * 4
}

fn seq(packet: &[u8]) -> u32 {
    let at = IP_BYTES + 4;
    u32::from_be_bytes([packet[at], packet[at + 1], packet[at + 2], packet[at + 3]])
}

/// Both checksums are left to the card.
fn append(whole: &mut Vec<u8>, next: &[u8]) {
    whole.extend_from_slice(&next[header_bytes(next)..]);
    let length = u16::try_from(whole.len()).expect("a segment fits 64 KiB");
    whole[2..4].copy_from_slice(&length.to_be_bytes());
    whole[10..12].fill(0);
    whole[IP_BYTES + 16..IP_BYTES + 18].fill(0);
    whole[IP_BYTES + 13] |= next[IP_BYTES + 13];
}
