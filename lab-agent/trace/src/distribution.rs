//! Weighted latency samples to exact quantiles and a CDF.
//!
//! A quantile is the *nearest rank*: the smallest sample such that at least the
//! given share of all weight lies at or below it. It is always a sample that
//! occurred, never an interpolation, so that the same trace gives the same
//! bytes everywhere.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{CdfPoint, LatencyDistribution};

/// Points of a CDF at most.
const CDF_POINTS: usize = 512;

/// One latency, and how much it counts (bytes, or one message).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sample {
    /// The latency.
    pub latency_ns: i64,
    /// Bytes in a byte-weighted distribution, 1 in a per-message one.
    pub weight: u64,
}

/// A distinct latency and the weight at or below it.
#[derive(Clone, Copy)]
struct Step {
    latency_ns: i64,
    cumulative: u64,
}

/// The distribution of some latencies; all zero when there are none.
pub fn distribution(mut samples: Vec<Sample>) -> LatencyDistribution {
    samples.retain(|sample| sample.weight > 0);
    samples.sort_unstable();
    let mut steps: Vec<Step> = Vec::new();
    let (mut total, mut sum) = (0_u64, 0_i128);
    for sample in &samples {
        total += sample.weight;
        sum += i128::from(sample.latency_ns) * i128::from(sample.weight);
        match steps.last_mut() {
            Some(last) if last.latency_ns == sample.latency_ns => last.cumulative = total,
            _ => steps.push(Step {
                latency_ns: sample.latency_ns,
                cumulative: total,
            }),
        }
    }
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return LatencyDistribution::default();
    };
    let permille = |share| us(nearest_rank(&steps, share));
    LatencyDistribution {
        samples: total,
        min_us: us(first.latency_ns),
        mean_us: sum as f64 / total as f64 / 1_000.0,
        p50_us: permille(500),
        p90_us: permille(900),
        p95_us: permille(950),
        p98_us: permille(980),
        p99_us: permille(990),
        p999_us: permille(999),
        max_us: us(last.latency_ns),
        cdf: cdf(&steps),
    }
}

fn us(latency_ns: i64) -> f64 {
    latency_ns as f64 / 1_000.0
}

/// In integers: no share of a byte is rounded away.
fn nearest_rank(steps: &[Step], permille: u64) -> i64 {
    let total = steps.last().map_or(0, |step| step.cumulative);
    let rank = (u128::from(total) * u128::from(permille)).div_ceil(1_000);
    let at = steps.partition_point(|step| u128::from(step.cumulative) < rank);
    steps[at.min(steps.len() - 1)].latency_ns
}

/// All steps or, of too many, the first, the last, and those in between that
/// half of them spread evenly over the share and half ever closer to its end:
/// the tail is what thin streams are about.
fn cdf(steps: &[Step]) -> Vec<CdfPoint> {
    let total = steps.last().map_or(0, |step| step.cumulative);
    let point = |at: usize| CdfPoint {
        latency_us: us(steps[at].latency_ns),
        share: steps[at].cumulative as f64 / total as f64,
    };
    if steps.len() <= CDF_POINTS {
        return (0..steps.len()).map(point).collect();
    }
    let half = CDF_POINTS / 2 - 1;
    let reach = |missing: f64| {
        let wanted = total as f64 * (1.0 - missing);
        steps
            .partition_point(|step| (step.cumulative as f64) < wanted)
            .min(steps.len() - 1)
    };
    let evenly = (1..=half).map(|n| reach(1.0 - n as f64 / (half + 1) as f64));
    let towards_the_end = (1..=half).map(|n| reach((total as f64).powf(-(n as f64) / half as f64)));
    let mut chosen: Vec<usize> = evenly
        .chain(towards_the_end)
        .chain([0, steps.len() - 1])
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(point).collect()
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact by definition")]
mod tests {
    use super::{Sample, distribution};

    fn weighted(samples: &[(i64, u64)]) -> Vec<Sample> {
        let sample = |(latency_us, weight): &(i64, u64)| Sample {
            latency_ns: latency_us * 1_000,
            weight: *weight,
        };
        samples.iter().map(sample).collect()
    }

    #[test]
    fn quantiles_are_nearest_ranks_by_weight() {
        let told = distribution(weighted(&[(30, 1), (10, 50), (20, 49)]));
        assert_eq!((told.samples, told.min_us, told.max_us), (100, 10.0, 30.0));
        assert_eq!(told.p50_us, 10.0, "exactly half is at or below 10");
        assert_eq!(told.p90_us, 20.0);
        assert_eq!(told.p99_us, 20.0, "99 of 100 are at or below 20");
        assert_eq!(told.p999_us, 30.0);
        assert_eq!(told.mean_us, (30.0 + 500.0 + 980.0) / 100.0);
        let points: Vec<(f64, f64)> = told.cdf.iter().map(|p| (p.latency_us, p.share)).collect();
        assert_eq!(points, [(10.0, 0.5), (20.0, 0.99), (30.0, 1.0)]);
    }

    #[test]
    fn many_samples_keep_first_last_and_the_tail() {
        let samples: Vec<(i64, u64)> = (1..=100_000).map(|latency| (latency, 1)).collect();
        let cdf = distribution(weighted(&samples)).cdf;
        assert!(cdf.len() <= 512 && cdf.len() > 400, "{}", cdf.len());
        assert_eq!((cdf[0].latency_us, cdf[0].share), (1.0, 1e-5));
        let last = cdf.last().expect("points");
        assert_eq!((last.latency_us, last.share), (100_000.0, 1.0));
        assert!(cdf.iter().filter(|point| point.share > 0.999).count() > 50);
        assert!(
            cdf.iter()
                .all(|point| point.share == point.latency_us / 100_000.0),
            "on the curve"
        );
    }

    #[test]
    fn nothing_gives_zeros() {
        assert_eq!(distribution(vec![]).samples, 0);
        assert!(distribution(weighted(&[(5, 0)])).cdf.is_empty());
    }
}
