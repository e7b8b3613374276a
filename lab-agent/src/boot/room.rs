//! The room of a running agent: one temporary folder with the image and the
//! sessions' spools, gone when the agent ends, however it ends.
// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{FlockOperation, flock};

use crate::fault::{Doing, Fault, Outcome};
use crate::punctual;

const PREFIX: &str = "thinlab-agent-";
const LOCK: &str = "lock";
/// Less than this free, and a session would stop half-way.
const LEAST_FREE_BYTES: u64 = 64 << 20;

/// A folder of our own.
pub struct Room {
    path: PathBuf,
    sessions: AtomicU64,
    /// Held as long as we live: a room whose lock is free belongs to nobody.
    _lock: File,
}

impl Room {
    /// Makes the folder under TMPDIR, after removing those that killed agents
    /// left behind.
    pub fn open() -> Outcome<Self> {
        let parent = std::env::temp_dir();
        check_free(&parent)?;
        sweep(&parent);
        let path = parent.join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir(&path).doing(format!("making {}", path.display()))?;
        let lock = File::create(path.join(LOCK)).doing("locking the agent's folder")?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)
            .doing("locking the agent's folder")?;
        Ok(Self {
            path,
            sessions: AtomicU64::new(0),
            _lock: lock,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder for one guest, removed when dropped.
    pub fn session(&self) -> Outcome<SessionFolder> {
        check_free(&self.path)?;
        let number = self.sessions.fetch_add(1, Ordering::Relaxed);
        let path = self.path.join(format!("session-{number}"));
        let folder = SessionFolder { path };
        fs::create_dir_all(folder.spool()).doing("making a session's spool")?;
        Ok(folder)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// What one guest may see (`spool`), and its console beside it.
pub struct SessionFolder {
    path: PathBuf,
}

impl SessionFolder {
    /// All of it; the guest does not see this.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The only folder of this machine that the guest sees.
    pub fn spool(&self) -> PathBuf {
        self.path.join("spool")
    }

    /// Takes the guest's console.
    pub fn console(&self) -> PathBuf {
        self.path.join("console")
    }
}

impl Drop for SessionFolder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes a folder, on a thread that others may go before: Linux waits in a loop
/// until others have let go of what was in it, and a guest that is dying behind
/// such a loop would never let go.
pub fn remove(folder: &Path) {
    std::thread::scope(|scope| {
        // Who cannot have a thread leaves it to the next agent's sweep.
        let _ = std::thread::Builder::new().spawn_scoped(scope, || {
            punctual::step_back();
            let _ = fs::remove_dir_all(folder);
        });
    });
}

/// Whether there is room to go on.
pub fn check_free(path: &Path) -> Outcome<()> {
    let free = free_bytes(path)?;
    if free >= LEAST_FREE_BYTES {
        return Ok(());
    }
    Err(Fault::Exhausted(format!(
        "only {} MiB are free in {}: free some, or point TMPDIR at a larger file system",
        free >> 20,
        path.display()
    )))
}

/// What an ordinary user may still write in the file system of `path`.
pub fn free_bytes(path: &Path) -> Outcome<u64> {
    let system =
        rustix::fs::statvfs(path).doing(format!("looking at the disk of {}", path.display()))?;
    Ok(system.f_bavail * system.f_frsize)
}

/// Removes rooms without an owner; those of other users cannot be opened and
/// stay.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let free = File::options()
            .write(true)
            .open(entry.path().join(LOCK))
            .is_ok_and(|lock| flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok());
        if free {
            remove(&entry.path());
        }
    }
}
