//! The command `lab-agent bench`: how fast virtual time runs here, and what
//! terminals and demos cost.
// SPDX-License-Identifier: Apache-2.0
mod analysing;
mod demos;
mod fairness;
mod figure;
mod instructions;
mod sound;
mod terminals;
mod watching;

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use lab_proto::guest::Transfer;
use lab_proto::path::Loss;
use lab_proto::stream::Kind;
use lab_proto::{
    AudioStream, BulkStream, LaneSpec, Mechanism, Path, SessionSpec, SyntheticStream, UniformLoss,
};

use crate::boot::{ClockChoice, Host, HostOptions, Sent};
use crate::engine::session;
use crate::fault::{Fault, Outcome};
use crate::source;
use figure::{Figure, LANE_SEED, lane, median, samples};
use instructions::Count;

/// Of each figure, the median of so many runs.
const RUNS: usize = 5;
const AUDIO_SECONDS: usize = 60;
const THIN_MESSAGES: u32 = 12_857; // 30 minutes of one message every 140 ms
const THIN_LOSS_SHARE: f64 = 0.01;
const BULK_BYTES: u64 = 3_000_000;
/// Ten segments in the middle: slow start and what it lost are long past, and
/// each ACK lets new segments go.
const BULK_STRETCH: Range<u64> = 2_000_000..2_014_480;
const MSS_BYTES: u64 = 1448;

/// Measures and prints the agent's figures.
#[derive(Args)]
pub struct Bench {
    #[command(flatten)]
    host: HostOptions,
    /// Measure only one part.
    #[arg(long, value_enum)]
    only: Option<Part>,
    /// How long the demo's take lasts in which nothing may grow.
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 60)]
    seconds: u32,
    /// Print a JSON list of {name, value, unit, how} and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Sessions of prepared messages.
    VirtualTime,
    /// What thin streams take from others.
    Fairness,
    /// People who type.
    Terminals,
    /// Lanes that are shown to people.
    Demos,
    /// What a demo's sound costs.
    Sound,
    /// What the analysis costs, of a demo's packets and of files.
    Analysis,
}

impl Bench {
    /// Runs the benchmarks.
    pub async fn run(self) -> Outcome<()> {
        let mut figures = Vec::new();
        let wanted = |part| self.only.is_none_or(|only| only == part);
        if wanted(Part::Sound) {
            figures.push(sound::cpu(&samples(AUDIO_SECONDS).collect::<Vec<_>>())?);
        }
        if wanted(Part::Analysis) {
            figures.extend(watching::figures());
            figures.extend(analysing::figures()?);
        }
        if wanted(Part::VirtualTime) {
            figures.extend(self.virtual_time().await?);
        }
        if wanted(Part::Fairness) {
            let host = Host::start(&self.host, ClockChoice::Virtual).await?;
            figures.extend(Box::pin(fairness::figures(&host)).await?);
        }
        if wanted(Part::Terminals) {
            let host = Arc::new(Host::start(&self.host, ClockChoice::Real).await?);
            figures.extend(terminals::figures(&host).await?);
        }
        if wanted(Part::Demos) {
            let options = self.host.clone().with_demos(1);
            let host = Arc::new(Host::start(&options, ClockChoice::Real).await?);
            let length = Duration::from_secs(self.seconds.max(1).into());
            figures.extend(demos::figures(&host, length).await?);
        }
        if self.json {
            let text = serde_json::to_string_pretty(&figures)
                .map_err(|error| Fault::Failed(error.to_string()))?;
            println!("{text}");
        } else {
            for figure in &figures {
                println!(
                    "{:28} {:10.3} {:3} {}",
                    figure.name, figure.value, figure.unit, figure.how
                );
            }
        }
        Ok(())
    }

    async fn virtual_time(&self) -> Outcome<Vec<Figure>> {
        let host = Host::start(&self.host, ClockChoice::Virtual).await?;
        Ok(vec![
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
            Box::pin(record_pair(&host)).await?,
            bulk_instructions(&host).await?,
            bulk_throughput(&host).await?,
        ])
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

async fn speedup(host: &Host, name: &'static str, stream: Kind, what: &str) -> Outcome<Figure> {
    let transfer = transfer(&stream)?;
    let mut speeds = Vec::new();
    for _ in 0..RUNS {
        let sent = host.transfer(transfer.clone(), || ()).await?;
        speeds.push(stream_ns(&sent) / sent.wall_ns as f64);
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
        let spec = |mechanisms| SessionSpec::of_one(lane(mechanisms, THIN_LOSS_SHARE), audio());
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

/// What the mechanisms cost a stream that they have nothing to do for: the
/// dearest, and all together.
async fn bulk_instructions(host: &Host) -> Outcome<Figure> {
    let [linear, early, bundling] = Mechanism::PAPERS;
    let mut counts = Vec::new();
    for (name, mechanisms) in [
        ("off", &[][..]),
        ("linear timeouts", &[linear]),
        ("early fast retransmit", &[early]),
        ("bundling", &[bundling]),
        ("window floor", &[Mechanism::WindowFloor]),
        (
            "bundling and its depth",
            &[bundling, Mechanism::BundlingDepth],
        ),
        ("early probe", &[Mechanism::EarlyProbe]),
        ("tail copy", &[Mechanism::TailCopy]),
        (
            "bundling and write recovery",
            &[bundling, Mechanism::WriteRecovery],
        ),
        ("all", &Mechanism::PAPERS),
    ] {
        let count = instructions(host, mechanisms).await?;
        let segments = count.bytes as f64 / MSS_BYTES as f64;
        counts.push((name, count.instructions as f64 / segments));
    }
    let dearest = counts.iter().map(|(_, count)| *count).fold(0.0, f64::max);
    let said: Vec<_> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count:.0}"))
        .collect();
    Ok(Figure {
        name: "bulk_instructions_ratio",
        value: dearest / counts[0].1,
        unit: "x",
        how: format!(
            "instructions of the guest's kernel for a segment of bulk transfer, sender, emulator, \
             receiver and captures together: {}; the dearest against off, counted by stepping \
             through ten segments",
            said.join(", ")
        ),
    })
}

async fn instructions(host: &Host, mechanisms: &[Mechanism]) -> Outcome<Count> {
    let transfer = bulk(mechanisms, 0.0)?;
    let (told, count) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        // Nobody listens when the transfer has failed.
        let _ = told.send(instructions::count(&BULK_STRETCH));
    });
    host.transfer(transfer, || ()).await?;
    count
        .await
        .unwrap_or_else(|error| Err(Fault::Failed(format!("{error} while counting"))))
}

async fn bulk_throughput(host: &Host) -> Outcome<Figure> {
    let mut ratios = Vec::new();
    for loss_share in [0.0, 0.01] {
        let off = host.transfer(bulk(&[], loss_share)?, || ()).await?;
        let all = host.transfer(bulk(&Mechanism::PAPERS, loss_share)?, || ());
        let all = all.await?;
        ratios.push(stream_ns(&off) / stream_ns(&all));
    }
    Ok(Figure {
        name: "bulk_throughput_ratio",
        value: ratios.iter().copied().fold(f64::INFINITY, f64::min),
        unit: "x",
        how: "throughput of bulk transfer, all mechanisms on against off, in virtual time; the \
              lower of without and with 1 % loss"
            .into(),
    })
}

/// Over a path that a bulk transfer fills: 20 Mbit/s, 40 ms RTT.
fn bulk(mechanisms: &[Mechanism], loss_share: f64) -> Outcome<Transfer> {
    let stream = Kind::Bulk(BulkStream { bytes: BULK_BYTES });
    let path = Path {
        delay_us: 20_000,
        loss: Some(Loss::Uniform(UniformLoss { loss_share })),
        rate_bit_per_s: 20_000_000,
        queue_packets: 100,
        ..Path::default()
    };
    let lane = LaneSpec {
        forward: Some(path.clone()),
        backward: Some(path),
        ..lane(
            mechanisms.iter().map(|&one| one as i32).collect(),
            loss_share,
        )
    };
    let messages = source::messages(Some(&stream), LANE_SEED)?;
    Ok(session::transfer(lane, &messages))
}

/// How long the only flow took.
fn stream_ns(sent: &Sent) -> f64 {
    sent.transferred.lanes[0].flows[0].stream_ns as f64
}

fn transfer(stream: &Kind) -> Outcome<Transfer> {
    let messages = source::messages(Some(stream), LANE_SEED)?;
    Ok(session::transfer(lane(vec![], THIN_LOSS_SHARE), &messages))
}

fn thin(messages: u32) -> Kind {
    Kind::Synthetic(SyntheticStream::even(120, 140_000, messages))
}

fn audio() -> Kind {
    let bytes = samples(AUDIO_SECONDS).flat_map(i16::to_le_bytes);
    Kind::Audio(AudioStream {
        source_s16le_48k_mono: bytes.collect(),
        ..AudioStream::default()
    })
}
