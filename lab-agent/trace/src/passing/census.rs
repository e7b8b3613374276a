//! Many connections at once: a pass over both files to find them, and one in which all
//! pass side by side.
// SPDX-License-Identifier: Apache-2.0

use super::connection::{Opening, Passing};
use super::{Packets, Unclear};
use crate::capture::{Connection, Packet};
use crate::connections::{Found, InBoth, Incarnation, pair};
use crate::error::{Direction, End};
use crate::summary::Summary;

/// The connections that two files hold.
pub struct Census<'a> {
    files: [&'a [u8]; 2],
    connections: [Vec<Connection>; 2],
    fragments: u64,
    slack_ns: i64,
    /// In both files, in the order in which the first one met them.
    pub in_both: Vec<InBoth>,
    /// In one file only: the first's, the second's.
    pub in_one: [Vec<Incarnation>; 2],
}

/// What became of a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// What [`Connections::analyze`](crate::Connections::analyze) says of it.
    Summary(Box<Summary>),
    /// It carried no data.
    NoData,
    /// Only whole captures tell.
    Unclear,
}

impl<'a> Census<'a> {
    /// Finds them; none where the files are refused or their packets are out of order.
    pub fn of(first: &'a [u8], second: &'a [u8]) -> Option<Self> {
        let find = |file| -> Result<_, Unclear> {
            let mut packets = Packets::of(file)?;
            let mut found = Found::default();
            while packets.pass()? {
                found.hear(&packets.seen.packet, &packets.frames.connections);
            }
            let found = found.incarnations(&packets.frames.connections);
            Ok((found, packets))
        };
        let (firsts, first_packets) = find(first).ok()?;
        let (seconds, second_packets) = find(second).ok()?;
        let (in_both, in_one) = pair([firsts, seconds]);
        let both = [first_packets, second_packets];
        let skipped = both.iter().map(|it| it.frames.skipped.fragments);
        let slack_ns = both.iter().map(|it| i64::from(it.resolution_ns));
        Some(Self {
            files: [first, second],
            fragments: skipped.sum(),
            slack_ns: slack_ns.sum(),
            connections: both.map(|it| it.frames.connections),
            in_both,
            in_one,
        })
    }

    /// Tells of each that is in both files, in their order, as soon as it and all before it
    /// are over.
    pub fn summarize(&self, each: impl FnMut(&InBoth, Told)) {
        let mut out = InOrder {
            census: self,
            told: vec![None; self.in_both.len()],
            next: 0,
            each,
        };
        let mut lanes: Vec<Lane> = self.in_both.iter().map(|it| self.lane(it)).collect();
        // Refused only now, or not at all: it was read before.
        let _ = self.pass(&mut lanes, &mut out);
        for at in 0..lanes.len() {
            out.tell(at, Told::Unclear);
        }
    }

    fn pass(
        &self,
        lanes: &mut [Lane],
        out: &mut InOrder<impl FnMut(&InBoth, Told)>,
    ) -> Result<(), Unclear> {
        let ends = |which: fn(&InBoth) -> &Incarnation| self.in_both.iter().map(which);
        let mut files = [
            Captured::of(self.files[0], ends(|it| &it.first))?,
            Captured::of(self.files[1], ends(|it| &it.second))?,
        ];
        for captured in &mut files {
            captured.pass()?;
        }
        loop {
            let which = match files.each_ref().map(|it| it.lane) {
                [Some(_), Some(_)] => {
                    let [here, there] = files.each_ref().map(|it| it.packets.seen.packet.at_ns);
                    usize::from(here > there)
                }
                [here, _] => usize::from(here.is_none()),
            };
            let captured = &mut files[which];
            let Some(at) = captured.lane else {
                break;
            };
            if let Some(told) = lanes[at].saw(which, &captured.packets.seen.packet, self) {
                out.tell(at, told);
            }
            captured.pass()?;
        }
        Ok(())
    }

    fn lane(&self, which: &InBoth) -> Lane {
        let way = which.way();
        let ends = [&which.first, &which.second];
        let forward_is_first = [0, 1].map(|capture| {
            let connection = &self.connections[capture][ends[capture].connection as usize];
            connection.first == way.flow.sender
        });
        let origin = which.origin(way.sender, forward_is_first);
        let opening = origin.map(|origin| Opening {
            flow: way.flow,
            origin,
        });
        Lane {
            opening,
            sender: way.sender,
            forward_is_first,
            left: ends.map(Incarnation::places),
            passing: None,
            is_over: false,
        }
    }
}

/// A connection on its way through.
struct Lane {
    /// None when it carries no data the way it is looked at.
    opening: Option<Opening>,
    /// The capture taken where the stream is sent.
    sender: usize,
    /// By capture, whether the stream comes from [`Connection::first`].
    forward_is_first: [bool; 2],
    /// Packets to come, by capture.
    left: [u32; 2],
    passing: Option<Box<Passing>>,
    is_over: bool,
}

impl Lane {
    fn saw(&mut self, capture: usize, packet: &Packet, census: &Census) -> Option<Told> {
        if self.is_over {
            return None;
        }
        self.left[capture] -= 1;
        let told = self.follow(capture, packet, census);
        let told = told.unwrap_or(Some(Told::Unclear));
        if told.is_some() {
            self.is_over = true;
            self.passing = None;
        }
        told
    }

    fn follow(
        &mut self,
        capture: usize,
        packet: &Packet,
        census: &Census,
    ) -> Result<Option<Told>, Unclear> {
        if packet.is_sctp() {
            return Err(Unclear);
        }
        let Some(opening) = self.opening else {
            return Ok(Some(Told::NoData));
        };
        let passing = self
            .passing
            .get_or_insert_with(|| Box::new(Passing::new(opening, None)));
        let end = if capture == self.sender {
            End::Sender
        } else {
            End::Receiver
        };
        let direction = if packet.from_first == self.forward_is_first[capture] {
            Direction::Forward
        } else {
            Direction::Backward
        };
        passing.saw(end, direction, packet)?;
        if self.left != [0, 0] {
            return Ok(None);
        }
        let Some(passing) = self.passing.take() else {
            return Ok(None);
        };
        let summary = passing.finish(census.fragments, census.slack_ns)?;
        Ok(Some(summary.map_or(Told::NoData, |summary| {
            Told::Summary(Box::new(summary))
        })))
    }
}

/// One file's packets of the connections that both hold.
struct Captured<'a> {
    packets: Packets<'a>,
    /// By connection.
    sockets: Vec<Sockets>,
    /// Of the packet at hand: which connection of those in both; none at the end.
    lane: Option<usize>,
}

/// The incarnations of a connection that are in both files.
#[derive(Default)]
struct Sockets {
    /// Of its packets.
    passed: u32,
    /// The next one at the end: where it begins, where it ends, and which of all it is.
    incarnations: Vec<(u32, u32, usize)>,
}

impl<'a> Captured<'a> {
    fn of<'b>(
        file: &'a [u8],
        incarnations: impl Iterator<Item = &'b Incarnation>,
    ) -> Result<Self, Unclear> {
        let mut sockets: Vec<Sockets> = Vec::new();
        for (at, incarnation) in incarnations.enumerate() {
            let connection = incarnation.connection as usize;
            if sockets.len() <= connection {
                sockets.resize_with(connection + 1, Sockets::default);
            }
            let places = (incarnation.from, incarnation.until, at);
            sockets[connection].incarnations.push(places);
        }
        for sockets in &mut sockets {
            sockets
                .incarnations
                .sort_unstable_by(|one, other| other.cmp(one));
        }
        Ok(Self {
            packets: Packets::of(file)?,
            sockets,
            lane: None,
        })
    }

    /// On to the next packet of any of them.
    fn pass(&mut self) -> Result<(), Unclear> {
        while self.packets.pass()? {
            let connection = self.packets.seen.packet.connection as usize;
            let sockets = self.sockets.get_mut(connection);
            if let Some(lane) = sockets.and_then(Sockets::pass) {
                self.lane = Some(lane);
                return Ok(());
            }
        }
        self.lane = None;
        Ok(())
    }
}

impl Sockets {
    /// The next packet: which incarnation's it is.
    fn pass(&mut self) -> Option<usize> {
        let here = self.passed;
        self.passed += 1;
        self.incarnations.pop_if(|(_, until, _)| *until <= here);
        let (from, _, at) = *self.incarnations.last()?;
        (from <= here).then_some(at)
    }
}

/// What was told before its turn waits.
struct InOrder<'a, F: FnMut(&InBoth, Told)> {
    census: &'a Census<'a>,
    told: Vec<Option<Told>>,
    next: usize,
    each: F,
}

impl<F: FnMut(&InBoth, Told)> InOrder<'_, F> {
    /// The first word counts.
    fn tell(&mut self, at: usize, told: Told) {
        if at < self.next {
            return;
        }
        self.told[at].get_or_insert(told);
        while let Some(told) = self.told.get_mut(self.next).and_then(Option::take) {
            (self.each)(&self.census.in_both[self.next], told);
            self.next += 1;
        }
    }
}
