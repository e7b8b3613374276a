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

use lab_proto::guest::terminal_order::Order;
use lab_proto::guest::terminal_report::Report;
use lab_proto::guest::{TerminalOrder, TerminalReport, TerminalStart};
use lab_proto::{TerminalOpen, TerminalReady};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use crate::clock::now_ns;
use crate::endpoint::ssh::{Limits, Ssh, Task};
use crate::engine::outlet::{self, Outlet, first, send, stage};
use crate::engine::terminal::IN_FLIGHT;
use crate::fault::Outcome;
use crate::lane::calm;
use crate::spool::SPOOL;
use crate::waiting::blocking;
use ends::Ends;
use leaving::Leaving;
use pump::{Pump, report};

/// What goes out.
pub type Reports = ReceiverStream<Result<TerminalReport, Status>>;

/// Serves one terminal; dropping the stream ends it and all that belongs to it.
pub fn serve(mut orders: Streaming<TerminalOrder>) -> Reports {
    ReceiverStream::new(outlet::run(IN_FLIGHT, |reports| async move {
        let start = first(&mut orders, "start", |order| match order.order {
            Some(Order::Start(start)) => Some(start),
            _ => None,
        });
        Ok(run(start.await?, orders, &reports).await?)
    }))
}

async fn run(
    start: TerminalStart,
    mut orders: Streaming<TerminalOrder>,
    reports: &Outlet<TerminalReport>,
) -> Outcome<()> {
    let open = start.open.unwrap_or_default();
    let whole = open.lane.clone().unwrap_or_default();
    send(reports, report(Report::Progress(stage("lane")))).await?;
    let folder = Path::new(SPOOL).join(&start.folder);
    let calm = calm(&whole);
    let mut ends = blocking(move || Ends::open(&calm, &folder)).await?;
    send(reports, report(Report::Progress(stage("log in")))).await?;
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
    send(reports, report(Report::Ready(ready))).await?;
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
    send(reports, report(Report::Left(left))).await
}

async fn log_in(ends: &mut Ends, open: &TerminalOpen) -> Outcome<Ssh> {
    let task = Task {
        editor: open.editor().into(),
        text: open.text.clone(),
        columns: open.columns as u16,
        rows: open.rows as u16,
        limits: Limits::default(),
    };
    let Ends { lane, captures, .. } = ends;
    let opening = Ssh::open(lane, &task);
    tokio::pin!(opening);
    let mut look = ends::looks();
    loop {
        tokio::select! {
            opened = &mut opening => return opened,
            () = look.tick() => captures.drain()?,
        }
    }
}
