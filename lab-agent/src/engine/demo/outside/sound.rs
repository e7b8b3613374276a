//! What is heard of every lane, in step: one thread with one clock plays all of
//! them out, 10 ms at a time, from the take's beginning to its end.
// SPDX-License-Identifier: Apache-2.0
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{JoinHandle, sleep};
use std::time::Instant;

use lab_proto::live_event::Event;
use lab_proto::{DemoSound, PlayoutFacts, PlayoutState};
use thinlab_playout::{BROADCAST_SAMPLES, Broadcast, Codec, TICK_NS, TICK_SAMPLES};

use super::in_step::InStep;
pub use super::in_step::Told;
use super::outlet::Outlet;
use super::take_clock::TakeClock;
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::protocol::Protocol;
use crate::punctual;

const TICKS_IN_PACKET: usize = BROADCAST_SAMPLES / TICK_SAMPLES;
/// Often enough for moments of 100 ms.
const TICKS_IN_REPORT: u64 = 5;
/// The playout lives so much behind: what the guest says of an instant is known
/// here by then, unless the machine is held up. Then the playout waits for it.
pub const BEHIND_NS: u64 = 10_000_000;
const BEHIND_MS: f64 = BEHIND_NS as f64 / 1e6;
/// Sound that waited for longer is of no use to who listens.
const LATE_MOST_NS: u64 = 200_000_000;

/// The running thread; ends when this is dropped.
pub struct Sound {
    told: Sender<Told>,
    states: Arc<States>,
    thread: JoinHandle<Outcome<()>>,
}

/// What the playout does now.
pub struct States(Mutex<State>);

#[derive(Default)]
struct State {
    lanes: Vec<PlayoutState>,
    late: Late,
}

/// What became of the sound because it had to wait.
#[derive(Clone, Copy, Default)]
pub struct Late {
    /// The longest that any of it waited.
    pub max_ns: u64,
    /// Packets that were too late to be sent.
    pub left_out: u64,
}

impl States {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nothing panics while holding it")
    }

    /// By lane; passages are given once.
    pub fn take(&self) -> Vec<PlayoutState> {
        let mut state = self.lock();
        let taken = state.lanes.clone();
        for lane in &mut state.lanes {
            lane.passages.clear();
        }
        taken
    }

    /// Since the beginning.
    pub fn late(&self) -> Late {
        self.lock().late
    }
}

impl Sound {
    /// Starts to play out lanes with these protocols at `start_ns`.
    pub fn start(
        codec: Codec,
        lanes: &[Protocol],
        start_ns: u64,
        clock: TakeClock,
        outlet: Outlet,
    ) -> Outcome<Self> {
        let states = Arc::new(States(Mutex::new(State {
            lanes: vec![PlayoutState::default(); lanes.len()],
            late: Late::default(),
        })));
        let (told, orders) = channel();
        let mut player = Player::new(codec, lanes, start_ns, Arc::clone(&states), outlet)?;
        let thread = std::thread::Builder::new().name("sound".into());
        let thread = thread.spawn(move || {
            // Guests go before it: their work is shorter, and it has 10 ms.
            let _ = punctual::prefer(punctual::PROGRAM);
            let ended = player.play(&orders, &clock);
            if let Err(fault) = &ended {
                eprintln!("lab-agent: {fault}");
            }
            ended
        });
        Ok(Self {
            told,
            states,
            thread: thread.doing("starting the sound's thread")?,
        })
    }

    /// Tells it what happened.
    pub fn tell(&self, told: Told) -> Outcome<()> {
        self.told.send(told).map_err(|_| {
            Fault::Failed("the take's sound has ended; the agent's log says why".into())
        })
    }

    /// What the lanes' playouts do.
    pub fn states(&self) -> Arc<States> {
        Arc::clone(&self.states)
    }

    /// Ends it; what was heard of each lane.
    pub fn stop(self) -> Outcome<Vec<PlayoutFacts>> {
        let Self {
            told,
            states,
            thread,
        } = self;
        drop(told);
        let ended = thread.join();
        ended.unwrap_or_else(|_| Err(Fault::Failed("the sound's thread panicked".into())))?;
        let states = states.lock();
        Ok(states.lanes.iter().filter_map(|lane| lane.facts).collect())
    }
}

/// What the thread works with.
struct Player {
    in_step: InStep,
    lanes: Vec<Lane>,
    start_ns: u64,
    ticks: u64,
    late: Late,
    states: Arc<States>,
    outlet: Outlet,
}

struct Lane {
    broadcast: Broadcast,
    samples: [i16; BROADCAST_SAMPLES],
}

impl Player {
    fn new(
        codec: Codec,
        lanes: &[Protocol],
        start_ns: u64,
        states: Arc<States>,
        outlet: Outlet,
    ) -> Outcome<Self> {
        let lane = |_: &Protocol| {
            Ok(Lane {
                broadcast: Broadcast::new().map_err(failed)?,
                samples: [0; BROADCAST_SAMPLES],
            })
        };
        Ok(Self {
            in_step: InStep::new(codec, lanes),
            lanes: lanes.iter().map(lane).collect::<Outcome<_>>()?,
            start_ns,
            ticks: 0,
            late: Late::default(),
            states,
            outlet,
        })
    }

    /// Until nobody tells any more.
    fn play(&mut self, orders: &Receiver<Told>, clock: &TakeClock) -> Outcome<()> {
        loop {
            let due_ns = self.start_ns + self.ticks * TICK_NS;
            let due = clock.instant(due_ns);
            sleep(due.saturating_duration_since(Instant::now()));
            for told in orders.try_iter() {
                self.in_step.hear(told)?;
            }
            while !self.in_step.knows(due_ns - BEHIND_NS) {
                let Ok(told) = orders.recv() else {
                    self.report();
                    return Ok(());
                };
                self.in_step.hear(told)?;
            }
            self.tick(due_ns, clock.now_ns())?;
        }
    }

    /// The next 10 ms of every lane.
    fn tick(&mut self, due_ns: u64, now_ns: u64) -> Outcome<()> {
        let part = self.ticks as usize % TICKS_IN_PACKET;
        let heard = self.in_step.tick(due_ns - BEHIND_NS);
        for (lane, samples) in self.lanes.iter_mut().zip(heard) {
            lane.samples[part * TICK_SAMPLES..][..TICK_SAMPLES].copy_from_slice(&samples);
        }
        self.ticks += 1;
        if part + 1 == TICKS_IN_PACKET {
            self.send(due_ns, now_ns)?;
        }
        if self.ticks.is_multiple_of(TICKS_IN_REPORT) {
            self.report();
        }
        Ok(())
    }

    fn send(&mut self, last_tick_ns: u64, now_ns: u64) -> Outcome<()> {
        // The encoders go on also with what nobody gets.
        let packets = self.lanes.iter_mut().map(|lane| {
            let packet = lane.broadcast.encode(&lane.samples);
            packet.map_err(failed)
        });
        let opus = packets.collect::<Outcome<_>>()?;
        let late_ns = now_ns.saturating_sub(last_tick_ns);
        self.late.max_ns = self.late.max_ns.max(late_ns);
        if late_ns > LATE_MOST_NS {
            self.late.left_out += 1;
        } else {
            self.outlet.sound(Event::Sound(DemoSound {
                number: self.ticks / TICKS_IN_PACKET as u64 - 1,
                at_ns: last_tick_ns - (TICKS_IN_PACKET as u64 - 1) * TICK_NS,
                opus,
            }));
        }
        Ok(())
    }

    fn report(&mut self) {
        let mut state = self.states.lock();
        state.late = self.late;
        for (lane, report) in state.lanes.iter_mut().zip(self.in_step.report()) {
            let told = std::mem::replace(lane, by_listener(report)).passages;
            lane.passages.splice(..0, told);
        }
    }
}

/// By the clock of who listens, who is so much behind.
fn by_listener(mut state: PlayoutState) -> PlayoutState {
    if state.delay_ms > 0.0 {
        state.delay_ms += BEHIND_MS;
    }
    for passage in &mut state.passages {
        passage.at_ns += BEHIND_NS;
    }
    state
}

fn failed(error: impl std::fmt::Display) -> Fault {
    Fault::Failed(format!("the take's sound: {error}"))
}
