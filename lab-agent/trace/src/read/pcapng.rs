//! The next-generation format: blocks in sections, each interface with its own
//! link type and resolution.
// SPDX-License-Identifier: Apache-2.0

use pcap_parser::{
    Block, EnhancedPacketBlock, InterfaceDescriptionBlock, OptionCode, parse_block_be,
    parse_block_le,
};

use super::frame::Link;
use super::records::Record;
use super::{LARGEST_RECORD_BYTES, ReadError};

/// Type of the section header block: the same in both byte orders.
pub(super) const MAGIC: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
const SMALLEST_BLOCK_BYTES: usize = 12;

struct Interface {
    link: Link,
    /// Ticks of the stamp per second, and what to add to it.
    ticks_per_second: u128,
    /// A tick, where it is a whole number of them.
    tick_ns: Option<u32>,
    offset_ns: i128,
    resolution_ns: u32,
}

/// A packet with its stamp.
struct Stamped<'a> {
    interface: u32,
    ticks: u64,
    data: &'a [u8],
    whole_bytes: u32,
}

/// The records that are left of a file.
pub(crate) struct Records<'a> {
    file_bytes: usize,
    rest: &'a [u8],
    interfaces: Vec<Interface>,
    big_endian: bool,
    /// The block at work, from 1.
    block: u64,
    frames: u64,
}

impl<'a> Records<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self {
            file_bytes: bytes.len(),
            rest: bytes,
            interfaces: Vec::new(),
            big_endian: false,
            block: 0,
            frames: 0,
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Record<'a>>, ReadError> {
        while !self.rest.is_empty() {
            let offset = (self.file_bytes - self.rest.len()) as u64;
            self.block += 1;
            let length = self.block_bytes(self.rest, offset)?;
            let Some((block, rest)) = length.and_then(|length| self.rest.split_at_checked(length))
            else {
                let expected_bytes = length.unwrap_or(SMALLEST_BLOCK_BYTES) as u64;
                return Err(self.cut(offset, expected_bytes));
            };
            self.rest = rest;
            if let Some(record) = self.record(block, offset)? {
                self.frames += 1;
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    fn bad(&self, offset: u64, problem: String) -> ReadError {
        ReadError::BadRecord {
            offset,
            record: self.block,
            problem,
        }
    }

    /// The file ends inside this block: an error when it was the header.
    fn cut(&self, offset: u64, expected_bytes: u64) -> ReadError {
        let have_bytes = self.rest.len() as u64;
        if self.block == 1 {
            return ReadError::CutHeader {
                offset,
                expected_bytes,
                have_bytes,
            };
        }
        ReadError::CutRecord {
            offset,
            record: self.block,
            expected_bytes,
            have_bytes,
            frames: self.frames,
        }
    }

    /// Length of the block that begins here, unless its length field is cut
    /// off. A section header decides the byte order first.
    fn block_bytes(&mut self, rest: &[u8], offset: u64) -> Result<Option<usize>, ReadError> {
        if rest.starts_with(&MAGIC) {
            match rest.get(8..12) {
                Some([0x4d, 0x3c, 0x2b, 0x1a]) => self.big_endian = false,
                Some([0x1a, 0x2b, 0x3c, 0x4d]) => self.big_endian = true,
                Some(found) => {
                    let problem =
                        format!("expected the byte-order magic 1a2b3c4d, found {found:02x?}");
                    return Err(self.bad(offset, problem));
                }
                None => return Ok(None),
            }
        }
        let Some(field) = rest.get(4..8) else {
            return Ok(None);
        };
        let field: [u8; 4] = field.try_into().expect("four bytes");
        let length = if self.big_endian {
            u32::from_be_bytes(field)
        } else {
            u32::from_le_bytes(field)
        };
        let length = length as usize;
        if !(SMALLEST_BLOCK_BYTES..=LARGEST_RECORD_BYTES).contains(&length)
            || !length.is_multiple_of(4)
        {
            let problem =
                format!("expected a block length of 12 bytes or more in fours, found {length}");
            return Err(self.bad(offset, problem));
        }
        Ok(Some(length))
    }

    /// None of a block that holds no packet.
    fn record(&mut self, block: &'a [u8], offset: u64) -> Result<Option<Record<'a>>, ReadError> {
        if let Some(packet) = Stamped::without_options(block, self.big_endian) {
            return self.packet(&packet, offset).map(Some);
        }
        let parse = if self.big_endian {
            parse_block_be
        } else {
            parse_block_le
        };
        let Ok((_, parsed)) = parse(block) else {
            let problem = "expected a block whose lengths agree, found one that contradicts itself";
            return Err(self.bad(offset, problem.into()));
        };
        match parsed {
            Block::SectionHeader(_) => self.interfaces.clear(),
            Block::InterfaceDescription(interface) => self.interface(&interface, offset)?,
            Block::EnhancedPacket(packet) => return self.enhanced(&packet, offset).map(Some),
            Block::SimplePacket(_) => return Err(ReadError::NoTimestamp { offset }),
            _ => {}
        }
        Ok(None)
    }

    fn interface(
        &mut self,
        block: &InterfaceDescriptionBlock,
        offset: u64,
    ) -> Result<(), ReadError> {
        let link_type = block.linktype.0 as u32;
        let link =
            Link::from_number(link_type).ok_or(ReadError::UnknownLink { offset, link_type })?;
        let exponent = u32::from(block.if_tsresol & 0x7f);
        let base: u128 = if block.if_tsresol & 0x80 == 0 { 10 } else { 2 };
        let Some(ticks_per_second) = base.checked_pow(exponent) else {
            return Err(self.bad(
                offset,
                format!("expected a resolution, found {base}^-{exponent} s"),
            ));
        };
        let offset_option = block
            .options
            .iter()
            .find(|option| option.code == OptionCode::IfTsoffset);
        let seconds = offset_option
            .and_then(|option| option.value.get(..8))
            .map_or(0, |value| {
                let value: [u8; 8] = value.try_into().expect("eight bytes");
                if self.big_endian {
                    i64::from_be_bytes(value)
                } else {
                    i64::from_le_bytes(value)
                }
            });
        let offset_ns = i128::from(seconds) * 1_000_000_000;
        let whole = 1_000_000_000 % ticks_per_second == 0;
        let tick_ns = 1_000_000_000_u128.div_ceil(ticks_per_second) as u32;
        self.interfaces.push(Interface {
            link,
            ticks_per_second,
            tick_ns: whole.then_some(tick_ns),
            offset_ns,
            resolution_ns: tick_ns,
        });
        Ok(())
    }

    fn enhanced(
        &self,
        packet: &EnhancedPacketBlock<'a>,
        offset: u64,
    ) -> Result<Record<'a>, ReadError> {
        let Some(data) = packet.data.get(..packet.caplen as usize) else {
            let (found, room) = (packet.caplen, packet.data.len());
            return Err(self.bad(
                offset,
                format!("expected at most {room} captured bytes, found {found}"),
            ));
        };
        let stamped = Stamped {
            interface: packet.if_id,
            ticks: u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low),
            data,
            whole_bytes: packet.origlen,
        };
        self.packet(&stamped, offset)
    }

    fn packet(&self, packet: &Stamped<'a>, offset: u64) -> Result<Record<'a>, ReadError> {
        let Some(interface) = self.interfaces.get(packet.interface as usize) else {
            let (found, known) = (packet.interface, self.interfaces.len());
            let problem = format!("expected one of {known} interfaces, found number {found}");
            return Err(self.bad(offset, problem));
        };
        let ticks = packet.ticks;
        let since_1970 = match interface.tick_ns {
            Some(tick_ns) => u128::from(ticks) * u128::from(tick_ns),
            None => u128::from(ticks) * 1_000_000_000 / interface.ticks_per_second,
        };
        let Ok(at_ns) = i64::try_from(since_1970 as i128 + interface.offset_ns) else {
            return Err(self.bad(
                offset,
                format!("expected a time before 2262, found {ticks} ticks"),
            ));
        };
        Ok(Record {
            at_ns,
            link: interface.link,
            data: packet.data,
            whole_bytes: packet.whole_bytes as usize,
            resolution_ns: interface.resolution_ns,
        })
    }
}

impl<'a> Stamped<'a> {
    /// An enhanced packet block that holds nothing else; none of any other block.
    fn without_options(block: &'a [u8], big_endian: bool) -> Option<Self> {
        const ENHANCED_PACKET: u32 = 6;
        const BEFORE_BYTES: usize = 28;
        const AFTER_BYTES: usize = 4;
        let (before, rest) = block.split_first_chunk::<BEFORE_BYTES>()?;
        let (rest, after) = rest.split_last_chunk::<AFTER_BYTES>()?;
        let number = |field: [u8; 4]| {
            if big_endian {
                u32::from_be_bytes(field)
            } else {
                u32::from_le_bytes(field)
            }
        };
        let field =
            |at: usize| number([before[at], before[at + 1], before[at + 2], before[at + 3]]);
        let kept = field(20) as usize;
        let plain = field(0) == ENHANCED_PACKET
            && number(*after) as usize == block.len()
            && kept.checked_next_multiple_of(4) == Some(rest.len());
        plain.then(|| Self {
            interface: field(8),
            ticks: u64::from(field(12)) << 32 | u64::from(field(16)),
            data: &rest[..kept],
            whole_bytes: field(24),
        })
    }
}
