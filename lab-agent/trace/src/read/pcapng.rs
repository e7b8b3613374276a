//! The next-generation format: blocks in sections, each interface with its own
//! link type and resolution.
// SPDX-License-Identifier: Apache-2.0

use pcap_parser::{
    Block, EnhancedPacketBlock, InterfaceDescriptionBlock, OptionCode, parse_block_be,
    parse_block_le,
};

use super::collect::Collection;
use super::frame::Link;
use super::{CutCapture, LARGEST_RECORD_BYTES, ReadError, Reading};

/// Type of the section header block: the same in both byte orders.
pub(super) const MAGIC: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
const SMALLEST_BLOCK_BYTES: usize = 12;

struct Interface {
    link: Link,
    /// Ticks of the stamp per second, and what to add to it.
    ticks_per_second: u128,
    /// A tick, where it is a whole number of them.
    tick_ns: Option<u128>,
    offset_ns: i128,
}

/// A packet with its stamp.
struct Stamped<'a> {
    interface: u32,
    ticks: u64,
    data: &'a [u8],
    whole_bytes: u32,
}

struct Reader {
    frames: Collection,
    interfaces: Vec<Interface>,
    big_endian: bool,
    record: u64,
}

pub(super) fn read(bytes: &[u8], reading: Reading) -> Result<CutCapture, ReadError> {
    let mut reader = Reader {
        frames: Collection::new(reading),
        interfaces: Vec::new(),
        big_endian: false,
        record: 0,
    };
    let mut rest = bytes;
    while !rest.is_empty() {
        let offset = (bytes.len() - rest.len()) as u64;
        reader.record += 1;
        match reader.block_bytes(rest, offset)? {
            Some(length) if length <= rest.len() => {
                reader.block(&rest[..length], offset)?;
                rest = &rest[length..];
            }
            length => {
                let expected = length.unwrap_or(SMALLEST_BLOCK_BYTES) as u64;
                return reader.cut(rest, offset, expected);
            }
        }
    }
    Ok(CutCapture {
        capture: reader.frames.finish(),
        cut: None,
    })
}

impl Reader {
    fn bad(&self, offset: u64, problem: String) -> ReadError {
        ReadError::BadRecord {
            offset,
            record: self.record,
            problem,
        }
    }

    /// The file ends inside this block: an error when it was the header.
    fn cut(self, rest: &[u8], offset: u64, expected_bytes: u64) -> Result<CutCapture, ReadError> {
        let have_bytes = rest.len() as u64;
        if self.record == 1 {
            return Err(ReadError::CutHeader {
                offset,
                expected_bytes,
                have_bytes,
            });
        }
        let frames = self.frames.count();
        let cut = ReadError::CutRecord {
            offset,
            record: self.record,
            expected_bytes,
            have_bytes,
            frames,
        };
        Ok(CutCapture {
            capture: self.frames.finish(),
            cut: Some(cut),
        })
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

    fn block(&mut self, block: &[u8], offset: u64) -> Result<(), ReadError> {
        if let Some(packet) = Stamped::without_options(block, self.big_endian) {
            return self.packet(&packet, offset);
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
            Block::EnhancedPacket(packet) => self.enhanced(&packet, offset)?,
            Block::SimplePacket(_) => return Err(ReadError::NoTimestamp { offset }),
            _ => {}
        }
        Ok(())
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
        self.interfaces.push(Interface {
            link,
            ticks_per_second,
            tick_ns: (1_000_000_000 % ticks_per_second == 0)
                .then(|| 1_000_000_000 / ticks_per_second),
            offset_ns,
        });
        Ok(())
    }

    fn enhanced(&mut self, packet: &EnhancedPacketBlock, offset: u64) -> Result<(), ReadError> {
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

    fn packet(&mut self, packet: &Stamped, offset: u64) -> Result<(), ReadError> {
        let Some(interface) = self.interfaces.get(packet.interface as usize) else {
            let (found, known) = (packet.interface, self.interfaces.len());
            let problem = format!("expected one of {known} interfaces, found number {found}");
            return Err(self.bad(offset, problem));
        };
        let ticks = u128::from(packet.ticks);
        let since_1970 = match interface.tick_ns {
            Some(tick_ns) => ticks * tick_ns,
            None => ticks * 1_000_000_000 / interface.ticks_per_second,
        };
        let Ok(at_ns) = i64::try_from(since_1970 as i128 + interface.offset_ns) else {
            return Err(self.bad(
                offset,
                format!("expected a time before 2262, found {ticks} ticks"),
            ));
        };
        let resolution_ns = match interface.tick_ns {
            Some(tick_ns) => tick_ns,
            None => 1_000_000_000_u128.div_ceil(interface.ticks_per_second),
        };
        let link = interface.link;
        self.frames
            .add(at_ns, link, packet.data, packet.whole_bytes as usize);
        self.frames.resolution(resolution_ns as u32);
        Ok(())
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
