//! An analysis as a table to read.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::Write as _;

use lab_proto::Chunks;
use lab_proto::{Latency, LatencyDistribution};
use thinlab_trace::Summary;

use super::arguments::ClockChoice;

pub(super) fn as_table(analysis: &Summary, clock: ClockChoice) -> String {
    let mut out = String::new();
    let flow = analysis.flow;
    let _ = writeln!(out, "stream    {} → {}", flow.sender, flow.receiver);
    match analysis.clock {
        Some(relation) => {
            let _ = writeln!(
                out,
                "clocks    receiver {:+.6} s, drift {:+.3} ppm (removed; trust what is above the lowest)",
                relation.offset_ns / 1e9,
                relation.drift * 1e6
            );
        }
        None => {
            let _ = writeln!(out, "clocks    {clock:?}");
        }
    }
    sent(&mut out, analysis);
    if let Some(chunks) = &analysis.chunks {
        chunk_lines(&mut out, chunks, true);
    }
    path(&mut out, analysis);
    let metrics = &analysis.metrics;
    if let (Some(transport), Some(application)) = (&metrics.transport, &metrics.application) {
        latencies(&mut out, analysis, transport, application);
        curves(&mut out, transport, application);
    }
    out
}

fn sent(out: &mut String, analysis: &Summary) {
    let (metrics, traffic) = (&analysis.metrics, &analysis.traffic);
    let share = |bytes: u64| 100.0 * bytes as f64 / (metrics.payload_bytes.max(1)) as f64;
    let mut line = |name: &str, bytes: u64, packets: String| {
        let _ = writeln!(
            out,
            "  {name:<22}{bytes:>12}  {:>6.2} %   {packets}",
            share(bytes)
        );
    };
    line(
        "payload, copies too",
        metrics.payload_bytes,
        format!(
            "{} packets, mean {:.1} bytes, every {:.3} ms",
            metrics.packets, metrics.packet_payload_mean_bytes, metrics.iat_mean_ms
        ),
    );
    line("distinct", metrics.unique_bytes, String::new());
    line("available in order", metrics.delivered_bytes, String::new());
    line(
        "retransmitted",
        metrics.retransmitted_bytes,
        format!("{} packets", metrics.retransmitted_packets),
    );
    line(
        "  of those spurious",
        traffic.spurious_bytes,
        format!("{} packets", traffic.spurious_packets),
    );
    line(
        "bundled",
        traffic.bundled_bytes,
        format!("{} packets", traffic.bundle_packets),
    );
    line("  of those first", traffic.bundle_hit_bytes, String::new());
    let head = format!("\n  {:<22}{:>12}  {:>8}\n", "sent", "bytes", "share");
    let at = out.find("  payload,").unwrap_or(out.len());
    out.insert_str(at, &head);
}

/// What became of an association's chunks; without the other end, which copies were
/// needless is not known.
pub(super) fn chunk_lines(out: &mut String, chunks: &Chunks, has_both_ends: bool) {
    let needless = |count: u64| {
        if has_both_ends {
            format!(", {count} of them in vain")
        } else {
            String::new()
        }
    };
    let _ = writeln!(
        out,
        "\n  chunks        {} sent, {} of them new, in {} streams; {} unordered, {} fragments\n  \
         again         {} fast and {} with those, {} by timeout and {} with those{}\n  \
         bundled       {} with new ones{}\n  \
         reported      {} duplicate TSNs, {} gap ack blocks in {} SACKs (at the most {})",
        chunks.sent,
        chunks.new,
        chunks.streams,
        chunks.unordered,
        chunks.fragments,
        chunks.fast,
        chunks.bundled_with_fast,
        chunks.timeout,
        chunks.bundled_with_timeout,
        needless(chunks.spurious),
        chunks.bundled,
        needless(chunks.bundled_in_vain),
        chunks.duplicate_tsns,
        chunks.gap_blocks,
        chunks.sacks,
        chunks.most_gap_blocks,
    );
}

fn path(out: &mut String, analysis: &Summary) {
    let _ = writeln!(
        out,
        "\n  {:<14}{:>10}{:>10}{:>8}{:>10}{:>12}{:>9}",
        "packets", "sent", "arrived", "lost", "share", "duplicated", "damaged"
    );
    for (name, count) in [
        ("forward", &analysis.forward),
        ("backward", &analysis.backward),
    ] {
        let share = 100.0 * count.lost as f64 / count.sent.max(1) as f64;
        let _ = writeln!(
            out,
            "  {name:<14}{:>10}{:>10}{:>8}{share:>8.2} %{:>12}{:>9}",
            count.sent, count.arrived, count.lost, count.duplicated, count.damaged
        );
    }
    let estimated = 100.0 * analysis.traffic.estimated_loss_share();
    let _ = writeln!(
        out,
        "  {:<14}{:>28}{estimated:>8.2} %   retransmissions of all data packets",
        "as estimated", ""
    );
}

fn latencies(out: &mut String, analysis: &Summary, transport: &Latency, application: &Latency) {
    quantiles_head(out);
    let rows: [(&str, &Option<_>); 4] = [
        ("transport, by byte", &transport.per_byte),
        ("transport, by message", &transport.per_message),
        ("application, by byte", &application.per_byte),
        ("application, by message", &application.per_message),
    ];
    for (name, distribution) in rows {
        if let Some(distribution) = distribution {
            quantiles_row(out, name, distribution);
        }
    }
    let recoveries = &analysis.recoveries;
    for (at, distribution) in recoveries.by_ordinal.iter().enumerate() {
        let name = format!("retransmission {}, by byte", at + 1);
        quantiles_row(out, &name, distribution);
    }
    quantiles_row(out, "until acknowledged", &recoveries.time_to_ack);
}

/// A distribution of something.
pub(super) fn quantiles_row(out: &mut String, name: &str, distribution: &LatencyDistribution) {
    if distribution.samples == 0 {
        return;
    }
    let _ = write!(out, "  {name:<26}");
    for (_, us) in quantiles(distribution) {
        let _ = write!(out, "{:>10.3}", us / 1_000.0);
    }
    let _ = writeln!(out);
}

/// The names above its columns.
pub(super) fn quantiles_head(out: &mut String) {
    let _ = write!(out, "\n  {:<26}", "latency, ms");
    for (name, _) in quantiles(&LatencyDistribution::default()) {
        let _ = write!(out, "{name:>10}");
    }
    let _ = writeln!(out);
}

fn quantiles(of: &LatencyDistribution) -> [(&'static str, f64); 9] {
    [
        ("min", of.min_us),
        ("50 %", of.p50_us),
        ("90 %", of.p90_us),
        ("95 %", of.p95_us),
        ("98 %", of.p98_us),
        ("99 %", of.p99_us),
        ("99.9 %", of.p999_us),
        ("max", of.max_us),
        ("mean", of.mean_us),
    ]
}

/// Both layers' curves by byte: a row per share, a logarithmic axis of
/// milliseconds above the lowest.
fn curves(out: &mut String, transport: &Latency, application: &Latency) {
    const COLUMNS: usize = 61;
    const DECADES: [f64; 5] = [1.0, 10.0, 100.0, 1_000.0, 10_000.0];
    let (Some(transport), Some(application)) = (&transport.per_byte, &application.per_byte) else {
        return;
    };
    if application.samples == 0 {
        return;
    }
    let highest = (transport.max_us - transport.min_us)
        .max(application.max_us - application.min_us)
        / 1_000.0;
    let reach = (1.0 + highest).log10().max(1.0);
    let column = |ms: f64| ((1.0 + ms).log10() / reach * (COLUMNS - 1) as f64).round() as usize;
    let mut axis = vec![b' '; COLUMNS + 8];
    for decade in DECADES
        .into_iter()
        .filter(|decade| *decade <= highest.max(9.0))
    {
        let label = format!("{decade}");
        axis[column(decade)..column(decade) + label.len()].copy_from_slice(label.as_bytes());
    }
    axis[0] = b'0';
    let _ = writeln!(
        out,
        "\n  by byte      ms above the lowest (t transport, a application, * both)"
    );
    let _ = writeln!(
        out,
        "  {:>8}  {}",
        "",
        String::from_utf8_lossy(&axis).trim_end()
    );
    let rows = quantiles(transport).into_iter().zip(quantiles(application));
    for ((name, transport_us), (_, application_us)) in
        rows.filter(|((name, _), _)| !["min", "mean"].contains(name))
    {
        let transport_at = column((transport_us - transport.min_us) / 1_000.0);
        let application_at = column((application_us - application.min_us) / 1_000.0);
        let mut row = vec![b'.'; COLUMNS];
        row[transport_at] = b't';
        row[application_at] = if transport_at == application_at {
            b'*'
        } else {
            b'a'
        };
        let _ = writeln!(out, "  {name:>8}  {}", String::from_utf8_lossy(&row));
    }
}
