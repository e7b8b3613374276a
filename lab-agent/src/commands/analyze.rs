//! `lab-agent analyze SENDER RECEIVER`: two captures of one stream to a table,
//! or to JSON.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use lab_proto::{Latency, LatencyDistribution, Recovery};
use serde_json::{Value, json};
use thinlab_trace::{
    Analysis, Capture, Clock, DirectionCount, Flow, MessageLatency, Options, PacketKind,
    PacketPassage,
};

/// What `lab-agent analyze` is told.
#[derive(Args, Debug)]
pub struct AnalyzeArgs {
    /// Capture (pcap or pcapng) taken where the stream is sent.
    sender: PathBuf,
    /// Capture taken where it is received.
    receiver: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
    /// List every packet of both directions in the JSON, too.
    #[arg(long, requires = "json")]
    packets: bool,
    /// Which connection, and in which direction: SENDER:PORT-RECEIVER:PORT.
    #[arg(long)]
    flow: Option<Flow>,
    /// Whether one clock stamped both captures.
    #[arg(long, value_enum, default_value_t = ClockChoice::Shared)]
    clock: ClockChoice,
    /// The stream is made of messages of this size. Without it each packet's
    /// new bytes count as a message.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    message_bytes: Option<u64>,
    /// Where the stream's messages end: a file with rising offsets, one a line.
    #[arg(long, value_name = "FILE", conflicts_with = "message_bytes")]
    message_ends: Option<PathBuf>,
    /// Take a capture whose last record is cut short, up to there.
    #[arg(long)]
    accept_cut: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ClockChoice {
    /// One clock.
    Shared,
    /// Two clocks: offset and drift are fitted and removed.
    Separate,
}

/// Reads, analyses, prints to standard output; remarks go to standard error.
pub fn run(args: &AnalyzeArgs) -> Result<()> {
    let sender = read(&args.sender, args.accept_cut)?;
    let receiver = read(&args.receiver, args.accept_cut)?;
    let mut options = Options {
        flow: args.flow,
        clock: match args.clock {
            ClockChoice::Shared => Clock::Shared,
            ClockChoice::Separate => Clock::Separate,
        },
        message_ends: args.message_ends.as_deref().map(offsets).transpose()?,
    };
    let mut analysis = thinlab_trace::analyze(&sender, &receiver, &options)?;
    if let Some(bytes) = args.message_bytes {
        let sent = analysis.ranges.last().map_or(0, |range| range.end);
        options.message_ends = Some((1..=sent / bytes).map(|count| count * bytes).collect());
        analysis = thinlab_trace::analyze(&sender, &receiver, &options)?;
    }
    if args.json {
        let mut whole = as_json(&analysis);
        if args.packets {
            let passages = thinlab_trace::packets(&sender, &receiver, Some(analysis.flow))?;
            whole["packets"] = passages.iter().map(packet_json).collect();
        }
        println!("{}", serde_json::to_string_pretty(&whole)?);
    } else {
        print!("{}", as_table(&analysis, args.clock));
    }
    for warning in &analysis.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(())
}

fn read(path: &Path, accept_cut: bool) -> Result<Capture> {
    let bytes =
        std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let read =
        thinlab_trace::read_cut_capture(&bytes).with_context(|| path.display().to_string())?;
    match read.cut {
        None => {}
        Some(cut) if accept_cut => eprintln!("warning: {}: {cut}", path.display()),
        Some(cut) => bail!("{}: {cut} with --accept-cut", path.display()),
    }
    Ok(read.capture)
}

fn offsets(path: &Path) -> Result<Vec<u64>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read", path.display()))?;
    let offset = |(index, line): (usize, &str)| {
        line.trim().parse().with_context(|| {
            let number = index + 1;
            format!(
                "{}, line {number}: {line:?} is no stream offset",
                path.display()
            )
        })
    };
    text.lines().enumerate().map(offset).collect()
}

// ------------------------------------------------------------------- JSON

fn as_json(analysis: &Analysis) -> Value {
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
    let origin_ns = analysis.ranges.first().map_or(0, |range| range.sent_ns);
    json!({
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
        "clock": analysis.clock.map(|clock| json!({
            "receiver_ahead_ns": clock.offset_ns,
            "receiver_drift_ppm": clock.drift * 1e6,
        })),
        "messages": analysis.messages.iter().map(|message| message_json(message, origin_ns)).collect::<Vec<_>>(),
        "warnings": analysis.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// Instants as stamped, since 1970: whoever lists packets has other instants to
/// put beside them.
fn packet_json(passage: &PacketPassage) -> Value {
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

// ------------------------------------------------------------------ table

fn as_table(analysis: &Analysis, clock: ClockChoice) -> String {
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
    path(&mut out, analysis);
    let metrics = &analysis.metrics;
    if let (Some(transport), Some(application)) = (&metrics.transport, &metrics.application) {
        latencies(&mut out, transport, application);
        curves(&mut out, transport, application);
    }
    out
}

fn sent(out: &mut String, analysis: &Analysis) {
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

fn path(out: &mut String, analysis: &Analysis) {
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
}

fn latencies(out: &mut String, transport: &Latency, application: &Latency) {
    let _ = write!(out, "\n  {:<24}", "latency, ms");
    for (name, _) in quantiles(&LatencyDistribution::default()) {
        let _ = write!(out, "{name:>10}");
    }
    let _ = writeln!(out);
    let rows = [
        ("transport, by byte", &transport.per_byte),
        ("transport, by message", &transport.per_message),
        ("application, by byte", &application.per_byte),
        ("application, by message", &application.per_message),
    ];
    for (name, distribution) in rows {
        let Some(distribution) = distribution.as_ref().filter(|it| it.samples > 0) else {
            continue;
        };
        let _ = write!(out, "  {name:<24}");
        for (_, us) in quantiles(distribution) {
            let _ = write!(out, "{:>10.3}", us / 1_000.0);
        }
        let _ = writeln!(out);
    }
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
