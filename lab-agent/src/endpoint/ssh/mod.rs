//! A terminal over a lane: Debian's OpenSSH from the lane's sender to its
//! receiver, and an editor on one text. Both processes are confined; the agent
//! holds the connection between them, of the lane's protocol.
//!
//! ```text
//! keys →  terminal ─ ssh ─ 127.0.0.1 ─ relay ═ lane ═ relay ─ socket ─ sshd ─ terminal ─ editor
//! screen ←         └ own namespaces ┘                               └ own namespaces, own root ┘
//! ```
// SPDX-License-Identifier: Apache-2.0
mod client;
mod confine;
mod idle;
mod journal;
mod keys;
mod limits;
mod relay;
mod root;
mod server;
mod share;
mod task;

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lab_proto::SocketState;
use rustix::fs::{AtFlags, FileType, MemfdFlags, Mode, OFlags, memfd_create, openat, unlinkat};
use tokio::io::unix::AsyncFd;
use tokio::net::{TcpListener, UnixStream};
use tokio::task::JoinSet;

use crate::fault::{Doing, Fault, Outcome};
use crate::lane::Lane;
pub use journal::Journal;
use keys::KeyPair;
pub use limits::Limits;
use relay::{ScreenBound, Sockets};
use task::TEXT;
pub use task::Task;

/// Users from here on; each session takes two, and none is ever taken again.
const FIRST_USER: u32 = 100_000;
/// Longer than any editor takes to draw its first screen.
const OPENING_LIMIT: Duration = Duration::from_mins(1);
/// Between two looks whether the first screen is complete.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// What hands a key on from one process to the next is seen by one of two looks.
const IDLE_LOOKS: u32 = 2;
/// The client's, when the connection broke.
const CONNECTION_LOST: i32 = 255;
/// The editor's starter adds it to the signal that ended the editor.
const ENDED_BY_SIGNAL: i32 = 128;
const COMPLAINT_BYTES: usize = 2000;

/// How a terminal ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The user left the editor, which gave this status.
    Left {
        /// 0 when all was well.
        status: i32,
    },
    /// One of the [`Limits`] ended it.
    Limit {
        /// Which one.
        reason: String,
    },
    /// The connection broke.
    Lost {
        /// What OpenSSH said.
        reason: String,
    },
}

/// A running terminal. Dropping it kills and reaps all of it.
pub struct Ssh {
    client: confine::Process,
    server: confine::Process,
    terminal: AsyncFd<OwnedFd>,
    first_screen: Vec<u8>,
    home: OwnedFd,
    text_bytes: u64,
    sockets: Sockets,
    journal: Arc<Mutex<Journal>>,
    bound: Arc<ScreenBound>,
    complaints: Complaints,
    _relays: JoinSet<()>,
}

impl Ssh {
    /// Opens a terminal over the lane, and returns when the user is logged in and
    /// the editor has drawn its first screen.
    ///
    /// # Errors
    /// `Unsupported` on a host that was booted without a terminal's image.
    pub async fn open(lane: &Lane, task: &Task) -> Outcome<Self> {
        root::check_image()?;
        let opening = tokio::time::timeout(OPENING_LIMIT, Self::start(lane, task));
        opening.await.unwrap_or_else(|_| {
            Err(Fault::Failed(format!(
                "the editor's first screen did not come in {} s",
                OPENING_LIMIT.as_secs()
            )))
        })
    }

    async fn start(lane: &Lane, task: &Task) -> Outcome<Self> {
        let user = NEXT_USER.fetch_add(2, Ordering::Relaxed);
        let (host_key, user_key) = (KeyPair::make()?, KeyPair::make()?);
        let complaints = Complaints::new()?;
        let (host_public, user_public) = (host_key.public.clone(), user_key.public.clone());
        let (sockets, server, client) = tokio::try_join!(
            Sockets::open(lane),
            server::start(server::Wanted {
                user,
                editor: task.editor,
                text: task.text.clone(),
                host_key,
                user_key: user_public,
                limits: task.limits,
                errors: complaints.descriptor()?,
            }),
            client::start(client::Wanted {
                user: user + 1,
                columns: task.columns,
                rows: task.rows,
                user_key,
                host_key: host_public,
                errors: complaints.descriptor()?,
            }),
        )?;
        let listener =
            TcpListener::from_std(client.listener).doing("waiting for a terminal's client")?;
        let (near, _) = listener
            .accept()
            .await
            .doing("waiting for a terminal's client")?;
        near.set_nodelay(true)
            .doing("switching Nagle's algorithm off")?;
        let far = UnixStream::from_std(server.socket).doing("reaching a terminal's server")?;
        let journal = Arc::new(Mutex::new(Journal::default()));
        let bound = Arc::new(ScreenBound::new(task.limits.screen_bytes));
        let mut relays = JoinSet::new();
        relay::start(
            &mut relays,
            near,
            &sockets.sender,
            &journal,
            journal::End::Sender,
            None,
        );
        relay::start(
            &mut relays,
            far,
            &sockets.receiver,
            &journal,
            journal::End::Receiver,
            Some(Arc::clone(&bound)),
        );
        // Sound: the descriptor stays the same until it is dropped.
        #[allow(unsafe_code)]
        let terminal =
            unsafe { AsyncFd::register(client.terminal) }.doing("watching a terminal")?;
        let mut ssh = Self {
            client: client.process,
            server: server.process,
            terminal,
            first_screen: Vec::new(),
            home: server.handles.home,
            text_bytes: task.limits.home_bytes,
            sockets,
            journal,
            bound,
            complaints,
            _relays: relays,
        };
        ssh.wait_for_first_screen().await?;
        forget_login(&server.handles.root)?;
        Ok(ssh)
    }

    async fn wait_for_first_screen(&mut self) -> Outcome<()> {
        let mut screen = self.first_output().await?;
        // Nobody but the editor draws: all are there.
        let first = [self.client.id(), self.server.id()];
        let processes =
            tokio::task::spawn_blocking(move || idle::Processes::with_descendants(&first))
                .await
                .map_err(|error| Fault::Failed(format!("{error} while looking for an editor")))?;
        let mut idle_looks = 0;
        while idle_looks < IDLE_LOOKS {
            tokio::select! {
                biased;
                read = read_some(&self.terminal) => {
                    screen.extend(read?);
                    idle_looks = 0;
                }
                () = tokio::time::sleep(LOOK_EVERY) => {
                    let idle = processes.sleep() && journal::open(&self.journal).all_arrived();
                    idle_looks = if idle { idle_looks + 1 } else { 0 };
                }
            }
        }
        self.first_screen = screen;
        Ok(())
    }

    async fn first_output(&mut self) -> Outcome<Vec<u8>> {
        tokio::select! {
            read = read_some(&self.terminal) => read,
            ended = self.client.ended() => {
                ended?;
                Err(Fault::Failed(format!(
                    "the terminal ended before its first screen; OpenSSH said: {}",
                    self.complaints.text()
                )))
            }
        }
    }

    /// What the editor drew first; once.
    pub fn first_screen(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.first_screen)
    }

    /// Keys are written here, the screen is read here; never blocks.
    pub fn terminal(&self) -> &AsyncFd<OwnedFd> {
        &self.terminal
    }

    /// Waits until the terminal ends by itself.
    pub async fn ended(&mut self) -> Outcome<Ended> {
        let status = self.client.ended().await?;
        if self.bound.passed() {
            return Ok(Ended::Limit {
                reason: "more was written to the screen than a terminal may".into(),
            });
        }
        Ok(match status.code() {
            Some(CONNECTION_LOST) | None => Ended::Lost {
                reason: self.complaints.text(),
            },
            Some(code) if code > ENDED_BY_SIGNAL => Ended::Limit {
                reason: format!("signal {} ended the editor", code - ENDED_BY_SIGNAL),
            },
            Some(status) => Ended::Left { status },
        })
    }

    /// The text as it was last saved.
    pub fn text(&self) -> Outcome<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.home, TEXT, flags, Mode::empty()).doing("opening the text")?;
        let kind = rustix::fs::fstat(&file).doing("looking at the text")?;
        if FileType::from_raw_mode(kind.st_mode) != FileType::RegularFile {
            return Err(Fault::Failed("the text is no file any more".into()));
        }
        let mut text = Vec::new();
        std::io::Read::read_to_end(
            &mut std::io::Read::take(std::fs::File::from(file), self.text_bytes),
            &mut text,
        )
        .doing("reading the text")?;
        Ok(text)
    }

    /// When bytes were written and delivered, at both ends.
    pub fn journal(&self) -> &Arc<Mutex<Journal>> {
        &self.journal
    }

    /// How the client's end of the connection on the lane stands.
    pub fn state(&self, at_ns: u64) -> Outcome<SocketState> {
        self.sockets.sender.state(at_ns)
    }

    /// The sockets on the lane: the sender's, the receiver's.
    pub fn sockets(&self) -> [BorrowedFd<'_>; 2] {
        [self.sockets.sender.as_fd(), self.sockets.receiver.as_fd()]
    }
}

static NEXT_USER: AtomicU32 = AtomicU32::new(FIRST_USER);

/// Whoever is logged in needs none of this: the editor's root has the editor.
fn forget_login(root: &OwnedFd) -> Outcome<()> {
    for name in server::FOR_LOGIN {
        unlinkat(root, format!("etc/{name}"), AtFlags::empty())
            .doing(format!("removing {name} from a terminal"))?;
    }
    Ok(())
}

async fn read_some(terminal: &AsyncFd<OwnedFd>) -> Outcome<Vec<u8>> {
    let mut buffer = vec![0; 4096];
    loop {
        let mut guard = terminal.readable().await.doing("reading a terminal")?;
        let read = guard.try_io(|line| {
            rustix::io::read(line.get_ref(), &mut buffer[..]).map_err(std::io::Error::from)
        });
        match read {
            Ok(Ok(read)) => {
                buffer.truncate(read);
                return Ok(buffer);
            }
            // The other side is closed; its end says more.
            Ok(Err(_)) => std::future::pending().await,
            Err(_) => {}
        }
    }
}

/// What OpenSSH says when something is wrong: a file in memory, which both ends
/// write to.
struct Complaints {
    file: OwnedFd,
}

impl Complaints {
    fn new() -> Outcome<Self> {
        let file = memfd_create("complaints", MemfdFlags::CLOEXEC)
            .doing("making a place for OpenSSH's messages")?;
        Ok(Self { file })
    }

    fn descriptor(&self) -> Outcome<OwnedFd> {
        self.file
            .try_clone()
            .doing("copying a place for OpenSSH's messages")
    }

    fn text(&self) -> String {
        let mut bytes = vec![0; COMPLAINT_BYTES];
        let read = rustix::io::pread(&self.file, &mut bytes[..], 0).unwrap_or(0);
        String::from_utf8_lossy(&bytes[..read]).trim().to_owned()
    }
}
