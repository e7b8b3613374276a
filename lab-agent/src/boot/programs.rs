//! The processes that a guest for people runs in: its kernel, and one for each of
//! its programs. All have a place before the machine's ordinary processes, and the
//! programs come after the kernel, else one that never waits would keep the
//! kernel's timer from taking the processor back, and everybody in the guest would
//! stand still. Who computes without a pause loses the place: it is no key that
//! somebody waits for, and a few of them would stop the machine.
// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::punctual;

/// Short enough that a new program soon has its place, long enough to cost
/// nothing.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Of the time between two looks, running or waiting for a processor: more, and
/// the guest never pauses. What it only waited counts, too: of several such guests
/// none gets a processor of its own.
const WITHOUT_PAUSE_SHARE: f64 = 0.8;
/// Of what a guest without a pause ran: who had more keeps it from pausing.
const PROGRAM_SHARE: f64 = 0.2;
/// As above, of the kernel, and more than a storm of short calls makes of it: of a
/// kernel behind others each call waits its turn, of everybody in the guest.
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
        let there: Vec<i32> = children
            .split_whitespace()
            .filter_map(|id| id.parse().ok())
            .collect();
        self.programs.retain(|id, _| there.contains(id));
        let uses: Vec<(i32, Use)> = self
            .programs
            .iter_mut()
            .filter_map(|(&id, program)| Some((id, program.statistics.since()?)))
            .collect();
        let programs = uses.iter().map(|&(_, program)| program);
        let guest = programs.fold(kernel, Use::and);
        let never_pauses = guest.share_of(since) > WITHOUT_PAUSE_SHARE;

        let busy = never_pauses && kernel.share_ran(guest) > KERNEL_SHARE;
        if self.kernel_place.judge(busy) {
            punctual::place_kernel(self.id, self.kernel_place.kept);
            for (&id, program) in &self.programs {
                punctual::place_program(id, self.kernel_place.kept && program.place.kept);
            }
        }
        for (id, used) in uses {
            let busy = never_pauses && used.share_ran(guest) > PROGRAM_SHARE;
            let program = self.programs.get_mut(&id).expect("it was just asked");
            if program.place.judge(busy) {
                punctual::place_program(id, self.kernel_place.kept && program.place.kept);
            }
        }
        for id in there {
            if !self.programs.contains_key(&id)
                && let Some(statistics) = Statistics::of(id)
            {
                let place = Place::new(1);
                self.programs.insert(id, Program { statistics, place });
                punctual::place_program(id, self.kernel_place.kept);
            }
        }
    }
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

/// What a process had of the processors.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Use {
    ran_ns: u64,
    /// Ready to run, while others ran.
    waited_ns: u64,
}

impl Use {
    fn and(self, other: Self) -> Self {
        Self {
            ran_ns: self.ran_ns + other.ran_ns,
            waited_ns: self.waited_ns + other.waited_ns,
        }
    }

    fn share_of(self, since: Duration) -> f64 {
        (self.ran_ns + self.waited_ns) as f64 / since.as_nanos() as f64
    }

    fn share_ran(self, of: Self) -> f64 {
        self.ran_ns as f64 / of.ran_ns.max(1) as f64
    }
}

/// A process's `schedstat`, kept open: its number may come to be somebody else's.
struct Statistics {
    file: File,
    last: Use,
}

impl Statistics {
    fn of(id: i32) -> Option<Self> {
        let file = File::open(format!("/proc/{id}/schedstat")).ok()?;
        let last = read(&file)?;
        Some(Self { file, last })
    }

    /// Since the last call; nothing when the process has ended.
    fn since(&mut self) -> Option<Use> {
        let now = read(&self.file)?;
        let since = Use {
            ran_ns: now.ran_ns - self.last.ran_ns,
            waited_ns: now.waited_ns - self.last.waited_ns,
        };
        self.last = now;
        Some(since)
    }
}

fn read(file: &File) -> Option<Use> {
    let mut bytes = [0; 64];
    let read = file.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes[..read]).ok()?;
    let mut numbers = text.split_whitespace().map_while(|word| word.parse().ok());
    Some(Use {
        ran_ns: numbers.next()?,
        waited_ns: numbers.next()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// The machine's own statistics: two that never pause on one processor.
    #[test]
    fn who_only_waits_for_a_processor_does_not_pause() {
        let allowed = rustix::thread::sched_getaffinity(None).unwrap();
        let mut all = 0..rustix::thread::CpuSet::MAX_CPU;
        let processor = all.find(|&processor| allowed.is_set(processor)).unwrap();
        let spin = || {
            std::process::Command::new("taskset")
                .args(["-c", &processor.to_string()])
                .args(["sh", "-c", "while :; do :; done"])
                .spawn()
                .unwrap()
        };
        let mut both = [spin(), spin()];
        let mut of: Vec<_> = both
            .iter()
            .map(|one| Statistics::of(one.id() as i32).unwrap())
            .collect();
        let before = Instant::now();
        let mut uses = [Use {
            ran_ns: 0,
            waited_ns: 0,
        }; 2];
        while uses.iter().any(|used| used.waited_ns < 300_000_000) {
            for (used, of) in uses.iter_mut().zip(&mut of) {
                *used = used.and(of.since().unwrap());
            }
        }
        let since = before.elapsed();
        for used in uses {
            assert!(used.share_of(since) > WITHOUT_PAUSE_SHARE, "{used:?}");
            assert!(used.ran_ns > 0);
        }
        for one in &mut both {
            one.kill().unwrap();
            one.wait().unwrap();
        }
        assert!(of.iter_mut().all(|of| of.since().is_none()));
    }
}
