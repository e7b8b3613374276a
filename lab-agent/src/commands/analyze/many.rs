//! Captures of many connections: a line each, or a list in JSON.
// SPDX-License-Identifier: Apache-2.0

use std::io::{self, BufWriter, Write};

use lab_proto::Latency;
use serde_json::{Value, json};
use thinlab_trace::{Analysis, AnalyzeError, Connections, InBoth, Incarnation, Options};

use super::json::as_json;

/// Analyses all connections, one after the other, and prints each as soon as it is
/// done: none is kept.
pub(super) fn print(connections: &Connections, options: &Options, as_list: bool) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if as_list {
        list(&mut out, connections, options)?;
    } else {
        table(&mut out, connections, options)?;
    }
    out.flush()
}

fn list(out: &mut impl Write, connections: &Connections, options: &Options) -> io::Result<()> {
    writeln!(out, "{{\"connections\": [")?;
    for (at, which) in connections.in_both.iter().enumerate() {
        let mut told = match connections.analyze(which, options) {
            Ok(analysis) => as_json(&analysis),
            Err(error) => json!({ "flow": flow(&which.first), "error": error.to_string() }),
        };
        told["incarnation"] = which.first.number.into();
        let comma = if at == 0 { "" } else { "," };
        writeln!(out, "{comma}{told}")?;
    }
    writeln!(out, "],")?;
    let [first, second] = &connections.in_one;
    let alone = |list: &[Incarnation]| list.iter().map(alone).collect::<Value>();
    writeln!(out, "\"in_first_only\": {},", alone(first))?;
    writeln!(out, "\"in_second_only\": {}", alone(second))?;
    writeln!(out, "}}")
}

fn flow(incarnation: &Incarnation) -> Value {
    let flow = incarnation.flow;
    json!({ "sender": flow.sender.to_string(), "receiver": flow.receiver.to_string() })
}

fn alone(incarnation: &Incarnation) -> Value {
    json!({
        "flow": flow(incarnation),
        "incarnation": incarnation.number,
        "packets": incarnation.packets,
    })
}

fn table(out: &mut impl Write, connections: &Connections, options: &Options) -> io::Result<()> {
    writeln!(
        out,
        "{:<47}{:>9}{:>12}{:>9}{:>9}{:>9}{:>11}{:>11}{:>11}{:>11}",
        "stream",
        "packets",
        "payload",
        "lost",
        "again",
        "bundled",
        "50 %",
        "99 %",
        "max",
        "until ACK"
    )?;
    writeln!(
        out,
        "{:<47}{:>9}{:>12}{:>9}{:>9}{:>9}{:>11}{:>11}{:>11}{:>11}",
        "", "", "bytes", "%", "%", "%", "ms", "ms", "ms", "50 %, ms"
    )?;
    let mut without = 0;
    for which in &connections.in_both {
        match connections.analyze(which, options) {
            Ok(analysis) => row(out, which, &analysis)?,
            Err(AnalyzeError::NoData { .. }) => without += 1,
            Err(error) => {
                let error = error.to_string();
                let first_line = error.lines().next().unwrap_or_default();
                writeln!(out, "{:<47}{first_line}", name(which))?;
            }
        }
    }
    writeln!(
        out,
        "\n{} connections in both captures, {without} of them without data; {} in the first only, {} \
         in the second only; latencies: application, by byte; one alone: --flow",
        connections.in_both.len(),
        connections.in_one[0].len(),
        connections.in_one[1].len(),
    )
}

fn row(out: &mut impl Write, which: &InBoth, analysis: &Analysis) -> io::Result<()> {
    let metrics = &analysis.metrics;
    let application = metrics
        .application
        .clone()
        .and_then(|Latency { per_byte, .. }| per_byte);
    let latency = application.unwrap_or_default();
    let of_payload = |bytes: u64| 100.0 * bytes as f64 / metrics.payload_bytes.max(1) as f64;
    let mut name = analysis.flow.to_string();
    if which.first.number > 1 {
        name = format!("{name}#{}", which.first.number);
    }
    writeln!(
        out,
        "{name:<47}{:>9}{:>12}{:>9.2}{:>9.2}{:>9.2}{:>11.3}{:>11.3}{:>11.3}{:>11.3}",
        metrics.packets,
        metrics.payload_bytes,
        100.0 * metrics.loss_share_forward,
        100.0 * metrics.retransmitted_share,
        of_payload(analysis.traffic.bundled_bytes),
        latency.p50_us / 1e3,
        latency.p99_us / 1e3,
        latency.max_us / 1e3,
        analysis.recoveries.time_to_ack.p50_us / 1e3,
    )
}

fn name(which: &InBoth) -> String {
    format!("{}#{}", which.first.flow, which.first.number)
}
