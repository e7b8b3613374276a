//! The classic format: one header, then records.
// SPDX-License-Identifier: Apache-2.0

use pcap_parser::parse_pcap_header;

use super::collect::Collection;
use super::frame::Link;
use super::{CutCapture, ReadError, Reading};

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

pub(super) fn read(bytes: &[u8], reading: Reading) -> Result<CutCapture, ReadError> {
    let cut_header = ReadError::CutHeader {
        offset: 0,
        expected_bytes: HEADER_BYTES as u64,
        have_bytes: bytes.len() as u64,
    };
    let (mut rest, header) = parse_pcap_header(bytes).map_err(|_| cut_header)?;
    // The upper bits hold the length of a frame check sequence.
    let link_type = header.network.0 as u32 & 0xffff;
    let link = Link::from_number(link_type).ok_or(ReadError::UnknownLink {
        offset: 20,
        link_type,
    })?;
    let unit_ns = if header.is_nanosecond_precision() {
        1
    } else {
        1_000
    };
    let longest = header.snaplen.max(USUAL_SNAPSHOT_BYTES);
    let mut frames = Collection::new(reading);
    while !rest.is_empty() {
        let offset = (bytes.len() - rest.len()) as u64;
        let record = frames.count() + 1;
        if let Some(problem) = contradiction(rest, header.is_bigendian(), longest, unit_ns) {
            return Err(ReadError::BadRecord {
                offset,
                record,
                problem,
            });
        }
        let expected_bytes = record_bytes(rest, header.is_bigendian());
        let Some((packet, after)) = rest.split_at_checked(expected_bytes as usize) else {
            let cut = ReadError::CutRecord {
                offset,
                record,
                expected_bytes,
                have_bytes: rest.len() as u64,
                frames: frames.count(),
            };
            return Ok(CutCapture {
                capture: frames.finish(),
                cut: Some(cut),
            });
        };
        let field = |at: usize| number(&packet[at..at + 4], header.is_bigendian());
        let at_ns = i64::from(field(0)) * 1_000_000_000 + i64::from(field(4)) * unit_ns;
        let data = &packet[RECORD_HEADER_BYTES..];
        frames.add(at_ns, link, data, field(12) as usize);
        frames.resolution(unit_ns as u32);
        rest = after;
    }
    Ok(CutCapture {
        capture: frames.finish(),
        cut: None,
    })
}

/// What is wrong with the record that begins here, if its header is whole.
fn contradiction(rest: &[u8], big_endian: bool, longest: u32, unit_ns: i64) -> Option<String> {
    let header = rest.get(..RECORD_HEADER_BYTES)?;
    let fraction = number(&header[4..8], big_endian);
    let kept = number(&header[8..12], big_endian);
    if kept > longest {
        return Some(format!(
            "expected at most {longest} captured bytes, found {kept}"
        ));
    }
    let in_a_second = (1_000_000_000 / unit_ns) as u32;
    (fraction >= in_a_second)
        .then(|| format!("expected a fraction of a second below {in_a_second}, found {fraction}"))
}

fn record_bytes(rest: &[u8], big_endian: bool) -> u64 {
    let kept = rest.get(8..12).map_or(0, |field| number(field, big_endian));
    RECORD_HEADER_BYTES as u64 + u64::from(kept)
}

fn number(field: &[u8], big_endian: bool) -> u32 {
    let field: [u8; 4] = field.try_into().expect("four bytes");
    if big_endian {
        u32::from_be_bytes(field)
    } else {
        u32::from_le_bytes(field)
    }
}
