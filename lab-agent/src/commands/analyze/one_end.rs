//! One capture alone: what it tells, and null for what only the other end's would.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::Write as _;

use serde_json::{Value, json};
use thinlab_trace::{AtReceiver, AtSender};

use super::json::chunks_json;
use super::table::{chunk_lines, quantiles_head, quantiles_row};

pub(super) fn sender_json(told: &AtSender) -> Value {
    let traffic = &told.traffic;
    let share = |bytes: u64| bytes as f64 / traffic.payload_bytes.max(1) as f64;
    let mut whole = json!({
        "flow": { "sender": told.flow.sender.to_string(), "receiver": told.flow.receiver.to_string() },
        "metrics": {
            "packets": traffic.data_packets,
            "payload_bytes": traffic.payload_bytes,
            "unique_bytes": traffic.unique_bytes,
            "delivered_bytes": null,
            "retransmitted_bytes": traffic.retransmitted_bytes,
            "retransmitted_packets": traffic.retransmitted_packets,
            "retransmitted_share": share(traffic.retransmitted_bytes),
            "redundancy_share": share(traffic.payload_bytes - traffic.unique_bytes),
            "packet_payload_mean_bytes": mean_bytes(traffic.payload_bytes, traffic.data_packets),
            "lost_packets_forward": null,
            "lost_packets_backward": null,
            "loss_share_forward": null,
            "loss_share_backward": null,
            "iat_mean_ms": iat_ms(traffic.span_ns, traffic.data_packets),
            "transport": null,
            "application": null,
        },
        "forward": null,
        "backward": null,
        "traffic": {
            "bundle_packets": traffic.bundle_packets,
            "bundled_bytes": traffic.bundled_bytes,
            "bundle_hit_bytes": null,
            "spurious_packets": null,
            "spurious_bytes": null,
            "probe_packets": traffic.probe_packets,
        },
        "acknowledged_bytes": told.acknowledged_bytes,
        "fast_retransmissions": told.fast_packets,
        "timeout_retransmissions": told.timeout_packets,
        "estimated_loss_share": traffic.estimated_loss_share(),
        "time_to_ack": told.time_to_ack,
        "retransmissions": null,
        "messages": null,
    });
    if let Some(chunks) = &told.chunks {
        let mut chunks = chunks_json(chunks);
        for unknown in ["spurious", "bundled_in_vain"] {
            chunks[unknown] = Value::Null;
        }
        whole["protocol"] = "sctp".into();
        whole["chunks"] = chunks;
    }
    whole
}

pub(super) fn receiver_json(told: &AtReceiver) -> Value {
    json!({
        "flow": told.flow.map(|flow| json!({
            "sender": flow.sender.to_string(), "receiver": flow.receiver.to_string(),
        })),
        "metrics": null,
        "forward": null,
        "backward": null,
        "traffic": null,
        "arrived": {
            "packets": told.packets,
            "payload_bytes": told.payload_bytes,
            "unique_bytes": told.unique_bytes,
            "delivered_bytes": told.delivered_bytes,
            "out_of_order_packets": told.out_of_order_packets,
            "damaged_packets": told.damaged_packets,
            "duplicate_acks": told.duplicate_acks,
            "iat_mean_ms": iat_ms(told.span_ns, told.packets),
        },
        "waiting": told.waiting,
        "messages": null,
    })
}

pub(super) fn sender_table(told: &AtSender) -> String {
    let traffic = &told.traffic;
    let mut out = format!(
        "stream    {} → {}\ncapture   the sender's alone: losses and latencies are not known\n\n",
        told.flow.sender, told.flow.receiver
    );
    let mut line = |name: &str, bytes: u64, rest: String| {
        let share = 100.0 * bytes as f64 / traffic.payload_bytes.max(1) as f64;
        let _ = writeln!(out, "  {name:<22}{bytes:>12}  {share:>6.2} %   {rest}");
    };
    let sent = format!(
        "{} packets, mean {:.1} bytes, every {:.3} ms",
        traffic.data_packets,
        mean_bytes(traffic.payload_bytes, traffic.data_packets),
        iat_ms(traffic.span_ns, traffic.data_packets)
    );
    line("payload, copies too", traffic.payload_bytes, sent);
    line("distinct", traffic.unique_bytes, String::new());
    line("acknowledged", told.acknowledged_bytes, String::new());
    let again = format!(
        "{} packets, {} fast, {} by timeout",
        traffic.retransmitted_packets, told.fast_packets, told.timeout_packets
    );
    line("retransmitted", traffic.retransmitted_bytes, again);
    line(
        "bundled",
        traffic.bundled_bytes,
        format!("{} packets", traffic.bundle_packets),
    );
    if let Some(chunks) = &told.chunks {
        chunk_lines(&mut out, chunks, false);
    }
    let estimated = 100.0 * traffic.estimated_loss_share();
    let _ = writeln!(
        out,
        "\n  loss, as estimated {estimated:.2} %: retransmissions of all data packets"
    );
    quantiles_head(&mut out);
    quantiles_row(&mut out, "until acknowledged", &told.time_to_ack);
    out
}

pub(super) fn receiver_table(told: &AtReceiver) -> String {
    let mut out = String::new();
    if let Some(flow) = told.flow {
        let _ = writeln!(out, "stream    {} → {}", flow.sender, flow.receiver);
    }
    let _ = writeln!(
        out,
        "capture   the receiver's alone: losses and latencies are not known\n\n  \
         {} packets of {} bytes arrived, every {:.3} ms: {} bytes distinct, {} of them available in order\n  \
         {} packets out of order, {} damaged; {} duplicate ACKs",
        told.packets,
        told.payload_bytes,
        iat_ms(told.span_ns, told.packets),
        told.unique_bytes,
        told.delivered_bytes,
        told.out_of_order_packets,
        told.damaged_packets,
        told.duplicate_acks,
    );
    quantiles_head(&mut out);
    quantiles_row(&mut out, "waited for earlier bytes", &told.waiting);
    out
}

fn mean_bytes(bytes: u64, packets: u64) -> f64 {
    bytes as f64 / packets.max(1) as f64
}

fn iat_ms(span_ns: u64, packets: u64) -> f64 {
    span_ns as f64 / packets.saturating_sub(1).max(1) as f64 / 1e6
}
