//! How much the kernel is told beforehand.
// SPDX-License-Identifier: Apache-2.0

/// What the chains of all flows may write, and read, before one of them wakes the
/// transfer: between two wakes a capture's ring takes what is sent, several packets for
/// each of these at the worst. Twice as many would save a sixtieth of a long session, and
/// cost a short one more for the ring.
pub const CHAINED: usize = 64;
/// More entries than a chain has: two for each, and one.
pub const ENTRIES: u32 = 512;
/// Completions that wait for the transfer: those of all chains, and a few for each flow.
pub const COMPLETIONS: u32 = 4096;

/// What the chain of one of so many flows may write, or read.
pub fn share(flows: usize) -> usize {
    (CHAINED / flows.max(1)).max(1)
}
