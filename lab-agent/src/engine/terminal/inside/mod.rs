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

use lab_proto::guest::live_report::Report;
use lab_proto::guest::{LiveOrder, LiveReport, TerminalStart};
use lab_proto::{LiveReady, TerminalTask};
use tonic::Streaming;

use crate::clock::now_ns;
use crate::endpoint::ssh::{Limits, Ssh, Task};
use crate::engine::captures::Captures;
use crate::engine::live::inside::report;
use crate::engine::outlet::{Outlet, send, stage};
use crate::fault::Outcome;
use crate::lane::{Lane, calm};
use crate::spool::SPOOL;
use crate::waiting::blocking;
use leaving::Leaving;
use pump::{Pump, looks};

/// What comes between two looks into a ring, many times over; fifty terminals
/// have a hundred rings, and a guest's memory is small.
const FRAMES: usize = 128;

/// Runs one terminal; dropped, it ends with all that belongs to it.
pub async fn run(
    start: TerminalStart,
    mut orders: Streaming<LiveOrder>,
    reports: &Outlet<LiveReport>,
) -> Outcome<()> {
    let open = start.open.unwrap_or_default();
    let whole = open.lane.unwrap_or_default();
    let task = open.task.unwrap_or_default();
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
    let mut ssh = log_in(&lane, &mut captures, &task).await?;
    let mut pump = Pump::new(&ssh)?;
    pump.show_first(ssh.first_screen(), reports).await?;
    rest::wait(&mut lane, &mut captures, &ssh).await?;
    let lane = blocking(move || {
        lane.change(&whole)?;
        Ok(lane)
    })
    .await?;
    let ready_ns = now_ns();
    let ready = LiveReady {
        at_ns: ready_ns,
        ..LiveReady::default()
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
    let left = left.leave(task.editor()).await?;
    send(reports, report(Report::Terminal(left))).await
}

async fn log_in(lane: &Lane, captures: &mut Captures, task: &TerminalTask) -> Outcome<Ssh> {
    let task = Task::new(task, Limits::default());
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
