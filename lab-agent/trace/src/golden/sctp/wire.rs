//! Packets as bytes: SCTP's common header, chunks and `CRC32c` (RFC 9260, RFC 8260).
// SPDX-License-Identifier: Apache-2.0

use std::net::{IpAddr, SocketAddr};

use super::super::ip::ip_packet;

const SCTP: u8 = 132;

/// The association's identity and habits on the wire.
#[derive(Clone, Debug)]
pub struct Wire {
    /// The end that sends the stream and opens the association.
    pub sender: SocketAddr,
    /// The other end.
    pub receiver: SocketAddr,
    /// Addresses of the second path: the sender's, the receiver's.
    pub second_path: [IpAddr; 2],
    /// What packets to the sender carry.
    pub sender_tag: u32,
    /// What packets to the receiver carry.
    pub receiver_tag: u32,
    /// TSN of the sender's first chunk.
    pub sender_tsn: u32,
    /// TSN of the receiver's first chunk.
    pub receiver_tsn: u32,
    /// Whether data goes in I-DATA chunks.
    pub interleaves: bool,
    /// The sender leaves its checksums to the network card: its own capture shows zeros.
    pub sender_offloads_checksums: bool,
    /// Whether IPv4 identifications count; else they are zero.
    pub ip_ids: bool,
}

impl Default for Wire {
    fn default() -> Self {
        Self {
            sender: SocketAddr::from(([10, 0, 1, 1], 40_000)),
            receiver: SocketAddr::from(([10, 0, 2, 2], 5_000)),
            second_path: [[10, 1, 1, 1].into(), [10, 1, 2, 2].into()],
            sender_tag: 0x1111_2222,
            receiver_tag: 0x3333_4444,
            sender_tsn: 1_000_000,
            receiver_tsn: 2_000_000,
            interleaves: false,
            sender_offloads_checksums: false,
            ip_ids: true,
        }
    }
}

/// A packet before it becomes bytes.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    pub from_sender: bool,
    pub on_second_path: bool,
    /// In the common header.
    pub tag: u32,
    /// Each whole, but for padding.
    pub chunks: Vec<Vec<u8>>,
    pub ip_id: u16,
}

impl Packet {
    /// On the first path.
    pub(super) fn new(wire: &Wire, from_sender: bool, chunks: Vec<Vec<u8>>) -> Self {
        Self {
            from_sender,
            on_second_path: false,
            tag: if from_sender {
                wire.receiver_tag
            } else {
                wire.sender_tag
            },
            chunks,
            ip_id: 0,
        }
    }

    /// The whole IP packet. `ttl` tells the two sides of the emulator apart.
    pub(super) fn bytes(&self, wire: &Wire, ttl: u8, has_checksum: bool) -> Vec<u8> {
        let mut ends = [wire.sender, wire.receiver];
        if self.on_second_path {
            ends[0].set_ip(wire.second_path[0]);
            ends[1].set_ip(wire.second_path[1]);
        }
        if !self.from_sender {
            ends.reverse();
        }
        let [source, destination] = ends;
        let mut sctp = Vec::new();
        sctp.extend_from_slice(&source.port().to_be_bytes());
        sctp.extend_from_slice(&destination.port().to_be_bytes());
        sctp.extend_from_slice(&self.tag.to_be_bytes());
        sctp.extend_from_slice(&[0; 4]);
        for chunk in &self.chunks {
            sctp.extend_from_slice(chunk);
            sctp.resize(sctp.len().next_multiple_of(4), 0);
        }
        if has_checksum {
            let crc = crc32c(&sctp);
            sctp[8..12].copy_from_slice(&crc.to_le_bytes());
        }
        let id = if wire.ip_ids { self.ip_id } else { 0 };
        ip_packet([source.ip(), destination.ip()], (SCTP, &sctp), ttl, id)
    }
}

/// A chunk of a kind with flags.
pub(super) fn chunk(kind: u8, flags: u8, value: &[u8]) -> Vec<u8> {
    let length = u16::try_from(4 + value.len()).expect("a chunk fits 64 KiB");
    let mut chunk = vec![kind, flags];
    chunk.extend_from_slice(&length.to_be_bytes());
    chunk.extend_from_slice(value);
    chunk
}

/// Numbers one after the other.
pub(super) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Bit by bit, as it is defined (RFC 9260, appendix A).
fn crc32c(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0x82f6_3b78
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_the_standards() {
        // RFC 3720, appendix B.4, and the usual check value.
        assert_eq!(super::crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(super::crc32c(&[0; 32]), 0x8a91_36aa);
    }
}
