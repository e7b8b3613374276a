//! The command `lab-agent session`: one session without the backend, into a
//! folder.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path as FilePath, PathBuf};

use clap::{Args, ValueEnum};
use lab_proto::path::Loss;
use lab_proto::session_spec::Stream as StreamSpec;
use lab_proto::{
    AudioStream, Baseline, LaneSpec, Mechanism, Path, SessionSpec, SyntheticStream, UniformLoss,
};

use super::{Session, wave};
use crate::boot::{ClockChoice, Host, HostOptions};
use crate::fault::{Doing, Fault, Outcome};

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
    /// The rest of the TCP configuration.
    #[arg(long, value_enum, default_value = "newreno2008")]
    baseline: BaselineName,
    /// What to switch on.
    #[arg(long, value_enum, value_delimiter = ',')]
    mechanisms: Vec<MechanismName>,
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
    /// The folder for the results; made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum BaselineName {
    Newreno2008,
    Modern,
    Bbr,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum MechanismName {
    LinearTimeouts,
    EarlyFastRetransmit,
    Bundling,
}

impl SessionCommand {
    /// Runs the session.
    pub async fn run(self) -> Outcome<()> {
        let spec = self.spec()?;
        fs::create_dir_all(&self.out).doing(format!("making {}", self.out.display()))?;
        let host = Host::start(&self.host, self.clock).await?;
        let session = super::run(&host, spec, |stage| eprintln!("{} …", stage.name())).await?;
        write(&self.out, &session)?;
        println!("{}", self.out.display());
        Ok(())
    }

    fn spec(&self) -> Outcome<SessionSpec> {
        let path = Path {
            delay_us: microseconds("--rtt-ms", self.rtt_ms / 2.0)?,
            loss: Some(Loss::Uniform(UniformLoss {
                loss_share: self.loss_share,
            })),
            ..Path::default()
        };
        let mechanisms = self.mechanisms.iter().map(|name| match name {
            MechanismName::LinearTimeouts => Mechanism::LinearTimeouts as i32,
            MechanismName::EarlyFastRetransmit => Mechanism::EarlyFastRetransmit as i32,
            MechanismName::Bundling => Mechanism::Bundling as i32,
        });
        let baseline = match self.baseline {
            BaselineName::Newreno2008 => Baseline::Newreno2008,
            BaselineName::Modern => Baseline::Modern,
            BaselineName::Bbr => Baseline::Bbr,
        };
        let stream = match &self.audio {
            Some(file) => StreamSpec::Audio(AudioStream {
                source_s16le_48k_mono: wave::read(
                    &fs::read(file).doing(format!("reading {}", file.display()))?,
                )?,
            }),
            None => StreamSpec::Synthetic(SyntheticStream {
                payload_bytes: self.payload_bytes,
                iat_us: microseconds("--iat-ms", self.iat_ms)?,
                iat_spread_us: 0,
                messages: self.messages,
            }),
        };
        Ok(SessionSpec {
            lane: Some(LaneSpec {
                forward: Some(path),
                backward: Some(path),
                baseline: baseline as i32,
                mechanisms: mechanisms.collect(),
                seed: self.seed,
            }),
            stream: Some(stream),
        })
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
        ("sender.pcapng", Some(&session.sender_capture)),
        ("receiver.pcapng", Some(&session.receiver_capture)),
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
