//! One capture of a connection: what it tells by itself, and no more. Whether a
//! packet was lost, and how long the way took, only the other end's would tell.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{Chunks, LatencyDistribution, Recovery};

use crate::capture::{Capture, Protocol};
use crate::datagrams::{self, Datagrams};
use crate::distribution::{Sample, distribution};
use crate::error::{AnalyzeError, Direction, End};
use crate::flow::{self, EndView, Flow};
use crate::leaf::{Leaf, Tcp};
use crate::ranges::{DeliveredRange, Ranges};
use crate::receiving::{Receiving, Taken};
use crate::sctp::Association;
use crate::sending::{Sending, Sent};
use crate::traffic::Traffic;

/// What the capture at a stream's sender tells.
#[derive(Clone, Debug)]
pub struct AtSender {
    /// Which flow it is about.
    pub flow: Flow,
    /// The payload accounts. Which copies were needed, nobody knows here: what is
    /// spurious and what a bundle brought first are 0.
    pub traffic: Traffic,
    /// The accounts of chunks, if it is SCTP's, without what is spurious; and what the
    /// receiver said as far as it came.
    pub chunks: Option<Chunks>,
    /// Bytes of the stream that acknowledgements covered.
    pub acknowledged_bytes: u64,
    /// Retransmissions that acknowledgements called for.
    pub fast_packets: u64,
    /// Those of the timer, probes of it included.
    pub timeout_packets: u64,
    /// From the first transmission of a packet's new bytes until they were acknowledged.
    pub time_to_ack: LatencyDistribution,
}

/// What the capture at a stream's receiver tells.
#[derive(Clone, Debug, Default)]
pub struct AtReceiver {
    /// Which flow it is about; none before it was chosen.
    pub flow: Option<Flow>,
    /// Whole packets of the stream that came and were taken.
    pub packets: u64,
    /// Bytes in them.
    pub payload_bytes: u64,
    /// Distinct bytes among those.
    pub unique_bytes: u64,
    /// Of those, available in order.
    pub delivered_bytes: u64,
    /// Packets whose new bytes lie in front of bytes that were there before: reordered,
    /// or sent again.
    pub out_of_order_packets: u64,
    /// Packets whose checksum was wrong.
    pub damaged_packets: u64,
    /// Acknowledgements that only repeat the one before.
    pub duplicate_acks: u64,
    /// Between the first and the last of the packets.
    pub span_ns: u64,
    /// How long each byte waited for bytes in front of it.
    pub waiting: LatencyDistribution,
}

/// Analyses the sender's capture alone.
///
/// # Errors
/// [`AnalyzeError`], when it holds several flows, not the one asked for, or no data.
pub fn at_sender(capture: &Capture, wanted: Option<Flow>) -> Result<AtSender, AnalyzeError> {
    let flow = flow::choose_one(capture, End::Sender, wanted)?;
    let view = EndView::new(capture, &flow);
    let origin = flow::origin(&view, &EndView::default(), &flow)?;
    if view.protocol == Protocol::Sctp {
        let nothing = EndView::default();
        let mut association = Association::of(&view, &nothing, (Some(origin), None));
        let mut told = sent(flow, &view, origin, &mut association)?;
        let never = std::iter::repeat(false);
        let answers = view.backward.iter();
        let answers = answers.map(|answer| answer.chunks_in(view.chunks));
        told.chunks = Some(association.accounts(&view.forward, never, answers));
        return Ok(told);
    }
    if view.protocol.is_of_datagrams() {
        return sent(flow, &view, origin, &mut Datagrams::default());
    }
    sent(flow, &view, origin, &mut Tcp)
}

fn sent(
    flow: Flow,
    view: &EndView,
    origin: u32,
    leaf: &mut impl Leaf,
) -> Result<AtSender, AnalyzeError> {
    let mut sending = Sending::new(Some(origin));
    sending.measure_acks();
    let mut told = AtSender {
        flow,
        traffic: Traffic::default(),
        chunks: None,
        acknowledged_bytes: 0,
        fast_packets: 0,
        timeout_packets: 0,
        time_to_ack: LatencyDistribution::default(),
    };
    let mut first_ns = None;
    for (is_forward, packet) in view.in_order() {
        if !is_forward {
            if packet.flags.ack() && !packet.is_damaged() {
                leaf.hear(Direction::Backward, &mut sending, packet);
            }
            continue;
        }
        let mut sent = Sent::default();
        leaf.depart(Direction::Forward, &mut sending, packet, &mut sent);
        told.traffic.probe_packets += u64::from(sent.is_probe);
        let Some(carried) = sent.carried else {
            continue;
        };
        told.traffic.count(&carried);
        let first_ns = *first_ns.get_or_insert(packet.at_ns);
        told.traffic.span_ns = (packet.at_ns - first_ns).max(0) as u64;
        told.fast_packets += u64::from(sent.cause == Recovery::Fast);
        told.timeout_packets += u64::from(sent.cause == Recovery::Timeout);
    }
    if told.traffic.data_packets == 0 {
        return Err(AnalyzeError::NoData { flow });
    }
    told.acknowledged_bytes = sending.acknowledged().min(told.traffic.unique_bytes);
    let samples = sending.to_acks_ns().iter().map(|latency_ns| Sample {
        latency_ns: *latency_ns,
        weight: 1,
    });
    told.time_to_ack = distribution(samples.collect());
    Ok(told)
}

/// Analyses the receiver's capture alone.
///
/// # Errors
/// [`AnalyzeError`], when it holds several flows, not the one asked for, or no data.
pub fn at_receiver(capture: &Capture, wanted: Option<Flow>) -> Result<AtReceiver, AnalyzeError> {
    let flow = flow::choose_one(capture, End::Receiver, wanted)?;
    let view = EndView::new(capture, &flow);
    let origin = match flow::origin(&EndView::default(), &view, &flow) {
        Ok(origin) => Some(origin),
        Err(AnalyzeError::NoData { .. }) => None,
        Err(error) => return Err(error),
    };
    if view.protocol == Protocol::Sctp {
        let nothing = EndView::default();
        let mut association = Association::of(&nothing, &view, (origin, None));
        let (told, mut ranges, acknowledged) = came(flow, &view, origin, &mut association)?;
        association.deliver(&mut ranges, acknowledged);
        return Ok(told.with(&ranges));
    }
    if view.protocol.is_of_datagrams() {
        let mut leaf = Datagrams::at_receiver(&view);
        let (told, mut ranges, _) = came(flow, &view, origin, &mut leaf)?;
        datagrams::deliver(&mut ranges);
        return Ok(told.with(&ranges));
    }
    let (told, ranges, _) = came(flow, &view, origin, &mut Tcp)?;
    Ok(told.with(&ranges))
}

fn came(
    flow: Flow,
    view: &EndView,
    origin: Option<u32>,
    leaf: &mut impl Leaf,
) -> Result<(AtReceiver, Vec<DeliveredRange>, u64), AnalyzeError> {
    let mut receiving = Receiving::new(origin);
    let mut ranges = Ranges::default();
    let mut told = AtReceiver {
        flow: Some(flow),
        ..AtReceiver::default()
    };
    let (mut first_ns, mut highest) = (None, 0);
    for (is_forward, packet) in view.in_order() {
        if !is_forward {
            if packet.flags.ack() {
                let said = leaf.say(Direction::Backward, &mut receiving, packet);
                told.duplicate_acks += u64::from(said.duplicate);
                ranges.acknowledge(receiving.acknowledged());
            }
            continue;
        }
        if packet.is_damaged() {
            told.damaged_packets += 1;
            continue;
        }
        let mut taken = Taken::default();
        leaf.take(Direction::Forward, &mut receiving, packet, &mut taken);
        if !taken.accepted {
            continue;
        }
        told.packets += 1;
        told.payload_bytes += u64::from(packet.payload_bytes);
        let first_ns = *first_ns.get_or_insert(packet.at_ns);
        told.span_ns = (packet.at_ns - first_ns).max(0) as u64;
        let in_front = taken.new.iter().any(|(start, _)| *start < highest);
        told.out_of_order_packets += u64::from(in_front);
        for (start, end) in taken.new {
            highest = highest.max(end);
            told.unique_bytes += end - start;
            ranges.depart(start, end, packet.at_ns);
            ranges.arrive(start, end, packet.at_ns);
        }
    }
    if told.packets == 0 {
        return Err(AnalyzeError::NoData { flow });
    }
    let acknowledged = receiving.acknowledged();
    Ok((told, ranges.into_sent(), acknowledged))
}

impl AtReceiver {
    /// With what its ranges say.
    fn with(mut self, ranges: &[DeliveredRange]) -> Self {
        let available = ranges.iter().filter(|range| range.available_ns.is_some());
        self.delivered_bytes = available.map(DeliveredRange::bytes).sum();
        let waits = ranges
            .iter()
            .filter_map(|range| range.sample(range.available_ns));
        self.waiting = distribution(waits.collect());
        self
    }
}
