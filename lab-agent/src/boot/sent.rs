//! What a guest leaves of a transfer.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::Transferred;

/// A transfer's results: what the guest says, and the captures' bytes.
pub struct Sent {
    /// Instants, counters, self-check.
    pub transferred: Transferred,
    /// pcapng.
    pub sender_capture: Vec<u8>,
    /// pcapng.
    pub receiver_capture: Vec<u8>,
    /// Wall time without the boot.
    pub wall_ns: u64,
}
