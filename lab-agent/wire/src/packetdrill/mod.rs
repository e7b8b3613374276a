//! The language of packetdrill, in which the kernel's developers test its TCP:
//! reads scripts and plays them. `docs/wire.md` tells how much is understood.
// SPDX-License-Identifier: Apache-2.0
mod answers;
mod application;
mod arguments;
mod claims;
mod connection;
mod counters;
mod due;
mod kernel;
mod link;
mod model;
mod options;
mod packets;
mod parse;
mod play;
mod qdisc;
mod scan;
mod shell;
mod symbols;
mod words;
mod worker;

pub use model::Script;
pub use parse::parse;
pub use play::{Played, Verdict, play};

/// The ending of a script's name.
pub const ENDING: &str = "pkt";
