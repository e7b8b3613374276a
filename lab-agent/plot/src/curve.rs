//! Complete latency curves: every latency that occurred, not the contract's
//! selection of points.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::Write as _;

use thinlab_trace::{Analysis, Sample};

/// What counts as one sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Each byte of the stream, as in the papers.
    Byte,
    /// Each message: what people feel.
    Message,
}

/// A cumulative distribution: at each latency that occurred, the weight at or
/// below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    /// Latency and cumulative weight, both rising.
    steps: Vec<(i64, u64)>,
}

/// A stream's curves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latencies {
    /// First transmission to first arrival.
    pub transport: Curve,
    /// First transmission to availability in order.
    pub application: Curve,
    /// Write to availability in order; none when nobody knows the writes.
    pub sojourn: Option<Curve>,
}

impl Curve {
    /// Of samples in any order.
    pub fn of(samples: impl IntoIterator<Item = Sample>) -> Self {
        let mut samples: Vec<Sample> = samples.into_iter().collect();
        samples.sort_unstable();
        let mut curve = Self::default();
        let mut cumulative = 0;
        for sample in samples.iter().filter(|sample| sample.weight > 0) {
            cumulative += sample.weight;
            match curve.steps.last_mut() {
                Some(last) if last.0 == sample.latency_ns => last.1 = cumulative,
                _ => curve.steps.push((sample.latency_ns, cumulative)),
            }
        }
        curve
    }

    /// Latency (ns) and the weight at or below it, both rising.
    pub fn steps(&self) -> &[(i64, u64)] {
        &self.steps
    }

    /// The weight of all samples.
    pub fn total(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.1)
    }

    /// The smallest latency.
    pub fn min_ns(&self) -> Option<i64> {
        self.steps.first().map(|step| step.0)
    }

    /// The largest.
    pub fn max_ns(&self) -> Option<i64> {
        self.steps.last().map(|step| step.0)
    }

    /// The nearest rank: the smallest latency such that at least
    /// `part` ÷ `whole` of all weight lies at or below it.
    pub fn quantile(&self, part: u64, whole: u64) -> Option<i64> {
        let rank = (u128::from(self.total()) * u128::from(part)).div_ceil(u128::from(whole));
        let at = self.steps.partition_point(|step| u128::from(step.1) < rank);
        self.steps.get(at).map(|step| step.0)
    }

    /// As text: a line per latency, in milliseconds, and the share at or below
    /// it, behind a comment that names the columns.
    pub fn text(&self) -> String {
        let total = self.total();
        let mut out = format!("# latency_ms share ({total} samples)\n");
        for (latency_ns, cumulative) in &self.steps {
            let sign = if *latency_ns < 0 { "-" } else { "" };
            let ns = latency_ns.unsigned_abs();
            let share = *cumulative as f64 / total as f64;
            let (ms, rest) = (ns / 1_000_000, ns % 1_000_000);
            let _ = writeln!(out, "{sign}{ms}.{rest:06} {share}");
        }
        out
    }
}

impl Latencies {
    /// Of a stream, from its captures.
    pub fn of(analysis: &Analysis, weight: Weight) -> Self {
        let curve = |until: Until| match weight {
            Weight::Byte => Curve::of(analysis.ranges.iter().filter_map(|range| {
                let until_ns = match until {
                    Until::Arrived => range.arrived_ns,
                    Until::Available => range.available_ns,
                };
                Some(Sample {
                    latency_ns: until_ns? - range.sent_ns,
                    weight: range.end - range.start,
                })
            })),
            Weight::Message => Curve::of(analysis.messages.iter().filter_map(|message| {
                let latency_ns = match until {
                    Until::Arrived => message.transport_ns(),
                    Until::Available => message.application_ns(),
                }?;
                let weight = 1;
                Some(Sample { latency_ns, weight })
            })),
        };
        Self {
            transport: curve(Until::Arrived),
            application: curve(Until::Available),
            sojourn: None,
        }
    }

    /// With the time in the sender, of messages of which the application wrote the
    /// nth at `written_ns[n]`, on the sender's clock.
    #[must_use]
    pub fn with_writes(mut self, analysis: &Analysis, weight: Weight, written_ns: &[i64]) -> Self {
        let messages = analysis.messages.iter().zip(written_ns);
        let sojourn = messages.filter_map(|(message, written_ns)| {
            Some(Sample {
                latency_ns: message.available_ns? - written_ns,
                weight: match weight {
                    Weight::Byte => message.end - message.start,
                    Weight::Message => 1,
                },
            })
        });
        self.sojourn = Some(Curve::of(sojourn));
        self
    }

    /// The curves there are, by name.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &Curve)> {
        let known = [
            ("transport", &self.transport),
            ("application", &self.application),
        ];
        let sojourn = self.sojourn.iter().map(|sojourn| ("sojourn", sojourn));
        known.into_iter().chain(sojourn)
    }
}

#[derive(Clone, Copy)]
enum Until {
    Arrived,
    Available,
}

#[cfg(test)]
mod tests {
    use super::{Curve, Sample};

    fn curve(samples: &[(i64, u64)]) -> Curve {
        let sample = |(latency_ns, weight): &(i64, u64)| Sample {
            latency_ns: *latency_ns,
            weight: *weight,
        };
        Curve::of(samples.iter().map(sample))
    }

    #[test]
    fn quantiles_are_nearest_ranks_by_weight() {
        let curve = curve(&[(30, 1), (10, 50), (20, 40), (20, 9), (5, 0)]);
        assert_eq!(curve.steps(), [(10, 50), (20, 99), (30, 100)]);
        let told = [1, 50, 51, 99, 100].map(|percent| curve.quantile(percent, 100).unwrap());
        assert_eq!(told, [10, 10, 20, 20, 30]);
        assert_eq!(super::Curve::default().quantile(1, 2), None);
    }

    #[test]
    fn text_is_exact() {
        let curve = curve(&[(65_000_001, 3), (-1_500_000, 1)]);
        let text = "# latency_ms share (4 samples)\n-1.500000 0.25\n65.000001 1\n";
        assert_eq!(curve.text(), text);
    }
}
