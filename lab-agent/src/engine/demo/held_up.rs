//! A machine that is held up again and again, simulated: whatever it does, the
//! lanes of a demo without loss stay in step.
//!
//! The guest and the agent each stand still for 20 to 400 ms, together nearly
//! three thousand times in an hour. The guest's part goes by the rules of
//! `inside/take.rs`: what is due is done once it runs, one lane after the other,
//! and it may stop anywhere in between. TCP's window lets so many packets go, on
//! each lane another number.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use thinlab_playout::{Codec, Message, TICK_NS, encode};

use super::inside::standstill::{LOOK_EVERY, Standstill};
use super::outside::in_step::{InStep, Told};
use super::outside::sound::BEHIND_NS;
use crate::lane::protocol::Protocol;
use crate::random::SplitMix;
use crate::source::live::AHEAD_NS;

const MS_NS: u64 = 1_000_000;
const START_NS: u64 = 1_800_000_000_000 * MS_NS;
const HOUR_NS: u64 = 3_600_000 * MS_NS;
const LANES: usize = 2;
const PATH_NS: u64 = 65 * MS_NS;
/// Of each packet of each lane.
const OWN_JITTER_NS: u64 = MS_NS / 2;
/// Packets of each lane that may be under way, unacknowledged.
const WINDOWS: [usize; LANES] = [8, 11];
/// What the guest needs for a call to its kernel, and a report to the agent.
const CALL_NS: u64 = MS_NS / 20;
const REPORT_NS: u64 = MS_NS / 3;
const SAMPLES_PER_MS: usize = 48;
const APART_MOST_MS: f64 = 20.0;

fn between(random: &mut SplitMix, from: u64, to: u64) -> u64 {
    from + random.next() % (to - from)
}

/// When somebody does not run.
struct Holds(Vec<(u64, u64)>);

impl Holds {
    /// Every 0.5 to 4.5 seconds for 20 to 400 ms.
    fn of_an_hour(seed: u64) -> Self {
        let mut random = SplitMix(seed);
        let mut holds = Vec::new();
        let mut at_ns = START_NS;
        while at_ns < START_NS + HOUR_NS {
            at_ns += between(&mut random, 500 * MS_NS, 4500 * MS_NS);
            let from_ns = at_ns;
            at_ns += between(&mut random, 20 * MS_NS, 400 * MS_NS);
            holds.push((from_ns, at_ns));
        }
        Self(holds)
    }

    /// The first instant from `at_ns` on at which they run.
    fn run_ns(&self, at_ns: u64) -> u64 {
        match self.before(at_ns) {
            Some((_, until_ns)) => at_ns.max(until_ns),
            None => at_ns,
        }
    }

    /// The last one that began by then.
    fn before(&self, at_ns: u64) -> Option<(u64, u64)> {
        let begun = self.0.partition_point(|(from_ns, _)| *from_ns <= at_ns);
        begun.checked_sub(1).map(|index| self.0[index])
    }
}

/// A clip over and over; six seconds of sound in every minute, so that an hour is
/// simulated in seconds.
struct Clip(Vec<Message>);

impl Clip {
    fn new() -> Self {
        let mut samples = vec![0_i16; 60_000 * SAMPLES_PER_MS];
        let mut phase = 0.0_f64;
        for (n, sample) in samples[..6_000 * SAMPLES_PER_MS].iter_mut().enumerate() {
            let pitch_hz = 120.0 + 40.0 * (n as f64 / 30_000.0).sin();
            phase += pitch_hz / 48_000.0;
            let voice = [1.0, 0.5, 0.3, 0.2];
            let harmonics = voice.iter().zip(1..);
            let sum: f64 = harmonics
                .map(|(level, n)| level * (std::f64::consts::TAU * phase * f64::from(n)).sin())
                .sum();
            *sample = (sum * 6_000.0) as i16;
        }
        samples.rotate_right(2_000 * SAMPLES_PER_MS);
        Self(encode(Codec::Opus, &samples).unwrap())
    }

    fn message(&self, number: u64) -> &Message {
        &self.0[(number % self.0.len() as u64) as usize]
    }

    fn captured_ns(&self, number: u64) -> u64 {
        let length_ns = self.0[self.0.len() - 1].at_ns;
        START_NS + number / self.0.len() as u64 * length_ns + self.message(number).at_ns
    }
}

/// One lane in the guest: packets on their way, and what is not told yet.
#[derive(Default)]
struct Lane {
    under_way: VecDeque<(u64, u64)>,
    /// When its last packets arrive, as many as its window has.
    last_ns: VecDeque<u64>,
    news: Vec<Told>,
}

impl Lane {
    /// A packet is written: when it arrives.
    fn send(&mut self, window: usize, holds: &Holds, at_ns: u64, took_ns: u64) -> u64 {
        let mut leaves_ns = at_ns;
        if self.last_ns.len() == window
            && let Some(arrived_ns) = self.last_ns.pop_front()
        {
            leaves_ns = at_ns.max(holds.run_ns(arrived_ns + PATH_NS));
        }
        let before_ns = self.last_ns.back().copied().unwrap_or(0);
        let arrives_ns = before_ns.max(leaves_ns + took_ns);
        self.last_ns.push_back(arrives_ns);
        arrives_ns
    }
}

struct Guest<'a> {
    clip: &'a Clip,
    holds: &'a Holds,
    agent: &'a Holds,
    now_ns: u64,
    standstill: Standstill,
    lanes: [Lane; LANES],
    written: u64,
    pulse_ns: u64,
    random: SplitMix,
}

impl<'a> Guest<'a> {
    fn new(clip: &'a Clip, holds: &'a Holds, agent: &'a Holds) -> Self {
        Self {
            clip,
            holds,
            agent,
            now_ns: START_NS,
            standstill: Standstill::at(START_NS),
            lanes: Default::default(),
            written: 0,
            pulse_ns: START_NS,
            random: SplitMix(3),
        }
    }

    /// Time passes, during which it may be held up.
    fn spend(&mut self, ns: u64) {
        self.now_ns = self.holds.run_ns(self.now_ns + ns);
    }

    /// When the next message is due, and there.
    fn due_ns(&self) -> u64 {
        let captured_ns = self.clip.captured_ns(self.written);
        let sent_ns = self.agent.run_ns(captured_ns - AHEAD_NS);
        captured_ns.max(sent_ns + REPORT_NS)
    }

    /// Lives until it tells something: what, and when.
    fn next_round(&mut self) -> (u64, Vec<Told>) {
        loop {
            let first = self.lanes.iter().filter_map(|lane| lane.under_way.front());
            let arrives_ns = first.map(|(_, at_ns)| *at_ns).min().unwrap_or(u64::MAX);
            let wakes_ns = self.pulse_ns.min(self.due_ns()).min(arrives_ns);
            self.now_ns = self.holds.run_ns(self.now_ns.max(wakes_ns));
            let round = (self.now_ns >= self.pulse_ns).then(|| self.tell());
            self.read();
            self.write();
            if let Some(round) = round {
                return round;
            }
        }
    }

    fn tell(&mut self) -> (u64, Vec<Told>) {
        self.standstill.look(self.now_ns);
        let lanes = self.lanes.iter_mut();
        let mut told: Vec<Told> = lanes.flat_map(|lane| lane.news.drain(..)).collect();
        told.push(Told::Until {
            at_ns: self.standstill.known_until_ns(),
            stood_still_ns: self.standstill.total_ns(),
        });
        self.pulse_ns = self.now_ns + LOOK_EVERY.as_nanos() as u64;
        (self.now_ns, told)
    }

    fn read(&mut self) {
        // What has come while it was busy or held up, the kernel has taken.
        let come_ns = self.now_ns;
        for lane in 0..LANES {
            while let Some((number, _)) = self.lanes[lane]
                .under_way
                .pop_front_if(|(_, at_ns)| *at_ns <= come_ns)
            {
                self.spend(CALL_NS);
                self.standstill.look(self.now_ns);
                self.lanes[lane].news.push(Told::Arrived {
                    lane,
                    number,
                    at_ns: self.now_ns,
                    held_ns: self.standstill.held_ns(self.now_ns),
                    changed: Vec::new(),
                });
            }
        }
    }

    fn write(&mut self) {
        while self.due_ns() <= self.now_ns {
            let number = self.written;
            self.standstill.look(self.now_ns);
            for (lane, &window) in WINDOWS.iter().enumerate() {
                self.spend(CALL_NS / 2);
                let took_ns = PATH_NS + between(&mut self.random, 0, OWN_JITTER_NS);
                let sender = &mut self.lanes[lane];
                let arrives_ns = sender.send(window, self.holds, self.now_ns, took_ns);
                sender.under_way.push_back((number, arrives_ns));
                self.spend(CALL_NS / 2);
                self.standstill.look(self.now_ns);
                let at_ns = self.now_ns;
                let written = Told::Written {
                    lane,
                    number,
                    at_ns,
                };
                self.lanes[lane].news.push(written);
            }
            self.written += 1;
        }
    }
}

#[test]
fn lanes_without_loss_stay_in_step_for_an_hour_whatever_holds_the_machine_up() {
    let clip = Clip::new();
    let (guest_holds, agent_holds) = (Holds::of_an_hour(1), Holds::of_an_hour(2));
    let mut guest = Guest::new(&clip, &guest_holds, &agent_holds);
    let mut in_step = InStep::new(Codec::Opus, &[Protocol::Tcp; LANES]);
    let mut sent = 0;
    let mut round = guest.next_round();
    let mut gaps = [0; LANES];
    let mut late_most_ns = 0;
    for tick in 1..=HOUR_NS / TICK_NS {
        let due_ns = START_NS + tick * TICK_NS;
        let mut now_ns = agent_holds.run_ns(due_ns);
        loop {
            let told_ns = agent_holds.run_ns(round.0 + REPORT_NS);
            if told_ns > now_ns && in_step.knows(due_ns - BEHIND_NS) {
                break;
            }
            now_ns = now_ns.max(told_ns);
            while agent_holds.run_ns(clip.captured_ns(sent) - AHEAD_NS) <= told_ns {
                let told = Told::Sent {
                    bytes: clip.message(sent).bytes.clone(),
                    captured_ns: clip.captured_ns(sent),
                };
                in_step.hear(told).unwrap();
                sent += 1;
            }
            let (_, told) = std::mem::replace(&mut round, guest.next_round());
            for told in told {
                in_step.hear(told).unwrap();
            }
        }
        in_step.tick(due_ns - BEHIND_NS).for_each(drop);
        let states: Vec<_> = in_step.report().collect();
        let delays = || states.iter().map(|state| state.delay_ms);
        let apart_ms = delays().fold(0.0, f64::max) - delays().fold(f64::INFINITY, f64::min);
        assert!(apart_ms <= APART_MOST_MS, "{apart_ms} ms at tick {tick}");
        for (gaps, state) in gaps.iter_mut().zip(&states) {
            *gaps = state.facts.unwrap().gaps;
        }
        late_most_ns = late_most_ns.max(now_ns - due_ns);
        // What was held up comes at once when the machine runs again.
        let holds = [&guest_holds, &agent_holds].map(|holds| holds.before(due_ns));
        let over_ns = holds
            .into_iter()
            .flatten()
            .map(|(_, until_ns)| until_ns)
            .max();
        if over_ns.is_none_or(|over_ns| over_ns + 500 * MS_NS < due_ns) {
            assert_eq!(now_ns, due_ns, "tick {tick}");
        }
    }
    assert_eq!(gaps, [0; LANES]);
    // Each of two that follow one another holds the sound up once.
    assert!(late_most_ns < 1_000 * MS_NS, "{late_most_ns}");
}
