//! Packets as bytes: IPv4 or IPv6 around what they carry, and the checksum of both.
// SPDX-License-Identifier: Apache-2.0

use std::net::IpAddr;

/// From one end to the other; `payload` is its protocol and what is in it. IPv6 has no `id`.
///
/// # Panics
/// When the ends' addresses are of different versions.
pub(super) fn ip_packet(
    ends: [IpAddr; 2],
    (protocol, payload): (u8, &[u8]),
    ttl: u8,
    id: u16,
) -> Vec<u8> {
    let carried = (protocol, payload.len());
    let mut packet = match ends {
        [IpAddr::V4(from), IpAddr::V4(to)] => {
            ipv4_header(from.octets(), to.octets(), carried, ttl, id)
        }
        [IpAddr::V6(from), IpAddr::V6(to)] => ipv6_header(from.octets(), to.octets(), carried, ttl),
        _ => panic!("both ends of a script need addresses of one IP version"),
    };
    packet.extend_from_slice(payload);
    packet
}

/// `carried` is the payload's protocol and length.
fn ipv4_header(from: [u8; 4], to: [u8; 4], carried: (u8, usize), ttl: u8, id: u16) -> Vec<u8> {
    let total = u16::try_from(20 + carried.1).expect("a packet fits 64 KiB");
    let mut header = vec![0x45, 0];
    header.extend_from_slice(&total.to_be_bytes());
    header.extend_from_slice(&id.to_be_bytes());
    header.extend_from_slice(&[0x40, 0, ttl, carried.0, 0, 0]);
    header.extend_from_slice(&from);
    header.extend_from_slice(&to);
    let sum = !ones_complement_sum(&[&header]);
    header[10..12].copy_from_slice(&sum.to_be_bytes());
    header
}

fn ipv6_header(from: [u8; 16], to: [u8; 16], carried: (u8, usize), hop_limit: u8) -> Vec<u8> {
    let length = u16::try_from(carried.1).expect("a packet fits 64 KiB");
    let mut header = vec![0x60, 0, 0, 0];
    header.extend_from_slice(&length.to_be_bytes());
    header.extend_from_slice(&[carried.0, hop_limit]);
    header.extend_from_slice(&from);
    header.extend_from_slice(&to);
    header
}

/// What the checksums of TCP and UDP cover beside their own packets. The order of its words
/// does not matter to them, so it is IPv6's for both (RFC 8200, 8.1).
pub(super) fn pseudo_header(ends: [IpAddr; 2], protocol: u8, length: usize) -> Vec<u8> {
    let mut pseudo = Vec::new();
    for end in ends {
        match end {
            IpAddr::V4(address) => pseudo.extend_from_slice(&address.octets()),
            IpAddr::V6(address) => pseudo.extend_from_slice(&address.octets()),
        }
    }
    pseudo.extend_from_slice(&(length as u32).to_be_bytes());
    pseudo.extend_from_slice(&u32::from(protocol).to_be_bytes());
    pseudo
}

/// RFC 1071, over parts that are each a whole number of 16-bit words except
/// the last.
pub(super) fn ones_complement_sum(parts: &[&[u8]]) -> u16 {
    let mut sum = 0_u32;
    for word in parts.iter().flat_map(|part| part.chunks(2)) {
        sum += u32::from(word[0]) << 8 | word.get(1).map_or(0, |low| u32::from(*low));
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}
