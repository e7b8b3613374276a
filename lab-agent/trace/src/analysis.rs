//! Two captures of one connection to its latencies, shares and losses.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{DirectionCheck, LaneCheck, Latency, TraceMetrics};

use crate::capture::{Capture, Packet};
use crate::clock::{self, ClockRelation, Crossing};
use crate::delivery::{self, DeliveredRange, Receiving};
use crate::distribution::{Sample, distribution};
use crate::error::AnalyzeError;
use crate::flow::{self, EndView, Flow};
use crate::message::{self, MessageLatency};
use crate::pairing::{self, Damaged, DirectionCount, Ends, Pairing};
use crate::traffic::{self, Sending, Traffic};
use crate::warning::{self, Warning};

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
    let warnings = warning::warnings(
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
    let mut data_of = vec![None; forward.arrival_of.len()];
    for data in &sending.data {
        data_of[data.packet] = Some(*data);
    }
    for piece in &receiving.first_arrived {
        let departure = forward.departure_of[piece.packet];
        let Some(data) = departure.and_then(|departure| data_of[departure]) else {
            continue;
        };
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
