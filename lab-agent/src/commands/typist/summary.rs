//! What typed terminals say together.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{KeyLine, Recovery};
use serde::Serialize;

use super::typing::Typed;

/// Milliseconds of one stretch of a key's way, over many keys.
#[derive(Clone, Debug, Serialize)]
pub struct Stretch {
    /// How many keys have it.
    pub keys: usize,
    /// The middle.
    pub p50_ms: f64,
    /// Of a hundred keys one is slower.
    pub p99_ms: f64,
    /// The slowest.
    pub max_ms: f64,
    #[serde(skip)]
    sorted_ms: Vec<f64>,
}

impl Stretch {
    /// Of some times.
    pub fn of(times_ms: impl Iterator<Item = f64>) -> Self {
        let mut sorted_ms: Vec<f64> = times_ms.collect();
        sorted_ms.sort_by(f64::total_cmp);
        let mut stretch = Self {
            keys: sorted_ms.len(),
            p50_ms: 0.0,
            p99_ms: 0.0,
            max_ms: 0.0,
            sorted_ms,
        };
        stretch.p50_ms = stretch.quantile(0.5);
        stretch.p99_ms = stretch.quantile(0.99);
        stretch.max_ms = stretch.quantile(1.0);
        stretch
    }

    /// The smallest time that such a share of all does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.sorted_ms.len() as f64).ceil().max(1.0) as usize;
        self.sorted_ms.get(rank - 1).copied().unwrap_or(0.0)
    }

    /// The share that took no longer than `ms`.
    pub fn share_within(&self, ms: f64) -> f64 {
        let within = self.sorted_ms.partition_point(|time| *time <= ms);
        within as f64 / self.sorted_ms.len().max(1) as f64
    }
}

/// From one instant of a key's way to a later one.
pub fn stretch(
    typed: &[Typed],
    from: fn(&KeyLine) -> Option<u64>,
    to: fn(&KeyLine) -> Option<u64>,
) -> Stretch {
    Stretch::of(lines(typed).filter_map(|line| Some(ms(from(line)?, to(line)?))))
}

/// The key's way to the receiver and the echo's way back, without what the
/// receiver does between them: the lane's own round trip.
pub fn round_trip(typed: &[Typed]) -> Stretch {
    Stretch::of(lines(typed).filter_map(|line| {
        let there = ms(line.key_sent_ns?, line.key_arrived_ns?);
        Some(there + ms(line.echo_sent_ns?, line.echo_arrived_ns?))
    }))
}

/// What agent, serial line, guest and SSH's client add, both ways together.
pub fn added(typed: &[Typed]) -> Stretch {
    Stretch::of(lines(typed).filter_map(|line| {
        let whole = ms(line.agent_received_ns?, line.agent_forwarded_ns?);
        Some(whole - ms(line.key_written_ns?, line.echo_delivered_ns?))
    }))
}

/// How many keys, and echoes, came in each way.
pub fn recoveries(typed: &[Typed]) -> Vec<(&'static str, usize, usize)> {
    let kinds = [
        Recovery::None,
        Recovery::Bundle,
        Recovery::Fast,
        Recovery::Timeout,
        Recovery::Never,
    ];
    let count = |kind: Recovery, of: fn(&KeyLine) -> Recovery| {
        lines(typed).filter(|line| of(line) == kind).count()
    };
    kinds
        .into_iter()
        .map(|kind| {
            let keys = count(kind, KeyLine::key_recovery);
            let echoes = count(kind, KeyLine::echo_recovery);
            (
                kind.as_str_name().trim_start_matches("RECOVERY_"),
                keys,
                echoes,
            )
        })
        .collect()
}

fn lines(typed: &[Typed]) -> impl Iterator<Item = &KeyLine> {
    typed.iter().flat_map(|typed| &typed.result.keys)
}

fn ms(from_ns: u64, to_ns: u64) -> f64 {
    (to_ns as f64 - from_ns as f64) / 1e6
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact by definition")]
mod tests {
    use super::Stretch;

    #[test]
    fn quantiles_are_times_that_occurred() {
        let stretch = Stretch::of((1..=100).rev().map(f64::from));
        assert_eq!(
            (stretch.p50_ms, stretch.p99_ms, stretch.max_ms),
            (50.0, 99.0, 100.0)
        );
        assert_eq!(stretch.share_within(20.5), 0.2);
        assert_eq!(Stretch::of(std::iter::empty()).p99_ms, 0.0);
    }
}
