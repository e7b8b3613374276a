//! A terminal over one lane. Every key goes to all of them; when an echo came,
//! it is joined to its key as in a terminal that somebody has alone.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::BorrowedFd;
use std::pin::pin;
use std::task::{Context, Poll};

use lab_proto::guest::{DemoPassages, EchoRead, KeyWrite};
use lab_proto::{SocketState, TerminalKeys, TerminalScreen, TerminalTask};

use crate::clock::now_ns;
use crate::endpoint::ssh::{Ended, Limits, Ssh, Task};
use crate::engine::terminal::inside::line::Line;
use crate::fault::{Fault, Outcome};
use crate::lane::Lane;

/// A lane that stands still takes no more keys than this, far more than anybody
/// types while looking at it.
const MOST_WAITING_BYTES: usize = 16 << 10;
/// A take may last a day, a task of a study minutes.
const SCREEN_BYTES: u64 = 1 << 30;
const PROCESSOR_S: u64 = 3600;

/// See the module.
pub struct Terminal {
    ssh: Ssh,
    line: Line,
    screens: u32,
    first_screen: Vec<u8>,
    ended: Option<Outcome<Ended>>,
    news: DemoPassages,
}

impl Terminal {
    /// Logs in over the lane and starts the editor.
    pub async fn open(lane: &Lane, wanted: &TerminalTask) -> Outcome<Self> {
        let limits = Limits {
            screen_bytes: SCREEN_BYTES,
            processor_s: PROCESSOR_S,
            ..Limits::default()
        };
        let mut ssh = Ssh::open(lane, &Task::new(wanted, limits)).await?;
        Ok(Self {
            line: Line::new(&ssh)?,
            first_screen: ssh.first_screen(),
            ssh,
            screens: 0,
            ended: None,
            news: DemoPassages::default(),
        })
    }

    /// Types a key, unless too many wait already.
    pub fn type_key(&mut self, keys: &TerminalKeys) -> Outcome<()> {
        if self.line.waiting() + keys.data.len() > MOST_WAITING_BYTES {
            self.news.skipped.push(keys.number.into());
            return Ok(());
        }
        self.line.type_key(keys)
    }

    /// See [`super::application::Application::poll_ready`].
    pub fn poll_ready(&mut self, context: &mut Context<'_>, shows: bool) -> Poll<()> {
        if self.ended.is_none()
            && let Poll::Ready(ended) = pin!(self.ssh.ended()).poll(context)
        {
            self.ended = Some(ended);
            return Poll::Ready(());
        }
        if shows && !self.first_screen.is_empty() {
            return Poll::Ready(());
        }
        self.line.poll_ready(context, shows)
    }

    /// Writes what there is room for; gives what is to be shown.
    ///
    /// # Errors
    /// `Failed` when the terminal has ended.
    pub fn work(&mut self, shows: bool) -> Outcome<Option<TerminalScreen>> {
        self.line.write()?;
        if let Some(ended) = self.ended.take() {
            return Err(over(ended?));
        }
        if !shows {
            return Ok(None);
        }
        let mut data = std::mem::take(&mut self.first_screen);
        data.extend(self.line.screen()?);
        if data.is_empty() {
            return Ok(None);
        }
        let at_ns = now_ns();
        for way in self.line.newly_answered(at_ns) {
            let number = way.number;
            let key = way.key.expect("what has an echo was sent");
            self.news.keys.push(KeyWrite {
                number,
                at_ns: key.written_ns,
            });
            self.news.echoes.push(EchoRead { key: number, at_ns });
        }
        self.screens += 1;
        Ok(Some(TerminalScreen {
            number: self.screens,
            data,
            answers_key: self.line.highest_answered(),
            at_ns,
        }))
    }

    /// What happened and was not told yet.
    pub fn news(&mut self) -> &mut DemoPassages {
        &mut self.news
    }

    /// How the client's end of its connection stands.
    pub fn state(&self, at_ns: u64) -> Outcome<SocketState> {
        self.ssh.state(at_ns)
    }

    /// The client's, the server's.
    pub fn sockets(&self) -> [BorrowedFd<'_>; 2] {
        self.ssh.sockets()
    }
}

fn over(ended: Ended) -> Fault {
    Fault::Failed(match ended {
        Ended::Left { .. } => "the editor was left: its command to quit goes to every lane".into(),
        Ended::Limit { reason } => format!("the terminal has used up what it may: {reason}"),
        Ended::Lost { reason } => format!("the connection broke: {reason}"),
    })
}
