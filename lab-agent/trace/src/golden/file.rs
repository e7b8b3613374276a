//! Capture files around the frames: pcap and pcapng, either byte order, either
//! resolution, four link types, any snapshot length.
// SPDX-License-Identifier: Apache-2.0

use super::script::{End, Frame, Trace};

/// The file's outer format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// The classic libpcap format.
    Pcap,
    /// The next-generation format, one section, one interface.
    Pcapng,
}

/// The byte order of the machine that wrote the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// As on x86.
    Little,
    /// Network order.
    Big,
}

/// What the frames begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Ethernet II (link type 1).
    Ethernet,
    /// Ethernet II with one 802.1Q tag (link type 1).
    Vlan,
    /// The IP packet itself (link type 101).
    RawIp,
    /// Linux cooked capture v1 (link type 113).
    Cooked,
    /// Linux cooked capture v2 (link type 276).
    Cooked2,
}

/// Everything about a file but its packets. The resolution of the stamps is
/// the script's.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// pcap or pcapng.
    pub container: Container,
    /// Byte order of the file's own fields.
    pub order: ByteOrder,
    /// The link type.
    pub link: Link,
    /// Bytes kept of each frame.
    pub snapshot_bytes: usize,
}

impl Default for FileFormat {
    fn default() -> Self {
        Self {
            container: Container::Pcapng,
            order: ByteOrder::Little,
            link: Link::Ethernet,
            snapshot_bytes: 262_144,
        }
    }
}

/// The two capture files of a trace.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Captured at the sender.
    pub sender: Vec<u8>,
    /// Captured at the receiver.
    pub receiver: Vec<u8>,
}

impl Trace {
    /// Both captures as files.
    pub fn files(&self, format: &FileFormat) -> Pair {
        let file = |end| {
            let mut writer = Writer {
                format: *format,
                resolution_ns: self.resolution_ns,
                out: Vec::new(),
            };
            writer.open();
            for frame in self.frames.iter().filter(|frame| frame.end == end) {
                writer.frame(frame);
            }
            writer.out
        };
        Pair {
            sender: file(End::Sender),
            receiver: file(End::Receiver),
        }
    }
}

impl Frame {
    /// With an Ethernet header, as a file of [`Link::Ethernet`] holds it.
    pub fn ethernet(&self) -> Vec<u8> {
        let mut bytes = link_header(Link::Ethernet, &self.packet, self.outgoing);
        bytes.extend_from_slice(&self.packet);
        bytes
    }
}

struct Writer {
    format: FileFormat,
    resolution_ns: u64,
    out: Vec<u8>,
}

impl Writer {
    fn open(&mut self) {
        let network = match self.format.link {
            Link::Ethernet | Link::Vlan => 1,
            Link::RawIp => 101,
            Link::Cooked => 113,
            Link::Cooked2 => 276,
        };
        let snapshot = self.format.snapshot_bytes as u32;
        match self.format.container {
            Container::Pcap => {
                self.u32(if self.resolution_ns == 1 {
                    0xa1b2_3c4d
                } else {
                    0xa1b2_c3d4
                });
                self.u16(2);
                self.u16(4);
                self.u32(0);
                self.u32(0);
                self.u32(snapshot);
                self.u32(network);
            }
            Container::Pcapng => {
                self.block(0x0a0d_0d0a, |body| {
                    body.u32(0x1a2b_3c4d);
                    body.u16(1);
                    body.u16(0);
                    body.out.extend_from_slice(&[0xff; 8]);
                });
                let digits = if self.resolution_ns == 1 { 9 } else { 6 };
                self.block(1, |body| {
                    body.u16(network as u16);
                    body.u16(0);
                    body.u32(snapshot);
                    body.u16(9); // if_tsresol
                    body.u16(1);
                    body.out.extend_from_slice(&[digits, 0, 0, 0]);
                    body.u32(0); // opt_endofopt
                });
            }
        }
    }

    fn frame(&mut self, frame: &Frame) {
        let mut bytes = link_header(self.format.link, &frame.packet, frame.outgoing);
        bytes.extend_from_slice(&frame.packet);
        let whole = bytes.len() as u32;
        bytes.truncate(self.format.snapshot_bytes);
        match self.format.container {
            Container::Pcap => {
                let fraction = frame.stamp_ns % 1_000_000_000 / self.resolution_ns;
                self.u32((frame.stamp_ns / 1_000_000_000) as u32);
                self.u32(fraction as u32);
                self.u32(bytes.len() as u32);
                self.u32(whole);
                self.out.extend_from_slice(&bytes);
            }
            Container::Pcapng => {
                let ticks = frame.stamp_ns / self.resolution_ns;
                self.block(6, |body| {
                    body.u32(0);
                    body.u32((ticks >> 32) as u32);
                    body.u32(ticks as u32);
                    body.u32(bytes.len() as u32);
                    body.u32(whole);
                    body.out.extend_from_slice(&bytes);
                });
            }
        }
    }

    fn block(&mut self, kind: u32, fill: impl FnOnce(&mut Writer)) {
        let mut body = Writer {
            format: self.format,
            resolution_ns: self.resolution_ns,
            out: Vec::new(),
        };
        fill(&mut body);
        body.out.resize(body.out.len().next_multiple_of(4), 0);
        let total = 12 + body.out.len() as u32;
        self.u32(kind);
        self.u32(total);
        self.out.extend_from_slice(&body.out);
        self.u32(total);
    }

    fn u16(&mut self, value: u16) {
        match self.format.order {
            ByteOrder::Little => self.out.extend_from_slice(&value.to_le_bytes()),
            ByteOrder::Big => self.out.extend_from_slice(&value.to_be_bytes()),
        }
    }

    fn u32(&mut self, value: u32) {
        match self.format.order {
            ByteOrder::Little => self.out.extend_from_slice(&value.to_le_bytes()),
            ByteOrder::Big => self.out.extend_from_slice(&value.to_be_bytes()),
        }
    }
}

fn link_header(link: Link, packet: &[u8], outgoing: bool) -> Vec<u8> {
    let ether_type: [u8; 2] = match packet.first().map(|byte| byte >> 4) {
        Some(4) => [0x08, 0x00],
        Some(6) => [0x86, 0xdd],
        _ => [0x08, 0x06],
    };
    let mut header = Vec::new();
    match link {
        Link::RawIp => {}
        Link::Ethernet | Link::Vlan => {
            header.extend_from_slice(&[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]);
            if link == Link::Vlan {
                header.extend_from_slice(&[0x81, 0x00, 0, 7]);
            }
            header.extend_from_slice(&ether_type);
        }
        Link::Cooked => {
            header.extend_from_slice(&[0, if outgoing { 4 } else { 0 }, 0, 1, 0, 6]);
            header.extend_from_slice(&[2, 0, 0, 0, 0, 1, 0, 0]);
            header.extend_from_slice(&ether_type);
        }
        Link::Cooked2 => {
            header.extend_from_slice(&ether_type);
            header.extend_from_slice(&[0, 0, 0, 0, 0, 2, 0, 1]);
            header.extend_from_slice(&[if outgoing { 4 } else { 0 }, 6]);
            header.extend_from_slice(&[2, 0, 0, 0, 0, 1, 0, 0]);
        }
    }
    header
}
