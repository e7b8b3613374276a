//! The guest's part of a live run: what the machine orders first.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::live_order::Order;
use lab_proto::guest::live_report::Report;
use lab_proto::guest::{LiveOrder, LiveReport};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use crate::engine::outlet::run;
use crate::engine::{demo, terminal};
use crate::fault::Fault;

/// What goes out.
pub type Reports = ReceiverStream<Result<LiveReport, Status>>;

/// Serves one run; dropping the stream ends it and all that belongs to it.
pub async fn serve(mut orders: Streaming<LiveOrder>) -> Result<Reports, Status> {
    let reports = match orders.next().await.transpose()?.and_then(|one| one.order) {
        Some(Order::Terminal(start)) => run(terminal::IN_FLIGHT, |reports| async move {
            Ok(terminal::inside::run(start, orders, &reports).await?)
        }),
        Some(Order::Demo(start)) => run(demo::inside::IN_FLIGHT, |reports| async move {
            Ok(demo::inside::run(start, orders, &reports).await?)
        }),
        _ => return Err(Fault::Invalid("the first order is a start".into()).into()),
    };
    Ok(ReceiverStream::new(reports))
}

/// As it goes out; `lane` says whose screen it is.
pub fn report_of(lane: u32, report: Report) -> LiveReport {
    LiveReport {
        report: Some(report),
        lane,
    }
}

/// As it goes out.
pub fn report(report: Report) -> LiveReport {
    report_of(0, report)
}
