//! A temporary folder of a running agent's own: nobody else has its name, nobody
//! else can enter it, and it goes with the agent, however that ends.
// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::fault::{Doing, Fault, Outcome};
use crate::punctual;

const PREFIX: &str = "thinlab-agent-";
/// Of one whose lock is not taken yet: no sweep looks at it.
const UNFINISHED: &str = "unfinished-";
const LOCK: &str = "lock";
const OURS_ALONE: u32 = 0o700;
/// Less than this free, and a session would stop half-way.
const LEAST_FREE_BYTES: u64 = 64 << 20;

/// See the module.
pub struct OwnFolder {
    path: PathBuf,
    /// Held as long as we live: a folder whose lock is free belongs to nobody.
    _lock: File,
}

impl OwnFolder {
    /// Makes one under `parent`, after removing those that killed agents left there.
    pub fn make(parent: &Path) -> Outcome<Self> {
        sweep(parent);
        let doing = || format!("making a folder in {}", parent.display());
        let unfinished = tempfile::Builder::new()
            .prefix(&format!("{UNFINISHED}{PREFIX}"))
            .permissions(fs::Permissions::from_mode(OURS_ALONE))
            .tempdir_in(parent)
            .doing(doing())?
            .keep();
        let lock = locked(&unfinished).inspect_err(|_| remove(&unfinished))?;
        let name = unfinished.file_name().unwrap_or_default().to_string_lossy();
        let path = parent.join(name.trim_start_matches(UNFINISHED));
        fs::rename(&unfinished, &path)
            .inspect_err(|_| remove(&unfinished))
            .doing(doing())?;
        Ok(Self { path, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

fn locked(folder: &Path) -> Outcome<File> {
    let lock = File::create(folder.join(LOCK)).doing("locking the agent's folder")?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive).doing("locking the agent's folder")?;
    Ok(lock)
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

/// Removes our user's folders without an owner. Those of others may hold anything
/// under our names, and stay.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry
                .metadata()
                .is_ok_and(|it| it.is_dir() && it.uid() == rustix::process::geteuid().as_raw());
        if !ours {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(parent: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(parent).unwrap().flatten();
        entries.map(|entry| entry.path()).collect()
    }

    #[test]
    fn one_process_has_several_at_once_and_nobody_else_can_enter() {
        let parent = tempfile::tempdir().unwrap();
        let first = OwnFolder::make(parent.path()).unwrap();
        let second = OwnFolder::make(parent.path()).unwrap();
        assert_ne!(first.path(), second.path());
        for folder in [&first, &second] {
            let mode = fs::metadata(folder.path()).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, OURS_ALONE);
        }
        drop(first);
        assert_eq!(names(parent.path()), [second.path()]);
        drop(second);
        assert!(names(parent.path()).is_empty());
    }

    #[test]
    fn what_an_earlier_process_of_the_same_number_left_is_in_nobodys_way() {
        let parent = tempfile::tempdir().unwrap();
        let left = parent
            .path()
            .join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir(&left).unwrap();
        // Not to be swept: it has no lock at all.
        let folder = OwnFolder::make(parent.path()).unwrap();
        assert_ne!(folder.path(), left);
    }

    #[test]
    fn a_folder_without_an_owner_is_swept_and_one_in_use_is_not() {
        let parent = tempfile::tempdir().unwrap();
        let used = OwnFolder::make(parent.path()).unwrap();
        let left = parent.path().join(format!("{PREFIX}left"));
        fs::create_dir(&left).unwrap();
        drop(locked(&left).unwrap());
        let next = OwnFolder::make(parent.path()).unwrap();
        assert!(!left.exists());
        assert!(used.path().exists());
        assert!(next.path().exists());
    }

    #[test]
    fn what_a_link_names_is_not_swept() {
        let parent = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        drop(locked(elsewhere.path()).unwrap());
        let link = parent.path().join(format!("{PREFIX}link"));
        std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
        let _folder = OwnFolder::make(parent.path()).unwrap();
        assert!(elsewhere.path().join(LOCK).exists());
        assert!(link.is_symlink());
    }
}
