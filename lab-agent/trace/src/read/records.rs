//! A file's frames, one after the other, whichever format holds them.
// SPDX-License-Identifier: Apache-2.0

use super::frame::Link;
use super::{ReadError, foreign, pcap, pcapng};

/// A frame as a file has it.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    pub at_ns: i64,
    pub link: Link,
    /// What was kept of it.
    pub data: &'a [u8],
    /// How much of it there was.
    pub whole_bytes: usize,
    /// The stamp is no finer than this.
    pub resolution_ns: u32,
}

impl<'a> Record<'a> {
    /// A whole Ethernet frame.
    pub fn ethernet(at_ns: i64, frame: &'a [u8]) -> Self {
        Self {
            at_ns,
            link: Link::Ethernet,
            data: frame,
            whole_bytes: frame.len(),
            resolution_ns: 1,
        }
    }
}

/// What is left of a file.
pub(crate) enum Records<'a> {
    Pcap(pcap::Records<'a>),
    Pcapng(pcapng::Records<'a>),
}

impl<'a> Records<'a> {
    pub fn of(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let Some(magic) = bytes.first_chunk::<4>().copied() else {
            let cut = ReadError::CutHeader {
                offset: 0,
                expected_bytes: 24,
                have_bytes: bytes.len() as u64,
            };
            return Err(if bytes.is_empty() {
                ReadError::Empty
            } else {
                cut
            });
        };
        match magic {
            pcapng::MAGIC => Ok(Self::Pcapng(pcapng::Records::of(bytes))),
            magic if pcap::MAGICS.contains(&magic) => Ok(Self::Pcap(pcap::Records::of(bytes)?)),
            magic => Err(foreign(magic)),
        }
    }

    /// None at the end. After [`ReadError::CutRecord`], all before it was told.
    pub fn next(&mut self) -> Result<Option<Record<'a>>, ReadError> {
        match self {
            Self::Pcap(records) => records.next(),
            Self::Pcapng(records) => records.next(),
        }
    }
}
