//! 32-bit sequence numbers to stream offsets that do not wrap.
// SPDX-License-Identifier: Apache-2.0

/// One direction's numbers, in the order in which they pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unwrap {
    /// Sequence number of stream offset 0.
    origin: u32,
    highest: i64,
}

impl Unwrap {
    pub(crate) fn new(origin: u32) -> Self {
        Self { origin, highest: 0 }
    }

    /// The offset nearest to the highest so far (RFC 7323, section 5: a
    /// window, so a step, is always below 2^31).
    pub(crate) fn offset(&mut self, seq: u32) -> i64 {
        let low = seq.wrapping_sub(self.origin);
        let step = low.wrapping_sub(self.highest as u32) as i32;
        let offset = self.highest + i64::from(step);
        self.highest = self.highest.max(offset);
        offset
    }

    /// The highest offset so far.
    pub(crate) fn highest(&self) -> u64 {
        self.highest as u64
    }
}
