//! Weighted latency samples to exact quantiles and a CDF, while samples come and
//! go.
//!
//! A quantile is the *nearest rank*: the smallest sample such that at least the
//! given share of all weight lies at or below it. It is always a sample that
//! occurred, never an interpolation, so that the same trace gives the same
//! bytes everywhere.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{CdfPoint, LatencyDistribution};

use crate::packed::Block;
use crate::radix;

/// Points of a CDF at most.
const CDF_POINTS: usize = 512;
/// Steps in a block at most: adding a sample packs so many anew.
const BLOCK_STEPS: usize = 256;

/// One latency, and how much it counts (bytes, or one message).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sample {
    /// The latency.
    pub latency_ns: i64,
    /// Bytes in a byte-weighted distribution, 1 in a per-message one.
    pub weight: u64,
}

/// The distribution of some latencies; all zero when there are none.
pub fn distribution(samples: Vec<Sample>) -> LatencyDistribution {
    Distribution::of(samples).told()
}

/// Samples in order, in blocks, so that one more costs little however many there
/// are. Equal latencies are one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distribution {
    /// Never empty ones.
    blocks: Vec<Block>,
    steps: usize,
    total: u64,
    sum: i128,
}

impl Distribution {
    pub(crate) fn of(mut samples: Vec<Sample>) -> Self {
        samples.retain(|sample| sample.weight > 0);
        radix::sort(&mut samples);
        samples.dedup_by(|sample, before| {
            let equal = sample.latency_ns == before.latency_ns;
            if equal {
                before.weight += sample.weight;
            }
            equal
        });
        let mut whole = Self::default();
        for step in &samples {
            whole.count(*step);
        }
        whole.steps = samples.len();
        whole.blocks = samples.chunks(BLOCK_STEPS).map(Block::of).collect();
        whole
    }

    /// Distinct latencies.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// The samples of both.
    pub(crate) fn with(self, other: Self) -> Self {
        if self.steps == 0 || other.steps == 0 {
            return if self.steps == 0 { other } else { self };
        }
        let mut whole = Self {
            total: self.total + other.total,
            sum: self.sum + other.sum,
            ..Self::default()
        };
        let mut block = Vec::with_capacity(BLOCK_STEPS);
        let (mut ones, mut others) = (self.iter(), other.iter());
        let mut next = (ones.next(), others.next());
        loop {
            let (mut step, is_one) = match next {
                (Some(one), Some(other)) if other.latency_ns < one.latency_ns => (other, false),
                (Some(one), _) => (one, true),
                (None, Some(other)) => (other, false),
                (None, None) => break,
            };
            if is_one {
                next.0 = ones.next();
                if let Some(other) = next.1.filter(|it| it.latency_ns == step.latency_ns) {
                    step.weight += other.weight;
                    next.1 = others.next();
                }
            } else {
                next.1 = others.next();
            }
            block.push(step);
            if block.len() == BLOCK_STEPS {
                whole.push(&block);
                block.clear();
            }
        }
        whole.push(&block);
        whole
    }

    /// Steps behind all others.
    fn push(&mut self, steps: &[Sample]) {
        self.steps += steps.len();
        if !steps.is_empty() {
            self.blocks.push(Block::of(steps));
        }
    }

    fn iter(&self) -> impl Iterator<Item = Sample> + '_ {
        self.blocks.iter().flat_map(Block::steps)
    }

    fn count(&mut self, sample: Sample) {
        self.total += sample.weight;
        self.sum += i128::from(sample.latency_ns) * i128::from(sample.weight);
    }

    pub(crate) fn add(&mut self, sample: Sample) {
        if sample.weight == 0 {
            return;
        }
        self.count(sample);
        let at = self.block_of(sample.latency_ns);
        let Some(block) = self.blocks.get_mut(at) else {
            self.steps = 1;
            self.blocks.push(Block::of(&[sample]));
            return;
        };
        let mut steps = block.unpacked();
        match find(&steps, sample.latency_ns) {
            Ok(step) => steps[step].weight += sample.weight,
            Err(step) => {
                steps.insert(step, sample);
                self.steps += 1;
            }
        }
        if steps.len() > BLOCK_STEPS {
            let (below, above) = steps.split_at(steps.len() / 2);
            *block = Block::of(below);
            self.blocks.insert(at + 1, Block::of(above));
        } else {
            *block = Block::of(&steps);
        }
    }

    /// Takes back what was added.
    pub(crate) fn remove(&mut self, sample: Sample) {
        if sample.weight == 0 {
            return;
        }
        let at = self.block_of(sample.latency_ns);
        let mut steps = self.blocks[at].unpacked();
        let step = find(&steps, sample.latency_ns).expect("only what was added is removed");
        self.total -= sample.weight;
        self.sum -= i128::from(sample.latency_ns) * i128::from(sample.weight);
        steps[step].weight -= sample.weight;
        if steps[step].weight == 0 {
            steps.remove(step);
            self.steps -= 1;
        }
        if steps.is_empty() {
            self.blocks.remove(at);
        } else {
            self.blocks[at] = Block::of(&steps);
        }
    }

    /// The block that holds a latency, or would.
    fn block_of(&self, latency_ns: i64) -> usize {
        let above = self
            .blocks
            .partition_point(|block| block.first_ns <= latency_ns);
        above.saturating_sub(1)
    }

    pub(crate) fn minimum_ns(&self) -> Option<i64> {
        self.blocks.first().map(|block| block.first_ns)
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The weight of all samples above a latency.
    pub(crate) fn above(&self, latency_ns: i64) -> u64 {
        let mut above = 0;
        for block in self.blocks.iter().rev() {
            if block.first_ns > latency_ns {
                above += block.weight;
                continue;
            }
            let later = block.steps().filter(|step| step.latency_ns > latency_ns);
            return above + later.map(|step| step.weight).sum::<u64>();
        }
        above
    }

    /// In the contract's terms; all zero when there are no samples.
    pub(crate) fn told(&self) -> LatencyDistribution {
        let ranks = Ranks::new(self);
        let Some((first, last)) = ranks.ends() else {
            return LatencyDistribution::default();
        };
        let permille = |share| us(ranks.nearest(share).latency_ns);
        LatencyDistribution {
            samples: self.total,
            min_us: us(first.latency_ns),
            mean_us: self.sum as f64 / self.total as f64 / 1_000.0,
            p50_us: permille(500),
            p90_us: permille(900),
            p95_us: permille(950),
            p98_us: permille(980),
            p99_us: permille(990),
            p999_us: permille(999),
            max_us: us(last.latency_ns),
            cdf: ranks.cdf(),
        }
    }
}

fn find(steps: &[Sample], latency_ns: i64) -> Result<usize, usize> {
    steps.binary_search_by_key(&latency_ns, |step| step.latency_ns)
}

fn us(latency_ns: i64) -> f64 {
    latency_ns as f64 / 1_000.0
}

/// A distinct latency and the weight at or below it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    latency_ns: i64,
    cumulative: u64,
}

/// The steps by the weight at or below them.
struct Ranks<'a> {
    of: &'a Distribution,
    /// The weight up to the end of each block.
    until: Vec<u64>,
}

impl<'a> Ranks<'a> {
    fn new(of: &'a Distribution) -> Self {
        let mut until = 0;
        let blocks = of.blocks.iter().map(|block| {
            until += block.weight;
            until
        });
        Self {
            of,
            until: blocks.collect(),
        }
    }

    fn steps_of(&self, block: usize) -> impl Iterator<Item = Step> + '_ {
        let mut cumulative = block.checked_sub(1).map_or(0, |before| self.until[before]);
        self.of.blocks[block].steps().map(move |step| {
            cumulative += step.weight;
            Step {
                latency_ns: step.latency_ns,
                cumulative,
            }
        })
    }

    fn ends(&self) -> Option<(Step, Step)> {
        let last = self.of.blocks.len().checked_sub(1)?;
        self.steps_of(0).next().zip(self.steps_of(last).last())
    }

    /// The first step that holds so much that `too_little` is no longer true of
    /// it, or the last one.
    fn reach(&self, too_little: impl Fn(u64) -> bool) -> Step {
        let block = self.until.partition_point(|until| too_little(*until));
        let block = block.min(self.until.len() - 1);
        let mut steps = self.steps_of(block);
        let mut reached = steps.next().expect("no block is empty");
        for step in steps {
            if !too_little(reached.cumulative) {
                break;
            }
            reached = step;
        }
        reached
    }

    /// In integers: no share of a byte is rounded away.
    fn nearest(&self, permille: u64) -> Step {
        let rank = (u128::from(self.of.total) * u128::from(permille)).div_ceil(1_000);
        self.reach(|cumulative| u128::from(cumulative) < rank)
    }

    /// All steps or, of too many, the first, the last, and those in between that
    /// half of them spread evenly over the share and half ever closer to its end:
    /// the tail is what thin streams are about.
    fn cdf(&self) -> Vec<CdfPoint> {
        let total = self.of.total;
        let point = |step: Step| CdfPoint {
            latency_us: us(step.latency_ns),
            share: step.cumulative as f64 / total as f64,
        };
        if self.of.steps <= CDF_POINTS {
            let blocks = 0..self.of.blocks.len();
            return blocks
                .flat_map(|block| self.steps_of(block))
                .map(point)
                .collect();
        }
        let half = CDF_POINTS / 2 - 1;
        let reach = |missing: f64| {
            let wanted = total as f64 * (1.0 - missing);
            self.reach(|cumulative| (cumulative as f64) < wanted)
        };
        let evenly = (1..=half).map(|n| reach(1.0 - n as f64 / (half + 1) as f64));
        let towards_the_end =
            (1..=half).map(|n| reach((total as f64).powf(-(n as f64) / half as f64)));
        let mut chosen: Vec<Step> = evenly
            .chain(towards_the_end)
            .chain(
                self.ends()
                    .into_iter()
                    .flat_map(|(first, last)| [first, last]),
            )
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen.into_iter().map(point).collect()
    }
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
