//! All that is known of one lane while the take goes on.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use lab_proto::guest::{DemoLaneLeft, DemoPackets, DemoPassages, MessageRead};
use lab_proto::{
    DemoLaneMoment, DemoLaneResult, FileChunk, FileKind, LaneFigures, PlayoutFacts, PlayoutState,
    SocketState,
};
use thinlab_trace::{End, Messages, Watch, WatchOptions};

use super::echoes::Echoes;
use super::growing_file::{CaptureFile, MessageEnds, Payload};
use super::take_clock::TakeClock;
use crate::capture::pcapng::Packet;
use crate::engine::captures::source;
use crate::engine::damage::Damaged;
use crate::fault::{Fault, Outcome};
use crate::lane::datagram::OFFSET_BYTES;

/// Single packets are told at once, and the figures reach back a minute: after
/// this no path of a demo brings anything any more.
const FORGET_AFTER_NS: i64 = 300_000_000_000;

/// Datagrams that one behind them may overtake.
const MOST_MISSING: u64 = 4096;

/// One lane: its packets, its messages, its files.
pub struct LaneView {
    clock: TakeClock,
    watch: Watch,
    echoes: Option<Echoes>,
    sender: CaptureFile,
    receiver: CaptureFile,
    ends: MessageEnds,
    socket: Option<SocketState>,
    skipped: u64,
    /// In front of each message, on the wire.
    header_bytes: u64,
    written_messages: u64,
    read_until: u64,
    /// Where messages are that were not read: number, first byte, the one behind the last.
    places: VecDeque<(u64, u64, u64)>,
    damaged: Damaged,
}

/// What goes over a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passes {
    /// One message after the other, in a stream.
    Messages,
    /// Each message by itself.
    Datagrams,
    /// What people type.
    Keys,
}

/// How much of its figures a moment tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Figures {
    /// None.
    Left,
    /// Of the whole take, and of what was sent since an instant.
    Since(u64),
}

impl LaneView {
    /// A lane of which nothing is known.
    pub fn new(kernel_release: &str, passes: Passes, payload: Payload, clock: TakeClock) -> Self {
        let typed = passes == Passes::Keys;
        let is_of_datagrams = passes == Passes::Datagrams;
        let file =
            |node: &str, kind| CaptureFile::new(kind, &source(kernel_release, node), payload);
        Self {
            clock,
            watch: Watch::new(WatchOptions {
                flow: None,
                messages: if typed {
                    Messages::Packets
                } else {
                    Messages::Written
                },
                forget_after_ns: Some(FORGET_AFTER_NS),
                is_of_datagrams,
                // One that takes none acknowledges none.
                takes_damage: true,
            }),
            echoes: typed.then(Echoes::default),
            sender: file("sender", FileKind::SenderCapture),
            receiver: file("receiver", FileKind::ReceiverCapture),
            ends: MessageEnds::new(),
            socket: None,
            skipped: 0,
            header_bytes: if is_of_datagrams {
                OFFSET_BYTES as u64
            } else {
                0
            },
            written_messages: 0,
            read_until: 0,
            places: VecDeque::new(),
            damaged: Damaged::default(),
        }
    }

    /// Packets that an end saw.
    pub fn saw(&mut self, packets: &DemoPackets) -> Outcome<()> {
        if packets.overruns > 0 {
            return Err(Fault::Failed(format!(
                "a capture of lane {} lost {} packets: the ring was full; lower the rate of the \
                 stream",
                packets.lane, packets.overruns
            )));
        }
        let (end, file) = if packets.receiver {
            (End::Receiver, &mut self.receiver)
        } else {
            (End::Sender, &mut self.sender)
        };
        for frame in &packets.frames {
            let at_ns = self.clock.of_guest(frame.at_ns);
            file.push(&Packet {
                at_ns,
                outgoing: frame.outgoing,
                bytes: &frame.bytes,
            });
            self.watch.saw(end, at_ns as i64, &frame.bytes);
        }
        Ok(())
    }

    /// What its applications did.
    pub fn passed(&mut self, passages: &DemoPassages) {
        for message in &passages.written {
            self.written_messages += 1;
            // As the packets have it.
            let end = message.end + self.header_bytes * self.written_messages;
            let start = self.places.back().map_or(self.read_until, |place| place.2);
            self.places.push_back((message.number, start, message.end));
            self.ends.push(end);
            let at_ns = self.clock.of_guest(message.at_ns);
            self.watch.wrote(message.number, at_ns, end);
        }
        for message in &passages.read {
            let at_ns = self.clock.of_guest(message.at_ns);
            self.watch.read(message.number, at_ns);
            self.came(message);
        }
        self.damaged
            .told(passages.told_bytes, passages.untold_bytes);
        self.skipped += passages.skipped.len() as u64;
        if let Some(echoes) = &mut self.echoes {
            for key in &passages.keys {
                echoes.wrote(key, &self.clock);
            }
            for echo in &passages.echoes {
                echoes.showed(echo, &self.clock);
            }
        }
    }

    fn came(&mut self, message: &MessageRead) {
        let at = self.places.binary_search_by_key(&message.number, |it| it.0);
        let Some((_, start, end)) = at.ok().and_then(|at| self.places.get(at)).copied() else {
            return;
        };
        self.damaged.read((start, end), &message.changed_at);
        // Others may come later than one behind them, or never.
        let most = if self.header_bytes > 0 {
            MOST_MISSING
        } else {
            0
        };
        while self
            .places
            .front()
            .is_some_and(|it| it.0 + most <= message.number)
        {
            let place = self.places.pop_front();
            self.read_until = place.map_or(self.read_until, |place| place.2);
        }
    }

    /// What the kernel says of its sender, if it does.
    pub fn sampled(&mut self, socket: SocketState) {
        if socket.at_ns == 0 {
            return;
        }
        self.socket = Some(SocketState {
            at_ns: self.clock.of_guest(socket.at_ns),
            ..socket
        });
    }

    /// What became known since the last one.
    pub fn moment(&mut self, playout: Option<PlayoutState>, figures: Figures) -> DemoLaneMoment {
        let news = self.watch.news();
        let (whole, last_minute) = match figures {
            Figures::Left => (None, None),
            Figures::Since(at_ns) => (Some(self.whole()), Some(self.since(at_ns))),
        };
        DemoLaneMoment {
            departures: news.departures,
            fates: news.fates,
            messages: news.messages,
            socket: self.socket.take(),
            playout,
            whole,
            last_minute,
            echoes: self.echoes.as_mut().map(Echoes::news).unwrap_or_default(),
            changed_bytes: self.damaged.changed_bytes(),
        }
    }

    /// Of a terminal people feel the echoes.
    fn whole(&self) -> LaneFigures {
        let figures = self.watch.figures();
        match &self.echoes {
            Some(echoes) => LaneFigures {
                felt: Some(echoes.felt()),
                ..figures
            },
            None => figures,
        }
    }

    fn since(&mut self, at_ns: u64) -> LaneFigures {
        let figures = self.watch.figures_since(at_ns as i64);
        match &mut self.echoes {
            Some(echoes) => LaneFigures {
                felt: Some(echoes.felt_since(at_ns)),
                ..figures
            },
            None => figures,
        }
    }

    /// Nothing more will come: what is under way is lost, and the figures are
    /// those of the files.
    pub fn end(&mut self) {
        self.watch.end();
    }

    /// The files' next bytes.
    pub fn files(&mut self) -> Vec<FileChunk> {
        let mut chunks = self.sender.take();
        chunks.extend(self.receiver.take());
        chunks.extend(self.ends.take());
        chunks
    }

    /// All of it, when the guest has left the lane.
    pub fn result(self, left: DemoLaneLeft, playout: Option<PlayoutFacts>) -> DemoLaneResult {
        DemoLaneResult {
            check: left.check,
            figures: Some(self.whole()),
            playout,
            tcp_info: left.tcp_info,
            counters: left.counters,
            receiver_counters: left.receiver_counters,
            skipped_messages: self.skipped,
            changed_bytes: Some(self.damaged.changed_bytes()),
            damage: self.damaged.account(),
        }
    }
}
