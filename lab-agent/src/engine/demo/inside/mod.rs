//! The guest's part of a take: lanes, connections over them, messages out and
//! in, changes, and reports of all that happens.
//!
//! The guest has one processor and its service one thread: nothing here waits
//! but for others, and whatever may (making and changing lanes) has a thread of
//! its own. A caller who does not read makes nothing here grow: the rings fill,
//! which is counted, and in the end the take is given up.
// SPDX-License-Identifier: Apache-2.0
mod application;
mod change;
mod inbox;
mod lanes;
mod leaving;
mod news;
mod opening;
mod packets;
mod rest;
mod schedule;
pub mod standstill;
mod stream;
mod take;
mod terminal;

use lab_proto::LiveReady;
use lab_proto::guest::live_report::Report;
use lab_proto::guest::{DemoStart, LiveOrder, LiveReport};
use tonic::Streaming;

use crate::clock::now_ns;
use crate::engine::live::inside::report;
use crate::engine::outlet::{Outlet, send};
use crate::fault::Outcome;

/// Reports that may wait on the way: some rounds of four lanes' news, a few
/// hundred milliseconds.
pub const IN_FLIGHT: usize = 256;

/// Runs one take; dropped, it ends with all that belongs to it.
pub async fn run(
    start: DemoStart,
    mut orders: Streaming<LiveOrder>,
    reports: &Outlet<LiveReport>,
) -> Outcome<()> {
    let mut take = opening::open(start, reports).await?;
    let ready = LiveReady {
        at_ns: now_ns(),
        ..LiveReady::default()
    };
    send(reports, report(Report::Ready(ready))).await?;
    let reason = take.run(&mut orders, reports).await?;
    let left = leaving::leave(take, reason, reports).await?;
    send(reports, report(Report::Demo(left))).await
}
