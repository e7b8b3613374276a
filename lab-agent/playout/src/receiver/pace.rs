//! How a receiver gets to its target delay: by splices that leave source out or
//! repeat it.
// SPDX-License-Identifier: Apache-2.0

use super::{DELAY_MAX, Receiver};
use crate::SAMPLES_PER_MS;
use crate::splice::{LAG_MAX, LAG_MIN, TICK, best_match, cross_fade, is_quiet};

/// Off the target by more than this, the receiver moves towards it ...
const TOLERANCE: i64 = (20 * SAMPLES_PER_MS) as i64;
/// ... and by more than this behind, it hurries, whatever that costs in sound.
const URGENT: i64 = (100 * SAMPLES_PER_MS) as i64;

/// In a call the tolerance shrinks to this where nothing was done to the sound
/// for 300 ms: else two lanes that were disturbed alike could stay apart by
/// twice the tolerance for ever.
const TOLERANCE_AT_REST: i64 = (5 * SAMPLES_PER_MS) as i64;
const AT_REST_TICKS: u32 = 30;

/// Source left out, or repeated, at each tick in the long run: 1.10, 1.33 and
/// 0.80 times the speed of sound as sent.
const GENTLE_PER_TICK: i64 = TICK as i64 / 10;
const URGENT_PER_TICK: i64 = TICK as i64 / 3;
const LINGER_PER_TICK: i64 = TICK as i64 / 5;

/// Without urgency, splice only where the waveforms agree this well.
const SIMILARITY_MIN: f64 = 0.7;

/// Which way the receiver is moving its delay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    Steady,
    /// Leaves source out.
    Hurry,
    /// Repeats source.
    Linger,
}

impl Receiver {
    /// Moves towards the target delay by a splice, if it is time for one and a
    /// place is found; else leaves this tick to be copied.
    pub(super) fn adapt(&mut self) -> bool {
        let behind = self.delay() - self.target.samples() as i64;
        let urgent = behind > URGENT;
        let overdue = self.is_overdue();
        let tolerance = self.tolerance();
        self.pace = if overdue {
            Pace::Linger
        } else {
            self.choose_pace(behind, tolerance)
        };
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
            Pace::Linger if overdue => DELAY_MAX - self.delay(),
            // At rest a little too far is nearer than not at all.
            _ if tolerance < TOLERANCE => behind.abs() + tolerance,
            _ => behind.abs(),
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

    fn tolerance(&self) -> i64 {
        if self.lowest.is_learnt() && self.undisturbed_ticks >= AT_REST_TICKS {
            TOLERANCE_AT_REST
        } else {
            TOLERANCE
        }
    }

    fn choose_pace(&self, behind: i64, tolerance: i64) -> Pace {
        match self.pace {
            _ if behind > tolerance => Pace::Hurry,
            _ if behind < -tolerance => Pace::Linger,
            Pace::Hurry if behind >= LAG_MIN as i64 => Pace::Hurry,
            _ => Pace::Steady,
        }
    }

    /// Whether the buffer runs low: with messages as late as usual, what is
    /// there never falls below the delay less what they need.
    fn is_overdue(&self) -> bool {
        let least = self.delay() - self.target.usual_samples() as i64;
        self.missing && !self.has_hole && (self.buffer.available() as i64) < least
    }

    /// The best lag of at most `limit` in the pace's direction, with its
    /// similarity; `None` when there is not enough source on that side.
    fn find_lag(&self, limit: usize) -> Option<(usize, f64)> {
        let ahead = self.buffer.ahead();
        let limit = match self.pace {
            Pace::Hurry => limit.min(LAG_MAX).min(ahead.len().checked_sub(TICK)?),
            _ => limit.min(LAG_MAX).min(self.buffer.past().len()),
        };
        if limit < LAG_MIN {
            return None;
        }
        let pattern = &ahead[..TICK];
        let region = match self.pace {
            Pace::Hurry => &ahead[LAG_MIN..limit + TICK],
            _ => &self.buffer.from(limit)[..limit - LAG_MIN + TICK],
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
        self.undisturbed_ticks = 0;
        let from = self.buffer.ahead()[..TICK].to_vec();
        let delay = self.delay();
        if self.pace == Pace::Hurry {
            self.account.compress(lag);
            self.buffer.advance(lag);
        } else {
            self.account.stretch(lag);
            self.buffer.go_back(lag);
        }
        self.account.play(TICK, delay);
        cross_fade(&from, &self.buffer.ahead()[..TICK], &mut self.samples);
        self.buffer.advance(TICK);
    }
}
