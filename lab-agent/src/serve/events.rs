//! A session as a stream of events: progress, then the result, then the files
//! in pieces.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::session_event::Event;
use lab_proto::{FileKind, SessionEvent, SessionProgress, SessionSpec};
use tonic::Status;

use crate::boot::Host;
use crate::engine::files::{capture_chunks, chunks};
use crate::engine::outlet::{self, Outlet};
use crate::engine::session::{self, Stage};

/// Events that may wait for a slow caller.
pub const IN_FLIGHT: usize = 16;

/// Runs a session and sends what happens.
pub async fn session(
    host: &Host,
    spec: SessionSpec,
    events: &Outlet<SessionEvent>,
) -> Result<(), Status> {
    let heard = events.clone();
    let progress = move |stage: Stage| {
        // Progress is not worth waiting for.
        let _ = heard.try_send(Ok(event(Event::Progress(SessionProgress {
            stage: stage.name().into(),
            share: 0.0,
        }))));
    };
    let session = session::run(host, spec, progress).await?;
    outlet::send(events, event(Event::Result(session.result))).await?;
    let recording = session.recording.unwrap_or_default();
    let recording: Vec<u8> = recording.into_iter().flat_map(i16::to_le_bytes).collect();
    let recording = chunks(FileKind::Recording, &recording);
    for chunk in capture_chunks(&session.captures).chain(recording) {
        outlet::send(events, event(Event::File(chunk))).await?;
    }
    Ok(())
}

fn event(event: Event) -> SessionEvent {
    SessionEvent { event: Some(event) }
}
