//! A connection whose beginning is known, followed packet by packet.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use super::damaged::Damaged;
use super::meeting::{Meeting, Met};
use super::messages::{LiveMessages, MessageChange};
use super::opening::Seen;
use super::unread::Unread;
use super::{Messages, WatchOptions};
use crate::capture::{Packet, Protocol};
use crate::datagrams;
use crate::distribution::Distribution;
use crate::error::{Direction, End};
use crate::felt::Felt;
use crate::flow::{Flow, Role};
use crate::leaf::Tcp;
use crate::metrics::message_sample;
use crate::pairing::{Key, key};
use crate::ranges::{Change, Ranges};
use crate::read::frame::Frames;
use crate::read::records::Record;
use crate::receiving::Taken;
use crate::sctp::{Chunk, Live};
use crate::tracker::Tracker;
use crate::warning::Suspicions;

/// How often what is old is forgotten.
const FORGET_EVERY_NS: i64 = 1_000_000_000;

/// All that is known of a connection so far.
#[derive(Clone, Debug)]
pub(crate) struct Following {
    pub(super) flow: Flow,
    pub(super) kind: Messages,
    forget_after_ns: Option<i64>,
    forgotten_ns: i64,
    pub(super) ends: [CapturedEnd; 2],
    pub(super) tracker: Tracker,
    /// Of SCTP.
    association: Option<Box<Association>>,
    /// Of UDP and UDP-Lite; neither: it is TCP's.
    datagrams: Option<Box<datagrams::Live>>,
    /// Where TCP's receiver may take damage: what came damaged, until it acknowledges.
    damaged: Option<Damaged>,
    pub(super) meetings: [Meeting; 2],
    pub(super) messages: LiveMessages,
    pub(super) suspicions: Suspicions,
    pub(super) curves: Curves,
    pub(super) felt: Felt,
    /// For `felt`.
    unread: Unread,
    /// Departures of both directions, told and untold.
    pub(super) departures: u64,
    /// Of each direction, how many departures were told.
    pub(super) told: [u64; 2],
}

/// Where a chunk belongs in its stream follows from those before it. So what comes with one
/// of which it was not told that it left has to wait, and all that its end saw behind it.
#[derive(Clone, Debug)]
struct Association {
    live: Live,
    /// By end.
    waiting: [VecDeque<(Packet, Vec<Chunk>)>; 2],
}

/// One end's capture.
#[derive(Clone, Debug, Default)]
pub(super) struct CapturedEnd {
    pub frames: Frames,
    /// By connection: what it is to the flow, and whether it has whole packets.
    connections: Vec<(Option<Role>, bool)>,
    /// Damaged packets that may have been the flow's: connection, whether they
    /// go forward, instant.
    strays: Vec<(u32, bool, i64)>,
    pub last_ns: i64,
}

/// The latencies so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Curves {
    pub transport_bytes: Distribution,
    pub application_bytes: Distribution,
    pub transport_messages: Distribution,
    pub application_messages: Distribution,
    pub delivered_bytes: u64,
    /// Of what was seen leaving.
    pub arrived_bytes: u64,
    /// How much too early a byte arrived at the worst, and which.
    pub earliest: Option<(i64, u64)>,
}

impl Following {
    pub(super) fn new(
        (flow, protocol): (Flow, Protocol),
        origin: u32,
        options: &WatchOptions,
        [sender, receiver]: [Frames; 2],
    ) -> Self {
        let end = |frames| CapturedEnd {
            frames,
            ..CapturedEnd::default()
        };
        let is_of_datagrams = protocol.is_of_datagrams();
        let association = (protocol == Protocol::Sctp).then(|| {
            Box::new(Association {
                live: Live::new(origin),
                waiting: Default::default(),
            })
        });
        Self {
            flow,
            kind: options.messages,
            forget_after_ns: options.forget_after_ns,
            forgotten_ns: i64::MIN,
            ends: [end(sender), end(receiver)],
            tracker: Tracker::new(
                Some(origin),
                None,
                if is_of_datagrams {
                    Ranges::followed_datagrams()
                } else {
                    Ranges::followed()
                },
            ),
            association,
            datagrams: is_of_datagrams.then(Box::default),
            damaged: (options.takes_damage && protocol == Protocol::Tcp).then(Damaged::default),
            meetings: Default::default(),
            messages: if is_of_datagrams {
                LiveMessages::of_datagrams()
            } else {
                LiveMessages::default()
            },
            suspicions: Suspicions::default(),
            curves: Curves::default(),
            felt: Felt::default(),
            unread: Unread::default(),
            departures: 0,
            told: [0, 0],
        }
    }

    pub(super) fn saw(&mut self, end: End, at_ns: i64, frame: &[u8]) {
        let frames = &mut self.ends[end as usize].frames;
        let packet = frames.read(&Record::ethernet(at_ns, frame));
        let chunks = std::mem::take(&mut frames.chunks);
        if let Some(packet) = packet {
            self.packet(end, packet, chunks);
        }
    }

    /// A packet, and what chunks it has.
    pub(super) fn packet(&mut self, end: End, mut packet: Packet, chunks: Vec<Chunk>) {
        let Some(association) = &mut self.association else {
            return self.pass(end, &packet, Vec::new());
        };
        if packet.is_sctp() {
            packet.chunks = 0;
        }
        association.waiting[end as usize].push_back((packet, chunks));
        while let Some((end, packet, chunks)) = self.next_that_may_pass() {
            self.pass(end, &packet, chunks);
        }
    }

    fn next_that_may_pass(&mut self) -> Option<(End, Packet, Vec<Chunk>)> {
        let association = self.association.as_mut()?;
        for end in [End::Sender, End::Receiver] {
            let waiting = &mut association.waiting[end as usize];
            let captured = &mut self.ends[end as usize];
            let next = waiting.pop_front_if(|(packet, chunks)| {
                let way = captured.way(packet, &self.flow);
                let comes = way.filter(|way| !leaves(end, *way) && !packet.is_damaged());
                comes.is_none_or(|way| association.live.knows(way, chunks))
            });
            if let Some((packet, chunks)) = next {
                return Some((end, packet, chunks));
            }
        }
        None
    }

    /// Passes what still waits for a chunk of which it was not told that it left.
    fn pass_the_rest(&mut self) {
        while let Some(association) = &mut self.association {
            let ends = [End::Sender, End::Receiver].into_iter();
            let waiting = &mut association.waiting;
            let first = ends
                .filter_map(|end| Some((waiting[end as usize].front()?.0.at_ns, end)))
                .min_by_key(|(at_ns, _)| *at_ns);
            let Some((packet, chunks, end)) = first.and_then(|(_, end)| {
                let (packet, chunks) = waiting[end as usize].pop_front()?;
                Some((packet, chunks, end))
            }) else {
                break;
            };
            self.pass(end, &packet, chunks);
        }
    }

    fn pass(&mut self, end: End, packet: &Packet, chunks: Vec<Chunk>) {
        let Some(direction) = self.ends[end as usize].direction(packet, &self.flow) else {
            return;
        };
        self.suspicions.hear(end, direction, packet);
        if leaves(end, direction) {
            self.depart(direction, packet, chunks);
        } else {
            self.arrive(direction, packet, chunks);
        }
        self.follow_stream();
        self.forget(packet.at_ns);
    }

    fn depart(&mut self, direction: Direction, packet: &Packet, chunks: Vec<Chunk>) {
        if direction == Direction::Backward && packet.flags.ack() {
            self.take_damaged(packet);
        }
        match (&mut self.association, &mut self.datagrams) {
            (Some(association), _) => {
                let live = &mut association.live;
                live.departs(direction, packet, chunks);
                self.tracker.depart(live, direction, packet)
            }
            (None, Some(live)) => self.tracker.depart(live.as_mut(), direction, packet),
            (None, None) => self.tracker.depart(&mut Tcp, direction, packet),
        };
        let meeting = &mut self.meetings[direction as usize];
        let met = meeting.depart(key(packet), packet.at_ns, self.departures);
        self.departures += 1;
        for met in met {
            self.settle(direction, met);
        }
    }

    fn arrive(&mut self, direction: Direction, packet: &Packet, chunks: Vec<Chunk>) {
        if packet.is_damaged() {
            let meeting = &mut self.meetings[direction as usize];
            meeting.damaged_ns.push(packet.at_ns);
            if let (Direction::Forward, Some(damaged)) = (direction, &mut self.damaged) {
                damaged.came(packet, &self.tracker.forward.receiving);
            }
            return;
        }
        let at_ns = packet.at_ns;
        let taken = match (&mut self.association, &mut self.datagrams) {
            (Some(association), _) => {
                let live = &mut association.live;
                live.arrives(chunks);
                self.tracker.arrive(live, direction, packet, at_ns)
            }
            (None, Some(live)) => {
                let live = live.as_mut();
                self.tracker.arrive(live, direction, packet, at_ns)
            }
            (None, None) => self.tracker.arrive(&mut Tcp, direction, packet, at_ns),
        };
        self.meet(direction, key(packet), at_ns, taken);
    }

    fn meet(&mut self, direction: Direction, key: Key, at_ns: i64, taken: Taken) {
        let meeting = &mut self.meetings[direction as usize];
        let departures = &self.tracker.way(direction).departures;
        if let Some(met) = meeting.arrive(key, at_ns, taken, departures) {
            self.settle(direction, met);
        }
    }

    fn settle(&mut self, direction: Direction, mut met: Met) {
        if let (Some(_), Some(at_ns)) = (&self.datagrams, met.first_ns) {
            met.taken = self.tracker.arrive_as(direction, met.departure, at_ns);
        }
        self.tracker
            .settle(direction, met.departure, met.first_ns, &met.taken);
    }

    /// What came damaged has arrived if the receiver, by what it is about to acknowledge, has it
    /// and nothing else brought it.
    fn take_damaged(&mut self, acknowledgement: &Packet) {
        let Some(damaged) = &mut self.damaged else {
            return;
        };
        let forward = &self.tracker.forward;
        let acknowledged = forward.receiving.would_acknowledge(acknowledgement);
        // Of several that may have brought something, it was the last: before that one came,
        // the receiver would have acknowledged it.
        for came in damaged.acknowledged(acknowledged).into_iter().rev() {
            let (start, end) = came.place;
            let meeting = &mut self.meetings[Direction::Forward as usize];
            if !self.tracker.forward.receiving.lacks(start, end) {
                continue;
            }
            let Some((departure, key)) = came.left_as(&self.tracker.forward.departures, meeting)
            else {
                continue;
            };
            let at_ns = came.packet.at_ns;
            meeting.damaged_ns.retain(|damaged_ns| *damaged_ns != at_ns);
            let taken = self.tracker.arrive_as(Direction::Forward, departure, at_ns);
            self.meet(Direction::Forward, key, at_ns, taken);
        }
    }

    pub(super) fn application(&mut self, seen: Seen) {
        match seen {
            Seen::Wrote { number, at_ns, end } => {
                if self.kind == Messages::Written {
                    let mut changes = Vec::new();
                    let ranges = &self.tracker.ranges;
                    self.messages
                        .push(Some(number), Some(at_ns), end, ranges, &mut changes);
                    self.curves.messages(&changes);
                }
                self.unread.wrote(number, at_ns);
            }
            Seen::Read { number, at_ns } => self.unread.read(number, at_ns),
        }
        while let Some((written_ns, read_ns)) = self.unread.next() {
            self.felt.push(written_ns, read_ns);
        }
    }

    /// What the last packet did to the stream.
    fn follow_stream(&mut self) {
        let ranges = self.tracker.ranges.take_changes();
        let packet_ends = std::mem::take(&mut self.tracker.packet_ends);
        if ranges.is_empty() && packet_ends.is_empty() {
            return;
        }
        let mut changes = Vec::new();
        for change in &ranges {
            self.curves.range(change);
            let (start, end) = (change.range.start, change.range.end);
            self.messages
                .touch(start, end, &self.tracker.ranges, &mut changes);
        }
        if self.kind == Messages::Packets {
            for end in packet_ends {
                self.messages
                    .packet(end, &self.tracker.ranges, &mut changes);
            }
        }
        self.curves.messages(&changes);
    }

    fn forget(&mut self, now_ns: i64) {
        let Some(forget_after_ns) = self.forget_after_ns else {
            return;
        };
        let at_ns = now_ns - forget_after_ns;
        if at_ns < self.forgotten_ns.saturating_add(FORGET_EVERY_NS) {
            return;
        }
        self.forgotten_ns = at_ns;
        self.tracker.ranges.forget(at_ns);
        self.messages.forget(at_ns);
        if let Some(association) = &mut self.association {
            association.live.forget(at_ns, now_ns);
        }
        self.felt.forget(at_ns.max(0) as u64);
        for direction in [Direction::Forward, Direction::Backward] {
            let told = self.told[direction as usize];
            let departures = &self.tracker.way(direction).departures;
            let until = self.meetings[direction as usize].forget(at_ns, told, departures);
            self.tracker.forget(direction, until);
        }
        if let Some(damaged) = &mut self.damaged {
            damaged.forget(at_ns);
        }
    }

    /// Nothing more will come.
    pub(super) fn end(&mut self) {
        self.pass_the_rest();
        for meeting in &mut self.meetings {
            meeting.end();
        }
    }
}

/// Whether a packet that goes one way leaves this end.
fn leaves(end: End, way: Direction) -> bool {
    (end == End::Sender) == (way == Direction::Forward)
}

impl CapturedEnd {
    /// Which way a packet of the flow goes; none of others.
    fn direction(&mut self, packet: &Packet, flow: &Flow) -> Option<Direction> {
        self.last_ns = self.last_ns.max(packet.at_ns);
        let way = self.way(packet, flow);
        let (role, has_whole_packets) = &mut self.connections[packet.connection as usize];
        *has_whole_packets |= !packet.is_damaged();
        let role = (*role)?;
        if !role.exact && packet.is_damaged() {
            let is_forward = role.is_forward(packet);
            self.strays
                .push((packet.connection, is_forward, packet.at_ns));
        }
        way
    }

    /// The same, of a packet that may wait.
    fn way(&mut self, packet: &Packet, flow: &Flow) -> Option<Direction> {
        while let Some(connection) = self.frames.connections.get(self.connections.len()) {
            self.connections.push((Role::of(connection, flow), false));
        }
        let (role, _) = self.connections[packet.connection as usize];
        let role = role.filter(|role| role.exact)?;
        Some(if role.is_forward(packet) {
            Direction::Forward
        } else {
            Direction::Backward
        })
    }

    /// When damaged packets came that may have been the flow's.
    pub(super) fn strays_ns(&self, direction: Direction) -> Vec<i64> {
        let is_forward = direction == Direction::Forward;
        let strays = self.strays.iter().filter(|(connection, forward, _)| {
            let (_, has_whole_packets) = self.connections[*connection as usize];
            *forward == is_forward && !has_whole_packets
        });
        strays.map(|(.., at_ns)| *at_ns).collect()
    }
}

impl Curves {
    fn range(&mut self, change: &Change) {
        let range = &change.range;
        let (arrived_ns, available_ns) = change.before;
        let before = range.sample(arrived_ns);
        replace(
            &mut self.transport_bytes,
            before,
            range.sample(range.arrived_ns),
        );
        let before = range.sample(available_ns);
        replace(
            &mut self.application_bytes,
            before,
            range.sample(range.available_ns),
        );
        if available_ns.is_none() && range.available_ns.is_some() {
            self.delivered_bytes += range.bytes();
        }
        if let (None, Some(at_ns)) = (arrived_ns, range.arrived_ns) {
            self.arrived_bytes += range.bytes();
            let early = (range.sent_ns - at_ns, range.start);
            self.earliest = self.earliest.max(Some(early));
        }
    }

    fn messages(&mut self, changes: &[MessageChange]) {
        for MessageChange { before, after } in changes {
            let sample = |latency_ns: Option<i64>| latency_ns.map(message_sample);
            replace(
                &mut self.transport_messages,
                sample(before.transport_ns()),
                sample(after.transport_ns()),
            );
            replace(
                &mut self.application_messages,
                sample(before.application_ns()),
                sample(after.application_ns()),
            );
        }
    }
}

fn replace(
    distribution: &mut Distribution,
    before: Option<crate::distribution::Sample>,
    after: Option<crate::distribution::Sample>,
) {
    if before == after {
        return;
    }
    if let Some(before) = before {
        distribution.remove(before);
    }
    if let Some(after) = after {
        distribution.add(after);
    }
}
