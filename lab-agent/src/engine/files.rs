//! A run's files: read for the analysis, and in pieces that any gRPC library takes.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{FileChunk, FileKind};
use thinlab_trace::{AnalyzeError, Capture, read_capture};

use crate::boot::CaptureFiles;
use crate::fault::{Fault, Outcome};

/// Below every gRPC library's default limit of 4 MiB.
const CHUNK_BYTES: usize = 1 << 20;

/// A file from its beginning to its end.
pub fn chunks(kind: FileKind, bytes: &[u8]) -> impl Iterator<Item = FileChunk> {
    bytes.chunks(CHUNK_BYTES).map(move |chunk| FileChunk {
        kind: kind as i32,
        data: chunk.to_vec(),
    })
}

/// Both captures, one after the other.
pub fn capture_chunks(files: &CaptureFiles) -> impl Iterator<Item = FileChunk> {
    let sender = chunks(FileKind::SenderCapture, &files.sender);
    sender.chain(chunks(FileKind::ReceiverCapture, &files.receiver))
}

/// The packets in both captures: the sender's, the receiver's.
pub fn packets(files: &CaptureFiles) -> Outcome<(Capture, Capture)> {
    let read = |node: &str, bytes: &[u8]| {
        read_capture(bytes)
            .map_err(|error| Fault::Failed(format!("reading the {node}'s capture: {error}")))
    };
    let sender = read("sender", &files.sender)?;
    Ok((sender, read("receiver", &files.receiver)?))
}

/// Says of a fault that it came up while the packets were worked out.
pub fn analysing(error: &AnalyzeError) -> Fault {
    Fault::Failed(format!("analysing the captures: {error}"))
}
