//! The host's clock, asked as seldom as its kind allows.
// SPDX-License-Identifier: Apache-2.0
use rustix::thread::ClockId;
use rustix::time::Timespec;

/// Nanoseconds in a second.
pub const SECOND_NS: u64 = 1_000_000_000;

/// Nanoseconds since 1970, by the clock of the captures' stamps.
pub fn now_ns() -> u64 {
    let now = rustix::time::clock_gettime(ClockId::Realtime);
    now.tv_sec as u64 * SECOND_NS + now.tv_nsec as u64
}

/// A length of time as the kernel takes it.
pub fn timespec(ns: u64) -> Timespec {
    Timespec {
        tv_sec: (ns / SECOND_NS) as i64,
        tv_nsec: (ns % SECOND_NS) as i64,
    }
}

/// How the host's time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// By itself.
    Real,
    /// Only while everything waits.
    Virtual,
}

impl Pace {
    /// How long to wait before looking at what wakes nobody: a moment for people.
    pub fn look_ns(self) -> u64 {
        match self {
            Self::Real => SECOND_NS,
            Self::Virtual => 60 * SECOND_NS,
        }
    }
}

/// The clock of the captures' stamps. Inside an embedded host nobody sets it,
/// so that it never jumps.
pub struct Clock {
    pace: Pace,
    now_ns: u64,
}

impl Clock {
    /// A clock that knows the time.
    pub fn new(pace: Pace) -> Self {
        let mut clock = Self { pace, now_ns: 0 };
        clock.read();
        clock
    }

    /// How its time passes.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The time when it was last asked or told.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// Asks the kernel.
    pub fn read(&mut self) -> u64 {
        self.now_ns = now_ns();
        self.now_ns
    }

    /// The time after a wait that an event ended whose stamp is `seen_ns`, or
    /// that ended at `due_ns` without one.
    ///
    /// In virtual time no time passes between an event and the code that it
    /// wakes, so the event's stamp is the time; a system call to learn it would
    /// cost a sixth of the whole transfer.
    pub fn after_wait(&mut self, seen_ns: u64, due_ns: Option<u64>) -> u64 {
        let known_ns = seen_ns.max(due_ns.unwrap_or(0));
        if self.pace == Pace::Virtual && known_ns > self.now_ns {
            self.now_ns = known_ns;
            return known_ns;
        }
        self.read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_time_is_what_was_waited_for() {
        let mut clock = Clock::new(Pace::Virtual);
        let start_ns = clock.now_ns();
        let later_ns = start_ns + 3600 * SECOND_NS;
        assert_eq!(clock.after_wait(start_ns + 5, Some(later_ns)), later_ns);
        assert_eq!(clock.after_wait(later_ns + 7, None), later_ns + 7);
    }

    #[test]
    fn real_time_is_what_the_kernel_says() {
        let mut clock = Clock::new(Pace::Real);
        let start_ns = clock.now_ns();
        let far_ns = start_ns + 3600 * SECOND_NS;
        assert!((start_ns..far_ns).contains(&clock.after_wait(far_ns, Some(far_ns))));
    }
}
