//! One connection through the hostile path, from its first byte to its end.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::net::SocketAddr;

use anyhow::{Context, Result, anyhow, bail};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::SendFlags;

use super::allocations::Failing;
use super::path::{Direction, Path, Treatment};
use super::repair::Watch;
use super::{COUNTERS, Tally, switches};
use crate::namespace::Namespace;
use crate::packet::{Checksum, Decoded, Segment, describe_flags, flag};
use crate::random::Random;
use crate::socket::Socket;
use crate::tun::{Ends, Tun};
use crate::{clock, namespace, observe, stream, sysctl};

const PORT: u16 = 7000;
const NS_PER_MS: i64 = 1_000_000;
/// Of the sender's stream.
const MESSAGES: u64 = 800;
/// Longer than any series of timeouts through these paths.
const STUCK_NS: i64 = 6 * 3600 * 1000 * NS_PER_MS;
/// How many packets a failure shows.
const REMEMBERED: usize = 60;

/// What a round is made of; all follows from the seed and its number.
#[allow(clippy::struct_excessive_bools)] // Each is one thing that TCP negotiates or not.
pub struct Round {
    seed: u64,
    number: u64,
    mechanisms: bool,
    failing_allocations_percent: u32,
    version: u8,
    mtu: u32,
    sack: bool,
    timestamps: bool,
    ecn: bool,
    nodelay: bool,
    initial_sequence: u32,
    treatments: [Treatment; 2],
}

/// Why a round failed, and what was in the path last.
pub struct Failure {
    /// What was wrong.
    pub error: anyhow::Error,
    /// One line each.
    pub last_packets: Vec<String>,
}

impl Round {
    /// Chooses all of it.
    pub fn new(seed: u64, number: u64, mechanisms: bool, failing_allocations_percent: u32) -> Self {
        let mut random = Random::new(seed, number);
        // Many connections pass the end of the sequence space.
        let initial_sequence = match random.below(2) {
            0 => random.next() as u32,
            _ => u32::MAX - random.below(20_000) as u32,
        };
        Self {
            seed,
            number,
            mechanisms,
            failing_allocations_percent,
            version: if random.chance(0.5) { 4 } else { 6 },
            mtu: random.between(1280, 1500) as u32,
            sack: random.chance(0.8),
            timestamps: random.chance(0.5),
            ecn: random.chance(0.3),
            nodelay: random.chance(0.9),
            initial_sequence,
            treatments: [
                Treatment::random(&mut random),
                Treatment::random(&mut random),
            ],
        }
    }

    /// In one line.
    pub fn describe(&self) -> String {
        format!(
            "IPv{}, MTU {}, sack {}, timestamps {}, ecn {}, nodelay {}, first sequence number {}, \
             {:?}",
            self.version,
            self.mtu,
            self.sack,
            self.timestamps,
            self.ecn,
            self.nodelay,
            self.initial_sequence,
            self.treatments
        )
    }

    /// Sends and compares everything.
    pub fn run(&self, tally: &mut Tally) -> Result<(), Failure> {
        let mut last = VecDeque::new();
        self.play(tally, &mut last).map_err(|error| Failure {
            error,
            last_packets: last.iter().map(Passed::describe).collect(),
        })
    }

    fn play(&self, tally: &mut Tally, last: &mut VecDeque<Passed>) -> Result<()> {
        // A sequence beside the one that chose the round.
        let mut random = Random::new(!self.seed, self.number);
        let ends = Ends::of(self.version);
        let home = Namespace::current()?;
        namespace::enter_new()?;
        let receiver_tun = Tun::open(ends.far, self.mtu)?;
        let listener = Socket::open(self.version)?;
        listener.listen(SocketAddr::new(ends.far, PORT))?;
        let receiver = Namespace::current()?;
        namespace::enter_new()?;
        let sender_tun = Tun::open(ends.near, self.mtu)?;
        for (name, on) in [
            ("tcp_sack", self.sack),
            ("tcp_timestamps", self.timestamps),
            ("tcp_ecn", self.ecn),
        ] {
            sysctl::write(&format!("net.ipv4.{name}"), if on { "1" } else { "0" })?;
        }
        switches::set_all(&mut random, self.mechanisms)?;
        let socket = Socket::open(self.version)?;
        socket
            .set_option("nodelay", i32::from(self.nodelay))
            .context("setting TCP_NODELAY")?;
        socket.set_initial_sequence(self.initial_sequence)?;
        socket.connect(SocketAddr::new(ends.far, PORT))?;
        let now = clock::now_ns();
        let mut connection = Connection {
            round: self,
            tuns: [sender_tun, receiver_tun],
            path: Path::new(self.treatments),
            sender: End::new(socket, self.initial_sequence),
            receiver: None,
            listener,
            messages_left: MESSAGES,
            unsent: 0,
            started_ns: now,
            next_write_ns: now,
            next_switch_ns: now,
            random,
            last,
            watch: Watch::default(),
            failing: None,
            busy: [true; 2],
        };
        let outcome = connection.run(tally).and_then(|()| {
            connection.count(tally)?;
            connection.sender.socket.reset_when_closed()
        });
        drop(connection);
        drop(receiver);
        home.enter()?;
        outcome
    }
}

/// A packet that entered the path.
struct Passed {
    at_ns: i64,
    direction: Direction,
    copies: u32,
    offset: i64,
    length: usize,
    acknowledgement: i64,
    flags: u8,
    sack: Vec<(u32, u32)>,
}

impl Passed {
    fn describe(&self) -> String {
        format!(
            "{:>12.3} ms {} {}:{}{} ack {} sack {:?}{}",
            self.at_ns as f64 / NS_PER_MS as f64,
            match self.direction {
                Direction::Forth => ">",
                Direction::Back => "<",
            },
            self.offset,
            self.offset + self.length as i64,
            describe_flags(self.flags),
            self.acknowledgement,
            self.sack,
            match self.copies {
                0 => " LOST",
                1 => "",
                _ => " TWICE",
            }
        )
    }
}

/// One end: its socket, what it has sent and what it has read.
struct End {
    socket: Socket,
    /// Of its SYN, where known.
    initial_sequence: Option<u32>,
    written: u64,
    read: u64,
    ended: bool,
}

impl End {
    fn new(socket: Socket, initial_sequence: u32) -> Self {
        Self {
            socket,
            initial_sequence: Some(initial_sequence),
            written: 0,
            read: 0,
            ended: false,
        }
    }

    fn write(&mut self, bytes: u64, flags: SendFlags) -> Result<u64> {
        let bytes = stream::bytes_at(self.written, bytes as usize);
        let taken = self.socket.write(&bytes, flags)? as u64;
        self.written += taken;
        Ok(taken)
    }

    /// Reads all there is, and compares it. Gives how many bytes there were.
    fn read(&mut self) -> Result<u64> {
        let mut buffer = [0; 16384];
        let before = self.read;
        while !self.ended {
            match self.socket.read(&mut buffer)? {
                None => break,
                Some(0) => self.ended = true,
                Some(length) => {
                    if let Some(place) = stream::first_difference(self.read, &buffer[..length]) {
                        bail!("the byte {place} that arrived is not the one that was written");
                    }
                    self.read += length as u64;
                }
            }
        }
        Ok(self.read - before)
    }
}

struct Connection<'a> {
    round: &'a Round,
    tuns: [Tun; 2],
    path: Path,
    sender: End,
    receiver: Option<End>,
    listener: Socket,
    messages_left: u64,
    /// Of the message that the kernel has not taken whole.
    unsent: u64,
    started_ns: i64,
    next_write_ns: i64,
    next_switch_ns: i64,
    random: Random,
    last: &'a mut VecDeque<Passed>,
    watch: Watch,
    /// From when both ends are there: a kernel that cannot make a socket of a
    /// handshake gives it up.
    failing: Option<Failing>,
    /// Which sides may have something to take: a system call costs a guest so
    /// much that asking in vain would double the time of a run.
    busy: [bool; 2],
}

impl Connection<'_> {
    fn run(&mut self, tally: &mut Tally) -> Result<()> {
        loop {
            let now = clock::now_ns();
            if now - self.started_ns > STUCK_NS {
                bail!(
                    "still not over after {} virtual hours: {} of {} bytes arrived",
                    STUCK_NS / NS_PER_MS / 3_600_000,
                    self.receiver.as_ref().map_or(0, |end| end.read),
                    self.sender.written
                );
            }
            while let Some((direction, packet)) = self.path.leave(now, tally) {
                let side = 1 - direction as usize;
                self.tuns[side].send(&packet)?;
                self.busy[side] = true;
            }
            self.applications(now, tally)?;
            // Last: what the kernel sends because of all this enters now.
            self.take(now, tally)?;
            if self.over() {
                return Ok(());
            }
            self.busy = self.sleep(now)?;
        }
    }

    /// Both streams have been written, and read to their ends.
    fn over(&self) -> bool {
        self.messages_left == 0
            && self.unsent == 0
            && self.sender.ended
            && self.receiver.as_ref().is_some_and(|end| end.ended)
    }

    fn applications(&mut self, now: i64, tally: &mut Tally) -> Result<()> {
        if self.receiver.is_none() {
            self.sender.socket.error().context("connecting")?;
            self.receiver = self.listener.accept().ok().map(|socket| End {
                socket,
                initial_sequence: None,
                written: 0,
                read: 0,
                ended: false,
            });
            let percent = self.round.failing_allocations_percent;
            if self.receiver.is_some() && percent > 0 {
                self.failing = Some(Failing::begin(percent)?);
            }
        }
        let Some(receiver) = &mut self.receiver else {
            return Ok(());
        };
        let mut came = 0;
        if self.busy[1] {
            came = receiver.read().context("the receiver")?;
        }
        tally.bytes += came;
        if self.busy[0] {
            tally.bytes += self.sender.read().context("the sender")?;
        }
        // Some traffic the other way carries acknowledgements.
        if came > 0 && self.random.chance(0.1) {
            receiver.write(self.random.between(1, 300), SendFlags::empty())?;
        }
        if receiver.ended && self.messages_left == 0 && receiver.read == self.sender.written {
            // The second time it does nothing.
            let _ = receiver.socket.shutdown();
            self.busy[1] = true;
        } else if receiver.ended {
            bail!(
                "the stream ended after {} of {} bytes",
                receiver.read,
                self.sender.written
            );
        }
        if now >= self.next_switch_ns {
            switches::change_one(&mut self.random, &self.sender.socket, self.round.mechanisms)?;
            tally.switched += 1;
            self.next_switch_ns = now + self.random.between(1, 2000) as i64 * NS_PER_MS;
        }
        self.write(now).context("the sender")
    }

    fn write(&mut self, now: i64) -> Result<()> {
        if self.unsent > 0 {
            self.busy[0] = true;
            self.unsent -= self.sender.write(self.unsent, SendFlags::empty())?;
        }
        while self.unsent == 0 && self.messages_left > 0 && now >= self.next_write_ns {
            let bytes = match self.random.below(1000) {
                0..2 => self.random.between(20_000, 60_000),
                2..20 => self.random.between(1400, 5000),
                20..150 => self.random.between(300, 1400),
                _ => self.random.between(1, 300),
            };
            let flags = match self.random.below(20) {
                0 => SendFlags::EOR,
                1 => SendFlags::MORE,
                _ => SendFlags::empty(),
            };
            self.busy[0] = true;
            self.unsent = bytes - self.sender.write(bytes, flags)?;
            self.messages_left -= 1;
            self.next_write_ns += NS_PER_MS
                * match self.random.below(20) {
                    0 => self.random.between(200, 2000),
                    1..7 => self.random.between(30, 200),
                    _ => self.random.between(0, 30),
                } as i64;
            if self.messages_left == 0 && self.unsent == 0 {
                break;
            }
        }
        if self.messages_left == 0 && self.unsent == 0 {
            // A kernel that has no memory for a FIN never sends it (tcp_send_fin()).
            self.failing = None;
            // The second time it does nothing.
            let _ = self.sender.socket.shutdown();
            self.busy[0] = true;
        }
        Ok(())
    }

    /// Lets into the path what both kernels have sent.
    fn take(&mut self, now: i64, tally: &mut Tally) -> Result<()> {
        let mut buffer = [0; 2048];
        for direction in [Direction::Forth, Direction::Back] {
            let side = direction as usize;
            while self.busy[side]
                && let Some(length) = self.tuns[side].receive(&mut buffer)?
            {
                let packet = &buffer[..length];
                let decoded = Segment::decode(packet, Checksum::Right)
                    .map_err(|what| anyhow!("a kernel sent a packet with {what}"))?;
                let Some(Decoded { segment, .. }) = decoded else {
                    continue;
                };
                let copies = self
                    .path
                    .enter(direction, packet, now, &mut self.random, tally);
                self.look(direction, &segment, copies, now, tally)?;
            }
        }
        Ok(())
    }

    /// Remembers a segment, and compares its bytes with its stream's.
    fn look(
        &mut self,
        direction: Direction,
        segment: &Segment,
        copies: u32,
        now: i64,
        tally: &mut Tally,
    ) -> Result<()> {
        if direction == Direction::Back
            && segment.has(flag::SYN)
            && let Some(receiver) = &mut self.receiver
        {
            receiver.initial_sequence = Some(segment.sequence);
        }
        let forth = self.sender.initial_sequence;
        let back = self.receiver.as_ref().and_then(|end| end.initial_sequence);
        let (own, other) = match direction {
            Direction::Forth => (forth, back),
            Direction::Back => (back, forth),
        };
        let offset = |number: u32, first: Option<u32>| {
            let first = first.unwrap_or(0).wrapping_add(1);
            i64::from(number.wrapping_sub(first) as i32)
        };
        let at = offset(segment.sequence, own);
        let acknowledged = offset(segment.acknowledgement, other);
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back(Passed {
            at_ns: now - self.started_ns,
            direction,
            copies,
            offset: at,
            length: segment.payload.len(),
            acknowledgement: acknowledged,
            flags: segment.flags,
            sack: segment.sack.clone(),
        });
        match direction {
            Direction::Forth if !segment.payload.is_empty() => {
                let to = at + segment.payload.len() as i64;
                self.watch.sent(at, to, copies, now, &mut tally.repair);
            }
            Direction::Back if segment.has(flag::ACK) => self.watch.acknowledged(acknowledged),
            _ => {}
        }
        if segment.has(flag::RST) {
            bail!("a kernel reset the connection");
        }
        // The receiver's numbers are not known until its end is accepted.
        if own.is_none() || segment.payload.is_empty() {
            return Ok(());
        }
        match stream::first_difference(at as u64, &segment.payload) {
            None => Ok(()),
            Some(place) => bail!(
                "the byte {place} in the packet {at}:{} is not the one that was written",
                at + segment.payload.len() as i64
            ),
        }
    }

    /// Waits for the next thing to do. Gives the sides that have sent something.
    fn sleep(&self, now: i64) -> Result<[bool; 2]> {
        let mut wake = self.started_ns + STUCK_NS + NS_PER_MS;
        if let Some(due) = self.path.next_due() {
            wake = wake.min(due);
        }
        if self.receiver.is_some() {
            wake = wake.min(self.next_switch_ns);
            if self.messages_left > 0 && self.unsent == 0 {
                wake = wake.min(self.next_write_ns);
            }
        }
        let mut polled = vec![
            PollFd::new(&self.tuns[0], PollFlags::IN),
            PollFd::new(&self.tuns[1], PollFlags::IN),
        ];
        if self.unsent > 0 {
            polled.push(PollFd::new(&self.sender.socket, PollFlags::OUT));
        }
        poll(&mut polled, Some(&clock::span(wake - now))).context("waiting for a packet")?;
        Ok([0, 1].map(|side| !polled[side].revents().is_empty()))
    }

    /// Adds the sender's counters; its namespace is the thread's.
    fn count(&self, tally: &mut Tally) -> Result<()> {
        for (name, sum) in COUNTERS.iter().zip(&mut tally.counters) {
            match observe::counter(name) {
                Ok(value) => *sum += value as u64,
                // A kernel without the mechanism does not have it.
                Err(_) if !self.round.mechanisms => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
