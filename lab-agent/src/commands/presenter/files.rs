//! A take's files, as they come.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use lab_proto::{FileChunk, FileKind};

use crate::fault::{Doing, Fault, Outcome};

/// Writes `lane-0-sender.pcapng` and so on into a folder.
pub struct Files {
    folder: PathBuf,
    open: BTreeMap<(u32, i32), File>,
}

impl Files {
    /// Makes the folder if it is not there.
    pub fn new(folder: &Path) -> Outcome<Self> {
        fs::create_dir_all(folder).doing(format!("making {}", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
            open: BTreeMap::new(),
        })
    }

    /// Takes the next bytes of one of them.
    pub fn append(&mut self, lane: u32, chunk: &FileChunk) -> Outcome<()> {
        let name = match chunk.kind() {
            FileKind::SenderCapture => "sender.pcapng",
            FileKind::ReceiverCapture => "receiver.pcapng",
            FileKind::MessageEnds => "message-ends.txt",
            FileKind::Recording | FileKind::Settings | FileKind::Unspecified => {
                return Err(Fault::Failed("a take has no such file".into()));
            }
        };
        let path = self.folder.join(format!("lane-{lane}-{name}"));
        let file = match self.open.entry((lane, chunk.kind)) {
            std::collections::btree_map::Entry::Occupied(open) => open.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => {
                new.insert(File::create(&path).doing(format!("creating {}", path.display()))?)
            }
        };
        file.write_all(&chunk.data)
            .doing(format!("writing {}", path.display()))
    }
}
