//! Capture files to [`Capture`]s: pcap and pcapng, either byte order, any
//! resolution.
//!
//! A file is taken whole or refused with the offset, what was expected there
//! and the remedy. Only a file whose last record was cut short (the machine
//! went down while capturing) may be taken up to the cut, by
//! [`read_cut_capture`], and says so.
// SPDX-License-Identifier: Apache-2.0

mod collect;
mod cut_apart;
mod datagram;
pub(crate) mod frame;
mod identity;
mod pcap;
mod pcapng;
pub(crate) mod records;
mod sctp;
mod sum;
mod usual;

pub use frame::headers_bytes;

use thiserror::Error;

use self::collect::Collection;
use self::frame::Frames;
use self::records::Records;
use crate::capture::{Capture, Packet};

/// Longer records are not packets but a damaged length field.
const LARGEST_RECORD_BYTES: usize = 64 << 20;

/// Why a capture file was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// Nothing in it.
    #[error("the file is empty: end the capture before reading it")]
    Empty,
    /// Neither pcap nor pcapng.
    #[error("byte 0: expected the magic number of pcap or pcapng, found {found}: {remedy}")]
    Foreign {
        /// What the file begins with.
        found: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// It ends inside its own header.
    #[error(
        "byte {offset}: the file ends in its header ({have_bytes} of {expected_bytes} bytes): capture again"
    )]
    CutHeader {
        /// Where the header begins.
        offset: u64,
        /// Length of the header.
        expected_bytes: u64,
        /// What is there of it.
        have_bytes: u64,
    },
    /// It ends inside a record, usually the last one of a capture that was
    /// killed or a file that was not copied whole.
    #[error(
        "byte {offset}: the file ends inside record {record} ({have_bytes} of {expected_bytes} bytes); \
         the {frames} frames before it are whole: copy the file again, or accept the cut"
    )]
    CutRecord {
        /// Where the record begins.
        offset: u64,
        /// Its number, from 1.
        record: u64,
        /// Length of the record.
        expected_bytes: u64,
        /// What is there of it.
        have_bytes: u64,
        /// Whole frames before it.
        frames: u64,
    },
    /// A record contradicts itself or the file's header.
    #[error(
        "byte {offset}: record {record}: {problem}: the file is damaged from here on, copy it again"
    )]
    BadRecord {
        /// Where the record begins.
        offset: u64,
        /// Its number, from 1.
        record: u64,
        /// Expected and found.
        problem: String,
    },
    /// A link type whose headers are not known.
    #[error(
        "byte {offset}: link type {link_type}; known are Ethernet (1), raw IP (101, 228, 229), \
         Linux cooked (113, 276) and loopback (0, 108): capture on the network interface itself"
    )]
    UnknownLink {
        /// Where the file says so.
        offset: u64,
        /// The number from the link-type registry.
        link_type: u32,
    },
    /// Packets without a time.
    #[error(
        "byte {offset}: a simple packet block has no time stamp: capture with enhanced packet blocks"
    )]
    NoTimestamp {
        /// Where the block begins.
        offset: u64,
    },
}

/// How frames become packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Segments larger than this, options included, which a network card cuts apart or
    /// has put together, are cut apart as it does. None: nothing is.
    pub mss_bytes: Option<u16>,
}

/// A capture that may end in a cut record.
#[derive(Clone, Debug)]
pub struct CutCapture {
    /// Everything before the cut.
    pub capture: Capture,
    /// The cut, when there is one: always [`ReadError::CutRecord`].
    pub cut: Option<ReadError>,
}

/// Reads a whole pcap or pcapng file: its TCP and SCTP or, where it has neither, its datagrams.
///
/// # Errors
/// [`ReadError`] names the offset, what was expected there and the remedy.
pub fn read_capture(bytes: &[u8]) -> Result<Capture, ReadError> {
    let read = read_cut_capture(bytes)?;
    read.cut.map_or(Ok(read.capture), Err)
}

/// Reads a file up to a cut last record.
///
/// # Errors
/// As [`read_capture`], except for the cut.
pub fn read_cut_capture(bytes: &[u8]) -> Result<CutCapture, ReadError> {
    read_capture_as(bytes, Reading::default())
}

/// The same, reading as said.
///
/// # Errors
/// As [`read_cut_capture`].
pub fn read_capture_as(bytes: &[u8], reading: Reading) -> Result<CutCapture, ReadError> {
    let read = read_frames(bytes, Frames::of_all(), reading)?;
    let capture = &read.capture;
    let is_damaged = |packet: &Packet| packet.is_damaged();
    if capture.skipped.not_tcp == 0 || !capture.packets.iter().all(is_damaged) {
        return Ok(read);
    }
    // Datagrams beside connections are other programs'; where nothing else is, they are meant.
    let datagrams = read_frames(bytes, Frames::of_datagrams(), Reading::default())?;
    let found = datagrams.capture.packets.iter().any(|it| !is_damaged(it));
    Ok(if found { datagrams } else { read })
}

fn read_frames(bytes: &[u8], frames: Frames, reading: Reading) -> Result<CutCapture, ReadError> {
    let mut records = Records::of(bytes)?;
    let mut frames = Collection::new(frames, reading);
    let cut = loop {
        let next = records.next();
        match next {
            Ok(Some(ref record)) => frames.add(record),
            Ok(None) => break None,
            Err(cut @ ReadError::CutRecord { .. }) => break Some(cut),
            Err(error) => return Err(error),
        }
    };
    Ok(CutCapture {
        capture: frames.finish(),
        cut,
    })
}

fn foreign(magic: [u8; 4]) -> ReadError {
    let (kind, remedy) = match magic {
        [0x1f, 0x8b, ..] => ("gzip", "unpack it first"),
        [0x28, 0xb5, 0x2f, 0xfd] => ("zstd", "unpack it first"),
        [0xfd, b'7', b'z', b'X'] => ("xz", "unpack it first"),
        [b's', b'n', b'o', b'o'] => ("snoop", "convert it with `editcap -F pcapng`"),
        [0x34, 0xcd, 0xb2, 0xa1] | [0xa1, 0xb2, 0xcd, 0x34] => {
            ("modified pcap", "convert it with `editcap -F pcapng`")
        }
        _ => (
            "an unknown format",
            "give a capture by tcpdump, dumpcap or lab-agent",
        ),
    };
    let [a, b, c, d] = magic;
    ReadError::Foreign {
        found: format!("{a:02x} {b:02x} {c:02x} {d:02x} ({kind})"),
        remedy,
    }
}
