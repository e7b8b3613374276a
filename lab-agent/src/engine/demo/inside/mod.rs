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

use lab_proto::guest::demo_order::Order;
use lab_proto::guest::demo_report::Report;
use lab_proto::guest::{DemoOrder, DemoReport, DemoStart, DemoStarted};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use crate::clock::now_ns;
use crate::engine::outlet::{self, Outlet, first, send};
use crate::fault::Outcome;
use news::report;

/// What goes out.
pub type Reports = ReceiverStream<Result<DemoReport, Status>>;

/// Reports that may wait on the way: some rounds of four lanes' news, a few
/// hundred milliseconds.
const IN_FLIGHT: usize = 256;

/// Serves one take; dropping the stream ends it and all that belongs to it.
pub fn serve(mut orders: Streaming<DemoOrder>) -> Reports {
    ReceiverStream::new(outlet::run(IN_FLIGHT, |reports| async move {
        let start = first(&mut orders, "start", |order| match order.order {
            Some(Order::Start(start)) => Some(start),
            _ => None,
        });
        Ok(run(start.await?, orders, &reports).await?)
    }))
}

async fn run(
    start: DemoStart,
    mut orders: Streaming<DemoOrder>,
    reports: &Outlet<DemoReport>,
) -> Outcome<()> {
    let mut take = opening::open(start, reports).await?;
    let started = DemoStarted { at_ns: now_ns() };
    send(reports, report(Report::Started(started))).await?;
    let reason = take.run(&mut orders, reports).await?;
    let left = leaving::leave(take, reason, reports).await?;
    send(reports, report(Report::Left(left))).await
}
