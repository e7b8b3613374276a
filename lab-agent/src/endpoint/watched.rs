//! One end of a lane's connection that the runtime watches: TCP's, or an association's of SCTP
//! in which all messages go in order. What passes is a stream of bytes in either case.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll};

use lab_proto::{Sctp, SocketState};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::connection::{self, Connection};
use super::{sctp, tcp_info};
use crate::fault::{Doing, Outcome};

/// A longer write leaves as several messages of SCTP, each of which fits into a packet: so each
/// is a chunk, and the kernel counts chunks.
const MESSAGE_BYTES: usize = 1400;

/// See the module.
pub struct Watched {
    socket: AsyncFd<OwnedFd>,
    /// None: it is TCP's.
    association: Option<Mutex<Association>>,
}

/// What was written to a socket of SCTP.
#[derive(Default)]
struct Association {
    settings: Sctp,
    messages: u64,
    bytes: u64,
    /// Messages that had left when it was last asked.
    left: u64,
    /// Of those behind them, the lengths.
    waiting: VecDeque<usize>,
}

impl Watched {
    /// A socket that never waits; `association` is what it was told, if it is SCTP's.
    pub fn new(socket: OwnedFd, association: Option<Sctp>) -> Outcome<Self> {
        // Sound: an owned descriptor stays the same until it is dropped.
        #[allow(unsafe_code)]
        let socket = unsafe { AsyncFd::register(socket) }.doing("watching a socket")?;
        let association = association.map(|settings| {
            Mutex::new(Association {
                settings,
                ..Association::default()
            })
        });
        Ok(Self {
            socket,
            association,
        })
    }

    /// Both ends of a connection: the one that writes, the one that reads.
    pub fn ends(connection: Connection) -> Outcome<[Self; 2]> {
        let association = connection.sctp();
        let ends = [connection.sender, connection.receiver];
        let [sender, receiver] = ends.map(|end| Self::new(end, association));
        Ok([sender?, receiver?])
    }

    /// Waits until there may be something to read.
    pub async fn readable(&self) -> io::Result<()> {
        self.socket.readable().await.map(drop)
    }

    /// Waits until there may be room.
    pub async fn writable(&self) -> io::Result<()> {
        self.socket.writable().await.map(drop)
    }

    /// Whether there may be something to read.
    pub fn poll_read_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        self.socket.poll_read_ready(context).map(drop)
    }

    /// Whether there may be room.
    pub fn poll_write_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        self.socket.poll_write_ready(context).map(drop)
    }

    /// Reads what is there, a message at most of SCTP; 0: the other end has closed.
    ///
    /// # Errors
    /// `WouldBlock` when nothing is there.
    pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.socket.try_io(Interest::READABLE, |socket| {
            let (read, _) = recv(socket, &mut *buffer, RecvFlags::DONTWAIT)?;
            Ok(read)
        })
    }

    /// Writes what the socket takes, a message at most of SCTP.
    ///
    /// # Errors
    /// `WouldBlock` when it takes nothing now.
    pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.try_io(Interest::WRITABLE, |socket| {
            if let Some(association) = &self.association {
                return open(association).write(socket, bytes);
            }
            let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
            Ok(send(socket, bytes, flags)?)
        })
    }

    /// Bytes that were written and were not sent once yet.
    pub fn unsent(&self) -> Outcome<usize> {
        match &self.association {
            Some(association) => open(association).unsent(&self.socket),
            None => connection::unsent(&self.socket),
        }
    }

    /// Asks the kernel how the connection stands now, at `at_ns`.
    pub fn state(&self, at_ns: u64) -> Outcome<SocketState> {
        let Some(association) = &self.association else {
            return tcp_info::state(&self.socket, at_ns);
        };
        Ok(SocketState {
            unsent_bytes: open(association).unsent(&self.socket)? as u64,
            ..sctp::state(&self.socket, at_ns)?
        })
    }
}

impl AsFd for Watched {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Association {
    fn write(&mut self, socket: &OwnedFd, bytes: &[u8]) -> io::Result<usize> {
        let message = &bytes[..bytes.len().min(MESSAGE_BYTES)];
        let place = (self.messages, self.bytes);
        let written = sctp::try_write(socket, &self.settings, place, message)?;
        self.messages += 1;
        self.bytes += written as u64;
        self.waiting.push_back(written);
        Ok(written)
    }

    /// The kernel counts chunks that left, and each message is one.
    fn unsent(&mut self, socket: impl AsFd) -> Outcome<usize> {
        let left = sctp::chunks_sent(socket)?;
        let newly = left.saturating_sub(self.left) as usize;
        self.waiting.drain(..newly.min(self.waiting.len()));
        self.left = left;
        Ok(self.waiting.iter().sum())
    }
}

fn open(association: &Mutex<Association>) -> MutexGuard<'_, Association> {
    association.lock().expect("nothing panics while holding it")
}
