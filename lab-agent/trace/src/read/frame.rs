//! Frames to packets: link header, IP, TCP, checksums. What is SCTP is [`super::sctp`]'s.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use etherparse::{
    EtherType, Ethernet2Header, IpNumber, Ipv4Header, LaxIpPayloadSlice, LaxNetSlice,
    LaxSlicedPacket, TcpOptionElement, TcpOptionsIterator, TransportSlice,
};

use super::datagram::{HEADER_BYTES as DATAGRAM_HEADER_BYTES, UDP, UDP_LITE};
use super::identity::Identity;
use super::records::Record;
use super::sctp::{Associations, SCTP};
use super::{sum, usual};
use crate::capture::{Checksum, Connection, Flags, Packet, Protocol, Skipped};
use crate::sctp::Chunk;

/// Of a TCP header, without options.
const FIXED_BYTES: usize = 20;
/// IP's number of it.
pub(super) const TCP: u8 = 6;

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

    /// The IPv4 packet, where the link's header says without detours that it is one.
    fn ipv4(self, data: &[u8]) -> Option<&[u8]> {
        const IPV4: [u8; 2] = [8, 0];
        let (header, ether_type) = match self {
            Self::RawIp => return Some(data),
            Self::Ethernet => (14, 12),
            Self::Cooked => (16, 14),
            Self::Cooked2 => (20, 0),
            Self::Loopback => return data.get(4..),
        };
        let is_ipv4 = data.get(ether_type..ether_type + 2)? == IPV4;
        is_ipv4.then(|| data.get(header..)).flatten()
    }

    pub(super) fn slice(self, data: &[u8]) -> Option<LaxSlicedPacket<'_>> {
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
/// Lanes carry TCP, SCTP or datagrams over IPv4; of anything else, which may quote a packet, only
/// as much as holds no payload. Of SCTP all ends with the header of a packet's first data.
pub fn headers_bytes(frame: &[u8]) -> usize {
    let sliced = Link::Ethernet.slice(frame);
    let found = sliced.and_then(|sliced| match (sliced.net, sliced.transport) {
        (Some(LaxNetSlice::Ipv4(ip)), Some(TransportSlice::Tcp(tcp))) => {
            Some(ip.header().slice().len() + tcp.header_slice().len())
        }
        (Some(LaxNetSlice::Ipv4(ip)), None)
            if ip.header().protocol() == IpNumber(SCTP) && !ip.payload().fragmented =>
        {
            Some(ip.header().slice().len() + super::sctp::headers_bytes(ip.payload().payload))
        }
        (Some(LaxNetSlice::Ipv4(ip)), _)
            if [IpNumber(UDP), IpNumber(UDP_LITE)].contains(&ip.header().protocol())
                && !ip.payload().fragmented =>
        {
            let header = ip.payload().payload.len().min(DATAGRAM_HEADER_BYTES);
            Some(ip.header().slice().len() + header)
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
    known: HashMap<(SocketAddr, SocketAddr, Protocol), u32>,
    /// Where the last packet went.
    last: u32,
    /// Its sockets, where they stood side by side, and those of its answer; and whether it
    /// came from the first one.
    last_sockets: Option<[[u8; 12]; 2]>,
    last_from_first: bool,
    count: u64,
    pub skipped: Skipped,
    /// Whether SCTP is read, too.
    takes_sctp: bool,
    /// Whether UDP and UDP-Lite are read, and nothing else.
    takes_datagrams: bool,
    pub(super) associations: Associations,
    /// Of SCTP packets, as many as were not taken away.
    pub chunks: Vec<Chunk>,
}

/// What IP says of its payload.
pub(super) struct Datagram<'a> {
    pub source: IpAddr,
    pub destination: IpAddr,
    /// Both addresses and both ports, where they stand side by side.
    pub sockets: Option<&'a [u8; 12]>,
    pub ip_id: Option<u16>,
    /// Payload on the wire, however much was kept.
    pub length: usize,
    pub header_damaged: bool,
    /// None: another one.
    pub protocol: Option<Protocol>,
    pub is_fragment: bool,
    /// What the capture has of the payload.
    pub kept: &'a [u8],
}

/// A packet, and what else its digest is made of.
#[derive(Clone, Copy)]
pub(crate) struct SeenPacket {
    pub packet: Packet,
    options: Identity,
    pub(super) options_bytes: u32,
}

impl Frames {
    /// Of every protocol that is known; by default TCP alone is read.
    pub(crate) fn of_all() -> Self {
        Self {
            takes_sctp: true,
            ..Self::default()
        }
    }

    /// Of datagrams alone.
    pub(crate) fn of_datagrams() -> Self {
        Self {
            takes_datagrams: true,
            ..Self::default()
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Takes a frame; none when it is no packet.
    pub(crate) fn read(&mut self, record: &Record) -> Option<Packet> {
        let mut seen = SeenPacket::NONE;
        self.see(record, &mut seen).then_some(seen.packet)
    }

    /// The same, with what it takes to cut it apart, to where it stays: a copy of what was just
    /// written has to wait for it. Says whether it is a packet.
    #[inline]
    pub(crate) fn see(&mut self, record: &Record, to: &mut SeenPacket) -> bool {
        self.count += 1;
        if !self.takes_datagrams {
            let ip = record.link.ipv4(record.data);
            let usual = ip.and_then(|ip| usual::datagram(ip, cut_bytes(record)));
            if let Some(datagram) = &usual
                && datagram.protocol == Some(Protocol::Tcp)
            {
                return self.of_tcp(record.at_ns, datagram, to);
            }
            if let Some(datagram) = &usual {
                return to.set(self.of_usual_sctp(record.at_ns, datagram));
            }
        }
        self.unusual(record, to)
    }

    #[inline(never)]
    fn unusual(&mut self, record: &Record, to: &mut SeenPacket) -> bool {
        if self.takes_datagrams {
            return to.set(self.see_datagram(record));
        }
        let Record { link, data, .. } = *record;
        let sliced = link.slice(data);
        let net = sliced.as_ref().and_then(|sliced| sliced.net.as_ref());
        let Some(mut datagram) = net.and_then(|net| datagram(net, cut_bytes(record))) else {
            self.skipped.not_ip += 1;
            return false;
        };
        datagram.protocol = datagram
            .protocol
            .filter(|protocol| !protocol.is_of_datagrams());
        // What a damaged header says of the rest is not to be believed.
        let believed = !datagram.header_damaged;
        let is_sctp = datagram.protocol == Some(Protocol::Sctp);
        if believed && (datagram.protocol.is_none() || is_sctp && !self.takes_sctp) {
            self.skipped.not_tcp += 1;
            return false;
        }
        if believed && datagram.is_fragment {
            self.skipped.fragments += 1;
            return false;
        }
        if is_sctp && self.takes_sctp {
            return to.set(self.of_sctp(record.at_ns, &datagram));
        }
        // A damaged number may have been either's.
        if datagram.protocol.is_none() && self.takes_sctp {
            let is_tcp = self.packet(record.at_ns, &datagram, to).is_some();
            return is_tcp || to.set(self.of_sctp(record.at_ns, &datagram));
        }
        self.of_tcp(record.at_ns, &datagram, to)
    }

    fn of_usual_sctp(&mut self, at_ns: i64, datagram: &Datagram) -> Option<Packet> {
        if !self.takes_sctp {
            self.skipped.not_tcp += 1;
            return None;
        }
        self.of_sctp(at_ns, datagram)
    }

    fn of_sctp(&mut self, at_ns: i64, datagram: &Datagram) -> Option<Packet> {
        let packet = self.sctp_packet(at_ns, datagram);
        self.skipped.malformed += u64::from(packet.is_none());
        packet
    }

    #[inline]
    fn of_tcp(&mut self, at_ns: i64, datagram: &Datagram, to: &mut SeenPacket) -> bool {
        let is_whole = self.packet(at_ns, datagram, to).is_some();
        self.skipped.malformed += u64::from(!is_whole);
        is_whole
    }

    /// None when it contradicts itself.
    #[inline]
    fn packet(&mut self, at_ns: i64, datagram: &Datagram, to: &mut SeenPacket) -> Option<()> {
        let kept = datagram.kept;
        let header_bytes = usize::from(kept.get(12)? >> 4) * 4;
        // A snapshot may end inside the options: zeros read as their end.
        let mut padded;
        let header = if kept.len() >= header_bytes || kept.len() < FIXED_BYTES {
            kept
        } else {
            padded = [0; 60];
            padded[..kept.len()].copy_from_slice(kept);
            &padded[..]
        };
        let fixed: &[u8; FIXED_BYTES] = header.first_chunk()?;
        let options = header.get(FIXED_BYTES..header_bytes)?;
        let short = |at: usize| u16::from_be_bytes([fixed[at], fixed[at + 1]]);
        let long = |at: usize| u32::from(short(at)) << 16 | u32::from(short(at + 2));
        let payload_bytes = datagram.length.checked_sub(header_bytes);
        if payload_bytes.is_none() && !datagram.header_damaged {
            return None;
        }
        let payload_bytes = payload_bytes.unwrap_or(0) as u32;
        let (connection, from_first) = self.known(datagram).unwrap_or_else(|| {
            self.connection(
                datagram.sockets,
                SocketAddr::new(datagram.source, short(0)),
                SocketAddr::new(datagram.destination, short(2)),
                Protocol::Tcp,
            )
        });
        let (seq, ack) = (long(4), long(8));
        let (flags, window) = (Flags(fixed[13]), short(14));
        let said = Said::by(options, ack);
        let numbers = (seq, ack, flags, window, payload_bytes);
        *to = SeenPacket {
            packet: Packet {
                at_ns,
                frame: self.count as u32,
                connection,
                from_first,
                seq,
                ack,
                flags,
                window,
                payload_bytes,
                window_shift: said.window_shift,
                mss_bytes: said.mss_bytes,
                sacked_bytes: said.sacked_bytes,
                ip_id: datagram.ip_id,
                identity: identity(said.identity, numbers),
                checksum: checksum(datagram, kept, short(16)),
                chunks: Packet::NO_CHUNKS,
            },
            options: said.identity,
            options_bytes: options.len() as u32,
        };
        Some(())
    }

    /// The connection and whether it comes from its first end, if that is the last packet's.
    fn known(&self, datagram: &Datagram) -> Option<(u32, bool)> {
        let sockets = datagram.sockets?;
        let [same, answer] = self.last_sockets.as_ref()?;
        if sockets == same {
            return Some((self.last, self.last_from_first));
        }
        (sockets == answer).then_some((self.last, !self.last_from_first))
    }

    #[inline(never)]
    pub(super) fn connection(
        &mut self,
        sockets: Option<&[u8; 12]>,
        source: SocketAddr,
        destination: SocketAddr,
        protocol: Protocol,
    ) -> (u32, bool) {
        let ends = (source.min(destination), source.max(destination), protocol);
        let number = *self.known.entry(ends).or_insert_with(|| {
            self.connections.push(Connection {
                first: source,
                second: destination,
                protocol,
            });
            self.connections.len() as u32 - 1
        });
        let from_first = self.connections[number as usize].first == source;
        self.last = number;
        self.last_from_first = from_first;
        self.last_sockets = sockets.map(|same| {
            let mut answer = *same;
            answer[..8].rotate_left(4);
            answer[8..].rotate_left(2);
            [*same, answer]
        });
        (number, from_first)
    }
}

impl SeenPacket {
    /// Before the first one.
    pub(crate) const NONE: Self = Self {
        packet: Packet::NONE,
        options: Identity::NONE,
        options_bytes: 0,
    };

    /// Becomes one whose digest is made of something else than options, if there is one.
    fn set(&mut self, packet: Option<Packet>) -> bool {
        if let Some(packet) = packet {
            *self = Self {
                packet,
                ..Self::NONE
            };
            return true;
        }
        false
    }

    /// Gives the packet its digest.
    pub(super) fn identify(&mut self) {
        let packet = &mut self.packet;
        let Packet {
            seq,
            ack,
            flags,
            window,
            payload_bytes,
            ..
        } = *packet;
        packet.identity = identity(self.options, (seq, ack, flags, window, payload_bytes));
    }
}

/// The digest of a packet's options and of its other numbers: sequence, acknowledgement,
/// flags, window, length.
fn identity(
    mut options: Identity,
    (seq, ack, flags, window, payload_bytes): (u32, u32, Flags, u16, u32),
) -> u64 {
    options.add(u64::from(seq) << 32 | u64::from(ack));
    let flags_and_window = u64::from(flags.0) << 16 | u64::from(window);
    options.add(flags_and_window << 32 | u64::from(payload_bytes));
    options.finish()
}

/// What a packet's options say.
#[derive(Clone, Copy)]
struct Said {
    /// Of timestamps and SACK blocks.
    identity: Identity,
    window_shift: Option<u8>,
    mss_bytes: Option<u16>,
    sacked_bytes: Option<u32>,
}

impl Said {
    #[inline]
    fn by(options: &[u8], ack: u32) -> Self {
        let mut said = Self {
            identity: Identity::new(),
            window_shift: None,
            mss_bytes: None,
            sacked_bytes: None,
        };
        match options {
            [] => {}
            // What Linux sends once a connection is open.
            [1, 1, 8, 10, stamps @ ..] if stamps.len() == 8 => {
                let stamps: [u8; 8] = stamps.try_into().expect("eight bytes");
                said.identity.add(u64::from_be_bytes(stamps));
            }
            _ => said.take(options, ack),
        }
        said
    }

    #[inline(never)]
    fn take(&mut self, options: &[u8], ack: u32) {
        for option in TcpOptionsIterator::from_slice(options).map_while(Result::ok) {
            match option {
                TcpOptionElement::Timestamp(value, echo) => {
                    self.identity.add(u64::from(value) << 32 | u64::from(echo));
                }
                TcpOptionElement::SelectiveAcknowledgement(first, rest) => {
                    let blocks = || std::iter::once(first).chain(rest.into_iter().flatten());
                    for (start, end) in blocks() {
                        self.identity.add(u64::from(start) << 32 | u64::from(end));
                    }
                    self.sacked_bytes = blocks().filter_map(|block| above(ack, block)).max();
                }
                TcpOptionElement::WindowScale(shift) => self.window_shift = Some(shift),
                TcpOptionElement::MaximumSegmentSize(bytes) => self.mss_bytes = Some(bytes),
                TcpOptionElement::Noop | TcpOptionElement::SelectiveAcknowledgementPermitted => {}
            }
        }
    }
}

/// How far beyond `ack` a block of a selective acknowledgement reaches; one that
/// begins below tells of a duplicate.
fn above(ack: u32, (start, end): (u32, u32)) -> Option<u32> {
    let (start, end) = (start.wrapping_sub(ack), end.wrapping_sub(ack));
    (start < 1 << 31 && end < 1 << 31).then_some(end)
}

/// What the capture left off at the frame's end.
pub(super) fn cut_bytes(record: &Record) -> usize {
    record.whole_bytes.saturating_sub(record.data.len())
}

/// `cut_bytes` tells how long packets are whose length field is zero because
/// segmentation was offloaded, and which claim to be longer than their frame was: IP
/// throws those away, and what they say of the rest is not to be believed.
pub(super) fn datagram<'a>(net: &'a LaxNetSlice<'a>, cut_bytes: usize) -> Option<Datagram<'a>> {
    let of = |payload: &'a LaxIpPayloadSlice<'a>| Datagram {
        source: Ipv4Addr::UNSPECIFIED.into(),
        destination: Ipv4Addr::UNSPECIFIED.into(),
        sockets: None,
        ip_id: None,
        length: 0,
        header_damaged: false,
        protocol: match payload.ip_number {
            IpNumber::TCP => Some(Protocol::Tcp),
            IpNumber(SCTP) => Some(Protocol::Sctp),
            IpNumber::UDP => Some(Protocol::Udp),
            IpNumber(UDP_LITE) => Some(Protocol::UdpLite),
            _ => None,
        },
        is_fragment: payload.fragmented,
        kept: payload.payload,
    };
    let of_frame = |payload: &LaxIpPayloadSlice| payload.payload.len() + cut_bytes;
    match net {
        LaxNetSlice::Ipv4(ip) => {
            let header = ip.header();
            let before = header.slice().len() + ip.extensions().to_header().header_len();
            let declared = usize::from(header.total_len()).checked_sub(before);
            let sum = header.header_checksum();
            let most = of_frame(ip.payload());
            Some(Datagram {
                source: header.source_addr().into(),
                destination: header.destination_addr().into(),
                ip_id: Some(header.identification()).filter(|id| *id != 0),
                length: declared.unwrap_or(most),
                // Zero where the card fills it in.
                header_damaged: sum != 0 && header.to_header().calc_header_checksum() != sum
                    || declared.is_some_and(|declared| declared > most),
                ..of(ip.payload())
            })
        }
        LaxNetSlice::Ipv6(ip) => {
            let header = ip.header();
            let declared = usize::from(header.payload_length());
            let declared = declared.checked_sub(ip.extensions().slice().len());
            let most = of_frame(ip.payload());
            Some(Datagram {
                source: header.source_addr().into(),
                destination: header.destination_addr().into(),
                length: declared.unwrap_or(most),
                header_damaged: declared.is_some_and(|declared| declared > most),
                ..of(ip.payload())
            })
        }
        LaxNetSlice::Arp(_) => None,
    }
}

fn checksum(datagram: &Datagram, segment: &[u8], field: u16) -> Checksum {
    if datagram.header_damaged {
        return Checksum::WrongBelow;
    }
    if segment.len() != datagram.length {
        return Checksum::Unknown;
    }
    let Some(pseudo_header) = pseudo_header(datagram, TCP, segment.len()) else {
        return Checksum::Unknown;
    };
    if sum::folded(pseudo_header + sum::of(segment)) == sum::SOUND {
        Checksum::Right
    } else if field == 0 || sum::folded(pseudo_header) == field.to_be() {
        Checksum::Offloaded
    } else {
        Checksum::Wrong
    }
}

/// The sum of what checksums cover beside the packet (RFC 9293, section 3.1): of a protocol's
/// number, and a length.
pub(super) fn pseudo_header(datagram: &Datagram, protocol: u8, length: usize) -> Option<u64> {
    let addresses = match (datagram.sockets, datagram.source, datagram.destination) {
        (Some(sockets), ..) => sum::of(&sockets[..8]),
        (_, IpAddr::V4(from), IpAddr::V4(to)) => sum::of(&from.octets()) + sum::of(&to.octets()),
        (_, IpAddr::V6(from), IpAddr::V6(to)) => sum::of(&from.octets()) + sum::of(&to.octets()),
        _ => return None,
    };
    let length = (length as u32).to_be_bytes();
    Some(addresses + sum::of(&[0, protocol]) + sum::of(&length))
}
