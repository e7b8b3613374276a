//! What became of a sender's chunks.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeSet;

use lab_proto::{ChunkCopies, Chunks};

use super::association::{Association, ChunkKind};
use super::chunk::{Chunk, Data};
use crate::capture::Packet;
use crate::error::Direction;

/// One copy of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkCopy {
    /// What is in it.
    pub data: Data,
    /// Why it was sent.
    pub kind: ChunkKind,
    /// How often it had been sent before.
    pub ordinal: usize,
    /// Whether an earlier copy did arrive, sooner or later.
    pub is_spurious: bool,
}

/// Of what was sent again, by how often it had been sent before.
fn count_again(chunks: &mut Chunks, copy: &ChunkCopy) {
    let of_ordinal = match copy.ordinal {
        1 => &mut chunks.first,
        2 => &mut chunks.second,
        3 => &mut chunks.third,
        _ => return,
    };
    let ChunkCopies {
        fast,
        timeout,
        bundled,
        spurious_fast,
        spurious_timeout,
        spurious_bundled,
    } = of_ordinal.get_or_insert_default();
    let (all, spurious) = match copy.kind {
        ChunkKind::New => return,
        ChunkKind::Fast => (fast, spurious_fast),
        ChunkKind::Timeout => (timeout, spurious_timeout),
        ChunkKind::Bundled | ChunkKind::WithFast | ChunkKind::WithTimeout => {
            (bundled, spurious_bundled)
        }
    };
    *all += 1;
    *spurious += u64::from(copy.is_spurious);
}

fn count(chunks: &mut Chunks, kind: ChunkKind, is_needless: bool) {
    chunks.sent += 1;
    let of_kind = match kind {
        ChunkKind::New => &mut chunks.new,
        ChunkKind::Bundled => &mut chunks.bundled,
        ChunkKind::Fast => &mut chunks.fast,
        ChunkKind::Timeout => &mut chunks.timeout,
        ChunkKind::WithFast => &mut chunks.bundled_with_fast,
        ChunkKind::WithTimeout => &mut chunks.bundled_with_timeout,
    };
    *of_kind += 1;
    match kind {
        ChunkKind::New => {}
        ChunkKind::Bundled => chunks.bundled_in_vain += u64::from(is_needless),
        _ => chunks.spurious += u64::from(is_needless),
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
            count(&mut chunks, copy.kind, copy.is_spurious);
            count_again(&mut chunks, &copy);
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
