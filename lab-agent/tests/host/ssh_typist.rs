//! Somebody who types in a terminal: a call of `RunLive`, its keys and its
//! screens.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::live_event::Event;
use lab_proto::live_input::Input;
use lab_proto::{
    Editor, LaneSpec, LiveEvent, LiveFinish, LiveInput, TerminalKeys, TerminalOpen, TerminalResult,
    TerminalTask,
};
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tonic::{Status, Streaming};

use crate::agent::Agent;

/// Ends a test that waits for what never comes.
const BOUND: Duration = Duration::from_mins(2);
/// Before a key that may have been thrown away is pressed again.
const TRY: Duration = Duration::from_secs(2);
const TRIES: u32 = 60;
const LIMIT_NS: u64 = 600_000_000_000;

/// A terminal that is ready, and what it has shown.
pub struct Typist {
    inputs: Sender<LiveInput>,
    events: Streaming<LiveEvent>,
    keys: u32,
    shown: Vec<u8>,
    seen: usize,
    result: Option<TerminalResult>,
}

impl Typist {
    /// Opens a terminal and waits until keys count.
    pub async fn open(agent: &Agent, lane: LaneSpec, editor: Editor, text: &str) -> Self {
        Self::try_open(agent, lane, editor, text).await.unwrap()
    }

    /// As [`Typist::open`], for terminals that may be refused.
    pub async fn try_open(
        agent: &Agent,
        lane: LaneSpec,
        editor: Editor,
        text: &str,
    ) -> Result<Self, Status> {
        let open = TerminalOpen {
            lane: Some(lane),
            task: Some(TerminalTask {
                editor: editor as i32,
                text: text.into(),
                columns: 80,
                rows: 24,
            }),
            limit_ns: LIMIT_NS,
        };
        let (inputs, events) = agent.live(Input::Terminal(open)).await?;
        let mut typist = Self {
            inputs,
            events,
            keys: 0,
            shown: Vec::new(),
            seen: 0,
            result: None,
        };
        loop {
            match typist.next().await? {
                Some(Event::Ready(_)) => return Ok(typist),
                Some(_) => {}
                None => {
                    return Err(Status::internal(
                        "the call ended before the terminal was ready",
                    ));
                }
            }
        }
    }

    /// Presses one key, or what amounts to one.
    pub async fn press(&mut self, key: &str) {
        self.keys += 1;
        let keys = TerminalKeys {
            number: self.keys,
            data: key.into(),
        };
        // The terminal may have ended: the events tell.
        let _ = self.inputs.send(input(Input::Keys(keys))).await;
    }

    /// Presses one key after the other.
    pub async fn type_in(&mut self, text: &str) {
        for key in text.chars() {
            self.press(key.encode_utf8(&mut [0; 4])).await;
        }
    }

    /// Waits until `text` is shown after what was waited for before, and gives
    /// everything in between.
    pub async fn until(&mut self, text: &str) -> String {
        loop {
            let new = String::from_utf8_lossy(&self.shown[self.seen..]).into_owned();
            if let Some(at) = new.find(text) {
                self.seen += at + text.len();
                return new[..at + text.len()].to_owned();
            }
            let event = self.next().await.unwrap();
            assert!(
                event.is_some() && self.result.is_none(),
                "the terminal ended and `{text}` was not shown: {new:?}"
            );
        }
    }

    /// Presses a key until `text` is shown for it: it may be thrown away, and must do
    /// no harm when it is not.
    pub async fn press_until(&mut self, key: &str, text: &str) {
        for _ in 0..TRIES {
            self.press(key).await;
            if tokio::time::timeout(TRY, self.until(text)).await.is_ok() {
                return;
            }
        }
        panic!("`{text}` is not shown: {:?}", self.shown());
    }

    /// Everything shown so far.
    pub fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown).into_owned()
    }

    /// Says that the task is done, and waits for the end.
    pub async fn finish(mut self) -> TerminalResult {
        let finish = input(Input::Finish(LiveFinish {}));
        let _ = self.inputs.send(finish).await;
        self.ended().await
    }

    /// Waits for the end.
    pub async fn ended(&mut self) -> TerminalResult {
        while self.next().await.unwrap().is_some() {}
        self.result
            .take()
            .expect("a terminal that ended has a result")
    }

    async fn next(&mut self) -> Result<Option<Event>, Status> {
        let message = tokio::time::timeout(BOUND, self.events.message()).await;
        let message = message.expect("the terminal says nothing any more")?;
        let event = message.and_then(|message| message.event);
        match &event {
            Some(Event::Screen(screen)) => self.shown.extend(&screen.data),
            Some(Event::Terminal(result)) => self.result = Some(result.clone()),
            _ => {}
        }
        Ok(event)
    }
}

fn input(input: Input) -> LiveInput {
    LiveInput { input: Some(input) }
}
