//! Every packet of an analysed connection with its places in both captures, for
//! whoever shows or annotates them.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{HashMap, HashSet, VecDeque};

use crate::analysis::Analysis;
use crate::capture::{Capture, Packet};
use crate::clock::ClockRelation;
use crate::error::{AnalyzeError, Direction, End};
use crate::flow::EndView;
use crate::packets::{PacketKind, PacketPassage};
use crate::sctp::{Association, Chunk, ChunkCopy, Sack};
use crate::steady::without_steps;
use crate::tracker::Departure;
use crate::whole;

/// One packet, where the captures hold it, and what its bytes were worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketRecord {
    /// What it carried and when, on the sender's clock.
    pub passage: PacketPassage,
    /// Its frame in the capture of the end that it left.
    pub sent_frame: u32,
    /// Its frame at the other end; none when no undamaged copy arrived.
    pub arrived_frame: Option<u32>,
    /// How far it acknowledges selectively, as an offset of the other
    /// direction's stream.
    pub selective_until: Option<u64>,
    /// Of its bytes, those sent before.
    pub old_bytes: u64,
    /// Of a retransmission's bytes, those of which an earlier copy did arrive.
    pub spurious_bytes: u64,
    /// Of a bundle's old bytes, those that it brought first.
    pub hit_bytes: u64,
    /// Of an SCTP packet, where its chunks are in [`Records::chunks`]: from, until.
    pub chunks: (u32, u32),
}

/// A chunk that left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedChunk {
    /// With data.
    Data(ChunkCopy),
    /// With an acknowledgement.
    Sack(Sack),
}

impl PacketRecord {
    /// Whether it retransmits nothing but what arrived from earlier copies.
    pub fn is_spurious(&self) -> bool {
        let bytes = self.old_bytes;
        let is_again = self.passage.kind == PacketKind::Retransmission;
        is_again && bytes > 0 && self.spurious_bytes == bytes
    }
}

/// Why a frame is no packet's first arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrayKind {
    /// Its checksum is wrong: whoever receives it discards it.
    Damaged,
    /// Another copy of a packet that had arrived: the path made it.
    Copy,
    /// It was not captured where it left.
    Unsent,
}

/// A frame that arrived and is no packet's first undamaged arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Whose capture holds it.
    pub end: End,
    /// Its frame there.
    pub frame: u32,
    /// What it is.
    pub kind: StrayKind,
}

/// All of a connection's packets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// Both directions, in the order in which they left, on the sender's clock.
    pub packets: Vec<PacketRecord>,
    /// What else arrived, by end and frame.
    pub strays: Vec<Stray>,
    /// Of SCTP's packets.
    pub chunks: Vec<RecordedChunk>,
}

impl Records {
    /// Those of one packet, if it is SCTP's.
    pub fn chunks_of(&self, record: &PacketRecord) -> &[RecordedChunk] {
        let (from, until) = record.chunks;
        self.chunks
            .get(from as usize..until as usize)
            .unwrap_or_default()
    }
}

/// The packets of the connection that `analysis` is about, from the captures that
/// it was made from.
///
/// # Errors
/// [`AnalyzeError`], when the captures are others.
pub fn records(
    sender: &Capture,
    receiver: &Capture,
    analysis: &Analysis,
) -> Result<Records, AnalyzeError> {
    let flow = analysis.flow;
    let views = (&EndView::new(sender, &flow), &EndView::new(receiver, &flow));
    let mut records = without_steps(views, &analysis.clock_steps, |here, there| {
        let whole::Tracked {
            tracker,
            association,
        } = whole::by_one_clock(here, there, &flow)?;
        let mut records = Records::default();
        let forward = tracker.forward.departures.iter();
        records.join(forward, &here.forward, &there.forward, End::Receiver);
        let backward = tracker.backward.departures.iter();
        records.join(backward, &there.backward, &here.backward, End::Sender);
        if let Some(association) = &association {
            records.chunk(association, Direction::Forward, &here.forward, 0);
            let first = here.forward.len();
            records.chunk(association, Direction::Backward, &there.backward, first);
        }
        Ok(records)
    })?;
    if let Some(relation) = analysis.clock {
        records.bring_together(relation);
    }
    records.packets.sort_by_key(|record| record.passage.sent_ns);
    Ok(records)
}

impl Records {
    /// One direction's departures, which are the packets at the end that they
    /// left, one by one and in order; and the arrivals at the other `end`.
    fn join<'a>(
        &mut self,
        departures: impl Iterator<Item = &'a Departure>,
        sent: &[&Packet],
        arrived: &[&Packet],
        end: End,
    ) {
        let mut arrivals: HashMap<(i64, u64), VecDeque<u32>> = HashMap::new();
        for packet in arrived.iter().filter(|packet| !packet.is_damaged()) {
            let alike = arrivals.entry((packet.at_ns, packet.identity)).or_default();
            alike.push_back(packet.frame);
        }
        let mut first = HashSet::new();
        for (departure, packet) in departures.zip(sent) {
            let passage = departure.passage;
            let arrived_frame = passage.arrived_ns.and_then(|at_ns| {
                let alike = arrivals.get_mut(&(at_ns, packet.identity))?;
                alike.pop_front()
            });
            first.extend(arrived_frame);
            let beyond = packet.sacked_bytes.map(u64::from);
            self.packets.push(PacketRecord {
                passage,
                sent_frame: packet.frame,
                arrived_frame,
                selective_until: beyond.map(|beyond| passage.acknowledged + beyond),
                old_bytes: departure.old_bytes,
                spurious_bytes: departure.spurious_bytes,
                hit_bytes: departure.hit_bytes,
                chunks: (0, 0),
            });
        }
        let known: HashSet<u64> = sent.iter().map(|packet| packet.identity).collect();
        let others = arrived
            .iter()
            .filter(|packet| !first.contains(&packet.frame));
        self.strays.extend(others.map(|packet| Stray {
            end,
            frame: packet.frame,
            kind: if packet.is_damaged() {
                StrayKind::Damaged
            } else if known.contains(&packet.identity) {
                StrayKind::Copy
            } else {
                StrayKind::Unsent
            },
        }));
    }

    /// Adds the chunks of the packets that left one way, of which the first is `first`.
    fn chunk(&mut self, association: &Association, way: Direction, sent: &[&Packet], first: usize) {
        let records = &self.packets[first..first + sent.len()];
        let arrived = records
            .iter()
            .map(|record| record.passage.arrived_ns.is_some());
        let mut copies = Vec::new();
        association.copies(way, sent, arrived, |at, copy| copies.push((at, copy)));
        let mut copies = copies.into_iter().peekable();
        for (at, packet) in sent.iter().enumerate() {
            let from = self.chunks.len() as u32;
            while let Some((_, copy)) = copies.next_if(|(whose, _)| *whose == at) {
                self.chunks.push(RecordedChunk::Data(copy));
            }
            for chunk in association.departing(way, packet) {
                if let Chunk::Sack(sack) = chunk {
                    self.chunks.push(RecordedChunk::Sack(*sack));
                }
            }
            let record = &mut self.packets[first + at];
            record.chunks = (from, self.chunks.len() as u32);
            let acknowledged = record.passage.acknowledged;
            record.selective_until = packet
                .sacked_bytes
                .map(|beyond| association.reach(way, acknowledged, beyond));
        }
    }

    /// The receiver's instants to the sender's clock.
    fn bring_together(&mut self, receivers: ClockRelation) {
        for record in &mut self.packets {
            let passage = &mut record.passage;
            if passage.forward {
                let arrived_ns = passage.arrived_ns;
                passage.arrived_ns = arrived_ns.map(|at_ns| receivers.on_senders_clock(at_ns));
            } else {
                passage.sent_ns = receivers.on_senders_clock(passage.sent_ns);
            }
        }
    }
}
