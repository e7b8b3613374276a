//! What lies between the kernel and the script: packets both ways, by time, the
//! connections they belong to, and the transcript of it all.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use anyhow::{Context, Result, anyhow, bail};
use rustix::time::{ClockId, clock_gettime};

use super::connection::Connection;
use super::model::Packet;
use super::options::{self, TcpOption};
use crate::arrivals::Arrivals;
use crate::clock;
use crate::packet::{Checksum, Segment, flag};
use crate::tun::{Ends, Tun};

/// Where the script's sockets listen, and its peers.
pub const SERVER_PORT: u16 = 8080;
/// Of the first peer that connects; each has the next.
const FIRST_CLIENT_PORT: u16 = 32768;
const LARGEST_PACKET: usize = 65_536;
/// The script begins this long after a tick of the kernel's: its events lie at
/// whole milliseconds, where a timer would be early or late by chance.
const AFTER_TICK_NS: i64 = 250_000;
const TICK_NS: i64 = 1_000_000;

/// A segment that the kernel sent.
pub struct Came {
    /// When it was read.
    pub at_ns: i64,
    /// What it was.
    pub segment: Segment,
    /// Its options, in order.
    pub options: Vec<TcpOption>,
    /// Of which connection.
    pub connection: usize,
}

/// See the module.
pub struct Link {
    /// The interface.
    pub tun: Tun,
    ends: Ends,
    /// All there were; the last is the one that the script means.
    pub connections: Vec<Connection>,
    queue: VecDeque<Came>,
    checksum: Checksum,
    started_ns: i64,
    transcript: Vec<String>,
}

impl Link {
    /// In the calling thread's namespace. Where each of the kernel's packets counts
    /// as it is on a wire, the kernel divides and sums up by itself, and else the
    /// interface would.
    pub fn open(ends: Ends, mtu: u32, strict_segments: bool) -> Result<Self> {
        let tun = Tun::open(ends.near, mtu)?;
        let checksum = if strict_segments {
            Checksum::Right
        } else {
            tun.offload()?;
            Checksum::Offloaded
        };
        Ok(Self {
            tun,
            ends,
            connections: Vec::new(),
            queue: VecDeque::new(),
            checksum,
            started_ns: clock::now_ns(),
            transcript: Vec::new(),
        })
    }

    /// Time counts from soon on.
    pub fn begin(&mut self) -> Result<()> {
        let now = clock::now_ns();
        self.started_ns = (now / TICK_NS + 2) * TICK_NS + AFTER_TICK_NS;
        self.wait_until(0)
    }

    /// When the script began, by the calendar.
    pub fn started_by_calendar(&self) -> i64 {
        let calendar = clock_gettime(ClockId::Realtime);
        calendar.tv_sec * 1_000_000_000 + calendar.tv_nsec - self.now()
    }

    /// Nanoseconds since the script began, at a moment of the monotonic clock.
    pub fn since_start(&self, clock_ns: i64) -> i64 {
        clock_ns - self.started_ns
    }

    fn connection_of(&mut self, segment: &Segment) -> Result<usize> {
        let (kernel_port, peer_port) = (segment.from_port, segment.to_port);
        let known = self
            .connections
            .iter()
            .rposition(|one| (one.kernel_port, one.peer_port) == (kernel_port, peer_port));
        match known {
            Some(connection) => Ok(connection),
            None if segment.has(flag::SYN) => {
                self.connections
                    .push(Connection::new(kernel_port, peer_port));
                Ok(self.connections.len() - 1)
            }
            None => bail!("the kernel sent a packet of no connection, to port {peer_port}"),
        }
    }

    /// What the kernel sent, as a script would write it.
    pub fn in_script(&self, came: &Came) -> Packet {
        let connection = &self.connections[came.connection];
        connection.in_script(&came.segment, came.options.clone())
    }

    /// A packet of the script's arrives at the kernel, where a socket listens
    /// or does not.
    pub fn arrive(&mut self, packet: &Packet, listens: bool) -> Result<()> {
        let opens = packet.flags & (flag::SYN | flag::ACK) == flag::SYN;
        let continues = self
            .connections
            .last()
            .is_some_and(|last| last.may_open_with(packet.sequence));
        if opens && listens && !continues {
            let clients = self
                .connections
                .iter()
                .filter(|one| one.kernel_port == SERVER_PORT)
                .count();
            let client = FIRST_CLIENT_PORT + clients as u16;
            self.connections.push(Connection::new(SERVER_PORT, client));
        }
        let connection = self
            .connections
            .last_mut()
            .context("there is no connection yet, and no socket listens")?;
        let (segment, options) = connection.send(packet)?;
        self.note(&format!("< {packet}"));
        let bytes = segment.encode(self.ends.far, self.ends.near, &options);
        self.tun.send(&bytes)
    }

    /// Puts something that happens now into the transcript.
    pub fn note(&mut self, text: &str) {
        self.tell(self.now(), text);
    }

    fn tell(&mut self, at_ns: i64, text: &str) {
        self.transcript
            .push(format!("{:>10.6} {text}", at_ns as f64 / 1e9));
    }

    /// All that happened, a line each.
    pub fn into_transcript(self) -> Vec<String> {
        self.transcript
    }
}

impl Arrivals for Link {
    type Came = Came;

    fn now(&self) -> i64 {
        self.since_start(clock::now_ns())
    }

    fn tun(&self) -> &Tun {
        &self.tun
    }

    fn oldest(&mut self) -> Option<Came> {
        self.queue.pop_front()
    }

    fn drain(&mut self) -> Result<()> {
        let mut buffer = vec![0; LARGEST_PACKET];
        while let Some(length) = self.tun.receive(&mut buffer)? {
            let at_ns = self.now();
            let decoded = Segment::decode(&buffer[..length], self.checksum)
                .map_err(|what| anyhow!("the kernel sent a packet with {what}"))?;
            let Some(packet) = decoded else {
                continue;
            };
            if (packet.from, packet.to) != (self.ends.near, self.ends.far) {
                bail!(
                    "the kernel sent a packet from {} to {}",
                    packet.from,
                    packet.to
                );
            }
            let options = options::decode(packet.options);
            let segment = packet.segment;
            let connection = self.connection_of(&segment)?;
            self.connections[connection].hear(&segment);
            let came = Came {
                at_ns,
                segment,
                options,
                connection,
            };
            let text = format!("> {}", self.in_script(&came));
            self.tell(at_ns, &text);
            self.queue.push_back(came);
        }
        Ok(())
    }
}
