//! A take that runs in a guest: between the caller, the guest, the sound and the
//! analysis. Nothing here waits for one of them while another has something.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::live_order::Order;
use lab_proto::guest::live_report::Report;
use lab_proto::guest::{DemoLeft, DemoPassages, DemoPulse, DemoStart, DemoWrite};
use lab_proto::guest::{LiveOrder, LiveReport, MessageRead};
use lab_proto::live_event::Event;
use lab_proto::live_input::Input;
use lab_proto::stream::Kind;
use lab_proto::{
    DemoChange, DemoChanged, DemoOpen, HostDescription, LiveFinish, LiveInput, LiveReady,
    TerminalScreen,
};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tonic::{Status, Streaming};

use super::analyst::{self, Analyst, Rest};
use super::check;
use super::growing_file::Payload;
use super::lane_view::{LaneView, Passes};
use super::outlet::Outlet;
use super::sound::{self, Sound};
use super::take_clock::TakeClock;
use crate::boot::RealGuest;
use crate::engine::live::outside::misplaced;
use crate::engine::terminal;
use crate::fault::{Fault, Outcome};
use crate::lane::protocol::Protocol;
use crate::source::live::Source;

/// Of the fastest stream, what is due in ten seconds.
const ORDERS_WAITING: usize = 1 << 10;

/// See the module.
pub struct Take<'a> {
    host: &'a HostDescription,
    guest: &'a RealGuest,
    outlet: &'a Outlet,
    clock: TakeClock,
    lanes: Vec<Protocol>,
    stream: Kind,
    seed: u64,
    orders: Sender<LiveOrder>,
    reports: Streaming<LiveReport>,
    analyst: Analyst,
    standstills: u64,
    started: Option<Started>,
}

/// What there is once all lanes are open.
struct Started {
    ready_ns: u64,
    source: Source,
    sound: Option<Sound>,
    messages: u64,
    keys: u32,
    last_due_ns: u64,
    ending: Ending,
}

/// How far the caller's wish to finish has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    NotWished,
    /// What is on its way to the guest is still written.
    WhenAllIsDue,
    Asked,
}

impl<'a> Take<'a> {
    /// Asks the guest for the lanes of a request that was checked.
    pub async fn open(
        host: &'a HostDescription,
        guest: &'a RealGuest,
        open: DemoOpen,
        outlet: &'a Outlet,
    ) -> Result<Self, Status> {
        let Some(stream) = open.stream.and_then(|it| it.kind) else {
            return Err(Fault::Invalid("stream is not set".into()).into());
        };
        let (orders, receiver) = channel(ORDERS_WAITING);
        let terminal = match &stream {
            Kind::Terminal(terminal) => Some(terminal.clone()),
            _ => None,
        };
        let typed = terminal.is_some();
        let lanes: Vec<_> = open.lanes.iter().map(Protocol::of_lane).collect();
        let seed = open.lanes[0].seed;
        let start = DemoStart {
            lanes: open.lanes,
            terminal,
        };
        let _ = orders.try_send(order(Order::Demo(start)));
        let clock = TakeClock::new(guest.clock().best());
        let mut calls = guest.calls();
        let reports = guest
            .answer(calls.run_live(ReceiverStream::new(receiver)))
            .await?;
        let payload = match stream {
            Kind::Microphone(_) => Payload::LeftOut,
            _ => Payload::Kept,
        };
        let passes = |protocol: &Protocol| match typed {
            true => Passes::Keys,
            false if protocol.is_of_datagrams() => Passes::Datagrams,
            false => Passes::Messages,
        };
        let view = |protocol| LaneView::new(&host.kernel_release, passes(protocol), payload, clock);
        let views: Vec<_> = lanes.iter().map(view).collect();
        Ok(Self {
            host,
            guest,
            outlet,
            clock,
            lanes,
            stream,
            seed,
            orders,
            reports,
            analyst: Analyst::start(views, clock, outlet.clone())?,
            standstills: 0,
            started: None,
        })
    }

    /// Until the guest has left the lanes.
    pub async fn go_on(
        &mut self,
        inputs: &mut (impl Stream<Item = Result<LiveInput, Status>> + Unpin),
    ) -> Result<DemoLeft, Status> {
        let lost = self.guest.lost();
        tokio::pin!(lost);
        let mut listening = true;
        loop {
            let next_ns = self.next_ns();
            let due = tokio::time::sleep_until(self.clock.instant(next_ns).into());
            tokio::select! {
                biased;
                () = due, if next_ns < u64::MAX => self.write()?,
                input = inputs.next(), if listening && self.started.is_some() => match input {
                    Some(input) => self.hear(input?.input)?,
                    None => listening = false,
                },
                report = self.reports.message() => {
                    let report = match report {
                        Ok(report) => report.unwrap_or_default(),
                        Err(status) => return Err(self.guest.explain(status).await),
                    };
                    if let Some(left) = self.follow(report)? {
                        return Ok(left);
                    }
                }
                ended = self.analyst.ended() => {
                    ended?;
                }
                fault = &mut lost => return Err(fault.into()),
            }
        }
    }

    fn next_ns(&self) -> u64 {
        match &self.started {
            Some(started) => match started.ending {
                Ending::NotWished => started.source.next_ns(self.clock.now_ns()),
                Ending::WhenAllIsDue => started.last_due_ns,
                Ending::Asked => u64::MAX,
            },
            None => u64::MAX,
        }
    }

    /// Sends the messages on their way that are to be there soon.
    fn write(&mut self) -> Outcome<()> {
        let now_ns = self.clock.now_ns();
        let Some(started) = &mut self.started else {
            return Ok(());
        };
        match started.ending {
            Ending::NotWished => {}
            Ending::WhenAllIsDue if started.last_due_ns <= now_ns => {
                started.ending = Ending::Asked;
                return tell(&self.orders, Order::Finish(LiveFinish {}));
            }
            Ending::WhenAllIsDue | Ending::Asked => return Ok(()),
        }
        for due in started.source.until(now_ns)? {
            started.last_due_ns = due.at_ns;
            let number = started.messages;
            started.messages += 1;
            if let Some(sound) = &started.sound {
                sound.tell(sound::Told::Sent {
                    bytes: due.bytes.clone(),
                    captured_ns: due.at_ns,
                })?;
            }
            let write = DemoWrite {
                number,
                at_ns: self.clock.in_guest(due.at_ns),
                data: due.bytes,
            };
            tell(&self.orders, Order::Write(write))?;
        }
        Ok(())
    }

    /// What the caller wants.
    fn hear(&mut self, input: Option<Input>) -> Outcome<()> {
        let now_ns = self.clock.now_ns();
        let Some(started) = &mut self.started else {
            return Ok(());
        };
        match input {
            Some(Input::Change(change)) => return self.change(change),
            Some(Input::Pause(pause)) => {
                started.source.pause(pause.paused, now_ns);
            }
            Some(Input::Microphone(piece)) => {
                started.source.hear(&piece)?;
            }
            Some(Input::Synthetic(stream)) => {
                started.source.set(stream, now_ns)?;
            }
            Some(Input::Keys(keys)) => {
                started.source.takes_keys()?;
                terminal::check::key(&keys, started.keys)?;
                started.keys = keys.number;
                tell(&self.orders, Order::Keys(keys))?;
            }
            Some(Input::Finish(_)) if started.ending == Ending::NotWished => {
                started.ending = Ending::WhenAllIsDue;
            }
            Some(other @ (Input::Terminal(_) | Input::Demo(_))) => return Err(misplaced(&other)),
            Some(Input::Finish(_)) | None => {}
        }
        Ok(())
    }

    /// What makes no sense is told, and ends nothing.
    fn change(&mut self, change: DemoChange) -> Outcome<()> {
        match check::change(&change, self.lanes.len(), &self.stream, self.host) {
            Ok(()) => tell(&self.orders, Order::Change(change)),
            Err(fault) => self.outlet.put(Event::Changed(DemoChanged {
                id: change.id,
                kernel_at_ns: 0,
                problem: fault.to_string(),
            })),
        }
    }

    /// What the guest tells; its last word ends the take.
    fn follow(&mut self, told: LiveReport) -> Outcome<Option<DemoLeft>> {
        match told.report {
            Some(Report::Progress(progress)) => self.outlet.put(Event::Progress(progress))?,
            Some(Report::Ready(ready)) => self.start(&ready)?,
            Some(Report::Passages(passages)) => self.pass(passages)?,
            Some(Report::Packets(packets)) => {
                self.analyst.tell(analyst::Told::Packets(packets))?;
            }
            Some(Report::Sockets(sockets)) => {
                self.analyst.tell(analyst::Told::Sockets(sockets.lanes))?;
            }
            Some(Report::Changed(changed)) => self.outlet.put(Event::Changed(DemoChanged {
                kernel_at_ns: self.clock.of_guest(changed.kernel_at_ns),
                ..changed
            }))?,
            Some(Report::Screen(screen)) => {
                let screen = Event::Screen(self.screen(screen));
                self.outlet.put_of(told.lane, screen)?;
            }
            Some(Report::Pulse(pulse)) => self.know(pulse)?,
            Some(Report::Demo(left)) => return Ok(Some(left)),
            Some(Report::Terminal(_)) | None => {
                return Err(Fault::Failed("the guest left a take without a word".into()));
            }
        }
        Ok(None)
    }

    fn start(&mut self, ready: &LiveReady) -> Outcome<()> {
        let now_ns = self.clock.now_ns();
        let source = Source::new(&self.stream, self.seed, now_ns)?;
        let start = |codec| {
            let (clock, outlet) = (self.clock, self.outlet.clone());
            Sound::start(codec, &self.lanes, now_ns, clock, outlet)
        };
        let sound = source.codec().map(start).transpose()?;
        let states = sound.as_ref().map(Sound::states);
        let ready_ns = self.clock.of_guest(ready.at_ns);
        self.outlet.put(Event::Ready(LiveReady {
            host: self.guest.name().into(),
            build: self.host.build.clone(),
            at_ns: ready_ns,
        }))?;
        self.analyst.tell(analyst::Told::Started(now_ns, states))?;
        self.started = Some(Started {
            ready_ns,
            source,
            sound,
            messages: 0,
            keys: 0,
            last_due_ns: 0,
            ending: Ending::NotWished,
        });
        Ok(())
    }

    /// What can be read at once, is heard; all of it is analysed.
    fn pass(&mut self, passages: DemoPassages) -> Outcome<()> {
        let sound = self.started.as_ref().and_then(|it| it.sound.as_ref());
        if let Some(sound) = sound {
            let lane = passages.lane as usize;
            for message in &passages.written {
                sound.tell(sound::Told::Written {
                    lane,
                    number: message.number,
                    at_ns: self.clock.of_guest(message.at_ns + message.took_ns),
                })?;
            }
            for message in &passages.read {
                sound.tell(sound::Told::Arrived {
                    lane,
                    number: message.number,
                    at_ns: self.clock.of_guest(message.at_ns),
                    held_ns: message.held_ns,
                    changed: changed(message),
                })?;
            }
            for &number in &passages.skipped {
                sound.tell(sound::Told::Skipped { lane, number })?;
            }
        }
        self.analyst.tell(analyst::Told::Passages(passages))
    }

    /// Until when all is known.
    fn know(&mut self, pulse: DemoPulse) -> Outcome<()> {
        if self.standstills != pulse.standstills {
            self.standstills = pulse.standstills;
            self.analyst.tell(analyst::Told::Pulse(pulse))?;
        }
        let sound = self.started.as_ref().and_then(|it| it.sound.as_ref());
        sound.map_or(Ok(()), |sound| {
            sound.tell(sound::Told::Until {
                at_ns: self.clock.of_guest(pulse.until_ns),
                stood_still_ns: pulse.stood_still_ns,
            })
        })
    }

    fn screen(&self, screen: TerminalScreen) -> TerminalScreen {
        TerminalScreen {
            at_ns: self.clock.of_guest(screen.at_ns),
            ..screen
        }
    }

    /// What is left to tell, the take's first and last instant, and why it
    /// ended.
    pub async fn finish(mut self, left: DemoLeft) -> Outcome<(Rest, u64, u64, String)> {
        let end_ns = self.clock.now_ns();
        let (ready_ns, sound) = match self.started {
            Some(started) => (started.ready_ns, started.sound),
            None => (end_ns, None),
        };
        let facts = sound.map_or(Ok(Vec::new()), Sound::stop)?;
        self.analyst.tell(analyst::Told::Left(left.lanes, facts))?;
        Ok((self.analyst.ended().await?, ready_ns, end_ns, left.reason))
    }
}

fn changed(message: &MessageRead) -> Vec<(usize, u8)> {
    let places = message.changed_at.iter().map(|&at| at as usize);
    places.zip(message.changed_to.iter().copied()).collect()
}

/// Never waits: the guest may wait for its reports to be taken.
fn tell(orders: &Sender<LiveOrder>, what: Order) -> Outcome<()> {
    use tokio::sync::mpsc::error::TrySendError;
    match orders.try_send(order(what)) {
        // The guest may be through with the take: the reports tell.
        Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
        Err(TrySendError::Full(_)) => Err(Fault::Failed(
            "the guest has taken no orders for many seconds".into(),
        )),
    }
}

fn order(order: Order) -> LiveOrder {
    LiveOrder { order: Some(order) }
}
