//! A session: one stream over one lane, from the request to the metrics.
//!
//! request → messages → guest → captures and instants → metrics, recording.
//! Only the guest's part needs a host; the rest is pure and runs here.
// SPDX-License-Identifier: Apache-2.0
pub mod events;
mod measure;
pub mod transfer;

use lab_proto::guest::Transfer;
use lab_proto::session_spec::Stream as StreamSpec;
use lab_proto::{HostDescription, LaneChange, LaneSpec, SessionResult, SessionSpec};

use crate::boot::{CaptureFiles, Host, Sent};
use crate::fault::{Fault, Outcome};
use crate::lane;
use crate::punctual::at_leisure;
use crate::source::{self, Message, audio};

/// What a session is doing; the names are the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Encoding the source and starting a guest.
    Boot,
    /// The stream is on its way.
    Send,
    /// Matching the captures.
    Analyse,
    /// Making the recording.
    PlayOut,
}

impl Stage {
    /// As in `SessionProgress.stage`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boot => "boot",
            Self::Send => "send",
            Self::Analyse => "analyse",
            Self::PlayOut => "play out",
        }
    }
}

/// A finished session.
pub struct Session {
    /// Metrics and checks.
    pub result: SessionResult,
    /// What both ends saw.
    pub captures: CaptureFiles,
    /// 48 kHz mono; audio streams only.
    pub recording: Option<Vec<i16>>,
}

/// Runs a session. `progress` hears of every stage that begins.
pub async fn run(
    host: &Host,
    spec: SessionSpec,
    progress: impl Fn(Stage) + Clone + Send + 'static,
) -> Outcome<Session> {
    progress(Stage::Boot);
    let lane = spec
        .lane
        .ok_or_else(|| Fault::Invalid("lane is not set: give its paths and baseline".into()))?;
    lane::check::lane(&lane)?;
    lane::check::available(host.description(), &lane)?;
    check_changes(host.description(), &lane, &spec.changes)?;
    let (stream, seed) = (spec.stream, lane.seed);
    let (stream, messages) = at_leisure(move || {
        let messages = source::messages(stream.as_ref(), seed)?;
        Ok((stream, messages))
    })
    .await?;
    let transfer = Transfer {
        changes: spec.changes,
        ..transfer(lane, &messages)
    };
    let booted = progress.clone();
    let sent = host.transfer(transfer, move || booted(Stage::Send)).await?;
    at_leisure(move || finish(stream.as_ref(), messages, sent, progress)).await
}

/// Everything about the changes that can be known before the stream runs.
fn check_changes(
    description: &HostDescription,
    lane: &LaneSpec,
    changes: &[LaneChange],
) -> Outcome<()> {
    let mut earlier_ns = 0;
    for (index, change) in changes.iter().enumerate() {
        let name = format!("changes[{index}]");
        let Some(spec) = &change.spec else {
            return Err(Fault::Invalid(format!(
                "{name}.spec is not set: give the lane's whole new state"
            )));
        };
        if change.at_ns < earlier_ns {
            return Err(Fault::Invalid(format!(
                "{name}.at_ns is before the change in front of it: sort the changes by time"
            )));
        }
        earlier_ns = change.at_ns;
        if spec.baseline != lane.baseline {
            return Err(Fault::Invalid(format!(
                "{name}.spec.baseline is not lane.baseline: a running connection keeps its \
                 congestion control; use a session for each baseline"
            )));
        }
        lane::check::lane(spec)
            .and_then(|()| lane::check::available(description, spec))
            .map_err(|fault| fault.below(&format!("{name}.spec: ")))?;
    }
    Ok(())
}

/// The guest's part of a session.
pub fn transfer(lane: LaneSpec, messages: &[Message]) -> Transfer {
    Transfer {
        lane: Some(lane),
        at_ns: messages.iter().map(|message| message.at_ns).collect(),
        message_bytes: messages.iter().map(|m| m.bytes.len() as u32).collect(),
        stream: messages.iter().flat_map(|m| &m.bytes).copied().collect(),
        ..Transfer::default()
    }
}

fn finish(
    stream: Option<&StreamSpec>,
    messages: Vec<Message>,
    sent: Sent,
    progress: impl Fn(Stage),
) -> Outcome<Session> {
    let start = std::time::Instant::now();
    progress(Stage::Analyse);
    let mut result = measure::metrics(&messages, &sent)?;
    let recording = match stream {
        Some(StreamSpec::Audio(audio)) => {
            progress(Stage::PlayOut);
            let length = audio::samples(audio)?.len();
            let playout = measure::play_out(messages, &sent.transferred, length)?;
            result.playout = Some(playout.facts);
            result.playout_events = playout.events;
            Some(playout.samples)
        }
        _ => None,
    };
    result.wall_ns = sent.wall_ns + start.elapsed().as_nanos() as u64;
    Ok(Session {
        result,
        captures: sent.captures,
        recording,
    })
}

#[cfg(test)]
mod tests {
    use lab_proto::{Baseline, Mechanism, MechanismSupport, Path};

    use super::*;

    /// A kernel that has everything but bundling.
    fn stock() -> HostDescription {
        let support = |mechanism, reason: &str| MechanismSupport {
            mechanism: mechanism as i32,
            available: reason.is_empty(),
            reason: reason.into(),
        };
        HostDescription {
            mechanisms: vec![
                support(Mechanism::LinearTimeouts, ""),
                support(Mechanism::Bundling, "no tcp_rdb"),
            ],
            ..HostDescription::default()
        }
    }

    fn lane(mechanism: Mechanism) -> LaneSpec {
        LaneSpec {
            forward: Some(Path::default()),
            backward: Some(Path::default()),
            baseline: Baseline::Modern as i32,
            mechanisms: vec![mechanism as i32],
            ..LaneSpec::default()
        }
    }

    #[test]
    fn what_the_kernel_lacks_is_refused_at_once_and_later() {
        let (has, lacks) = (lane(Mechanism::LinearTimeouts), lane(Mechanism::Bundling));
        assert!(lane::check::available(&stock(), &has).is_ok());
        let at_once = lane::check::available(&stock(), &lacks).unwrap_err();
        let change = LaneChange {
            at_ns: 0,
            spec: Some(lacks),
        };
        let later = check_changes(&stock(), &has, &[change]).unwrap_err();
        for (fault, beginning) in [(at_once, "lane.mechanisms"), (later, "changes[0].spec: ")] {
            assert!(matches!(fault, Fault::Unsupported(_)), "{fault:?}");
            let message = fault.to_string();
            assert!(message.starts_with(beginning), "{message}");
            assert!(message.contains("no tcp_rdb"), "{message}");
        }
    }
}
