//! The kernel's monotonic clock; in a guest it is virtual.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result};
use rustix::time::{ClockId, Timespec, clock_gettime};

/// Nanoseconds since some instant in the past.
pub fn now_ns() -> i64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// A span as the kernel takes it; nothing below zero.
pub fn span(ns: i64) -> Timespec {
    let ns = ns.max(0);
    Timespec {
        tv_sec: ns / 1_000_000_000,
        tv_nsec: ns % 1_000_000_000,
    }
}

/// What to ask `poll` to wait so that it is not over after `ns`: the kernel may
/// wake a poller late by a thousandth of the time, to save power. The rest of
/// the time is waited for in a second, shorter call.
pub fn within(ns: i64) -> Timespec {
    span(ns - ns / 500)
}

/// Asks the kernel to wake this thread without its usual slack of 50 µs.
pub fn wake_exactly() -> Result<()> {
    rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1))
        .context("asking for exact timers")
}
