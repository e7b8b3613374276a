//! How evenly a stream's bytes arrive.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{IntervalThroughput, Throughput, ThroughputPoint};

use crate::ranges::DeliveredRange;

const MS: i64 = 1_000_000;
const NS_PER_S: f64 = 1e9;
/// Points of a distribution at most.
const CDF_POINTS: usize = 512;

/// Distinct bytes that arrived, for each whole interval from the first byte's departure to the
/// last one's arrival: of 100 ms and of 2 s, as the SCTP paper's section 6.3 looks at it.
pub fn throughput(ranges: &[DeliveredRange]) -> Throughput {
    Throughput {
        per_100_ms: by_interval(ranges, 100 * MS),
        per_2_s: by_interval(ranges, 2_000 * MS),
    }
}

/// Nothing where no interval is whole.
fn by_interval(ranges: &[DeliveredRange], interval_ns: i64) -> Option<IntervalThroughput> {
    let begins_ns = ranges.iter().map(|range| range.sent_ns).min()?;
    let ends_ns = ranges.iter().filter_map(|range| range.arrived_ns).max()?;
    let whole = usize::try_from((ends_ns - begins_ns) / interval_ns).ok()?;
    let mut bytes = vec![0; whole];
    for range in ranges {
        let Some(arrived_ns) = range.arrived_ns else {
            continue;
        };
        let nth = usize::try_from((arrived_ns - begins_ns) / interval_ns).unwrap_or(0);
        if let Some(bytes) = bytes.get_mut(nth) {
            *bytes += range.bytes();
        }
    }
    bytes.sort_unstable();
    let bit_per_s = |bytes: u64| bytes as f64 * 8.0 * NS_PER_S / interval_ns as f64;
    // The nearest rank: always an interval that occurred.
    let percentile =
        |percent: usize| bit_per_s(bytes[(whole * percent).div_ceil(100).saturating_sub(1)]);
    (whole > 0).then(|| IntervalThroughput {
        intervals: whole as u64,
        min_bit_per_s: percentile(0),
        p05_bit_per_s: percentile(5),
        p25_bit_per_s: percentile(25),
        p50_bit_per_s: percentile(50),
        p75_bit_per_s: percentile(75),
        p95_bit_per_s: percentile(95),
        max_bit_per_s: percentile(100),
        cdf: cdf(&bytes)
            .into_iter()
            .map(|(bytes, share)| ThroughputPoint {
                throughput_bit_per_s: bit_per_s(bytes),
                share,
            })
            .collect(),
    })
}

/// Each distinct one of some rising values with the share at or below it or, of too many, so
/// many of them, evenly over their order, the first and the last among them.
fn cdf(rising: &[u64]) -> Vec<(u64, f64)> {
    let mut steps: Vec<(u64, f64)> = Vec::new();
    for (before, value) in rising.iter().enumerate() {
        let share = (before + 1) as f64 / rising.len() as f64;
        match steps.last_mut() {
            Some(last) if last.0 == *value => last.1 = share,
            _ => steps.push((*value, share)),
        }
    }
    if steps.len() <= CDF_POINTS {
        return steps;
    }
    let last = steps.len() - 1;
    let chosen = (0..CDF_POINTS).map(|nth| steps[nth * last / (CDF_POINTS - 1)]);
    chosen.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u64, bytes: u64, sent_ms: i64, arrived_ms: Option<i64>) -> DeliveredRange {
        DeliveredRange {
            start,
            end: start + bytes,
            sent_ns: sent_ms * MS,
            arrived_ns: arrived_ms.map(|at| at * MS),
            // Whatever they wait for then.
            available_ns: None,
        }
    }

    #[test]
    fn bytes_count_in_the_interval_in_which_they_arrive() {
        let ranges = [
            range(0, 100, 1_000, Some(1_050)),
            // None comes in the second interval, and two in the third.
            range(100, 300, 1_110, Some(1_299)),
            range(400, 300, 1_120, Some(1_299)),
            // In an interval that is not whole.
            range(700, 1_000, 1_130, Some(1_350)),
            range(1_700, 1_000, 1_140, None),
        ];
        let told = throughput(&ranges).per_100_ms.expect("three are whole");
        assert_eq!(told.intervals, 3);
        let told_bit_per_s = [told.min_bit_per_s, told.p50_bit_per_s, told.max_bit_per_s];
        assert_eq!(told_bit_per_s.map(|it| it as u64), [0, 8_000, 48_000]);
        let points = told.cdf.iter().map(|it| it.throughput_bit_per_s as u64);
        assert_eq!(points.collect::<Vec<_>>(), [0, 8_000, 48_000]);
        assert!((told.cdf[1].share - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(throughput(&ranges).per_2_s, None, "none is whole");
        assert_eq!(throughput(&[]), Throughput::default());
    }

    #[test]
    fn a_long_curve_keeps_its_ends() {
        let rising: Vec<u64> = (0..10_000).collect();
        let points = cdf(&rising);
        assert_eq!(points.len(), CDF_POINTS);
        assert_eq!(points[0], (0, 1e-4));
        assert_eq!(points[CDF_POINTS - 1], (9_999, 1.0));
        assert!(points.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1));
    }
}
