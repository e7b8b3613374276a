//! The guest's part of a terminal: a lane, SSH over it, keys in, screens out,
//! and in the end everything that only the guest knows.
//!
//! The guest has one processor and its service one thread: nothing here waits
//! but for others, and whatever may (making a lane) has a thread of its own.
// SPDX-License-Identifier: Apache-2.0
mod ends;
mod leaving;
pub mod line;
mod pump;
mod turns;

use std::path::Path;
use std::pin::Pin;

use lab_proto::guest::terminal_order::Order;
use lab_proto::guest::terminal_report::Report;
use lab_proto::guest::{TerminalOrder, TerminalReport, TerminalStart};
use lab_proto::{Editor, SessionProgress, TerminalOpen, TerminalReady};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use super::IN_FLIGHT;
use crate::fault::{Fault, Outcome};
use crate::guest::SPOOL;
use crate::guest::waiting::blocking;
use crate::lane::calm;
use crate::stream::clock::now_ns;
use crate::stream::ssh::{self, Ssh, Task};
use ends::Ends;
use leaving::Leaving;
use pump::Pump;

/// What goes out.
pub type Reports = Pin<Box<dyn Stream<Item = Result<TerminalReport, Status>> + Send>>;

/// Serves one terminal; dropping the stream ends it and all that belongs to it.
pub fn serve(orders: Streaming<TerminalOrder>) -> Reports {
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

async fn run(mut orders: Streaming<TerminalOrder>, reports: &Outlet) -> Outcome<()> {
    let start = first(&mut orders).await?;
    let open = start.open.unwrap_or_default();
    let whole = open.lane.clone().unwrap_or_default();
    stage(reports, "lane").await?;
    let folder = Path::new(SPOOL).join(&start.folder);
    let calm = calm(&whole);
    let mut ends = blocking(move || Ends::open(&calm, &folder)).await?;
    stage(reports, "log in").await?;
    turns::wait().await;
    let mut ssh = log_in(&mut ends, &open).await?;
    let mut pump = Pump::new(&ssh)?;
    pump.show_first(ssh.first_screen(), reports).await?;
    ends.come_to_rest(&ssh).await?;
    let mut ends = blocking(move || ends.change(&whole)).await?;
    let ready_ns = now_ns();
    let ready = TerminalReady {
        at_ns: ready_ns,
        ..TerminalReady::default()
    };
    send(reports, Report::Ready(ready)).await?;
    let end = pump
        .run(&mut ssh, &mut ends, &mut orders, reports, open.limit_ns)
        .await?;
    let left = Leaving {
        ssh,
        ends,
        pump,
        end,
        ready_ns,
    };
    let left = left.leave(open.editor()).await?;
    send(reports, Report::Left(left)).await
}

type Outlet = Sender<Result<TerminalReport, Status>>;

async fn first(orders: &mut Streaming<TerminalOrder>) -> Outcome<TerminalStart> {
    let order = orders.message().await.ok().flatten();
    match order.and_then(|order| order.order) {
        Some(Order::Start(start)) => Ok(start),
        _ => Err(Fault::Invalid("the first order has to be `start`".into())),
    }
}

async fn log_in(ends: &mut Ends, open: &TerminalOpen) -> Outcome<Ssh> {
    let task = Task {
        editor: match open.editor() {
            Editor::Vi => ssh::Editor::Vi,
            Editor::Nano | Editor::Unspecified => ssh::Editor::Nano,
        },
        text: open.text.clone(),
        columns: open.columns as u16,
        rows: open.rows as u16,
        limits: ssh::Limits::default(),
    };
    let Ends { lane, captures, .. } = ends;
    let opening = Ssh::open(lane, &task);
    tokio::pin!(opening);
    let mut look = ends::looks();
    loop {
        tokio::select! {
            opened = &mut opening => return opened,
            _ = look.tick() => captures.iter_mut().try_for_each(crate::capture::Capture::drain)?,
        }
    }
}

async fn stage(reports: &Outlet, stage: &str) -> Outcome<()> {
    let progress = SessionProgress {
        stage: stage.into(),
        share: 0.0,
    };
    send(reports, Report::Progress(progress)).await
}

async fn send(reports: &Outlet, report: Report) -> Outcome<()> {
    let report = TerminalReport {
        report: Some(report),
    };
    let sent = reports.send(Ok(report)).await;
    sent.map_err(|_| Fault::Failed("the caller went away".into()))
}
