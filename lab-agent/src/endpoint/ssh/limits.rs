//! What a terminal may use up.
// SPDX-License-Identifier: Apache-2.0
use rustix::process::{Resource, Rlimit, setrlimit};

/// Bounds of one terminal. What an editor needs for a text of some pages fits in
/// many times over.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Address space of each process.
    pub memory_bytes: u64,
    /// Of the home folder, all files together.
    pub home_bytes: u64,
    /// Processor time of each process.
    pub processor_s: u64,
    /// Everything that is written to the screen.
    pub screen_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 32 << 20,
            home_bytes: 1 << 20,
            processor_s: 60,
            screen_bytes: 8 << 20,
        }
    }
}

/// Files that a process may have open: OpenSSH uses a dozen, editors fewer
/// (`guest/terminal/editor`).
const OPEN_FILES: u64 = 32;
const PENDING_SIGNALS: u64 = 64;

impl Limits {
    /// Binds the calling process, which may have `processes` with its user's
    /// others. System calls only: it runs between fork and exec.
    pub fn bind(&self, processes: u64) -> std::io::Result<()> {
        for (resource, most) in [
            (Resource::As, self.memory_bytes),
            (Resource::Fsize, self.home_bytes),
            (Resource::Cpu, self.processor_s),
            (Resource::Nproc, processes),
            (Resource::Nofile, OPEN_FILES),
            (Resource::Sigpending, PENDING_SIGNALS),
            (Resource::Core, 0),
            (Resource::Memlock, 0),
            (Resource::Msgqueue, 0),
            (Resource::Nice, 0),
            (Resource::Rtprio, 0),
        ] {
            let both = Rlimit {
                current: Some(most),
                maximum: Some(most),
            };
            setrlimit(resource, both)?;
        }
        Ok(())
    }
}
