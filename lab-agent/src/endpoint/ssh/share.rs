//! A terminal's share of its guest: what the processes of one server may use
//! together (cgroups). Their own bounds hold for each alone. Of the processor each has
//! as much as any other that wants it; it has no quota, because the guest takes what the
//! machine gives to others for its own, and would stop who only had bad luck.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat, unlinkat};
use rustix::mount::{MountFlags, mount};

use crate::fault::{Doing, Outcome};

const ALL: &str = "/sys/fs/cgroup";
/// Of all terminals: the agent, its rings and the clients have the rest.
const TERMINALS: &str = "/sys/fs/cgroup/terminals";
const CONTROLLERS: &str = "+cpu +memory +pids";
/// Of the guest's memory, all servers together.
const MEMORY_SHARE: f64 = 0.75;
/// Of each server: its own processes' address spaces, their files and pipes, and room.
const MEMORY_BYTES: u64 = 64 << 20;
/// More than a login ever needs at once.
const PROCESSES: u64 = 16;
/// The share of one server, given back when dropped: not before its processes have ended.
pub struct Share {
    name: String,
    terminals: OwnedFd,
}

impl Share {
    /// Sets one apart.
    pub fn make() -> Outcome<Self> {
        static PREPARED: Once = Once::new();
        static MADE: AtomicU64 = AtomicU64::new(0);
        // Whatever is in the way is in the way of each share below, too, and told there.
        PREPARED.call_once(|| drop(prepare()));
        let name = MADE.fetch_add(1, Ordering::Relaxed).to_string();
        let path = Path::new(TERMINALS).join(&name);
        fs::create_dir(&path).doing("making a terminal's share of its guest")?;
        let terminals = openat(
            CWD,
            TERMINALS,
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        );
        let share = Self {
            name,
            terminals: terminals.doing("opening the terminals' shares")?,
        };
        for (bound, value) in [
            ("memory.max", MEMORY_BYTES.to_string().as_str()),
            ("memory.oom.group", "1"),
            ("pids.max", &PROCESSES.to_string()),
        ] {
            set(&path, bound, value)?;
        }
        Ok(share)
    }

    /// A process that writes "0" into it belongs to the share, with all that it starts.
    pub fn entrance(&self) -> Outcome<OwnedFd> {
        openat(
            &self.terminals,
            format!("{}/cgroup.procs", self.name),
            OFlags::WRONLY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .doing("opening a terminal's share of its guest")
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        // By the folder that is open: who drops this may see no such file system any more.
        let _ = unlinkat(&self.terminals, &self.name, AtFlags::REMOVEDIR);
    }
}

fn prepare() -> Outcome<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("none", ALL, "cgroup2", flags, None).doing("mounting the shares of a guest")?;
    set(Path::new(ALL), "cgroup.subtree_control", CONTROLLERS)?;
    let terminals = Path::new(TERMINALS);
    fs::create_dir(terminals).doing("making the terminals' share")?;
    set(terminals, "cgroup.subtree_control", CONTROLLERS)?;
    let memory = rustix::system::sysinfo();
    let bytes = memory.totalram * u64::from(memory.mem_unit);
    let most = (bytes as f64 * MEMORY_SHARE) as u64;
    set(terminals, "memory.max", &most.to_string())
}

fn set(share: &Path, bound: &str, value: &str) -> Outcome<()> {
    fs::write(share.join(bound), value).doing(format!("setting {bound} of a terminal"))
}
