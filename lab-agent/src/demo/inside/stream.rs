//! Messages over one lane's connection: each is written when it is due, as far
//! as the socket takes it, and stamped when the other end can read it whole.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::task::{Context, Poll};

use lab_proto::guest::{DemoPassages, MessageRead, MessageWritten};
use rustix::net::sockopt;
use tokio::net::TcpStream;

use super::schedule::Due;
use super::standstill::Standstill;
use crate::fault::{Doing, Fault, Outcome};
use crate::stream::clock::SECOND_NS;
use crate::stream::connection::{self, Connection};

/// What waits to be sent, in the socket too, is at most so old: a lane that
/// stands still falls silent, and does not tell old news for minutes afterwards.
const BACKLOG_NS: u64 = 5 * SECOND_NS;
const BACKLOG_BYTES: u64 = 1 << 20;

/// A message that the other end has not read wholly.
struct Message {
    number: u64,
    at_ns: u64,
    /// Offset in the stream after its last byte.
    end: u64,
    data: Arc<[u8]>,
}

impl Message {
    fn start(&self) -> u64 {
        self.end - self.data.len() as u64
    }

    /// Its bytes from `offset` of the stream on.
    fn from(&self, offset: u64) -> &[u8] {
        &self.data[(offset - self.start()) as usize..]
    }
}

/// See the module.
pub struct Stream {
    sender: TcpStream,
    receiver: TcpStream,
    under_way: VecDeque<Message>,
    accepted: u64,
    written: u64,
    read: u64,
    news: DemoPassages,
}

impl Stream {
    /// Over an open connection.
    pub fn new(connection: Connection) -> Outcome<Self> {
        let watched = |socket| {
            TcpStream::from_std(std::net::TcpStream::from(socket)).doing("watching a socket")
        };
        Ok(Self {
            sender: watched(connection.sender)?,
            receiver: watched(connection.receiver)?,
            under_way: VecDeque::new(),
            accepted: 0,
            written: 0,
            read: 0,
            news: DemoPassages::default(),
        })
    }

    /// Takes a message that is due, unless too much waits already.
    pub fn write(&mut self, due: &Due, at_ns: u64, standstill: &mut Standstill) -> Outcome<()> {
        if self.is_behind(at_ns)? {
            self.news.skipped.push(due.number);
            return Ok(());
        }
        self.accepted += due.data.len() as u64;
        self.under_way.push_back(Message {
            number: due.number,
            at_ns,
            end: self.accepted,
            data: Arc::clone(&due.data),
        });
        self.write_waiting()?;
        self.news.written.push(MessageWritten {
            number: due.number,
            at_ns,
            end: self.accepted,
            took_ns: standstill.now_ns().saturating_sub(at_ns),
        });
        Ok(())
    }

    fn is_behind(&self, now_ns: u64) -> Outcome<bool> {
        let is_old = |message: &Message| message.at_ns + BACKLOG_NS < now_ns;
        if !self.under_way.front().is_some_and(is_old) {
            return Ok(self.accepted - self.written > BACKLOG_BYTES);
        }
        // Old, but perhaps only the path is long.
        let sent = self.written - connection::unsent(&self.sender)? as u64;
        Ok(self
            .under_way
            .get(self.first_after(sent))
            .is_some_and(is_old))
    }

    /// The first message that has bytes after `offset` of the stream.
    fn first_after(&self, offset: u64) -> usize {
        self.under_way
            .partition_point(|message| message.end <= offset)
    }

    fn write_waiting(&mut self) -> Outcome<()> {
        while let Some(message) = self.under_way.get(self.first_after(self.written)) {
            match self.sender.try_write(message.from(self.written)) {
                Ok(taken) => self.written += taken as u64,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(broken(&error)),
            }
        }
        Ok(())
    }

    /// Whether there may be something to do.
    pub fn poll_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut ready = self.receiver.poll_read_ready(context).is_ready();
        ready |= self.sender.poll_read_ready(context).is_ready();
        if self.written < self.accepted {
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
    /// `Failed` when the connection is dead, or bytes arrived changed.
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
            match self.receiver.try_read(buffer) {
                Ok(0) => return Err(ended()),
                Ok(read) => {
                    let at_ns = standstill.now_ns();
                    self.take(&buffer[..read], at_ns, standstill.held_ns(at_ns))?;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(broken(&error)),
            }
        }
    }

    fn take(&mut self, mut bytes: &[u8], at_ns: u64, held_ns: u64) -> Outcome<()> {
        while !bytes.is_empty() {
            let message = self.under_way.front().ok_or_else(changed)?;
            let expected = message.from(self.read);
            let length = expected.len().min(bytes.len());
            if bytes[..length] != expected[..length] {
                return Err(changed());
            }
            bytes = &bytes[length..];
            self.read += length as u64;
            if self.read == message.end {
                let number = message.number;
                self.news.read.push(MessageRead {
                    number,
                    at_ns,
                    held_ns,
                });
                self.under_way.pop_front();
            }
        }
        Ok(())
    }

    /// What happened and was not told yet.
    pub fn news(&mut self) -> &mut DemoPassages {
        &mut self.news
    }

    /// Bytes that were taken and have not arrived.
    pub fn missing(&self) -> u64 {
        self.accepted - self.read
    }

    /// The sender's, the receiver's.
    pub fn sockets(&self) -> [BorrowedFd<'_>; 2] {
        [self.sender.as_fd(), self.receiver.as_fd()]
    }
}

/// Closed the ordinary way, a socket whose last packets are lost lives on for
/// minutes, and its namespace with it.
pub fn close_at_once(socket: BorrowedFd<'_>) -> Outcome<()> {
    sockopt::set_socket_linger(socket, Some(std::time::Duration::ZERO)).doing("setting up a socket")
}

fn broken(error: &std::io::Error) -> Fault {
    Fault::Failed(format!("the connection broke: {error}"))
}

fn ended() -> Fault {
    Fault::Failed("the connection was closed".into())
}

fn changed() -> Fault {
    Fault::Failed(
        "bytes arrived changed: a damaged packet passed TCP's checksum; lower corrupt_share".into(),
    )
}
