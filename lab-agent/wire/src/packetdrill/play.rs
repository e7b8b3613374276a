//! One run of a script, in a network namespace of its own.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::answers::Clock;
use super::application::Application;
use super::claims::{self, Names, Statement};
use super::due::{Due, seconds};
use super::link::{Came, Link, SERVER_PORT};
use super::model::{Call, Event, Kind, Packet, Script, Settings, Time};
use super::packets;
use super::shell::{Ended, Shell};
use super::worker::{Done, Worker};
use crate::arrivals::Arrivals as _;
use crate::packet::flag;
use crate::tun::Ends;
use crate::{namespace, observe};

/// Ethernet's, with so many bytes more for IPv6 that the MSS is the same, as the
/// selftests' runner has it.
const MTU: u32 = 1500;
const MTU_IPV6: u32 = 1520;
/// How often to look whether a call has returned.
const LOOK_EVERY_NS: i64 = 100_000;
/// How far a time may be off.
const TOLERANCE_US: i64 = 4000;
/// More than an event takes. In real time a slow machine would be later with each.
const HELD_UP_NS: i64 = 100_000;
/// A time may be off by this share of the time since the event before, where
/// that is more than the tolerance: so late a kernel's timer may be.
const TOLERANCE_PERMILLE: i64 = 125;

/// How a run ended.
pub struct Played {
    /// What of it.
    pub verdict: Verdict,
    /// All that happened, a line each.
    pub transcript: Vec<String>,
}

/// What a run proved.
pub enum Verdict {
    /// All was as the script says.
    Passed,
    /// The kernel cannot do what the script is about: where it asks for it, and
    /// what it is.
    Lacks(usize, String),
    /// Where, and what was not.
    Failed(usize, String),
}

/// Runs a script that lies in `folder`.
///
/// # Errors
/// There is no place to run it in.
pub fn play(script: &Script, ip_version: u8, folder: &Path) -> Result<Played> {
    let mut play = Play::open(script, ip_version, folder)?;
    let verdict = play.all(script);
    play.application.reset();
    Ok(Played {
        verdict,
        transcript: play.link.into_transcript(),
    })
}

struct Play<'a> {
    settings: Settings,
    tolerance_ns: i64,
    folder: &'a Path,
    link: Link,
    worker: Worker,
    application: Application,
    /// A call that has not returned.
    pending: Option<Pending<'a>>,
    assigned: BTreeMap<String, i64>,
    last: Last,
}

/// A call that blocks.
struct Pending<'a> {
    call: &'a Call,
    /// Where it stands.
    line: usize,
    /// When it has to return.
    returns_ns: i64,
}

impl Pending<'_> {
    fn due(&self, tolerance_ns: i64) -> Due {
        Due::at(self.returns_ns, tolerance_ns)
    }
}

/// The event before.
#[derive(Clone, Copy)]
struct Last {
    /// When it was, by the script's time where that says it.
    at_ns: i64,
    arrived: bool,
}

/// Why a script goes no further.
enum Stop {
    Lacks(usize, String),
    Failed(usize, anyhow::Error),
}

impl<'a> Play<'a> {
    fn open(script: &Script, ip_version: u8, folder: &'a Path) -> Result<Self> {
        namespace::enter_new()?;
        let ends = Ends::of(ip_version);
        let usual = if ip_version == 4 { MTU } else { MTU_IPV6 };
        let address = |end| SocketAddr::new(end, SERVER_PORT);
        Ok(Self {
            settings: script.settings,
            tolerance_ns: script.settings.tolerance_us.unwrap_or(TOLERANCE_US) * 1000,
            folder,
            link: Link::open(
                ends,
                script.settings.mtu.unwrap_or(usual),
                script.settings.strict_segments,
            )?,
            worker: Worker::start()?,
            application: Application::new(address(ends.near), address(ends.far)),
            pending: None,
            assigned: BTreeMap::new(),
            last: Last {
                at_ns: 0,
                arrived: false,
            },
        })
    }

    fn all(&mut self, script: &'a Script) -> Verdict {
        let last_line = script.events.last().map_or(1, |event| event.line);
        let played = self
            .link
            .begin()
            .map_err(|error| Stop::Failed(script.events[0].line, error))
            .and_then(|()| script.events.iter().try_for_each(|event| self.event(event)))
            .and_then(|()| self.returned().map_err(|error| self.at(last_line, error)));
        match played {
            Ok(()) => Verdict::Passed,
            Err(Stop::Lacks(line, what)) => Verdict::Lacks(line, what),
            Err(Stop::Failed(line, error)) => Verdict::Failed(line, format!("{error:#}")),
        }
    }

    /// What went wrong while this line was played may be an earlier call's.
    fn at(&self, line: usize, error: anyhow::Error) -> Stop {
        let line = self.pending.as_ref().map_or(line, |pending| pending.line);
        Stop::Failed(line, error)
    }

    fn event(&mut self, event: &'a Event) -> Result<(), Stop> {
        let fails = |error| Stop::Failed(event.line, error);
        let due = self.due(event);
        let at_ns = if let Kind::Sent(packet) = &event.kind {
            let came_ns = self.sent(packet, due).map_err(fails)?;
            // What the kernel sends at once is counted with what it answers, but for a
            // SYN, with which the first round trip begins.
            let begins = packet.flags & flag::SYN != 0;
            let at_once = matches!(event.time, Time::Relative(0, 0)) && !begins;
            if at_once { self.last.at_ns } else { came_ns }
        } else {
            self.on_time(due).map_err(fails)?;
            due.beginning().unwrap_or_else(|| self.link.now())
        };
        match &event.kind {
            Kind::Sent(_) => {}
            Kind::Arrives(packet) => {
                let listens = self.application.listens;
                self.link.arrive(packet, listens).map_err(fails)?;
            }
            Kind::Call(call) => {
                self.returned()
                    .map_err(|error| self.at(event.line, error))?;
                self.call(event, call).map_err(fails)?;
            }
            Kind::Shell(text) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                self.link.note(&format!("`{}`", words.join(" ")));
                let shell = Shell {
                    tun: &self.link.tun,
                    folder: self.folder,
                    fresh: self.link.connections.is_empty(),
                };
                match shell.run(text).map_err(fails)? {
                    Ended::Done => {}
                    Ended::Failed(why) => return Err(fails(anyhow!("{why}"))),
                    Ended::Lacks(what) => return Err(Stop::Lacks(event.line, what)),
                }
            }
            Kind::Claims(statements) => self.claims(statements).map_err(fails)?,
        }
        self.last = Last {
            at_ns,
            arrived: matches!(event.kind, Kind::Arrives(_)),
        };
        Ok(())
    }

    fn due(&self, event: &Event) -> Due {
        let (base_ns, from, to) = match event.time {
            Time::Any => return Due::ever(self.link.now()),
            Time::Absolute(from, to) => (0, from, to),
            Time::Relative(from, to) => (self.base_ns(event), from, to),
        };
        let permille = self.settings.tolerance_permille;
        let permille = permille.unwrap_or(TOLERANCE_PERMILLE);
        let since_ns = base_ns + from - self.last.at_ns;
        let tolerance_ns = self.tolerance_ns.max(since_ns / 1000 * permille);
        Due::At(base_ns + from, base_ns + to, tolerance_ns)
    }

    /// From when a relative time counts: from now, as with packetdrill; from when the
    /// event before was due, where both arrive, or something has held this up since.
    fn base_ns(&self, event: &Event) -> i64 {
        let now = self.link.now();
        let both_arrive = self.last.arrived && matches!(event.kind, Kind::Arrives(_));
        if both_arrive || now - self.last.at_ns > HELD_UP_NS {
            return self.last.at_ns;
        }
        now
    }

    /// Waits until a thing of the script's own is due.
    fn on_time(&mut self, due: Due) -> Result<()> {
        self.link.wait_until(due.beginning().unwrap_or_default())?;
        let now = self.link.now();
        if now > due.latest() {
            bail!("due {due}, and it is already {}", seconds(now));
        }
        Ok(())
    }

    /// Waits for a packet of the kernel's, and gives the time at which it came.
    fn sent(&mut self, packet: &Packet, due: Due) -> Result<i64> {
        let Some(came) = self.next_segment(packet, due)? else {
            bail!("expected `{packet}` {due}, came nothing");
        };
        self.link.connections[came.connection].expect(packet);
        let mut actual = self.link.in_script(&came);
        let mut fault = self.fault(packet, &actual, &came, due);
        let mut last_length = actual.length;
        while !self.settings.strict_segments && (1..packet.length).contains(&actual.length) {
            let Some(rest) = self.next_segment(packet, due)? else {
                break;
            };
            let part = self.link.in_script(&rest);
            if let Err(what) = packets::join(&mut actual, last_length, &part, packet.length) {
                bail!(
                    "expected `{packet}` {due}, came `{actual}`, then `{part}`, which is not \
                     the rest of it: {what}"
                );
            }
            last_length = part.length;
            fault = fault.or(self.fault(packet, &part, &rest, due));
        }
        let what = packets::difference(packet, &actual).map(str::to_owned);
        match what.or(fault) {
            None => Ok(came.at_ns),
            Some(fault) => bail!(
                "expected `{packet}` {due}, came `{actual}` at {}: {fault}",
                seconds(came.at_ns)
            ),
        }
    }

    /// The kernel's next one, of the connection that the script means.
    fn next_segment(&mut self, packet: &Packet, due: Due) -> Result<Option<Came>> {
        let Some(came) = self.link.next_segment(due.latest())? else {
            return Ok(None);
        };
        if came.connection + 1 != self.link.connections.len() {
            bail!(
                "expected `{packet}` {due}, came `{}` of an earlier connection",
                self.link.in_script(&came)
            );
        }
        Ok(Some(came))
    }

    /// What is wrong with a segment that the script's packet does not say, or
    /// says by the clock.
    fn fault(&mut self, packet: &Packet, actual: &Packet, came: &Came, due: Due) -> Option<String> {
        let connection = &mut self.link.connections[came.connection];
        let ticks_off = connection.learn_timestamp(packet, actual);
        if let Some(place) = connection.first_wrong_byte(&came.segment) {
            return Some(format!(
                "the byte {place} is not what the application wrote"
            ));
        }
        if connection.is_too_capable(&came.segment) {
            return Some("it is ECN-capable, which the handshake has not agreed on".into());
        }
        let late = due.fault(came.at_ns).map(str::to_owned);
        late.or_else(|| self.timestamp_fault(ticks_off))
    }

    fn timestamp_fault(&self, ticks_off: Option<i64>) -> Option<String> {
        let tick_ns = self.settings.timestamp_tick_us.filter(|&tick| tick > 0)? * 1000;
        let ticks_off = ticks_off?;
        (ticks_off.abs() * tick_ns > self.tolerance_ns)
            .then(|| format!("its timestamp is {ticks_off} ticks off"))
    }

    fn call(&mut self, event: &Event, call: &'a Call) -> Result<()> {
        let began_ns = self.link.now();
        self.link.note(&call.text);
        self.application.note_beginning(call);
        let job = self.application.prepare(call)?;
        let done = self.worker.begin(job)?;
        let returns_ns = match (call.returns, event.time) {
            (None, _) => began_ns,
            (Some(end), Time::Relative(from, _)) => began_ns - from + end,
            (Some(end), _) => end,
        };
        self.pending = Some(Pending {
            call,
            line: event.line,
            returns_ns,
        });
        match done {
            Some(done) => self.judge(done),
            None if call.returns.is_some() => Ok(()),
            None => self.returned(),
        }
    }

    /// Waits for the call that has not returned, if there is one.
    fn returned(&mut self) -> Result<()> {
        let Some(pending) = &self.pending else {
            return Ok(());
        };
        let latest_ns = pending.due(self.tolerance_ns).latest();
        loop {
            if let Some(done) = self.worker.end(Duration::ZERO)? {
                return self.judge(done);
            }
            let now = self.link.now();
            if now > latest_ns {
                bail!(
                    "{} has not returned by {}",
                    pending.call.text,
                    seconds(latest_ns)
                );
            }
            self.link.wait_until(now + LOOK_EVERY_NS)?;
        }
    }

    fn judge(&mut self, done: Done) -> Result<()> {
        let pending = self.pending.as_ref().context("nobody has called")?;
        let at_ns = self.link.since_start(done.at_ns);
        let due = pending.due(self.tolerance_ns);
        let clock = Clock {
            started_ns: self.link.started_by_calendar(),
            tolerance_ns: self.tolerance_ns,
        };
        self.application.judge(pending.call, done.reply, &clock)?;
        if let Some(fault) = due.fault(at_ns) {
            bail!(
                "expected {} to return {due}, it did at {}: {fault}",
                pending.call.text,
                seconds(at_ns)
            );
        }
        self.pending = None;
        Ok(())
    }

    fn claims(&mut self, statements: &[Statement]) -> Result<()> {
        let info = self.application.info()?;
        let kernel = |name: &str| {
            let value = match name.split_once('_') {
                Some(("tcpi", field)) => observe::info(field, &info),
                Some(("tcpti", field)) => self
                    .application
                    .thin_info()
                    .and_then(|info| observe::thin_info(field, &info)),
                _ => Err(anyhow!(
                    "{name} has no value: fields of TCP_INFO begin with tcpi_, those of \
                     TCP_THIN_INFO with tcpti_"
                )),
            };
            value.map_err(|error| format!("{error:#}"))
        };
        let mut names = Names {
            assigned: &mut self.assigned,
            kernel: &kernel,
        };
        claims::check(statements, &mut names).map_err(anyhow::Error::msg)
    }
}
