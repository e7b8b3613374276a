//! Values to places on paper, and the ticks between.
// SPDX-License-Identifier: Apache-2.0

use crate::markup::Grouped;

/// A scale from one place to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Smallest value.
    pub from: f64,
    /// Largest.
    pub until: f64,
    /// Where the smallest is.
    pub start: f64,
    /// Where the largest is.
    pub end: f64,
    /// Whether equal ratios are equally far apart.
    pub is_log: bool,
}

impl Axis {
    /// A linear one, never without extent.
    pub(crate) fn linear(from: f64, until: f64, start: f64, end: f64) -> Self {
        let until = if until > from { until } else { from + 1.0 };
        Self {
            from,
            until,
            start,
            end,
            is_log: false,
        }
    }

    /// A logarithmic one; `from` is above zero.
    pub(crate) fn log(from: f64, until: f64, start: f64, end: f64) -> Self {
        let until = if until > from { until } else { from * 10.0 };
        Self {
            is_log: true,
            ..Self::linear(from, until, start, end)
        }
    }

    /// Logarithmic only where most of a linear one would show nothing. With some
    /// room at both ends.
    pub(crate) fn of_latencies(min_ms: f64, max_ms: f64, start: f64, end: f64) -> Self {
        if min_ms > 0.0 && max_ms / min_ms > 20.0 {
            return Self::log(min_ms / 1.15, max_ms * 1.15, start, end);
        }
        let margin = ((max_ms - min_ms) * 0.04)
            .max(max_ms.abs() * 0.01)
            .max(0.01);
        Self::linear(min_ms - margin, max_ms + margin, start, end)
    }

    /// Where a value is.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(f64::MIN_POSITIVE) / self.from).ln() / (self.until / self.from).ln()
        } else {
            (value - self.from) / (self.until - self.from)
        };
        self.start + share * (self.end - self.start)
    }

    /// Round values within it, about `count`, with their labels.
    pub(crate) fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        if self.is_log {
            return self.log_ticks();
        }
        let rough = (self.until - self.from) / count.max(1) as f64;
        let magnitude = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|round| round * magnitude)
            .into_iter()
            .find(|step| *step >= rough * 0.999)
            .unwrap_or(rough);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.from / step).ceil() as i64;
        let last = (self.until / step * (1.0 + 1e-12)).floor() as i64;
        (first..=last)
            .map(|n| (n as f64 * step, number(n as f64 * step, decimals)))
            .collect()
    }

    fn log_ticks(&self) -> Vec<(f64, String)> {
        let decades = (self.until / self.from).log10();
        let rounds: &[f64] = if decades > 2.0 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        let exponents = self.from.log10().floor() as i32..=self.until.log10().ceil() as i32;
        let every = (decades / 7.0).ceil().max(1.0) as i32;
        exponents
            .filter(|exponent| exponent.rem_euclid(every) == 0)
            .flat_map(|exponent| rounds.iter().map(move |round| (exponent, round)))
            .map(|(exponent, round)| {
                let value = round * 10_f64.powi(exponent);
                (value, number(value, (-exponent).max(0) as usize))
            })
            .filter(|(value, _)| (self.from..=self.until * 1.000_001).contains(value))
            .collect()
    }
}

fn number(value: f64, decimals: usize) -> String {
    if decimals == 0 && value.abs() >= 10_000.0 {
        let sign = if value < 0.0 { "−" } else { "" };
        return format!("{sign}{}", Grouped(value.abs().round() as u64));
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|it| "0.".contains(it)) => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn labels(axis: Axis) -> Vec<String> {
        axis.ticks(5).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_within() {
        let axis = Axis::linear(-0.1, 8.4, 0.0, 100.0);
        assert_eq!(labels(axis), ["0", "2", "4", "6", "8"]);
        let axis = Axis::linear(0.0, 0.021, 0.0, 100.0);
        assert_eq!(labels(axis), ["0.000", "0.005", "0.010", "0.015", "0.020"]);
        let axis = Axis::log(65.0, 22_000.0, 0.0, 100.0);
        assert_eq!(labels(axis), ["100", "1000", "10\u{202f}000"]);
        let axis = Axis::log(1e-5, 1.0, 0.0, 100.0);
        assert_eq!(axis.ticks(5).len(), 6);
    }

    #[test]
    fn values_have_their_place() {
        let axis = Axis::log(1.0, 100.0, 50.0, 0.0);
        assert!((axis.at(10.0) - 25.0).abs() < 1e-9);
        let axis = Axis::linear(5.0, 5.0, 0.0, 10.0);
        assert!(axis.at(5.0).is_finite(), "a single value has a place");
    }
}
