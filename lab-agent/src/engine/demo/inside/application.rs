//! What runs over a lane: messages, or somebody's terminal.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::BorrowedFd;
use std::task::{Context, Poll};

use lab_proto::guest::DemoPassages;
use lab_proto::{SocketState, TerminalScreen};

use super::standstill::Standstill;
use super::stream::Stream;
use super::terminal::Terminal;
use crate::endpoint::connection::unacknowledged;
use crate::fault::Outcome;

/// See the module.
pub enum Application {
    Stream(Box<Stream>),
    Terminal(Box<Terminal>),
}

impl Application {
    /// Whether there may be something to do; `shows` is whether there is room
    /// for screens.
    pub fn poll_ready(&mut self, context: &mut Context<'_>, shows: bool) -> Poll<()> {
        match self {
            Self::Stream(stream) => stream.poll_ready(context),
            Self::Terminal(terminal) => terminal.poll_ready(context, shows),
        }
    }

    /// Reads what is there and writes what there is room for; gives what is to
    /// be shown at once.
    ///
    /// # Errors
    /// `Failed` when the lane is of no use any more.
    pub fn work(
        &mut self,
        buffer: &mut [u8],
        standstill: &mut Standstill,
        shows: bool,
    ) -> Outcome<Option<TerminalScreen>> {
        match self {
            Self::Stream(stream) => stream.work(buffer, standstill).map(|()| None),
            Self::Terminal(terminal) => terminal.work(shows),
        }
    }

    fn news(&mut self) -> &mut DemoPassages {
        match self {
            Self::Stream(stream) => stream.news(),
            Self::Terminal(terminal) => terminal.news(),
        }
    }

    /// Whether anything happened since the last [`Self::take_news`].
    pub fn has_news(&mut self) -> bool {
        *self.news() != DemoPassages::default()
    }

    /// What happened since the last call, if anything did.
    pub fn take_news(&mut self, lane: u32) -> Option<DemoPassages> {
        self.has_news().then(|| DemoPassages {
            lane,
            ..std::mem::take(self.news())
        })
    }

    /// Bytes that have not arrived, or of which the end that sent them does not
    /// know it.
    pub fn missing(&self) -> Outcome<u64> {
        let mut missing = match self {
            Self::Stream(stream) => stream.missing()?,
            Self::Terminal(_) => 0,
        };
        for socket in self.sockets() {
            missing = missing.max(unacknowledged(socket)? as u64);
        }
        Ok(missing)
    }

    /// How the sender of its connection stands.
    pub fn state(&self, at_ns: u64) -> Outcome<SocketState> {
        match self {
            Self::Stream(stream) => stream.state(at_ns),
            Self::Terminal(terminal) => terminal.state(at_ns),
        }
    }

    /// The ends of its connection: the sender's, the receiver's.
    pub fn sockets(&self) -> [BorrowedFd<'_>; 2] {
        match self {
            Self::Stream(stream) => stream.sockets(),
            Self::Terminal(terminal) => terminal.sockets(),
        }
    }
}
