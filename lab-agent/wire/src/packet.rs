//! TCP segments as bytes of an IP packet, and back. Nothing is left to a
//! kernel: the peer of a script is this code alone.
// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;
use std::net::IpAddr;

/// Bits of the thirteenth and fourteenth byte of a TCP header.
pub mod flag {
    /// No more data.
    pub const FIN: u8 = 0x01;
    /// Opens a connection.
    pub const SYN: u8 = 0x02;
    /// Ends a connection at once.
    pub const RST: u8 = 0x04;
    /// The sender has nothing more for now.
    pub const PSH: u8 = 0x08;
    /// The acknowledgement number counts.
    pub const ACK: u8 = 0x10;
    /// There is urgent data.
    pub const URG: u8 = 0x20;
    /// The path reported congestion (ECN).
    pub const ECE: u8 = 0x40;
    /// The sender has reduced its window (ECN).
    pub const CWR: u8 = 0x80;
}

const TCP: u8 = 6;
const SACK: u8 = 5;
const HOP_LIMIT: u8 = 64;

/// The two lowest bits of the traffic class.
pub mod ecn {
    /// Not ECN-capable.
    pub const NOT_ECT: u8 = 0;
    /// ECN-capable, the other code point.
    pub const ECT1: u8 = 1;
    /// ECN-capable.
    pub const ECT0: u8 = 2;
    /// Congestion experienced.
    pub const CE: u8 = 3;
}

/// One TCP segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Source port.
    pub from_port: u16,
    /// Destination port.
    pub to_port: u16,
    /// Of the first byte.
    pub sequence: u32,
    /// Next byte that is expected.
    pub acknowledgement: u32,
    /// See [`flag`].
    pub flags: u8,
    /// As in the header, not scaled.
    pub window: u16,
    /// Where urgent data ends; counts with [`flag::URG`].
    pub urgent: u16,
    /// See [`ecn`].
    pub ecn: u8,
    /// Blocks of bytes that arrived out of order or twice.
    pub sack: Vec<(u32, u32)>,
    /// Data.
    pub payload: Vec<u8>,
}

impl Segment {
    /// Whether all bits of `flags` are set.
    pub fn has(&self, flags: u8) -> bool {
        self.flags & flags == flags
    }

    /// The whole IP packet, with these options, padded to a multiple of four bytes.
    pub fn encode(&self, from: IpAddr, to: IpAddr, options: &[u8]) -> Vec<u8> {
        let header_bytes = 20 + options.len();
        let mut tcp = Vec::with_capacity(header_bytes + self.payload.len());
        tcp.extend(self.from_port.to_be_bytes());
        tcp.extend(self.to_port.to_be_bytes());
        tcp.extend(self.sequence.to_be_bytes());
        tcp.extend(self.acknowledgement.to_be_bytes());
        tcp.push(((header_bytes / 4) as u8) << 4);
        tcp.push(self.flags);
        tcp.extend(self.window.to_be_bytes());
        tcp.extend([0; 2]); // checksum
        tcp.extend(self.urgent.to_be_bytes());
        tcp.extend(options);
        tcp.extend(&self.payload);
        let sum = !fold(pseudo_header(from, to, tcp.len()) + words(&tcp));
        tcp[16..18].copy_from_slice(&sum.to_be_bytes());
        let mut packet = ip_header(from, to, tcp.len(), self.ecn);
        packet.extend(tcp);
        packet
    }

    /// Reads an IP packet; `None` when it is not TCP.
    ///
    /// # Errors
    /// A checksum or a length is wrong: no kernel may send this.
    pub fn decode(packet: &[u8], checksum: Checksum) -> Result<Option<Decoded<'_>>, String> {
        let Some(ip) = decode_ip(packet)? else {
            return Ok(None);
        };
        let tcp = ip.payload;
        if tcp.len() < 20 {
            return Err(format!("a TCP header of {} bytes", tcp.len()));
        }
        if checksum == Checksum::Right
            && fold(pseudo_header(ip.from, ip.to, tcp.len()) + words(tcp)) != 0xffff
        {
            return Err("a wrong TCP checksum".into());
        }
        let short = |at: usize| u16::from_be_bytes([tcp[at], tcp[at + 1]]);
        let long = |at: usize| u32::from_be_bytes([tcp[at], tcp[at + 1], tcp[at + 2], tcp[at + 3]]);
        let header_bytes = usize::from(tcp[12] >> 4) * 4;
        if header_bytes < 20 || header_bytes > tcp.len() {
            return Err(format!(
                "a TCP header that says it has {header_bytes} bytes"
            ));
        }
        let segment = Self {
            from_port: short(0),
            to_port: short(2),
            sequence: long(4),
            acknowledgement: long(8),
            flags: tcp[13],
            window: short(14),
            urgent: short(18),
            ecn: ip.ecn,
            sack: decode_sack(&tcp[20..header_bytes])?,
            payload: tcp[header_bytes..].to_vec(),
        };
        Ok(Some(Decoded {
            from: ip.from,
            to: ip.to,
            segment,
            options: &tcp[20..header_bytes],
        }))
    }
}

/// What is in a packet.
pub struct Decoded<'a> {
    /// Source address.
    pub from: IpAddr,
    /// Destination address.
    pub to: IpAddr,
    /// What TCP has sent.
    pub segment: Segment,
    /// Its options as they lie in the header.
    pub options: &'a [u8],
}

/// What a TCP checksum has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// Right.
    Right,
    /// Left to an interface that has said it would compute it.
    Offloaded,
}

struct Ip<'a> {
    from: IpAddr,
    to: IpAddr,
    ecn: u8,
    payload: &'a [u8],
}

fn decode_ip(packet: &[u8]) -> Result<Option<Ip<'_>>, String> {
    match packet.first().map(|byte| byte >> 4) {
        Some(4) if packet.len() >= 20 => {
            let header_bytes = usize::from(packet[0] & 15) * 4;
            let total = usize::from(u16::from_be_bytes([packet[2], packet[3]]));
            if packet[9] != TCP {
                return Ok(None);
            }
            if total != packet.len() {
                return Err(format!(
                    "an IPv4 packet of {} bytes that says {total}",
                    packet.len()
                ));
            }
            if fold(words(&packet[..header_bytes])) != 0xffff {
                return Err("a wrong IPv4 checksum".into());
            }
            let address = |at: usize| -> [u8; 4] { packet[at..at + 4].try_into().expect("four") };
            Ok(Some(Ip {
                from: address(12).into(),
                to: address(16).into(),
                ecn: packet[1] & 3,
                payload: &packet[header_bytes..],
            }))
        }
        Some(6) if packet.len() >= 40 => {
            if packet[6] != TCP {
                return Ok(None);
            }
            let length = usize::from(u16::from_be_bytes([packet[4], packet[5]]));
            if length + 40 != packet.len() {
                return Err(format!(
                    "an IPv6 packet of {} bytes that says {}",
                    packet.len(),
                    length + 40
                ));
            }
            let address = |at: usize| -> [u8; 16] { packet[at..at + 16].try_into().expect("16") };
            Ok(Some(Ip {
                from: address(8).into(),
                to: address(24).into(),
                ecn: packet[1] >> 4 & 3,
                payload: &packet[40..],
            }))
        }
        _ => Ok(None),
    }
}

fn ip_header(from: IpAddr, to: IpAddr, payload_bytes: usize, ecn: u8) -> Vec<u8> {
    match (from, to) {
        (IpAddr::V4(from), IpAddr::V4(to)) => {
            let total = (20 + payload_bytes) as u16;
            let mut header = vec![0x45, ecn];
            header.extend(total.to_be_bytes());
            header.extend([0, 0, 0x40, 0, HOP_LIMIT, TCP, 0, 0]); // not to be fragmented
            header.extend(from.octets());
            header.extend(to.octets());
            let sum = !fold(words(&header));
            header[10..12].copy_from_slice(&sum.to_be_bytes());
            header
        }
        (IpAddr::V6(from), IpAddr::V6(to)) => {
            let mut header = vec![0x60, ecn << 4, 0, 0];
            header.extend((payload_bytes as u16).to_be_bytes());
            header.extend([TCP, HOP_LIMIT]);
            header.extend(from.octets());
            header.extend(to.octets());
            header
        }
        _ => unreachable!("both ends of a connection have the same IP version"),
    }
}

/// The sum over what TCP's checksum covers of the IP header.
fn pseudo_header(from: IpAddr, to: IpAddr, tcp_bytes: usize) -> u64 {
    let addresses = match (from, to) {
        (IpAddr::V4(from), IpAddr::V4(to)) => words(&from.octets()) + words(&to.octets()),
        (IpAddr::V6(from), IpAddr::V6(to)) => words(&from.octets()) + words(&to.octets()),
        _ => unreachable!("both ends of a connection have the same IP version"),
    };
    addresses + u64::from(TCP) + tcp_bytes as u64
}

fn words(bytes: &[u8]) -> u64 {
    bytes
        .chunks(2)
        .map(|pair| u64::from(pair[0]) << 8 | pair.get(1).map_or(0, |&low| u64::from(low)))
        .sum()
}

fn fold(mut sum: u64) -> u16 {
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

/// Passes over all options, of which none may be cut off.
fn decode_sack(mut bytes: &[u8]) -> Result<Vec<(u32, u32)>, String> {
    let mut sack = Vec::new();
    let long = |b: &[u8]| u32::from_be_bytes([b[0], b[1], b[2], b[3]]);
    while let Some(&kind) = bytes.first() {
        match kind {
            0 => break,
            1 => {
                bytes = &bytes[1..];
                continue;
            }
            _ => {}
        }
        let length = usize::from(*bytes.get(1).ok_or("a TCP option without a length")?);
        let value = bytes.get(2..length).ok_or("a TCP option that is cut off")?;
        if kind == SACK {
            let blocks = value.chunks_exact(8);
            sack = blocks
                .map(|block| (long(block), long(&block[4..])))
                .collect();
        }
        bytes = &bytes[length..];
    }
    Ok(sack)
}

/// The flags' names, each behind a space.
pub fn describe_flags(flags: u8) -> String {
    let mut text = String::new();
    for (bit, name) in [
        (flag::SYN, "syn"),
        (flag::FIN, "fin"),
        (flag::RST, "rst"),
        (flag::PSH, "push"),
        (flag::URG, "urg"),
        (flag::ECE, "ece"),
        (flag::CWR, "cwr"),
    ] {
        if flags & bit != 0 {
            let _ = write!(text, " {name}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(from: IpAddr, to: IpAddr) {
        let segment = Segment {
            from_port: 7,
            to_port: 8,
            sequence: 0xffff_fff0,
            acknowledgement: 5,
            flags: flag::ACK | flag::CWR | flag::URG,
            window: 1000,
            urgent: 2,
            ecn: ecn::ECT0,
            sack: vec![(3, 4), (5, 6)],
            payload: b"odd".to_vec(),
        };
        let blocks = [3u32, 4, 5, 6].into_iter().flat_map(u32::to_be_bytes);
        let options: Vec<u8> = [1, 1, SACK, 18].into_iter().chain(blocks).collect();
        let bytes = segment.encode(from, to, &options);
        let decoded = Segment::decode(&bytes, Checksum::Right).unwrap().unwrap();
        assert_eq!((decoded.from, decoded.to), (from, to));
        assert_eq!((decoded.segment, decoded.options), (segment, &options[..]));
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert_eq!(
            Segment::decode(&damaged, Checksum::Right).err(),
            Some("a wrong TCP checksum".into())
        );
    }

    #[test]
    fn ipv4_packets_come_back_and_damage_is_seen() {
        there_and_back([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
    }

    #[test]
    fn ipv6_packets_come_back_and_damage_is_seen() {
        let address = |last| IpAddr::from([0xfd00, 0, 0, 0, 0, 0, 0, last]);
        there_and_back(address(1), address(2));
    }
}
