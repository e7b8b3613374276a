//! Datagrams: UDP (RFC 768) and UDP-Lite (RFC 3828).
// SPDX-License-Identifier: Apache-2.0

use std::net::{IpAddr, SocketAddr};

use super::frame::{Datagram, Frames, cut_bytes, datagram, pseudo_header};
use super::identity::Identity;
use super::records::Record;
use super::sum;
use crate::capture::{Checksum, Flags, Packet, Protocol};

/// IP's numbers of them.
pub(super) const UDP: u8 = 17;
pub(super) const UDP_LITE: u8 = 136;
pub(super) const HEADER_BYTES: usize = 8;

/// How much of a datagram is what it says, and how much of it its checksum covers; both with
/// the header.
#[derive(Clone, Copy)]
struct Extent {
    whole: usize,
    covered: usize,
}

impl Frames {
    #[inline(never)]
    pub(super) fn see_datagram(&mut self, record: &Record) -> Option<Packet> {
        let Record { link, data, .. } = *record;
        let sliced = link.slice(data);
        let net = sliced.as_ref().and_then(|sliced| sliced.net.as_ref());
        let Some(found) = net.and_then(|net| datagram(net, cut_bytes(record))) else {
            self.skipped.not_ip += 1;
            return None;
        };
        let protocol = found
            .protocol
            .filter(|protocol| protocol.is_of_datagrams())
            // A damaged number may have been theirs.
            .or(found.header_damaged.then_some(Protocol::Udp));
        let Some(protocol) = protocol else {
            self.skipped.not_tcp += 1;
            return None;
        };
        if found.is_fragment && !found.header_damaged {
            self.skipped.fragments += 1;
            return None;
        }
        let packet = self.datagram_packet(record.at_ns, &found, protocol);
        self.skipped.malformed += u64::from(packet.is_none());
        packet
    }

    fn datagram_packet(
        &mut self,
        at_ns: i64,
        found: &Datagram,
        protocol: Protocol,
    ) -> Option<Packet> {
        let header: &[u8; HEADER_BYTES] = found.kept.first_chunk()?;
        let short = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
        let extent = Extent::said(protocol, usize::from(short(4)), found.length);
        let checksum = checksum(found, protocol, extent, short(6));
        // One that contradicts itself is as long as its packet.
        let Extent { whole, covered } = extent.unwrap_or(Extent {
            whole: found.length.max(HEADER_BYTES),
            covered: found.length,
        });
        let mut identity = Identity::new();
        identity.add((whole as u64) << 16 | u64::from(short(4)));
        let kept = found.kept.get(HEADER_BYTES..covered.min(found.kept.len()));
        for word in kept.unwrap_or_default().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            identity.add(u64::from_be_bytes(bytes));
        }
        let (connection, from_first) = self.connection(
            None,
            SocketAddr::new(found.source, short(0)),
            SocketAddr::new(found.destination, short(2)),
            protocol,
        );
        Some(Packet {
            at_ns,
            frame: self.count() as u32,
            connection,
            from_first,
            flags: Flags(0),
            payload_bytes: (whole - HEADER_BYTES) as u32,
            ip_id: found.ip_id,
            identity: identity.finish(),
            checksum,
            ..Packet::NONE
        })
    }
}

impl Extent {
    /// By the field that is UDP's length and UDP-Lite's coverage, of an IP payload of so many
    /// bytes; none where it contradicts that. 0 is all, of UDP in a jumbogram (RFC 2675).
    fn said(protocol: Protocol, field: usize, length: usize) -> Option<Self> {
        let field = if field == 0 { length } else { field };
        let fits = (HEADER_BYTES..=length).contains(&field);
        fits.then_some(Self {
            whole: if protocol == Protocol::UdpLite {
                length
            } else {
                field
            },
            covered: field,
        })
    }
}

fn checksum(found: &Datagram, protocol: Protocol, extent: Option<Extent>, field: u16) -> Checksum {
    let Some(extent) = extent.filter(|_| !found.header_damaged) else {
        return Checksum::Wrong;
    };
    let is_lite = protocol == Protocol::UdpLite;
    if field == 0 {
        // Over IPv4 UDP may have none.
        let may_lack = !is_lite && matches!(found.source, IpAddr::V4(_));
        return if may_lack {
            Checksum::Unknown
        } else {
            Checksum::Wrong
        };
    }
    let number = if is_lite { UDP_LITE } else { UDP };
    let covered = found.kept.get(..extent.covered);
    let (Some(covered), Some(pseudo_header)) =
        (covered, pseudo_header(found, number, extent.whole))
    else {
        return Checksum::Unknown;
    };
    if sum::folded(pseudo_header + sum::of(covered)) == sum::SOUND {
        Checksum::Right
    } else if sum::folded(pseudo_header) == field.to_be() {
        Checksum::Offloaded
    } else {
        Checksum::Wrong
    }
}
