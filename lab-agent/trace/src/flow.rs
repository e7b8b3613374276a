//! Which connection is studied, in which direction, and where its packets are
//! in the two captures.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use crate::capture::{Capture, Connection, Packet, Protocol};
use crate::error::{AnalyzeError, End, FlowSummary};
use crate::sctp::Chunk;

/// One direction of one connection: who sends the stream to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flow {
    /// Sends the stream.
    pub sender: SocketAddr,
    /// Receives it.
    pub receiver: SocketAddr,
}

impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.sender, self.receiver)
    }
}

/// A flow that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("flow {0:?}: expected SENDER:PORT-RECEIVER:PORT, such as 10.0.1.1:40000-10.0.2.2:5000")]
pub struct FlowSyntax(String);

impl FlowSyntax {
    /// Of such a text.
    pub fn of(text: &str) -> Self {
        Self(text.into())
    }
}

impl FromStr for Flow {
    type Err = FlowSyntax;

    fn from_str(text: &str) -> Result<Self, FlowSyntax> {
        let parse = || {
            let (sender, receiver) = text.split_once('-')?;
            Some(Self {
                sender: sender.parse().ok()?,
                receiver: receiver.parse().ok()?,
            })
        };
        parse().ok_or_else(|| FlowSyntax::of(text))
    }
}

impl Flow {
    /// The ends in an order of their own, so that both directions agree.
    pub(crate) fn ends(&self) -> (SocketAddr, SocketAddr) {
        (
            self.sender.min(self.receiver),
            self.sender.max(self.receiver),
        )
    }

    pub(crate) fn reversed(&self) -> Self {
        Self {
            sender: self.receiver,
            receiver: self.sender,
        }
    }
}

/// The packets of a flow in one capture, both directions, in order of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndView<'a> {
    /// From the flow's sender.
    pub forward: Vec<&'a Packet>,
    /// From its receiver.
    pub backward: Vec<&'a Packet>,
    /// Of all packets of both, in the order of the capture, whether they go
    /// forward.
    pub order: Vec<bool>,
    /// Damaged packets that may have been the flow's: one address or port off.
    pub stray_forward: Vec<&'a Packet>,
    /// The same, towards the sender.
    pub stray_backward: Vec<&'a Packet>,
    /// What the flow's packets are.
    pub protocol: Protocol,
    /// The capture's, of SCTP.
    pub chunks: &'a [Chunk],
}

impl<'a> EndView<'a> {
    pub(crate) fn new(capture: &'a Capture, flow: &Flow) -> Self {
        let mut has_whole_packets = vec![false; capture.connections.len()];
        for packet in capture.packets.iter().filter(|packet| !packet.is_damaged()) {
            has_whole_packets[packet.connection as usize] = true;
        }
        let protocol = protocol_of(&capture.connections, &has_whole_packets, flow);
        let roles: Vec<Option<Role>> = capture
            .connections
            .iter()
            .zip(has_whole_packets)
            .map(|(connection, has_whole_packets)| {
                let mut role = Role::of(connection, flow)?;
                // Another protocol's, or the flow's with a damaged header.
                role.exact &= connection.protocol == protocol;
                if protocol == Protocol::Tcp && connection.protocol == Protocol::Sctp {
                    return None;
                }
                (role.exact || !has_whole_packets).then_some(role)
            })
            .collect();
        let mut view = Self {
            protocol,
            chunks: &capture.chunks,
            ..Self::default()
        };
        for packet in &capture.packets {
            let Some(role) = roles[packet.connection as usize] else {
                continue;
            };
            let is_forward = role.is_forward(packet);
            let list = match (role.exact, is_forward) {
                (true, true) => &mut view.forward,
                (true, false) => &mut view.backward,
                (false, true) => &mut view.stray_forward,
                (false, false) => &mut view.stray_backward,
            };
            list.push(packet);
            if role.exact {
                view.order.push(is_forward);
            }
        }
        view
    }
}

impl<'a> EndView<'a> {
    /// Of packets of one connection, in order; damaged ones that may have been its are
    /// not looked for.
    pub(crate) fn of(
        packets: impl Iterator<Item = &'a Packet>,
        first_is_sender: bool,
        protocol: Protocol,
        chunks: &'a [Chunk],
    ) -> Self {
        let mut view = Self {
            protocol,
            chunks,
            ..Self::default()
        };
        for packet in packets {
            let is_forward = packet.from_first == first_is_sender;
            view.order.push(is_forward);
            if is_forward {
                view.forward.push(packet);
            } else {
                view.backward.push(packet);
            }
        }
        view
    }

    /// All packets of both directions, in the order of the capture, and whether they go
    /// forward.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = (bool, &'a Packet)> + '_ {
        let mut forward = self.forward.iter();
        let mut backward = self.backward.iter();
        self.order.iter().filter_map(move |is_forward| {
            let list = if *is_forward {
                &mut forward
            } else {
                &mut backward
            };
            Some((*is_forward, *list.next()?))
        })
    }

    /// The same for the stream that goes the other way.
    pub(crate) fn turned(&self) -> Self {
        Self {
            forward: self.backward.clone(),
            backward: self.forward.clone(),
            order: self.order.iter().map(|forward| !forward).collect(),
            stray_forward: self.stray_backward.clone(),
            stray_backward: self.stray_forward.clone(),
            ..*self
        }
    }
}

/// Of the first connection between a flow's sockets that is none by damage alone.
fn protocol_of(connections: &[Connection], has_whole_packets: &[bool], flow: &Flow) -> Protocol {
    let is_exact =
        |connection: &Connection| Role::of(connection, flow).is_some_and(|role| role.exact);
    let mut whole = connections.iter().zip(has_whole_packets);
    let first = whole.find(|(connection, is_whole)| **is_whole && is_exact(connection));
    first.map_or(Protocol::Tcp, |(connection, _)| connection.protocol)
}

/// What a connection of a capture is to a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Role {
    /// It is the flow's; else one address or port is off, as damage does it.
    pub exact: bool,
    first_is_sender: bool,
}

impl Role {
    pub(crate) fn of(connection: &Connection, flow: &Flow) -> Option<Self> {
        let seen = Flow {
            sender: connection.first,
            receiver: connection.second,
        };
        let exact = seen.ends() == flow.ends();
        let first_is_sender = if exact {
            seen == *flow
        } else {
            likeness(&seen, flow) >= 3
        };
        let near = first_is_sender || likeness(&seen.reversed(), flow) >= 3;
        (exact || near).then_some(Self {
            exact,
            first_is_sender,
        })
    }

    /// Whether a packet of the connection goes from the flow's sender to its
    /// receiver.
    pub(crate) fn is_forward(self, packet: &Packet) -> bool {
        packet.from_first == self.first_is_sender
    }
}

/// How many of the four addresses and ports agree.
fn likeness(seen: &Flow, flow: &Flow) -> usize {
    [
        seen.sender.ip() == flow.sender.ip(),
        seen.sender.port() == flow.sender.port(),
        seen.receiver.ip() == flow.receiver.ip(),
        seen.receiver.port() == flow.receiver.port(),
    ]
    .into_iter()
    .filter(|agrees| *agrees)
    .count()
}

/// Finds the flow that both captures hold, or the one asked for.
pub(crate) fn choose(
    sender: &Capture,
    receiver: &Capture,
    wanted: Option<Flow>,
) -> Result<Flow, AnalyzeError> {
    let (at_sender, at_receiver) = (summaries(sender), summaries(receiver));
    if let Some(flow) = wanted {
        // Of datagrams none has to arrive.
        let is_of_datagrams = sender.connections.iter().any(|connection| {
            connection.protocol.is_of_datagrams()
                && Role::of(connection, &flow).is_some_and(|role| role.exact)
        });
        for (end, known) in [(End::Sender, &at_sender), (End::Receiver, &at_receiver)] {
            let is_known = known
                .iter()
                .any(|summary| summary.flow.ends() == flow.ends());
            let may_be_absent = is_of_datagrams && end == End::Receiver;
            if !is_known && !may_be_absent {
                return Err(AnalyzeError::FlowAbsent {
                    flow,
                    end,
                    known: known.clone(),
                });
            }
        }
        return Ok(flow);
    }
    let in_both = |summary: &&FlowSummary| {
        at_receiver
            .iter()
            .any(|other| other.flow.ends() == summary.flow.ends())
    };
    let common: Vec<FlowSummary> = at_sender.iter().filter(in_both).copied().collect();
    match common.as_slice() {
        [] => Err(AnalyzeError::NoCommonConnection {
            at_sender,
            at_receiver,
        }),
        [only] => Ok(only.flow),
        _ => Err(AnalyzeError::SeveralFlows { flows: common }),
    }
}

/// The flow that one capture holds, or the one asked for.
pub(crate) fn choose_one(
    capture: &Capture,
    end: End,
    wanted: Option<Flow>,
) -> Result<Flow, AnalyzeError> {
    let known = summaries(capture);
    match (wanted, known.as_slice()) {
        (Some(flow), _) if known.iter().any(|it| it.flow.ends() == flow.ends()) => Ok(flow),
        (Some(flow), _) => Err(AnalyzeError::FlowAbsent { flow, end, known }),
        (None, []) => Err(AnalyzeError::NoConnection { end }),
        (None, [only]) => Ok(only.flow),
        (None, _) => Err(AnalyzeError::SeveralFlows { flows: known }),
    }
}

/// The connections of a capture, each in the direction of its stream: from the
/// side that sent the SYN or, without one, from the side with more payload.
fn summaries(capture: &Capture) -> Vec<FlowSummary> {
    #[derive(Clone, Copy, Default)]
    struct Seen {
        packets: u64,
        payload_from_first: u64,
        payload_from_second: u64,
        first_opened: Option<bool>,
    }
    let mut seen = vec![Seen::default(); capture.connections.len()];
    // A damaged packet's addresses may be nobody's.
    for packet in capture.packets.iter().filter(|packet| !packet.is_damaged()) {
        let seen = &mut seen[packet.connection as usize];
        seen.packets += 1;
        let payload = u64::from(packet.payload_bytes);
        if packet.from_first {
            seen.payload_from_first += payload;
        } else {
            seen.payload_from_second += payload;
        }
        if packet.flags.syn() {
            seen.first_opened = Some(packet.from_first != packet.flags.ack());
        }
    }
    let summary = |(seen, connection): (&Seen, &crate::capture::Connection)| {
        let more = seen.payload_from_first >= seen.payload_from_second;
        let first_sends = seen.first_opened.unwrap_or(more);
        let flow = Flow {
            sender: connection.first,
            receiver: connection.second,
        };
        FlowSummary {
            flow: if first_sends { flow } else { flow.reversed() },
            packets: seen.packets,
            payload_bytes: seen.payload_from_first + seen.payload_from_second,
        }
    };
    let all = seen.iter().zip(&capture.connections).map(summary);
    all.filter(|summary| summary.packets > 0).collect()
}

/// Sequence number of the stream's first byte: after the SYN or, where no
/// capture has it, the first data packet's at the sender.
pub(crate) fn origin(
    sender: &EndView,
    receiver: &EndView,
    flow: &Flow,
) -> Result<u32, AnalyzeError> {
    let opened_by = |view: &EndView, end: End| {
        let mut isn = HashMap::new();
        let arrived_damaged = |packet: &Packet| end == End::Receiver && packet.is_damaged();
        let whole = view
            .forward
            .iter()
            .filter(|packet| !arrived_damaged(packet));
        for packet in whole.filter(|packet| packet.flags.syn()) {
            isn.insert(packet.seq, packet.is_sctp() && packet.flags.ack());
        }
        if isn.len() > 1 && isn.values().all(|is_cookie| *is_cookie) {
            isn.retain(|isn, _| is_followed(isn.wrapping_add(1), [sender, receiver]));
        }
        match isn.len() {
            0 => Ok(None),
            1 => Ok(isn.keys().next().copied()),
            _ => Err(AnalyzeError::PortsReused { flow: *flow, end }),
        }
    };
    let (here, there) = (
        opened_by(sender, End::Sender)?,
        opened_by(receiver, End::Receiver)?,
    );
    if here.zip(there).is_some_and(|(here, there)| here != there) {
        return Err(AnalyzeError::DifferentConnections { flow: *flow });
    }
    if let Some(isn) = here.or(there) {
        return Ok(isn.wrapping_add(1));
    }
    let first = sender
        .forward
        .iter()
        .find(|packet| packet.payload_bytes > 0);
    first
        .map(|packet| packet.seq)
        .ok_or(AnalyzeError::NoData { flow: *flow })
}

/// Whether data begins there. Who answers an INIT forgets it until the cookie comes back
/// (RFC 9260, section 5.1.3): each INIT that comes again gets another answer with another TSN,
/// and one of them counts.
fn is_followed(first: u32, views: [&EndView; 2]) -> bool {
    let mut data = views.iter().flat_map(|view| &view.forward);
    data.any(|packet| packet.payload_bytes > 0 && packet.seq == first)
}
