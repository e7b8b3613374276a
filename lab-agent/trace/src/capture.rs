//! What one end saw: the TCP and SCTP packets of a capture, reduced to what the
//! analysis needs, payload left out.
// SPDX-License-Identifier: Apache-2.0

use std::net::SocketAddr;
use std::ops::Range;

use crate::sctp::Chunk;

/// One end's view of the link.
#[derive(Clone, Debug, Default)]
pub struct Capture {
    /// The TCP and SCTP packets, or the datagrams, in order of time.
    pub packets: Vec<Packet>,
    /// Resolution of the stamps; the coarsest, where interfaces differ.
    pub resolution_ns: u32,
    /// The connections that [`Packet::connection`] counts through.
    pub connections: Vec<Connection>,
    /// Frames in the file, of any kind.
    pub frames: u64,
    /// Frames that are no packet of these, or fragments of one.
    pub skipped: Skipped,
    /// SCTP's chunks, those of a packet side by side.
    pub chunks: Vec<Chunk>,
}

/// The two ends of a connection, in the order in which the capture met them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Connection {
    /// Source of the connection's first packet.
    pub first: SocketAddr,
    /// Its destination.
    pub second: SocketAddr,
    /// Whose ports these are.
    pub protocol: Protocol,
}

/// What carries a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// Bytes in order.
    #[default]
    Tcp,
    /// Messages in streams.
    Sctp,
    /// Messages by themselves.
    Udp,
    /// The same, of which the checksum may cover the beginning alone.
    UdpLite,
}

impl Protocol {
    /// Whether each packet stands for itself.
    pub fn is_of_datagrams(self) -> bool {
        matches!(self, Self::Udp | Self::UdpLite)
    }
}

/// Frames that the analysis does not look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Neither IPv4 nor IPv6 (ARP, for instance), or cut before the addresses.
    pub not_ip: u64,
    /// IP, but neither TCP nor SCTP.
    pub not_tcp: u64,
    /// Pieces of fragmented IP packets: their bytes are missing below.
    pub fragments: u64,
    /// TCP or SCTP whose header is cut off or contradicts itself.
    pub malformed: u64,
    /// SCTP packets of which the capture kept too little to see all their chunks. They are
    /// not skipped.
    pub cut_chunks: u64,
}

/// What the packet's checksums say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// They fit the packet.
    Right,
    /// Left to the network card: the field holds the pseudo-header's sum, or zero.
    Offloaded,
    /// The packet was damaged: its receiver throws it away, unless it takes damage.
    Wrong,
    /// Of a TCP packet: IP's own does not fit, so that it never comes to TCP.
    WrongBelow,
    /// The capture cut the packet, so nothing can be said.
    Unknown,
}

/// SYN, FIN and so on, as bits. An SCTP packet's are those that mean the same: SYN of an
/// INIT and its acknowledgement, ACK of a SACK, FIN of all other chunks without data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    pub(crate) const FIN: u8 = 1;
    pub(crate) const SYN: u8 = 1 << 1;
    pub(crate) const PSH: u8 = 1 << 3;
    pub(crate) const ACK: u8 = 1 << 4;
    const CWR: u8 = 1 << 7;

    /// Whether the sender has no more to send.
    pub fn fin(self) -> bool {
        self.0 & Self::FIN != 0
    }

    /// Whether it opens the connection.
    pub fn syn(self) -> bool {
        self.0 & Self::SYN != 0
    }

    /// Whether the sender has nothing more to send for now: Linux sets it on the
    /// last segment of a write.
    pub fn psh(self) -> bool {
        self.0 & Self::PSH != 0
    }

    /// Those of a piece of a large segment, as a network card gives them: the last one
    /// ends it, the first one tells of a smaller window.
    pub(crate) fn of_piece(self, is_first: bool, is_last: bool) -> Self {
        let without_end = if is_last { 0 } else { Self::FIN | Self::PSH };
        let without_cwr = if is_first { 0 } else { Self::CWR };
        Self(self.0 & !(without_end | without_cwr))
    }

    /// Whether the acknowledgement number counts.
    pub fn ack(self) -> bool {
        self.0 & Self::ACK != 0
    }
}

/// One packet.
///
/// Of an SCTP packet, `seq` is its first TSN or, of an INIT, one less than the first; `ack`
/// the cumulative TSN; `window` the number of its chunks in [`Capture::chunks`];
/// `sacked_bytes` how many TSNs beyond `ack` the gap ack blocks reach.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// When this end's clock says it was there, since 1970.
    pub at_ns: i64,
    /// Its frame's number in the file, from 1, as other tools count.
    pub frame: u32,
    /// Which connection it belongs to.
    pub connection: u32,
    /// Whether it comes from [`Connection::first`].
    pub from_first: bool,
    /// Sequence number.
    pub seq: u32,
    /// Acknowledgement number.
    pub ack: u32,
    /// SYN, FIN …
    pub flags: Flags,
    /// The window field, unshifted.
    pub window: u16,
    /// Bytes of payload on the wire, however many the capture kept.
    pub payload_bytes: u32,
    /// Window shift offered, in a SYN only (RFC 7323).
    pub window_shift: Option<u8>,
    /// Maximum segment size offered, in a SYN only.
    pub mss_bytes: Option<u16>,
    /// How far beyond the acknowledgement the selective ones reach; none
    /// without any, or with such that only tell of duplicates (RFC 2883).
    pub sacked_bytes: Option<u32>,
    /// IPv4 identification; none for IPv6 and where it is zero.
    pub ip_id: Option<u16>,
    /// Digest of all that a path leaves alone: numbers, flags, window, length,
    /// timestamps and SACK blocks. Copies of one packet at both ends agree.
    pub identity: u64,
    /// What its checksums say.
    pub checksum: Checksum,
    /// Of an SCTP packet, where its chunks begin in [`Capture::chunks`].
    pub(crate) chunks: u32,
}

impl Capture {
    /// What the end at `own` sent at some of its times, and what came to it since:
    /// a packet that left in time may arrive later.
    #[must_use]
    pub fn during(&self, at_ns: &Range<i64>, own: SocketAddr) -> Self {
        let kept = |packet: &&Packet| {
            let connection = &self.connections[packet.connection as usize];
            let source = if packet.from_first {
                connection.first
            } else {
                connection.second
            };
            at_ns.start <= packet.at_ns && (source != own || packet.at_ns < at_ns.end)
        };
        Self {
            packets: self.packets.iter().filter(kept).copied().collect(),
            ..self.clone()
        }
    }
}

impl Packet {
    /// Before the first one of a capture.
    pub(crate) const NONE: Self = Self {
        at_ns: i64::MIN,
        frame: 0,
        connection: 0,
        from_first: false,
        seq: 0,
        ack: 0,
        flags: Flags(0),
        window: 0,
        payload_bytes: 0,
        window_shift: None,
        mss_bytes: None,
        sacked_bytes: None,
        ip_id: None,
        identity: 0,
        checksum: Checksum::Unknown,
        chunks: Self::NO_CHUNKS,
    };
    /// Of TCP.
    pub(crate) const NO_CHUNKS: u32 = u32::MAX;

    pub(crate) fn is_sctp(&self) -> bool {
        self.chunks != Self::NO_CHUNKS
    }

    /// Its chunks among those of its capture.
    #[inline]
    pub(crate) fn chunks_in<'a>(&self, all: &'a [Chunk]) -> &'a [Chunk] {
        let first = self.chunks as usize;
        all.get(first..first.saturating_add(usize::from(self.window)))
            .unwrap_or_default()
    }

    /// Whether the far end threw it away on arrival.
    pub(crate) fn is_damaged(&self) -> bool {
        matches!(self.checksum, Checksum::Wrong | Checksum::WrongBelow)
    }
}
