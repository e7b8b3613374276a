//! One run of a script: the kernel's socket on one side, and on the other the
//! peer, which is the script.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::net::SocketAddr;

use anyhow::{Context, Result, anyhow, bail};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::SendFlags;

use crate::clock;
use crate::packet::{Options, Segment, describe_flags, ecn, flag};
use crate::script::{Event, Expected, Injected, Instant, Kind, Script, Setting};
use crate::socket::Socket;
use crate::tun::{Ends, Tun};
use crate::{namespace, observe, stream, sysctl};

const NEAR_PORT: u16 = 5000;
const FAR_PORT: u16 = 7000;
const PEER_ISN: u32 = 0x2000_0000;
const MTU: u32 = 1500;
/// More than the MTU, so that a packet that is too large is seen whole.
const LARGEST_PACKET: usize = 4096;
/// A handshake's packets come at once; a machine in real time may be busy.
const HANDSHAKE_NS: i64 = 2_000_000_000;
const NS_PER_MS: i64 = 1_000_000;
/// Where the peer's timestamps begin.
const PEER_TIMESTAMP: u32 = 1000;

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
    let ends = Ends::of(version);
    let tun = Tun::open(ends.near, MTU)?;
    let mut exchange = Exchange::open(script, tun, ends, version, tolerance, transcript, at)?;
    for event in &script.events {
        *at = Some(event.line);
        exchange.event(event)?;
    }
    exchange.nothing_more(exchange.now())?;
    exchange.socket.reset_when_closed()
}

struct Came {
    at: Instant,
    segment: Segment,
}

struct Exchange<'a> {
    script: &'a Script,
    tolerance: Tolerance,
    tun: Tun,
    socket: Socket,
    ends: Ends,
    near_port: u16,
    /// Of the kernel's side.
    isn: u32,
    /// When the connection was there.
    started_ns: i64,
    /// Bytes of the peer's stream sent so far; a FIN counts one.
    peer_sent: i64,
    /// Highest byte of the kernel's stream that the peer has acknowledged.
    peer_acknowledged: u32,
    /// What the peer's next timestamp echoes (RFC 7323).
    echo: u32,
    /// Timestamps of the kernel's segments, by time.
    stamps: Vec<(Instant, u32)>,
    written: u64,
    read: u64,
    queue: VecDeque<Came>,
    transcript: &'a mut Vec<String>,
}

impl<'a> Exchange<'a> {
    fn open(
        script: &'a Script,
        tun: Tun,
        ends: Ends,
        version: u8,
        tolerance: Tolerance,
        transcript: &'a mut Vec<String>,
        at: &mut Option<usize>,
    ) -> Result<Self> {
        let socket = Socket::open(version)?;
        for (line, setting) in &script.settings {
            *at = Some(*line);
            match setting {
                Setting::Sysctl(name, value) => sysctl::write(name, value)?,
                Setting::Socket(name, value) => socket
                    .set_option(name, *value)
                    .with_context(|| format!("setting the socket option {name} to {value}"))?,
                Setting::InitialSequence(sequence) => socket.set_initial_sequence(*sequence)?,
            }
        }
        *at = None;
        let mut exchange = Self {
            script,
            tolerance,
            tun,
            socket,
            ends,
            near_port: NEAR_PORT,
            isn: 0,
            started_ns: clock::now_ns(),
            peer_sent: 0,
            peer_acknowledged: 0,
            echo: 0,
            stamps: Vec::new(),
            written: 0,
            read: 0,
            queue: VecDeque::new(),
            transcript,
        };
        if script.opening.active {
            exchange.connect()?;
        } else {
            exchange.accept()?;
        }
        exchange.transcript.push("     0.0   connected".into());
        Ok(exchange)
    }

    fn connect(&mut self) -> Result<()> {
        self.socket
            .connect(SocketAddr::new(self.ends.far, FAR_PORT))?;
        let syn = self.handshake_segment(flag::SYN, "SYN")?;
        self.isn = syn.sequence;
        self.peer_acknowledged = self.isn.wrapping_add(1);
        self.near_port = syn.from_port;
        self.echo = syn.options.timestamps.map_or(0, |(value, _)| value);
        self.check_capabilities(&syn.options)?;
        let mut flags = flag::SYN | flag::ACK;
        if self.script.peer.ecn {
            if !syn.has(flag::ECE | flag::CWR) {
                bail!("the kernel's SYN does not ask for ECN: sysctl tcp_ecn 1");
            }
            flags |= flag::ECE;
        }
        self.wait_until(self.now() + self.script.opening.round_trip_ns)?;
        self.started_ns = clock::now_ns();
        self.send_handshake(flags, self.isn.wrapping_add(1))?;
        self.handshake_segment(flag::ACK, "the handshake's ACK")?;
        self.socket.error()
    }

    fn accept(&mut self) -> Result<()> {
        self.socket
            .listen(SocketAddr::new(self.ends.near, NEAR_PORT))?;
        let ecn = if self.script.peer.ecn {
            flag::ECE | flag::CWR
        } else {
            0
        };
        self.send_handshake(flag::SYN | ecn, 0)?;
        let answer = self.handshake_segment(flag::SYN | flag::ACK, "SYN/ACK")?;
        self.isn = answer.sequence;
        self.peer_acknowledged = self.isn.wrapping_add(1);
        self.echo = answer.options.timestamps.map_or(0, |(value, _)| value);
        self.check_capabilities(&answer.options)?;
        if self.script.peer.ecn && !answer.has(flag::ECE) {
            bail!("the kernel's SYN/ACK does not agree to ECN: sysctl tcp_ecn 1 or 2");
        }
        self.wait_until(self.now() + self.script.opening.round_trip_ns)?;
        self.started_ns = clock::now_ns();
        let ack = self.segment(flag::ACK, 0, self.isn.wrapping_add(1));
        self.tun.send(&ack.encode(self.ends.far, self.ends.near))?;
        self.socket = self.socket.accept()?;
        Ok(())
    }

    fn check_capabilities(&self, options: &Options) -> Result<()> {
        let peer = &self.script.peer;
        if peer.sack && !options.sack_permitted {
            bail!("the kernel does not permit SACK: sysctl tcp_sack 1, or peer no-sack");
        }
        if peer.timestamps && options.timestamps.is_none() {
            bail!("the kernel does not offer timestamps: sysctl tcp_timestamps 1");
        }
        Ok(())
    }

    fn send_handshake(&mut self, flags: u8, acknowledgement: u32) -> Result<()> {
        let peer = &self.script.peer;
        let mut segment = self.segment(flags, 0, acknowledgement);
        segment.sequence = PEER_ISN;
        // Never scaled in a SYN.
        segment.window = peer.window.min(65535) as u16;
        segment.options = Options {
            mss: Some(peer.mss),
            window_scale: peer.window_scale,
            sack_permitted: peer.sack,
            timestamps: peer.timestamps.then(|| (peer_stamp(), self.echo)),
            sack: Vec::new(),
        };
        self.tun
            .send(&segment.encode(self.ends.far, self.ends.near))
    }

    fn handshake_segment(&mut self, flags: u8, what: &str) -> Result<Segment> {
        let came = self
            .next_segment(self.now() + HANDSHAKE_NS)?
            .with_context(|| format!("the kernel sent no {what}"))?;
        if !came.segment.has(flags) {
            bail!(
                "instead of {what} came{}",
                describe_flags(came.segment.flags)
            );
        }
        if !came.segment.payload.is_empty() {
            bail!("{what} carries {} bytes", came.segment.payload.len());
        }
        Ok(came.segment)
    }

    /// A segment of the peer, complete but for what a script adds.
    fn segment(&self, flags: u8, offset: i64, acknowledgement: u32) -> Segment {
        let peer = &self.script.peer;
        Segment {
            from_port: FAR_PORT,
            to_port: self.near_port,
            sequence: PEER_ISN.wrapping_add(1).wrapping_add(offset as u32),
            acknowledgement,
            flags,
            window: self.window_field(peer.window),
            options: Options {
                timestamps: peer.timestamps.then(|| (peer_stamp(), self.echo)),
                ..Options::default()
            },
            ..Segment::default()
        }
    }

    fn window_field(&self, bytes: u32) -> u16 {
        let shift = self.script.peer.window_scale.unwrap_or(0);
        (bytes >> shift).min(65535) as u16
    }

    fn now(&self) -> Instant {
        clock::now_ns() - self.started_ns
    }

    fn event(&mut self, event: &Event) -> Result<()> {
        if let Kind::Sent(expected) = &event.kind {
            return self.sent(event, expected);
        }
        self.wait_until(event.from)?;
        self.nothing_more(event.from)?;
        let now = self.now();
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
                self.note(&format!("sysctl {name} {value}"));
                sysctl::write(name, value)
            }
            Kind::Socket { name, value, fails } => self.option(name, *value, fails.as_deref()),
            Kind::Shutdown => {
                self.note("shutdown");
                self.socket.shutdown()
            }
            Kind::Close => {
                self.note("close");
                let unused = Socket::open(4)?;
                drop(std::mem::replace(&mut self.socket, unused));
                Ok(())
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

    fn write(&mut self, write: &crate::script::Write) -> Result<()> {
        let bytes = stream::bytes_at(self.written, write.bytes);
        let mut flags = SendFlags::empty();
        flags.set(SendFlags::EOR, write.end_of_record);
        flags.set(SendFlags::MORE, write.more);
        flags.set(SendFlags::OOB, write.urgent);
        self.note(&format!("write {}", write.bytes));
        let taken = self.socket.write(&bytes, flags)?;
        let wanted = write.taken.unwrap_or(write.bytes);
        if taken != wanted {
            bail!("expected the kernel to take {wanted} bytes, it took {taken}");
        }
        self.written += taken as u64;
        Ok(())
    }

    fn read(&mut self, wanted: usize) -> Result<()> {
        let mut buffer = vec![0; wanted + 1];
        let came = self.socket.read(&mut buffer)?.unwrap_or(0);
        self.note(&format!("read {came}"));
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
        self.note(&format!("socket {name} {value}"));
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
        let acknowledgement = self.in_kernel_stream(injected.acknowledgement);
        let (from, to) = injected.data.unwrap_or((self.peer_sent, self.peer_sent));
        let flags = flag::ACK | injected.flags;
        let mut segment = self.segment(flags, from, acknowledgement);
        segment.payload = stream::bytes_at(from as u64, (to - from) as usize);
        segment.ecn = injected.ecn;
        if let Some(window) = injected.window {
            segment.window = self.window_field(window);
        }
        segment.options.sack = injected
            .sack
            .iter()
            .map(|&(from, to)| (self.in_kernel_stream(from), self.in_kernel_stream(to)))
            .collect();
        if let (Some(echo), Some(stamps)) = (injected.echo, &mut segment.options.timestamps) {
            stamps.1 = self.stamp_of(echo)?;
        }
        if acknowledgement.wrapping_sub(self.peer_acknowledged) as i32 > 0 {
            self.peer_acknowledged = acknowledgement;
        }
        let end = to + i64::from(injected.flags & flag::FIN != 0);
        self.peer_sent = self.peer_sent.max(end);
        self.note(&format!("< {}", describe_injected(injected)));
        self.tun
            .send(&segment.encode(self.ends.far, self.ends.near))
    }

    fn in_kernel_stream(&self, offset: i64) -> u32 {
        self.isn.wrapping_add(1).wrapping_add(offset as u32)
    }

    /// The timestamp of the segment that was sent at `time`.
    fn stamp_of(&self, time: Instant) -> Result<u32> {
        self.stamps
            .iter()
            .find(|(sent, _)| (sent - time).abs() <= self.tolerance.ns)
            .map(|&(_, value)| value)
            .with_context(|| format!("no segment with a timestamp at {}", milliseconds(time)))
    }

    fn sent(&mut self, event: &Event, expected: &Expected) -> Result<()> {
        let wanted = describe_expected(expected, self.acknowledgement_of(expected));
        let span = describe_span(event);
        let Some(came) = self.next_segment(self.tolerance.latest(event.to))? else {
            bail!("expected `{wanted}` at {span}, came nothing");
        };
        let found = describe_segment(self.offset(came.segment.sequence), &came.segment);
        let fault = |what: &str| {
            anyhow!(
                "expected `{wanted}` at {span}, came `{found}` at {}: {what}",
                milliseconds(came.at)
            )
        };
        let from = self.offset(came.segment.sequence);
        if (from, from + came.segment.payload.len() as i64) != (expected.from, expected.to) {
            return Err(fault("other bytes"));
        }
        if came.at < event.from - self.tolerance.ns {
            return Err(fault("too early"));
        }
        let compared = flag::FIN | flag::SYN | flag::RST | flag::URG | flag::ECE | flag::CWR;
        if came.segment.flags & compared != expected.flags {
            return Err(fault("other flags"));
        }
        if expected
            .push
            .is_some_and(|push| push != came.segment.has(flag::PSH))
        {
            return Err(fault("PSH is wrong"));
        }
        if came.segment.ecn != expected.ecn {
            return Err(fault("the IP header's ECN bits are wrong"));
        }
        let acknowledgement = peer_offset(came.segment.acknowledgement);
        if acknowledgement != self.acknowledgement_of(expected) {
            return Err(fault("another acknowledgement"));
        }
        if let Some(sack) = &expected.sack {
            let blocks: Vec<_> = came
                .segment
                .options
                .sack
                .iter()
                .map(|&(from, to)| (peer_offset(from), peer_offset(to)))
                .collect();
            if &blocks != sack {
                return Err(fault("other SACK blocks"));
            }
        }
        if self.script.peer.timestamps != came.segment.options.timestamps.is_some() {
            return Err(fault(
                "timestamps were agreed on in the handshake otherwise",
            ));
        }
        Ok(())
    }

    fn acknowledgement_of(&self, expected: &Expected) -> i64 {
        expected.acknowledgement.unwrap_or(self.peer_sent)
    }

    fn offset(&self, sequence: u32) -> i64 {
        i64::from(sequence.wrapping_sub(self.isn.wrapping_add(1)) as i32)
    }

    /// Fails if the kernel has sent something that no line asked for.
    fn nothing_more(&mut self, until: Instant) -> Result<()> {
        let Some(came) = self.queue.front() else {
            return Ok(());
        };
        bail!(
            "expected nothing until {}, came `{}` at {}",
            milliseconds(until),
            describe_segment(self.offset(came.segment.sequence), &came.segment),
            milliseconds(came.at)
        )
    }

    fn wait_until(&mut self, time: Instant) -> Result<()> {
        loop {
            self.drain()?;
            let left = time - self.now();
            if left <= 0 {
                return Ok(());
            }
            self.sleep(left)?;
        }
    }

    fn next_segment(&mut self, until: Instant) -> Result<Option<Came>> {
        loop {
            self.drain()?;
            if let Some(came) = self.queue.pop_front() {
                return Ok(Some(came));
            }
            let left = until - self.now();
            if left <= 0 {
                return Ok(None);
            }
            self.sleep(left)?;
        }
    }

    fn sleep(&self, ns: i64) -> Result<()> {
        let mut polled = [PollFd::new(&self.tun, PollFlags::IN)];
        poll(&mut polled, Some(&clock::within(ns))).context("waiting for a packet")?;
        Ok(())
    }

    /// Takes what the kernel has sent, and checks what no line has to say:
    /// checksums, ports, and that every byte is the stream's.
    fn drain(&mut self) -> Result<()> {
        let mut buffer = [0; LARGEST_PACKET];
        while let Some(length) = self.tun.receive(&mut buffer)? {
            let at = self.now();
            let decoded = Segment::decode(&buffer[..length])
                .map_err(|what| anyhow!("the kernel sent a packet with {what}"))?;
            let Some((from, to, segment)) = decoded else {
                continue;
            };
            if (from, to) != (self.ends.near, self.ends.far) || segment.to_port != FAR_PORT {
                bail!("the kernel sent a packet from {from} to {to}");
            }
            if segment.ecn == ecn::CE {
                bail!("the kernel sent a packet that is marked already (CE)");
            }
            let offset = self.offset(segment.sequence);
            if !segment.has(flag::SYN) {
                let text = describe_segment(offset, &segment);
                self.transcript.push(format!("{:>8} > {text}", decimal(at)));
                if let Some(place) = stream::first_difference(offset as u64, &segment.payload) {
                    bail!("the byte {place} in `{text}` is not what the application wrote");
                }
            }
            self.remember_stamp(at, &segment);
            self.queue.push_back(Came { at, segment });
        }
        Ok(())
    }

    fn remember_stamp(&mut self, at: Instant, segment: &Segment) {
        let Some((value, _)) = segment.options.timestamps else {
            return;
        };
        self.stamps.push((at, value));
        let early = segment.sequence.wrapping_sub(self.peer_acknowledged) as i32 <= 0;
        if early && value.wrapping_sub(self.echo) as i32 >= 0 {
            self.echo = value;
        }
    }

    fn note(&mut self, text: &str) {
        let time = decimal(self.now());
        self.transcript.push(format!("{time:>8}   {text}"));
    }
}

/// The peer's timestamps count milliseconds.
fn peer_stamp() -> u32 {
    PEER_TIMESTAMP.wrapping_add((clock::now_ns() / NS_PER_MS) as u32)
}

/// Where a sequence number lies in the peer's stream.
fn peer_offset(sequence: u32) -> i64 {
    i64::from(sequence.wrapping_sub(PEER_ISN.wrapping_add(1)) as i32)
}

fn describe_segment(offset: i64, segment: &Segment) -> String {
    let mut text = format!(
        "{offset}:{}{} ack {}",
        offset + segment.payload.len() as i64,
        describe_flags(segment.flags),
        peer_offset(segment.acknowledgement)
    );
    describe_ecn(&mut text, segment.ecn);
    if !segment.options.sack.is_empty() {
        text.push_str(" sack");
        for &(from, to) in &segment.options.sack {
            let _ = write!(text, " {}:{}", peer_offset(from), peer_offset(to));
        }
    }
    text
}

fn describe_expected(expected: &Expected, acknowledgement: i64) -> String {
    let push = if expected.push == Some(true) {
        flag::PSH
    } else {
        0
    };
    let mut text = format!(
        "{}:{}{} ack {acknowledgement}",
        expected.from,
        expected.to,
        describe_flags(expected.flags | push)
    );
    describe_ecn(&mut text, expected.ecn);
    for (from, to) in expected.sack.iter().flatten() {
        let _ = write!(text, " sack {from}:{to}");
    }
    text
}

fn describe_injected(injected: &Injected) -> String {
    let mut text = format!("ack {}", injected.acknowledgement);
    if let Some((from, to)) = injected.data {
        let _ = write!(text, " data {from}:{to}");
    }
    if !injected.sack.is_empty() {
        text.push_str(" sack");
        for (from, to) in &injected.sack {
            let _ = write!(text, " {from}:{to}");
        }
    }
    if let Some(window) = injected.window {
        let _ = write!(text, " win {window}");
    }
    text.push_str(&describe_flags(injected.flags));
    text
}

fn describe_ecn(text: &mut String, bits: u8) {
    match bits {
        ecn::ECT0 => text.push_str(" ect0"),
        ecn::ECT1 => text.push_str(" ect1"),
        ecn::CE => text.push_str(" ce"),
        _ => {}
    }
}

fn describe_claim(claim: &crate::script::Claim) -> String {
    match (claim.low, claim.high) {
        (low, high) if low == high => format!("{} = {low}", claim.name),
        (low, i64::MAX) => format!("{} ≥ {low}", claim.name),
        (i64::MIN, high) => format!("{} ≤ {high}", claim.name),
        (low, high) => format!("{} = {low}..{high}", claim.name),
    }
}

fn describe_span(event: &Event) -> String {
    if event.from == event.to {
        return milliseconds(event.from);
    }
    format!("{}..{}", decimal(event.from), milliseconds(event.to))
}

fn errno_name(error: &std::io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EINVAL) => "EINVAL".into(),
        Some(libc::ENOPROTOOPT) => "ENOPROTOOPT".into(),
        Some(libc::EPERM) => "EPERM".into(),
        _ => error.to_string(),
    }
}

fn decimal(time: Instant) -> String {
    format!("{:.1}", time as f64 / NS_PER_MS as f64)
}

fn milliseconds(time: Instant) -> String {
    format!("{} ms", decimal(time))
}
