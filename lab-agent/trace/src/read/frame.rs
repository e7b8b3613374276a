//! Frames to packets: link header, IP, TCP, checksums.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::{IpAddr, SocketAddr};

use etherparse::checksum::Sum16BitWords;
use etherparse::{
    EtherType, Ethernet2Header, IpNumber, Ipv4Header, LaxIpPayloadSlice, LaxNetSlice,
    LaxSlicedPacket, TcpHeaderSlice, TcpOptionElement, TransportSlice,
};

use crate::capture::{Checksum, Connection, Flags, Packet, Skipped};

/// The link types whose headers are known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Link {
    Ethernet,
    RawIp,
    Cooked,
    Cooked2,
    /// Four bytes of address family.
    Loopback,
}

impl Link {
    /// By the link-type registry of pcap and pcapng.
    pub(super) fn from_number(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::Ethernet),
            // 12 and 14 are what some systems write for raw IP.
            12 | 14 | 101 | 228 | 229 => Some(Self::RawIp),
            113 => Some(Self::Cooked),
            276 => Some(Self::Cooked2),
            0 | 108 => Some(Self::Loopback),
            _ => None,
        }
    }

    fn slice(self, data: &[u8]) -> Option<LaxSlicedPacket<'_>> {
        let ether_type = |at: usize| {
            let field = data.get(at..at + 2)?;
            Some(EtherType(u16::from_be_bytes(
                field.try_into().expect("two bytes"),
            )))
        };
        match self {
            Self::Ethernet => LaxSlicedPacket::from_ethernet(data).ok(),
            Self::RawIp => LaxSlicedPacket::from_ip(data).ok(),
            Self::Loopback => LaxSlicedPacket::from_ip(data.get(4..)?).ok(),
            Self::Cooked => Some(LaxSlicedPacket::from_ether_type(
                ether_type(14)?,
                data.get(16..)?,
            )),
            Self::Cooked2 => Some(LaxSlicedPacket::from_ether_type(
                ether_type(0)?,
                data.get(20..)?,
            )),
        }
    }
}

/// How much of an Ethernet frame is headers, for a capture that keeps nothing of what was said.
///
/// Lanes carry TCP over IPv4; of anything else, which may quote a packet, only as much as
/// holds no payload.
pub fn headers_bytes(frame: &[u8]) -> usize {
    let sliced = Link::Ethernet.slice(frame);
    let found = sliced.and_then(|sliced| match (sliced.net, sliced.transport) {
        (Some(LaxNetSlice::Ipv4(ip)), Some(TransportSlice::Tcp(tcp))) => {
            Some(ip.header().slice().len() + tcp.header_slice().len())
        }
        _ => None,
    });
    Ethernet2Header::LEN + found.unwrap_or(Ipv4Header::MIN_LEN)
}

/// Reads the frames of one capture, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    /// The connections that [`Packet::connection`] counts through.
    pub connections: Vec<Connection>,
    known: HashMap<(SocketAddr, SocketAddr), u32>,
    /// Where the last packet went.
    last: u32,
    count: u64,
    pub skipped: Skipped,
}

/// What IP says of its payload.
struct Datagram<'a> {
    source: IpAddr,
    destination: IpAddr,
    ip_id: Option<u16>,
    /// Payload on the wire, however much was kept.
    length: usize,
    header_damaged: bool,
    payload: &'a LaxIpPayloadSlice<'a>,
}

impl Frames {
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Takes a frame of which `data` was kept and `whole_bytes` were there; none
    /// when it is no TCP packet.
    pub(crate) fn read(
        &mut self,
        at_ns: i64,
        link: Link,
        data: &[u8],
        whole_bytes: usize,
    ) -> Option<Packet> {
        self.count += 1;
        let sliced = link.slice(data);
        let net = sliced.as_ref().and_then(|sliced| sliced.net.as_ref());
        let cut_bytes = whole_bytes.saturating_sub(data.len());
        let Some(datagram) = net.and_then(|net| datagram(net, cut_bytes)) else {
            self.skipped.not_ip += 1;
            return None;
        };
        // What a damaged header says of the rest is not to be believed.
        let believed = !datagram.header_damaged;
        if believed && datagram.payload.ip_number != IpNumber::TCP {
            self.skipped.not_tcp += 1;
            return None;
        }
        if believed && datagram.payload.fragmented {
            self.skipped.fragments += 1;
            return None;
        }
        let packet = self.packet(at_ns, &datagram);
        self.skipped.malformed += u64::from(packet.is_none());
        packet
    }

    fn packet(&mut self, at_ns: i64, datagram: &Datagram) -> Option<Packet> {
        let kept = datagram.payload.payload;
        // A snapshot may end inside the options: zeros read as their end.
        let mut padded = [0; 60];
        let header_bytes = usize::from(kept.get(12)? >> 4) * 4;
        let header = if kept.len() >= header_bytes || kept.len() < 20 {
            kept
        } else {
            padded[..kept.len()].copy_from_slice(kept);
            &padded[..]
        };
        let tcp = TcpHeaderSlice::from_slice(header).ok()?;
        let payload_bytes = datagram.length.checked_sub(header_bytes);
        if payload_bytes.is_none() && !datagram.header_damaged {
            return None;
        }
        let payload_bytes = payload_bytes.unwrap_or(0) as u32;
        let (connection, from_first) = self.connection(
            SocketAddr::new(datagram.source, tcp.source_port()),
            SocketAddr::new(datagram.destination, tcp.destination_port()),
        );
        let mut packet = Packet {
            at_ns,
            connection,
            from_first,
            seq: tcp.sequence_number(),
            ack: tcp.acknowledgment_number(),
            flags: Flags(tcp.slice()[13]),
            window: tcp.window_size(),
            payload_bytes,
            window_shift: None,
            mss_bytes: None,
            sacked_bytes: None,
            ip_id: datagram.ip_id,
            identity: 0,
            checksum: checksum(datagram, kept, tcp.checksum()),
        };
        let mut hasher = DefaultHasher::new();
        (
            packet.seq,
            packet.ack,
            packet.flags.0,
            packet.window,
            payload_bytes,
        )
            .hash(&mut hasher);
        for option in tcp.options_iterator().map_while(Result::ok) {
            match option {
                TcpOptionElement::Timestamp(value, echo) => (8_u8, value, echo).hash(&mut hasher),
                TcpOptionElement::SelectiveAcknowledgement(first, rest) => {
                    (5_u8, first, rest).hash(&mut hasher);
                    let blocks = std::iter::once(first).chain(rest.into_iter().flatten());
                    packet.sacked_bytes = blocks.filter_map(|block| above(packet.ack, block)).max();
                }
                TcpOptionElement::WindowScale(shift) => packet.window_shift = Some(shift),
                TcpOptionElement::MaximumSegmentSize(bytes) => packet.mss_bytes = Some(bytes),
                TcpOptionElement::Noop | TcpOptionElement::SelectiveAcknowledgementPermitted => {}
            }
        }
        packet.identity = hasher.finish();
        Some(packet)
    }

    fn connection(&mut self, source: SocketAddr, destination: SocketAddr) -> (u32, bool) {
        let flow = (source, destination);
        let last = self.connections.get(self.last as usize);
        match last.map(|last| (last.first, last.second)) {
            Some(last) if last == flow => return (self.last, true),
            Some((first, second)) if (second, first) == flow => return (self.last, false),
            _ => {}
        }
        let (number, from_first) = if let Some(known) = self.known.get(&flow) {
            (*known, true)
        } else if let Some(known) = self.known.get(&(destination, source)) {
            (*known, false)
        } else {
            let number = self.connections.len() as u32;
            self.connections.push(Connection {
                first: source,
                second: destination,
            });
            self.known.insert(flow, number);
            (number, true)
        };
        self.last = number;
        (number, from_first)
    }
}

/// How far beyond `ack` a block of a selective acknowledgement reaches; one that
/// begins below tells of a duplicate.
fn above(ack: u32, (start, end): (u32, u32)) -> Option<u32> {
    let (start, end) = (start.wrapping_sub(ack), end.wrapping_sub(ack));
    (start < 1 << 31 && end < 1 << 31).then_some(end)
}

/// `cut_bytes` is what the capture left off at the frame's end, for packets
/// whose length field is zero because segmentation was offloaded.
fn datagram<'a>(net: &'a LaxNetSlice<'a>, cut_bytes: usize) -> Option<Datagram<'a>> {
    match net {
        LaxNetSlice::Ipv4(ip) => {
            let header = ip.header();
            let before = header.slice().len() + ip.extensions().to_header().header_len();
            let declared = usize::from(header.total_len()).checked_sub(before);
            let sum = header.header_checksum();
            Some(Datagram {
                source: header.source_addr().into(),
                destination: header.destination_addr().into(),
                ip_id: Some(header.identification()).filter(|id| *id != 0),
                length: declared.unwrap_or(ip.payload().payload.len() + cut_bytes),
                // Zero where the card fills it in.
                header_damaged: sum != 0 && header.to_header().calc_header_checksum() != sum,
                payload: ip.payload(),
            })
        }
        LaxNetSlice::Ipv6(ip) => {
            let header = ip.header();
            let declared = usize::from(header.payload_length());
            let before = ip.extensions().slice().len();
            Some(Datagram {
                source: header.source_addr().into(),
                destination: header.destination_addr().into(),
                ip_id: None,
                length: declared
                    .checked_sub(before)
                    .unwrap_or(ip.payload().payload.len() + cut_bytes),
                header_damaged: false,
                payload: ip.payload(),
            })
        }
        LaxNetSlice::Arp(_) => None,
    }
}

fn checksum(datagram: &Datagram, segment: &[u8], field: u16) -> Checksum {
    if datagram.header_damaged {
        return Checksum::Wrong;
    }
    if segment.len() != datagram.length {
        return Checksum::Unknown;
    }
    let length = (segment.len() as u32).to_be_bytes();
    let addresses = match (datagram.source, datagram.destination) {
        (IpAddr::V4(from), IpAddr::V4(to)) => Sum16BitWords::new()
            .add_4bytes(from.octets())
            .add_4bytes(to.octets()),
        (IpAddr::V6(from), IpAddr::V6(to)) => Sum16BitWords::new()
            .add_16bytes(from.octets())
            .add_16bytes(to.octets()),
        _ => return Checksum::Unknown,
    };
    let pseudo_header = addresses.add_2bytes([0, 6]).add_4bytes(length);
    if pseudo_header.clone().add_slice(segment).ones_complement() == 0 {
        Checksum::Right
    } else if field == 0 || pseudo_header.ones_complement() == !field.to_be() {
        Checksum::Offloaded
    } else {
        Checksum::Wrong
    }
}
