//! An association's performance: packets that leave, acknowledgements, what each end
//! captures.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeSet;

use super::super::crossing::Crossing;
use super::super::script::{Fate, Frame};
use super::script::{Piece, Played, Script};
use super::truth::Truth;
use super::wire::{Packet, chunk, words};

/// From a packet's arrival to the acknowledgement that it causes.
const ACK_AFTER_NS: u64 = 10_000;
/// Scripts have no second for a timer at their beginning.
const RETRY_AFTER_NS: u64 = 200_000_000;
const WINDOW_BYTES: u32 = 106_496;

struct Departure {
    at_ns: u64,
    packet: Packet,
    fate: Fate,
}

impl Script {
    /// Plays the script.
    ///
    /// # Panics
    /// When a copy of a chunk is not what it is called.
    pub fn run(&self) -> Played {
        let mut truth = self.truth();
        let mut departures = Vec::new();
        if !self.without_handshake {
            self.open(&mut departures);
        }
        self.data(&mut departures);
        self.acknowledge(&mut departures, &mut truth);
        self.answer_and_control(&mut departures);
        departures.sort_by_key(|departure| departure.at_ns);
        let mut ids = [300_u16, 7_000];
        let mut frames = Vec::new();
        for departure in &mut departures {
            let packet = &mut departure.packet;
            let id = &mut ids[usize::from(packet.from_sender)];
            *id = id.wrapping_add(1);
            packet.ip_id = *id;
            let direction = if packet.from_sender {
                &mut truth.forward
            } else {
                &mut truth.backward
            };
            direction.count(&departure.fate, None);
            self.capture(departure, &mut frames);
        }
        Played::new(frames, &self.clocks, truth)
    }

    fn tsn(&self, piece: usize) -> u32 {
        self.wire.sender_tsn.wrapping_add(piece as u32)
    }

    /// INIT, INIT ACK, COOKIE ECHO, COOKIE ACK.
    fn open(&self, departures: &mut Vec<Departure>) {
        let streams = 0x000a_000a;
        let wire = &self.wire;
        let mut at_ns = 0;
        let init = [wire.sender_tag, WINDOW_BYTES, streams, wire.sender_tsn];
        for attempt in 1..=self.lost_init_acks {
            let mut packet = Packet::new(&self.wire, true, vec![chunk(1, 0, &words(&init))]);
            packet.tag = 0;
            departures.push(Departure {
                at_ns,
                packet,
                fate: Fate::arrives(self.path.forward_ns),
            });
            let other = [
                wire.receiver_tag.wrapping_add(attempt),
                WINDOW_BYTES,
                streams,
                wire.receiver_tsn.wrapping_add(attempt << 20),
            ];
            departures.push(Departure {
                at_ns: at_ns + self.path.forward_ns + ACK_AFTER_NS,
                packet: Packet::new(&self.wire, false, vec![chunk(2, 0, &words(&other))]),
                fate: Fate::Lost,
            });
            at_ns += RETRY_AFTER_NS;
        }
        let init_ack = [wire.receiver_tag, WINDOW_BYTES, streams, wire.receiver_tsn];
        for (from_sender, kind, value) in [
            (true, 1, words(&init)),
            (false, 2, words(&init_ack)),
            (true, 10, vec![7; 40]),
            (false, 11, vec![]),
        ] {
            let mut packet = Packet::new(&self.wire, from_sender, vec![chunk(kind, 0, &value)]);
            if kind == 1 {
                packet.tag = 0;
            }
            let after_ns = if from_sender {
                self.path.forward_ns
            } else {
                self.path.backward_ns
            };
            departures.push(Departure {
                at_ns,
                packet,
                fate: Fate::arrives(after_ns),
            });
            at_ns += after_ns + ACK_AFTER_NS;
        }
    }

    fn data(&self, departures: &mut Vec<Departure>) {
        for send in &self.sends {
            let pieces = send.pieces.iter();
            let chunks = pieces.map(|(at, _)| {
                let piece = self.pieces[*at];
                piece.chunk(self.tsn(*at), self.wire.interleaves)
            });
            let mut packet = Packet::new(&self.wire, true, chunks.collect());
            packet.on_second_path = send.on_second_path;
            departures.push(Departure {
                at_ns: send.at_ns,
                packet,
                fate: send.fate.clone(),
            });
        }
    }

    /// One acknowledgement for every packet with data that comes.
    fn acknowledge(&self, departures: &mut Vec<Departure>, truth: &mut Truth) {
        let mut arrivals: Vec<(u64, &[(usize, _)], bool)> = Vec::new();
        for send in &self.sends {
            for (after_ns, damage) in send.fate.arrivals() {
                if damage.is_none() {
                    arrivals.push((send.at_ns + after_ns, &send.pieces, send.on_second_path));
                }
            }
        }
        arrivals.sort_by_key(|(at_ns, ..)| *at_ns);
        let mut has = BTreeSet::new();
        for (ordinal, (at_ns, pieces, on_second_path)) in arrivals.into_iter().enumerate() {
            let mut twice = Vec::new();
            for (piece, _) in pieces {
                if !has.insert(*piece) {
                    twice.push(self.tsn(*piece));
                }
            }
            let all = self.pieces.len();
            let next = (0..all).find(|piece| !has.contains(piece)).unwrap_or(all);
            let mut blocks: Vec<(usize, usize)> = Vec::new();
            for piece in has.range(next..) {
                match blocks.last_mut() {
                    Some((_, end)) if *end + 1 == *piece => *end = *piece,
                    _ => blocks.push((*piece, *piece)),
                }
            }
            let cumulative = self.tsn(next).wrapping_sub(1);
            let counts = (blocks.len() as u32) << 16 | twice.len() as u32;
            let mut value = words(&[cumulative, WINDOW_BYTES, counts]);
            for (start, end) in &blocks {
                let beyond = |piece: usize| (piece + 1 - next) as u32;
                value.extend(words(&[beyond(*start) << 16 | beyond(*end)]));
            }
            value.extend(words(&twice));
            truth.sacks += 1;
            truth.gap_blocks += blocks.len() as u64;
            truth.duplicate_tsns += twice.len() as u64;
            let mut packet = Packet::new(&self.wire, false, vec![chunk(3, 0, &value)]);
            packet.on_second_path = on_second_path;
            let fate = self.sack_fates.get(&ordinal).cloned();
            departures.push(Departure {
                at_ns: at_ns + ACK_AFTER_NS,
                packet,
                fate: fate.unwrap_or_else(|| Fate::arrives(self.path.backward_ns)),
            });
        }
    }

    fn answer_and_control(&self, departures: &mut Vec<Departure>) {
        for (number, (at_ns, bytes, fate)) in self.answers.iter().enumerate() {
            let piece = Piece::whole(number as u32, *bytes);
            let tsn = self.wire.receiver_tsn.wrapping_add(number as u32);
            departures.push(Departure {
                at_ns: *at_ns,
                packet: Packet::new(
                    &self.wire,
                    false,
                    vec![piece.chunk(tsn, self.wire.interleaves)],
                ),
                fate: fate.clone(),
            });
        }
        for control in &self.controls {
            let chunk = chunk(control.kind, 0, &control.value);
            let mut packet = Packet::new(&self.wire, control.from_sender, vec![chunk]);
            packet.on_second_path = control.on_second_path;
            departures.push(Departure {
                at_ns: control.at_ns,
                packet,
                fate: control.fate.clone(),
            });
        }
    }

    fn capture(&self, departure: &Departure, frames: &mut Vec<Frame>) {
        let packet = &departure.packet;
        let offloaded = packet.from_sender && self.wire.sender_offloads_checksums;
        let crossing = Crossing {
            from_sender: packet.from_sender,
            at_ns: departure.at_ns,
            fate: &departure.fate,
        };
        let packet = |ttl, is_leaving| packet.bytes(&self.wire, ttl, !(offloaded && is_leaving));
        crossing.capture(&self.clocks, packet, frames);
    }
}

impl Piece {
    /// A message of the first stream, in one chunk.
    pub(super) fn whole(message: u32, bytes: u64) -> Self {
        Self {
            stream: 0,
            is_ordered: true,
            begins: true,
            ends: true,
            bytes,
            message,
            fragment: 0,
        }
    }

    pub(super) fn chunk(&self, tsn: u32, interleaves: bool) -> Vec<u8> {
        let flags =
            u8::from(self.ends) | u8::from(self.begins) << 1 | u8::from(!self.is_ordered) << 2;
        let stream = u32::from(self.stream) << 16;
        let protocol = 46;
        let (kind, mut value) = if interleaves {
            let last = if self.begins { protocol } else { self.fragment };
            (64, words(&[tsn, stream, self.message, last]))
        } else {
            let number = if self.is_ordered {
                self.message & 0xffff
            } else {
                0
            };
            (0, words(&[tsn, stream | number, protocol]))
        };
        value.extend((0..self.bytes).map(|at| (at as u8).wrapping_mul(31) ^ tsn as u8));
        chunk(kind, flags, &value)
    }
}
