//! Messages: what people feel. A message is there when its last byte is, and
//! all before it.
// SPDX-License-Identifier: Apache-2.0

use crate::error::AnalyzeError;
use crate::ranges::DeliveredRange;

/// One message's instants, on the sender's clock, since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageLatency {
    /// Stream offset of its first byte.
    pub start: u64,
    /// Stream offset after its last byte.
    pub end: u64,
    /// When all of it had been on the wire once; none when some never was.
    pub sent_ns: Option<i64>,
    /// When all of it had arrived, in whichever order.
    pub arrived_ns: Option<i64>,
    /// When the application could read all of it.
    pub available_ns: Option<i64>,
}

impl MessageLatency {
    /// From the wire to the other end's kernel.
    pub fn transport_ns(&self) -> Option<i64> {
        Some(self.arrived_ns? - self.sent_ns?)
    }

    /// From the wire to the application.
    pub fn application_ns(&self) -> Option<i64> {
        Some(self.available_ns? - self.sent_ns?)
    }
}

/// The messages that end at `ends`, in order, the first beginning at 0.
pub(crate) fn messages(
    ranges: &[DeliveredRange],
    ends: &[u64],
) -> Result<Vec<MessageLatency>, AnalyzeError> {
    let mut start = 0;
    let mut first_range = 0;
    let mut messages = Vec::with_capacity(ends.len());
    for (index, end) in ends.iter().copied().enumerate() {
        if end <= start {
            return Err(AnalyzeError::MessageEnds {
                index,
                end,
                previous: start,
            });
        }
        first_range += ranges[first_range..].partition_point(|range| range.end <= start);
        let count = ranges[first_range..].partition_point(|range| range.start < end);
        messages.push(message(
            start,
            end,
            &ranges[first_range..first_range + count],
        ));
        start = end;
    }
    Ok(messages)
}

/// The message `start..end`; `ranges` are those that hold bytes of it.
pub(crate) fn message<'a>(
    start: u64,
    end: u64,
    ranges: impl IntoIterator<Item = &'a DeliveredRange>,
) -> MessageLatency {
    let mut parts = Parts::new(start);
    for range in ranges {
        parts.add(range, end);
    }
    parts.message(end)
}

/// A message of which the ranges that hold its bytes are told one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    start: u64,
    sent_bytes: u64,
    sent_ns: Option<i64>,
    arrived_ns: Option<i64>,
    available_ns: Option<i64>,
}

impl Parts {
    pub(crate) fn new(start: u64) -> Self {
        Self {
            start,
            sent_bytes: 0,
            sent_ns: None,
            arrived_ns: Some(i64::MIN),
            available_ns: Some(i64::MIN),
        }
    }

    /// The message ends at `end`, before or after the range does.
    pub(crate) fn add(&mut self, range: &DeliveredRange, end: u64) {
        let latest = |a: Option<i64>, b: Option<i64>| a.zip(b).map(|(a, b)| a.max(b));
        self.sent_bytes += range.end.min(end) - range.start.max(self.start);
        self.sent_ns = self.sent_ns.max(Some(range.sent_ns));
        self.arrived_ns = latest(self.arrived_ns, range.arrived_ns);
        self.available_ns = latest(self.available_ns, range.available_ns);
    }

    pub(crate) fn message(self, end: u64) -> MessageLatency {
        let whole = self.sent_bytes >= end - self.start;
        MessageLatency {
            start: self.start,
            end,
            sent_ns: self.sent_ns.filter(|_| whole),
            arrived_ns: self.arrived_ns.filter(|_| whole),
            available_ns: self.available_ns.filter(|_| whole),
        }
    }
}
