//! All connections that two captures hold: thousands, ports used again, either end
//! the one that opens or the one that sends.
//!
//! A connection is known by its two sockets and by its incarnation: a SYN with
//! another initial sequence number begins the next one.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::ops::Range;

use crate::analysis::{Analysis, Options, analyze_views};
use crate::capture::{Capture, Connection, Packet, Protocol};
use crate::error::AnalyzeError;
use crate::flow::{EndView, Flow};

/// The connections of two captures.
pub struct Connections<'a> {
    captures: [&'a Capture; 2],
    places: [Places; 2],
    /// In both captures, in the order in which the first one met them.
    pub in_both: Vec<InBoth>,
    /// In one capture only: the first's, the second's.
    pub in_one: [Vec<Incarnation>; 2],
}

/// A connection that both captures hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InBoth {
    /// As the first capture has it.
    pub first: Incarnation,
    /// As the second has it.
    pub second: Incarnation,
}

/// A connection in one capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incarnation {
    /// From the end that opened it or, where the capture lacks that, from the one that
    /// sent more.
    pub flow: Flow,
    /// Of the connections between the same two sockets, which one; from 1.
    pub number: u32,
    /// Packets both ways, whole ones.
    pub packets: u64,
    /// Bytes of payload forward, copies included.
    pub forward_bytes: u64,
    /// Bytes of payload backward.
    pub backward_bytes: u64,
    /// The opener's initial sequence number, where the capture has it.
    isn: Option<u32>,
    /// From the SYN to its answer, in this capture.
    answered_after_ns: Option<i64>,
    /// The first SYN's number from [`crate::Connection::first`], and from the other end.
    syns: [Option<u32>; 2],
    /// That of the first packet with payload.
    first_data: [Option<u32>; 2],
    /// What it is.
    pub protocol: Protocol,
    pub(crate) connection: u32,
    /// Of the connection's packets, in order.
    pub(crate) from: u32,
    pub(crate) until: u32,
}

/// Where each connection's packets are in a capture, in order.
struct Places {
    all: Vec<u32>,
    /// By connection.
    starts: Vec<u32>,
}

/// The connections of a capture while its packets pass.
#[derive(Default)]
pub(crate) struct Found {
    /// By connection, the incarnation at work.
    open: Vec<Seen>,
    over: Vec<Incarnation>,
}

/// What is being found out about a connection while its packets pass.
#[derive(Default)]
struct Seen {
    number: u32,
    /// Of the connection's packets, damaged ones too: the first, and behind the last.
    places: Range<u32>,
    syns: [Option<u32>; 2],
    first_data: [Option<u32>; 2],
    opener_is_first: Option<bool>,
    isn: Option<u32>,
    opened_ns: Option<i64>,
    answered_after_ns: Option<i64>,
    is_open: bool,
    packets: u64,
    /// From [`crate::Connection::first`] and from the other end.
    bytes: [u64; 2],
}

impl<'a> Connections<'a> {
    /// Finds them: a pass over each capture.
    pub fn of(first: &'a Capture, second: &'a Capture) -> Self {
        let found = [first, second].map(|capture| {
            let mut found = Found::default();
            for packet in &capture.packets {
                found.hear(packet, &capture.connections);
            }
            found.incarnations(&capture.connections)
        });
        let (in_both, in_one) = pair(found);
        Self {
            captures: [first, second],
            places: [Places::of(first), Places::of(second)],
            in_both,
            in_one,
        }
    }

    /// Analyses one of them the way most of its payload goes, whichever capture was
    /// taken where that is sent.
    ///
    /// # Errors
    /// [`AnalyzeError`], as of two captures that hold nothing else.
    pub fn analyze(&self, which: &InBoth, options: &Options) -> Result<Analysis, AnalyzeError> {
        let way = which.way();
        let told = self.analyze_from(which, way.sender, way.flow, options);
        match told {
            Err(AnalyzeError::ArrivedBeforeSent { .. }) if !way.is_certain => self
                .analyze_from(which, 1 - way.sender, way.flow, options)
                .or(told),
            told => told,
        }
    }

    /// Analyses one of them the way asked for; the first capture was taken where that is
    /// sent.
    ///
    /// # Errors
    /// [`AnalyzeError`], as of two captures that hold nothing else.
    pub fn analyze_flow(
        &self,
        which: &InBoth,
        flow: Flow,
        options: &Options,
    ) -> Result<Analysis, AnalyzeError> {
        self.analyze_from(which, 0, flow, options)
    }

    /// The connection between a flow's sockets that is so many-th in the first capture.
    pub fn find(&self, flow: &Flow, number: u32) -> Option<&InBoth> {
        let same = |it: &&InBoth| it.first.flow.ends() == flow.ends() && it.first.number == number;
        self.in_both.iter().find(same)
    }

    fn analyze_from(
        &self,
        which: &InBoth,
        sender: usize,
        flow: Flow,
        options: &Options,
    ) -> Result<Analysis, AnalyzeError> {
        let views = [
            self.view(0, &which.first, &flow),
            self.view(1, &which.second, &flow),
        ];
        let (here, there) = (&views[sender], &views[1 - sender]);
        let captures = [self.captures[sender], self.captures[1 - sender]];
        analyze_views(captures, (here, there), flow, options)
    }

    fn view(&self, capture: usize, incarnation: &Incarnation, flow: &Flow) -> EndView<'a> {
        let places = self.places[capture].of_incarnation(incarnation).iter();
        let capture = self.captures[capture];
        let connection = &capture.connections[incarnation.connection as usize];
        let first_is_sender = connection.first == flow.sender;
        EndView::of(
            places.map(|at| &capture.packets[*at as usize]),
            first_is_sender,
            connection.protocol,
            &capture.chunks,
        )
    }
}

impl Incarnation {
    /// Its packets, damaged ones too.
    pub(crate) fn places(&self) -> u32 {
        self.until - self.from
    }

    /// Whether both captures can mean one connection: they agree in the opener's
    /// number, or one of them began too late to have it.
    fn is_same(&self, other: &Self) -> bool {
        self.isn
            .zip(other.isn)
            .is_none_or(|(isn, other)| isn == other)
    }
}

/// Which incarnations of one capture are which of the other's; and those of either that
/// the other lacks.
pub(crate) fn pair(
    [firsts, seconds]: [Vec<Incarnation>; 2],
) -> (Vec<InBoth>, [Vec<Incarnation>; 2]) {
    let mut by_ends: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, incarnation) in seconds.iter().enumerate() {
        let which = (incarnation.protocol, incarnation.flow.ends());
        by_ends.entry(which).or_default().push(at);
    }
    let mut taken = vec![false; seconds.len()];
    let mut in_both = Vec::new();
    let mut alone = Vec::new();
    for one in firsts {
        let which = (one.protocol, one.flow.ends());
        let candidates = by_ends.get(&which).map_or(&[][..], Vec::as_slice);
        let fits = |at: &&usize| !taken[**at] && one.is_same(&seconds[**at]);
        let Some(at) = candidates.iter().find(fits).copied() else {
            alone.push(one);
            continue;
        };
        taken[at] = true;
        in_both.push(InBoth {
            first: one,
            second: seconds[at],
        });
    }
    let others = seconds.iter().zip(&taken).filter(|(_, taken)| !**taken);
    let others = others.map(|(other, _)| *other).collect();
    (in_both, [alone, others])
}

/// Which way a connection is analysed.
pub(crate) struct Way {
    pub flow: Flow,
    /// The capture taken where the flow is sent: 0 or 1.
    pub sender: usize,
    /// Whether the captures show that.
    pub is_certain: bool,
}

impl InBoth {
    /// The way most of its payload goes, whichever capture was taken where that is sent.
    pub(crate) fn way(&self) -> Way {
        let [first, second] = [&self.first, &self.second];
        // The answer to a SYN comes a round trip later at the end that sent it, and at
        // once at the other.
        let gaps = first.answered_after_ns.zip(second.answered_after_ns);
        let opener_is_first = gaps.is_none_or(|(here, there)| here >= there);
        let opener = if opener_is_first { first } else { second };
        let forward = opener.forward_bytes >= opener.backward_bytes;
        Way {
            flow: if forward {
                opener.flow
            } else {
                opener.flow.reversed()
            },
            sender: usize::from(opener_is_first != forward),
            is_certain: gaps.is_some(),
        }
    }

    /// The sequence number of the first byte of a flow that is sent where one of the
    /// captures was taken, as [`crate::flow::origin`] finds it; `from_first` says of both
    /// whether it comes from [`crate::Connection::first`].
    pub(crate) fn origin(&self, sender: usize, from_first: [bool; 2]) -> Option<u32> {
        let ends = [&self.first, &self.second];
        let which = |capture: usize| usize::from(!from_first[capture]);
        let syn = |capture: usize| ends[capture].syns[which(capture)];
        let isn = syn(sender).or(syn(1 - sender));
        isn.map(|isn| isn.wrapping_add(1))
            .or(ends[sender].first_data[which(sender)])
    }
}

impl Places {
    fn of(capture: &Capture) -> Self {
        let mut starts = vec![0_u32; capture.connections.len() + 1];
        for packet in &capture.packets {
            starts[packet.connection as usize + 1] += 1;
        }
        for connection in 1..starts.len() {
            starts[connection] += starts[connection - 1];
        }
        let mut next = starts.clone();
        let mut all = vec![0; capture.packets.len()];
        for (at, packet) in capture.packets.iter().enumerate() {
            let place = &mut next[packet.connection as usize];
            all[*place as usize] = at as u32;
            *place += 1;
        }
        Self { all, starts }
    }

    fn of_incarnation(&self, incarnation: &Incarnation) -> &[u32] {
        let start = self.starts[incarnation.connection as usize];
        &self.all[(start + incarnation.from) as usize..(start + incarnation.until) as usize]
    }
}

impl Found {
    /// The next packet of the capture; `connections` are all up to its own.
    pub(crate) fn hear(&mut self, packet: &Packet, connections: &[Connection]) {
        while self.open.len() < connections.len() {
            self.open.push(Seen {
                number: 1,
                ..Seen::default()
            });
        }
        let seen = &mut self.open[packet.connection as usize];
        if !packet.is_damaged() {
            if seen.ends_with(packet) {
                let next = Seen {
                    number: seen.number + 1,
                    places: seen.places.end..seen.places.end,
                    ..Seen::default()
                };
                let over = std::mem::replace(seen, next);
                self.over.extend(over.told(packet.connection, connections));
            }
            seen.hear(packet);
        }
        seen.places.end += 1;
    }

    /// All of them, in the order in which the capture met their sockets.
    pub(crate) fn incarnations(mut self, connections: &[Connection]) -> Vec<Incarnation> {
        for (connection, seen) in self.open.iter().enumerate() {
            self.over.extend(seen.told(connection as u32, connections));
        }
        self.over
            .sort_unstable_by_key(|it| (it.connection, it.number));
        self.over
    }
}

impl Seen {
    /// Whether a packet opens the next incarnation.
    fn ends_with(&self, packet: &Packet) -> bool {
        if !packet.flags.syn() || packet.flags.ack() || self.packets == 0 {
            return false;
        }
        match self.opener_is_first {
            // Both may open at once; then neither is open yet.
            Some(first) if first != packet.from_first => self.is_open,
            Some(_) => self.isn != Some(packet.seq),
            None => true,
        }
    }

    fn hear(&mut self, packet: &Packet) {
        self.packets += 1;
        let from = usize::from(!packet.from_first);
        self.bytes[from] += u64::from(packet.payload_bytes);
        if packet.flags.syn() {
            self.syns[from].get_or_insert(packet.seq);
        }
        if packet.payload_bytes > 0 {
            self.first_data[from].get_or_insert(packet.seq);
        }
        match (packet.flags.syn(), packet.flags.ack()) {
            (true, false) => {
                self.opener_is_first.get_or_insert(packet.from_first);
                self.isn.get_or_insert(packet.seq);
                // The last one before the answer is the one that was answered.
                self.opened_ns = Some(packet.at_ns);
            }
            (true, true) => {
                self.opener_is_first.get_or_insert(!packet.from_first);
                // An INIT's acknowledgement does not repeat its TSN.
                if !packet.is_sctp() {
                    self.isn.get_or_insert(packet.ack.wrapping_sub(1));
                }
                let after_ns = self.opened_ns.map(|opened_ns| packet.at_ns - opened_ns);
                self.answered_after_ns = self.answered_after_ns.or(after_ns);
            }
            _ => self.is_open = true,
        }
    }

    /// None when nothing whole was seen of it.
    fn told(&self, connection: u32, connections: &[Connection]) -> Option<Incarnation> {
        let more = self.bytes[0] >= self.bytes[1];
        let first_opened = self.opener_is_first.unwrap_or(more);
        let [mut forward_bytes, mut backward_bytes] = self.bytes;
        let sockets = &connections[connection as usize];
        let mut flow = Flow {
            sender: sockets.first,
            receiver: sockets.second,
        };
        if !first_opened {
            flow = flow.reversed();
            (forward_bytes, backward_bytes) = (backward_bytes, forward_bytes);
        }
        (self.packets > 0).then_some(Incarnation {
            flow,
            number: self.number,
            packets: self.packets,
            forward_bytes,
            backward_bytes,
            isn: self.isn,
            answered_after_ns: self.answered_after_ns,
            syns: self.syns,
            first_data: self.first_data,
            protocol: sockets.protocol,
            connection,
            from: self.places.start,
            until: self.places.end,
        })
    }
}
