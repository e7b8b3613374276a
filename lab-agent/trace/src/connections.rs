//! All connections that two captures hold: thousands, ports used again, either end
//! the one that opens or the one that sends.
//!
//! A connection is known by its two sockets and by its incarnation: a SYN with
//! another initial sequence number begins the next one.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::net::SocketAddr;

use crate::analysis::{Analysis, Options, analyze_views};
use crate::capture::{Capture, Packet};
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
    connection: u32,
    /// In the capture's places.
    from: u32,
    until: u32,
}

/// Where each connection's packets are in a capture, in order.
struct Places {
    all: Vec<u32>,
}

/// What is being found out about a connection while its packets pass.
#[derive(Default)]
struct Seen {
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
        let (places, firsts) = incarnations(first);
        let (other_places, seconds) = incarnations(second);
        let mut by_ends: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, incarnation) in seconds.iter().enumerate() {
            by_ends.entry(incarnation.flow.ends()).or_default().push(at);
        }
        let mut taken = vec![false; seconds.len()];
        let mut in_both = Vec::new();
        let mut alone = Vec::new();
        for one in firsts {
            let candidates = by_ends.get(&one.flow.ends()).map_or(&[][..], Vec::as_slice);
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
        Self {
            captures: [first, second],
            places: [places, other_places],
            in_both,
            in_one: [alone, others.map(|(other, _)| *other).collect()],
        }
    }

    /// Analyses one of them the way most of its payload goes, whichever capture was
    /// taken where that is sent.
    ///
    /// # Errors
    /// [`AnalyzeError`], as of two captures that hold nothing else.
    pub fn analyze(&self, which: &InBoth, options: &Options) -> Result<Analysis, AnalyzeError> {
        let [first_end, second_end] = [&which.first, &which.second];
        // The answer to a SYN comes a round trip later at the end that sent it, and at
        // once at the other.
        let gaps = first_end
            .answered_after_ns
            .zip(second_end.answered_after_ns);
        let opener_is_first = gaps.is_none_or(|(here, there)| here >= there);
        let opener = if opener_is_first {
            first_end
        } else {
            second_end
        };
        let forward = opener.forward_bytes >= opener.backward_bytes;
        let flow = if forward {
            opener.flow
        } else {
            opener.flow.reversed()
        };
        let sender = usize::from(opener_is_first != forward);
        let told = self.analyze_from(which, sender, flow, options);
        match told {
            Err(AnalyzeError::ArrivedBeforeSent { .. }) if gaps.is_none() => {
                self.analyze_from(which, 1 - sender, flow, options).or(told)
            }
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
        let range = incarnation.from as usize..incarnation.until as usize;
        let places = self.places[capture].all[range].iter();
        let capture = self.captures[capture];
        let connection = &capture.connections[incarnation.connection as usize];
        let first_is_sender = connection.first == flow.sender;
        EndView::of(
            places.map(|at| &capture.packets[*at as usize]),
            first_is_sender,
        )
    }
}

impl Incarnation {
    /// Whether both captures can mean one connection: they agree in the opener's
    /// number, or one of them began too late to have it.
    fn is_same(&self, other: &Self) -> bool {
        self.isn
            .zip(other.isn)
            .is_none_or(|(isn, other)| isn == other)
    }
}

/// The incarnations of all connections of a capture, in the order in which it met
/// them, and where their packets are.
fn incarnations(capture: &Capture) -> (Places, Vec<Incarnation>) {
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
    let mut found = Vec::new();
    for (connection, range) in starts.windows(2).enumerate() {
        split(
            capture,
            connection as u32,
            &all,
            range[0]..range[1],
            &mut found,
        );
    }
    (Places { all }, found)
}

/// The incarnations of one connection.
fn split(
    capture: &Capture,
    connection: u32,
    all: &[u32],
    range: std::ops::Range<u32>,
    found: &mut Vec<Incarnation>,
) {
    let sockets = &capture.connections[connection as usize];
    let ends = (sockets.first, sockets.second);
    let mut seen = Seen::default();
    let (mut from, mut number) = (range.start, 1);
    for place in range.clone() {
        let packet = &capture.packets[all[place as usize] as usize];
        if packet.is_damaged() {
            continue;
        }
        if seen.ends_with(packet) {
            found.extend(seen.told(ends, connection, number, from..place));
            seen = Seen::default();
            (from, number) = (place, number + 1);
        }
        seen.hear(packet);
    }
    found.extend(seen.told(ends, connection, number, from..range.end));
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
        self.bytes[usize::from(!packet.from_first)] += u64::from(packet.payload_bytes);
        match (packet.flags.syn(), packet.flags.ack()) {
            (true, false) => {
                self.opener_is_first.get_or_insert(packet.from_first);
                self.isn.get_or_insert(packet.seq);
                // The last one before the answer is the one that was answered.
                self.opened_ns = Some(packet.at_ns);
            }
            (true, true) => {
                self.opener_is_first.get_or_insert(!packet.from_first);
                self.isn.get_or_insert(packet.ack.wrapping_sub(1));
                let after_ns = self.opened_ns.map(|opened_ns| packet.at_ns - opened_ns);
                self.answered_after_ns = self.answered_after_ns.or(after_ns);
            }
            _ => self.is_open = true,
        }
    }

    /// None when nothing whole was seen of it.
    fn told(
        &self,
        (first, second): (SocketAddr, SocketAddr),
        connection: u32,
        number: u32,
        places: std::ops::Range<u32>,
    ) -> Option<Incarnation> {
        let more = self.bytes[0] >= self.bytes[1];
        let first_opened = self.opener_is_first.unwrap_or(more);
        let [mut forward_bytes, mut backward_bytes] = self.bytes;
        let mut flow = Flow {
            sender: first,
            receiver: second,
        };
        if !first_opened {
            flow = flow.reversed();
            (forward_bytes, backward_bytes) = (backward_bytes, forward_bytes);
        }
        (self.packets > 0).then_some(Incarnation {
            flow,
            number,
            packets: self.packets,
            forward_bytes,
            backward_bytes,
            isn: self.isn,
            answered_after_ns: self.answered_after_ns,
            connection,
            from: places.start,
            until: places.end,
        })
    }
}
