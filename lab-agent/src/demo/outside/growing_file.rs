//! A lane's files, which grow while the take goes on: what each end saw, and
//! where the messages end.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{DemoFile, FileKind};

use crate::capture::Source;
use crate::capture::pcapng::{Packet, append, header};

/// Below every gRPC library's default limit of 4 MiB.
const CHUNK_BYTES: usize = 1 << 20;

/// The end of a file that has not gone out yet.
struct Growing {
    lane: u32,
    kind: FileKind,
    pending: Vec<u8>,
}

impl Growing {
    fn take(&mut self) -> Vec<DemoFile> {
        let bytes = std::mem::take(&mut self.pending);
        let chunks = bytes.chunks(CHUNK_BYTES).map(|chunk| DemoFile {
            lane: self.lane,
            kind: self.kind as i32,
            data: chunk.to_vec(),
        });
        chunks.collect()
    }
}

/// What one end of a lane saw (pcapng).
pub struct CaptureFile(Growing);

impl CaptureFile {
    /// Begins with what says where it comes from.
    pub fn new(lane: u32, kind: FileKind, source: &Source) -> Self {
        Self(Growing {
            lane,
            kind,
            pending: header(source),
        })
    }

    /// One packet more.
    pub fn push(&mut self, packet: &Packet<'_>) {
        append(&mut self.0.pending, packet);
    }

    /// What has not gone out yet.
    pub fn take(&mut self) -> Vec<DemoFile> {
        self.0.take()
    }
}

/// Where each message ends in the stream, in decimal, a line each.
pub struct MessageEnds(Growing);

impl MessageEnds {
    /// Begins empty.
    pub fn new(lane: u32) -> Self {
        Self(Growing {
            lane,
            kind: FileKind::MessageEnds,
            pending: Vec::new(),
        })
    }

    /// One message more.
    pub fn push(&mut self, end: u64) {
        self.0.pending.extend(format!("{end}\n").bytes());
    }

    /// What has not gone out yet.
    pub fn take(&mut self) -> Vec<DemoFile> {
        self.0.take()
    }
}
