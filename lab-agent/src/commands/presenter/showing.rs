//! One take from its opening to its result, with its switches.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::time::Duration;

use lab_proto::live_event::Event;
use lab_proto::live_input::Input;
use lab_proto::{
    DemoChange, DemoLaneChange, DemoOpen, DemoResult, LaneSpec, LiveFinish, LiveInput,
};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{Instant, sleep_until};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::boot::Host;
use crate::clock::now_ns;
use crate::engine::demo::outside;
use crate::fault::{Fault, Outcome};

/// Inputs that may wait; the presenter has one at a time.
const IN_FLIGHT: usize = 8;
/// No presenter shows anything for longer.
const A_YEAR: Duration = Duration::from_hours(24 * 365);

/// What the presenter does.
pub struct Script {
    /// The take.
    pub open: DemoOpen,
    /// From `ready` to `finish`.
    pub length: Duration,
    /// So often the lanes change places: each gets the state of the next one.
    pub switch_every: Option<Duration>,
}

/// A switch that the kernel has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// When it was asked for.
    pub asked_ns: u64,
    /// When all of it was in force.
    pub kernel_ns: u64,
}

impl Switch {
    /// How long it took.
    pub fn took_ms(&self) -> f64 {
        (self.kernel_ns as f64 - self.asked_ns as f64) / 1e6
    }
}

/// A take that was shown.
pub struct Shown {
    /// Of the take.
    pub result: DemoResult,
    /// In order.
    pub switches: Vec<Switch>,
}

/// Shows a take from its beginning to its end; `each` is told of every event, and whose it is.
pub async fn run(
    host: Arc<Host>,
    script: Script,
    mut each: impl FnMut(u32, &Event),
) -> Outcome<Shown> {
    let (inputs, receiver) = channel(IN_FLIGHT);
    let open = script.open.clone();
    let mut events = outside::run(host, open, ReceiverStream::new(receiver).map(Ok));
    let mut hand = Hand::new(&script);
    let mut result = None;
    loop {
        let due = hand.next();
        tokio::select! {
            event = events.recv() => {
                let Some(event) = event else { break };
                let event = event.map_err(|status| {
                    Fault::Failed(format!("{:?}: {}", status.code(), status.message()))
                })?;
                let Some(told) = event.event else { continue };
                each(event.lane, &told);
                match told {
                    Event::Ready(_) => hand.begin(),
                    Event::Changed(changed) => hand.changed(changed.kernel_at_ns, &changed.problem)?,
                    Event::Demo(told) => result = Some(told),
                    _ => {}
                }
            }
            () = sleep_until(due) => {
                let input = hand.act();
                put(&inputs, input).await;
            }
        }
    }
    let result = result.ok_or_else(|| Fault::Failed("a take ended without a result".into()))?;
    if !result.reason.is_empty() {
        return Err(Fault::Failed(format!(
            "a take ended by itself: {}",
            result.reason
        )));
    }
    Ok(Shown {
        result,
        switches: hand.switches,
    })
}

async fn put(inputs: &Sender<LiveInput>, input: Input) {
    // Who is through with the take takes no more: its events tell.
    let _ = inputs.send(LiveInput { input: Some(input) }).await;
}

/// What the presenter's hand does next.
struct Hand<'a> {
    script: &'a Script,
    lanes: Vec<LaneSpec>,
    end: Option<Instant>,
    switch: Option<Instant>,
    asked_ns: Option<u64>,
    switches: Vec<Switch>,
}

impl<'a> Hand<'a> {
    fn new(script: &'a Script) -> Self {
        Self {
            script,
            lanes: script.open.lanes.clone(),
            end: None,
            switch: None,
            asked_ns: None,
            switches: Vec::new(),
        }
    }

    fn begin(&mut self) {
        let now = Instant::now();
        self.end = Some(now + self.script.length);
        self.switch = self.script.switch_every.map(|every| now + every);
    }

    fn next(&self) -> Instant {
        let never = Instant::now() + A_YEAR;
        let switch = self.switch.filter(|_| self.asked_ns.is_none());
        let next = [self.end, switch].into_iter().flatten().min();
        next.unwrap_or(never)
    }

    fn act(&mut self) -> Input {
        let now = Instant::now();
        if self.end.is_some_and(|end| end <= now) {
            self.end = None;
            self.switch = None;
            return Input::Finish(LiveFinish {});
        }
        self.switch = self.script.switch_every.map(|every| now + every);
        self.lanes.rotate_left(1);
        self.asked_ns = Some(now_ns());
        let lanes = self.lanes.iter().cloned().enumerate();
        Input::Change(DemoChange {
            id: self.switches.len() as u32 + 1,
            lanes: lanes
                .map(|(lane, spec)| DemoLaneChange {
                    lane: lane as u32,
                    spec: Some(spec),
                })
                .collect(),
        })
    }

    fn changed(&mut self, kernel_ns: u64, problem: &str) -> Outcome<()> {
        if !problem.is_empty() {
            return Err(Fault::Failed(format!("a switch was refused: {problem}")));
        }
        if let Some(asked_ns) = self.asked_ns.take() {
            self.switches.push(Switch {
                asked_ns,
                kernel_ns,
            });
        }
        Ok(())
    }
}
