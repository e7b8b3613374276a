//! A run's files, in pieces that any gRPC library takes.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{FileChunk, FileKind};

/// Below every gRPC library's default limit of 4 MiB.
const CHUNK_BYTES: usize = 1 << 20;

/// A file from its beginning to its end.
pub fn chunks(kind: FileKind, bytes: &[u8]) -> impl Iterator<Item = FileChunk> {
    bytes.chunks(CHUNK_BYTES).map(move |chunk| FileChunk {
        kind: kind as i32,
        data: chunk.to_vec(),
    })
}
