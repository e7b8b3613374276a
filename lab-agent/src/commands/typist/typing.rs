//! One terminal from its opening to its result, with each stroke at its time.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::time::Duration;

use lab_proto::live_event::Event;
use lab_proto::live_input::Input;
use lab_proto::{
    Editor, LaneSpec, LiveFinish, LiveInput, TerminalEnd, TerminalKeys, TerminalOpen,
    TerminalResult, TerminalTask,
};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{Instant, sleep_until};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use super::stroke::Stroke;
use crate::boot::Host;
use crate::clock::SECOND_NS;
use crate::engine::terminal::{IN_FLIGHT, outside};
use crate::fault::{Fault, Outcome};

/// What comes so soon after the path's own delay comes at once: SSH, the editor
/// and the turns in between take less, and no loss is repaired so fast.
pub const AT_ONCE_MS: f64 = 20.0;
/// Longer than any script: an hour is the most there is.
const LIMIT_NS: u64 = 3600 * SECOND_NS;
/// What the typist has before their eyes.
const TEXT: &[u8] = b"\n";

/// An ordinary terminal over a lane.
pub fn open(lane: LaneSpec, editor: Editor) -> TerminalOpen {
    TerminalOpen {
        lane: Some(lane),
        task: Some(TerminalTask {
            editor: editor as i32,
            text: TEXT.into(),
            columns: 80,
            rows: 24,
        }),
        limit_ns: LIMIT_NS,
    }
}

/// A terminal that was typed in.
pub struct Typed {
    /// From the beginning of its lane to that of the login.
    pub opening_lane: Duration,
    /// From the request to `ready`.
    pub getting_ready: Duration,
    /// What the agent says of it.
    pub result: TerminalResult,
}

/// Opens a terminal, types, waits for the last echo, finishes.
pub async fn run(host: Arc<Host>, open: TerminalOpen, strokes: Vec<Stroke>) -> Outcome<Typed> {
    let asked = Instant::now();
    let (inputs, receiver) = channel(IN_FLIGHT);
    let mut events = outside::run(host, open, ReceiverStream::new(receiver).map(Ok));
    let mut typed = None;
    let (mut result, mut getting_ready) = (None, Duration::ZERO);
    let (mut lane, mut opening_lane) = (asked, Duration::ZERO);
    let last = strokes.len() as u32;
    while let Some(event) = events.recv().await {
        match event.map_err(|status| fault(&status))?.event {
            Some(Event::Progress(progress)) => match progress.stage.as_str() {
                "lane" => lane = Instant::now(),
                "log in" => opening_lane = lane.elapsed(),
                _ => {}
            },
            Some(Event::Ready(_)) => {
                getting_ready = asked.elapsed();
                typed = Some(tokio::spawn(type_all(inputs.clone(), strokes.clone())));
            }
            Some(Event::Screen(screen)) if screen.answers_key == last && last > 0 => {
                put(&inputs, Input::Finish(LiveFinish {})).await;
            }
            Some(Event::Terminal(told)) => result = Some(told),
            _ => {}
        }
        if last == 0 && typed.is_some() {
            put(&inputs, Input::Finish(LiveFinish {})).await;
        }
    }
    let result = result.ok_or_else(|| Fault::Failed("a terminal ended without a result".into()))?;
    if result.end() != TerminalEnd::Finished {
        return Err(Fault::Failed(format!(
            "a terminal ended by itself ({:?}): {}",
            result.end(),
            result.reason
        )));
    }
    Ok(Typed {
        opening_lane,
        getting_ready,
        result,
    })
}

/// Each stroke at its time, whatever becomes of those before it.
async fn type_all(inputs: Sender<LiveInput>, strokes: Vec<Stroke>) {
    let mut due = Instant::now();
    for (index, stroke) in strokes.into_iter().enumerate() {
        due += stroke.after;
        sleep_until(due).await;
        let keys = TerminalKeys {
            number: index as u32 + 1,
            data: stroke.data,
        };
        put(&inputs, Input::Keys(keys)).await;
    }
}

async fn put(inputs: &Sender<LiveInput>, input: Input) {
    // Who is through with the terminal takes no more: its events tell.
    let _ = inputs.send(LiveInput { input: Some(input) }).await;
}

fn fault(status: &Status) -> Fault {
    Fault::Failed(format!("{:?}: {}", status.code(), status.message()))
}
