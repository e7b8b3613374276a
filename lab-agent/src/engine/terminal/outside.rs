//! The machine's part of a terminal: between the caller and the guest, at once
//! in both directions, and the working out when it is over.
// SPDX-License-Identifier: Apache-2.0
use std::sync::{Arc, Mutex, MutexGuard};

use lab_proto::guest::live_order::Order;
use lab_proto::guest::live_report::Report;
use lab_proto::guest::{LiveOrder, LiveReport, TerminalLeft, TerminalStart};
use lab_proto::live_event::Event;
use lab_proto::live_input::Input;
use lab_proto::{LiveEvent, LiveInput, LiveReady, TerminalOpen, TerminalResult, TerminalScreen};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tonic::{Status, Streaming};

use super::measure::{self, Outside};
use super::{IN_FLIGHT, check};
use crate::boot::{CaptureFiles, CaptureFolder, Comparison, Host, Pool, RealGuest};
use crate::clock::now_ns;
use crate::engine::files::capture_chunks;
use crate::engine::live::outside::{Events, misplaced};
use crate::engine::outlet::{self, Outlet, send, stage};
use crate::fault::Fault;
use crate::punctual::at_leisure;

/// Runs one terminal on the guest with the least to do. Ends with the inputs'
/// caller, or when nobody takes events any more.
pub fn run(
    host: Arc<Host>,
    open: TerminalOpen,
    inputs: impl Stream<Item = Result<LiveInput, Status>> + Send + Unpin + 'static,
) -> Events {
    outlet::run(IN_FLIGHT, |events| async move {
        whole(&host, open, inputs, &events).await
    })
}

async fn whole(
    host: &Host,
    open: TerminalOpen,
    inputs: impl Stream<Item = Result<LiveInput, Status>> + Send + Unpin,
    events: &Outlet<LiveEvent>,
) -> Result<(), Status> {
    let pool = host.real()?;
    check::open(&open)?;
    pool.expect_terminals()?;
    let guest = pool.least_busy().await?;
    let _use = guest.engage();
    let terminal = Terminal::open(pool, &guest, open).await?;
    let left = terminal.pass_on(inputs, events).await?;
    let (result, captures) = terminal.finish(left, events).await?;
    send(events, event(Event::Terminal(result))).await?;
    for chunk in capture_chunks(&captures) {
        send(events, event(Event::File(chunk))).await?;
    }
    Ok(())
}

/// A terminal that runs in a guest.
struct Terminal<'a> {
    pool: &'a Pool,
    guest: &'a RealGuest,
    open: TerminalOpen,
    folder: CaptureFolder,
    orders: Sender<LiveOrder>,
    reports: tokio::sync::Mutex<Streaming<LiveReport>>,
    clock: Comparison,
    outside: Mutex<Outside>,
}

impl<'a> Terminal<'a> {
    async fn open(
        pool: &'a Pool,
        guest: &'a RealGuest,
        open: TerminalOpen,
    ) -> Result<Self, Status> {
        let folder = guest.captures()?;
        let (orders, receiver) = channel(IN_FLIGHT);
        let start = TerminalStart {
            open: Some(open.clone()),
            folder: folder.name().into(),
        };
        let _ = orders.try_send(order(Order::Terminal(start)));
        let mut calls = guest.calls();
        let reports = guest
            .answer(calls.run_live(ReceiverStream::new(receiver)))
            .await?;
        let clock = guest.clock().best();
        Ok(Self {
            pool,
            guest,
            open,
            folder,
            orders,
            reports: tokio::sync::Mutex::new(reports),
            clock,
            outside: Mutex::new(Outside::new(clock)),
        })
    }

    /// Both directions until the guest has left the terminal.
    async fn pass_on(
        &self,
        inputs: impl Stream<Item = Result<LiveInput, Status>> + Unpin,
        events: &Outlet<LiveEvent>,
    ) -> Result<TerminalLeft, Status> {
        tokio::select! {
            biased;
            status = self.pass_keys(inputs) => Err(status),
            left = self.pass_screens(events) => left,
            fault = self.guest.lost() => Err(fault.into()),
        }
    }

    /// Returns only when the caller did something wrong, or went.
    async fn pass_keys(
        &self,
        mut inputs: impl Stream<Item = Result<LiveInput, Status>> + Unpin,
    ) -> Status {
        let mut before = 0;
        while let Some(input) = inputs.next().await {
            let input = match input {
                Ok(input) => input.input,
                Err(status) => return status,
            };
            let order = match input {
                Some(Input::Keys(keys)) => {
                    let at_ns = now_ns();
                    if let Err(fault) = check::key(&keys, before) {
                        return fault.into();
                    }
                    before = keys.number;
                    self.outside().received_ns.insert(keys.number, at_ns);
                    Order::Keys(keys)
                }
                Some(Input::Finish(finish)) => Order::Finish(finish),
                Some(other) => return misplaced(&other).into(),
                None => continue,
            };
            // The guest may be through with the terminal: the reports tell.
            let _ = self.orders.send(self::order(order)).await;
        }
        // No more keys, but screens still.
        std::future::pending().await
    }

    async fn pass_screens(&self, events: &Outlet<LiveEvent>) -> Result<TerminalLeft, Status> {
        let mut reports = self.reports.lock().await;
        loop {
            let report = match reports.message().await {
                Ok(report) => report.and_then(|report| report.report),
                Err(status) => return Err(self.guest.explain(status).await),
            };
            let told = match report {
                Some(Report::Progress(progress)) => Event::Progress(progress),
                Some(Report::Ready(ready)) => Event::Ready(self.ready(&ready)),
                Some(Report::Screen(screen)) => Event::Screen(self.screen(screen)),
                Some(Report::Terminal(left)) => return Ok(left),
                _ => {
                    return Err(
                        Fault::Failed("the guest left a terminal without a word".into()).into(),
                    );
                }
            };
            send(events, event(told)).await?;
        }
    }

    fn ready(&self, ready: &LiveReady) -> LiveReady {
        LiveReady {
            host: self.guest.name().into(),
            build: self.pool.description().build.clone(),
            at_ns: self.clock.of_guest(ready.at_ns),
        }
    }

    fn screen(&self, screen: TerminalScreen) -> TerminalScreen {
        let forwarded_ns = now_ns();
        let mut outside = self.outside();
        outside.forwarded_ns.insert(screen.number, forwarded_ns);
        drop(outside);
        TerminalScreen {
            at_ns: self.clock.of_guest(screen.at_ns),
            ..screen
        }
    }

    fn outside(&self) -> MutexGuard<'_, Outside> {
        self.outside
            .lock()
            .expect("nothing panics while holding it")
    }

    /// Works out what became of every key.
    async fn finish(
        self,
        left: TerminalLeft,
        events: &Outlet<LiveEvent>,
    ) -> Result<(TerminalResult, CaptureFiles), Status> {
        send(events, event(Event::Progress(stage("analyse")))).await?;
        let mut outside = self
            .outside
            .into_inner()
            .expect("nothing panics while holding it");
        let mut calls = self.guest.calls();
        let now = self.guest.clock().compare_often(&mut calls).await?;
        outside.drift_ns = now.offset_ns - outside.clock.offset_ns;
        let (folder, lane) = (self.folder, self.open.lane.unwrap_or_default());
        let worked = at_leisure(move || {
            let captures = folder.read(left.sender_capture_bytes, left.receiver_capture_bytes)?;
            let result = measure::result(&left, &captures, &outside, &lane)?;
            Ok((result, captures))
        });
        Ok(worked.await?)
    }
}

fn order(order: Order) -> LiveOrder {
    LiveOrder { order: Some(order) }
}

fn event(event: Event) -> LiveEvent {
    LiveEvent {
        event: Some(event),
        lane: 0,
    }
}
