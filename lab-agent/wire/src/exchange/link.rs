//! What lies between the kernel and the peer: packets both ways, by time, and the
//! transcript of them.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use anyhow::{Result, anyhow, bail};

use super::peer::{FAR_PORT, Peer};
use super::words::describe_segment;
use crate::arrivals::Arrivals;
use crate::packet::{Segment, ecn, flag};
use crate::script::{Instant, decimal, milliseconds};
use crate::tun::{Ends, Tun};
use crate::{clock, stream};

/// Ethernet's, unless the peer's MSS needs more.
const MTU: u32 = 1500;
/// The most that headers and options take.
const LARGEST_HEADERS: u32 = 100;
/// A packet that is too large is seen whole.
const LARGEST_PACKET: usize = 65_536;

/// A segment that the kernel sent.
pub struct Came {
    /// When it was read.
    pub at: Instant,
    /// What it was.
    pub segment: Segment,
}

/// See the module.
pub struct Link<'a> {
    /// At the far end.
    pub peer: Peer<'a>,
    /// The addresses.
    pub ends: Ends,
    tun: Tun,
    started_ns: i64,
    queue: VecDeque<Came>,
    transcript: &'a mut Vec<String>,
}

impl<'a> Link<'a> {
    /// In the calling thread's namespace, which has nothing else.
    pub fn open(version: u8, peer: Peer<'a>, transcript: &'a mut Vec<String>) -> Result<Self> {
        let ends = Ends::of(version);
        let mtu = MTU.max(u32::from(peer.presented.mss) + LARGEST_HEADERS);
        Ok(Self {
            peer,
            ends,
            tun: Tun::open(ends.near, mtu)?,
            started_ns: clock::now_ns(),
            queue: VecDeque::new(),
            transcript,
        })
    }

    /// Time counts from now on.
    pub fn begin(&mut self) {
        self.started_ns = clock::now_ns();
    }

    /// Fails if the kernel has sent something that no line asked for.
    pub fn nothing_more(&self, until: Instant) -> Result<()> {
        let Some(came) = self.queue.front() else {
            return Ok(());
        };
        bail!(
            "expected nothing until {}, came `{}` at {}",
            milliseconds(until),
            self.describe(&came.segment),
            milliseconds(came.at)
        )
    }

    /// The peer's segment arrives at the kernel.
    pub fn send(&mut self, segment: &Segment) -> Result<()> {
        self.tun
            .send(&segment.encode(self.ends.far, self.ends.near))
    }

    /// The interface takes packets of up to so many bytes from now on.
    pub fn set_mtu(&self, mtu: u32) -> Result<()> {
        self.tun.set_mtu(mtu)
    }

    /// As a failure tells it.
    pub fn describe(&self, segment: &Segment) -> String {
        describe_segment(self.peer.offset_of_kernel(segment.sequence), segment)
    }

    /// Puts something that happens now into the transcript.
    pub fn note(&mut self, text: &str) {
        let time = decimal(self.now());
        self.tell(format!("{time:>8}   {text}"));
    }

    /// Puts a line into the transcript.
    pub fn tell(&mut self, line: String) {
        self.transcript.push(line);
    }
}

impl Arrivals for Link<'_> {
    type Came = Came;

    fn now(&self) -> Instant {
        clock::now_ns() - self.started_ns
    }

    fn tun(&self) -> &Tun {
        &self.tun
    }

    fn oldest(&mut self) -> Option<Came> {
        self.queue.pop_front()
    }

    /// Takes what the kernel has sent, and checks what no line has to say:
    /// checksums, ports, and that every byte is the stream's.
    fn drain(&mut self) -> Result<()> {
        let mut buffer = vec![0; LARGEST_PACKET];
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
            let offset = self.peer.offset_of_kernel(segment.sequence);
            if !segment.has(flag::SYN) {
                let text = describe_segment(offset, &segment);
                self.tell(format!("{:>8} > {text}", decimal(at)));
                if let Some(place) = stream::first_difference(offset as u64, &segment.payload) {
                    bail!("the byte {place} in `{text}` is not what the application wrote");
                }
            }
            self.peer.hear(at, &segment);
            self.queue.push_back(Came { at, segment });
        }
        Ok(())
    }
}
