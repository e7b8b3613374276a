//! How a transfer waits for its flows: until there is something to read, room to
//! write, or something due.
//!
//! In real time, or where not all is known beforehand, the transfer asks for each of
//! them ([`epoll`]). In virtual time the kernel is told beforehand what to write when
//! and to read what arrives ([`ring`]), because nothing costs a session as much as the
//! system calls of a guest: each of them stops two processes of the host. Packets are the
//! same either way, but for those that come within a microsecond of each other.
// SPDX-License-Identifier: Apache-2.0
mod chains;
mod epoll;
mod reading;
mod ring;
mod stamps;
mod woken;

pub use chains::CHAINED;
use epoll::Epoll;
use ring::Ring;
pub use woken::Woken;

use super::flow::Flow;
use crate::clock::Pace;
use crate::fault::Outcome;

/// See the module.
pub enum Waiting<'a> {
    /// Asks.
    Epoll(Epoll),
    /// Tells beforehand.
    Ring(Box<Ring<'a>>),
}

impl<'a> Waiting<'a> {
    /// Watches these flows, whose times count from `start_ns`, by the clock of stamps.
    pub fn new(flows: &[Flow<'a>], pace: Pace, start_ns: u64) -> Outcome<Self> {
        // Which message was read only the calls for messages tell, and which stream it takes;
        // so, too, what may be damaged.
        let can_be_told =
            |flow: &Flow| flow.sending.has_gaps() && flow.connection.is_read_plainly();
        if pace == Pace::Virtual && flows.iter().all(can_be_told) {
            // A kernel that has none does it the other way.
            if let Some(ring) = Ring::open(flows, start_ns)? {
                return Ok(Self::Ring(Box::new(ring)));
            }
        }
        Ok(Self::Epoll(Epoll::open(flows)?))
    }

    /// Waits until something is there, for `ns` at most.
    pub fn wait(&mut self, ns: u64) -> Outcome<Woken> {
        match self {
            Self::Epoll(epoll) => epoll.wait(ns),
            Self::Ring(ring) => ring.wait(ns),
        }
    }

    /// Has a flow read. Each read wakes if it is to be heard of, else many together.
    ///
    /// # Errors
    /// As [`Self::read`]: what was read unheard is given to the flow.
    pub fn expect(&mut self, number: usize, flow: &mut Flow, is_heard_of: bool) -> Outcome<()> {
        match self {
            Self::Epoll(_) => Ok(()),
            Self::Ring(ring) => ring.expect(number, flow, is_heard_of),
        }
    }

    /// Gives a flow that is readable what there is to read, and when it could be read:
    /// `now`, or when it was.
    ///
    /// # Errors
    /// `Failed` when the connection broke, or bytes arrived changed that nothing damages.
    pub fn read(&mut self, number: usize, flow: &mut Flow, now: u64) -> Outcome<()> {
        match self {
            Self::Epoll(epoll) => epoll.read(flow, now),
            Self::Ring(ring) => ring.read(number, flow),
        }
    }

    /// Has the kernel write what it can be told beforehand of a flow, as far as it is due
    /// before `before_ns`: what changes then has to come first.
    pub fn schedule(
        &mut self,
        number: usize,
        flow: &Flow<'a>,
        before_ns: Option<u64>,
    ) -> Outcome<()> {
        match self {
            Self::Epoll(_) => Ok(()),
            Self::Ring(ring) => ring.schedule(number, flow, before_ns),
        }
    }

    /// Whether the kernel writes a flow's next message by itself.
    pub fn is_scheduled(&self, number: usize) -> bool {
        match self {
            Self::Epoll(_) => false,
            Self::Ring(ring) => ring.is_scheduled(number),
        }
    }

    /// Watches a flow for room, if it wants any.
    pub fn watch_for_room(&mut self, number: usize, flow: &Flow) -> Outcome<()> {
        let is_wanted = flow.sending.wants_room();
        match self {
            Self::Epoll(epoll) => epoll.watch_for_room(number, flow, is_wanted),
            Self::Ring(ring) => ring.watch_for_room(number, flow, is_wanted),
        }
    }
}
