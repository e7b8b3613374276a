//! The beginning of a take: lanes that are calm, connections over them, and
//! then, all at once, what was asked for. So every lane's first packets are the
//! same, and its randomness begins with the stream.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::live_report::Report;
use lab_proto::guest::{DemoStart, LiveReport};
use lab_proto::{LaneSpec, TerminalTask};
use tokio::task::JoinHandle;

use super::application::Application;
use super::lanes::{Lanes, of_lane};
use super::packets::Packets;
use super::rest;
use super::stream::Stream;
use super::take::{Side, Take};
use super::terminal::Terminal;
use crate::endpoint::connection::{Connection, Which, close_at_once};
use crate::engine::live::inside::report;
use crate::engine::outlet::{Outlet, send, stage};
use crate::engine::rest::CALM_LIMIT;
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::{Lane, calm};
use crate::waiting::blocking;

/// Opens a take that the agent outside has checked; it runs from the return on.
pub async fn open(start: DemoStart, reports: &Outlet<LiveReport>) -> Outcome<Take> {
    send(reports, report(Report::Progress(stage("lane")))).await?;
    // Side by side: each waits for round trips of its own.
    let opening = start.lanes.iter().enumerate().map(|(number, whole)| {
        let spec = calm(whole);
        tokio::spawn(blocking(move || {
            Opened::open(&spec).map_err(|fault| of_lane(number, fault))
        }))
    });
    let opened = all(opening.collect()).await?;
    if start.terminal.is_some() {
        send(reports, report(Report::Progress(stage("log in")))).await?;
    }
    let connecting = opened.into_iter().map(|opened| {
        let terminal = start.terminal.clone();
        tokio::spawn(opened.connect(terminal))
    });
    let mut take = put_together(all(connecting.collect()).await?)?;
    let restless = rest::wait(&mut take, reports, CALM_LIMIT).await?;
    if let Some(number) = restless.first() {
        let why = take.sides[*number].broken.take();
        return Err(Fault::Failed(format!(
            "lane {number} did not come to rest after its connection was opened{}",
            why.map(|why| format!(": {why}")).unwrap_or_default()
        )));
    }
    let (lanes, whole) = (take.lanes.clone(), start.lanes);
    for (side, spec) in take.sides.iter_mut().zip(&whole) {
        side.may_meet(spec);
    }
    let whole: Vec<_> = whole.into_iter().enumerate().collect();
    blocking(move || lanes.change(&whole)).await?;
    Ok(take)
}

/// A lane that is calm, and what passes it.
struct Opened {
    lane: Lane,
    packets: Packets,
}

impl Opened {
    fn open(spec: &LaneSpec) -> Outcome<Self> {
        let lane = Lane::open(spec)?;
        let packets = Packets::open(&lane)?;
        Ok(Self { lane, packets })
    }

    async fn connect(self, terminal: Option<TerminalTask>) -> Outcome<Connected> {
        if let Some(wanted) = terminal {
            let terminal = Terminal::open(&self.lane, &wanted).await?;
            return Ok((self, Application::Terminal(Box::new(terminal))));
        }
        let (opened, connection) = blocking(move || {
            let connection = Connection::open(&self.lane, Which::default())?;
            Ok((self, connection))
        })
        .await?;
        Ok((
            opened,
            Application::Stream(Box::new(Stream::new(connection)?)),
        ))
    }
}

type Connected = (Opened, Application);

fn put_together(connected: Vec<Connected>) -> Outcome<Take> {
    let (mut lanes, mut sides) = (Vec::new(), Vec::new());
    for (mut opened, application) in connected {
        let mut ends = Vec::new();
        for socket in application.sockets() {
            close_at_once(socket)?;
            ends.push(socket.try_clone_to_owned().doing("copying a socket")?);
        }
        opened.lane.connected(ends);
        lanes.push(opened.lane);
        sides.push(Side::new(opened.packets, application));
    }
    Ok(Take::new(Lanes::new(lanes), sides))
}

/// Waits for all; those that are left are given up when one fails.
async fn all<T: Send + 'static>(begun: Vec<JoinHandle<Outcome<T>>>) -> Outcome<Vec<T>> {
    struct GiveUp<T>(Vec<JoinHandle<Outcome<T>>>);
    impl<T> Drop for GiveUp<T> {
        fn drop(&mut self) {
            self.0.iter().for_each(JoinHandle::abort);
        }
    }
    let mut begun = GiveUp(begun);
    let mut done = Vec::new();
    for one in &mut begun.0 {
        let ended = one.await;
        done.push(ended.map_err(|error| Fault::Failed(format!("{error} while opening")))??);
    }
    Ok(done)
}
