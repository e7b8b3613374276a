//! Where the file that is a guest's memory may be: on a file system with room for
//! it, whose files may be mapped executable.
// SPDX-License-Identifier: Apache-2.0
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::own_folder::{OwnFolder, free_bytes};
use crate::fault::{Fault, Outcome};

/// Folders of our own on every file system that may be used, the best first.
pub struct MemoryPlaces {
    places: Vec<Arc<OwnFolder>>,
    /// Why the others cannot be used.
    reasons: Vec<String>,
}

impl MemoryPlaces {
    /// Looks for them. Of what is in `parent`, the `room` is to be used.
    pub fn find(room: &Arc<OwnFolder>, parent: &Path) -> Self {
        let own = std::env::var_os("TMPDIR").map(PathBuf::from);
        let usual = ["/dev/shm", "/tmp", "/var/tmp"].map(PathBuf::from);
        let mut found = Self {
            places: Vec::new(),
            reasons: Vec::new(),
        };
        let mut candidates: Vec<PathBuf> = Vec::new();
        for candidate in own.into_iter().chain(usual) {
            if !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
        for candidate in candidates {
            let place = usable(&candidate).and_then(|()| {
                if candidate == parent {
                    return Ok(Arc::clone(room));
                }
                let made = OwnFolder::make(&candidate).map(Arc::new);
                made.map_err(|fault| fault.to_string())
            });
            match place {
                Ok(place) => found.places.push(place),
                Err(reason) => {
                    let reason = format!("{}: {reason}", candidate.display());
                    found.reasons.push(reason);
                }
            }
        }
        found
    }

    /// The first with so much room.
    pub fn with_room(&self, memory_mib: u64) -> Outcome<&Path> {
        let mut reasons = self.reasons.clone();
        for place in &self.places {
            let free = free_bytes(place.path())?;
            if free >= memory_mib << 20 {
                return Ok(place.path());
            }
            reasons.push(format!(
                "{}: only {} MiB free",
                place.path().display(),
                free >> 20
            ));
        }
        Err(Fault::Exhausted(format!(
            "no folder for the guest's memory ({}): point TMPDIR at one with {memory_mib} MiB free \
             on a file system that is not mounted noexec",
            reasons.join("; ")
        )))
    }
}

fn usable(folder: &Path) -> Result<(), String> {
    let system = rustix::fs::statvfs(folder).map_err(|error| error.to_string())?;
    if system
        .f_flag
        .contains(rustix::fs::StatVfsMountFlags::NOEXEC)
    {
        return Err("mounted noexec".into());
    }
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).map_err(|error| error.to_string())
}
