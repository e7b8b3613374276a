//! The one clock of a take: the machine's when the take began, which from then
//! on nobody sets, and the guest's beside it.
// SPDX-License-Identifier: Apache-2.0
use std::time::{Duration, Instant};

use crate::boot::Comparison;
use crate::clock::now_ns;

/// Every instant of a take is by this clock. The guest's are moved by one offset
/// for the whole of it, so that what is worked out live is what the files say.
#[derive(Clone, Copy, Debug)]
pub struct TakeClock {
    began: Instant,
    began_ns: u64,
    guest: Comparison,
}

impl TakeClock {
    /// Begins now, with what is known of the guest's clock.
    pub fn new(guest: Comparison) -> Self {
        Self {
            began: Instant::now(),
            began_ns: now_ns(),
            guest,
        }
    }

    /// Nanoseconds since 1970.
    pub fn now_ns(&self) -> u64 {
        self.began_ns + self.began.elapsed().as_nanos() as u64
    }

    /// When that is by the clock that sleeping goes by.
    pub fn instant(&self, at_ns: u64) -> Instant {
        self.began + Duration::from_nanos(at_ns.saturating_sub(self.began_ns))
    }

    /// Of the guest's, this clock's instant.
    pub fn of_guest(&self, at_ns: u64) -> u64 {
        self.guest.of_guest(at_ns)
    }

    /// Of this clock's, the guest's instant.
    pub fn in_guest(&self, at_ns: u64) -> u64 {
        self.guest.in_guest(at_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_goes_by_the_same_time() {
        let clock = TakeClock::new(Comparison {
            offset_ns: 0,
            round_trip_ns: 1,
        });
        let later_ns = clock.now_ns() + 1_000_000;
        let wait = clock.instant(later_ns) - clock.began;
        assert_eq!(wait.as_nanos() as u64, later_ns - clock.began_ns);
    }
}
