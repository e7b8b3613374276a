//! A telephone's receiver: at every 10 ms it plays what has arrived, conceals
//! what has not, hurries when it is behind and lingers when the buffer runs low.
// SPDX-License-Identifier: Apache-2.0

use crate::account::Account;
use crate::conceal::Concealer;
use crate::decode::Source;
use crate::splice::{LAG_MAX, LAG_MIN, TICK, best_match, cross_fade, is_quiet};
use crate::target::{INITIAL_SAMPLES, Target};
use crate::{Arrival, Message, SAMPLES_PER_MS, ns_of_samples};

/// Audio older than this when it could be played is thrown away: beyond 400 ms
/// one way no conversation works (ITU-T G.114).
const DELAY_MAX: i64 = (400 * SAMPLES_PER_MS) as i64;

/// Off the target by more than this, the receiver moves towards it ...
const TOLERANCE: i64 = (20 * SAMPLES_PER_MS) as i64;
/// ... and by more than this behind, it hurries, whatever that costs in sound.
const URGENT: i64 = (100 * SAMPLES_PER_MS) as i64;

/// Source left out, or repeated, at each tick in the long run: 1.10, 1.33 and
/// 0.80 times the speed of sound as sent.
const GENTLE_PER_TICK: i64 = TICK as i64 / 10;
const URGENT_PER_TICK: i64 = TICK as i64 / 3;
const LINGER_PER_TICK: i64 = TICK as i64 / 5;

/// Without urgency, splice only where the waveforms agree this well.
const SIMILARITY_MIN: f64 = 0.7;

enum Voice {
    Source,
    Concealment(Concealer),
}

/// Which way the receiver is moving its delay.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    Steady,
    /// Leaves source out.
    Hurry,
    /// Repeats source.
    Linger,
}

pub(crate) struct Receiver<'a> {
    messages: &'a [Message],
    arrivals: &'a [Arrival],
    source: &'a Source,
    lowest_ns: u64,
    /// Messages that have arrived.
    received: usize,
    /// Next source sample to play.
    position: usize,
    target: Target,
    voice: Voice,
    pace: Pace,
    /// Samples that the last splice removed or repeated and that the pace has
    /// not earned yet, negative; the next splice waits for zero.
    credit: i64,
    samples: Vec<i16>,
    account: Account,
}

impl<'a> Receiver<'a> {
    /// `lowest_ns` is what the earliest message took from its capture.
    pub fn new(
        messages: &'a [Message],
        arrivals: &'a [Arrival],
        source: &'a Source,
        lowest_ns: u64,
    ) -> Self {
        Self {
            messages,
            arrivals,
            source,
            lowest_ns,
            received: 0,
            position: 0,
            target: Target::new(),
            voice: Voice::Source,
            pace: Pace::Steady,
            credit: 0,
            samples: Vec::new(),
            account: Account::default(),
        }
    }

    /// The first `length` samples, and what became of each.
    pub fn play(mut self, length: usize) -> (Vec<i16>, Account) {
        self.samples.reserve_exact(length);
        while self.samples.len() < length {
            self.tick(TICK.min(length - self.samples.len()));
        }
        self.account.source = self.source.samples.len() as u64;
        self.account.unplayed = self.account.source - self.position as u64;
        (self.samples, self.account)
    }

    /// Appends exactly `count` samples; only the last tick is shorter than 10 ms.
    fn tick(&mut self, count: usize) {
        self.receive();
        if matches!(self.voice, Voice::Concealment(_)) {
            self.discard_too_late();
            self.conceal_or_resume(count);
        } else if self.available() < count {
            self.run_dry(count);
        } else if count < TICK || !self.adapt() {
            self.copy(count);
        }
    }

    fn receive(&mut self) {
        let now_ns = self.lowest_ns + ns_of_samples((self.samples.len() + INITIAL_SAMPLES) as u64);
        while let Some(arrival) = self.arrivals.get(self.received) {
            if arrival.at_ns > now_ns {
                break;
            }
            let sent_ns = self.messages[self.received].at_ns;
            self.target
                .observe(arrival.at_ns - sent_ns - self.lowest_ns);
            self.received += 1;
        }
    }

    /// Source samples that have arrived and are not played.
    fn available(&self) -> usize {
        let arrived = self
            .received
            .checked_sub(1)
            .map_or(0, |last| self.source.ends[last]);
        arrived - self.position
    }

    fn has_all(&self) -> bool {
        self.received == self.messages.len()
    }

    /// From the capture of the next source sample to its playing, beyond the
    /// earliest message's delay.
    fn delay(&self) -> i64 {
        (self.samples.len() + INITIAL_SAMPLES) as i64 - self.position as i64
    }

    fn copy(&mut self, count: usize) {
        self.account.play(count, self.delay());
        let end = self.position + count;
        self.samples
            .extend_from_slice(&self.source.samples[self.position..end]);
        self.position = end;
    }

    /// Fewer than `count` samples are left: plays them, then conceals, or is
    /// silent when that was the end.
    fn run_dry(&mut self, count: usize) {
        let rest = count - self.available();
        self.copy(self.available());
        if self.has_all() {
            self.end(rest);
        } else {
            let mut concealer = Concealer::after(&self.source.samples[..self.position]);
            let sounding = concealer.sounding(rest);
            concealer.fill(&mut self.samples, rest);
            self.account.conceal(sounding, rest - sounding);
            self.voice = Voice::Concealment(concealer);
        }
    }

    fn end(&mut self, count: usize) {
        self.samples.resize(self.samples.len() + count, 0);
        self.account.end(count);
    }

    fn discard_too_late(&mut self) {
        let too_late = (self.delay() - DELAY_MAX).max(0) as usize;
        let discarded = too_late.min(self.available());
        self.position += discarded;
        self.account.throw_away(discarded);
    }

    fn conceal_or_resume(&mut self, count: usize) {
        let Voice::Concealment(concealer) = &mut self.voice else {
            return;
        };
        let silent = concealer.is_silent();
        let sounding = concealer.sounding(count);
        let mut made_up = Vec::with_capacity(count);
        concealer.fill(&mut made_up, count);
        let (available, has_all) = (self.available(), self.has_all());
        if available >= 2 * TICK || (has_all && available > 0) {
            self.resume(&made_up, silent);
        } else if has_all && silent {
            self.voice = Voice::Source;
            self.end(count);
        } else {
            self.samples.extend(made_up);
            self.account.conceal(sounding, count - sounding);
        }
    }

    /// Fades from the concealment into the source, where it fits best.
    fn resume(&mut self, concealed: &[i16], silent: bool) {
        if !silent && concealed.len() == TICK && self.available() >= 2 * TICK {
            let region = &self.source.samples[self.position..self.position + 2 * TICK];
            let skipped = best_match(concealed, region).offset;
            self.position += skipped;
            self.account.compress(skipped);
        }
        let faded = concealed.len().min(self.available());
        self.account.play(faded, self.delay());
        let to = &self.source.samples[self.position..self.position + faded];
        cross_fade(&concealed[..faded], to, &mut self.samples);
        self.position += faded;
        self.voice = Voice::Source;
        self.end(concealed.len() - faded);
    }

    /// Moves towards the target delay by a splice, if it is time for one and a
    /// place is found; else leaves this tick to be copied.
    fn adapt(&mut self) -> bool {
        let behind = self.delay() - self.target.samples() as i64;
        let urgent = behind > URGENT;
        self.pace = self.choose_pace(behind);
        let per_tick = match self.pace {
            Pace::Linger => LINGER_PER_TICK,
            _ if urgent => URGENT_PER_TICK,
            _ => GENTLE_PER_TICK,
        };
        self.credit = (self.credit + per_tick).min(0);
        if self.pace == Pace::Steady || self.credit < 0 {
            return false;
        }
        let limit = match self.pace {
            Pace::Hurry => behind,
            _ => DELAY_MAX - self.delay(),
        };
        let Some((lag, similarity)) = self.find_lag(limit.max(0) as usize) else {
            return false;
        };
        if !urgent && similarity < SIMILARITY_MIN {
            return false;
        }
        self.credit -= lag as i64;
        self.splice(lag);
        true
    }

    fn choose_pace(&self, behind: i64) -> Pace {
        if self.is_overdue() {
            return Pace::Linger;
        }
        match self.pace {
            _ if behind > TOLERANCE => Pace::Hurry,
            _ if behind < -TOLERANCE => Pace::Linger,
            Pace::Hurry if behind >= LAG_MIN as i64 => Pace::Hurry,
            _ => Pace::Steady,
        }
    }

    /// Whether the buffer runs low: with messages as late as usual, what is
    /// there never falls below the delay less what they need.
    fn is_overdue(&self) -> bool {
        let least = self.delay() - self.target.usual_samples() as i64;
        !self.has_all() && (self.available() as i64) < least
    }

    /// The best lag of at most `limit` in the pace's direction, with its
    /// similarity; `None` when there is not enough source on that side.
    fn find_lag(&self, limit: usize) -> Option<(usize, f64)> {
        let here = self.position;
        let source = &self.source.samples;
        let limit = match self.pace {
            Pace::Hurry => limit.min(LAG_MAX).min(self.available().checked_sub(TICK)?),
            _ => limit.min(LAG_MAX).min(here),
        };
        if limit < LAG_MIN {
            return None;
        }
        let pattern = &source[here..here + TICK];
        let region = match self.pace {
            Pace::Hurry => &source[here + LAG_MIN..here + limit + TICK],
            _ => &source[here - limit..here - LAG_MIN + TICK],
        };
        if is_quiet(pattern) && is_quiet(region) {
            return Some((limit, 1.0));
        }
        let found = best_match(pattern, region);
        let lag = match self.pace {
            Pace::Hurry => LAG_MIN + found.offset,
            _ => limit - found.offset,
        };
        Some((lag, found.similarity))
    }

    fn splice(&mut self, lag: usize) {
        let here = self.position;
        let there = if self.pace == Pace::Hurry {
            self.account.compress(lag);
            here + lag
        } else {
            self.account.stretch(lag);
            here - lag
        };
        self.account.play(TICK, self.delay());
        let source = &self.source.samples;
        cross_fade(
            &source[here..here + TICK],
            &source[there..there + TICK],
            &mut self.samples,
        );
        self.position = there + TICK;
    }
}
