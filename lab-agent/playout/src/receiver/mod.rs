//! A telephone's receiver: at every 10 ms it plays what has arrived, conceals
//! what has not, hurries when it is behind and lingers when the buffer runs low.
// SPDX-License-Identifier: Apache-2.0

mod pace;

use crate::account::Account;
use crate::buffer::Buffer;
use crate::conceal::Concealer;
use crate::lowest::{Lowest, Passages};
use crate::splice::{TICK, best_match, cross_fade};
use crate::target::Target;
use crate::{SAMPLES_PER_MS, samples_of_ns};
use pace::Pace;

/// Audio older than this when it could be played is thrown away: beyond 400 ms
/// one way no conversation works (ITU-T G.114).
const DELAY_MAX: i64 = (400 * SAMPLES_PER_MS) as i64;

/// While nothing has come at all, nobody knows what the path takes: so long it is waited for.
const UNHEARD_OF: i64 = (60_000 * SAMPLES_PER_MS) as i64;

enum Voice {
    Source,
    Concealment(Concealer),
    /// Nothing is to be heard: before the stream, in its pauses, after its end.
    Rest(Concealer),
}

pub(crate) struct Receiver {
    buffer: Buffer,
    lowest: Lowest,
    target: Target,
    voice: Voice,
    pace: Pace,
    /// Samples that the last splice removed or repeated and that the pace has
    /// not earned yet, negative; the next splice waits for zero.
    credit: i64,
    /// For how long nothing was done to the sound.
    undisturbed_ticks: u32,
    now_ns: i64,
    /// Whether something is still to come that ought to be heard.
    missing: bool,
    /// Whether something behind what is missing has come: then waiting longer is of no use.
    has_hole: bool,
    samples: Vec<i16>,
    account: Account,
}

impl Receiver {
    /// Of a stream that is known whole. `lowest_ns` is what the earliest
    /// message took from its capture.
    pub fn of_recording(lowest_ns: i64) -> Self {
        Self::new(Lowest::Known(lowest_ns), Voice::Source)
    }

    /// Of a stream that runs now: it may begin, pause and go on at any time.
    pub fn of_call() -> Self {
        let lowest = Lowest::Learnt(Passages::default());
        Self::new(lowest, Voice::Rest(Concealer::silent()))
    }

    fn new(lowest: Lowest, voice: Voice) -> Self {
        Self {
            buffer: Buffer::default(),
            lowest,
            target: Target::new(),
            voice,
            pace: Pace::Steady,
            credit: 0,
            undisturbed_ticks: 0,
            now_ns: 0,
            missing: false,
            has_hole: false,
            samples: Vec::new(),
            account: Account::default(),
        }
    }

    /// A message can be read: its samples, the last of which was captured at
    /// `captured_ns`, and since when.
    pub fn take(&mut self, samples: impl IntoIterator<Item = i16>, captured_ns: i64, at_ns: i64) {
        self.observe(captured_ns, at_ns);
        let before = self.buffer.available();
        self.buffer.push(samples, captured_ns);
        self.account.source += (self.buffer.available() - before) as u64;
    }

    /// A message came, in time or not.
    pub fn observe(&mut self, captured_ns: i64, at_ns: i64) {
        if self.lowest.observe(captured_ns, at_ns) {
            self.target = Target::new();
        }
        let late_ns = at_ns - captured_ns - self.lowest_ns();
        self.target.observe(late_ns.max(0).cast_unsigned());
    }

    /// Whether messages are there behind one that is not.
    pub fn knows_of_hole(&mut self, has_hole: bool) {
        self.has_hole = has_hole;
    }

    /// Gives up messages of so many samples together, if their place is over: what was made
    /// up in a row is as long, to the nearest tick. Before the first message that came, nothing
    /// has a place.
    pub fn gives_up(&mut self, samples: usize) -> bool {
        let is_over = match self.voice {
            Voice::Concealment(_) => self.account.run() + (TICK / 2) as u64 >= samples as u64,
            Voice::Rest(_) => self.lowest.ns().is_none(),
            Voice::Source => false,
        };
        if is_over {
            self.account.give_up(samples);
        }
        is_over
    }

    /// Whether sound captured then would be thrown away if it came only now.
    pub fn is_too_old(&self, captured_ns: i64, now_ns: i64) -> bool {
        let longest = self.lowest.ns().map_or(UNHEARD_OF, |_| DELAY_MAX);
        samples_of_ns(now_ns - self.lowest_ns() - captured_ns) > longest
    }

    /// A message of so many samples will never come.
    pub fn miss(&mut self, samples: usize) {
        self.account.source += samples as u64;
        self.account.throw_away(samples);
    }

    /// Appends exactly `count` samples, the first of which is heard at `now_ns`;
    /// only a recording's last tick is shorter than 10 ms. `missing`: more of
    /// the stream is to come.
    pub fn tick(&mut self, now_ns: i64, missing: bool, count: usize) {
        self.now_ns = now_ns;
        self.missing = missing;
        match self.voice {
            Voice::Rest(_) => self.rest_or_start(count),
            Voice::Concealment(_) => {
                self.discard_too_late();
                self.conceal_or_resume(count);
            }
            Voice::Source => {
                if self.buffer.available() < count {
                    self.run_dry(count);
                } else if count < TICK || !self.adapt() {
                    self.copy(count);
                }
            }
        }
    }

    /// From the capture of the next source sample to its playing, beyond the
    /// earliest message's delay.
    fn delay(&self) -> i64 {
        self.buffer.age(self.now_ns - self.lowest_ns())
    }

    /// 0 before the first message.
    pub fn lowest_ns(&self) -> i64 {
        self.lowest.ns().unwrap_or(0)
    }

    fn copy(&mut self, count: usize) {
        self.undisturbed_ticks = self.undisturbed_ticks.saturating_add(1);
        self.account.play(count, self.delay());
        self.samples.extend(&self.buffer.ahead()[..count]);
        self.buffer.advance(count);
    }

    /// Fewer than `count` samples are left: plays them, then conceals, or is
    /// silent when that was the end.
    fn run_dry(&mut self, count: usize) {
        let rest = count - self.buffer.available();
        self.copy(self.buffer.available());
        self.undisturbed_ticks = 0;
        if self.missing {
            let mut concealer = Concealer::after(self.buffer.past());
            self.conceal(&mut concealer, rest);
            self.voice = Voice::Concealment(concealer);
        } else {
            // A recording ends with its source; a call that pauses fades.
            let mut concealer = if self.lowest.is_learnt() {
                Concealer::after(self.buffer.past())
            } else {
                Concealer::silent()
            };
            self.rest(&mut concealer, rest);
            self.voice = Voice::Rest(concealer);
        }
    }

    fn conceal(&mut self, concealer: &mut Concealer, count: usize) {
        let sounding = concealer.sounding(count);
        concealer.fill(&mut self.samples, count);
        self.account.conceal(sounding, count - sounding);
    }

    fn rest(&mut self, concealer: &mut Concealer, count: usize) {
        concealer.fill(&mut self.samples, count);
        self.account.end(count);
    }

    fn discard_too_late(&mut self) {
        let mut discarded = 0;
        loop {
            // No further than the message: the next may be of after a pause.
            let too_late = (self.delay() - DELAY_MAX).max(0) as usize;
            let samples = too_late.min(self.buffer.left_of_message());
            if samples == 0 {
                break;
            }
            self.buffer.advance(samples);
            discarded += samples;
        }
        self.account.throw_away(discarded);
    }

    fn conceal_or_resume(&mut self, count: usize) {
        let Voice::Concealment(concealer) = &mut self.voice else {
            return;
        };
        let mut concealer = std::mem::replace(concealer, Concealer::silent());
        let available = self.buffer.available();
        if available >= 2 * TICK || (!self.missing && available > 0) {
            self.resume(&mut concealer, count);
        } else if !self.missing && concealer.is_silent() {
            self.rest(&mut concealer, count);
            self.voice = Voice::Rest(concealer);
        } else {
            self.conceal(&mut concealer, count);
            self.voice = Voice::Concealment(concealer);
        }
    }

    /// Fades from the concealment into the source, where it fits best.
    fn resume(&mut self, concealer: &mut Concealer, count: usize) {
        let silent = concealer.is_silent();
        let mut made_up = Vec::with_capacity(count);
        concealer.fill(&mut made_up, count);
        if !silent && count == TICK && self.buffer.available() >= 2 * TICK {
            let skipped = best_match(&made_up, &self.buffer.ahead()[..2 * TICK]).offset;
            self.buffer.advance(skipped);
            self.account.compress(skipped);
        }
        let faded = count.min(self.buffer.available());
        self.account.play(faded, self.delay());
        let to = &self.buffer.ahead()[..faded];
        cross_fade(&made_up[..faded], to, &mut self.samples);
        self.buffer.advance(faded);
        self.voice = Voice::Source;
        self.rest(&mut Concealer::silent(), count - faded);
    }

    /// Waits until the next sample is as old as the target says.
    fn rest_or_start(&mut self, count: usize) {
        let Voice::Rest(concealer) = &mut self.voice else {
            return;
        };
        let mut concealer = std::mem::replace(concealer, Concealer::silent());
        let wait = (self.target.samples() as i64 - self.delay()).max(0) as usize;
        if self.buffer.available() > 0 && wait == 0 && !self.buffer.is_new() {
            self.resume(&mut concealer, count);
        } else if self.buffer.available() > 0 && wait < count && self.buffer.is_new() {
            // To the sample: what begins here needs no fade.
            self.rest(&mut concealer, wait);
            self.voice = Voice::Source;
            self.copy((count - wait).min(self.buffer.available()));
        } else if self.missing {
            self.conceal(&mut concealer, count);
            self.voice = Voice::Concealment(concealer);
        } else {
            self.rest(&mut concealer, count);
            self.voice = Voice::Rest(concealer);
        }
    }

    /// In a rest: whether a sample captured at `captured_ns` ought to be heard.
    pub fn is_due(&self, captured_ns: i64, now_ns: i64) -> bool {
        let due = |lowest_ns: i64| {
            samples_of_ns(now_ns - lowest_ns - captured_ns) >= self.target.samples() as i64
        };
        self.lowest.ns().is_some_and(due)
    }

    pub fn is_at_rest(&self) -> bool {
        matches!(self.voice, Voice::Rest(_))
    }

    /// The samples appended since the last call.
    pub fn samples(&mut self) -> &mut Vec<i16> {
        &mut self.samples
    }

    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    pub fn target_samples(&self) -> usize {
        self.target.samples()
    }

    pub fn account(&mut self) -> &mut Account {
        &mut self.account
    }

    pub fn account_so_far(&self) -> &Account {
        &self.account
    }
}
