//! Packets as bytes: TCP with its options.
// SPDX-License-Identifier: Apache-2.0

use std::net::SocketAddr;

use super::ip::{ip_packet, ones_complement_sum, pseudo_header};

const TCP: u8 = 6;

/// How the hosts fill the IPv4 identification field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IpIds {
    /// One up for each packet of a host, as Linux does for a connected socket.
    Counting,
    /// Always zero, so that identical segments stay identical packets.
    Zero,
}

/// The connection's identity and habits on the wire. The IP version is that of
/// the addresses.
#[derive(Clone, Debug)]
pub struct Wire {
    /// The end that sends the stream and opens the connection.
    pub sender: SocketAddr,
    /// The other end.
    pub receiver: SocketAddr,
    /// The sender's initial sequence number; its first byte has the next one.
    pub sender_isn: u32,
    /// The receiver's initial sequence number.
    pub receiver_isn: u32,
    /// Whether segments carry the timestamp option (RFC 7323).
    pub timestamps: bool,
    /// How the IPv4 identification field is filled.
    pub ip_ids: IpIds,
    /// Shift of the receiver's window field (RFC 7323).
    pub window_shift: u8,
    /// The sender leaves its checksums to the network card: its own capture
    /// shows the pseudo-header's sum in the field.
    pub sender_offloads_checksums: bool,
    /// Whether packets with data ask to be handed over at once (PSH).
    pub pushes: bool,
}

impl Default for Wire {
    fn default() -> Self {
        Self {
            sender: SocketAddr::from(([10, 0, 1, 1], 40_000)),
            receiver: SocketAddr::from(([10, 0, 2, 2], 5_000)),
            sender_isn: 1_000_000,
            receiver_isn: 2_000_000,
            timestamps: true,
            ip_ids: IpIds::Counting,
            window_shift: 7,
            sender_offloads_checksums: false,
            pushes: true,
        }
    }
}

/// Which checksum a packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChecksumStyle {
    Full,
    PseudoHeaderOnly,
}

/// One TCP segment, before it becomes bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Segment {
    pub from_sender: bool,
    pub seq: u32,
    pub ack: Option<u32>,
    pub syn: bool,
    pub fin: bool,
    pub window: u16,
    /// Own clock and the echo of the other's (RFC 7323).
    pub timestamps: Option<(u32, u32)>,
    pub sack: Vec<(u32, u32)>,
    /// MSS, SACK-permitted and window scale go into a SYN.
    pub window_shift: u8,
    pub payload: Vec<u8>,
    pub ip_id: u16,
}

impl Segment {
    /// The whole IP packet. `ttl` tells the two sides of the emulator apart.
    pub(super) fn packet(&self, wire: &Wire, ttl: u8, style: ChecksumStyle) -> Vec<u8> {
        let (source, destination) = if self.from_sender {
            (wire.sender, wire.receiver)
        } else {
            (wire.receiver, wire.sender)
        };
        let mut tcp = self.tcp(source.port(), destination.port(), wire.pushes);
        let ends = [source.ip(), destination.ip()];
        let pseudo = pseudo_header(ends, TCP, tcp.len());
        let sum = match style {
            ChecksumStyle::Full => !ones_complement_sum(&[&pseudo, &tcp]),
            ChecksumStyle::PseudoHeaderOnly => ones_complement_sum(&[&pseudo]),
        };
        tcp[16..18].copy_from_slice(&sum.to_be_bytes());
        ip_packet(ends, (TCP, &tcp), ttl, self.ip_id)
    }

    fn tcp(&self, source_port: u16, destination_port: u16, pushes: bool) -> Vec<u8> {
        let options = self.options();
        let mut tcp = Vec::with_capacity(20 + options.len() + self.payload.len());
        tcp.extend_from_slice(&source_port.to_be_bytes());
        tcp.extend_from_slice(&destination_port.to_be_bytes());
        tcp.extend_from_slice(&self.seq.to_be_bytes());
        tcp.extend_from_slice(&self.ack.unwrap_or(0).to_be_bytes());
        let words = u8::try_from((20 + options.len()) / 4).expect("at most 60 bytes of header");
        tcp.push(words << 4);
        let push = pushes && !self.payload.is_empty();
        tcp.push(
            u8::from(self.fin)
                | u8::from(self.syn) << 1
                | u8::from(push) << 3
                | u8::from(self.ack.is_some()) << 4,
        );
        tcp.extend_from_slice(&self.window.to_be_bytes());
        tcp.extend_from_slice(&[0, 0, 0, 0]);
        tcp.extend_from_slice(&options);
        tcp.extend_from_slice(&self.payload);
        tcp
    }

    fn options(&self) -> Vec<u8> {
        let mut options = Vec::new();
        if self.syn {
            options.extend_from_slice(&[2, 4, 0x05, 0xb4, 1, 1, 4, 2, 1, 3, 3, self.window_shift]);
        }
        if let Some((value, echo)) = self.timestamps {
            options.extend_from_slice(&[1, 1, 8, 10]);
            options.extend_from_slice(&value.to_be_bytes());
            options.extend_from_slice(&echo.to_be_bytes());
        }
        let room = (40 - options.len() - 2) / 8;
        let blocks = &self.sack[..self.sack.len().min(room)];
        if !blocks.is_empty() {
            options.extend_from_slice(&[1, 1, 5, 2 + 8 * blocks.len() as u8]);
            for (left, right) in blocks {
                options.extend_from_slice(&left.to_be_bytes());
                options.extend_from_slice(&right.to_be_bytes());
            }
        }
        options
    }
}
