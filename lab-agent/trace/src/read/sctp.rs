//! SCTP packets: common header, chunks, `CRC32c`; and which association each belongs to.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::net::SocketAddr;

use super::frame::{Datagram, Frames};
use super::identity::Identity;
use crate::capture::{Checksum, Connection, Flags, Packet, Protocol};
use crate::sctp::{Chunk, Data, Sack};

/// IP's number of it.
pub(super) const SCTP: u8 = 132;
const COMMON_HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 4;
/// Of chunks that are not looked into, so much tells them apart.
const TOLD_APART_BY_BYTES: usize = 64;

/// Chunk types (RFC 9260, section 3.2; RFC 8260).
mod kind {
    pub const DATA: u8 = 0;
    pub const INIT: u8 = 1;
    pub const INIT_ACK: u8 = 2;
    pub const SACK: u8 = 3;
    pub const SHUTDOWN: u8 = 7;
    pub const I_DATA: u8 = 64;
}

/// How much of a packet comes before what somebody may have written.
pub(super) fn headers_bytes(packet: &[u8]) -> usize {
    let mut at = COMMON_HEADER_BYTES;
    while let Some(&[kind, _, high, low]) = packet.get(at..).and_then(<[u8]>::first_chunk) {
        let length = usize::from(u16::from_be_bytes([high, low]));
        let (bytes, is_last) = match kind {
            kind::DATA | kind::I_DATA => (data_header_bytes(kind), true),
            kind::INIT | kind::INIT_ACK | kind::SACK | kind::SHUTDOWN => (length, false),
            // It may quote something.
            _ => (CHUNK_HEADER_BYTES, true),
        };
        at += bytes.max(CHUNK_HEADER_BYTES).next_multiple_of(4);
        if is_last {
            break;
        }
    }
    at.min(packet.len())
}

fn data_header_bytes(kind: u8) -> usize {
    if kind == kind::DATA { 16 } else { 20 }
}

/// Which association a packet belongs to: its addresses say it or, where it comes by
/// another path of a multi-homed one, its ports and verification tag.
#[derive(Clone, Debug, Default)]
pub(super) struct Associations {
    paths: HashMap<(SocketAddr, SocketAddr), Place>,
    tags: HashMap<(u16, u16, u32), Place>,
    /// The last packet of either direction.
    last: [Option<([u8; 12], u32, Place)>; 2],
}

/// Connection, and whether the packet comes from its first end.
type Place = (u32, bool);

/// A packet's chunks, as far as they were kept.
struct Told {
    identity: Identity,
    flags: u8,
    /// Initial TSN of an INIT or its acknowledgement, less one, as of a SYN; else the first
    /// TSN.
    seq: Option<u32>,
    ack: u32,
    beyond: Option<u32>,
    payload_bytes: u32,
    /// Tag of an INIT or its acknowledgement.
    own_tag: Option<u32>,
    is_cut: bool,
}

impl Frames {
    #[inline(never)]
    pub(super) fn sctp_packet(&mut self, at_ns: i64, datagram: &Datagram) -> Option<Packet> {
        let kept = datagram.kept;
        let header: &[u8; COMMON_HEADER_BYTES] = kept.first_chunk()?;
        let short = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
        let tag = u32::from_be_bytes([header[4], header[5], header[6], header[7]]);
        let checksum = checksum(datagram);
        let is_damaged = checksum == Checksum::Wrong;
        let first = self.chunks.len();
        let mut told = Told::new(tag);
        told.read(kept, datagram.length, &mut self.chunks);
        let source = SocketAddr::new(datagram.source, short(0));
        let destination = SocketAddr::new(datagram.destination, short(2));
        let place = self.associations.known(datagram.sockets, tag, is_damaged);
        let (connection, from_first) = match place {
            Some(place) if told.own_tag.is_none() => place,
            _ => self.associations.find(
                &mut self.connections,
                (source, destination),
                datagram.sockets,
                (tag, told.own_tag),
                is_damaged,
            ),
        };
        self.skipped.cut_chunks += u64::from(told.is_cut && !is_damaged);
        Some(Packet {
            at_ns,
            frame: self.count() as u32,
            connection,
            from_first,
            seq: told.seq.unwrap_or(0),
            ack: told.ack,
            flags: Flags(told.flags),
            window: u16::try_from(self.chunks.len() - first).unwrap_or(u16::MAX),
            payload_bytes: told.payload_bytes,
            window_shift: None,
            mss_bytes: None,
            sacked_bytes: told.beyond,
            ip_id: datagram.ip_id,
            identity: told.identity.finish(),
            checksum,
            chunks: first as u32,
        })
    }
}

impl Associations {
    /// Where the last packet of this direction went.
    fn known(&self, sockets: Option<&[u8; 12]>, tag: u32, is_damaged: bool) -> Option<Place> {
        let sockets = sockets.filter(|_| !is_damaged)?;
        let mut last = self.last.iter().flatten();
        let known = last.find(|(last, last_tag, _)| last == sockets && *last_tag == tag)?;
        Some(known.2)
    }

    fn find(
        &mut self,
        connections: &mut Vec<Connection>,
        (source, destination): (SocketAddr, SocketAddr),
        sockets: Option<&[u8; 12]>,
        (tag, own_tag): (u32, Option<u32>),
        is_damaged: bool,
    ) -> Place {
        let ports = (source.port(), destination.port());
        let by_path = self.paths.get(&(source, destination)).copied();
        let by_tag = || self.tags.get(&(ports.0, ports.1, tag)).copied();
        let place = by_path.or_else(|| by_tag().filter(|_| tag != 0));
        let place = place.unwrap_or_else(|| {
            connections.push(Connection {
                first: source,
                second: destination,
                protocol: Protocol::Sctp,
            });
            (connections.len() as u32 - 1, true)
        });
        let (number, from_first) = place;
        self.paths.entry((source, destination)).or_insert(place);
        let answer = (number, !from_first);
        self.paths.entry((destination, source)).or_insert(answer);
        if is_damaged {
            return place;
        }
        // An INIT has no tag: its receiver has not said any.
        if tag != 0 {
            self.tags.entry((ports.0, ports.1, tag)).or_insert(place);
        }
        if let Some(own_tag) = own_tag {
            self.tags
                .entry((ports.1, ports.0, own_tag))
                .or_insert(answer);
        }
        self.last[usize::from(from_first)] = sockets.map(|sockets| (*sockets, tag, place));
        place
    }
}

impl Told {
    fn new(tag: u32) -> Self {
        let mut identity = Identity::new();
        identity.add(u64::from(tag));
        Self {
            identity,
            flags: 0,
            seq: None,
            ack: 0,
            beyond: None,
            payload_bytes: 0,
            own_tag: None,
            is_cut: false,
        }
    }

    /// Of a packet of so many bytes. What contradicts itself ends it.
    fn read(&mut self, kept: &[u8], length: usize, chunks: &mut Vec<Chunk>) {
        let mut at = COMMON_HEADER_BYTES;
        while at + CHUNK_HEADER_BYTES <= length {
            let Some(rest) = kept
                .get(at..)
                .filter(|rest| rest.len() >= CHUNK_HEADER_BYTES)
            else {
                self.is_cut = true;
                return;
            };
            let bytes = usize::from(u16::from_be_bytes([rest[2], rest[3]]));
            if bytes < CHUNK_HEADER_BYTES || bytes > length - at {
                return;
            }
            let kept = &rest[..bytes.min(rest.len())];
            if self.chunk(kept, bytes, chunks).is_none() {
                self.is_cut |= kept.len() < bytes;
            }
            at += bytes.next_multiple_of(4);
        }
    }

    /// None when its header was not kept or is too short.
    #[inline]
    fn chunk(&mut self, kept: &[u8], bytes: usize, chunks: &mut Vec<Chunk>) -> Option<()> {
        let short = |at: usize| Some(u16::from_be_bytes([*kept.get(at)?, *kept.get(at + 1)?]));
        let long = |at: usize| Some(u32::from(short(at)?) << 16 | u32::from(short(at + 2)?));
        let head = long(0)?;
        self.identity.add(u64::from(head));
        let (kind, flags) = (kept[0], kept[1]);
        match kind {
            kind::DATA | kind::I_DATA => {
                let (tsn, stream) = (long(4)?, short(8)?);
                let header_bytes = data_header_bytes(kind);
                let message = if kind == kind::DATA {
                    u32::from(short(10)?)
                } else {
                    long(12)?
                };
                let payload_bytes = bytes.checked_sub(header_bytes)? as u32;
                self.identity
                    .add(u64::from(tsn) << 32 | u64::from(long(8)?));
                self.seq.get_or_insert(tsn);
                self.payload_bytes += payload_bytes;
                let data = Data::new(tsn, stream, message, payload_bytes, flags);
                chunks.push(Chunk::Data(if kind == kind::DATA {
                    data
                } else {
                    data.numbered()
                }));
            }
            kind::SACK => {
                let cumulative = long(4)?;
                let (blocks, duplicates) = (short(12)?, short(14)?);
                self.identity
                    .add(u64::from(cumulative) << 32 | u64::from(long(8)?));
                for word in kept[12..].chunks(8) {
                    self.identity.add(word_of(word));
                }
                let blocks_end = 16 + 4 * usize::from(blocks);
                let ends = kept.get(16..blocks_end.min(kept.len())).unwrap_or(&[]);
                let ends = ends
                    .chunks_exact(4)
                    .map(|it| u16::from_be_bytes([it[2], it[3]]));
                let beyond = ends.max().map_or(0, u32::from);
                self.acknowledge(cumulative, beyond);
                chunks.push(Chunk::Sack(Sack {
                    cumulative,
                    beyond,
                    blocks,
                    duplicates,
                }));
            }
            kind::INIT | kind::INIT_ACK => {
                self.own_tag = Some(long(4)?);
                self.seq = Some(long(16)?.wrapping_sub(1));
                self.flags |= Flags::SYN;
                self.differs(kept);
                if kind == kind::INIT_ACK {
                    self.flags |= Flags::ACK;
                }
            }
            kind::SHUTDOWN => {
                let cumulative = long(4)?;
                self.identity.add(u64::from(cumulative));
                self.flags |= Flags::FIN;
                self.acknowledge(cumulative, 0);
                chunks.push(Chunk::Sack(Sack {
                    cumulative,
                    beyond: 0,
                    blocks: 0,
                    duplicates: 0,
                }));
            }
            // What opens, closes or keeps the association.
            _ => {
                self.flags |= Flags::FIN;
                self.differs(kept);
            }
        }
        Some(())
    }

    fn acknowledge(&mut self, cumulative: u32, beyond: u32) {
        self.flags |= Flags::ACK;
        self.ack = cumulative;
        self.beyond = (beyond > 0).then_some(beyond);
    }

    fn differs(&mut self, kept: &[u8]) {
        for word in kept[..kept.len().min(TOLD_APART_BY_BYTES)].chunks(8) {
            self.identity.add(word_of(word));
        }
    }
}

fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_be_bytes(word)
}

/// `CRC32c` over the packet with a field of zeros (RFC 9260, section 6.8 and appendix A).
fn checksum(datagram: &Datagram) -> Checksum {
    if datagram.header_damaged {
        return Checksum::Wrong;
    }
    let kept = datagram.kept;
    if kept.len() != datagram.length {
        return Checksum::Unknown;
    }
    let field = [kept[8], kept[9], kept[10], kept[11]];
    let crc = crc32c::crc32c(&kept[..8]);
    let crc = crc32c::crc32c_append(crc, &[0; 4]);
    let crc = crc32c::crc32c_append(crc, &kept[COMMON_HEADER_BYTES..]);
    if u32::from_le_bytes(field) == crc {
        Checksum::Right
    } else if field == [0; 4] {
        Checksum::Offloaded
    } else {
        Checksum::Wrong
    }
}
