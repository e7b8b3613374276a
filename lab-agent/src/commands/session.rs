//! The command `lab-agent session`: one session without the backend, into a
//! folder.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use lab_proto::path::Loss;
use lab_proto::session_spec::Stream as StreamSpec;
use lab_proto::{
    AudioStream, BulkStream, Bundling, HiddenLossResponse, IatDistribution, LaneChange, LaneSpec,
    Mechanism, Path, SessionSpec, SyntheticStream, UniformLoss,
};

use super::wave;
use crate::boot::{ClockChoice, Host, HostOptions};
use crate::engine::session::{self, Session};
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::names::{BaselineName, MechanismName};

/// Runs one session and writes both captures, the metrics (JSON) and, of audio,
/// the recording into a folder.
#[derive(Args)]
pub struct SessionCommand {
    #[command(flatten)]
    host: HostOptions,
    /// Virtual time or the machine's.
    #[arg(long, value_enum, default_value = "virtual")]
    clock: ClockChoice,
    /// Round-trip time, half of it in each direction.
    #[arg(long, default_value_t = 100.0)]
    rtt_ms: f64,
    /// Share of packets lost, uniformly, in each direction (5 % is 0.05).
    #[arg(long, default_value_t = 0.0)]
    loss_share: f64,
    /// Bits a second in each direction; 0 is unlimited.
    #[arg(long, default_value_t = 0)]
    rate_kbit_per_s: u64,
    /// The rest of the TCP configuration.
    #[arg(long, value_enum, default_value = "newreno2008")]
    baseline: BaselineName,
    /// What to switch on.
    #[arg(long, value_enum, value_delimiter = ',')]
    mechanisms: Vec<MechanismName>,
    /// Bundling: the most payload in a packet that bundles [default: a whole segment].
    #[arg(long)]
    bundling_max_bytes: Option<u32>,
    /// Bundling: the most earlier segments in one packet [default: all that fit].
    #[arg(long)]
    bundling_max_packets: Option<u32>,
    /// Bundling: what a loss does that a bundle has repaired [default: the baseline's].
    #[arg(long, value_enum)]
    hidden_loss_response: Option<ResponseName>,
    /// Bundling: streams with less time between segments are left alone [default: 5000].
    #[arg(long)]
    bundling_min_iat_us: Option<u64>,
    /// Switches to exactly these mechanisms while the stream runs; again for each switch. Names
    /// are joined by commas; none switches all off.
    #[arg(long, value_name = "AT_MS=MECHANISM,…")]
    switch: Vec<Switch>,
    /// Of all randomness.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Audio to send: a WAVE file, 48 kHz, mono, 16 bits.
    #[arg(long, value_name = "FILE", conflicts_with = "payload_bytes")]
    audio: Option<PathBuf>,
    /// Without --audio: the size of a message.
    #[arg(long, default_value_t = 120)]
    payload_bytes: u32,
    /// Without --audio: the time between two messages.
    #[arg(long, default_value_t = 140.0)]
    iat_ms: f64,
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
    /// The folder for the results; made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum ResponseName {
    None,
    ReduceWindow,
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
    mechanisms: Vec<MechanismName>,
}

impl FromStr for Switch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is no switch: give AT_MS=MECHANISM,…");
        let (at_ms, names) = text.split_once('=').ok_or_else(form)?;
        let names = names.split(',').filter(|name| !name.is_empty());
        Ok(Self {
            at_ms: at_ms.parse().map_err(|_| form())?,
            mechanisms: names
                .map(|name| MechanismName::from_str(name, false))
                .collect::<Result<_, _>>()?,
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
        let lane = self.lane()?;
        let changes = self.switch.iter().map(|switch| {
            let mechanisms = switch.mechanisms.iter().map(|name| name.number());
            let mechanisms: Vec<_> = mechanisms.collect();
            Ok(LaneChange {
                at_ns: microseconds("--switch", switch.at_ms)? * 1000,
                spec: Some(LaneSpec {
                    bundling: self.bundling(&mechanisms),
                    mechanisms,
                    ..lane.clone()
                }),
            })
        });
        let changes = changes.collect::<Outcome<_>>()?;
        Ok(SessionSpec {
            lane: Some(lane),
            stream: Some(self.stream()?),
            changes,
        })
    }

    fn lane(&self) -> Outcome<LaneSpec> {
        let path = Path {
            delay_us: microseconds("--rtt-ms", self.rtt_ms / 2.0)?,
            loss: Some(Loss::Uniform(UniformLoss {
                loss_share: self.loss_share,
            })),
            rate_bit_per_s: self.rate_kbit_per_s * 1000,
            ..Path::default()
        };
        let mechanisms = self.mechanisms.iter().map(|name| name.number());
        let mechanisms: Vec<_> = mechanisms.collect();
        let switched = self.switch.iter().flat_map(|switch| &switch.mechanisms);
        let somewhere = switched.map(|name| name.number());
        let somewhere: Vec<_> = somewhere.chain(mechanisms.iter().copied()).collect();
        if self.settings().is_some() && self.bundling(&somewhere).is_none() {
            return Err(Fault::Invalid(
                "settings of bundling are given, but bundling is never on: name it in --mechanisms \
                 or --switch"
                    .into(),
            ));
        }
        Ok(LaneSpec {
            forward: Some(path),
            backward: Some(path),
            baseline: self.baseline.number(),
            bundling: self.bundling(&mechanisms),
            mechanisms,
            seed: self.seed,
        })
    }

    /// The settings, where bundling is on.
    fn bundling(&self, mechanisms: &[i32]) -> Option<Bundling> {
        let on = mechanisms.contains(&(Mechanism::Bundling as i32));
        self.settings().filter(|_| on)
    }

    /// What was said about bundling, if anything was.
    fn settings(&self) -> Option<Bundling> {
        let response = self.hidden_loss_response.map(|name| match name {
            ResponseName::None => HiddenLossResponse::None,
            ResponseName::ReduceWindow => HiddenLossResponse::ReduceWindow,
        });
        let settings = Bundling {
            max_bytes: self.bundling_max_bytes.unwrap_or_default(),
            max_packets: self.bundling_max_packets.unwrap_or_default(),
            hidden_loss_response: response.unwrap_or_default() as i32,
            min_iat_us: self.bundling_min_iat_us,
        };
        (settings != Bundling::default()).then_some(settings)
    }

    fn stream(&self) -> Outcome<StreamSpec> {
        if let Some(file) = &self.audio {
            return Ok(StreamSpec::Audio(AudioStream {
                source_s16le_48k_mono: wave::read(
                    &fs::read(file).doing(format!("reading {}", file.display()))?,
                )?,
            }));
        }
        if let Some(bytes) = self.bulk_bytes {
            return Ok(StreamSpec::Bulk(BulkStream { bytes }));
        }
        let distribution = match self.iat_distribution {
            DistributionName::Even => IatDistribution::Even,
            DistributionName::Exponential => IatDistribution::Exponential,
        };
        Ok(StreamSpec::Synthetic(SyntheticStream {
            payload_bytes: self.payload_bytes,
            iat_us: microseconds("--iat-ms", self.iat_ms)?,
            iat_spread_us: microseconds("--iat-spread-ms", self.iat_spread_ms)?,
            messages: self.messages,
            iat_distribution: distribution as i32,
        }))
    }
}

fn microseconds(name: &str, ms: f64) -> Outcome<u64> {
    if ms.is_finite() && ms >= 0.0 {
        return Ok((ms * 1000.0).round() as u64);
    }
    Err(Fault::Invalid(format!("{name} must be 0 or more")))
}

fn write(folder: &FilePath, session: &Session) -> Outcome<()> {
    let metrics = serde_json::to_vec_pretty(&session.result)
        .map_err(|error| Fault::Failed(format!("{error} while writing the metrics")))?;
    let recording = session.recording.as_deref().map(wave::write);
    for (name, content) in [
        ("sender.pcapng", Some(&session.captures.sender)),
        ("receiver.pcapng", Some(&session.captures.receiver)),
        ("recording.wav", recording.as_ref()),
        // Last: a folder with metrics is complete.
        ("session.json", Some(&metrics)),
    ] {
        if let Some(content) = content {
            let path = folder.join(name);
            let unfinished = folder.join(format!("{name}.unfinished"));
            fs::write(&unfinished, content)
                .and_then(|()| fs::rename(&unfinished, &path))
                .doing(format!("writing {}", path.display()))?;
        }
    }
    Ok(())
}
