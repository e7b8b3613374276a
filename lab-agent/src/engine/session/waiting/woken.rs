//! What both ways of waiting tell.
// SPDX-License-Identifier: Apache-2.0

/// What one read takes at most.
pub const READ_BYTES: usize = 1 << 16;

/// What a wait has ended for.
#[derive(Default)]
pub struct Woken {
    /// Nothing came in time.
    pub is_time_up: bool,
    /// Flows with something to read.
    pub readable: Vec<usize>,
    /// Flows with room for what had none.
    pub writable: Vec<usize>,
    /// Flows of which the kernel has written what it was told to, or stopped at.
    pub written: Vec<Written>,
}

/// What the kernel has written of a flow beforehand told.
pub struct Written {
    /// Of the transfer.
    pub flow: usize,
    /// The last message that it wrote, or tried to.
    pub message: usize,
    /// Bytes of that message that it wrote.
    pub bytes: usize,
}
