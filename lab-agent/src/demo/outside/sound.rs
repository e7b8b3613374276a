//! What is heard of every lane, in step: one thread with one clock plays all of
//! them out, 10 ms at a time, from the take's beginning to its end.
// SPDX-License-Identifier: Apache-2.0
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{JoinHandle, sleep};
use std::time::Instant;

use lab_proto::demo_event::Event;
use lab_proto::{DemoSound, PlayoutFacts, PlayoutState};
use thinlab_playout::{BROADCAST_SAMPLES, Broadcast, LivePlayout, Message, TICK_NS, TICK_SAMPLES};

use super::outlet::Outlet;
use super::take_clock::TakeClock;
use crate::fault::{Doing, Fault, Outcome};
use crate::punctual;

const TICKS_IN_PACKET: usize = BROADCAST_SAMPLES / TICK_SAMPLES;
/// Often enough for moments of 100 ms.
const TICKS_IN_REPORT: u64 = 5;
/// The playout lives so much behind: what the guest says of an instant is known
/// here by then, even on a busy machine.
const BEHIND_NS: u64 = 30_000_000;
const BEHIND_MS: f64 = BEHIND_NS as f64 / 1e6;

/// What the thread is told.
pub enum Told {
    /// A message that goes to every lane.
    Sent {
        /// Its bytes.
        bytes: Vec<u8>,
        /// When its last sample was captured.
        captured_ns: u64,
    },
    /// A lane's receiver could read a message.
    Arrived(usize, u64, u64),
    /// A message was never written to a lane.
    Skipped(usize, u64),
}

/// The running thread; ends when this is dropped.
pub struct Sound {
    told: Sender<Told>,
    states: Arc<States>,
    thread: JoinHandle<Outcome<()>>,
}

/// What the playout of each lane does now.
pub struct States(Mutex<Vec<PlayoutState>>);

impl States {
    fn lock(&self) -> MutexGuard<'_, Vec<PlayoutState>> {
        self.0.lock().expect("nothing panics while holding it")
    }

    /// By lane; passages are given once.
    pub fn take(&self) -> Vec<PlayoutState> {
        let mut states = self.lock();
        let taken = states.clone();
        for state in states.iter_mut() {
            state.passages.clear();
        }
        taken
    }
}

impl Sound {
    /// Starts to play out `lanes` lanes at `start_ns`.
    pub fn start(lanes: usize, start_ns: u64, clock: TakeClock, outlet: Outlet) -> Outcome<Self> {
        let states = Arc::new(States(Mutex::new(vec![PlayoutState::default(); lanes])));
        let (told, orders) = channel();
        let mut player = Player::new(lanes, start_ns, Arc::clone(&states), outlet)?;
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
        Ok(states.iter().filter_map(|state| state.facts).collect())
    }
}

/// What the thread works with.
struct Player {
    lanes: Vec<Lane>,
    start_ns: u64,
    ticks: u64,
    states: Arc<States>,
    outlet: Outlet,
}

struct Lane {
    playout: LivePlayout,
    broadcast: Broadcast,
    samples: [i16; BROADCAST_SAMPLES],
}

impl Player {
    fn new(lanes: usize, start_ns: u64, states: Arc<States>, outlet: Outlet) -> Outcome<Self> {
        let lane = |_| {
            Ok(Lane {
                playout: LivePlayout::new(),
                broadcast: Broadcast::new().map_err(failed)?,
                samples: [0; BROADCAST_SAMPLES],
            })
        };
        Ok(Self {
            lanes: (0..lanes).map(lane).collect::<Outcome<_>>()?,
            start_ns,
            ticks: 0,
            states,
            outlet,
        })
    }

    fn play(&mut self, orders: &Receiver<Told>, clock: &TakeClock) -> Outcome<()> {
        loop {
            let due_ns = self.start_ns + self.ticks * TICK_NS;
            sleep(
                clock
                    .instant(due_ns)
                    .saturating_duration_since(Instant::now()),
            );
            loop {
                match orders.try_recv() {
                    Ok(told) => self.hear(told)?,
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        self.report();
                        return Ok(());
                    }
                }
            }
            self.tick(due_ns)?;
        }
    }

    fn hear(&mut self, told: Told) -> Outcome<()> {
        match told {
            Told::Sent { bytes, captured_ns } => {
                let message = Message {
                    at_ns: captured_ns,
                    bytes,
                };
                for lane in &mut self.lanes {
                    lane.playout.send(&message, captured_ns).map_err(failed)?;
                }
            }
            Told::Arrived(lane, number, at_ns) => {
                let playout = &mut self.lane(lane)?.playout;
                playout.arrive(number, at_ns).map_err(failed)?;
            }
            Told::Skipped(lane, number) => {
                let playout = &mut self.lane(lane)?.playout;
                playout.skip(number).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn lane(&mut self, lane: usize) -> Outcome<&mut Lane> {
        let known = self.lanes.get_mut(lane);
        known.ok_or_else(|| failed(format!("the guest tells of a lane {lane}")))
    }

    /// The next 10 ms of every lane.
    fn tick(&mut self, due_ns: u64) -> Outcome<()> {
        let part = self.ticks as usize % TICKS_IN_PACKET;
        for lane in &mut self.lanes {
            let samples = lane.playout.tick(due_ns - BEHIND_NS);
            lane.samples[part * TICK_SAMPLES..][..TICK_SAMPLES].copy_from_slice(&samples);
        }
        self.ticks += 1;
        if part + 1 == TICKS_IN_PACKET {
            self.send(due_ns)?;
        }
        if self.ticks.is_multiple_of(TICKS_IN_REPORT) {
            self.report();
        }
        Ok(())
    }

    fn report(&mut self) {
        for (lane, state) in self.lanes.iter_mut().zip(self.states.lock().iter_mut()) {
            lane.report(state);
        }
    }

    fn send(&mut self, last_tick_ns: u64) -> Outcome<()> {
        let packets = self.lanes.iter_mut().map(|lane| {
            let packet = lane.broadcast.encode(&lane.samples);
            packet.map_err(failed)
        });
        let opus = packets.collect::<Outcome<_>>()?;
        self.outlet.sound(Event::Sound(DemoSound {
            number: self.ticks / TICKS_IN_PACKET as u64 - 1,
            at_ns: last_tick_ns - (TICKS_IN_PACKET as u64 - 1) * TICK_NS,
            opus,
        }));
        Ok(())
    }
}

impl Lane {
    /// By the clock of who listens, who is as much behind.
    fn report(&mut self, state: &mut PlayoutState) {
        let told = std::mem::take(&mut state.passages);
        *state = self.playout.report();
        if state.delay_ms > 0.0 {
            state.delay_ms += BEHIND_MS;
        }
        for passage in &mut state.passages {
            passage.at_ns += BEHIND_NS;
        }
        state.passages.splice(..0, told);
    }
}

fn failed(error: impl std::fmt::Display) -> Fault {
    Fault::Failed(format!("the take's sound: {error}"))
}
