//! A take of a demo: one stream in step over up to four lanes side by side,
//! which change while it runs.
//!
//! `inside` is the guest's part: it moves and stamps bytes, changes lanes, and
//! hands out what it sees.
// SPDX-License-Identifier: Apache-2.0
pub mod inside;
