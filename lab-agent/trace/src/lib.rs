//! Trace analysis: two captures of one connection to latencies and losses. Pure.
// SPDX-License-Identifier: Apache-2.0
#![forbid(unsafe_code)]

pub mod golden;
