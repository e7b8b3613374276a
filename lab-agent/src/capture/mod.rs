//! Capture at one end of a lane: a packet ring drained into pcapng.
// SPDX-License-Identifier: Apache-2.0
pub mod pcapng;
mod ring;
mod tap;

use std::fs::File;
use std::io::Write;
use std::ops::Add;
use std::os::fd::AsRawFd;
use std::path::Path;

use crate::fault::{Doing, Outcome};
pub use pcapng::Source;
pub use ring::FRAMES;
pub use tap::Tap;

/// Written to the file when this much has gathered. More would save system calls
/// and cost more page faults, which are dearer in a guest.
const FLUSH_BYTES: usize = 1 << 16;

/// A running capture of everything on one interface, both directions.
pub struct Capture {
    tap: Tap,
    pending: Vec<u8>,
    file: File,
    file_bytes: u64,
}

/// What a capture has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets that left this end.
    pub sent: u64,
    /// Packets that arrived here.
    pub received: u64,
    /// Length of the file.
    pub file_bytes: u64,
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            sent: self.sent + other.sent,
            received: self.received + other.received,
            file_bytes: self.file_bytes + other.file_bytes,
        }
    }
}

impl Capture {
    /// Starts capturing on `interface` of the calling thread's namespace, with
    /// room for so many packets between two looks.
    pub fn start(interface: &str, frames: usize, source: &Source, path: &Path) -> Outcome<Self> {
        let file = File::create(path).doing(format!("creating {}", path.display()))?;
        Ok(Self {
            tap: Tap::open(interface, frames)?,
            pending: pcapng::header(source),
            file,
            file_bytes: 0,
        })
    }

    /// Takes what the ring holds. Costs a memory read when there is nothing:
    /// the transfer's loop calls it whenever it is awake anyway.
    pub fn drain(&mut self) -> Outcome<()> {
        let pending = &mut self.pending;
        self.tap.drain(|packet| pcapng::append(pending, packet));
        if self.pending.len() >= FLUSH_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// How many packets were seen so far.
    pub fn packets(&self) -> u64 {
        self.tap.sent() + self.tap.received()
    }

    /// When the last packet was seen.
    pub fn newest_ns(&self) -> u64 {
        self.tap.newest_ns()
    }

    /// Takes the rest and closes the file; tells how many packets are missing in
    /// it because the ring was full.
    pub fn finish(mut self) -> Outcome<(Counts, u32)> {
        self.drain()?;
        let overruns = self.tap.overruns()?;
        self.flush()?;
        to_host(&self.file).doing("writing a capture")?;
        let counts = Counts {
            sent: self.tap.sent(),
            received: self.tap.received(),
            file_bytes: self.file_bytes,
        };
        Ok((counts, overruns))
    }

    fn flush(&mut self) -> Outcome<()> {
        self.file
            .write_all(&self.pending)
            .doing("writing a capture")?;
        self.file_bytes += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }
}

/// Hands a file's pages to the host, which is all that a spool needs. `fsync`
/// would also make the host wait for its disk.
pub fn to_host(file: &File) -> std::io::Result<()> {
    let all = libc::SYNC_FILE_RANGE_WAIT_BEFORE
        | libc::SYNC_FILE_RANGE_WRITE
        | libc::SYNC_FILE_RANGE_WAIT_AFTER;
    // No memory is passed.
    #[allow(unsafe_code)]
    let result = unsafe { libc::sync_file_range(file.as_raw_fd(), 0, 0, all) };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}
