//! An association's packets as events of two streams, one each way.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::Recovery;
use smallvec::SmallVec;

use super::accounts::ChunkCopy;
use super::chunk::{Chunk, Sack};
use super::tsns::{Known, Tsns};
use crate::capture::Packet;
use crate::error::Direction;
use crate::flow::EndView;
use crate::leaf::Leaf;
use crate::receiving::{Receiving, Said, Taken};
use crate::sending::{Sending, Sent};
use crate::unwrap::Unwrap;

/// Why a copy of a chunk was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkKind {
    /// For the first time.
    New,
    /// Again, with new chunks that would have left without it.
    Bundled,
    /// Again, because acknowledgements reported it missing.
    Fast,
    /// Again, because the timer ran out: the first of such a packet.
    Timeout,
    /// Again, with one that acknowledgements called for.
    WithFast,
    /// Again, with one that the timer called for.
    WithTimeout,
}

/// The chunks of both directions and how far each capture has been gone through.
#[derive(Clone, Debug)]
pub(crate) struct Association<'a> {
    /// Of the sender's capture and of the receiver's.
    chunks: [&'a [Chunk]; 2],
    ways: Ways,
}

/// What is known of both directions' chunks.
#[derive(Clone, Debug)]
pub(super) struct Ways(pub [Way; 2]);

/// One direction.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub tsns: Tsns,
    /// The TSN of the first chunk.
    origin: u32,
    pub leaving: Unwrap,
    pub coming: Unwrap,
    /// Cumulative TSNs as they leave the end that receives, and as they come.
    said: Unwrap,
    heard: Unwrap,
    /// Of each copy of a chunk, in the order in which they left.
    pub kinds: Vec<ChunkKind>,
}

/// Chunks of one packet, by TSN.
type Carried<'a> = SmallVec<[&'a Known; 4]>;

impl<'a> Association<'a> {
    /// Of the packets at both ends. `origins` are the TSNs of the first chunks, where
    /// known.
    pub(crate) fn of(
        here: &EndView<'a>,
        there: &EndView<'a>,
        origins: (Option<u32>, Option<u32>),
    ) -> Self {
        let chunks = [here.chunks, there.chunks];
        let forward = Way::of(
            origins.0,
            (here.chunks, &here.forward),
            (there.chunks, &there.forward),
        );
        let backward = Way::of(
            origins.1,
            (there.chunks, &there.backward),
            (here.chunks, &here.backward),
        );
        Self {
            chunks,
            ways: Ways([forward, backward]),
        }
    }

    /// The chunks that go one way, by TSN.
    pub(crate) fn tsns(&self, way: Direction) -> &Tsns {
        &self.ways.0[way as usize].tsns
    }

    /// What a packet holds, in the capture of the end that it leaves.
    pub(crate) fn departing(&self, way: Direction, packet: &Packet) -> &'a [Chunk] {
        packet.chunks_in(self.chunks[way as usize])
    }

    /// Tells of each copy of a chunk that left, and which packet it left in: `sent` are the
    /// packets, and of each whether it arrived.
    pub(crate) fn copies(
        &self,
        way: Direction,
        sent: &[&Packet],
        arrived: impl Iterator<Item = bool>,
        mut each: impl FnMut(usize, ChunkCopy),
    ) {
        let Way {
            tsns,
            origin,
            kinds,
            ..
        } = &self.ways.0[way as usize];
        let mut numbers = Unwrap::new(*origin);
        let mut kinds = kinds.iter();
        let mut brought = vec![false; tsns.all().len()];
        let mut sent_before = vec![0; tsns.all().len()];
        for ((at, packet), arrived) in sent.iter().enumerate().zip(arrived) {
            for known in carried(tsns, &mut numbers, self.departing(way, packet)) {
                let (Some(kind), Some(place)) = (kinds.next(), tsns.place(known.number)) else {
                    continue;
                };
                each(
                    at,
                    ChunkCopy {
                        data: known.data,
                        kind: *kind,
                        ordinal: sent_before[place],
                        is_spurious: *kind != ChunkKind::New && brought[place],
                    },
                );
                brought[place] |= arrived;
                sent_before[place] += 1;
            }
        }
    }

    /// Where an acknowledgement that leaves one way, of all before an offset of the other
    /// way's stream, ends so many TSNs beyond.
    pub(crate) fn reach(&self, way: Direction, acknowledged: u64, beyond: u32) -> u64 {
        let tsns = &self.ways.0[1 - way as usize].tsns;
        let all = tsns.all();
        let next = all.partition_point(|known| known.start < acknowledged);
        let next = all.get(next).map_or(0, |known| known.number);
        tsns.offset_behind(next + i64::from(beyond) - 1)
    }

    fn arriving(&self, way: Direction, packet: &Packet) -> &'a [Chunk] {
        packet.chunks_in(self.chunks[1 - way as usize])
    }
}

impl Way {
    fn of(
        origin: Option<u32>,
        departures: (&[Chunk], &[&Packet]),
        arrivals: (&[Chunk], &[&Packet]),
    ) -> Self {
        let (left, came) = (departures, arrivals);
        let of = |(chunks, packets): (&'_ [Chunk], &[&Packet])| {
            let mut packets = packets.iter().flat_map(|packet| packet.chunks_in(chunks));
            packets.find_map(|chunk| match chunk {
                Chunk::Data(data) => Some(data.tsn),
                Chunk::Sack(_) => None,
            })
        };
        let origin = origin.or_else(|| of(left)).or_else(|| of(came));
        let origin = origin.unwrap_or(0);
        let whole = came.1.iter().filter(|packet| !packet.is_damaged());
        let tsns = Tsns::of(
            origin,
            left.1.iter().flat_map(|packet| packet.chunks_in(left.0)),
            whole.flat_map(|packet| packet.chunks_in(came.0)),
        );
        Self {
            tsns,
            ..Self::beginning(origin)
        }
    }

    /// Of which no chunk is known yet, but the TSN of the first one.
    pub(super) fn beginning(origin: u32) -> Self {
        // A cumulative TSN is the last one that is there, not the next one.
        let last = origin.wrapping_sub(1);
        Self {
            tsns: Tsns::default(),
            origin,
            leaving: Unwrap::new(origin),
            coming: Unwrap::new(origin),
            said: Unwrap::new(last),
            heard: Unwrap::new(last),
            kinds: Vec::new(),
        }
    }
}

/// The known ones among a packet's, by TSN.
fn carried<'t>(tsns: &'t Tsns, numbers: &mut Unwrap, chunks: &[Chunk]) -> Carried<'t> {
    let mut carried = Carried::new();
    for chunk in chunks {
        let Chunk::Data(data) = chunk else { continue };
        let known = tsns.at(numbers.offset(data.tsn));
        carried.extend(known.filter(|known| known.data.bytes > 0));
    }
    if !carried.is_sorted_by_key(|known| known.number) {
        carried.sort_by_key(|known| known.number);
    }
    carried
}

/// How far an acknowledgement reaches in the stream: in order, and selectively.
fn reach(tsns: &Tsns, numbers: &mut Unwrap, chunks: &[Chunk]) -> Option<(i64, Option<u64>)> {
    let mut sacks = chunks.iter().filter_map(|chunk| match chunk {
        Chunk::Sack(sack) => Some(*sack),
        Chunk::Data(_) => None,
    });
    let Sack {
        cumulative, beyond, ..
    } = sacks.next_back()?;
    // Numbers count from the first TSN: one less is acknowledged when none is.
    let number = numbers.offset(cumulative) - 1;
    let offset = tsns.offset_behind(number);
    let above = (beyond > 0).then(|| tsns.offset_behind(number + i64::from(beyond)));
    Some((offset as i64, above))
}

fn parts(carried: &Carried) -> SmallVec<[(u64, u64); 4]> {
    let parts = carried.iter().map(|known| (known.start, known.end()));
    parts.collect()
}

impl Ways {
    /// A packet leaves with chunks; see [`Leaf::depart`], and so on.
    pub(super) fn depart(
        &mut self,
        way: Direction,
        sending: &mut Sending,
        packet: &Packet,
        chunks: &[Chunk],
        sent: &mut Sent,
    ) {
        let Way {
            tsns,
            leaving,
            kinds,
            ..
        } = &mut self.0[way as usize];
        let carried = carried(tsns, leaving, chunks);
        let first = kinds.len();
        sending.depart_parts(
            packet.at_ns,
            &parts(&carried),
            sent,
            |is_new, is_missing| {
                kinds.push(match (is_new, is_missing) {
                    (true, _) => ChunkKind::New,
                    (false, true) => ChunkKind::Fast,
                    (false, false) => ChunkKind::Bundled,
                });
            },
        );
        let is_again = sent
            .carried
            .as_ref()
            .is_some_and(|carried| carried.is_again);
        let mut is_first = true;
        let old = kinds[first..]
            .iter_mut()
            .filter(|kind| **kind != ChunkKind::New);
        for kind in old {
            *kind = match (is_again, sent.cause) {
                (false, _) => ChunkKind::Bundled,
                (true, Recovery::Fast) if *kind == ChunkKind::Fast => ChunkKind::Fast,
                (true, Recovery::Fast) => ChunkKind::WithFast,
                (true, _) if is_first => ChunkKind::Timeout,
                (true, _) => ChunkKind::WithTimeout,
            };
            is_first = false;
        }
    }

    pub(super) fn say(
        &mut self,
        way: Direction,
        receiving: &mut Receiving,
        packet: &Packet,
        chunks: &[Chunk],
    ) -> Said {
        let Way { tsns, said, .. } = &mut self.0[1 - way as usize];
        let Some((offset, _)) = reach(tsns, said, chunks) else {
            return Said::default();
        };
        let is_pure = packet.payload_bytes == 0 && !packet.flags.fin();
        receiving.says(offset, is_pure)
    }

    pub(super) fn take(
        &mut self,
        way: Direction,
        receiving: &mut Receiving,
        chunks: &[Chunk],
        taken: &mut Taken,
    ) {
        let Way { tsns, coming, .. } = &mut self.0[way as usize];
        receiving.take_parts(&parts(&carried(tsns, coming, chunks)), taken);
    }

    pub(super) fn hear(
        &mut self,
        way: Direction,
        sending: &mut Sending,
        packet: &Packet,
        chunks: &[Chunk],
    ) {
        let Way { tsns, heard, .. } = &mut self.0[1 - way as usize];
        if let Some((offset, reach)) = reach(tsns, heard, chunks) {
            sending.heard(packet.at_ns, offset, reach);
        }
    }
}

impl Leaf for Association<'_> {
    fn depart(&mut self, way: Direction, sending: &mut Sending, packet: &Packet, sent: &mut Sent) {
        let chunks = self.departing(way, packet);
        self.ways.depart(way, sending, packet, chunks, sent);
    }

    fn say(&mut self, way: Direction, receiving: &mut Receiving, packet: &Packet) -> Said {
        let chunks = self.departing(way, packet);
        self.ways.say(way, receiving, packet, chunks)
    }

    fn take(
        &mut self,
        way: Direction,
        receiving: &mut Receiving,
        packet: &Packet,
        taken: &mut Taken,
    ) {
        let chunks = self.arriving(way, packet);
        self.ways.take(way, receiving, chunks, taken);
    }

    fn hear(&mut self, way: Direction, sending: &mut Sending, packet: &Packet) {
        let chunks = self.arriving(way, packet);
        self.ways.hear(way, sending, packet, chunks);
    }
}
