//! An analysis as JSON.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{Chunks, Recovery};
use serde_json::{Value, json};
use thinlab_trace::{
    Analysis, ChunkKind, ClockStep, DirectionCount, MessageLatency, PacketKind, PacketPassage,
    PacketRecord, RecordedChunk, Records, SetClock, Summary,
};

pub(super) fn as_json(analysis: &Summary) -> Value {
    let direction = |count: &DirectionCount| {
        json!({
            "sent_packets": count.sent,
            "arrived_packets": count.arrived,
            "lost_packets": count.lost,
            "duplicated_packets": count.duplicated,
            "damaged_packets": count.damaged,
            "unsent_packets": count.unsent,
        })
    };
    let traffic = &analysis.traffic;
    let mut whole = json!({
        "flow": { "sender": analysis.flow.sender.to_string(), "receiver": analysis.flow.receiver.to_string() },
        "metrics": analysis.metrics,
        "forward": direction(&analysis.forward),
        "backward": direction(&analysis.backward),
        "traffic": {
            "bundle_packets": traffic.bundle_packets,
            "bundled_bytes": traffic.bundled_bytes,
            "bundle_hit_bytes": traffic.bundle_hit_bytes,
            "spurious_packets": traffic.spurious_packets,
            "spurious_bytes": traffic.spurious_bytes,
            "probe_packets": traffic.probe_packets,
        },
        "estimated_loss_share": traffic.estimated_loss_share(),
        "time_to_ack": analysis.recoveries.time_to_ack,
        "retransmissions": analysis.recoveries.by_ordinal,
        "clock": analysis.clock.map(|clock| json!({
            "receiver_ahead_ns": clock.offset_ns,
            "receiver_drift_ppm": clock.drift * 1e6,
        })),
        "clock_steps": analysis.clock_steps.iter().map(clock_step_json).collect::<Vec<_>>(),
        "warnings": analysis.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    if let Some(chunks) = &analysis.chunks {
        whole["protocol"] = "sctp".into();
        whole["chunks"] = chunks_json(chunks);
    }
    whole
}

/// What became of an association's chunks.
pub(super) fn chunks_json(chunks: &Chunks) -> Value {
    let mut whole = json!(chunks);
    whole["retransmitted"] = chunks.retransmitted().into();
    whole
}

/// A packet of an association and its chunks.
pub(super) fn sctp_packet_json(record: &PacketRecord, records: &Records) -> Value {
    let mut packet = packet_json(&record.passage);
    let chunks = records.chunks_of(record).iter();
    packet["chunks"] = chunks.map(chunk_json).collect();
    packet
}

fn chunk_json(chunk: &RecordedChunk) -> Value {
    match chunk {
        RecordedChunk::Data(copy) => json!({
            "tsn": copy.data.tsn,
            "stream": copy.data.stream,
            "message": copy.data.message,
            "bytes": copy.data.bytes,
            "begins": copy.data.begins(),
            "ends": copy.data.ends(),
            "unordered": copy.data.is_unordered(),
            "kind": match copy.kind {
                ChunkKind::New => "new",
                ChunkKind::Bundled => "bundled",
                ChunkKind::Fast => "fast",
                ChunkKind::Timeout => "timeout",
                ChunkKind::WithFast => "bundled_with_fast",
                ChunkKind::WithTimeout => "bundled_with_timeout",
            },
            "spurious": copy.is_spurious,
        }),
        RecordedChunk::Sack(sack) => json!({
            "cumulative_tsn": sack.cumulative,
            "gap_blocks": sack.blocks,
            "tsns_beyond": sack.beyond,
            "duplicate_tsns": sack.duplicates,
        }),
    }
}

/// Instants as stamped, since 1970.
fn clock_step_json(step: &ClockStep) -> Value {
    json!({
        "clock": match step.clock {
            SetClock::Sender => Some("sender"),
            SetClock::Receiver => Some("receiver"),
            SetClock::Shared => Some("shared"),
            SetClock::Either => None,
        },
        "sender_frame": step.sender_frame,
        "receiver_frame": step.receiver_frame,
        "at_ns": step.at_ns,
        "by_ns": step.by_ns,
        "uncertainty_ns": step.uncertainty_ns,
    })
}

/// Every message.
pub(super) fn messages_json(analysis: &Analysis) -> Value {
    let origin_ns = analysis.ranges.first().map_or(0, |range| range.sent_ns);
    let messages = analysis.messages.iter();
    messages
        .map(|message| message_json(message, origin_ns))
        .collect()
}

/// Instants as stamped, since 1970: whoever lists packets has other instants to
/// put beside them.
pub(super) fn packet_json(passage: &PacketPassage) -> Value {
    json!({
        "forward": passage.forward,
        "kind": match passage.kind {
            PacketKind::Control => "control",
            PacketKind::Acknowledgement => "acknowledgement",
            PacketKind::New => "new",
            PacketKind::Bundle => "bundle",
            PacketKind::Retransmission => "retransmission",
        },
        "sent_ns": passage.sent_ns,
        "arrived_ns": passage.arrived_ns,
        "start": passage.start,
        "end": passage.end,
        "new_from": passage.new_from,
        "acknowledged": passage.acknowledged,
        "duplicate": passage.duplicate,
        "selective": passage.selective,
        "cause": match passage.cause {
            Recovery::Fast => Some("fast"),
            Recovery::Timeout => Some("timeout"),
            _ => None,
        },
    })
}

/// Instants count from the first transmission of the stream's first byte.
fn message_json(message: &MessageLatency, origin_ns: i64) -> Value {
    let since = |instant: Option<i64>| instant.map(|at_ns| at_ns - origin_ns);
    json!({
        "start": message.start,
        "end": message.end,
        "sent_ns": since(message.sent_ns),
        "arrived_ns": since(message.arrived_ns),
        "available_ns": since(message.available_ns),
    })
}
