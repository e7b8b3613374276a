//! The processes that a guest for people runs in: its kernel, and one for each of
//! its programs. All have a place before the machine's ordinary processes, and the
//! programs come after the kernel, else one that never waits would keep the
//! kernel's timer from taking the processor back, and everybody in the guest would
//! stand still. Who computes without a pause loses the place: it is no key that
//! somebody waits for, and a few of them would stop the machine.
// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;
use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::processor_use::{Statistics, Use};
use crate::punctual;

/// Short enough that a new program soon has its place, long enough to cost
/// nothing.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Of the time between two looks, running or waiting for a processor: more, and
/// the guest never pauses. What it only waited counts, too: of several such guests
/// none gets a processor of its own.
const WITHOUT_PAUSE_SHARE: f64 = 0.8;
/// And of the same time running: less, and it is others who never pause.
const LEAST_RAN_SHARE: f64 = 0.1;
/// Of what a guest without a pause ran, so much may be its programs' that keep
/// their places.
const PROGRAMS_SHARE: f64 = 0.2;
/// Of the same, its kernel's, and more than a storm of short calls makes of it: of
/// a kernel behind others each call waits its turn, of everybody in the guest.
const KERNEL_SHARE: f64 = 0.8;
/// A kernel that catches up after a pause of the machine is sooner done.
const KERNEL_LOOKS: u32 = 5;
/// Calm looks after which a place is given back.
const CALM_LOOKS: u32 = 10;

/// Gives the processes of the guest in `group` their places until it has ended.
pub fn keep_in_place(group: &Mutex<Option<Pid>>) {
    let _ = punctual::prefer(punctual::PASSING_ON);
    let Some(mut guest) = running(group).and_then(Guest::new) else {
        return;
    };
    let mut before = Instant::now();
    while running(group).is_some() {
        std::thread::sleep(LOOK_EVERY);
        let now = Instant::now();
        guest.look(now - before);
        before = now;
    }
}

fn running(group: &Mutex<Option<Pid>>) -> Option<Pid> {
    *group.lock().expect("nothing panics while holding it")
}

struct Guest {
    id: i32,
    kernel: Statistics,
    kernel_place: Place,
    programs: HashMap<i32, Program>,
}

struct Program {
    statistics: Statistics,
    place: Place,
}

impl Guest {
    fn new(kernel: Pid) -> Option<Self> {
        let id = kernel.as_raw_nonzero().get();
        Some(Self {
            id,
            kernel: Statistics::of(id)?,
            kernel_place: Place::new(KERNEL_LOOKS),
            programs: HashMap::new(),
        })
    }

    fn look(&mut self, since: Duration) {
        // None when it has ended: whoever waits for that ends this, too.
        let Some(kernel) = self.kernel.since() else {
            return;
        };
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.id));
        let children = children.unwrap_or_default();
        let mut there: Vec<i32> = children
            .split_whitespace()
            .filter_map(|id| id.parse().ok())
            .collect();
        let before = self.programs.len();
        let mut programs = Vec::new();
        self.programs.retain(|&id, program| {
            let used = program.statistics.since();
            programs.extend(used.map(|used| (id, used)));
            used.is_some()
        });
        there.retain(|id| !self.programs.contains_key(id));
        // What those that came and went in between ran is nobody's here, and the
        // kernel had work with them.
        let settled = before == programs.len() && there.is_empty();

        let busy = busy(kernel, &programs, since);
        if self.kernel_place.judge(settled && busy.kernel) {
            punctual::place_kernel(self.id, self.kernel_place.kept);
            for (&id, program) in &self.programs {
                punctual::place_program(id, self.kernel_place.kept && program.place.kept);
            }
        }
        for (id, program) in &mut self.programs {
            if program.place.judge(busy.programs.contains(id)) {
                punctual::place_program(*id, self.kernel_place.kept && program.place.kept);
            }
        }
        for id in there {
            if let Some(statistics) = Statistics::of(id) {
                let place = Place::new(1);
                self.programs.insert(id, Program { statistics, place });
                punctual::place_program(id, self.kernel_place.kept);
            }
        }
    }
}

/// Who keeps a guest from pausing.
#[derive(Debug, PartialEq)]
struct Busy {
    kernel: bool,
    programs: Vec<i32>,
}

fn busy(kernel: Use, programs: &[(i32, Use)], since: Duration) -> Busy {
    let guest = programs
        .iter()
        .fold(kernel, |guest, &(_, used)| guest.and(used));
    let never_pauses = guest.share_of(since) > WITHOUT_PAUSE_SHARE
        && guest.ran_ns as f64 > LEAST_RAN_SHARE * since.as_nanos() as f64;
    let share = |ran_ns: u64| ran_ns as f64 / guest.ran_ns.max(1) as f64;
    let mut rest_ns = guest.ran_ns - kernel.ran_ns;
    let mut largest_first = programs.to_vec();
    largest_first.sort_by_key(|&(_, used)| std::cmp::Reverse(used.ran_ns));
    let mut busy = Busy {
        kernel: never_pauses && share(kernel.ran_ns) > KERNEL_SHARE,
        programs: Vec::new(),
    };
    for (id, used) in largest_first {
        if !never_pauses || share(rest_ns) <= PROGRAMS_SHARE {
            break;
        }
        busy.programs.push(id);
        rest_ns -= used.ran_ns;
    }
    busy
}

/// Whether a process has its place before the machine's ordinary ones.
struct Place {
    kept: bool,
    /// Busy looks in a row while it is kept, calm ones while it is not.
    looks: u32,
    busy_looks: u32,
}

impl Place {
    /// One that is lost after so many busy looks in a row.
    fn new(busy_looks: u32) -> Self {
        Self {
            kept: true,
            looks: 0,
            busy_looks,
        }
    }

    /// Whether it changes.
    fn judge(&mut self, busy: bool) -> bool {
        self.looks = if busy == self.kept { self.looks + 1 } else { 0 };
        let changes = self.looks
            == if self.kept {
                self.busy_looks
            } else {
                CALM_LOOKS
            };
        if changes {
            self.kept = !self.kept;
            self.looks = 0;
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Duration = Duration::from_millis(100);

    fn used(ran_ms: u64, waited_ms: u64) -> Use {
        Use {
            ran_ns: ran_ms * 1_000_000,
            waited_ns: waited_ms * 1_000_000,
        }
    }

    fn programs(uses: &[Use]) -> Vec<(i32, Use)> {
        (0..).zip(uses.iter().copied()).collect()
    }

    fn nobody() -> Busy {
        Busy {
            kernel: false,
            programs: Vec::new(),
        }
    }

    #[test]
    fn a_spin_is_busy_and_who_types_beside_it_is_not() {
        let uses = programs(&[used(2, 5), used(80, 3)]);
        let programs = vec![1];
        let expected = Busy {
            programs,
            ..nobody()
        };
        assert_eq!(busy(used(8, 0), &uses, LOOK), expected);
    }

    #[test]
    fn several_spins_are_busy_together() {
        let uses = programs(&[used(15, 0); 6]);
        let busy = busy(used(8, 0), &uses, LOOK);
        // The last alone would have its share.
        assert_eq!(busy.programs.len(), 5);
        assert!(!busy.kernel);
    }

    #[test]
    fn a_spin_that_shares_its_processor_with_others_is_busy() {
        let uses = programs(&[used(25, 60)]);
        assert_eq!(busy(used(3, 8), &uses, LOOK).programs, [0]);
    }

    #[test]
    fn who_hardly_ran_and_waited_for_others_is_not_busy() {
        let uses = programs(&[used(5, 50), used(1, 20)]);
        assert_eq!(busy(used(2, 30), &uses, LOOK), nobody());
    }

    #[test]
    fn a_guest_that_pauses_has_nobody_busy() {
        let uses = programs(&[used(60, 0)]);
        assert_eq!(busy(used(15, 0), &uses, LOOK), nobody());
    }

    #[test]
    fn a_kernel_is_busy_with_long_calls_and_not_with_a_storm_of_short_ones() {
        let long = busy(used(90, 5), &programs(&[used(2, 1)]), LOOK);
        assert_eq!((long.kernel, long.programs), (true, vec![]));
        let storm = busy(used(60, 5), &programs(&[used(30, 3)]), LOOK);
        assert_eq!((storm.kernel, storm.programs), (false, vec![0]));
    }

    #[test]
    fn a_place_is_lost_by_a_busy_look_and_given_back_after_calm_ones() {
        let mut place = Place::new(1);
        assert!(!place.judge(false));
        assert!(place.judge(true));
        assert!(!place.kept);
        for _ in 1..CALM_LOOKS {
            assert!(!place.judge(false));
        }
        // Not calm for long enough.
        assert!(!place.judge(true));
        for _ in 1..CALM_LOOKS {
            assert!(!place.judge(false));
        }
        assert!(place.judge(false));
        assert!(place.kept);
    }

    #[test]
    fn a_kernel_that_catches_up_keeps_its_place() {
        let mut place = Place::new(KERNEL_LOOKS);
        for _ in 0..3 {
            for _ in 1..KERNEL_LOOKS {
                assert!(!place.judge(true));
            }
            assert!(!place.judge(false));
        }
        for _ in 1..KERNEL_LOOKS {
            assert!(!place.judge(true));
        }
        assert!(place.judge(true));
    }
}
