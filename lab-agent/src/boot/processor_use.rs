//! How much of the processors a process has, as Linux counts it (`schedstat`).
// SPDX-License-Identifier: Apache-2.0
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// What a process had of the processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    /// On a processor.
    pub ran_ns: u64,
    /// Ready to run, while others ran.
    pub waited_ns: u64,
}

impl Use {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            ran_ns: self.ran_ns + other.ran_ns,
            waited_ns: self.waited_ns + other.waited_ns,
        }
    }

    /// Running or waiting to; above 1 where it is of several processes, or a long wait
    /// ended only now.
    pub fn share_of(self, since: Duration) -> f64 {
        (self.ran_ns + self.waited_ns) as f64 / since.as_nanos() as f64
    }
}

/// A process's `schedstat`, kept open: its number may come to be somebody else's.
pub struct Statistics {
    file: File,
    last: Use,
}

impl Statistics {
    /// Nothing when there is no such process.
    pub fn of(id: i32) -> Option<Self> {
        let file = File::open(format!("/proc/{id}/schedstat")).ok()?;
        let last = read(&file)?;
        Some(Self { file, last })
    }

    /// Since the last call; nothing when the process has ended.
    pub fn since(&mut self) -> Option<Use> {
        let now = read(&self.file)?;
        let since = Use {
            ran_ns: now.ran_ns.saturating_sub(self.last.ran_ns),
            waited_ns: now.waited_ns.saturating_sub(self.last.waited_ns),
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
    use std::io::Read;
    use std::time::Instant;

    use super::*;

    /// The machine's own statistics: two that never pause on one processor.
    #[test]
    fn who_only_waits_for_a_processor_does_not_pause() {
        let allowed = rustix::thread::sched_getaffinity(None).unwrap();
        let mut all = 0..rustix::thread::CpuSet::MAX_CPU;
        let processor = all.find(|&processor| allowed.is_set(processor)).unwrap();
        let spin = || {
            let mut spinning = std::process::Command::new("taskset")
                .args(["-c", &processor.to_string(), "sh", "-c"])
                // Its end, should this test have come to its own before.
                .arg("ulimit -t 60; echo; while :; do :; done")
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let said = spinning.stdout.as_mut().unwrap().read_exact(&mut [0]);
            said.unwrap();
            spinning
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
        for one in &mut both {
            one.kill().unwrap();
            one.wait().unwrap();
        }
        assert!(of.iter_mut().all(|of| of.since().is_none()));
        for used in uses {
            assert!(used.share_of(since) > 0.8, "{used:?}");
            assert!(used.ran_ns > 0);
        }
    }
}
