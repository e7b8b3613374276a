//! The processes that a guest for people runs in: its kernel, and one for each of
//! its programs. All have a place before the machine's ordinary processes, and the
//! programs come after the kernel, else one that never waits would keep the
//! kernel's timer from taking the processor back, and everybody in the guest would
//! stand still. Who computes without a pause loses the place: it is no key that
//! somebody waits for, and a few of them would stop the machine. The guest's own
//! agent, which is its first program, keeps it: every key of everybody passes it.
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
/// none gets a processor of its own. But not without a place: beside others that
/// compute, whoever had lost it would wait, and for that never get it back.
const WITHOUT_PAUSE_SHARE: f64 = 0.8;
/// And of the same time running: less, and it is others who never pause.
const LEAST_RAN_SHARE: f64 = 0.1;
/// Of what a guest without a pause ran, so much may be its programs' that keep
/// their places.
const PROGRAMS_SHARE: f64 = 0.2;
/// Of the time between two looks: who ran less is not what keeps a guest busy.
const OWN_SHARE: f64 = 0.05;
/// Of what a guest without a pause ran, its kernel's, and more than a storm of short calls makes of it: of
/// a kernel behind others each call waits its turn, of everybody in the guest.
const KERNEL_SHARE: f64 = 0.8;
/// A kernel that catches up after a pause of the machine is sooner done.
const KERNEL_LOOKS: u32 = 5;
/// Calm looks after which a place is given back; twice as many, up to the most,
/// where it was lost again soon.
const CALM_LOOKS: u32 = 10;
const MOST_CALM_LOOKS: u32 = 320;
/// Looks for which a place has to be kept until its loss is forgotten.
const FORGIVEN_LOOKS: u32 = 100;

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
    /// Its own agent, once it is there.
    agent: Option<i32>,
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
            agent: None,
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
        // Listed in the order in which they began, and the first never ends.
        self.agent = self.agent.or_else(|| there.first().copied());
        let kernel_kept = self.kernel_place.kept;
        let kernel = counted(kernel, kernel_kept);
        let before = self.programs.len();
        let mut programs = Vec::new();
        self.programs.retain(|&id, program| {
            let used = program.statistics.since();
            let kept = kernel_kept && program.place.kept;
            programs.extend(used.map(|used| (id, counted(used, kept))));
            used.is_some()
        });
        there.retain(|id| !self.programs.contains_key(id));
        // What those that came and went in between ran is nobody's here, and the
        // kernel had work with them.
        let settled = before == programs.len() && there.is_empty();

        let busy = busy(kernel, self.agent, &programs, since);
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

/// What counts of a process's use: what it waits without a place is others' doing.
fn counted(used: Use, kept: bool) -> Use {
    Use {
        waited_ns: if kept { used.waited_ns } else { 0 },
        ..used
    }
}

fn busy(kernel: Use, agent: Option<i32>, programs: &[(i32, Use)], since: Duration) -> Busy {
    let guest = programs
        .iter()
        .fold(kernel, |guest, &(_, used)| guest.and(used));
    let never_pauses = guest.share_of(since) > WITHOUT_PAUSE_SHARE
        && guest.ran_ns as f64 > LEAST_RAN_SHARE * since.as_nanos() as f64;
    let share = |ran_ns: u64| ran_ns as f64 / guest.ran_ns.max(1) as f64;
    let mut largest_first = programs.to_vec();
    largest_first.retain(|&(id, _)| Some(id) != agent);
    let mut rest_ns: u64 = largest_first.iter().map(|(_, used)| used.ran_ns).sum();
    largest_first.sort_by_key(|&(_, used)| std::cmp::Reverse(used.ran_ns));
    let mut busy = Busy {
        kernel: never_pauses && share(kernel.ran_ns) > KERNEL_SHARE,
        programs: Vec::new(),
    };
    for (id, used) in largest_first {
        let small = (used.ran_ns as f64) < OWN_SHARE * since.as_nanos() as f64;
        if !never_pauses || small || share(rest_ns) <= PROGRAMS_SHARE {
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
    /// So many it takes until it is given back.
    calm_looks: u32,
    /// Since it was last given back.
    kept_looks: u32,
}

impl Place {
    /// One that is lost after so many busy looks in a row.
    fn new(busy_looks: u32) -> Self {
        Self {
            kept: true,
            looks: 0,
            busy_looks,
            calm_looks: CALM_LOOKS,
            kept_looks: FORGIVEN_LOOKS,
        }
    }

    /// Whether it changes.
    fn judge(&mut self, busy: bool) -> bool {
        self.kept_looks = self.kept_looks.saturating_add(1);
        self.looks = if busy == self.kept { self.looks + 1 } else { 0 };
        let changes = self.looks
            == if self.kept {
                self.busy_looks
            } else {
                self.calm_looks
            };
        if changes {
            self.kept = !self.kept;
            self.looks = 0;
            if self.kept {
                self.kept_looks = 0;
            } else if self.kept_looks >= FORGIVEN_LOOKS {
                self.calm_looks = CALM_LOOKS;
            } else {
                self.calm_looks = MOST_CALM_LOOKS.min(2 * self.calm_looks);
            }
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
        assert_eq!(busy(used(8, 0), None, &uses, LOOK), expected);
    }

    #[test]
    fn several_spins_are_busy_together() {
        let uses = programs(&[used(15, 0); 6]);
        let busy = busy(used(8, 0), None, &uses, LOOK);
        // The last alone would have its share.
        assert_eq!(busy.programs.len(), 5);
        assert!(!busy.kernel);
    }

    #[test]
    fn a_spin_that_shares_its_processor_with_others_is_busy() {
        let uses = programs(&[used(25, 60)]);
        assert_eq!(busy(used(3, 8), None, &uses, LOOK).programs, [0]);
    }

    #[test]
    fn who_hardly_ran_and_waited_for_others_is_not_busy() {
        let uses = programs(&[used(5, 50), used(1, 20)]);
        assert_eq!(busy(used(2, 30), None, &uses, LOOK), nobody());
    }

    #[test]
    fn whoever_waits_because_the_place_is_lost_is_not_busy() {
        // As a guest was seen beside compilers, after people had logged in.
        let agent = counted(used(4, 20), false);
        let login = counted(used(3, 60), false);
        let busy = busy(used(30, 1), None, &[(1, agent), (2, login)], LOOK);
        assert_eq!(busy, nobody());
    }

    #[test]
    fn the_guests_own_agent_and_whoever_ran_little_keep_their_places() {
        let uses = programs(&[used(30, 5), used(40, 10), used(2, 3)]);
        let busy = busy(used(20, 0), Some(0), &uses, LOOK);
        assert_eq!((busy.kernel, busy.programs), (false, vec![1]));
    }

    #[test]
    fn a_guest_that_pauses_has_nobody_busy() {
        let uses = programs(&[used(60, 0)]);
        assert_eq!(busy(used(15, 0), None, &uses, LOOK), nobody());
    }

    #[test]
    fn a_kernel_is_busy_with_long_calls_and_not_with_a_storm_of_short_ones() {
        let long = busy(used(90, 5), None, &programs(&[used(2, 1)]), LOOK);
        assert_eq!((long.kernel, long.programs), (true, vec![]));
        let storm = busy(used(60, 5), None, &programs(&[used(30, 3)]), LOOK);
        assert_eq!((storm.kernel, storm.programs), (false, vec![0]));
    }

    /// So many looks, busy or not, change nothing.
    fn stays(place: &mut Place, busy: bool, looks: u32) {
        for _ in 0..looks {
            assert!(!place.judge(busy));
        }
    }

    #[test]
    fn a_place_is_lost_by_a_busy_look_and_given_back_after_calm_ones() {
        let mut place = Place::new(1);
        assert!(!place.judge(false));
        assert!(place.judge(true));
        assert!(!place.kept);
        stays(&mut place, false, CALM_LOOKS - 1);
        // Not calm for long enough.
        assert!(!place.judge(true));
        stays(&mut place, false, CALM_LOOKS - 1);
        assert!(place.judge(false));
        assert!(place.kept);
    }

    #[test]
    fn a_place_that_is_lost_again_soon_takes_longer_to_come_back() {
        let mut place = Place::new(1);
        for calm_looks in [CALM_LOOKS, 2 * CALM_LOOKS, 4 * CALM_LOOKS] {
            assert!(place.judge(true));
            stays(&mut place, false, calm_looks - 1);
            assert!(place.judge(false));
        }
        stays(&mut place, false, FORGIVEN_LOOKS);
        assert!(place.judge(true));
        stays(&mut place, false, CALM_LOOKS - 1);
        assert!(place.judge(false));
    }

    #[test]
    fn a_kernel_that_catches_up_keeps_its_place() {
        let mut place = Place::new(KERNEL_LOOKS);
        for _ in 0..3 {
            stays(&mut place, true, KERNEL_LOOKS - 1);
            assert!(!place.judge(false));
        }
        stays(&mut place, true, KERNEL_LOOKS - 1);
        assert!(place.judge(true));
    }
}
