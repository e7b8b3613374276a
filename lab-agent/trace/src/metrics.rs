//! The figures of the contract.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{Copies, DirectionCheck, LaneCheck, Latency, LatencyDistribution, TraceMetrics};

use crate::distribution::{Sample, distribution};
use crate::message::MessageLatency;
use crate::pairing::DirectionCount;
use crate::ranges::DeliveredRange;
use crate::traffic::Traffic;

/// Distributions of a latency, by byte and by message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latencies {
    pub transport: Latency,
    pub application: Latency,
}

pub(crate) fn metrics(
    traffic: &Traffic,
    [forward, backward]: [DirectionCount; 2],
    delivered_bytes: u64,
    latencies: Latencies,
) -> TraceMetrics {
    let share = |part: u64, whole: u64| {
        if whole == 0 {
            0.0
        } else {
            part as f64 / whole as f64
        }
    };
    let gaps = traffic.data_packets.saturating_sub(1);
    TraceMetrics {
        packets: traffic.data_packets,
        payload_bytes: traffic.payload_bytes,
        unique_bytes: traffic.unique_bytes,
        delivered_bytes,
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
        transport: Some(latencies.transport),
        application: Some(latencies.application),
    }
}

/// Forward and backward.
pub(crate) fn check(counts: [DirectionCount; 2]) -> LaneCheck {
    let [forward, backward] = counts.map(|count| DirectionCheck {
        sent_packets: count.sent,
        received_packets: count.arrived + count.duplicated,
        dropped_packets: count.lost,
        duplicated_packets: count.duplicated,
        // Of them captures show no more than that packets came damaged.
        bit_errors: None,
    });
    LaneCheck {
        forward: Some(forward),
        backward: Some(backward),
    }
}

impl Traffic {
    /// In the contract's terms.
    pub fn copies(&self) -> Copies {
        Copies {
            bundle_packets: self.bundle_packets,
            bundled_bytes: self.bundled_bytes,
            bundle_hit_bytes: self.bundle_hit_bytes,
            spurious_packets: self.spurious_packets,
            spurious_bytes: self.spurious_bytes,
        }
    }
}

impl Latencies {
    pub(crate) fn of<'a>(
        ranges: &(impl Iterator<Item = &'a DeliveredRange> + Clone),
        messages: &(impl Iterator<Item = &'a MessageLatency> + Clone),
    ) -> Self {
        let latency = |by_byte: fn(&DeliveredRange) -> Option<Sample>,
                       by_message: fn(&MessageLatency) -> Option<i64>| {
            let messages = messages.clone().filter_map(by_message);
            Latency {
                per_byte: Some(distribution(ranges.clone().filter_map(by_byte).collect())),
                per_message: Some(distribution(messages.map(message_sample).collect())),
            }
        };
        Self {
            transport: latency(DeliveredRange::transport, MessageLatency::transport_ns),
            application: latency(DeliveredRange::application, MessageLatency::application_ns),
        }
    }
}

pub(crate) fn message_sample(latency_ns: i64) -> Sample {
    Sample {
        latency_ns,
        weight: 1,
    }
}

/// Both weighings of one latency.
pub(crate) fn latency(per_byte: LatencyDistribution, per_message: LatencyDistribution) -> Latency {
    Latency {
        per_byte: Some(per_byte),
        per_message: Some(per_message),
    }
}

impl DeliveredRange {
    pub(crate) fn bytes(&self) -> u64 {
        self.end - self.start
    }

    fn transport(&self) -> Option<Sample> {
        self.sample(self.arrived_ns)
    }

    fn application(&self) -> Option<Sample> {
        self.sample(self.available_ns)
    }

    /// Its bytes' latency until an instant.
    pub(crate) fn sample(&self, until_ns: Option<i64>) -> Option<Sample> {
        Some(Sample {
            latency_ns: until_ns? - self.sent_ns,
            weight: self.bytes(),
        })
    }
}
