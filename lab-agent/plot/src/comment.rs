//! A capture once more, with a comment on every packet of a connection, which
//! Wireshark shows and filters by (`frame.comment`).
//!
//! Frames, stamps and everything else stay as they were: a pcapng file's blocks are
//! copied byte by byte, and a comment is spliced in between. A pcap file has no
//! place for comments and becomes pcapng.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::fmt::Write as _;

use thinlab_trace::{ChunkKind, End, RecordedChunk, Records, StrayKind};

use crate::connection::{Connection, Packet, Role};

const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const ENHANCED_PACKET: u32 = 6;
const OPT_COMMENT: u16 = 1;
const IF_TSRESOL: u16 = 9;

/// A capture that cannot be annotated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {problem}")]
pub struct CommentError {
    /// Where.
    pub offset: usize,
    /// What is wrong.
    pub problem: &'static str,
}

/// The capture `file` that was taken at `end`, as pcapng, each packet of the
/// connection with a comment. A record that was cut short at the file's end is left
/// out.
///
/// # Errors
/// [`CommentError`], when the file is no capture.
pub fn comment(file: &[u8], end: End, connection: &Connection) -> Result<Vec<u8>, CommentError> {
    let comments = comments(end, connection);
    let mut commented = Commented {
        out: Vec::with_capacity(file.len() + file.len() / 2),
        comments,
        frame: 0,
        order: Order::Little,
    };
    let magic: Option<[u8; 4]> = file.get(..4).and_then(|magic| magic.try_into().ok());
    match magic {
        Some([0x0a, 0x0d, 0x0d, 0x0a]) => commented.copy_blocks(file)?,
        Some([0xd4, 0xc3, 0xb2, 0xa1]) => commented.convert(file, Order::Little, 6)?,
        Some([0x4d, 0x3c, 0xb2, 0xa1]) => commented.convert(file, Order::Little, 9)?,
        Some([0xa1, 0xb2, 0xc3, 0xd4]) => commented.convert(file, Order::Big, 6)?,
        Some([0xa1, 0xb2, 0x3c, 0x4d]) => commented.convert(file, Order::Big, 9)?,
        _ => return Err(bad(0, "expected the magic number of pcap or pcapng")),
    }
    Ok(commented.out)
}

fn bad(offset: usize, problem: &'static str) -> CommentError {
    CommentError { offset, problem }
}

// ------------------------------------------------------------------- words

/// By frame, from 1.
fn comments(end: End, connection: &Connection) -> HashMap<u32, String> {
    let mut comments = HashMap::new();
    for packet in &connection.packets {
        let record = packet.record;
        if record.passage.forward == (end == End::Sender) {
            comments.insert(record.sent_frame, departure(packet, connection.records));
        } else if let Some(frame) = record.arrived_frame {
            comments.insert(frame, arrival(packet, connection.records));
        }
    }
    for stray in connection
        .records
        .strays
        .iter()
        .filter(|stray| stray.end == end)
    {
        let words = match stray.kind {
            StrayKind::Damaged => "damaged: the checksum is wrong, so it was discarded on arrival",
            StrayKind::Copy => "another copy, made by the path",
            StrayKind::Unsent => "not captured where it left",
        };
        comments.insert(stray.frame, words.to_owned());
    }
    comments
}

fn departure(packet: &Packet, records: &Records) -> String {
    let passage = &packet.record.passage;
    let mut words = what(packet, records);
    match passage.arrived_ns {
        Some(arrived_ns) => {
            let _ = write!(
                words,
                "; arrived after {} ms",
                ms(arrived_ns - passage.sent_ns)
            );
        }
        None => words.push_str("; lost"),
    }
    words
}

fn arrival(packet: &Packet, records: &Records) -> String {
    let passage = &packet.record.passage;
    let delay_ns = passage
        .arrived_ns
        .map_or(0, |at_ns| at_ns - passage.sent_ns);
    let what = what(packet, records);
    format!("{what}; {} ms after it left", ms(delay_ns))
}

fn what(packet: &Packet, records: &Records) -> String {
    let record = packet.record;
    let passage = &record.passage;
    let (start, end, new_from) = (passage.start, passage.end, passage.new_from);
    let mut words = match packet.role {
        Role::Control => "opens or closes the connection".to_owned(),
        Role::Acknowledgement if passage.duplicate => format!("dupACK {}", packet.ordinal),
        Role::Acknowledgement => "ACK".to_owned(),
        Role::New => format!("new: bytes {start}–{end}"),
        Role::Bundle => {
            let hit = match record.hit_bytes {
                0 => "all of those had arrived or never did".to_owned(),
                hit_bytes => format!("{hit_bytes} of those arrive here first"),
            };
            format!(
                "bundle: new bytes {new_from}–{end}, behind bytes {start}–{new_from} sent before; {hit}"
            )
        }
        Role::Fast => format!(
            "fast retransmission {} of bytes {start}–{end}",
            packet.ordinal
        ),
        Role::Timeout => format!(
            "timeout retransmission {} of bytes {start}–{end}",
            packet.ordinal
        ),
    };
    if record.is_spurious() {
        words.push_str("; spurious: an earlier copy arrives");
    } else if record.spurious_bytes > 0 {
        let _ = write!(words, "; {} of the bytes spurious", record.spurious_bytes);
    }
    if matches!(packet.role, Role::Acknowledgement) {
        let _ = write!(words, " of bytes up to {}", passage.acknowledged);
        if let Some(until) = record.selective_until {
            let _ = write!(words, ", SACK up to {until}");
        }
    }
    for chunk in records.chunks_of(record) {
        words.push_str("; ");
        words.push_str(&chunk_words(chunk));
    }
    words
}

fn chunk_words(chunk: &RecordedChunk) -> String {
    match chunk {
        RecordedChunk::Data(copy) => {
            let kind = match copy.kind {
                ChunkKind::New => "new",
                ChunkKind::Bundled => "bundled",
                ChunkKind::Fast => "fast retransmission",
                ChunkKind::Timeout => "timeout retransmission",
                ChunkKind::WithFast => "bundled with a fast retransmission",
                ChunkKind::WithTimeout => "bundled with a timeout retransmission",
            };
            let data = &copy.data;
            let order = if data.is_unordered() {
                " unordered"
            } else {
                ""
            };
            let part = match (data.begins(), data.ends()) {
                (true, true) => "",
                (true, false) => ", first fragment",
                (false, true) => ", last fragment",
                (false, false) => ", fragment",
            };
            let spurious = if copy.is_spurious {
                ", an earlier copy arrives"
            } else {
                ""
            };
            format!(
                "TSN {} (stream {}{order}, {} bytes{part}): {kind}{spurious}",
                data.tsn, data.stream, data.bytes
            )
        }
        RecordedChunk::Sack(sack) => {
            let mut words = format!("SACK up to TSN {}", sack.cumulative);
            if sack.blocks > 0 {
                let last = sack.cumulative.wrapping_add(sack.beyond);
                let _ = write!(words, ", {} gap ack blocks up to {last}", sack.blocks);
            }
            if sack.duplicates > 0 {
                let _ = write!(words, ", {} duplicate TSNs", sack.duplicates);
            }
            words
        }
    }
}

fn ms(ns: i64) -> String {
    format!("{:.3}", ns as f64 / 1e6)
}

// ------------------------------------------------------------------- bytes

#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn read(self, bytes: &[u8], at: usize) -> Option<u32> {
        let field: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self {
            Self::Little => u32::from_le_bytes(field),
            Self::Big => u32::from_be_bytes(field),
        })
    }

    fn u32(self, value: u32) -> [u8; 4] {
        match self {
            Self::Little => value.to_le_bytes(),
            Self::Big => value.to_be_bytes(),
        }
    }

    fn u16(self, value: u16) -> [u8; 2] {
        match self {
            Self::Little => value.to_le_bytes(),
            Self::Big => value.to_be_bytes(),
        }
    }
}

struct Commented {
    out: Vec<u8>,
    comments: HashMap<u32, String>,
    frame: u32,
    order: Order,
}

impl Commented {
    fn copy_blocks(&mut self, file: &[u8]) -> Result<(), CommentError> {
        let mut at = 0;
        while at < file.len() {
            let rest = &file[at..];
            let Some(head) = rest.get(..12) else {
                break;
            };
            if head.starts_with(&SECTION.to_be_bytes()) {
                self.order = match head[8..12] {
                    [0x4d, 0x3c, 0x2b, 0x1a] => Order::Little,
                    [0x1a, 0x2b, 0x3c, 0x4d] => Order::Big,
                    _ => return Err(bad(at, "expected the byte-order magic")),
                };
            }
            let read = |field| self.order.read(rest, field);
            let (kind, length) = (read(0).unwrap_or(0), read(4).unwrap_or(0) as usize);
            if length < 12 || !length.is_multiple_of(4) {
                return Err(bad(
                    at,
                    "expected a block length of 12 bytes or more in fours",
                ));
            }
            let Some(block) = rest.get(..length) else {
                break;
            };
            match kind {
                SECTION => self.section(block, at)?,
                ENHANCED_PACKET => self.packet(block, at)?,
                _ => self.out.extend_from_slice(block),
            }
            at += length;
        }
        Ok(())
    }

    /// A section that says how long it is would be wrong.
    fn section(&mut self, block: &[u8], at: usize) -> Result<(), CommentError> {
        if block.len() < 28 {
            return Err(bad(at, "expected a section header of 28 bytes or more"));
        }
        self.out.extend_from_slice(&block[..16]);
        self.out.extend_from_slice(&[0xff; 8]);
        self.out.extend_from_slice(&block[24..]);
        Ok(())
    }

    /// The comment goes in front of the options that are there.
    fn packet(&mut self, block: &[u8], at: usize) -> Result<(), CommentError> {
        self.frame += 1;
        let Some(comment) = self.comments.get(&self.frame) else {
            self.out.extend_from_slice(block);
            return Ok(());
        };
        let kept = self.order.read(block, 20).unwrap_or(u32::MAX) as usize;
        let options =
            28_usize.saturating_add(kept.checked_next_multiple_of(4).unwrap_or(usize::MAX));
        let end = block.len() - 4;
        if options > end {
            return Err(bad(
                at,
                "expected no more captured bytes than the block holds",
            ));
        }
        let mut option = option(self.order, OPT_COMMENT, comment.as_bytes());
        if options == end {
            option.extend_from_slice(&[0; 4]);
        }
        let length = self.order.u32((block.len() + option.len()) as u32);
        self.out.extend_from_slice(&block[..4]);
        self.out.extend_from_slice(&length);
        self.out.extend_from_slice(&block[8..options]);
        self.out.extend_from_slice(&option);
        self.out.extend_from_slice(&block[options..end]);
        self.out.extend_from_slice(&length);
        Ok(())
    }

    /// A pcap file's records as blocks, in the byte order that they have.
    fn convert(&mut self, file: &[u8], order: Order, digits: u8) -> Result<(), CommentError> {
        self.order = order;
        let cut = bad(0, "the file ends in its header");
        let field = |at| order.read(file, at).ok_or_else(|| cut.clone());
        let (snapshot, network) = (field(16)?, field(20)?);
        let mut section = order.u32(0x1a2b_3c4d).to_vec();
        section.extend_from_slice(&order.u16(1));
        section.extend_from_slice(&order.u16(0));
        section.extend_from_slice(&[0xff; 8]);
        self.block(SECTION, &section);
        // The upper bits of a pcap file's field tell of frame check sequences.
        let mut interface = order.u16((network & 0xffff) as u16).to_vec();
        interface.extend_from_slice(&order.u16(0));
        interface.extend_from_slice(&order.u32(snapshot));
        interface.extend_from_slice(&option(order, IF_TSRESOL, &[digits]));
        interface.extend_from_slice(&[0; 4]);
        self.block(INTERFACE, &interface);
        let per_second = 10_u64.pow(u32::from(digits));
        let mut at = 24;
        while let Some(head) = file.get(at..at + 16) {
            let number = |field| order.read(head, field).unwrap_or(0);
            let kept = number(8) as usize;
            let Some(data) = file.get(at + 16..).and_then(|rest| rest.get(..kept)) else {
                break;
            };
            let ticks = u64::from(number(0)) * per_second + u64::from(number(4));
            let mut block = order.u32(0).to_vec();
            block.extend_from_slice(&order.u32((ticks >> 32) as u32));
            block.extend_from_slice(&order.u32(ticks as u32));
            block.extend_from_slice(&head[8..16]);
            block.extend_from_slice(data);
            block.resize(block.len().next_multiple_of(4), 0);
            self.frame += 1;
            if let Some(comment) = self.comments.get(&self.frame) {
                block.extend_from_slice(&option(order, OPT_COMMENT, comment.as_bytes()));
                block.extend_from_slice(&[0; 4]);
            }
            self.block(ENHANCED_PACKET, &block);
            at += 16 + kept;
        }
        Ok(())
    }

    fn block(&mut self, kind: u32, body: &[u8]) {
        let length = self.order.u32(12 + body.len() as u32);
        self.out.extend_from_slice(&self.order.u32(kind));
        self.out.extend_from_slice(&length);
        self.out.extend_from_slice(body);
        self.out.extend_from_slice(&length);
    }
}

/// Code, length, value, padding.
fn option(order: Order, code: u16, value: &[u8]) -> Vec<u8> {
    let value = &value[..value.len().min(usize::from(u16::MAX))];
    let mut option = order.u16(code).to_vec();
    option.extend_from_slice(&order.u16(value.len() as u16));
    option.extend_from_slice(value);
    option.resize(option.len().next_multiple_of(4), 0);
    option
}
