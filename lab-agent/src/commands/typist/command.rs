//! The command `lab-agent type`: scripted terminals without backend or browser.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use lab_proto::{Editor, LaneSpec, TerminalOpen};
use serde_json::json;

use super::many::{Holdings, run_all};
use super::stroke::{self, Stroke};
use super::summary;
use super::typing::{self, AT_ONCE_MS, Typed};
use crate::boot::{ClockChoice, Host, HostOptions};
use crate::commands::lane::OneLane;
use crate::fault::{Fault, Outcome};

/// Types scripted keys into terminals on guests in real time, and prints what became of the keys
/// and what is left behind of the terminals, as JSON.
#[derive(Args)]
pub struct TypeCommand {
    #[command(flatten)]
    host: HostOptions,
    #[command(flatten)]
    lane: OneLane,
    /// What to type into.
    #[arg(long, value_enum, default_value = "nano")]
    editor: EditorName,
    /// Keys in each terminal.
    #[arg(long, default_value_t = 60)]
    keys: usize,
    /// The mean time between two keys.
    #[arg(long, default_value_t = 150.0)]
    iat_ms: f64,
    /// Terminals, one after the other.
    #[arg(long, default_value_t = 1)]
    sessions: usize,
    /// So many of them at a time.
    #[arg(long, default_value_t = 1)]
    at_once: usize,
    /// Also print every key's line.
    #[arg(long)]
    lines: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum EditorName {
    Vi,
    Nano,
}

impl TypeCommand {
    /// Types, and prints.
    pub async fn run(self) -> Outcome<()> {
        let host = Arc::new(Host::start(&self.host, ClockChoice::Real).await?);
        let before = Holdings::at_rest(&host).await?;
        let start = Instant::now();
        let mut typed = Vec::new();
        run_all(&host, self.scripts()?, self.at_once, |one| typed.push(one)).await?;
        let seconds = start.elapsed().as_secs_f64();
        let after = Holdings::settled(&host, &before).await?;
        let text = serde_json::to_string_pretty(&self.report(&typed, seconds, before, after));
        println!(
            "{}",
            text.map_err(|error| Fault::Failed(error.to_string()))?
        );
        Ok(())
    }

    fn scripts(&self) -> Outcome<Vec<(TerminalOpen, Vec<Stroke>)>> {
        if !(0.0..=60_000.0).contains(&self.iat_ms) {
            return Err(Fault::Invalid("--iat-ms must be from 0 to a minute".into()));
        }
        let only = [&self.lane.mechanisms].into_iter();
        self.lane.options.expect_bundling(only)?;
        let lane = self.lane.spec()?;
        let mean = Duration::from_secs_f64(self.iat_ms / 1000.0);
        let script = |index: usize| {
            let seed = lane.seed + index as u64;
            let lane = LaneSpec {
                seed,
                ..lane.clone()
            };
            (self.open(lane), self.strokes(mean, seed))
        };
        Ok((0..self.sessions).map(script).collect())
    }

    fn strokes(&self, mean: Duration, seed: u64) -> Vec<Stroke> {
        let mut strokes = stroke::text(self.keys, mean, seed);
        if let (EditorName::Vi, Some(first)) = (self.editor, strokes.first_mut()) {
            // Begins to insert.
            first.data = b"i".into();
        }
        strokes
    }

    fn open(&self, lane: LaneSpec) -> TerminalOpen {
        let editor = match self.editor {
            EditorName::Vi => Editor::Vi,
            EditorName::Nano => Editor::Nano,
        };
        typing::open(lane, editor)
    }

    fn report(
        &self,
        typed: &[Typed],
        seconds: f64,
        before: Holdings,
        after: Holdings,
    ) -> serde_json::Value {
        let ready = summary::Stretch::of(typed.iter().map(|one| one.getting_ready.as_secs_f64()));
        let echo = summary::stretch(typed, |l| l.key_written_ns, |l| l.echo_delivered_ns);
        let lines: Vec<_> = typed.iter().map(|one| &one.result.keys).collect();
        json!({
            "sessions": typed.len(),
            "seconds": seconds,
            "ready_p50_s": ready.p50_ms,
            "ready_max_s": ready.max_ms,
            "saved_bytes": typed.iter().map(|one| one.result.text.len()).sum::<usize>(),
            "echo_at_once_share": echo.share_within(self.lane.options.rtt_ms + AT_ONCE_MS),
            "echo": echo,
            "lane_round_trip": summary::round_trip(typed),
            "added": summary::added(typed),
            "into_ssh": summary::stretch(typed, |l| l.agent_received_ns, |l| l.key_written_ns),
            "editor": summary::stretch(typed, |l| l.key_delivered_ns, |l| l.echo_written_ns),
            "out_of_ssh": summary::stretch(typed, |l| l.echo_delivered_ns, |l| l.agent_forwarded_ns),
            "recoveries": summary::recoveries(typed),
            "timing": typed.iter().map(|one| &one.result.timing).collect::<Vec<_>>(),
            "clock": typed.iter().map(|one| &one.result.clock).collect::<Vec<_>>(),
            "before": before,
            "after": after,
            "lines": if self.lines { json!(lines) } else { json!(null) },
        })
    }
}
