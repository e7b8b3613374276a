//! When something has to happen, and whether it did then.
// SPDX-License-Identifier: Apache-2.0
use std::fmt::{self, Display, Formatter};

/// How long something at no certain time is waited for.
const LONGEST_NS: i64 = 120_000_000_000;

/// Nanoseconds from the script's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// At any time; waited for until then.
    Ever(i64),
    /// Not before, not after, and how far it may be off.
    At(i64, i64, i64),
}

impl Due {
    /// At any time from now on.
    pub fn ever(now_ns: i64) -> Self {
        Self::Ever(now_ns + LONGEST_NS)
    }

    /// At one moment.
    pub fn at(moment_ns: i64, tolerance_ns: i64) -> Self {
        Self::At(moment_ns, moment_ns, tolerance_ns)
    }

    /// The script's own time for it; `None`: any.
    pub fn beginning(self) -> Option<i64> {
        match self {
            Self::Ever(_) => None,
            Self::At(from, ..) => Some(from),
        }
    }

    /// After this it is too late.
    pub fn latest(self) -> i64 {
        match self {
            Self::Ever(latest) => latest,
            Self::At(_, to, tolerance) => to + tolerance,
        }
    }

    /// What is wrong with this moment.
    pub fn fault(self, moment_ns: i64) -> Option<&'static str> {
        if moment_ns > self.latest() {
            return Some("too late");
        }
        match self {
            Self::At(from, _, tolerance) if moment_ns < from - tolerance => Some("too early"),
            _ => None,
        }
    }
}

impl Display for Due {
    fn fmt(&self, to: &mut Formatter) -> fmt::Result {
        match *self {
            Self::Ever(_) => write!(to, "at any time"),
            Self::At(from, end, _) if from == end => write!(to, "at {}", seconds(from)),
            Self::At(from, end, _) => write!(to, "at {:.6}~{}", from as f64 / 1e9, seconds(end)),
        }
    }
}

/// With the unit.
pub fn seconds(ns: i64) -> String {
    format!("{:.6} s", ns as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tolerance_counts_at_both_ends_of_a_span() {
        let due = Due::At(100, 200, 10);
        for (moment, fault) in [
            (89, Some("too early")),
            (90, None),
            (210, None),
            (211, Some("too late")),
        ] {
            assert_eq!(due.fault(moment), fault, "{moment}");
        }
        assert_eq!(Due::ever(5).fault(6), None);
    }

    #[test]
    fn times_are_said_in_seconds() {
        assert_eq!(Due::at(1_500_000_000, 0).to_string(), "at 1.500000 s");
        let span = Due::At(300_000_000, 310_000_000, 0);
        assert_eq!(span.to_string(), "at 0.300000~0.310000 s");
    }
}
