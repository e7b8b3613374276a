//! Datagrams as bytes: the headers of UDP (RFC 768) and UDP-Lite (RFC 3828).
// SPDX-License-Identifier: Apache-2.0

use std::net::{IpAddr, SocketAddr};

use super::super::wire::{ipv4_header, ipv6_header};

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
        let pseudo = pseudo_header([source.ip(), destination.ip()], number, length);
        let sum = match (wire.without_checksums, is_summed) {
            (true, _) => 0,
            (_, true) => match !sum(&[&pseudo, &udp[..covered]]) {
                0 => u16::MAX,
                sum => sum,
            },
            (_, false) => sum(&[&pseudo]),
        };
        udp[6..8].copy_from_slice(&sum.to_be_bytes());
        let mut packet = match (source.ip(), destination.ip()) {
            (IpAddr::V4(from), IpAddr::V4(to)) => {
                let id = if wire.ip_ids { self.ip_id } else { 0 };
                ipv4_header(from.octets(), to.octets(), (number, length), ttl, id)
            }
            (IpAddr::V6(from), IpAddr::V6(to)) => {
                ipv6_header(from.octets(), to.octets(), (number, length), ttl)
            }
            _ => panic!("both ends of a script need addresses of one IP version"),
        };
        packet.extend_from_slice(&udp);
        packet
    }
}

fn pseudo_header(ends: [IpAddr; 2], number: u8, length: usize) -> Vec<u8> {
    let mut pseudo = Vec::new();
    for end in ends {
        match end {
            IpAddr::V4(address) => pseudo.extend_from_slice(&address.octets()),
            IpAddr::V6(address) => pseudo.extend_from_slice(&address.octets()),
        }
    }
    pseudo.extend_from_slice(&(length as u32).to_be_bytes());
    pseudo.extend_from_slice(&u32::from(number).to_be_bytes());
    pseudo
}

/// RFC 1071, word by word; every part but the last is of whole words.
fn sum(parts: &[&[u8]]) -> u16 {
    let mut sum = 0_u32;
    for word in parts.iter().flat_map(|part| part.chunks(2)) {
        sum += u32::from(word[0]) << 8 | word.get(1).map_or(0, |low| u32::from(*low));
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}
