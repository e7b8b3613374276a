//! Payload accounts of a sender, packet by packet.
// SPDX-License-Identifier: Apache-2.0

/// Payload accounts of the sender. `payload = unique + retransmitted + bundled`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Packets that carry stream bytes; probes are not among them.
    pub data_packets: u64,
    /// Bytes in them, copies included.
    pub payload_bytes: u64,
    /// Distinct bytes of the stream.
    pub unique_bytes: u64,
    /// Packets with nothing but bytes sent before.
    pub retransmitted_packets: u64,
    /// Bytes in those.
    pub retransmitted_bytes: u64,
    /// Packets with new bytes behind bytes sent before.
    pub bundle_packets: u64,
    /// The bytes sent before, in those.
    pub bundled_bytes: u64,
    /// Of those, the ones whose first arrival was in the bundle: what bundling
    /// saved. The rest was carried for nothing.
    pub bundle_hit_bytes: u64,
    /// Retransmitted bytes of which an earlier copy did arrive, sooner or later.
    pub spurious_bytes: u64,
    /// Retransmissions of which that is true of every byte.
    pub spurious_packets: u64,
    /// Keepalives and window probes that carry a byte long acknowledged.
    pub probe_packets: u64,
    /// Between the first and the last data packet.
    pub span_ns: u64,
}

/// The stream bytes that a departure carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    pub start: u64,
    pub end: u64,
    /// Where its new bytes begin; `end` when it has none.
    pub new_from: u64,
    /// In it: all between `start` and `end`, but where it carries pieces.
    pub bytes: u64,
    /// Bytes sent before.
    pub old_bytes: u64,
    /// Whether it was sent for those.
    pub is_again: bool,
}

impl Carried {
    pub(crate) fn is_retransmission(&self) -> bool {
        self.is_again
    }

    pub(crate) fn is_bundle(&self) -> bool {
        !self.is_again && self.start < self.new_from && self.new_from < self.end
    }
}

impl Traffic {
    pub(crate) fn count(&mut self, carried: &Carried) {
        let bytes = carried.bytes;
        self.data_packets += 1;
        self.payload_bytes += bytes;
        self.unique_bytes += bytes - carried.old_bytes;
        if carried.is_retransmission() {
            self.retransmitted_packets += 1;
            self.retransmitted_bytes += carried.old_bytes;
        } else if carried.old_bytes > 0 {
            self.bundle_packets += 1;
            self.bundled_bytes += carried.old_bytes;
        }
    }

    /// So many more retransmitted bytes turn out to be needless; `whole`: with
    /// them a packet.
    pub(crate) fn count_spurious(&mut self, bytes: u64, whole: bool) {
        self.spurious_bytes += bytes;
        self.spurious_packets += u64::from(whole);
    }
}
