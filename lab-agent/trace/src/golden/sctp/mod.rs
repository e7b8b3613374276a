//! Golden traces of SCTP: a scripted association, its two captures, and the truth about
//! every chunk.
//!
//! ```
//! use thinlab_trace::ChunkKind;
//! use thinlab_trace::golden::Fate;
//! use thinlab_trace::golden::sctp::Script;
//!
//! const MS: u64 = 1_000_000;
//! let mut script = Script::new();
//! let (first, second) = (script.message(0, 120), script.message(1, 120));
//! script.new_chunks(1_000 * MS, &[first], Fate::Lost);
//! script.new_chunks(1_140 * MS, &[second], Fate::arrives(65 * MS));
//! script.send(2_000 * MS, &[(first, ChunkKind::Timeout)], Fate::arrives(65 * MS));
//! let truth = script.run().truth;
//! // The second message is of another stream and waits for nothing.
//! assert_eq!(truth.chunks[1].available_ns, Some(1_205 * MS));
//! ```
// SPDX-License-Identifier: Apache-2.0

mod bulk;
mod play;
pub mod scenarios;
mod script;
mod truth;
mod wire;

pub use bulk::bulk;
pub use script::{Played, Script};
pub use truth::{ChunkTruth, Truth};
pub use wire::Wire;
