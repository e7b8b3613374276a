//! The beginning of a watch: which connection it is, and where its stream begins.
// SPDX-License-Identifier: Apache-2.0

use super::WatchOptions;
use super::following::Following;
use crate::capture::{Capture, Packet, Protocol};
use crate::error::End;
use crate::flow::{Flow, Role};
use crate::read::frame::Frames;
use crate::read::records::Record;

/// What the applications did.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen {
    Wrote { number: u64, at_ns: u64, end: u64 },
    Read { number: u64, at_ns: u64 },
}

/// All that was seen before the stream's beginning was known.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub options: WatchOptions,
    pub application: Vec<Seen>,
    frames: [Frames; 2],
    packets: [Vec<Packet>; 2],
}

/// Where a stream begins.
struct Beginning {
    flow: Flow,
    protocol: Protocol,
    origin: u32,
}

impl Opening {
    pub(crate) fn new(options: WatchOptions) -> Self {
        let frames = || {
            if options.is_of_datagrams {
                Frames::of_datagrams()
            } else {
                Frames::of_all()
            }
        };
        Self {
            frames: [frames(), frames()],
            options,
            application: Vec::new(),
            packets: Default::default(),
        }
    }

    /// Takes a frame; what follows when it was the one that was waited for.
    pub(crate) fn saw(&mut self, end: End, at_ns: i64, frame: &[u8]) -> Option<Following> {
        let frames = &mut self.frames[end as usize];
        let packet = frames.read(&Record::ethernet(at_ns, frame))?;
        self.packets[end as usize].push(packet);
        let beginning = self.beginning(end, &packet)?;
        let Beginning {
            flow,
            protocol,
            origin,
        } = beginning;
        let mut frames = std::mem::take(&mut self.frames);
        let chunks = frames
            .each_mut()
            .map(|frames| std::mem::take(&mut frames.chunks));
        let mut following = Following::new((flow, protocol), origin, &self.options, frames);
        for end in [End::Sender, End::Receiver] {
            let all = &chunks[end as usize];
            for packet in std::mem::take(&mut self.packets[end as usize]) {
                following.packet(end, packet, packet.chunks_in(all).to_vec());
            }
        }
        for seen in std::mem::take(&mut self.application) {
            following.application(seen);
        }
        Some(following)
    }

    /// The SYN says it or, where none was captured, the sender's first data.
    fn beginning(&self, end: End, packet: &Packet) -> Option<Beginning> {
        if packet.is_damaged() {
            return None;
        }
        let connection = self.frames[end as usize].connections[packet.connection as usize];
        let protocol = connection.protocol;
        let is_of_datagrams = self.options.is_of_datagrams;
        let opens = if is_of_datagrams {
            end == End::Sender
        } else {
            packet.flags.syn() && !packet.flags.ack()
        };
        let Some(flow) = self.options.flow else {
            let (sender, receiver) = if packet.from_first {
                (connection.first, connection.second)
            } else {
                (connection.second, connection.first)
            };
            return opens.then(|| Beginning {
                flow: Flow { sender, receiver },
                protocol,
                origin: if is_of_datagrams {
                    0
                } else {
                    packet.seq.wrapping_add(1)
                },
            });
        };
        let role = Role::of(&connection, &flow).filter(|role| role.exact)?;
        if !role.is_forward(packet) {
            return None;
        }
        if packet.flags.syn() {
            let origin = packet.seq.wrapping_add(1);
            return Some(Beginning {
                flow,
                protocol,
                origin,
            });
        }
        let is_first_data = end == End::Sender && packet.payload_bytes > 0;
        is_first_data.then_some(Beginning {
            flow,
            protocol,
            origin: packet.seq,
        })
    }

    pub(crate) fn written_ends(&self) -> Vec<u64> {
        let end = |seen: &Seen| match seen {
            Seen::Wrote { end, .. } => Some(*end),
            Seen::Read { .. } => None,
        };
        self.application.iter().filter_map(end).collect()
    }

    /// What was seen, as files would hold it.
    pub(crate) fn captures(self) -> [Capture; 2] {
        let mut packets = self.packets.into_iter();
        self.frames.map(|frames| Capture {
            packets: packets.next().unwrap_or_default(),
            resolution_ns: 1,
            frames: frames.count(),
            connections: frames.connections,
            skipped: frames.skipped,
            chunks: frames.chunks,
        })
    }
}
