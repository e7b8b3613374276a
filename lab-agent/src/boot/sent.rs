//! What a guest leaves of a run.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use lab_proto::guest::Transferred;

use super::left;
use crate::fault::{Doing, Fault, Outcome};
use crate::spool;

/// A transfer's results: what the guest says, and the captures.
pub struct Sent {
    /// Instants, counters, self-checks, lane by lane.
    pub transferred: Transferred,
    /// What both ends of each lane saw.
    pub captures: Vec<CaptureFiles>,
    /// Wall time without the boot.
    pub wall_ns: u64,
}

/// What both ends of a lane saw, as files: pcapng.
#[derive(Default)]
pub struct CaptureFiles {
    /// The sender's.
    pub sender: Vec<u8>,
    /// The receiver's.
    pub receiver: Vec<u8>,
}

impl CaptureFiles {
    /// Reads those of the `lane`th lane from `folder` below the spool.
    ///
    /// # Errors
    /// `Exhausted` when one is not as long as the guest says it has made it.
    pub(super) fn read(
        spool: &Path,
        folder: &str,
        lane: usize,
        sender_bytes: u64,
        receiver_bytes: u64,
    ) -> Outcome<Self> {
        let [sender, receiver] = spool::captures(lane);
        let read = |file: String, bytes| read(spool, &Path::new(folder).join(file), bytes);
        Ok(Self {
            sender: read(sender, sender_bytes)?,
            receiver: read(receiver, receiver_bytes)?,
        })
    }

    /// Reads those of all lanes that were in a transfer.
    pub(super) fn of_all(spool: &Path, folder: &str, all: &Transferred) -> Outcome<Vec<Self>> {
        let lanes = all.lanes.iter().enumerate();
        let read = lanes.map(|(number, lane)| {
            let (sender, receiver) = (lane.sender_capture_bytes, lane.receiver_capture_bytes);
            Self::read(spool, folder, number, sender, receiver)
        });
        read.collect()
    }
}

/// Reads a capture; a file shorter than the guest wrote means a full disk.
fn read(spool: &Path, name: &Path, bytes: u64) -> Outcome<Vec<u8>> {
    let read = left::read(spool, name).doing("reading a capture")?;
    if read.len() as u64 == bytes {
        return Ok(read);
    }
    Err(Fault::Exhausted(format!(
        "{} has {} of {bytes} bytes: is the disk full? free some, or point TMPDIR at a larger \
         file system",
        name.display(),
        read.len()
    )))
}
