//! The processes that a guest's programs run in. They come after the guest's
//! kernel, else one that never waits would keep the kernel's timer from taking
//! the processor back, and everybody in the guest would stand still. One that
//! computes without a pause loses its place before the machine's ordinary
//! processes: it is no key that somebody waits for.
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
/// Of the time between two looks: more, and the program waits for nobody.
const WITHOUT_PAUSE_SHARE: f64 = 0.8;
/// Calm looks after which it gets its place back.
const CALM_LOOKS: u32 = 10;

/// Gives the programs of the guest in `group` their places until it has ended.
pub fn keep_in_place(group: &Mutex<Option<Pid>>) {
    let _ = punctual::prefer(punctual::PASSING_ON);
    let mut programs = HashMap::new();
    let mut before = Instant::now();
    while let Some(kernel) = running(group) {
        std::thread::sleep(LOOK_EVERY);
        let now = Instant::now();
        look(kernel, &mut programs, now - before);
        before = now;
    }
}

fn running(group: &Mutex<Option<Pid>>) -> Option<Pid> {
    *group.lock().expect("nothing panics while holding it")
}

fn look(kernel: Pid, programs: &mut HashMap<i32, Program>, since: Duration) {
    let kernel = kernel.as_raw_nonzero();
    let children = fs::read_to_string(format!("/proc/{kernel}/task/{kernel}/children"));
    let children = children.unwrap_or_default();
    let there: Vec<i32> = children
        .split_whitespace()
        .filter_map(|id| id.parse().ok())
        .collect();
    programs.retain(|id, _| there.contains(id));
    for id in there {
        if let Some(program) = programs.get_mut(&id) {
            program.judge(id, since);
        } else if let Some(program) = Program::new(id) {
            programs.insert(id, program);
        }
    }
}

struct Program {
    /// Kept open: its number may come to be somebody else's.
    statistics: File,
    ran_ns: u64,
    calm_looks: u32,
    preferred: bool,
}

impl Program {
    fn new(id: i32) -> Option<Self> {
        let mut program = Self {
            statistics: File::open(format!("/proc/{id}/schedstat")).ok()?,
            ran_ns: 0,
            calm_looks: 0,
            preferred: false,
        };
        program.ran_ns = program.read()?;
        program.prefer(id, true);
        Some(program)
    }

    fn judge(&mut self, id: i32, since: Duration) {
        // None when it has ended; it will not be there at the next look.
        let Some(ran_ns) = self.read() else { return };
        let share = (ran_ns - self.ran_ns) as f64 / since.as_nanos() as f64;
        self.ran_ns = ran_ns;
        if share > WITHOUT_PAUSE_SHARE {
            self.calm_looks = 0;
            self.prefer(id, false);
        } else {
            self.calm_looks += 1;
            if self.calm_looks == CALM_LOOKS {
                self.prefer(id, true);
            }
        }
    }

    fn prefer(&mut self, id: i32, preferred: bool) {
        if self.preferred != preferred {
            self.preferred = preferred;
            punctual::place_program(id, preferred);
        }
    }

    /// Nanoseconds that it has run: the first number of its statistics.
    fn read(&self) -> Option<u64> {
        let mut bytes = [0; 64];
        let read = self.statistics.read_at(&mut bytes, 0).ok()?;
        let text = std::str::from_utf8(&bytes[..read]).ok()?;
        text.split_whitespace().next()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_never_pauses_loses_its_place_until_it_is_calm() {
        let mut busy = std::process::Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .unwrap();
        let id = busy.id() as i32;
        let mut program = Program::new(id).unwrap();
        assert!(program.preferred);
        let ran_ns = program.ran_ns;
        while program.read().unwrap() == ran_ns {}
        program.judge(id, Duration::from_nanos(1));
        assert!(!program.preferred);
        for _ in 0..CALM_LOOKS {
            assert!(!program.preferred);
            program.judge(id, Duration::from_hours(1));
        }
        assert!(program.preferred);
        busy.kill().unwrap();
        busy.wait().unwrap();
        assert!(program.read().is_none());
    }
}
