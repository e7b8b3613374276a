//! Waiting by asking: a system call for each wait, each write and each read.
// SPDX-License-Identifier: Apache-2.0
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::fd::OwnedFd;

use rustix::event::epoll;

use super::woken::{READ_BYTES, Woken};
use crate::clock::timespec;
use crate::engine::session::flow::Flow;
use crate::fault::{Doing, Outcome};

/// Events that one look at the sockets takes.
const EVENTS: usize = 64;

/// See the module.
pub struct Epoll {
    events: OwnedFd,
    /// Which flows are watched for room.
    watched: Vec<bool>,
    buffer: Vec<u8>,
    /// Of a read, what may be wrong.
    told: Vec<Range<usize>>,
}

/// What an event says of a flow: its number, and whether it is to be read.
fn event_data(flow: usize, readable: bool) -> epoll::EventData {
    epoll::EventData::new_u64((flow as u64) << 1 | u64::from(readable))
}

impl Epoll {
    /// Watches these flows.
    pub fn open(flows: &[Flow]) -> Outcome<Self> {
        let events = epoll::create(epoll::CreateFlags::CLOEXEC).doing("making an epoll")?;
        for (number, flow) in flows.iter().enumerate() {
            let ends = [
                (&flow.connection.sender, false, epoll::EventFlags::empty()),
                (&flow.connection.receiver, true, epoll::EventFlags::IN),
            ];
            for (socket, readable, flags) in ends {
                epoll::add(&events, socket, event_data(number, readable), flags)
                    .doing("watching a socket")?;
            }
        }
        Ok(Self {
            events,
            watched: vec![false; flows.len()],
            buffer: vec![0; READ_BYTES],
            told: Vec::new(),
        })
    }

    /// See [`super::Waiting::wait`].
    pub fn wait(&self, ns: u64) -> Outcome<Woken> {
        let limit = timespec(ns);
        let mut room = [MaybeUninit::uninit(); EVENTS];
        let (events, _) =
            epoll::wait(&self.events, &mut room, Some(&limit)).doing("waiting for the streams")?;
        let mut woken = Woken {
            is_time_up: events.is_empty(),
            ..Woken::default()
        };
        for event in &*events {
            let data = event.data.u64();
            let flow = (data >> 1) as usize;
            if data & 1 == 1 {
                woken.readable.push(flow);
            } else {
                woken.writable.push(flow);
            }
        }
        Ok(woken)
    }

    /// See [`super::Waiting::read`].
    pub fn read(&mut self, flow: &mut Flow, now: u64) -> Outcome<()> {
        let piece = flow.connection.read(&mut self.buffer, &mut self.told)?;
        let read = &self.buffer[..piece.length];
        flow.take(piece.offset, read, &self.told, now)
    }

    /// See [`super::Waiting::watch_for_room`].
    pub fn watch_for_room(&mut self, number: usize, flow: &Flow, is_wanted: bool) -> Outcome<()> {
        if is_wanted == self.watched[number] {
            return Ok(());
        }
        self.watched[number] = is_wanted;
        let flags = if is_wanted {
            epoll::EventFlags::OUT
        } else {
            epoll::EventFlags::empty()
        };
        let data = event_data(number, false);
        epoll::modify(&self.events, &flow.connection.sender, data, flags).doing("watching a socket")
    }
}
