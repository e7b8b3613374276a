//! An association while it runs: its chunks become known as they leave.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use super::association::{Way, Ways};
use super::chunk::Chunk;
use crate::capture::Packet;
use crate::error::Direction;
use crate::leaf::Leaf;
use crate::receiving::{Receiving, Said, Taken};
use crate::sending::{Sending, Sent};

/// Both directions so far.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    ways: Ways,
    /// Whether it is known where each direction's TSNs begin.
    has_begun: [bool; 2],
    /// Of the packet that passes.
    chunks: Vec<Chunk>,
    /// By direction: up to which TSN chunks had left at an instant, so that they are forgotten
    /// when it is long ago.
    left: [VecDeque<(i64, i64)>; 2],
}

impl Live {
    /// `origin` is the TSN of the first chunk forward.
    pub(crate) fn new(origin: u32) -> Self {
        Self {
            ways: Ways([Way::beginning(origin), Way::beginning(0)]),
            has_begun: [true, false],
            chunks: Vec::new(),
            left: Default::default(),
        }
    }

    /// A packet is about to be read that leaves one way.
    pub(crate) fn departs(&mut self, way: Direction, packet: &Packet, chunks: Vec<Chunk>) {
        self.chunks = chunks;
        let data = self.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Data(data) => Some(data),
            Chunk::Sack(_) => None,
        });
        let has_begun = &mut self.has_begun[way as usize];
        // An INIT says it or, where none was captured, the first data.
        let initial = packet.flags.syn().then(|| packet.seq.wrapping_add(1));
        let first = initial.or(data.clone().next().map(|data| data.tsn));
        if let (false, Some(first)) = (*has_begun, first) {
            self.ways.0[way as usize] = Way::beginning(first);
            *has_begun = true;
        }
        let way = &mut self.ways.0[way as usize];
        let mut numbers = way.leaving;
        for data in data {
            way.tsns.follow(numbers.offset(data.tsn), *data);
        }
    }

    /// A packet is about to be read that comes one way.
    pub(crate) fn arrives(&mut self, chunks: Vec<Chunk>) {
        self.chunks = chunks;
    }

    /// Whether it was told that all these chunks left.
    pub(crate) fn knows(&self, way: Direction, chunks: &[Chunk]) -> bool {
        let Way { tsns, coming, .. } = &self.ways.0[way as usize];
        let (mut numbers, last) = (*coming, tsns.last());
        chunks.iter().all(|chunk| match chunk {
            Chunk::Data(data) => last >= Some(numbers.offset(data.tsn)),
            Chunk::Sack(_) => true,
        })
    }

    /// Forgets chunks that left for the first time before `at_ns`; now it is `now_ns`.
    pub(crate) fn forget(&mut self, at_ns: i64, now_ns: i64) {
        for (way, left) in self.ways.0.iter_mut().zip(&mut self.left) {
            left.extend(way.tsns.last().map(|last| (now_ns, last)));
            while let Some((_, number)) = left.pop_front_if(|(left_ns, _)| *left_ns < at_ns) {
                way.tsns.forget(number);
            }
        }
    }
}

impl Leaf for Live {
    fn depart(&mut self, way: Direction, sending: &mut Sending, packet: &Packet, sent: &mut Sent) {
        self.ways.depart(way, sending, packet, &self.chunks, sent);
        // Accounts of chunks are of files.
        self.ways.0[way as usize].kinds.clear();
    }

    fn say(&mut self, way: Direction, receiving: &mut Receiving, packet: &Packet) -> Said {
        self.ways.say(way, receiving, packet, &self.chunks)
    }

    fn take(&mut self, way: Direction, receiving: &mut Receiving, _: &Packet, taken: &mut Taken) {
        self.ways.take(way, receiving, &self.chunks, taken);
    }

    fn hear(&mut self, way: Direction, sending: &mut Sending, packet: &Packet) {
        self.ways.hear(way, sending, packet, &self.chunks);
    }
}
