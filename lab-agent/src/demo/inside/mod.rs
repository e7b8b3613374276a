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

use std::pin::Pin;

use lab_proto::guest::demo_order::Order;
use lab_proto::guest::demo_report::Report;
use lab_proto::guest::{DemoOrder, DemoReport, DemoStart, DemoStarted};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use crate::fault::{Fault, Outcome};
use crate::stream::clock::now_ns;

/// What goes out.
pub type Reports = Pin<Box<dyn Stream<Item = Result<DemoReport, Status>> + Send>>;
type Outlet = Sender<Result<DemoReport, Status>>;

/// Reports that may wait on the way: some rounds of four lanes' news, a few
/// hundred milliseconds.
const IN_FLIGHT: usize = 256;

/// Serves one take; dropping the stream ends it and all that belongs to it.
pub fn serve(orders: Streaming<DemoOrder>) -> Reports {
    let (reports, receiver) = channel(IN_FLIGHT);
    tokio::spawn(async move {
        tokio::select! {
            () = reports.closed() => {}
            ran = run(orders, &reports) => if let Err(fault) = ran {
                // Nobody listens when the caller has gone.
                let _ = reports.send(Err(fault.into())).await;
            }
        }
    });
    Box::pin(ReceiverStream::new(receiver))
}

async fn run(mut orders: Streaming<DemoOrder>, reports: &Outlet) -> Outcome<()> {
    let start = first(&mut orders).await?;
    let mut take = opening::open(start, reports).await?;
    let started = DemoStarted { at_ns: now_ns() };
    send(reports, Report::Started(started)).await?;
    let reason = take.run(&mut orders, reports).await?;
    let left = leaving::leave(take, reason, reports).await?;
    send(reports, Report::Left(left)).await
}

async fn first(orders: &mut Streaming<DemoOrder>) -> Outcome<DemoStart> {
    let order = orders.message().await.ok().flatten();
    match order.and_then(|order| order.order) {
        Some(Order::Start(start)) => Ok(start),
        _ => Err(Fault::Invalid("the first order has to be `start`".into())),
    }
}

async fn send(reports: &Outlet, report: Report) -> Outcome<()> {
    let sent = reports.send(Ok(wrapped(report))).await;
    sent.map_err(|_| gone())
}

fn wrapped(report: Report) -> DemoReport {
    DemoReport {
        report: Some(report),
    }
}

fn gone() -> Fault {
    Fault::Failed("the caller went away".into())
}
