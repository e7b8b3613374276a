//! Segments larger than the wire's, as the capture of a host with offload holds them,
//! cut into the packets that its network card sends or has received.
// SPDX-License-Identifier: Apache-2.0

use super::frame::SeenPacket;
use crate::capture::{Checksum, Packet};

/// Hosts make none larger; a frame that says so is damaged, and stays whole.
const LARGEST_SEGMENT_BYTES: u32 = 1 << 20;

impl SeenPacket {
    /// Pushes it in pieces of at most `mss_bytes`, options included (RFC 6691). All have
    /// its instant; IPv4 identifications count up from its own.
    pub(super) fn cut_apart(&self, mss_bytes: u16, packets: &mut Vec<Packet>) {
        let whole = self.packet;
        let room = u32::from(mss_bytes)
            .saturating_sub(self.options_bytes)
            .max(1);
        let is_larger = (room + 1..=LARGEST_SEGMENT_BYTES).contains(&whole.payload_bytes);
        // What a damaged header says of the length is not to be believed.
        let is_believed = whole.checksum != Checksum::WrongBelow;
        if !is_larger || !is_believed || whole.is_sctp() {
            packets.push(whole);
            return;
        }
        for (number, offset) in (0..whole.payload_bytes).step_by(room as usize).enumerate() {
            let payload_bytes = room.min(whole.payload_bytes - offset);
            let is_last = offset + payload_bytes == whole.payload_bytes;
            let ip_id = whole.ip_id.map(|id| id.wrapping_add(number as u16));
            let mut piece = *self;
            piece.packet = Packet {
                seq: whole.seq.wrapping_add(offset),
                flags: whole.flags.of_piece(number == 0, is_last),
                payload_bytes,
                ip_id: ip_id.filter(|id| *id != 0),
                // Nobody has checked the pieces' own.
                checksum: match whole.checksum {
                    Checksum::Wrong => Checksum::Unknown,
                    other => other,
                },
                ..whole
            };
            piece.identify();
            packets.push(piece.packet);
        }
    }
}
