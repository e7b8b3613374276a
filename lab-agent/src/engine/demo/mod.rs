//! A take of a demo: one stream in step over up to four lanes side by side,
//! which change while it runs.
//!
//! ```text
//! backend ── outside ── serial line ── inside ── sockets ══ lanes ══ sockets
//! ```
//!
//! `inside` is the guest's part: it moves and stamps bytes, changes lanes, and
//! hands out what it sees. `outside` is the machine's: it makes the messages,
//! plays them out, and works out what the packets say while they pass.
// SPDX-License-Identifier: Apache-2.0
#[cfg(test)]
mod held_up;
pub mod inside;
pub mod outside;
