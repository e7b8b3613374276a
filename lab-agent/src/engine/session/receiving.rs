//! The reading half of a flow: which messages are whole, and since when. It knows
//! what has to come, and nothing of the half that writes.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::TransferFlow;

use crate::engine::arrivals::Arrivals;

/// What is still to be read of a flow, and when the rest was.
pub struct Receiving<'a> {
    arrivals: Arrivals<&'a [u8]>,
    total_bytes: u64,
    /// When each message could be read whole.
    pub available_ns: Vec<u64>,
}

impl<'a> Receiving<'a> {
    /// All of it is to be read.
    pub fn new(flow: &'a TransferFlow) -> Self {
        let mut arrivals = Arrivals::default();
        let mut rest = &flow.stream[..];
        for (number, &length) in flow.message_bytes.iter().enumerate() {
            let (message, after) = rest.split_at(length as usize);
            arrivals.expect(number as u64, message);
            rest = after;
        }
        Self {
            arrivals,
            total_bytes: flow.stream.len() as u64,
            available_ns: Vec::with_capacity(flow.message_bytes.len()),
        }
    }

    /// Takes what was read at `now`.
    pub fn take(&mut self, bytes: &[u8], now: u64) {
        let available_ns = &mut self.available_ns;
        self.arrivals.take(bytes, |_| available_ns.push(now));
    }

    /// Bytes that have to come yet.
    pub fn missing_bytes(&self) -> u64 {
        self.total_bytes.saturating_sub(self.arrivals.read_bytes())
    }

    /// What was read, compared to what was written.
    pub fn arrivals(&self) -> &Arrivals<&'a [u8]> {
        &self.arrivals
    }
}
