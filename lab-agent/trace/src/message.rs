//! Messages: what people feel. A message is there when its last byte is, and
//! all before it.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::FeltMetrics;

use crate::delivery::DeliveredRange;
use crate::distribution::{Sample, distribution};
use crate::error::AnalyzeError;

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

fn message(start: u64, end: u64, ranges: &[DeliveredRange]) -> MessageLatency {
    let inside = |range: &DeliveredRange| range.end.min(end) - range.start.max(start);
    let all_sent = ranges.iter().map(inside).sum::<u64>() == end - start;
    let latest = |instant: fn(&DeliveredRange) -> Option<i64>| {
        let instants: Option<Vec<i64>> = ranges.iter().map(instant).collect();
        instants
            .filter(|_| all_sent)
            .and_then(|instants| instants.into_iter().max())
    };
    MessageLatency {
        start,
        end,
        sent_ns: latest(|range| Some(range.sent_ns)),
        arrived_ns: latest(|range| range.arrived_ns),
        available_ns: latest(|range| range.available_ns),
    }
}

/// What a person notices of messages written to the socket and then available
/// to the other application, in order of the stream, both on one clock.
///
/// A stall is the time from one message's availability to the next one's; the
/// wait for the first message is none. All zero when there are no messages.
pub fn felt(messages: &[(u64, u64)]) -> FeltMetrics {
    let sojourns_ns: Vec<i64> = messages
        .iter()
        .map(|(write, available)| *available as i64 - *write as i64)
        .collect();
    let minimum_ns = sojourns_ns.iter().copied().min().unwrap_or(0);
    let later_than = |ms: i64| {
        let late = sojourns_ns
            .iter()
            .filter(|sojourn| **sojourn - minimum_ns > ms * 1_000_000)
            .count();
        late as f64 / messages.len().max(1) as f64
    };
    let stalls = messages
        .windows(2)
        .map(|pair| pair[1].1.saturating_sub(pair[0].1));
    FeltMetrics {
        share_later_than_50_ms: later_than(50),
        share_later_than_100_ms: later_than(100),
        share_later_than_150_ms: later_than(150),
        share_later_than_400_ms: later_than(400),
        longest_stall_ms: stalls.max().unwrap_or(0) as f64 / 1e6,
        messages: messages.len() as u64,
        sojourn: Some(distribution(
            sojourns_ns
                .iter()
                .map(|latency_ns| Sample {
                    latency_ns: *latency_ns,
                    weight: 1,
                })
                .collect(),
        )),
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact by definition")]
mod tests {
    use super::felt;

    const MS: u64 = 1_000_000;

    #[test]
    fn lateness_counts_from_the_fastest_message() {
        // Written every 20 ms; sojourns 50, 150, 150.000001, 460, 440.
        let told = felt(&[
            (0, 50 * MS),
            (20 * MS, 170 * MS),
            (40 * MS, 190 * MS + 1),
            (60 * MS, 520 * MS),
            (80 * MS, 520 * MS),
        ]);
        assert_eq!(told.messages, 5);
        assert_eq!(
            told.share_later_than_100_ms, 0.6,
            "exactly 100 ms is not later than 100 ms"
        );
        assert_eq!(told.share_later_than_50_ms, 0.8);
        assert_eq!(told.share_later_than_150_ms, 0.4);
        assert_eq!(told.share_later_than_400_ms, 0.2);
        assert!(
            (told.longest_stall_ms - 330.0).abs() < 1e-3,
            "{}",
            told.longest_stall_ms
        );
        assert_eq!(told.sojourn.expect("five samples").max_us, 460_000.0);
    }

    #[test]
    fn no_messages_are_no_trouble() {
        let told = felt(&[]);
        assert_eq!((told.messages, told.share_later_than_100_ms), (0, 0.0));
    }
}
