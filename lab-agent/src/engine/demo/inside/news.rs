//! What happened and was not told yet, and when to tell it.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use lab_proto::guest::LiveReport;
use lab_proto::guest::live_report::Report;
use tokio::sync::mpsc::Permit;
use tokio::time::Instant;
use tonic::Status;

use super::standstill::LOOK_EVERY;
use crate::engine::live::inside as live;
use crate::engine::outlet::Outlet;
use crate::engine::ticker::Ticker;
use crate::fault::{Fault, Outcome};

/// What somebody hears or sees next is told within this.
const SOON: Duration = Duration::from_millis(5);
/// What is drawn is told within this.
const PACKETS_EVERY: Duration = Duration::from_millis(40);
const SOCKETS_EVERY: Duration = Duration::from_millis(100);
/// Until a caller who takes nothing is asked again, and given up.
const AGAIN: Duration = Duration::from_millis(5);
const PATIENCE: Duration = Duration::from_secs(15);
/// More wait only while the caller is behind: screens and changes wait, too.
const MOST_EVENTS: usize = 32;

/// See the module.
pub struct News {
    next: Instant,
    packets: Ticker,
    sockets: Ticker,
    /// Since when the caller has taken nothing.
    stuck: Option<Instant>,
    /// Told in order, before all else.
    events: Vec<LiveReport>,
}

/// What is to be told in a round.
pub struct Round<'a> {
    pub packets: bool,
    pub sockets: bool,
    room: Vec<Permit<'a, Result<LiveReport, Status>>>,
}

impl Round<'_> {
    /// Tells one thing.
    pub fn tell(&mut self, report: Report) {
        self.pass_on(live::report(report));
    }

    fn pass_on(&mut self, report: LiveReport) {
        let room = self.room.pop().expect("a round has room for all");
        room.send(Ok(report));
    }
}

impl News {
    pub fn new() -> Self {
        let now = Instant::now();
        Self {
            next: now,
            packets: Ticker::new(PACKETS_EVERY, now),
            sockets: Ticker::new(SOCKETS_EVERY, now),
            stuck: None,
            events: Vec::new(),
        }
    }

    /// When to tell next.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// Something is to be told soon.
    pub fn soon(&mut self) {
        self.next = self.next.min(Instant::now() + SOON);
    }

    /// Something is to be told at once.
    pub fn event(&mut self, report: LiveReport) {
        self.events.push(report);
        self.next = Instant::now();
    }

    /// Events that were not told yet.
    pub fn take_events(&mut self) -> Vec<LiveReport> {
        std::mem::take(&mut self.events)
    }

    /// Whether one more event may be.
    pub fn has_room(&self) -> bool {
        self.events.len() < MOST_EVENTS
    }

    /// Begins a round that tells at most so many things beside the events;
    /// none when the caller is behind.
    ///
    /// # Errors
    /// `Failed` when the caller has been behind for long.
    pub fn begin<'a>(
        &mut self,
        reports: &'a Outlet<LiveReport>,
        most: usize,
    ) -> Outcome<Option<Round<'a>>> {
        let now = Instant::now();
        let Ok(room) = reports.try_reserve_many(most + self.events.len()) else {
            let since = *self.stuck.get_or_insert(now);
            if now - since > PATIENCE {
                return Err(Fault::Failed(format!(
                    "the caller has read nothing for {PATIENCE:?}"
                )));
            }
            self.next = now + AGAIN;
            return Ok(None);
        };
        self.stuck = None;
        let mut round = Round {
            packets: self.packets.is_due(now),
            sockets: self.sockets.is_due(now),
            room: room.collect(),
        };
        for event in self.events.drain(..) {
            round.pass_on(event);
        }
        let drawn = self.packets.next().min(self.sockets.next());
        self.next = drawn.min(now + LOOK_EVERY);
        Ok(Some(round))
    }
}
