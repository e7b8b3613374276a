//! Datagrams as bytes: the headers of UDP (RFC 768) and UDP-Lite (RFC 3828).
// SPDX-License-Identifier: Apache-2.0

use std::net::SocketAddr;

use super::super::ip::{ip_packet, ones_complement_sum, pseudo_header};

const UDP: u8 = 17;
const UDP_LITE: u8 = 136;
const HEADER_BYTES: usize = 8;

/// The flow's identity and habits on the wire.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is one thing that hosts do or not.
pub struct Wire {
    /// The end that sends the messages.
    pub sender: SocketAddr,
    /// The other end.
    pub receiver: SocketAddr,
    /// UDP-Lite with so many bytes covered, header included; none: UDP.
    pub coverage_bytes: Option<u16>,
    /// Whether UDP's checksums are left out, which IPv4 allows.
    pub without_checksums: bool,
    /// The sender leaves its checksums to the network card: its own capture shows the
    /// pseudo-header's sum.
    pub sender_offloads_checksums: bool,
    /// Whether IPv4 identifications count; else they are zero.
    pub ip_ids: bool,
    /// Whether messages differ in their payload.
    pub tells_apart: bool,
}

impl Default for Wire {
    fn default() -> Self {
        Self {
            sender: SocketAddr::from(([10, 0, 1, 1], 40_000)),
            receiver: SocketAddr::from(([10, 0, 2, 2], 5_000)),
            coverage_bytes: None,
            without_checksums: false,
            sender_offloads_checksums: false,
            ip_ids: true,
            tells_apart: true,
        }
    }
}

/// A datagram before it becomes bytes.
#[derive(Clone, Debug)]
pub(super) struct Datagram {
    pub from_sender: bool,
    pub payload: Vec<u8>,
    pub ip_id: u16,
}

impl Datagram {
    /// The whole IP packet. `ttl` tells the two sides of the emulator apart.
    pub(super) fn bytes(&self, wire: &Wire, ttl: u8, is_summed: bool) -> Vec<u8> {
        let mut ends = [wire.sender, wire.receiver];
        if !self.from_sender {
            ends.reverse();
        }
        let [source, destination] = ends;
        let length = HEADER_BYTES + self.payload.len();
        let (number, field) = match wire.coverage_bytes {
            Some(coverage) => (UDP_LITE, coverage),
            None => (UDP, length as u16),
        };
        let mut udp = Vec::new();
        udp.extend_from_slice(&source.port().to_be_bytes());
        udp.extend_from_slice(&destination.port().to_be_bytes());
        udp.extend_from_slice(&field.to_be_bytes());
        udp.extend_from_slice(&[0, 0]);
        udp.extend_from_slice(&self.payload);
        let covered = if field == 0 { length } else { field.into() };
        let ends = [source.ip(), destination.ip()];
        let pseudo = pseudo_header(ends, number, length);
        let sum = match (wire.without_checksums, is_summed) {
            (true, _) => 0,
            (_, true) => match !ones_complement_sum(&[&pseudo, &udp[..covered]]) {
                0 => u16::MAX,
                sum => sum,
            },
            (_, false) => ones_complement_sum(&[&pseudo]),
        };
        udp[6..8].copy_from_slice(&sum.to_be_bytes());
        let id = if wire.ip_ids { self.ip_id } else { 0 };
        ip_packet(ends, (number, &udp), ttl, id)
    }
}
