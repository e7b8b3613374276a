//! The guest's part of a terminal: a lane, SSH over it, keys in, screens out,
//! and in the end everything that only the guest knows.
//!
//! The guest has one processor and its service one thread: nothing here waits
//! but for others, and whatever may (making a lane) has a thread of its own.
// SPDX-License-Identifier: Apache-2.0
mod leaving;
pub mod line;
mod pump;
mod rest;
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
use crate::engine::captures::Captures;
use crate::engine::outlet::{self, Outlet, first, send, stage};
use crate::engine::terminal::IN_FLIGHT;
use crate::fault::Outcome;
use crate::lane::{Lane, calm};
use crate::spool::SPOOL;
use crate::waiting::blocking;
use leaving::Leaving;
use pump::{Pump, looks, report};

/// What comes between two looks into a ring, many times over; fifty terminals
/// have a hundred rings, and a guest's memory is small.
const FRAMES: usize = 128;

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
    let (mut lane, mut captures) = blocking(move || {
        let lane = Lane::open(&calm)?;
        let captures = Captures::open(&lane, FRAMES, &folder)?;
        Ok((lane, captures))
    })
    .await?;
    send(reports, report(Report::Progress(stage("log in")))).await?;
    turns::wait().await;
    let mut ssh = log_in(&lane, &mut captures, &open).await?;
    let mut pump = Pump::new(&ssh)?;
    pump.show_first(ssh.first_screen(), reports).await?;
    rest::wait(&mut lane, &mut captures, &ssh).await?;
    let lane = blocking(move || {
        lane.change(&whole)?;
        Ok(lane)
    })
    .await?;
    let ready_ns = now_ns();
    let ready = TerminalReady {
        at_ns: ready_ns,
        ..TerminalReady::default()
    };
    send(reports, report(Report::Ready(ready))).await?;
    let end = pump
        .run(&mut ssh, &mut captures, &mut orders, reports, open.limit_ns)
        .await?;
    let left = Leaving {
        ssh,
        lane,
        captures,
        pump,
        end,
        ready_ns,
    };
    let left = left.leave(open.editor()).await?;
    send(reports, report(Report::Left(left))).await
}

async fn log_in(lane: &Lane, captures: &mut Captures, open: &TerminalOpen) -> Outcome<Ssh> {
    let task = Task {
        editor: open.editor().into(),
        text: open.text.clone(),
        columns: open.columns as u16,
        rows: open.rows as u16,
        limits: Limits::default(),
    };
    let opening = Ssh::open(lane, &task);
    tokio::pin!(opening);
    let mut look = looks();
    loop {
        tokio::select! {
            opened = &mut opening => return opened,
            () = look.tick() => captures.drain()?,
        }
    }
}
