//! The command `lab-agent bench`: how fast virtual time runs here.
// SPDX-License-Identifier: Apache-2.0
use std::time::{Duration, Instant};

use clap::Args;
use lab_proto::guest::Transfer;
use lab_proto::path::Loss;
use lab_proto::session_spec::Stream as StreamSpec;
use lab_proto::{
    AudioStream, Baseline, LaneSpec, Mechanism, Path, SessionSpec, SyntheticStream, UniformLoss,
};
use serde::Serialize;

use crate::boot::{ClockChoice, Host, HostOptions};
use crate::fault::{Fault, Outcome};
use crate::{session, stream};

/// Of each figure, the median of so many runs.
const RUNS: usize = 5;
const AUDIO_SECONDS: usize = 60;
const THIN_MESSAGES: u32 = 12_857; // 30 minutes of one message every 140 ms
const LANE_SEED: u64 = 1;

/// Measures and prints the agent's figures.
#[derive(Args)]
pub struct Bench {
    #[command(flatten)]
    host: HostOptions,
    /// Print a JSON list of {name, value, unit, how} and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Figure {
    name: &'static str,
    value: f64,
    unit: &'static str,
    how: String,
}

impl Bench {
    /// Runs all benchmarks.
    pub async fn run(self) -> Outcome<()> {
        let host = Host::start(&self.host, ClockChoice::Virtual).await?;
        let figures = [
            boot(&host).await?,
            speedup(
                &host,
                "virtual_speedup_audio",
                audio(),
                "a minute of audio (236 B every 34 ms)",
            )
            .await?,
            speedup(
                &host,
                "virtual_speedup_thin",
                thin(THIN_MESSAGES),
                "120 B every 140 ms for 30 minutes",
            )
            .await?,
            record_pair(&host).await?,
        ];
        if self.json {
            let text = serde_json::to_string_pretty(&figures)
                .map_err(|error| Fault::Failed(error.to_string()))?;
            println!("{text}");
        } else {
            for figure in &figures {
                println!(
                    "{:24} {:10.2} {:3} {}",
                    figure.name, figure.value, figure.unit, figure.how
                );
            }
        }
        Ok(())
    }
}

/// From the request to the end of a guest that does next to nothing.
async fn boot(host: &Host) -> Outcome<Figure> {
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let sent = host.transfer(transfer(&thin(1))?, || ()).await?;
        let whole = start.elapsed();
        seconds.push(
            whole
                .saturating_sub(Duration::from_nanos(sent.wall_ns))
                .as_secs_f64(),
        );
    }
    Ok(Figure {
        name: "guest_boot_seconds",
        value: median(seconds),
        unit: "s",
        how: format!("starting and ending a guest in virtual time; median of {RUNS}"),
    })
}

async fn speedup(
    host: &Host,
    name: &'static str,
    stream: StreamSpec,
    what: &str,
) -> Outcome<Figure> {
    let transfer = transfer(&stream)?;
    let mut speeds = Vec::new();
    for _ in 0..RUNS {
        let sent = host.transfer(transfer.clone(), || ()).await?;
        speeds.push(sent.transferred.stream_ns as f64 / sent.wall_ns as f64);
    }
    Ok(Figure {
        name,
        value: median(speeds),
        unit: "x",
        how: format!(
            "{what}, 130 ms RTT, 1 % loss, capture on both ends, from making the lane to the \
             written captures; median of {RUNS}"
        ),
    })
}

/// The two modes side by side, as the backend asks for a pair.
async fn record_pair(host: &Host) -> Outcome<Figure> {
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let spec = |mechanisms| SessionSpec {
            lane: Some(lane(mechanisms)),
            stream: Some(audio()),
            changes: vec![],
        };
        let plain = session::run(host, spec(vec![]), |_| ());
        let thin = session::run(host, spec(vec![Mechanism::LinearTimeouts as i32]), |_| ());
        tokio::try_join!(plain, thin)?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    Ok(Figure {
        name: "record_pair_seconds",
        value: median(seconds),
        unit: "s",
        how: format!(
            "a minute of audio in two modes: encoding, boot, transfer, analysis, playout; median \
             of {RUNS}"
        ),
    })
}

fn transfer(stream: &StreamSpec) -> Outcome<Transfer> {
    let messages = stream::messages(Some(stream), LANE_SEED)?;
    Ok(session::transfer(lane(vec![]), &messages))
}

fn lane(mechanisms: Vec<i32>) -> LaneSpec {
    let path = Path {
        delay_us: 65_000,
        loss: Some(Loss::Uniform(UniformLoss { loss_share: 0.01 })),
        ..Path::default()
    };
    LaneSpec {
        forward: Some(path),
        backward: Some(path),
        baseline: Baseline::Newreno2008 as i32,
        mechanisms,
        seed: LANE_SEED,
        bundling: None,
    }
}

fn thin(messages: u32) -> StreamSpec {
    StreamSpec::Synthetic(SyntheticStream {
        payload_bytes: 120,
        iat_us: 140_000,
        messages,
        ..SyntheticStream::default()
    })
}

/// A voice-like sound: a gliding tone with three harmonics, in syllables.
fn audio() -> StreamSpec {
    let samples = (0..AUDIO_SECONDS * 48_000).map(|index| {
        let t = index as f64 / 48_000.0;
        let phase = std::f64::consts::TAU * 140.0 * t + 3.0 * (2.0 * t).sin();
        let tone: f64 = (1..=4)
            .map(|k| (phase * f64::from(k)).sin() / f64::from(k))
            .sum();
        let syllable = (std::f64::consts::PI * 4.0 * t).sin().max(0.0);
        (tone * syllable * 8000.0) as i16
    });
    StreamSpec::Audio(AudioStream {
        source_s16le_48k_mono: samples.flat_map(i16::to_le_bytes).collect(),
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
