//! Messages over one lane's connection, or as datagrams: each is written when it is due, as far
//! as the socket takes it, and stamped when the other end can read it whole.
// SPDX-License-Identifier: Apache-2.0
use std::io::ErrorKind;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::task::{Context, Poll};

use lab_proto::SocketState;
use lab_proto::guest::{DemoPassages, MessageRead, MessageWritten};

use super::inbox::Inbox;
use super::schedule::Due;
use super::standstill::Standstill;
use crate::clock::SECOND_NS;
use crate::endpoint::connection::Connection;
use crate::endpoint::watched::Watched;
use crate::engine::departures::Departures;
use crate::fault::{Fault, Outcome};

/// What waits to be sent, in the socket too, is at most so old: a lane that
/// stands still falls silent, and does not tell old news for minutes afterwards.
const BACKLOG_NS: u64 = 5 * SECOND_NS;
const BACKLOG_BYTES: u64 = 1 << 20;

/// See the module.
pub struct Stream {
    sender: Watched,
    receiver: Watched,
    departures: Departures<Arc<[u8]>>,
    inbox: Inbox,
    /// Whether the path damages packets, or did: then what comes changed is a result.
    may_change: bool,
    told: Vec<Range<usize>>,
    news: DemoPassages,
}

impl Stream {
    /// Over an open connection.
    pub fn new(connection: Connection) -> Outcome<Self> {
        let [sender, receiver] = Watched::ends(connection)?;
        Ok(Self {
            inbox: Inbox::new(receiver.is_of_datagrams()),
            sender,
            receiver,
            departures: Departures::default(),
            may_change: false,
            told: Vec::new(),
            news: DemoPassages::default(),
        })
    }

    /// From now on the path may damage what passes.
    pub fn may_change(&mut self) {
        self.may_change = true;
    }

    /// Takes a message that is due, unless too much waits already.
    pub fn write(&mut self, due: &Due, at_ns: u64, standstill: &mut Standstill) -> Outcome<()> {
        if self.is_behind(at_ns)? {
            self.news.skipped.push(due.number);
            return Ok(());
        }
        self.inbox.expect(due.number, Arc::clone(&due.data));
        self.departures.push(at_ns, Arc::clone(&due.data));
        self.write_waiting()?;
        self.news.written.push(MessageWritten {
            number: due.number,
            at_ns,
            end: self.departures.due_bytes(),
            took_ns: standstill.now_ns().saturating_sub(at_ns),
        });
        Ok(())
    }

    fn is_behind(&mut self, now_ns: u64) -> Outcome<bool> {
        let since_ns = now_ns.saturating_sub(BACKLOG_NS);
        let unsent = || self.sender.unsent();
        let oldest_ns = self.departures.oldest_ns(since_ns, unsent)?;
        Ok(oldest_ns.is_some_and(|at_ns| at_ns < since_ns)
            || self.departures.unwritten_bytes() > BACKLOG_BYTES)
    }

    fn write_waiting(&mut self) -> Outcome<()> {
        let sender = &self.sender;
        self.departures
            .write(|bytes| match sender.try_write(bytes) {
                Ok(taken) => Ok(taken),
                Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
                Err(error) => Err(broken(&error)),
            })
    }

    /// Whether there may be something to do.
    pub fn poll_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut ready = self.receiver.poll_read_ready(context).is_ready();
        ready |= self.sender.poll_read_ready(context).is_ready();
        if self.departures.unwritten_bytes() > 0 {
            ready |= self.sender.poll_write_ready(context).is_ready();
        }
        if ready {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }

    /// Reads what is there and writes what there is room for. Nothing is asked
    /// of the kernel where nothing is ready.
    ///
    /// # Errors
    /// `Failed` when the connection is dead, or bytes arrived changed over a path that damages
    /// nothing.
    pub fn work(&mut self, buffer: &mut [u8], standstill: &mut Standstill) -> Outcome<()> {
        self.read(buffer, standstill)?;
        self.write_waiting()?;
        // Nobody answers: what there is to read here is the connection's end.
        match self.sender.try_read(buffer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(broken(&error)),
            Ok(_) => Err(ended()),
        }
    }

    fn read(&mut self, buffer: &mut [u8], standstill: &mut Standstill) -> Outcome<()> {
        loop {
            match self.receiver.try_read_piece(buffer, &mut self.told) {
                Ok(piece) => {
                    let at_ns = standstill.now_ns();
                    let bytes = &buffer[..piece.length];
                    self.take(piece.offset, bytes, at_ns, standstill.held_ns(at_ns))?;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(ended()),
                Err(error) => return Err(broken(&error)),
            }
        }
    }

    fn take(&mut self, offset: Option<u32>, bytes: &[u8], at_ns: u64, held_ns: u64) -> Outcome<()> {
        let news = &mut self.news;
        let untold_bytes = self.inbox.take((offset, bytes), &self.told, |came| {
            news.read.push(MessageRead {
                number: came.number,
                at_ns,
                held_ns,
                changed_at: came.changed.iter().map(|(at, _)| *at).collect(),
                changed_to: came.changed.iter().map(|(_, to)| *to).collect(),
            });
        });
        news.untold_bytes += untold_bytes;
        news.told_bytes += self
            .told
            .iter()
            .map(|range| range.len() as u64)
            .sum::<u64>();
        if self.may_change {
            return Ok(());
        }
        self.inbox.want_unchanged()
    }

    /// What happened and was not told yet.
    pub fn news(&mut self) -> &mut DemoPassages {
        &mut self.news
    }

    /// Bytes that were taken and have not arrived; of datagrams, that have not left, or came and
    /// were not read: on a busy machine looks follow each other without a turn to read in between.
    pub fn missing(&self) -> Outcome<u64> {
        match &self.inbox {
            Inbox::InOrder(_) => Ok(self.departures.due_bytes() - self.inbox.read_bytes()),
            Inbox::Datagrams(_) => Ok(self.departures.unwritten_bytes() + self.receiver.unread()?),
        }
    }

    /// How its sender stands.
    pub fn state(&self, at_ns: u64) -> Outcome<SocketState> {
        self.sender.state(at_ns)
    }

    /// The sender's, the receiver's.
    pub fn sockets(&self) -> [BorrowedFd<'_>; 2] {
        [self.sender.as_fd(), self.receiver.as_fd()]
    }
}

fn broken(error: &std::io::Error) -> Fault {
    Fault::Failed(format!("the connection broke: {error}"))
}

fn ended() -> Fault {
    Fault::Failed("the connection was closed".into())
}
