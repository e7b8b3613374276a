//! The command `lab-agent demo`: a take without backend or browser.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lab_proto::live_event::Event;
use lab_proto::stream::Kind as Stream;
use lab_proto::{AudioStream, DemoMoment, DemoOpen, LaneSpec, SyntheticStream};
use serde_json::{Value, json};

use super::files::Files;
use super::lockstep::Lockstep;
use super::showing::{self, Script, Shown};
use crate::boot::{ClockChoice, Host, HostOptions};
use crate::commands::lane::{LaneOptions, Mechanisms, Messages};
use crate::commands::typist::many::Holdings;
use crate::commands::typist::summary::Stretch;
use crate::commands::wave;
use crate::fault::{Doing, Fault, Outcome};

/// Shows one take on a guest in real time, and prints what became of it, as JSON.
#[derive(Args)]
pub struct DemoCommand {
    #[command(flatten)]
    host: HostOptions,
    #[command(flatten)]
    all: LaneOptions,
    /// A lane with these mechanisms, joined by commas; again for each lane [default: one with
    /// none, one with all].
    #[arg(long, value_name = "MECHANISM,…")]
    lane: Vec<Mechanisms>,
    /// The clip that is played over and over: a WAVE file, 48 kHz, mono, 16 bits.
    #[arg(long, value_name = "FILE", conflicts_with = "payload_bytes")]
    audio: Option<PathBuf>,
    #[command(flatten)]
    each: Messages,
    /// How long it lasts.
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 60.0)]
    seconds: f64,
    /// So often the lanes change places: each gets the mechanisms of the next.
    #[arg(long, value_name = "SECONDS")]
    switch_every: Option<f64>,
    /// Also print what the receivers did to the sound, and when.
    #[arg(long)]
    passages: bool,
    /// A folder for the captures; made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl DemoCommand {
    /// Shows, and prints.
    pub async fn run(self) -> Outcome<()> {
        let script = self.script()?;
        let mut files = self.out.as_deref().map(Files::new).transpose()?;
        let options = self.host.clone().with_demos(1);
        let host = Arc::new(Host::start(&options, ClockChoice::Real).await?);
        let before = Holdings::at_rest(&host).await?;
        let (mut lockstep, mut packets, mut written) = (Lockstep::default(), 0_u64, Ok(()));
        let mut passages = Vec::new();
        let shown = showing::run(Arc::clone(&host), script, |lane, event| match event {
            Event::Moment(moment) => {
                lockstep.see(moment);
                passages.extend(heard(moment));
            }
            Event::Sound(_) => packets += 1,
            Event::File(chunk) => {
                if let (Some(files), Ok(())) = (&mut files, &written) {
                    written = files.append(lane, chunk);
                }
            }
            _ => {}
        });
        let shown = shown.await?;
        written?;
        drop(files);
        let after = Holdings::settled(&host, &before).await?;
        let mut report = report(&shown, lockstep, packets);
        if self.passages {
            report["passages"] = json!(passages);
        }
        report["before"] = json!(before);
        report["after"] = json!(after);
        let text = serde_json::to_string_pretty(&report)
            .map_err(|error| Fault::Failed(error.to_string()))?;
        println!("{text}");
        Ok(())
    }

    fn script(&self) -> Outcome<Script> {
        let length = seconds("--for", self.seconds)?;
        let every = self.switch_every.map(|s| seconds("--switch-every", s));
        Ok(Script {
            open: DemoOpen {
                lanes: self.lanes()?,
                stream: Some(self.stream()?.into()),
            },
            length,
            switch_every: every.transpose()?,
        })
    }

    fn lanes(&self) -> Outcome<Vec<LaneSpec>> {
        let lanes = match &self.lane[..] {
            [] => vec![Mechanisms::default(), self.all.every_mechanism()],
            named => named.to_vec(),
        };
        self.all.expect_bundling(lanes.iter())?;
        lanes.iter().map(|lane| self.all.lane(lane)).collect()
    }

    fn stream(&self) -> Outcome<Stream> {
        let Some(file) = &self.audio else {
            let iat_us = (self.each.iat_ms * 1000.0).round() as u64;
            let stream = SyntheticStream::endless(self.each.payload_bytes, iat_us);
            return Ok(Stream::Synthetic(stream));
        };
        let bytes = fs::read(file).doing(format!("reading {}", file.display()))?;
        Ok(Stream::Audio(AudioStream {
            source_s16le_48k_mono: wave::read(&bytes)?,
            ..AudioStream::default()
        }))
    }
}

fn seconds(name: &str, seconds: f64) -> Outcome<Duration> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(Fault::Invalid(format!("{name} must be above 0"))),
    }
}

/// What a moment tells of the sound: lane by lane, as it was heard.
fn heard(moment: &DemoMoment) -> Vec<Value> {
    let lanes = moment.lanes.iter().enumerate();
    let passages = lanes.flat_map(|(lane, told)| {
        let passages = told.playout.iter().flat_map(|playout| &playout.passages);
        passages.map(move |passage| json!({ "lane": lane, "passage": passage }))
    });
    passages.collect()
}

fn report(shown: &Shown, lockstep: Lockstep, packets: u64) -> Value {
    let result = &shown.result;
    let switches = Stretch::of(shown.switches.iter().map(showing::Switch::took_ms));
    json!({
        "ready_ns": result.ready_ns,
        "seconds": (result.end_ns - result.ready_ns) as f64 / 1e9,
        "lanes": result.lanes,
        "switches": {
            "count": shown.switches.len(),
            "to_kernel_p50_ms": switches.p50_ms,
            "to_kernel_max_ms": switches.max_ms,
        },
        "sound_packets": packets,
        "held_up": result.held_up,
        "lockstep": {
            "moments": lockstep.moments,
            "difference_ms": lockstep.difference_ms,
            "lowest_delay_ms": lockstep.lowest_delay_ms,
            "highest_delay_ms": lockstep.highest_delay_ms,
        },
    })
}
