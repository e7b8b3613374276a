//! A terminal while somebody types: keys to SSH, screens from it, at once and
//! one by one.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use lab_proto::guest::live_order::Order;
use lab_proto::guest::live_report::Report;
use lab_proto::guest::{LiveOrder, LiveReport, ScreenRead};
use lab_proto::{TerminalEnd, TerminalScreen};
use tokio::sync::mpsc::Permit;
use tokio::time::Instant;
use tonic::{Status, Streaming};

use super::line::Line;
use crate::clock::now_ns;
use crate::endpoint::ssh::{Ended, Ssh};
use crate::engine::captures::Captures;
use crate::engine::live::inside::report;
use crate::engine::outlet::{Outlet, gone};
use crate::engine::ticker::Ticker;
use crate::fault::{Doing, Outcome};

/// Between two looks into the rings when nothing else happens.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The terminal's line, and what was shown so far.
pub struct Pump {
    pub line: Line,
    pub screens: Vec<ScreenRead>,
}

/// A place for a report, and whatever there is to read.
type Readable<'a> = Permit<'a, Result<LiveReport, Status>>;

impl Pump {
    pub fn new(ssh: &Ssh) -> Outcome<Self> {
        Ok(Self {
            line: Line::new(ssh)?,
            screens: Vec::new(),
        })
    }

    /// Passes on what the editor drew before anybody typed.
    pub async fn show_first(
        &mut self,
        screen: Vec<u8>,
        reports: &Outlet<LiveReport>,
    ) -> Outcome<()> {
        let room = reports.reserve().await.map_err(|_| gone())?;
        self.show(room, screen);
        Ok(())
    }

    /// Until the editor, the caller or the limit ends it.
    pub async fn run(
        &mut self,
        ssh: &mut Ssh,
        captures: &mut Captures,
        orders: &mut Streaming<LiveOrder>,
        reports: &Outlet<LiveReport>,
        limit_ns: u64,
    ) -> Outcome<End> {
        let limit = tokio::time::sleep(Duration::from_nanos(limit_ns));
        let ended = ssh.ended();
        tokio::pin!(limit, ended);
        let mut look = looks();
        loop {
            tokio::select! {
                biased;
                order = orders.message(), if self.line.waiting() == 0 => {
                    match order.map_err(|_| gone())?.ok_or_else(gone)?.order {
                        Some(Order::Keys(keys)) => self.line.type_key(&keys)?,
                        Some(Order::Finish(_)) => return Ok(End::of(TerminalEnd::Finished)),
                        _ => {}
                    }
                }
                room = readable(&self.line, reports), if !self.line.has_hung_up() => self.read(room?)?,
                ended = &mut ended => return Ok(end(ended?)),
                () = &mut limit => return Ok(End::of(TerminalEnd::Limit)),
                room = self.line.writable(), if self.line.waiting() > 0 => {
                    room.doing("waiting for room in the terminal")?;
                    self.line.write()?;
                }
                () = look.tick() => {}
            }
            captures.drain()?;
        }
    }

    /// Passes on what the terminal has to show.
    fn read(&mut self, room: Readable<'_>) -> Outcome<()> {
        let screen = self.line.screen()?;
        self.show(room, screen);
        Ok(())
    }

    fn show(&mut self, room: Readable<'_>, data: Vec<u8>) {
        if data.is_empty() {
            return;
        }
        let at_ns = now_ns();
        let number = self.screens.len() as u32 + 1;
        self.screens.push(ScreenRead { number, at_ns });
        let screen = TerminalScreen {
            number,
            data,
            answers_key: self.line.answered(at_ns),
            at_ns,
        };
        room.send(Ok(report(Report::Screen(screen))));
    }
}

/// When to look into the rings.
pub fn looks() -> Ticker {
    Ticker::new(LOOK_EVERY, Instant::now())
}

/// Waits for something to read and for a place to put it: a caller who does not
/// read stops the editor, not the guest.
async fn readable<'a>(line: &Line, reports: &'a Outlet<LiveReport>) -> Outcome<Readable<'a>> {
    let room = reports.reserve().await.map_err(|_| gone())?;
    let readable = line.readable().await;
    readable.doing("watching the terminal").map(|()| room)
}

/// How a terminal ended.
pub struct End {
    pub kind: TerminalEnd,
    /// Where there is more to say.
    pub reason: String,
}

impl End {
    fn of(kind: TerminalEnd) -> Self {
        let reason = String::new();
        Self { kind, reason }
    }

    /// Whether SSH and the editor are still there.
    pub fn is_live(&self) -> bool {
        let by_itself = matches!(self.kind, TerminalEnd::Finished | TerminalEnd::Limit);
        by_itself && self.reason.is_empty()
    }
}

fn end(ended: Ended) -> End {
    let (kind, reason) = match ended {
        Ended::Left { status: 0 } => (TerminalEnd::EditorLeft, String::new()),
        Ended::Left { status } => (TerminalEnd::EditorLeft, format!("its status was {status}")),
        Ended::Lost { reason } => (TerminalEnd::ConnectionLost, reason),
        Ended::Limit { reason } => (TerminalEnd::Limit, reason),
    };
    End { kind, reason }
}
