//! A terminal while somebody types: keys to SSH, screens from it, at once and
//! one by one.
// SPDX-License-Identifier: Apache-2.0
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lab_proto::guest::terminal_order::Order;
use lab_proto::guest::terminal_report::Report;
use lab_proto::guest::{ScreenRead, TerminalOrder};
use lab_proto::{TerminalEnd, TerminalKeys, TerminalScreen};
use rustix::io::Errno;
use thinlab_trace::keystroke::{Answers, Key, Relayed};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc::Permit;
use tonic::{Status, Streaming};

use super::ends::{self, Ends};
use super::{Outlet, TerminalReport};
use crate::fault::{Doing, Fault, Outcome};
use crate::stream::clock::now_ns;
use crate::stream::ssh::{Ended, Journal, Ssh};

/// One screen at most; what a pty holds is less.
const SCREEN_BYTES: usize = 16 << 10;

/// What was typed and shown so far, and the terminal itself.
pub struct Pump {
    terminal: AsyncFd<OwnedFd>,
    journal: Arc<Mutex<Journal>>,
    answers: Answers,
    /// Keys that the terminal has taken.
    pub keys: Vec<Key>,
    pub screens: Vec<ScreenRead>,
    /// What the terminal has no room for yet.
    waiting: Vec<u8>,
    hung_up: bool,
}

/// A place for a report, and whatever there is to read.
type Readable<'a> = Permit<'a, Result<TerminalReport, Status>>;

impl Pump {
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
            screens: Vec::new(),
            waiting: Vec::new(),
            hung_up: false,
        })
    }

    /// Passes on what the editor drew before anybody typed.
    pub async fn show_first(&mut self, screen: Vec<u8>, reports: &Outlet) -> Outcome<()> {
        let room = reports.reserve().await.map_err(|_| gone())?;
        self.show(room, screen);
        Ok(())
    }

    /// Until the editor, the caller or the limit ends it.
    pub async fn run(
        &mut self,
        ssh: &mut Ssh,
        ends: &mut Ends,
        orders: &mut Streaming<TerminalOrder>,
        reports: &Outlet,
        limit_ns: u64,
    ) -> Outcome<End> {
        let limit = tokio::time::sleep(Duration::from_nanos(limit_ns));
        let ended = ssh.ended();
        tokio::pin!(limit, ended);
        let mut look = ends::looks();
        loop {
            tokio::select! {
                biased;
                order = orders.message(), if self.waiting.is_empty() => {
                    match order.map_err(|_| gone())?.ok_or_else(gone)?.order {
                        Some(Order::Keys(keys)) => self.type_key(keys)?,
                        Some(Order::Finish(_)) => return Ok(End::of(TerminalEnd::Finished)),
                        Some(Order::Start(_)) | None => {}
                    }
                }
                room = readable(&self.terminal, reports), if !self.hung_up => self.read(room?)?,
                ended = &mut ended => return Ok(end(ended?)),
                () = &mut limit => return Ok(End::of(TerminalEnd::Limit)),
                room = self.terminal.writable(), if !self.waiting.is_empty() => {
                    room.map(drop).doing("waiting for room in the terminal")?;
                    self.write()?;
                }
                _ = look.tick() => {}
            }
            ends.drain()?;
        }
    }

    /// Types what nobody has typed: no key, and no line of its own.
    pub fn type_unseen(&mut self, data: &[u8]) -> Outcome<()> {
        self.waiting.extend(data);
        self.write()
    }

    fn type_key(&mut self, keys: TerminalKeys) -> Outcome<()> {
        self.waiting = keys.data;
        // Before the write: SSH may have sent it when that returns.
        self.keys.push(Key {
            number: keys.number,
            at_ns: now_ns(),
        });
        self.write()
    }

    fn write(&mut self) -> Outcome<()> {
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

    /// Passes on what the terminal has to show.
    fn read(&mut self, room: Readable<'_>) -> Outcome<()> {
        let screen = self.screen()?;
        self.show(room, screen);
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

    fn show(&mut self, room: Readable<'_>, data: Vec<u8>) {
        if data.is_empty() {
            return;
        }
        let at_ns = now_ns();
        let number = self.screens.len() as u32 + 1;
        self.screens.push(ScreenRead { number, at_ns });
        let screen = TerminalScreen {
            number,
            data,
            answers_key: self.answered(at_ns),
            at_ns,
        };
        room.send(Ok(TerminalReport {
            report: Some(Report::Screen(screen)),
        }));
    }

    fn answered(&mut self, at_ns: u64) -> u32 {
        let journal = self.journal.lock();
        let journal = journal.expect("nothing panics while holding it");
        self.answers.by(at_ns, &self.keys, &relayed(&journal))
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

/// Waits for something to read and for a place to put it: a caller who does not
/// read stops the editor, not the guest.
async fn readable<'a>(terminal: &AsyncFd<OwnedFd>, reports: &'a Outlet) -> Outcome<Readable<'a>> {
    let room = reports.reserve().await.map_err(|_| gone())?;
    let readable = terminal.readable().await.map(drop);
    readable.doing("watching the terminal").map(|()| room)
}

/// Nobody has the other side of the terminal open any more.
fn has_hung_up(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(Errno::IO.raw_os_error())
}

/// How a terminal ended.
pub struct End {
    pub kind: TerminalEnd,
    /// Where there is more to say.
    pub reason: String,
}

impl End {
    fn of(kind: TerminalEnd) -> Self {
        let reason = String::new();
        Self { kind, reason }
    }

    /// Whether SSH and the editor are still there.
    pub fn is_live(&self) -> bool {
        let by_itself = matches!(self.kind, TerminalEnd::Finished | TerminalEnd::Limit);
        by_itself && self.reason.is_empty()
    }
}

fn end(ended: Ended) -> End {
    let (kind, reason) = match ended {
        Ended::Left { status: 0 } => (TerminalEnd::EditorLeft, String::new()),
        Ended::Left { status } => (TerminalEnd::EditorLeft, format!("its status was {status}")),
        Ended::Lost { reason } => (TerminalEnd::ConnectionLost, reason),
        Ended::Limit { reason } => (TerminalEnd::Limit, reason),
    };
    End { kind, reason }
}

fn gone() -> Fault {
    Fault::Failed("the caller went away".into())
}
