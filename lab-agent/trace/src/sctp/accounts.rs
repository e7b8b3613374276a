//! What became of a sender's chunks.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeSet;

use super::association::{Association, ChunkKind};
use super::chunk::{Chunk, Data};
use crate::capture::Packet;
use crate::error::Direction;

/// A stream's chunks with data, and what its receiver said of them. `sent = new + fast +
/// timeout + with_fast + with_timeout + bundled`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chunks {
    /// Copies of chunks put on the wire.
    pub sent: u64,
    /// Of those, for the first time.
    pub new: u64,
    /// Sent again because acknowledgements had reported them missing.
    pub fast: u64,
    /// Sent again when the timer ran out.
    pub timeout: u64,
    /// Sent again in the packet of one that acknowledgements had called for.
    pub with_fast: u64,
    /// Sent again in the packet of one that the timer had called for.
    pub with_timeout: u64,
    /// Sent again with new chunks that would have left without them.
    pub bundled: u64,
    /// Copies beyond the first, bundled ones not, of which an earlier copy did arrive.
    pub spurious: u64,
    /// Bundled copies of which an earlier copy did arrive.
    pub bundled_in_vain: u64,
    /// TSNs that the receiver reported as duplicates, in acknowledgements that left it.
    pub duplicate_tsns: u64,
    /// Acknowledgements that left the receiver.
    pub sacks: u64,
    /// Gap ack blocks in them.
    pub gap_blocks: u64,
    /// The most in one of them.
    pub most_gap_blocks: u64,
    /// Streams that carried any.
    pub streams: u64,
    /// New chunks of unordered messages.
    pub unordered: u64,
    /// New chunks that are fragments of messages.
    pub fragments: u64,
}

/// One copy of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkCopy {
    /// What is in it.
    pub data: Data,
    /// Why it was sent.
    pub kind: ChunkKind,
    /// Whether an earlier copy did arrive, sooner or later.
    pub is_spurious: bool,
}

impl Chunks {
    /// Copies that a timer or acknowledgements called for, and what left with them.
    pub fn retransmitted(&self) -> u64 {
        self.fast + self.timeout + self.with_fast + self.with_timeout
    }

    fn count(&mut self, kind: ChunkKind, is_needless: bool) {
        self.sent += 1;
        let of_kind = match kind {
            ChunkKind::New => &mut self.new,
            ChunkKind::Bundled => &mut self.bundled,
            ChunkKind::Fast => &mut self.fast,
            ChunkKind::Timeout => &mut self.timeout,
            ChunkKind::WithFast => &mut self.with_fast,
            ChunkKind::WithTimeout => &mut self.with_timeout,
        };
        *of_kind += 1;
        match kind {
            ChunkKind::New => {}
            ChunkKind::Bundled => self.bundled_in_vain += u64::from(is_needless),
            _ => self.spurious += u64::from(is_needless),
        }
    }
}

impl Association<'_> {
    /// Of the stream forward: its packets where they left and what became of each, in
    /// order, and the packets that left the receiver. Where only the sender's end is known,
    /// none has arrived.
    pub(crate) fn accounts<'p>(
        &self,
        sent: &[&Packet],
        arrived: impl Iterator<Item = bool>,
        answers: impl Iterator<Item = &'p [Chunk]>,
    ) -> Chunks {
        let mut chunks = Chunks::default();
        let mut streams = BTreeSet::new();
        self.copies(Direction::Forward, sent, arrived, |_, copy| {
            chunks.count(copy.kind, copy.is_spurious);
            if copy.kind == ChunkKind::New {
                streams.insert(copy.data.stream);
                chunks.unordered += u64::from(copy.data.is_unordered());
                let is_whole = copy.data.begins() && copy.data.ends();
                chunks.fragments += u64::from(!is_whole);
            }
        });
        chunks.streams = streams.len() as u64;
        for chunk in answers.flatten() {
            let Chunk::Sack(sack) = chunk else { continue };
            chunks.sacks += 1;
            chunks.duplicate_tsns += u64::from(sack.duplicates);
            chunks.gap_blocks += u64::from(sack.blocks);
            chunks.most_gap_blocks = chunks.most_gap_blocks.max(u64::from(sack.blocks));
        }
        chunks
    }
}
