//! One end of a lane's connection that the runtime watches: TCP's, an association's of SCTP in
//! which all messages go in order, or a socket for datagrams. What passes is a stream of bytes,
//! of which datagrams say where they belong.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll};

use lab_proto::{Sctp, SocketState};
use rustix::io::ioctl_fionread;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::connection::{self, Connection};
use super::sctp::Piece;
use super::{lite, sctp, tcp_info, udp};
use crate::fault::{Doing, Fault, Outcome};

/// A longer write leaves as several messages of SCTP, each of which fits into a packet: so each
/// is a chunk, and the kernel counts chunks.
const MESSAGE_BYTES: usize = 1400;

/// See the module.
pub struct Watched {
    socket: AsyncFd<OwnedFd>,
    kind: Kind,
}

/// What each protocol wants to know of what is written.
enum Kind {
    Tcp,
    Sctp(Mutex<Association>),
    /// Bytes that were written.
    Datagrams(AtomicU64),
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
        let kind = association.map_or(Kind::Tcp, |settings| {
            Kind::Sctp(Mutex::new(Association {
                settings,
                ..Association::default()
            }))
        });
        Self::of(socket, kind)
    }

    fn of(socket: OwnedFd, kind: Kind) -> Outcome<Self> {
        // Sound: an owned descriptor stays the same until it is dropped.
        #[allow(unsafe_code)]
        let socket = unsafe { AsyncFd::register(socket) }.doing("watching a socket")?;
        Ok(Self { socket, kind })
    }

    /// Both ends of a connection: the one that writes, the one that reads.
    pub fn ends(connection: Connection) -> Outcome<[Self; 2]> {
        let (protocol, association) = (connection.protocol(), connection.sctp());
        let ends = [connection.sender, connection.receiver];
        let [sender, receiver] = ends.map(|end| {
            if protocol.is_of_datagrams() {
                Self::of(end, Kind::Datagrams(AtomicU64::default()))
            } else {
                Self::new(end, association)
            }
        });
        Ok([sender?, receiver?])
    }

    /// Whether what passes are datagrams.
    pub fn is_of_datagrams(&self) -> bool {
        matches!(self.kind, Kind::Datagrams(_))
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

    /// The same of who takes what came damaged, and datagrams: where in the stream what was read
    /// belongs, if it says so; `told` is what of it the socket calls damaged, which TCP Lite
    /// does. A buffer has room for the longest datagram.
    ///
    /// # Errors
    /// `WouldBlock` when nothing is there, `UnexpectedEof` when the other end has closed.
    pub fn try_read_piece(
        &self,
        buffer: &mut [u8],
        told: &mut Vec<Range<usize>>,
    ) -> io::Result<Piece> {
        told.clear();
        let (length, offset) = match &self.kind {
            Kind::Tcp => {
                let read = |socket: &OwnedFd| lite::read(socket, buffer, told);
                (self.socket.try_io(Interest::READABLE, read)?, None)
            }
            Kind::Sctp(_) => (self.try_read(buffer)?, None),
            Kind::Datagrams(_) => {
                let read = |socket: &OwnedFd| udp::try_read(socket, buffer);
                return self.socket.try_io(Interest::READABLE, read);
            }
        };
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Piece { length, offset })
    }

    /// Writes what the socket takes, a message at most of SCTP, and all or nothing of a datagram.
    ///
    /// # Errors
    /// `WouldBlock` when it takes nothing now.
    pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.socket
            .try_io(Interest::WRITABLE, |socket| match &self.kind {
                Kind::Tcp => {
                    let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
                    Ok(send(socket, bytes, flags)?)
                }
                Kind::Sctp(association) => open(association).write(socket, bytes),
                Kind::Datagrams(written_bytes) => {
                    let offset = written_bytes.load(Ordering::Relaxed);
                    let written = udp::try_write(socket, offset, bytes)?;
                    written_bytes.fetch_add(written as u64, Ordering::Relaxed);
                    Ok(written)
                }
            })
    }

    /// Bytes that came and were not read yet; of datagrams, those of the next one.
    pub fn unread(&self) -> Outcome<u64> {
        ioctl_fionread(&self.socket).doing("asking what is unread")
    }

    /// Bytes that were written and were not sent once yet.
    pub fn unsent(&self) -> Outcome<usize> {
        match &self.kind {
            Kind::Tcp => connection::unsent(&self.socket),
            Kind::Sctp(association) => open(association).unsent(&self.socket),
            // What the socket took has left.
            Kind::Datagrams(_) => Ok(0),
        }
    }

    /// Asks the kernel how the connection stands now, at `at_ns`.
    ///
    /// # Errors
    /// `Failed` where the kernel does not tell: of datagrams it knows nothing.
    pub fn state(&self, at_ns: u64) -> Outcome<SocketState> {
        match &self.kind {
            Kind::Tcp => tcp_info::state(&self.socket, at_ns),
            Kind::Sctp(association) => Ok(SocketState {
                unsent_bytes: open(association).unsent(&self.socket)? as u64,
                ..sctp::state(&self.socket, at_ns)?
            }),
            Kind::Datagrams(_) => Err(Fault::Failed("datagrams have no connection".into())),
        }
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
