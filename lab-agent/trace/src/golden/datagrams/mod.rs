//! Golden traces of datagrams: a script of messages, its two captures, and the truth about
//! each message.
//!
//! ```
//! use thinlab_trace::golden::Fate;
//! use thinlab_trace::golden::datagrams::Script;
//!
//! const MS: u64 = 1_000_000;
//! let mut script = Script::new();
//! script.message(1_000 * MS, 120, Fate::Lost);
//! script.message(1_140 * MS, 120, Fate::arrives(65 * MS));
//! let truth = script.run().truth;
//! assert_eq!(truth.messages[0].arrived_ns, None);
//! assert_eq!(truth.messages[1].arrived_ns, Some(1_205 * MS));
//! ```
// SPDX-License-Identifier: Apache-2.0

mod play;
pub mod scenarios;
mod wire;

pub use play::{MessageTruth, Played, Script, Truth};
pub use wire::Wire;
