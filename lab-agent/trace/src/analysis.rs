//! Two captures of one connection to its latencies, shares and losses.
// SPDX-License-Identifier: Apache-2.0

use std::fmt;

use lab_proto::{DirectionCheck, LaneCheck, Latency, TraceMetrics};
use thiserror::Error;

use crate::capture::{Capture, Packet};
use crate::clock::{self, ClockRelation, Crossing};
use crate::delivery::{self, DeliveredRange, Receiving};
use crate::distribution::{Sample, distribution};
use crate::flow::{self, EndView, Flow};
use crate::message::{self, MessageLatency};
use crate::pairing::{self, Damaged, DirectionCount, Ends, Pairing};
use crate::traffic::{self, Sending, Traffic};

/// How the two captures' clocks relate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// One clock stamped both: an embedded host, or one machine.
    #[default]
    Shared,
    /// Two clocks: offset and drift are fitted and removed. Latencies then are
    /// sure above the lowest; the lowest itself is half the smallest round trip.
    Separate,
}

/// What to analyse, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which connection, in which direction; needed where both captures hold
    /// several. By default the stream goes the way the SYN went.
    pub flow: Option<Flow>,
    /// How the clocks relate.
    pub clock: Clock,
    /// Stream offsets where messages end, rising. Without them each packet's
    /// new bytes are a message.
    pub message_ends: Option<Vec<u64>>,
}

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
    /// More than one could be meant.
    #[error(
        "both captures hold several connections: pick one with --flow{}",
        listed("in both", flows)
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
        "flow {flow} is opened twice in the {end}'s capture: cut the capture between the two (editcap -A, -B)"
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

/// Something to look at before trusting the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Packets larger than the connection's segments: not packets on the wire.
    Offloaded {
        /// How many, at both ends.
        packets: u64,
    },
    /// Bytes the receiver acknowledged and its capture lacks.
    MissingAtReceiver {
        /// How many.
        bytes: u64,
    },
    /// Bytes that arrived and the sender's capture lacks.
    MissingAtSender {
        /// How many.
        bytes: u64,
    },
    /// Arrivals without a departure.
    Unsent {
        /// Which way they went.
        direction: Direction,
        /// How many.
        packets: u64,
    },
    /// IP fragments were skipped.
    Fragments {
        /// How many, at both ends.
        packets: u64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offloaded { packets } => write!(
                f,
                "{packets} packets are larger than a segment: turn segmentation offload off \
                 (ethtool -K … tso off gso off gro off); losses and packet counts are not the wire's"
            ),
            Self::MissingAtReceiver { bytes } => {
                write!(
                    f,
                    "the receiver acknowledged {bytes} bytes that its capture lacks: it dropped packets"
                )
            }
            Self::MissingAtSender { bytes } => {
                write!(
                    f,
                    "{bytes} bytes arrived that the sender's capture lacks: it dropped packets or began late"
                )
            }
            Self::Unsent { direction, packets } => {
                write!(
                    f,
                    "{packets} packets {direction} arrived without having been captured where they left"
                )
            }
            Self::Fragments { packets } => {
                write!(f, "{packets} IP fragments were skipped: lower the MSS")
            }
        }
    }
}

/// All that two captures tell about a stream.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Which flow it is about.
    pub flow: Flow,
    /// The figures of the contract.
    pub metrics: TraceMetrics,
    /// Sent, arrived and missing packets of the connection; whoever has the
    /// emulator's counters compares `dropped_packets` with them.
    pub check: LaneCheck,
    /// Message by message.
    pub messages: Vec<MessageLatency>,
    /// Every byte that was sent, range by range, in order of the stream.
    pub ranges: Vec<DeliveredRange>,
    /// The sender's payload accounts.
    pub traffic: Traffic,
    /// Packets from sender to receiver.
    pub forward: DirectionCount,
    /// Packets from receiver to sender.
    pub backward: DirectionCount,
    /// The receiver's clock against the sender's, where they were separate.
    pub clock: Option<ClockRelation>,
    /// What to look at before trusting the result.
    pub warnings: Vec<Warning>,
}

/// Analyses the connection that two captures have in common.
///
/// # Errors
/// [`AnalyzeError`], when they do not belong together or leave a choice open.
pub fn analyze(
    sender: &Capture,
    receiver: &Capture,
    options: &Options,
) -> Result<Analysis, AnalyzeError> {
    let flow = flow::choose(sender, receiver, options.flow)?;
    let (here, there) = (EndView::new(sender, &flow), EndView::new(receiver, &flow));
    let origin = flow::origin(&here, &there, &flow)?;
    let mut sending = traffic::read(&here, origin);
    if sending.data.is_empty() {
        return Err(AnalyzeError::NoData { flow });
    }
    let mut forward = pairing::pair(&here.forward, &there.forward);
    let mut backward = pairing::pair(&there.backward, &here.backward);
    let data_arrived = there.forward.iter().any(|packet| packet.payload_bytes > 0);
    if data_arrived && forward.is_empty() {
        return Err(AnalyzeError::DifferentConnections { flow });
    }
    let relation = match options.clock {
        Clock::Shared => None,
        Clock::Separate => Some(fit_clocks(&here, &there, &forward, &backward)?),
    };
    let times = Times::new(
        &here,
        &there,
        relation.unwrap_or_default(),
        sender,
        receiver,
    );
    times.settle([&mut forward, &mut backward], &here, &there);
    let receiving = delivery::read(&there, origin, &times.forward_arrived);
    settle_traffic(&mut sending, &receiving, &forward);
    let ranges = delivery::join(&sending.first_sent, &receiving);
    expect_causality(&ranges, times.slack_ns)?;
    let ends = options.message_ends.clone();
    let ends = ends.unwrap_or_else(|| sending.first_sent.iter().map(|piece| piece.end).collect());
    let messages = message::messages(&ranges, &ends)?;
    let warnings = warnings(
        sender,
        receiver,
        &here,
        &there,
        &receiving,
        &ranges,
        [forward.count, backward.count],
    );
    Ok(Analysis {
        flow,
        metrics: metrics(
            &sending.traffic,
            &ranges,
            &messages,
            [forward.count, backward.count],
        ),
        check: LaneCheck {
            forward: Some(check(&forward.count)),
            backward: Some(check(&backward.count)),
        },
        messages,
        ranges,
        traffic: sending.traffic,
        forward: forward.count,
        backward: backward.count,
        clock: relation,
        warnings,
    })
}

/// Every packet's instant, on the sender's clock.
struct Times {
    forward_departed: Vec<i64>,
    forward_arrived: Vec<i64>,
    backward_departed: Vec<i64>,
    backward_arrived: Vec<i64>,
    relation: ClockRelation,
    slack_ns: i64,
}

impl Times {
    fn new(
        here: &EndView,
        there: &EndView,
        relation: ClockRelation,
        sender: &Capture,
        receiver: &Capture,
    ) -> Self {
        let own = |packets: &[&Packet]| packets.iter().map(|packet| packet.at_ns).collect();
        let moved = |packets: &[&Packet]| {
            packets
                .iter()
                .map(|packet| relation.on_senders_clock(packet.at_ns))
                .collect()
        };
        Self {
            forward_departed: own(&here.forward),
            forward_arrived: moved(&there.forward),
            backward_departed: moved(&there.backward),
            backward_arrived: own(&here.backward),
            relation,
            slack_ns: i64::from(sender.resolution_ns) + i64::from(receiver.resolution_ns),
        }
    }

    fn settle(&self, [forward, backward]: [&mut Pairing; 2], here: &EndView, there: &EndView) {
        let ways = [
            (
                forward,
                &here.forward,
                &self.forward_departed,
                &self.forward_arrived,
            ),
            (
                backward,
                &there.backward,
                &self.backward_departed,
                &self.backward_arrived,
            ),
        ];
        let mut damaged = [
            damaged(&there.forward, &there.stray_forward),
            damaged(&here.backward, &here.stray_backward),
        ];
        for arrival in &mut damaged[0] {
            arrival.at_ns = self.relation.on_senders_clock(arrival.at_ns);
        }
        for ((pairing, departures, departed_ns, arrived_ns), damaged) in
            ways.into_iter().zip(damaged)
        {
            let slack_ns = self.slack_ns;
            let ends = Ends {
                departures,
                departed_ns,
                arrived_ns,
                slack_ns,
            };
            pairing.resolve(&ends, &damaged);
        }
    }
}

/// The damaged among some arrivals and strays, in order of time.
fn damaged<'a>(arrivals: &[&'a Packet], strays: &[&'a Packet]) -> Vec<Damaged<'a>> {
    let own = arrivals
        .iter()
        .enumerate()
        .map(|(index, packet)| (Some(index), *packet));
    let all = own.chain(strays.iter().map(|packet| (None, *packet)));
    let mut damaged: Vec<Damaged> = all
        .filter(|(_, packet)| packet.is_damaged())
        .map(|(index, packet)| Damaged {
            index,
            at_ns: packet.at_ns,
            packet,
        })
        .collect();
    damaged.sort_by_key(|arrival| arrival.at_ns);
    damaged
}

fn fit_clocks(
    here: &EndView,
    there: &EndView,
    forward: &Pairing,
    backward: &Pairing,
) -> Result<ClockRelation, AnalyzeError> {
    let forward: Vec<Crossing> = forward
        .pairs()
        .map(|(departure, arrival)| Crossing {
            senders_clock_ns: here.forward[departure].at_ns,
            receivers_clock_ns: there.forward[arrival].at_ns,
        })
        .collect();
    let backward: Vec<Crossing> = backward
        .pairs()
        .map(|(departure, arrival)| Crossing {
            senders_clock_ns: here.backward[arrival].at_ns,
            receivers_clock_ns: there.backward[departure].at_ns,
        })
        .collect();
    clock::fit(&forward, &backward)
}

/// What only the receiver's capture can tell about the sender's packets.
fn settle_traffic(sending: &mut Sending, receiving: &Receiving, forward: &Pairing) {
    let mut accepted = vec![false; forward.arrival_of.len()];
    for (arrival, departure) in forward.departure_of.iter().enumerate() {
        if let Some(departure) = departure {
            accepted[*departure] |= receiving.accepted[arrival];
        }
    }
    sending.traffic.count_spurious(&sending.data, &accepted);
    let data_of: std::collections::HashMap<usize, usize> = sending
        .data
        .iter()
        .enumerate()
        .map(|(index, data)| (data.packet, index))
        .collect();
    for piece in &receiving.first_arrived {
        let departure = forward.departure_of[piece.packet];
        let Some(data) = departure.and_then(|departure| data_of.get(&departure)) else {
            continue;
        };
        let data = &sending.data[*data];
        if data.is_bundle() {
            let old_end = piece.end.min(data.new_from);
            sending.traffic.bundle_hit_bytes += old_end.saturating_sub(piece.start);
        }
    }
}

fn expect_causality(ranges: &[DeliveredRange], slack_ns: i64) -> Result<(), AnalyzeError> {
    let early = |range: &DeliveredRange| range.sent_ns - range.arrived_ns.unwrap_or(i64::MAX);
    match ranges.iter().max_by_key(|range| early(range)) {
        Some(range) if early(range) > slack_ns => Err(AnalyzeError::ArrivedBeforeSent {
            offset: range.start,
            by_ns: early(range),
        }),
        _ => Ok(()),
    }
}

fn check(count: &DirectionCount) -> DirectionCheck {
    DirectionCheck {
        sent_packets: count.sent,
        received_packets: count.arrived,
        dropped_packets: count.lost,
    }
}

fn metrics(
    traffic: &Traffic,
    ranges: &[DeliveredRange],
    messages: &[MessageLatency],
    [forward, backward]: [DirectionCount; 2],
) -> TraceMetrics {
    let share = |part: u64, whole: u64| {
        if whole == 0 {
            0.0
        } else {
            part as f64 / whole as f64
        }
    };
    let delivered = ranges.iter().filter(|range| range.available_ns.is_some());
    let gaps = traffic.data_packets.saturating_sub(1);
    TraceMetrics {
        packets: traffic.data_packets,
        payload_bytes: traffic.payload_bytes,
        unique_bytes: traffic.unique_bytes,
        delivered_bytes: delivered.map(|range| range.end - range.start).sum(),
        retransmitted_bytes: traffic.retransmitted_bytes,
        retransmitted_packets: traffic.retransmitted_packets,
        retransmitted_share: share(traffic.retransmitted_bytes, traffic.payload_bytes),
        redundancy_share: share(
            traffic.payload_bytes - traffic.unique_bytes,
            traffic.payload_bytes,
        ),
        packet_payload_mean_bytes: share(traffic.payload_bytes, traffic.data_packets),
        lost_packets_forward: forward.lost,
        lost_packets_backward: backward.lost,
        loss_share_forward: share(forward.lost, forward.sent),
        loss_share_backward: share(backward.lost, backward.sent),
        iat_mean_ms: share(traffic.span_ns, gaps) / 1e6,
        transport: Some(latency(
            ranges,
            |range| range.arrived_ns,
            messages,
            MessageLatency::transport_ns,
        )),
        application: Some(latency(
            ranges,
            |range| range.available_ns,
            messages,
            MessageLatency::application_ns,
        )),
    }
}

fn latency(
    ranges: &[DeliveredRange],
    there_ns: fn(&DeliveredRange) -> Option<i64>,
    messages: &[MessageLatency],
    latency_ns: fn(&MessageLatency) -> Option<i64>,
) -> Latency {
    let by_byte = ranges.iter().filter_map(|range| {
        let latency_ns = there_ns(range)? - range.sent_ns;
        Some(Sample {
            latency_ns,
            weight: range.end - range.start,
        })
    });
    let by_message = messages
        .iter()
        .filter_map(latency_ns)
        .map(|latency_ns| Sample {
            latency_ns,
            weight: 1,
        });
    Latency {
        per_byte: Some(distribution(by_byte.collect())),
        per_message: Some(distribution(by_message.collect())),
    }
}

fn warnings(
    sender: &Capture,
    receiver: &Capture,
    here: &EndView,
    there: &EndView,
    receiving: &Receiving,
    ranges: &[DeliveredRange],
    [forward, backward]: [DirectionCount; 2],
) -> Vec<Warning> {
    let syns = here
        .forward
        .iter()
        .chain(&here.backward)
        .filter(|packet| packet.flags.syn());
    let mss = syns.filter_map(|packet| packet.mss_bytes).min();
    let large = |packet: &&&Packet| mss.is_some_and(|mss| packet.payload_bytes > u32::from(mss));
    let offloaded = here
        .forward
        .iter()
        .chain(&there.forward)
        .filter(large)
        .count() as u64;
    let length = |range: &DeliveredRange| range.end - range.start;
    let unseen =
        |range: &&DeliveredRange| range.arrived_ns.is_none() && range.end <= receiving.acknowledged;
    let missing_at_receiver = ranges.iter().filter(unseen).map(length).sum();
    let arrived: u64 = receiving
        .first_arrived
        .iter()
        .map(|piece| piece.end - piece.start)
        .sum();
    let known: u64 = ranges
        .iter()
        .filter(|range| range.arrived_ns.is_some())
        .map(length)
        .sum();
    let fragments = sender.skipped.fragments + receiver.skipped.fragments;
    [
        (offloaded, Warning::Offloaded { packets: offloaded }),
        (
            missing_at_receiver,
            Warning::MissingAtReceiver {
                bytes: missing_at_receiver,
            },
        ),
        (
            arrived - known,
            Warning::MissingAtSender {
                bytes: arrived - known,
            },
        ),
        (
            forward.unsent,
            Warning::Unsent {
                direction: Direction::Forward,
                packets: forward.unsent,
            },
        ),
        (
            backward.unsent,
            Warning::Unsent {
                direction: Direction::Backward,
                packets: backward.unsent,
            },
        ),
        (fragments, Warning::Fragments { packets: fragments }),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(_, warning)| warning)
    .collect()
}
