//! The truth about a scripted association: what the script declares, counted, and a
//! receiver's application that looks at every message again whenever a chunk comes.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{BTreeMap, BTreeSet};

use super::script::{Piece, Script};
use crate::golden::truth::{DirectionTruth, TrafficTruth};
use crate::sctp::ChunkKind;

/// One chunk, in true time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkTruth {
    /// Of the message, in it.
    pub bytes: u64,
    /// Whether it ends a message.
    pub ends: bool,
    /// First transmission.
    pub sent_ns: Option<u64>,
    /// First arrival.
    pub arrived_ns: Option<u64>,
    /// When the application could have it.
    pub available_ns: Option<u64>,
}

/// What is true of the whole association.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// In the order of their TSNs.
    pub chunks: Vec<ChunkTruth>,
    /// What the sender sent, in bytes of messages. A packet sent for chunks sent before is a
    /// retransmission, whatever else is in it.
    pub traffic: TrafficTruth,
    /// Copies by why they were sent, in the order of [`ChunkKind`].
    pub copies: [u64; 6],
    /// Of chunks sent once before, twice and three times, the copies by why they were sent, and
    /// of each kind those of which an earlier one did arrive.
    pub again: [[(u64, u64); 6]; 3],
    /// Retransmitted copies of which an earlier one did arrive.
    pub spurious: u64,
    /// The same of bundled ones.
    pub bundled_in_vain: u64,
    /// TSNs reported as duplicates.
    pub duplicate_tsns: u64,
    /// Acknowledgements.
    pub sacks: u64,
    /// Gap ack blocks in them.
    pub gap_blocks: u64,
    /// Sender to receiver.
    pub forward: DirectionTruth,
    /// Receiver to sender.
    pub backward: DirectionTruth,
}

impl Script {
    /// Everything but what acknowledgements say.
    pub(super) fn truth(&self) -> Truth {
        let mut truth = Truth {
            chunks: self.chunks(),
            ..Truth::default()
        };
        let mut sends: Vec<_> = self.sends.iter().collect();
        sends.sort_by_key(|send| send.at_ns);
        let mut sent = BTreeMap::new();
        let mut comes = BTreeSet::new();
        for send in sends {
            let bytes = |is: &dyn Fn(ChunkKind) -> bool| -> u64 {
                let those = send.pieces.iter().filter(|(_, kind)| is(*kind));
                those.map(|(piece, _)| self.pieces[*piece].bytes).sum()
            };
            let is_new = |kind| kind == ChunkKind::New;
            let is_again = |kind| kind != ChunkKind::New && kind != ChunkKind::Bundled;
            let traffic = &mut truth.traffic;
            traffic.data_packets += 1;
            traffic.payload_bytes += bytes(&|_| true);
            traffic.retransmitted_packets +=
                u64::from(send.pieces.iter().any(|(_, kind)| is_again(*kind)));
            traffic.retransmitted_bytes += bytes(&is_again);
            traffic.bundle_packets += u64::from(bytes(&|kind| kind == ChunkKind::Bundled) > 0);
            traffic.bundled_bytes += bytes(&|kind| kind == ChunkKind::Bundled);
            for &(piece, kind) in &send.pieces {
                let before: &mut usize = sent.entry(piece).or_default();
                assert_eq!(is_new(kind), *before == 0, "{send:?} is not what it says");
                truth.copies[kind as usize] += 1;
                let own = self.pieces[piece].bytes;
                let is_needless = comes.contains(&piece);
                let ordinal = before.checked_sub(1);
                if let Some(of_ordinal) = ordinal.and_then(|nth| truth.again.get_mut(nth)) {
                    of_ordinal[kind as usize].0 += 1;
                    of_ordinal[kind as usize].1 += u64::from(is_needless);
                }
                *before += 1;
                if kind == ChunkKind::Bundled {
                    truth.bundled_in_vain += u64::from(is_needless);
                    let arrival = send.fate.arrivals().first().map(|it| send.at_ns + it.0);
                    let is_first = arrival.is_some() && arrival == truth.chunks[piece].arrived_ns;
                    traffic.bundle_hit_bytes += if is_first { own } else { 0 };
                } else if is_needless {
                    truth.spurious += 1;
                    traffic.spurious_bytes += own;
                }
            }
            if send
                .fate
                .arrivals()
                .iter()
                .any(|(_, damage)| damage.is_none())
            {
                comes.extend(send.pieces.iter().map(|(piece, _)| *piece));
            }
        }
        truth
    }

    fn chunks(&self) -> Vec<ChunkTruth> {
        let sends = |piece: usize| {
            let holds = move |pieces: &[(usize, ChunkKind)]| {
                pieces.iter().any(|(which, _)| *which == piece)
            };
            self.sends.iter().filter(move |send| holds(&send.pieces))
        };
        let mut chunks: Vec<ChunkTruth> = self
            .pieces
            .iter()
            .enumerate()
            .map(|(at, piece)| ChunkTruth {
                bytes: piece.bytes,
                ends: piece.ends,
                sent_ns: sends(at).map(|send| send.at_ns).min(),
                arrived_ns: sends(at)
                    .flat_map(|send| {
                        let whole = send.fate.arrivals().into_iter();
                        let whole = whole.filter(|(_, damage)| damage.is_none());
                        whole.map(|(after_ns, _)| send.at_ns + after_ns)
                    })
                    .min(),
                available_ns: None,
            })
            .collect();
        let mut instants: Vec<u64> = chunks.iter().filter_map(|it| it.arrived_ns).collect();
        instants.sort_unstable();
        for now_ns in instants {
            // One delivery may let the next one through.
            while let Some(message) = self.deliverable(&chunks, now_ns) {
                for piece in message {
                    chunks[piece].available_ns = Some(now_ns);
                }
            }
        }
        chunks
    }

    /// A message that the application can have now and has not.
    fn deliverable(&self, chunks: &[ChunkTruth], now_ns: u64) -> Option<Vec<usize>> {
        let pieces = || self.pieces.iter().enumerate();
        let starts = pieces().filter(|(_, piece)| piece.begins);
        let mut messages = starts.map(|(_, piece)| {
            let same = |other: &Piece| {
                (other.stream, other.is_ordered, other.message)
                    == (piece.stream, piece.is_ordered, piece.message)
            };
            let parts = pieces().filter(|(_, other)| same(other));
            (piece, parts.map(|(at, _)| at).collect::<Vec<_>>())
        });
        messages.find_map(|(piece, parts)| {
            let is_there = |at: &usize| chunks[*at].arrived_ns.is_some_and(|ns| ns <= now_ns);
            let is_untold = chunks[parts[0]].available_ns.is_none();
            let is_whole = parts.iter().all(is_there);
            let is_before = |other: &Piece| {
                other.stream == piece.stream && other.is_ordered && other.message < piece.message
            };
            let mut before = pieces().filter(|(_, other)| piece.is_ordered && is_before(other));
            let is_next = before.all(|(at, _)| chunks[at].available_ns.is_some());
            (is_untold && is_whole && is_next).then_some(parts)
        })
    }
}
