//! The command `lab-agent session`: one session without the backend, into a
//! folder.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use lab_proto::stream::Kind;
use lab_proto::{
    AudioStream, BulkStream, Codec, IatDistribution, LaneChange, SessionLane, SessionSpec,
    SyntheticStream,
};

use super::lane::{Mechanisms, Messages, OneLane, microseconds};
use super::wave;
use crate::boot::{ClockChoice, Host, HostOptions};
use crate::engine::session::{self, Session};
use crate::fault::{Doing, Fault, Outcome};

/// Whatever else a run leaves, this says that it is whole.
const METRICS: &str = "session.json";

/// Runs one session and writes both captures, the metrics (JSON) and, of audio,
/// the recording into a folder.
#[derive(Args)]
pub struct SessionCommand {
    #[command(flatten)]
    host: HostOptions,
    /// Virtual time or the machine's.
    #[arg(long, value_enum, default_value = "virtual")]
    clock: ClockChoice,
    #[command(flatten)]
    lane: OneLane,
    /// Switches to exactly these mechanisms while the stream runs; again for each switch. Names
    /// are joined by commas; none switches all off.
    #[arg(long, value_name = "AT_MS=MECHANISM,…")]
    switch: Vec<Switch>,
    /// Audio to send: a WAVE file, 48 kHz, mono, 16 bits.
    #[arg(long, value_name = "FILE", conflicts_with = "payload_bytes")]
    audio: Option<PathBuf>,
    /// What the audio is coded as.
    #[arg(long, value_enum, default_value = "opus")]
    codec: CodecName,
    #[command(flatten)]
    each: Messages,
    /// Without --audio: how many.
    #[arg(long, default_value_t = 1000)]
    messages: u32,
    /// Without --audio: how the time between two messages varies.
    #[arg(long, value_enum, default_value = "even")]
    iat_distribution: DistributionName,
    /// Without --audio: each message of an even stream earlier or later by up to this.
    #[arg(long, default_value_t = 0.0)]
    iat_spread_ms: f64,
    /// Instead of messages: one write of so many bytes, which keeps the socket full.
    #[arg(long, conflicts_with_all = ["audio", "payload_bytes"])]
    bulk_bytes: Option<u64>,
    /// So many bulk flows beside the stream, from hosts without mechanisms, through the same
    /// bottleneck.
    #[arg(long, default_value_t = 0, value_name = "FLOWS")]
    competing: usize,
    /// What each of them sends.
    #[arg(long, default_value_t = 1 << 20, value_name = "BYTES")]
    competing_bytes: u64,
    /// The folder for the results; made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum CodecName {
    Opus,
    G711,
}

#[derive(Clone, Copy, ValueEnum)]
enum DistributionName {
    Even,
    Exponential,
}

/// `5000=bundling,linear_timeouts`.
#[derive(Clone)]
struct Switch {
    at_ms: f64,
    mechanisms: Mechanisms,
}

impl FromStr for Switch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is no switch: give AT_MS=MECHANISM,…");
        let (at_ms, names) = text.split_once('=').ok_or_else(form)?;
        Ok(Self {
            at_ms: at_ms.parse().map_err(|_| form())?,
            mechanisms: names.parse()?,
        })
    }
}

impl SessionCommand {
    /// Runs the session.
    pub async fn run(self) -> Outcome<()> {
        let spec = self.spec()?;
        fs::create_dir_all(&self.out).doing(format!("making {}", self.out.display()))?;
        let host = Host::start(&self.host, self.clock).await?;
        let session = session::run(&host, spec, |stage| eprintln!("{} …", stage.name())).await?;
        write(&self.out, &session)?;
        println!("{}", self.out.display());
        Ok(())
    }

    fn spec(&self) -> Outcome<SessionSpec> {
        let switched = self.switch.iter().map(|switch| &switch.mechanisms);
        let lane = &self.lane;
        lane.options
            .expect_bundling(switched.chain([&lane.mechanisms]))?;
        let changes = self.switch.iter().map(|switch| {
            Ok(LaneChange {
                at_ns: microseconds("--switch", switch.at_ms)? * 1000,
                spec: Some(lane.options.lane(&switch.mechanisms)?),
            })
        });
        let mut spec = SessionSpec::of_one(lane.spec()?, self.stream()?);
        spec.lanes[0].changes = changes.collect::<Outcome<_>>()?;
        if self.competing > 0 {
            let bulk = Kind::Bulk(BulkStream {
                bytes: self.competing_bytes,
            });
            spec.shared_bottleneck = true;
            spec.lanes.push(SessionLane {
                lane: Some(lane.options.unmodified()),
                flows: vec![bulk.into(); self.competing],
                ..SessionLane::default()
            });
        }
        Ok(spec)
    }

    fn stream(&self) -> Outcome<Kind> {
        if let Some(file) = &self.audio {
            return Ok(Kind::Audio(AudioStream {
                source_s16le_48k_mono: wave::read(
                    &fs::read(file).doing(format!("reading {}", file.display()))?,
                )?,
                codec: match self.codec {
                    CodecName::Opus => Codec::Opus,
                    CodecName::G711 => Codec::G711,
                }
                .into(),
                ..AudioStream::default()
            }));
        }
        if let Some(bytes) = self.bulk_bytes {
            return Ok(Kind::Bulk(BulkStream { bytes }));
        }
        let distribution = match self.iat_distribution {
            DistributionName::Even => IatDistribution::Even,
            DistributionName::Exponential => IatDistribution::Exponential,
        };
        Ok(Kind::Synthetic(SyntheticStream {
            payload_bytes: self.each.payload_bytes,
            iat_us: microseconds("--iat-ms", self.each.iat_ms)?,
            iat_spread_us: microseconds("--iat-spread-ms", self.iat_spread_ms)?,
            messages: self.messages,
            iat_distribution: distribution as i32,
        }))
    }
}

/// The first flow's files have plain names, and the others' say whose they are.
fn write(folder: &FilePath, session: &Session) -> Outcome<()> {
    let mut files = Vec::new();
    for (number, lane) in session.0.iter().enumerate() {
        let of_lane = |name: &str| match number {
            0 => name.to_owned(),
            _ => format!("lane-{number}-{name}"),
        };
        files.push((of_lane("sender.pcapng"), lane.captures.sender.clone()));
        files.push((of_lane("receiver.pcapng"), lane.captures.receiver.clone()));
        for (nth, flow) in lane.flows.iter().enumerate() {
            let of_flow = |name: &str| match nth {
                0 => of_lane(name),
                _ => of_lane(&format!("flow-{nth}-{name}")),
            };
            let metrics = serde_json::to_vec_pretty(&flow.result)
                .map_err(|error| Fault::Failed(format!("{error} while writing the metrics")))?;
            if let Some(recording) = &flow.recording {
                files.push((of_flow("recording.wav"), wave::write(recording)));
            }
            files.push((of_flow(METRICS), metrics));
        }
    }
    // Last: a folder with metrics is complete.
    files.sort_by_key(|(name, _)| (name == METRICS, name.ends_with(METRICS)));
    for (name, content) in files {
        let path = folder.join(&name);
        let unfinished = folder.join(format!("{name}.unfinished"));
        fs::write(&unfinished, content)
            .and_then(|()| fs::rename(&unfinished, &path))
            .doing(format!("writing {}", path.display()))?;
    }
    Ok(())
}
