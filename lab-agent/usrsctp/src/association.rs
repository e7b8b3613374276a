//! One end of an association: its socket of the library, and the pair of sockets over which its
//! messages pass to and from whoever writes and reads.
// SPDX-License-Identifier: Apache-2.0
use std::io::{Error, Result};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socketpair,
};

use super::socket::{Place, Socket};
use super::{OFFSET_BYTES, Settings, wire};

/// How an end stands, for whoever writes at it.
#[derive(Default)]
pub struct Standing {
    /// Messages that the library has taken.
    pub taken: AtomicU64,
    /// Whether all of those are acknowledged.
    pub is_acknowledged: AtomicBool,
}

/// See the module.
pub struct Association {
    pub socket: Socket,
    pub place: Place,
    /// The stack's end of the pair.
    pub messages: OwnedFd,
    /// The other one, until it is handed out.
    others: Option<OwnedFd>,
    settings: Settings,
    standing: Arc<Standing>,
    /// Written, and the library had no room.
    unsent: Option<Vec<u8>>,
    /// Read, and the pair had no room, or it is not whole.
    unread: Vec<u8>,
    is_whole: bool,
}

impl Association {
    pub fn new(socket: Socket, place: Place, settings: Settings) -> Result<Self> {
        let (messages, others) = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
            None,
        )?;
        Ok(Self {
            socket,
            place,
            messages,
            others: Some(others),
            settings,
            standing: Arc::default(),
            unsent: None,
            unread: Vec::new(),
            is_whole: false,
        })
    }

    /// What its owner gets.
    pub fn hand_out(&mut self) -> Option<(OwnedFd, Arc<Standing>)> {
        Some((self.others.take()?, Arc::clone(&self.standing)))
    }

    /// What its messages are waited for.
    pub fn awaits(&self) -> PollFlags {
        let mut what = PollFlags::empty();
        if self.unsent.is_none() {
            what |= PollFlags::IN;
        }
        if self.is_whole {
            what |= PollFlags::OUT;
        }
        what
    }

    /// Passes on what there is; `buffer` has room for the longest message, and `has_messages` says
    /// whether any may have been written.
    ///
    /// # Errors
    /// When the association broke, or its owner let go of it.
    pub fn work(&mut self, has_messages: bool, buffer: &mut [u8]) -> Result<()> {
        if has_messages || self.unsent.is_some() {
            self.send(buffer)?;
        }
        self.receive(buffer)?;
        let Some((_, waiting)) = self.socket.standing() else {
            return Err(Error::from_raw_os_error(libc::ECONNRESET));
        };
        let is_acknowledged = waiting == 0 && self.unsent.is_none();
        self.standing
            .is_acknowledged
            .store(is_acknowledged, Ordering::Release);
        Ok(())
    }

    /// It is over: nothing more is sent, and its owner reads an end.
    pub fn end(&mut self) {
        wire::close(self.place);
    }

    fn send(&mut self, buffer: &mut [u8]) -> Result<()> {
        loop {
            if self.unsent.is_none() {
                match recv(&self.messages, &mut *buffer, RecvFlags::DONTWAIT) {
                    Ok((0, _)) => return Err(Error::from_raw_os_error(libc::EPIPE)),
                    Ok((length, _)) => self.unsent = Some(buffer[..length].to_vec()),
                    Err(Errno::AGAIN) => return Ok(()),
                    Err(error) => return Err(error.into()),
                }
            }
            let Some(message) = &self.unsent else {
                return Ok(());
            };
            let Some((&offset, bytes)) = message.split_first_chunk::<OFFSET_BYTES>() else {
                return Err(Error::from_raw_os_error(libc::EBADMSG));
            };
            let taken = self.standing.taken.load(Ordering::Relaxed);
            let stream = (taken % u64::from(self.settings.streams)) as u16;
            let is_unordered = self.settings.unordered;
            if !self.socket.send(stream, is_unordered, offset, bytes)? {
                return Ok(());
            }
            self.unsent = None;
            // In this order: whoever finds the number finds that it is not acknowledged.
            self.standing
                .is_acknowledged
                .store(false, Ordering::Release);
            self.standing.taken.store(taken + 1, Ordering::Release);
        }
    }

    fn receive(&mut self, buffer: &mut [u8]) -> Result<()> {
        loop {
            if self.is_whole {
                match send(
                    &self.messages,
                    &self.unread,
                    SendFlags::NOSIGNAL | SendFlags::DONTWAIT,
                ) {
                    Ok(_) => {}
                    Err(Errno::AGAIN) => return Ok(()),
                    Err(error) => return Err(error.into()),
                }
                self.unread.clear();
                self.is_whole = false;
            }
            let Some(message) = self.socket.receive(buffer)? else {
                return Ok(());
            };
            if self.unread.is_empty() {
                self.unread.extend(message.ppid);
            }
            self.unread.extend(&buffer[..message.length]);
            self.is_whole = message.is_end;
        }
    }
}
