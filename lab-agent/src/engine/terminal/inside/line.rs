//! The two ways of a terminal's line: keys to it, screens from it, neither ever
//! waited for; and which keys the screens answer.
// SPDX-License-Identifier: Apache-2.0
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use lab_proto::TerminalKeys;
use rustix::io::Errno;
use thinlab_trace::keystroke::{Answers, Key, KeyWay, Relayed};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::clock::now_ns;
use crate::endpoint::ssh::{Journal, Ssh};
use crate::fault::{Doing, Outcome};

/// One screen at most; what a pty holds is less.
const SCREEN_BYTES: usize = 16 << 10;

/// See the module.
pub struct Line {
    terminal: AsyncFd<OwnedFd>,
    journal: Arc<Mutex<Journal>>,
    answers: Answers,
    /// Keys that were handed over.
    keys: Vec<Key>,
    /// What the terminal has no room for yet.
    waiting: Vec<u8>,
    hung_up: bool,
}

impl Line {
    /// The line of an open terminal.
    pub fn new(ssh: &Ssh) -> Outcome<Self> {
        let terminal = ssh.terminal().get_ref().try_clone();
        let terminal = terminal.doing("watching the terminal")?;
        // Sound: an owned descriptor stays the same until it is dropped.
        #[allow(unsafe_code)]
        let terminal = unsafe { AsyncFd::register(terminal) }.doing("watching the terminal")?;
        Ok(Self {
            terminal,
            journal: Arc::clone(ssh.journal()),
            answers: Answers::default(),
            keys: Vec::new(),
            waiting: Vec::new(),
            hung_up: false,
        })
    }

    /// All keys so far.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Bytes that the terminal has no room for yet.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nobody has the other side of it open any more.
    pub fn has_hung_up(&self) -> bool {
        self.hung_up
    }

    /// Waits for something to show.
    pub async fn readable(&self) -> std::io::Result<()> {
        self.terminal.readable().await.map(drop)
    }

    /// Waits for room.
    pub async fn writable(&self) -> std::io::Result<()> {
        self.terminal.writable().await.map(drop)
    }

    /// Whether there may be something to read, where that can be shown, or to write.
    pub fn poll_ready(&self, context: &mut Context<'_>, shows: bool) -> Poll<()> {
        let mut ready = false;
        if shows && !self.hung_up {
            ready |= self.terminal.poll_read_ready(context).is_ready();
        }
        if !self.waiting.is_empty() {
            ready |= self.terminal.poll_write_ready(context).is_ready();
        }
        if ready {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }

    /// Types a key.
    pub fn type_key(&mut self, keys: &TerminalKeys) -> Outcome<()> {
        self.waiting.extend(&keys.data);
        // Before the write: SSH may have sent it when that returns.
        self.keys.push(Key {
            number: keys.number,
            at_ns: now_ns(),
        });
        self.write()
    }

    /// Types what nobody has typed: no key, and no line of its own.
    pub fn type_unseen(&mut self, data: &[u8]) -> Outcome<()> {
        self.waiting.extend(data);
        self.write()
    }

    /// Writes what there is room for.
    pub fn write(&mut self) -> Outcome<()> {
        while !self.waiting.is_empty() {
            let waiting = &self.waiting;
            let written = self
                .terminal
                .try_io(Interest::WRITABLE, |fd| Ok(rustix::io::write(fd, waiting)?));
            match written {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Its end is known in a moment, by `ended`.
                Err(error) if has_hung_up(&error) => self.waiting.clear(),
                Err(error) => return Err(error).doing("writing to the terminal"),
            }
        }
        Ok(())
    }

    /// What the terminal has to show; nothing, when there is nothing.
    pub fn screen(&mut self) -> Outcome<Vec<u8>> {
        let mut screen = vec![0; SCREEN_BYTES];
        let mut length = 0;
        while length < SCREEN_BYTES {
            let rest = &mut screen[length..];
            let read = self
                .terminal
                .try_io(Interest::READABLE, |fd| Ok(rustix::io::read(fd, rest)?));
            match read {
                Ok(0) => {
                    self.hung_up = true;
                    break;
                }
                Ok(read) => length += read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if has_hung_up(&error) => {
                    self.hung_up = true;
                    break;
                }
                Err(error) => return Err(error).doing("reading from the terminal"),
            }
        }
        screen.truncate(length);
        Ok(screen)
    }

    /// The highest key that was answered by `at_ns`.
    pub fn answered(&mut self, at_ns: u64) -> u32 {
        self.newly_answered(at_ns);
        self.answers.highest()
    }

    /// The ways of the keys that were answered by `at_ns` and not at the last
    /// call.
    pub fn newly_answered(&mut self, at_ns: u64) -> Vec<KeyWay> {
        let journal = self.journal.lock();
        let journal = journal.expect("nothing panics while holding it");
        self.answers.newly_by(at_ns, &self.keys, &relayed(&journal))
    }

    /// The highest key that was answered so far.
    pub fn highest_answered(&self) -> u32 {
        self.answers.highest()
    }
}

/// The relays' journal as the join takes it.
pub fn relayed(journal: &Journal) -> Relayed<'_> {
    Relayed {
        key_written: &journal.sender.written,
        key_delivered: &journal.receiver.delivered,
        echo_written: &journal.receiver.written,
        echo_delivered: &journal.sender.delivered,
    }
}

/// Nobody has the other side of the terminal open any more.
fn has_hung_up(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(Errno::IO.raw_os_error())
}
