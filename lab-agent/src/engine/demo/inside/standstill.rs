//! Notices when the guest stood still: its machine was busy elsewhere, and what
//! was due meanwhile is done late, on all lanes. A network has no part in that.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use crate::clock::now_ns;

/// The take's thread looks at the clock so often when nothing else happens.
pub const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Who has not looked for longer stood still; timers are up to 2 ms late by
/// themselves.
const LONGEST_NS: u64 = 8_000_000;
/// After this much time without another one all that had waited has been read.
const CATCHING_UP_NS: u64 = 10_000_000;

/// See the module.
pub struct Standstill {
    looked_ns: u64,
    catching_up: Option<CatchingUp>,
    times: u64,
    total_ns: u64,
}

/// What a standstill held up comes now.
struct CatchingUp {
    since_ns: u64,
    over_ns: u64,
}

impl Standstill {
    /// Begins now.
    pub fn new() -> Self {
        Self::at(now_ns())
    }

    /// Begins then.
    pub fn at(now_ns: u64) -> Self {
        Self {
            looked_ns: now_ns,
            catching_up: None,
            times: 0,
            total_ns: 0,
        }
    }

    /// Whatever there was before does not count.
    pub fn begin(&mut self) {
        *self = Self::new();
    }

    /// The time, by the clock of the captures' stamps.
    pub fn now_ns(&mut self) -> u64 {
        let now_ns = now_ns();
        self.look(now_ns);
        now_ns
    }

    /// Takes note of an instant at which the guest runs.
    pub fn look(&mut self, now_ns: u64) {
        let gone_ns = now_ns.saturating_sub(self.looked_ns);
        if gone_ns > LONGEST_NS {
            self.times += 1;
            self.total_ns += gone_ns;
            let before = self.catching_up.as_ref();
            self.catching_up = Some(CatchingUp {
                since_ns: before.map_or(self.looked_ns, |before| before.since_ns),
                over_ns: now_ns,
            });
        } else if let Some(catching_up) = &self.catching_up
            && now_ns >= catching_up.over_ns + CATCHING_UP_NS
        {
            self.catching_up = None;
        }
        self.looked_ns = self.looked_ns.max(now_ns);
    }

    /// How much sooner what was read at `at_ns`, the instant looked at last, may
    /// have come if the guest had not stood still.
    pub fn held_ns(&self, at_ns: u64) -> u64 {
        let since_ns = self.catching_up.as_ref().map(|it| it.since_ns);
        since_ns.map_or(0, |since_ns| at_ns.saturating_sub(since_ns))
    }

    /// Until when all is read that came, standstills left out.
    pub fn known_until_ns(&self) -> u64 {
        let since_ns = self.catching_up.as_ref().map(|it| it.since_ns);
        since_ns.unwrap_or(self.looked_ns)
    }

    /// How often it stood still.
    pub fn times(&self) -> u64 {
        self.times
    }

    /// For so long in all.
    pub fn total_ns(&self) -> u64 {
        self.total_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const START: u64 = 1_000 * MS;

    fn looking(until_ms: u64) -> Standstill {
        let mut standstill = Standstill::at(START);
        for ms in (0..=until_ms).step_by(6) {
            standstill.look(START + ms * MS);
        }
        standstill
    }

    #[test]
    fn who_runs_is_never_held() {
        let standstill = looking(600);
        assert_eq!(standstill.held_ns(START + 600 * MS), 0);
        assert_eq!(standstill.known_until_ns(), START + 600 * MS);
        assert_eq!((standstill.times(), standstill.total_ns()), (0, 0));
    }

    #[test]
    fn what_is_read_after_a_standstill_may_have_come_when_it_began() {
        let mut standstill = looking(600);
        standstill.look(START + 700 * MS);
        assert_eq!(standstill.held_ns(START + 700 * MS), 100 * MS);
        standstill.look(START + 703 * MS);
        assert_eq!(standstill.held_ns(START + 703 * MS), 103 * MS);
        assert_eq!(standstill.known_until_ns(), START + 600 * MS);
        assert_eq!((standstill.times(), standstill.total_ns()), (1, 100 * MS));
    }

    #[test]
    fn it_is_made_good_for_once_the_guest_has_run_for_a_while() {
        let mut standstill = looking(600);
        for ms in [700, 705, 709] {
            standstill.look(START + ms * MS);
            assert_eq!(standstill.known_until_ns(), START + 600 * MS);
        }
        standstill.look(START + 710 * MS);
        assert_eq!(standstill.known_until_ns(), START + 710 * MS);
        assert_eq!(standstill.held_ns(START + 710 * MS), 0);
    }

    #[test]
    fn one_that_follows_at_once_is_of_the_same_making_good() {
        let mut standstill = looking(600);
        for ms in [640, 645, 690, 698] {
            standstill.look(START + ms * MS);
        }
        assert_eq!(standstill.held_ns(START + 698 * MS), 98 * MS);
        assert_eq!((standstill.times(), standstill.total_ns()), (2, 85 * MS));
        standstill.look(START + 701 * MS);
        assert_eq!(standstill.held_ns(START + 701 * MS), 0);
    }
}
