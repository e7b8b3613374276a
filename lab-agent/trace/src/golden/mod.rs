//! Golden trace pairs: a scripted connection, the two captures it leaves, and
//! the truth about every byte.
//!
//! No tool is an oracle for thin-stream traces (`docs/trace.md` names where the
//! usual ones go wrong), so the analyser is held against connections whose
//! latencies are known because they were written down first. A [`Script`] says
//! when each packet leaves and what the path does to it; [`Script::run`] plays
//! it against a small receiver and returns the frames both ends capture and a
//! [`Truth`] that is worked out byte by byte, with none of the analyser's code.
//!
//! ```
//! use thinlab_trace::golden::{Fate, FileFormat, Intent, Script};
//!
//! const MS: u64 = 1_000_000;
//! let mut script = Script::new();
//! script.data(1_000 * MS, Intent::New, 0..120, Fate::Lost);
//! script.data(1_140 * MS, Intent::Bundle { new_from: 120 }, 0..240, Fate::arrives(65 * MS));
//! let trace = script.run();
//! assert_eq!(trace.truth.bytes[0].arrived_ns, Some(1_205 * MS));
//! assert_eq!(trace.truth.traffic.bundled_bytes, 120);
//! let pair = trace.files(&FileFormat::default());
//! assert!(pair.sender.len() > pair.receiver.len(), "one packet never arrived");
//! ```
// SPDX-License-Identifier: Apache-2.0

mod bulk;
mod crossing;
pub mod datagrams;
mod file;
mod ip;
mod offload;
mod play;
mod receiver;
pub mod scenarios;
mod script;
pub mod sctp;
mod together;
mod truth;
mod wire;

pub use bulk::bulk;
pub use file::{ByteOrder, Container, FileFormat, Link, Pair};
pub use script::{ClockSet, Clocks, End, Fate, Frame, Intent, Noise, Path, Script, Trace};
pub use together::together;
pub use truth::{ByteTruth, DirectionTruth, TrafficTruth, Truth};
pub use wire::{IpIds, Wire};
