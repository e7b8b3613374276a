//! A take while it runs: messages out when they are due, messages in at once,
//! changes, and news of all of it.
// SPDX-License-Identifier: Apache-2.0
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use lab_proto::guest::live_order::Order;
use lab_proto::guest::live_report::Report;
use lab_proto::guest::{DemoPassages, DemoPulse, DemoSockets, LiveOrder, LiveReport};
use lab_proto::{DemoChange, LaneSpec, TerminalKeys};
use tokio::time::{Instant, sleep_until};
use tonic::Streaming;

use super::application::Application;
use super::change::Changes;
use super::lanes::Lanes;
use super::news::News;
use super::packets::Packets;
use super::schedule::Schedule;
use super::standstill::Standstill;
use crate::clock::now_ns;
use crate::engine::live::inside::{report, report_of};
use crate::engine::outlet::{Outlet, gone};
use crate::fault::Outcome;
use crate::lane::damages;

/// One read at most; more than comes at a time.
const READ_BYTES: usize = 64 << 10;
/// What a round tells of one lane: its messages, the packets of its two ends.
const REPORTS_A_LANE: usize = 3;
/// And of all together: the sockets, the pulse.
const REPORTS_OF_ALL: usize = 2;

/// What the service's thread has of a lane.
pub struct Side {
    pub packets: Packets,
    /// None once it was closed.
    pub application: Option<Application>,
    /// Why its connection is dead.
    pub broken: Option<String>,
}

impl Side {
    pub fn new(packets: Packets, application: Application) -> Self {
        Self {
            packets,
            application: Some(application),
            broken: None,
        }
    }

    /// Its path may be this one from now on. What damages packets may have some under way for
    /// a while after it is gone.
    pub fn may_meet(&mut self, spec: &LaneSpec) {
        if let (true, Some(Application::Stream(stream))) = (damages(spec), &mut self.application) {
            stream.may_change();
        }
    }

    /// What runs over it, while its connection lives.
    fn live(&mut self) -> Option<&mut Application> {
        let live = self.broken.is_none();
        self.application.as_mut().filter(|_| live)
    }
}

/// See the module.
pub struct Take {
    pub lanes: Lanes,
    pub sides: Vec<Side>,
    pub changes: Changes,
    schedule: Schedule,
    standstill: Standstill,
    news: News,
    buffer: Vec<u8>,
}

impl Take {
    pub fn new(lanes: Lanes, sides: Vec<Side>) -> Self {
        Self {
            changes: Changes::new(lanes.clone()),
            lanes,
            sides,
            schedule: Schedule::default(),
            standstill: Standstill::new(),
            news: News::new(),
            buffer: vec![0; READ_BYTES],
        }
    }

    /// Until the caller stops it or a connection dies; gives the reason, which
    /// is empty when it was stopped.
    pub async fn run(
        &mut self,
        orders: &mut Streaming<LiveOrder>,
        reports: &Outlet<LiveReport>,
    ) -> Outcome<String> {
        self.standstill.begin();
        loop {
            let room = self.schedule.has_room() && self.changes.has_room() && self.news.has_room();
            let order = async {
                if room {
                    orders.message().await
                } else {
                    std::future::pending().await
                }
            };
            if let Some(order) = self.turn(order, reports).await? {
                let order = order.map_err(|_| gone())?.ok_or_else(gone)?.order;
                match order {
                    Some(Order::Write(write)) => self.schedule.push(write)?,
                    Some(Order::Change(change)) => self.change(change),
                    Some(Order::Keys(keys)) => self.type_key(&keys),
                    Some(Order::Finish(_)) => break,
                    _ => {}
                }
            }
            if let Some(reason) = self.broken() {
                self.schedule.clear();
                return Ok(reason);
            }
        }
        self.schedule.clear();
        Ok(String::new())
    }

    /// Which lane's connection is dead, and why.
    fn broken(&self) -> Option<String> {
        let broken = self.sides.iter().enumerate();
        broken
            .filter_map(|(number, side)| Some((number, side.broken.as_ref()?)))
            .map(|(number, why)| format!("lane {number}: {why}"))
            .next()
    }

    /// Waits for the next thing that happens, `other` among them, and does what
    /// there is to do.
    pub async fn turn<T>(
        &mut self,
        other: impl Future<Output = T>,
        reports: &Outlet<LiveReport>,
    ) -> Outcome<Option<T>> {
        let due = self.schedule.next_ns().map(instant);
        let due = async {
            match due {
                Some(due) => sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        let shows = self.news.has_room();
        let sides = &mut self.sides;
        let ready = poll_fn(|context| {
            let mut ready = false;
            for application in sides.iter_mut().filter_map(Side::live) {
                ready |= application.poll_ready(context, shows).is_ready();
            }
            if ready {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        });
        let mut happened = None;
        // What is bounded by time comes first, so that nothing starves it.
        tokio::select! {
            biased;
            () = sleep_until(self.news.next()) => self.tell(reports)?,
            () = due => {}
            other = other => happened = Some(other),
            changed = self.changes.done() => self.news.event(report(Report::Changed(changed?))),
            () = ready => {}
        }
        self.work();
        Ok(happened)
    }

    /// Reads what came, writes what is due.
    fn work(&mut self) {
        let (buffer, news) = (&mut self.buffer, &mut self.news);
        let standstill = &mut self.standstill;
        for_all(&mut self.sides, |lane, application| {
            let shown = application.work(buffer, standstill, news.has_room())?;
            if let Some(screen) = shown {
                news.event(report_of(lane, Report::Screen(screen)));
            }
            Ok(())
        });
        while let Some(due) = self.schedule.pop(standstill.now_ns()) {
            let at_ns = standstill.now_ns();
            for_all(&mut self.sides, |_, application| match application {
                Application::Stream(stream) => stream.write(&due, at_ns, standstill),
                Application::Terminal(_) => Ok(()),
            });
        }
        let mut live = self.sides.iter_mut().filter_map(Side::live);
        if live.any(Application::has_news) {
            self.news.soon();
        }
    }

    fn change(&mut self, change: DemoChange) {
        for one in &change.lanes {
            if let (Some(spec), Some(side)) = (&one.spec, self.sides.get_mut(one.lane as usize)) {
                side.may_meet(spec);
            }
        }
        self.changes.push(change);
    }

    fn type_key(&mut self, keys: &TerminalKeys) {
        for_all(&mut self.sides, |_, application| match application {
            Application::Terminal(terminal) => terminal.type_key(keys),
            Application::Stream(_) => Ok(()),
        });
    }

    /// Tells what happened, as far as it is time to, and the caller has room.
    pub fn tell(&mut self, reports: &Outlet<LiveReport>) -> Outcome<()> {
        let most = self.sides.len() * REPORTS_A_LANE + REPORTS_OF_ALL;
        let Some(mut round) = self.news.begin(reports, most)? else {
            return Ok(());
        };
        for passages in passages(&mut self.sides) {
            round.tell(Report::Passages(passages));
        }
        if round.packets {
            for (number, side) in self.sides.iter_mut().enumerate() {
                for packets in side.packets.take(number as u32)? {
                    round.tell(Report::Packets(packets));
                }
            }
        }
        if round.sockets {
            round.tell(Report::Sockets(self.sockets()));
        }
        // The last of a round: all that was read before is told.
        self.standstill.now_ns();
        round.tell(Report::Pulse(DemoPulse {
            until_ns: self.standstill.known_until_ns(),
            standstills: self.standstill.times(),
            stood_still_ns: self.standstill.total_ns(),
        }));
        Ok(())
    }

    /// What happened and was not told, packets aside: of a take that has come to rest there is no
    /// further round, and on a busy machine the last one is long ago.
    pub fn untold(&mut self) -> Vec<LiveReport> {
        let mut untold = self.news.take_events();
        untold.extend(passages(&mut self.sides).map(|it| report(Report::Passages(it))));
        untold
    }

    fn sockets(&self) -> DemoSockets {
        let lanes = self.sides.iter().map(|side| {
            let at_ns = now_ns();
            let application = side.application.as_ref();
            let state = application.and_then(|it| it.state(at_ns).ok());
            state.unwrap_or_default()
        });
        DemoSockets {
            lanes: lanes.collect(),
        }
    }
}

/// What the lanes' applications did since this was last asked.
fn passages(sides: &mut [Side]) -> impl Iterator<Item = DemoPassages> {
    (0..).zip(sides).filter_map(|(number, side)| {
        let application = side.application.as_mut()?;
        application.take_news(number)
    })
}

/// Does the same with everything that lives, and notes what dies of it.
fn for_all(sides: &mut [Side], mut work: impl FnMut(u32, &mut Application) -> Outcome<()>) {
    for (number, side) in sides.iter_mut().enumerate() {
        let worked = side.live().map(|it| work(number as u32, it));
        if let Some(Err(fault)) = worked {
            side.broken = Some(fault.to_string());
        }
    }
}

/// The runtime's name of an instant of the clock.
fn instant(at_ns: u64) -> Instant {
    Instant::now() + Duration::from_nanos(at_ns.saturating_sub(now_ns()))
}
