//! One run of a script: the kernel's socket on one side, and on the other the
//! peer, which is the script.
// SPDX-License-Identifier: Apache-2.0
mod compare;
mod handshake;
mod link;
mod peer;
mod words;

use anyhow::{Context, Result, bail};
use rustix::net::SendFlags;

use crate::arrivals::Arrivals as _;
use crate::script::{
    Event, Expected, Injected, Instant, Kind, Script, Setting, Write, milliseconds,
};
use crate::socket::Socket;
use crate::{namespace, observe, stream, sysctl};
use link::Link;
use peer::Peer;
use words::{describe_claim, describe_expected, describe_injected, describe_span, errno_name};

/// Why a script failed: where, what, and all that was exchanged before.
pub struct Failure {
    /// Of the file; `None` before its first timed line.
    pub line: Option<usize>,
    /// What was expected and what came.
    pub message: String,
    /// One line for each thing that happened.
    pub transcript: Vec<String>,
}

/// How far a time may be off.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// In both directions.
    pub ns: i64,
    /// Late, as a share of the time since the connection was there: what timers
    /// of a kernel with less than 1000 ticks a second need beyond a script's
    /// spans.
    pub late_percent: u32,
}

impl Tolerance {
    fn latest(self, time: Instant) -> Instant {
        time + self.ns + time.max(0) * i64::from(self.late_percent) / 100
    }
}

/// Runs a script in a new namespace of the calling thread. Gives the
/// transcript.
pub fn run(script: &Script, version: u8, tolerance: Tolerance) -> Result<Vec<String>, Failure> {
    let mut transcript = Vec::new();
    let mut at = None;
    match play(script, version, tolerance, &mut transcript, &mut at) {
        Ok(()) => Ok(transcript),
        Err(error) => Err(Failure {
            line: at,
            message: format!("{error:#}"),
            transcript,
        }),
    }
}

fn play(
    script: &Script,
    version: u8,
    tolerance: Tolerance,
    transcript: &mut Vec<String>,
    at: &mut Option<usize>,
) -> Result<()> {
    namespace::enter_new()?;
    let link = Link::open(version, Peer::new(&script.peer), transcript)?;
    let mut exchange = Exchange::open(script, link, version, tolerance, at)?;
    for event in &script.events {
        *at = Some(event.line);
        exchange.event(event)?;
    }
    exchange.link.nothing_more(exchange.link.now())?;
    exchange.socket.reset_when_closed()
}

struct Exchange<'a> {
    tolerance: Tolerance,
    link: Link<'a>,
    socket: Socket,
    written: u64,
    read: u64,
    /// What was written without a copy is the kernel's until it is acknowledged.
    lent: Vec<Vec<u8>>,
}

impl<'a> Exchange<'a> {
    fn open(
        script: &Script,
        mut link: Link<'a>,
        version: u8,
        tolerance: Tolerance,
        at: &mut Option<usize>,
    ) -> Result<Self> {
        // First, as a socket has the congestion control from when it is made.
        for (line, setting) in &script.settings {
            if let Setting::Sysctl(name, value) = setting {
                *at = Some(*line);
                sysctl::write(name, value)?;
            }
        }
        let socket = Socket::open(version)?;
        for (line, setting) in &script.settings {
            *at = Some(*line);
            match setting {
                Setting::Sysctl(..) => {}
                Setting::Socket(name, value) => socket
                    .set_option(name, *value)
                    .with_context(|| format!("setting the socket option {name} to {value}"))?,
                Setting::InitialSequence(sequence) => socket.set_initial_sequence(*sequence)?,
            }
        }
        *at = None;
        let socket = handshake::run(&mut link, socket, script)?;
        link.tell("     0.0   connected".into());
        Ok(Self {
            tolerance,
            link,
            socket,
            written: 0,
            read: 0,
            lent: Vec::new(),
        })
    }

    fn event(&mut self, event: &Event) -> Result<()> {
        if let Kind::Sent(expected) = &event.kind {
            return self.sent(event, expected);
        }
        self.link.wait_until(event.from)?;
        self.link.nothing_more(event.from)?;
        let now = self.link.now();
        if now > self.tolerance.latest(event.from) {
            bail!(
                "this line's time is {}, and it is already {}",
                milliseconds(event.from),
                milliseconds(now)
            );
        }
        match &event.kind {
            Kind::Sent(_) => unreachable!("dealt with above"),
            Kind::Quiet => Ok(()),
            Kind::Write(write) => self.write(write),
            Kind::Read { bytes } => self.read(*bytes),
            Kind::Arrives(injected) => self.arrives(injected),
            Kind::Sysctl(name, value) => {
                self.link.note(&format!("sysctl {name} {value}"));
                sysctl::write(name, value)
            }
            Kind::Socket { name, value, fails } => self.option(name, *value, fails.as_deref()),
            Kind::Shutdown => {
                self.link.note("shutdown");
                self.socket.shutdown()
            }
            Kind::Close => {
                self.link.note("close");
                let unused = Socket::open(4)?;
                drop(std::mem::replace(&mut self.socket, unused));
                Ok(())
            }
            Kind::Disconnect => {
                self.link.note("disconnect");
                self.socket.disconnect()
            }
            Kind::Connect { round_trip_ns } => self.connect(*round_trip_ns),
            Kind::Mtu(bytes) => {
                self.link.note(&format!("mtu {bytes}"));
                self.link.set_mtu(*bytes)
            }
            Kind::Check(claims) => {
                for claim in claims {
                    let value = observe::value(&claim.name, &self.socket)?;
                    if !(claim.low..=claim.high).contains(&value) {
                        bail!("expected {}, came {value}", describe_claim(claim));
                    }
                }
                Ok(())
            }
        }
    }

    fn connect(&mut self, round_trip_ns: Instant) -> Result<()> {
        self.link.peer = Peer::new(self.link.peer.presented);
        self.link.note("connect");
        handshake::connect(&mut self.link, &self.socket, round_trip_ns)?;
        self.link.tell("     0.0   connected".into());
        self.written = 0;
        self.read = 0;
        Ok(())
    }

    fn write(&mut self, write: &Write) -> Result<()> {
        let bytes = stream::bytes_at(self.written, write.bytes);
        let mut flags = SendFlags::empty();
        flags.set(SendFlags::EOR, write.end_of_record);
        flags.set(SendFlags::MORE, write.more);
        flags.set(SendFlags::OOB, write.urgent);
        if write.zerocopy {
            flags |= SendFlags::from_bits_retain(libc::MSG_ZEROCOPY as u32);
        }
        self.link.note(&format!("write {}", write.bytes));
        let taken = self.socket.write(&bytes, flags)?;
        let wanted = write.taken.unwrap_or(write.bytes);
        if taken != wanted {
            bail!("expected the kernel to take {wanted} bytes, it took {taken}");
        }
        self.written += taken as u64;
        if write.zerocopy {
            self.lent.push(bytes);
        }
        Ok(())
    }

    fn read(&mut self, wanted: usize) -> Result<()> {
        let mut buffer = vec![0; wanted + 1];
        let came = self.socket.read(&mut buffer)?.unwrap_or(0);
        self.link.note(&format!("read {came}"));
        if came != wanted {
            bail!("expected {wanted} bytes to read, there were {came}");
        }
        if let Some(place) = stream::first_difference(self.read, &buffer[..came]) {
            bail!("the byte {place} that was read is not what the peer sent");
        }
        self.read += came as u64;
        Ok(())
    }

    fn option(&mut self, name: &str, value: i32, fails: Option<&str>) -> Result<()> {
        self.link.note(&format!("socket {name} {value}"));
        let error = match self.socket.set_option(name, value) {
            Ok(()) => None,
            Err(error) => Some(errno_name(&error)),
        };
        if error.as_deref() == fails {
            return Ok(());
        }
        let say = |outcome: Option<&str>| outcome.unwrap_or("success").to_owned();
        bail!(
            "expected setting {name} to {value} to end with {}, it ended with {}",
            say(fails),
            say(error.as_deref())
        )
    }

    fn arrives(&mut self, injected: &Injected) -> Result<()> {
        let segment = self.link.peer.send(injected, self.tolerance.ns)?;
        self.link
            .note(&format!("< {}", describe_injected(injected)));
        self.link.send(&segment)
    }

    fn sent(&mut self, event: &Event, expected: &Expected) -> Result<()> {
        let wanted = describe_expected(expected, self.link.peer.acknowledgement_of(expected));
        let span = describe_span(event);
        let Some(came) = self.link.next_segment(self.tolerance.latest(event.to))? else {
            bail!("expected `{wanted}` at {span}, came nothing");
        };
        match compare::fault(event, expected, &came, &self.link.peer, self.tolerance.ns) {
            None => Ok(()),
            Some(fault) => bail!(
                "expected `{wanted}` at {span}, came `{}` at {}: {fault}",
                self.link.describe(&came.segment),
                milliseconds(came.at)
            ),
        }
    }
}
