//! A session as a stream of events: progress, then the result, then the files
//! in pieces.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::session_event::Event;
use lab_proto::{FileChunk, FileKind, SessionEvent, SessionProgress, SessionSpec};
use tokio::sync::mpsc::Sender;
use tonic::Status;

use crate::boot::Host;
use crate::session::{self, Session};

/// Events that may wait for a slow caller.
pub const IN_FLIGHT: usize = 16;
/// Below every gRPC library's default limit of 4 MiB.
const CHUNK_BYTES: usize = 1 << 20;

/// Runs a session and sends what happens; ends early when nobody listens.
pub async fn session(host: &Host, spec: SessionSpec, events: Sender<Result<SessionEvent, Status>>) {
    let heard = events.clone();
    let progress = move |stage: session::Stage| {
        // Progress is not worth waiting for.
        let _ = heard.try_send(Ok(event(Event::Progress(SessionProgress {
            stage: stage.name().into(),
            share: 0.0,
        }))));
    };
    match session::run(host, spec, progress).await {
        Ok(session) => {
            for one in after(session) {
                if events.send(Ok(event(one))).await.is_err() {
                    return;
                }
            }
        }
        Err(fault) => {
            let _ = events.send(Err(fault.into())).await;
        }
    }
}

/// The events that follow the progress.
fn after(session: Session) -> impl Iterator<Item = Event> {
    let recording = session.recording.map(|samples| {
        let bytes: Vec<u8> = samples.iter().flat_map(|s| s.to_le_bytes()).collect();
        (FileKind::Recording, bytes)
    });
    let files = [
        (FileKind::SenderCapture, session.sender_capture),
        (FileKind::ReceiverCapture, session.receiver_capture),
    ];
    let chunks = files
        .into_iter()
        .chain(recording)
        .flat_map(|(kind, bytes)| {
            let chunks = bytes.chunks(CHUNK_BYTES).map(|chunk| {
                Event::File(FileChunk {
                    kind: kind as i32,
                    data: chunk.to_vec(),
                })
            });
            chunks.collect::<Vec<_>>()
        });
    std::iter::once(Event::Result(session.result)).chain(chunks)
}

fn event(event: Event) -> SessionEvent {
    SessionEvent { event: Some(event) }
}
