//! Why two captures cannot be analysed together, and what to do about it.
// SPDX-License-Identifier: Apache-2.0

use std::fmt;

use thiserror::Error;

use crate::flow::Flow;

/// An end of the connection, and the capture taken there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where the stream comes from.
    Sender,
    /// Where it goes.
    Receiver,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sender => "sender",
            Self::Receiver => "receiver",
        })
    }
}

/// A direction of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Sender to receiver.
    Forward,
    /// Receiver to sender.
    Backward,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forward => "from sender to receiver",
            Self::Backward => "from receiver to sender",
        })
    }
}

/// A connection in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowSummary {
    /// In the direction of its stream.
    pub flow: Flow,
    /// Both ways.
    pub packets: u64,
    /// Both ways, copies included.
    pub payload_bytes: u64,
}

/// Why two captures could not be analysed together.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AnalyzeError {
    /// They do not belong together.
    #[error(
        "the captures have no connection in common: give two captures of one connection\
         {}{}",
        listed("at the sender", at_sender),
        listed("at the receiver", at_receiver)
    )]
    NoCommonConnection {
        /// In the sender's capture.
        at_sender: Vec<FlowSummary>,
        /// In the receiver's.
        at_receiver: Vec<FlowSummary>,
    },
    /// One capture, and neither TCP nor SCTP in it.
    #[error("the {end}'s capture holds no TCP or SCTP connection: capture where the stream passes")]
    NoConnection {
        /// Whose capture.
        end: End,
    },
    /// More than one could be meant.
    #[error(
        "several connections could be meant: pick one with --flow{}",
        listed("there are", flows)
    )]
    SeveralFlows {
        /// Those in both captures.
        flows: Vec<FlowSummary>,
    },
    /// The flow asked for is not there.
    #[error(
        "flow {flow} is not in the {end}'s capture{}",
        listed("it holds", known)
    )]
    FlowAbsent {
        /// What was asked for.
        flow: Flow,
        /// Whose capture lacks it.
        end: End,
        /// What that capture has.
        known: Vec<FlowSummary>,
    },
    /// Nothing to measure.
    #[error("flow {flow} carries no data from {}: for the other direction give --flow {}-{}", flow.sender, flow.receiver, flow.sender)]
    NoData {
        /// The flow.
        flow: Flow,
    },
    /// Two connections, one after the other, with the same addresses and ports.
    #[error(
        "flow {flow} is opened more than once in the {end}'s capture: pick one connection with --flow {flow}#1, #2 …"
    )]
    PortsReused {
        /// The flow.
        flow: Flow,
        /// Whose capture.
        end: End,
    },
    /// Same addresses and ports, but another connection.
    #[error(
        "flow {flow} is not the same connection in both captures: give two captures taken at the same time"
    )]
    DifferentConnections {
        /// The flow.
        flow: Flow,
    },
    /// Effect before cause.
    #[error(
        "byte {offset} of the stream arrives {by_ns} ns before it is sent: the captures were \
         stamped by two clocks (--clock separate), or given in the wrong order"
    )]
    ArrivedBeforeSent {
        /// Stream offset.
        offset: u64,
        /// How much too early.
        by_ns: i64,
    },
    /// No packet to fit the clocks to.
    #[error("no packet {direction} is in both captures, so that two clocks cannot be compared")]
    ClockUnobservable {
        /// Which way.
        direction: Direction,
    },
    /// Message boundaries that are none.
    #[error(
        "message {index} ends at {end}, not after the one before it ({previous}): give rising stream offsets"
    )]
    MessageEnds {
        /// Position in the list.
        index: usize,
        /// Its end.
        end: u64,
        /// The end before it.
        previous: u64,
    },
}

fn listed(heading: &str, flows: &[FlowSummary]) -> String {
    const SHOWN: usize = 12;
    let line = |summary: &FlowSummary| {
        let FlowSummary {
            flow,
            packets,
            payload_bytes,
        } = summary;
        format!("\n    {flow} ({packets} packets, {payload_bytes} bytes)")
    };
    let lines: String = flows.iter().take(SHOWN).map(line).collect();
    let more = flows.len().saturating_sub(SHOWN);
    let more = if more > 0 {
        format!("\n    and {more} more")
    } else {
        String::new()
    };
    let none = if flows.is_empty() { " nothing" } else { "" };
    format!("\n  {heading}:{none}{lines}{more}")
}
