//! The room of a running agent: a temporary folder with the image and the
//! sessions' spools, and those with the guests' memory.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::memory::MemoryPlaces;
use super::own_folder::{OwnFolder, check_free, remove};
use crate::fault::{Doing, Outcome};

/// See the module.
pub struct Room {
    folder: Arc<OwnFolder>,
    memory: MemoryPlaces,
    sessions: AtomicU64,
}

impl Room {
    /// Makes the folders.
    pub fn open() -> Outcome<Self> {
        let parent = std::env::temp_dir();
        check_free(&parent)?;
        let folder = Arc::new(OwnFolder::make(&parent)?);
        Ok(Self {
            memory: MemoryPlaces::find(&folder, &parent),
            folder,
            sessions: AtomicU64::new(0),
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Folders for one guest with so much memory, removed when dropped.
    pub fn session(&self, memory_mib: u64) -> Outcome<SessionFolder> {
        check_free(self.path())?;
        let number = self.sessions.fetch_add(1, Ordering::Relaxed);
        let name = format!("session-{number}");
        let folder = SessionFolder {
            path: self.path().join(&name),
            with_memory: self.memory.with_room(memory_mib)?.join(name),
        };
        fs::create_dir_all(folder.spool()).doing("making a session's spool")?;
        fs::create_dir_all(folder.memory()).doing("making a folder for the guest's memory")?;
        Ok(folder)
    }
}

/// What one guest may see (`spool`), its console beside it, and its memory.
pub struct SessionFolder {
    path: PathBuf,
    /// The same, or on another file system.
    with_memory: PathBuf,
}

impl SessionFolder {
    /// The only folder of this machine that the guest sees.
    pub fn spool(&self) -> PathBuf {
        self.path.join("spool")
    }

    /// Takes the guest's console.
    pub fn console(&self) -> PathBuf {
        self.path.join("console")
    }

    /// Takes the file that is the guest's memory.
    pub fn memory(&self) -> PathBuf {
        self.with_memory.join("memory")
    }
}

impl Drop for SessionFolder {
    fn drop(&mut self) {
        remove(&self.path);
        if self.with_memory != self.path {
            remove(&self.with_memory);
        }
    }
}
