//! SCTP (RFC 9260): messages in chunks, several to a packet, in streams that do not hold each
//! other up.
//!
//! Chunks in the order of their TSNs are a stream of bytes like TCP's, so that what was
//! sent, when, why again, and when it came is told by the same code. SCTP's own are how
//! packets are read ([`chunk`], `read/sctp.rs`), which bytes a TSN stands for ([`tsns`]),
//! when the application can have them ([`delivery`]), and accounts of chunks ([`accounts`]).
// SPDX-License-Identifier: Apache-2.0

mod accounts;
mod association;
mod chunk;
mod delivery;
mod live;
mod tsns;

pub use accounts::ChunkCopy;
pub(crate) use association::Association;
pub use association::ChunkKind;
pub use chunk::{Chunk, Data, Sack};
pub(crate) use live::Live;
