//! The limits that a lane's path and its transport share, and how a breach is worded.
// SPDX-License-Identifier: Apache-2.0
use std::fmt::Display;

use crate::fault::{Outcome, invalid};

/// An hour: netem keeps 64-bit nanoseconds, people do not wait longer.
pub(super) const LONGEST_DELAY_US: u64 = 3_600_000_000;

pub(super) fn at_most<N: Copy + PartialOrd + Display>(
    name: &str,
    value: N,
    most: N,
    zero: &str,
) -> Outcome<()> {
    if value <= most {
        return Ok(());
    }
    invalid(format!("{name} must be at most {most}; 0 is {zero}"))
}

pub(super) fn share(name: &str, share: f64) -> Outcome<()> {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    invalid(format!(
        "{name} is {share} and must be a share from 0 to 1 (5 % is 0.05)"
    ))
}
