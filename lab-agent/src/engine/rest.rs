//! Coming to rest: a run waits until nothing is under way on its lanes any more,
//! so that all that counts packets speaks of the same ones.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

/// Longer than anything that is under way takes on a calm lane, unless its delay
/// is longer than any person waits.
pub const CALM_LIMIT: Duration = Duration::from_secs(30);
/// One quiet look is not enough: a packet that leaves one direction may be
/// answered in the other.
const QUIET_LOOKS: u32 = 2;

/// Looks at a run, one after the other, for as long as there is time. Whoever
/// looks waits in between, each in the way of its run.
#[derive(Debug)]
pub struct Rest {
    until_ns: u64,
    quiet_looks: u32,
}

impl Rest {
    /// Begins at `now_ns`, by whatever clock the run goes by.
    pub fn begin(now_ns: u64, limit: Duration) -> Self {
        Self {
            until_ns: now_ns + limit.as_nanos() as u64,
            quiet_looks: 0,
        }
    }

    /// Whether there is time for another look.
    pub fn has_time(&self, now_ns: u64) -> bool {
        now_ns <= self.until_ns
    }

    /// Takes in a look that found nothing under way, or something; whether the
    /// run is at rest.
    pub fn look(&mut self, quiet: bool) -> bool {
        self.quiet_looks = if quiet { self.quiet_looks + 1 } else { 0 };
        self.quiet_looks >= QUIET_LOOKS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_looks_count_in_a_row_only() {
        let mut rest = Rest::begin(0, Duration::from_hours(1));
        let looks = [true, false, true, true, true].map(|quiet| rest.look(quiet));
        assert_eq!(looks, [false, false, false, true, true]);
    }

    #[test]
    fn the_last_look_is_the_one_that_begins_within_the_limit() {
        let rest = Rest::begin(10, Duration::from_nanos(5));
        let times = [10, 15, 16].map(|now_ns| rest.has_time(now_ns));
        assert_eq!(times, [true, true, false]);
    }
}
