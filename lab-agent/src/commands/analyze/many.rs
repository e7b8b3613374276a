//! Captures of many connections: a line each, or a list in JSON.
// SPDX-License-Identifier: Apache-2.0

use std::io::{self, BufWriter, Write};

use lab_proto::Latency;
use serde_json::{Value, json};
use thinlab_trace::{AnalyzeError, InBoth, Incarnation, Summary};

use super::json::as_json;

/// Prints each connection when it is told of, and keeps none.
pub(super) struct Printer {
    out: BufWriter<io::StdoutLock<'static>>,
    as_list: bool,
    told: usize,
    without_data: usize,
}

impl Printer {
    pub(super) fn new(as_list: bool) -> io::Result<Self> {
        let mut out = BufWriter::new(io::stdout().lock());
        if as_list {
            writeln!(out, "{{\"connections\": [")?;
        } else {
            head(&mut out)?;
        }
        Ok(Self {
            out,
            as_list,
            told: 0,
            without_data: 0,
        })
    }

    pub(super) fn tell(
        &mut self,
        which: &InBoth,
        told: Result<Summary, AnalyzeError>,
    ) -> io::Result<()> {
        let is_first = self.told == 0;
        self.told += 1;
        if self.as_list {
            let mut told = match told {
                Ok(summary) => as_json(&summary),
                Err(error) => json!({ "flow": flow(&which.first), "error": error.to_string() }),
            };
            told["incarnation"] = which.first.number.into();
            let comma = if is_first { "" } else { "," };
            return writeln!(self.out, "{comma}{told}");
        }
        match told {
            Ok(summary) => row(&mut self.out, which, &summary),
            Err(AnalyzeError::NoData { .. }) => {
                self.without_data += 1;
                Ok(())
            }
            Err(error) => {
                let error = error.to_string();
                let first_line = error.lines().next().unwrap_or_default();
                writeln!(self.out, "{:<47}{first_line}", name(which))
            }
        }
    }

    /// All that are in both captures were told of.
    pub(super) fn end(mut self, [first, second]: &[Vec<Incarnation>; 2]) -> io::Result<()> {
        let out = &mut self.out;
        if self.as_list {
            let alone = |list: &[Incarnation]| list.iter().map(alone).collect::<Value>();
            writeln!(out, "],")?;
            writeln!(out, "\"in_first_only\": {},", alone(first))?;
            writeln!(out, "\"in_second_only\": {}", alone(second))?;
            writeln!(out, "}}")?;
        } else {
            writeln!(
                out,
                "\n{} connections in both captures, {} of them without data; {} in the first only, {} in \
                 the second only; latencies: application, by byte; one alone: --flow",
                self.told,
                self.without_data,
                first.len(),
                second.len(),
            )?;
        }
        out.flush()
    }
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

fn head(out: &mut impl Write) -> io::Result<()> {
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
    )
}

fn row(out: &mut impl Write, which: &InBoth, analysis: &Summary) -> io::Result<()> {
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
