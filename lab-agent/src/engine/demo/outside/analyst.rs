//! Works out what the packets say, while they pass: moments, figures, files.
//! A thread of its own, which all that is urgent goes before.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Instant;

use lab_proto::SocketState;
use lab_proto::guest::{DemoLaneLeft, DemoPackets, DemoPassages, DemoPulse};
use lab_proto::live_event::Event;
use lab_proto::{DemoHeldUp, DemoLaneResult, DemoMoment, FileChunk, PlayoutFacts, PlayoutState};
use tokio::sync::oneshot;

use super::lane_view::{Figures, LaneView};
use super::outlet::Outlet;
use super::sound::States;
use super::take_clock::TakeClock;
use crate::fault::{Doing, Fault, Outcome};
use crate::punctual;

const MOMENT_NS: u64 = 100_000_000;
/// Figures and files go with every so many moments.
const MOMENTS_A_SECOND: u64 = 10;
const MINUTE_NS: u64 = 60_000_000_000;
/// Of four busy lanes, what comes in half a minute.
const MOST_WAITING: usize = 1 << 14;

/// What the thread is told.
pub enum Told {
    /// Packets, in order of each end.
    Packets(DemoPackets),
    /// Writes and reads.
    Passages(DemoPassages),
    /// Of every lane.
    Sockets(Vec<SocketState>),
    /// How often the guest has stood still, when that is another number.
    Pulse(DemoPulse),
    /// The take has begun.
    Started(u64, Option<Arc<States>>),
    /// The guest has left the lanes, and this was heard of them.
    Left(Vec<DemoLaneLeft>, Vec<PlayoutFacts>),
}

/// What is left to tell when the take is over.
pub struct Rest {
    /// What became known last.
    pub moment: DemoMoment,
    /// The files' last bytes.
    pub files: Vec<(u32, FileChunk)>,
    /// Of each lane.
    pub lanes: Vec<DemoLaneResult>,
    /// How far the machine was held up.
    pub held_up: DemoHeldUp,
}

/// The running thread; ends when this is dropped.
pub struct Analyst {
    told: SyncSender<Told>,
    ended: oneshot::Receiver<Outcome<Rest>>,
}

impl Analyst {
    /// Begins with nothing known.
    pub fn start(lanes: Vec<LaneView>, clock: TakeClock, outlet: Outlet) -> Outcome<Self> {
        let (told, orders) = sync_channel(MOST_WAITING);
        let (end, ended) = oneshot::channel();
        let work = Work {
            lanes,
            clock,
            outlet,
            states: None,
            pulse: DemoPulse::default(),
            moments: 0,
            next_ns: u64::MAX,
        };
        let thread = std::thread::Builder::new().name("analyst".into());
        thread
            .spawn(move || {
                punctual::step_back();
                // Nobody listens when the take has ended otherwise.
                let _ = end.send(work.run(&orders));
            })
            .doing("starting the analysis's thread")?;
        Ok(Self { told, ended })
    }

    /// Tells it what happened.
    pub fn tell(&self, told: Told) -> Outcome<()> {
        match self.told.try_send(told) {
            // Why it is over is said in the end.
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Fault::Exhausted(
                "the machine is too busy to follow the take's packets: give it more processors, \
                 or the take fewer lanes"
                    .into(),
            )),
        }
    }

    /// Waits for its end: what is left to tell, or why it failed.
    pub async fn ended(&mut self) -> Outcome<Rest> {
        let ended = (&mut self.ended).await;
        ended.unwrap_or_else(|_| Err(Fault::Failed("the analysis of the take panicked".into())))
    }
}

struct Work {
    lanes: Vec<LaneView>,
    clock: TakeClock,
    outlet: Outlet,
    states: Option<Arc<States>>,
    pulse: DemoPulse,
    moments: u64,
    next_ns: u64,
}

impl Work {
    fn run(mut self, orders: &Receiver<Told>) -> Outcome<Rest> {
        loop {
            let due = self.clock.instant(self.next_ns);
            let wait = due.saturating_duration_since(Instant::now());
            match orders.recv_timeout(wait) {
                Ok(Told::Left(left, facts)) => return Ok(self.finish(left, facts)),
                Ok(told) => self.hear(told)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Failed("the take was dropped".into()));
                }
            }
            if self.clock.now_ns() >= self.next_ns {
                self.tell()?;
            }
        }
    }

    fn hear(&mut self, told: Told) -> Outcome<()> {
        match told {
            Told::Packets(packets) => self.lane(packets.lane)?.saw(&packets)?,
            Told::Passages(passages) => self.lane(passages.lane)?.passed(&passages),
            Told::Sockets(sockets) => {
                for (lane, socket) in self.lanes.iter_mut().zip(sockets) {
                    lane.sampled(socket);
                }
            }
            Told::Pulse(pulse) => self.pulse = pulse,
            Told::Started(at_ns, states) => {
                self.next_ns = at_ns + MOMENT_NS;
                self.states = states;
            }
            Told::Left(..) => {}
        }
        Ok(())
    }

    fn lane(&mut self, lane: u32) -> Outcome<&mut LaneView> {
        let view = self.lanes.get_mut(lane as usize);
        view.ok_or_else(|| Fault::Failed(format!("the guest tells of a lane {lane}")))
    }

    /// The moment that is due.
    fn tell(&mut self) -> Outcome<()> {
        self.moments += 1;
        let now_ns = self.clock.now_ns();
        let whole_second = self.moments.is_multiple_of(MOMENTS_A_SECOND);
        let moment = self.moment(now_ns, whole_second);
        self.outlet.put(Event::Moment(moment))?;
        if whole_second {
            for (lane, chunk) in self.files() {
                self.outlet.put_of(lane, Event::File(chunk))?;
            }
        }
        // One that was missed is not made up for.
        let behind = now_ns.saturating_sub(self.next_ns) / MOMENT_NS;
        self.next_ns += (behind + 1) * MOMENT_NS;
        Ok(())
    }

    fn moment(&mut self, now_ns: u64, with_figures: bool) -> DemoMoment {
        let figures = if with_figures {
            Figures::Since(now_ns.saturating_sub(MINUTE_NS))
        } else {
            Figures::Left
        };
        let states = self.states.as_ref().map(|states| states.take());
        let mut states = states.into_iter().flatten();
        let mut lane = |view: &mut LaneView| {
            let playout: Option<PlayoutState> = states.next();
            view.moment(playout, figures)
        };
        DemoMoment {
            at_ns: now_ns,
            lanes: self.lanes.iter_mut().map(&mut lane).collect(),
            held_up: Some(self.held_up()),
        }
    }

    fn held_up(&self) -> DemoHeldUp {
        let late = self.states.as_ref().map(|states| states.late());
        let late = late.unwrap_or_default();
        DemoHeldUp {
            standstills: self.pulse.standstills,
            stood_still_ms: self.pulse.stood_still_ns as f64 / 1e6,
            sound_late_max_ms: late.max_ns as f64 / 1e6,
            sound_left_out: late.left_out,
        }
    }

    /// The lanes' files' next bytes, and whose they are.
    fn files(&mut self) -> Vec<(u32, FileChunk)> {
        let lanes = (0..).zip(&mut self.lanes);
        let files =
            lanes.flat_map(|(lane, view)| view.files().into_iter().map(move |it| (lane, it)));
        files.collect()
    }

    fn finish(mut self, left: Vec<DemoLaneLeft>, facts: Vec<PlayoutFacts>) -> Rest {
        self.lanes.iter_mut().for_each(LaneView::end);
        let moment = self.moment(self.clock.now_ns(), true);
        let files = self.files();
        let held_up = self.held_up();
        let mut facts = facts.into_iter();
        let lanes = self.lanes.into_iter().zip(left);
        Rest {
            moment,
            files,
            lanes: lanes
                .map(|(view, left)| view.result(left, facts.next()))
                .collect(),
            held_up,
        }
    }
}
