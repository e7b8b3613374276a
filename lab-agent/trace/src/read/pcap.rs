//! The classic format: one header, then records.
// SPDX-License-Identifier: Apache-2.0

use pcap_parser::parse_pcap_header;

use super::ReadError;
use super::frame::Link;
use super::records::Record;

/// µs and ns, little and big endian.
pub(super) const MAGICS: [[u8; 4]; 4] = [
    [0xd4, 0xc3, 0xb2, 0xa1],
    [0xa1, 0xb2, 0xc3, 0xd4],
    [0x4d, 0x3c, 0xb2, 0xa1],
    [0xa1, 0xb2, 0x3c, 0x4d],
];

const HEADER_BYTES: usize = 24;
const RECORD_HEADER_BYTES: usize = 16;
/// What tcpdump keeps when not told otherwise; files may say 0 and mean it.
const USUAL_SNAPSHOT_BYTES: u32 = 262_144;

/// The records that are left of a file.
pub(crate) struct Records<'a> {
    file_bytes: usize,
    rest: &'a [u8],
    link: Link,
    big_endian: bool,
    /// A stamp's fraction of a second counts in these.
    unit_ns: u32,
    longest: u32,
    passed: u64,
}

impl<'a> Records<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let cut_header = ReadError::CutHeader {
            offset: 0,
            expected_bytes: HEADER_BYTES as u64,
            have_bytes: bytes.len() as u64,
        };
        let (rest, header) = parse_pcap_header(bytes).map_err(|_| cut_header)?;
        // The upper bits hold the length of a frame check sequence.
        let link_type = header.network.0 as u32 & 0xffff;
        let link = Link::from_number(link_type).ok_or(ReadError::UnknownLink {
            offset: 20,
            link_type,
        })?;
        Ok(Self {
            file_bytes: bytes.len(),
            rest,
            link,
            big_endian: header.is_bigendian(),
            unit_ns: if header.is_nanosecond_precision() {
                1
            } else {
                1_000
            },
            longest: header.snaplen.max(USUAL_SNAPSHOT_BYTES),
            passed: 0,
        })
    }

    pub(super) fn next(&mut self) -> Result<Option<Record<'a>>, ReadError> {
        let Some((header, after)) = self.rest.split_first_chunk::<RECORD_HEADER_BYTES>() else {
            return if self.rest.is_empty() {
                Ok(None)
            } else {
                Err(self.cut(RECORD_HEADER_BYTES as u64))
            };
        };
        let [seconds, fraction, kept, whole] = self.numbers(header);
        if kept > self.longest || fraction >= 1_000_000_000 / self.unit_ns {
            return Err(self.contradiction(kept, fraction));
        }
        let Some((data, rest)) = after.split_at_checked(kept as usize) else {
            return Err(self.cut(RECORD_HEADER_BYTES as u64 + u64::from(kept)));
        };
        self.rest = rest;
        self.passed += 1;
        let at_ns =
            i64::from(seconds) * 1_000_000_000 + i64::from(fraction) * i64::from(self.unit_ns);
        Ok(Some(Record {
            at_ns,
            link: self.link,
            data,
            whole_bytes: whole as usize,
            resolution_ns: self.unit_ns,
        }))
    }

    fn numbers(&self, header: &[u8; RECORD_HEADER_BYTES]) -> [u32; 4] {
        let (fields, _) = header.as_chunks::<4>();
        let number = |at: usize| {
            if self.big_endian {
                u32::from_be_bytes(fields[at])
            } else {
                u32::from_le_bytes(fields[at])
            }
        };
        [number(0), number(1), number(2), number(3)]
    }

    fn offset(&self) -> u64 {
        (self.file_bytes - self.rest.len()) as u64
    }

    fn cut(&self, expected_bytes: u64) -> ReadError {
        ReadError::CutRecord {
            offset: self.offset(),
            record: self.passed + 1,
            expected_bytes,
            have_bytes: self.rest.len() as u64,
            frames: self.passed,
        }
    }

    /// What is wrong with the record that begins here.
    fn contradiction(&self, kept: u32, fraction: u32) -> ReadError {
        let longest = self.longest;
        let problem = if kept > longest {
            format!("expected at most {longest} captured bytes, found {kept}")
        } else {
            let in_a_second = 1_000_000_000 / self.unit_ns;
            format!("expected a fraction of a second below {in_a_second}, found {fraction}")
        };
        ReadError::BadRecord {
            offset: self.offset(),
            record: self.passed + 1,
            problem,
        }
    }
}
