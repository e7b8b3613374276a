//! The digest of what a path leaves alone.
// SPDX-License-Identifier: Apache-2.0

/// Words to one number, by multiplying and folding, as wyhash and foldhash do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity(u64);

impl Identity {
    /// Of nothing: digits of π, which are no packet's own numbers.
    pub(super) const NONE: Self = Self(0x243f_6a88_85a3_08d3);

    pub(super) fn new() -> Self {
        Self::NONE
    }

    pub(super) fn add(&mut self, word: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(self.0 ^ word) * u128::from(ODD);
        // What was there stays in it, or a word like it would erase it.
        self.0 = (self.0.rotate_left(23) ^ product as u64).wrapping_add((product >> 64) as u64);
    }

    pub(super) fn finish(self) -> u64 {
        let product = u128::from(self.0) * 0xd6e8_feb8_6659_fd93;
        product as u64 ^ (product >> 64) as u64
    }
}
