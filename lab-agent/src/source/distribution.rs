//! Numbers drawn from what a stream's description says: its sizes, gaps, bursts
//! and pauses.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::distribution::Kind;
use lab_proto::{Distribution, EmpiricalRow, ParetoDistribution};

use crate::fault::{Outcome, invalid};
use crate::random::SplitMix;

/// A distribution that was checked.
pub struct Drawing<'a>(&'a Kind);

impl<'a> Drawing<'a> {
    /// Checks a distribution; `field` is its place in the request.
    ///
    /// # Errors
    /// `Invalid`, naming the field and the remedy.
    pub fn new(distribution: Option<&'a Distribution>, field: &str) -> Outcome<Self> {
        let Some(kind) = distribution.and_then(|one| one.kind.as_ref()) else {
            return invalid(format!(
                "{field} is not set: give constant, uniform, exponential, pareto or empirical"
            ));
        };
        match complaint(kind) {
            None => Ok(Self(kind)),
            Some(what) => invalid(format!("{field}.{what}")),
        }
    }

    /// The next number: finite and not negative.
    pub fn draw(&self, random: &mut SplitMix) -> f64 {
        match self.0 {
            Kind::Constant(value) => *value,
            Kind::Uniform(range) => between(range.lowest, range.highest, random),
            Kind::Exponential(mean) => random.exponential(*mean),
            Kind::Pareto(pareto) => draw_pareto(*pareto, random),
            Kind::Empirical(table) => {
                let row = row_at(&table.rows, random.uniform());
                match row.highest {
                    None => row.lowest,
                    Some(highest) => between(row.lowest, highest, random),
                }
            }
        }
    }
}

fn between(lowest: f64, highest: f64, random: &mut SplitMix) -> f64 {
    lowest + random.uniform() * (highest - lowest)
}

/// By the inverse of the (bounded) distribution function.
fn draw_pareto(pareto: ParetoDistribution, random: &mut SplitMix) -> f64 {
    let beyond = if pareto.highest > 0.0 {
        (pareto.lowest / pareto.highest).powf(pareto.shape)
    } else {
        0.0
    };
    let left = 1.0 - random.uniform() * (1.0 - beyond);
    pareto.lowest * left.powf(-1.0 / pareto.shape)
}

/// The row that the share of all weights falls into.
fn row_at(rows: &[EmpiricalRow], share: f64) -> &EmpiricalRow {
    let mut rest = share * rows.iter().map(|row| row.weight).sum::<f64>();
    for row in rows {
        rest -= row.weight;
        if rest < 0.0 {
            return row;
        }
    }
    // Sums of fractions are not exact: the last one that has any weight.
    let mut likely = rows.iter().rev().filter(|row| row.weight > 0.0);
    likely.next().unwrap_or(&rows[0])
}

/// What does not fit, beginning with the field below the distribution.
fn complaint(kind: &Kind) -> Option<String> {
    let number = |value: f64| value.is_finite() && value >= 0.0;
    match kind {
        Kind::Constant(value) if !number(*value) => {
            Some("constant must be a number, not below 0".into())
        }
        Kind::Exponential(mean) if !(number(*mean) && *mean > 0.0) => {
            Some("exponential is a mean: give a number above 0".into())
        }
        Kind::Uniform(range) if !range_holds(range.lowest, range.highest) => {
            Some("uniform needs lowest and highest, not below 0, in this order".into())
        }
        Kind::Pareto(pareto) => {
            let bounded = pareto.highest == 0.0 || range_holds(pareto.lowest, pareto.highest);
            let shape = number(pareto.shape) && pareto.shape > 0.0;
            let lowest = number(pareto.lowest) && pareto.lowest > 0.0;
            (!(bounded && shape && lowest)).then(|| {
                "pareto needs lowest and shape above 0, and highest 0 or not below lowest".into()
            })
        }
        Kind::Empirical(table) => {
            let holds = |row: &EmpiricalRow| {
                number(row.weight) && range_holds(row.lowest, row.highest.unwrap_or(row.lowest))
            };
            if let Some(at) = table.rows.iter().position(|row| !holds(row)) {
                return Some(format!(
                    "empirical.rows[{at}] needs a weight and a lowest value, not below 0, and a \
                     highest not below that"
                ));
            }
            let all: f64 = table.rows.iter().map(|row| row.weight).sum();
            (!(all > 0.0 && all.is_finite()))
                .then(|| "empirical.rows have no weight together: give one a weight".into())
        }
        _ => None,
    }
}

fn range_holds(lowest: f64, highest: f64) -> bool {
    highest.is_finite() && 0.0 <= lowest && lowest <= highest
}

#[cfg(test)]
mod tests {
    use lab_proto::{EmpiricalDistribution, UniformDistribution};

    use super::*;

    const DRAWS: usize = 100_000;

    fn drawn(kind: Kind) -> Vec<f64> {
        let distribution = Distribution { kind: Some(kind) };
        let drawing = Drawing::new(Some(&distribution), "gap_us").unwrap();
        let mut random = SplitMix(5);
        let mut draws: Vec<f64> = (0..DRAWS).map(|_| drawing.draw(&mut random)).collect();
        draws.sort_by(f64::total_cmp);
        draws
    }

    fn mean(draws: &[f64]) -> f64 {
        draws.iter().sum::<f64>() / draws.len() as f64
    }

    fn row(weight: f64, lowest: f64, highest: Option<f64>) -> EmpiricalRow {
        EmpiricalRow {
            weight,
            lowest,
            highest,
        }
    }

    #[test]
    fn a_uniform_number_fills_its_range() {
        let draws = drawn(Kind::Uniform(UniformDistribution {
            lowest: 10.0,
            highest: 30.0,
        }));
        assert!(draws[0] >= 10.0 && draws[DRAWS - 1] < 30.0);
        // Five standard deviations of the mean.
        assert!((mean(&draws) - 20.0).abs() < 5.0 * 20.0 / 12f64.sqrt() / (DRAWS as f64).sqrt());
    }

    /// The median of a bounded Pareto distribution, by its own formula, and the
    /// bound itself.
    #[test]
    fn a_pareto_number_has_its_median_and_stays_below_its_bound() {
        let pareto = ParetoDistribution {
            lowest: 1000.0,
            shape: 1.1,
            highest: 64e6,
        };
        let draws = drawn(Kind::Pareto(pareto));
        assert!(draws[0] >= 1000.0 && draws[DRAWS - 1] <= 64e6);
        let beyond = (1000.0f64 / 64e6).powf(1.1);
        let median = 1000.0 * (1.0 - 0.5 * (1.0 - beyond)).powf(-1.0 / 1.1);
        let off = draws[DRAWS / 2] / median - 1.0;
        assert!(off.abs() < 0.02, "{off}");
    }

    #[test]
    fn a_table_gives_its_values_and_ranges_as_often_as_they_weigh() {
        let draws = drawn(Kind::Empirical(EmpiricalDistribution {
            rows: vec![
                row(3.0, 5.0, None),
                row(0.0, 7.0, None),
                row(1.0, 10.0, Some(20.0)),
            ],
        }));
        let fives = draws.iter().filter(|&&draw| draw < 6.0).count() as f64 / DRAWS as f64;
        assert!((fives - 0.75).abs() < 5.0 * (0.75f64 * 0.25 / DRAWS as f64).sqrt());
        assert!(!draws.contains(&7.0));
        let above: Vec<f64> = draws.iter().copied().filter(|&draw| draw > 5.0).collect();
        assert!(above[0] >= 10.0 && above[above.len() - 1] < 20.0);
        assert!((mean(&above) - 15.0).abs() < 0.2);
    }

    #[test]
    fn what_cannot_be_drawn_from_is_refused_by_name() {
        let table = |rows| Kind::Empirical(EmpiricalDistribution { rows });
        for (kind, says) in [
            (Kind::Constant(f64::NAN), "gap_us.constant"),
            (Kind::Constant(-1.0), "gap_us.constant"),
            (Kind::Exponential(0.0), "gap_us.exponential"),
            (Kind::Exponential(f64::INFINITY), "gap_us.exponential"),
            (
                Kind::Uniform(UniformDistribution {
                    lowest: 2.0,
                    highest: 1.0,
                }),
                "gap_us.uniform",
            ),
            (Kind::Pareto(ParetoDistribution::default()), "gap_us.pareto"),
            (table(vec![]), "gap_us.empirical.rows have no weight"),
            (
                table(vec![row(0.0, 1.0, None)]),
                "gap_us.empirical.rows have no weight",
            ),
            (
                table(vec![row(1.0, 1.0, None), row(1.0, 2.0, Some(1.0))]),
                "gap_us.empirical.rows[1]",
            ),
            (
                table(vec![row(f64::MAX, 1.0, None), row(f64::MAX, 1.0, None)]),
                "gap_us.empirical.rows have no weight",
            ),
        ] {
            let distribution = Distribution { kind: Some(kind) };
            let fault = Drawing::new(Some(&distribution), "gap_us").err().unwrap();
            assert!(fault.to_string().starts_with(says), "{fault}");
        }
        let unset = Drawing::new(Some(&Distribution { kind: None }), "gap_us");
        assert!(unset.err().unwrap().to_string().contains("is not set"));
    }
}
