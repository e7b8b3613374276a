//! A session as a stream of events: progress, then the result, then the files
//! in pieces.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use lab_proto::session_event::Event;
use lab_proto::{FileKind, SessionEvent, SessionSpec};
use tokio::sync::mpsc::Receiver;
use tonic::Status;

use super::Stage;
use crate::boot::Host;
use crate::engine::files::{capture_chunks, chunks};
use crate::engine::outlet::{self, Outlet, send};

/// What goes to the caller.
pub type Events = Receiver<Result<SessionEvent, Status>>;

/// Events that may wait for a slow caller.
const IN_FLIGHT: usize = 16;

/// Runs a session on a guest of its own, or the one with the least to do. Ends
/// when nobody takes events any more, and its guest with it.
pub fn run(host: Arc<Host>, spec: SessionSpec) -> Events {
    outlet::run(IN_FLIGHT, |events| async move {
        whole(&host, spec, &events).await
    })
}

async fn whole(
    host: &Host,
    spec: SessionSpec,
    events: &Outlet<SessionEvent>,
) -> Result<(), Status> {
    let heard = events.clone();
    let progress = move |stage: Stage| {
        // Progress is not worth waiting for.
        let progress = about(0, 0, Event::Progress(outlet::stage(stage.name())));
        let _ = heard.try_send(Ok(progress));
    };
    let session = super::run(host, spec, progress).await?;
    let mut files = Vec::new();
    for (lane, finished) in session.0.into_iter().enumerate() {
        let captures = capture_chunks(&finished.captures);
        let settings = chunks(FileKind::Settings, finished.settings.as_bytes());
        let of_lane = captures.chain(settings);
        files.extend(of_lane.map(|chunk| about(lane, 0, Event::File(chunk))));
        for (flow, finished) in finished.flows.into_iter().enumerate() {
            send(events, about(lane, flow, Event::Result(finished.result))).await?;
            let recording = finished.recording.unwrap_or_default();
            let recording: Vec<u8> = recording.into_iter().flat_map(i16::to_le_bytes).collect();
            let recording = chunks(FileKind::Recording, &recording);
            files.extend(recording.map(|chunk| about(lane, flow, Event::File(chunk))));
        }
    }
    for file in files {
        send(events, file).await?;
    }
    Ok(())
}

/// What became of a lane or of one of its flows.
fn about(lane: usize, flow: usize, event: Event) -> SessionEvent {
    SessionEvent {
        event: Some(event),
        lane: lane as u32,
        flow: flow as u32,
    }
}
