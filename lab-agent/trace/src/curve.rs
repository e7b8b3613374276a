//! A distribution of samples that only ever come, told once all are there: sorted
//! runs, each at least twice the next one.
// SPDX-License-Identifier: Apache-2.0

use crate::distribution::{Distribution, Sample};

/// So many are sorted at once; more would not stay in the processor's cache.
const RUN_SAMPLES: usize = 8_192;

/// Samples so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    unsorted: Vec<Sample>,
    runs: Vec<Distribution>,
}

impl Curve {
    pub(crate) fn add(&mut self, sample: Sample) {
        self.unsorted.push(sample);
        if self.unsorted.len() == RUN_SAMPLES {
            self.sort();
        }
    }

    fn sort(&mut self) {
        let room = Vec::with_capacity(self.unsorted.len());
        let unsorted = std::mem::replace(&mut self.unsorted, room);
        let mut run = Distribution::of(unsorted);
        while let Some(last) = self.runs.pop_if(|last| last.steps() < 2 * run.steps()) {
            run = last.with(run);
        }
        self.runs.push(run);
    }

    /// All samples.
    pub(crate) fn whole(self) -> Distribution {
        let last = Distribution::of(self.unsorted);
        let runs = self.runs.into_iter().rev();
        runs.fold(last, Distribution::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::distribution;

    #[test]
    fn runs_tell_what_all_samples_at_once_would() {
        for (count, spread) in [(0, 1), (100, 7), (50_000, 500), (50_000, 1 << 40)] {
            let samples: Vec<Sample> = (0..count)
                .map(|n: i64| Sample {
                    latency_ns: n.wrapping_mul(0x5851_f42d_4c95_7f2d) % spread,
                    weight: n as u64 % 3,
                })
                .collect();
            let mut curve = Curve::default();
            for sample in &samples {
                curve.add(*sample);
            }
            assert_eq!(
                curve.whole().told(),
                distribution(samples),
                "{count} over {spread}"
            );
        }
    }

    #[test]
    fn equal_latencies_take_no_room() {
        let mut curve = Curve::default();
        for n in 0..1_000_000 {
            curve.add(Sample {
                latency_ns: 65_000_000 + n % 700 * 1_000,
                weight: 120,
            });
        }
        let steps: usize = curve.runs.iter().map(Distribution::steps).sum();
        assert!(steps <= 700, "{steps}");
    }
}
