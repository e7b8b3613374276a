//! A terminal over a lane: somebody types into an editor at the other end of an
//! SSH connection.
//!
//! ```text
//! backend ── outside ── serial line ── inside ── pty ── ssh ══ lane ══ sshd ── editor
//! ```
//!
//! `inside` is the guest's part, which is on the way of every key: it writes
//! keys, reads screens, and tells which key a screen answers. `outside` is the
//! machine's: it passes both on, and works out what became of every key when it
//! is over (`measure`, `timing`).
// SPDX-License-Identifier: Apache-2.0
pub mod check;
pub mod inside;
mod measure;
pub mod outside;
mod timing;

/// Events that may wait on the way: more than a screen takes, less than would
/// hide that nobody reads.
pub const IN_FLIGHT: usize = 64;
