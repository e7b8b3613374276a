//! The near end: OpenSSH's client on a terminal, its connection taken by the
//! agent on the loopback interface of the client's own network.
// SPDX-License-Identifier: Apache-2.0
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, unlockpt};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
};

use super::confine::{self, Confined, Process, Standard};
use super::keys::KeyPair;
use super::limits::Limits;
use super::root::Contents;
use super::task::TERM;
use crate::fault::{Doing, Outcome};
use crate::lane;

/// Where the client connects to, on its own loopback (`ssh_config`).
const PORT: u16 = 22;
/// A character that a terminal's line never takes for a command.
const NO_CHARACTER: u8 = 0;

/// What the client is to be.
pub struct Wanted {
    /// Who it runs as.
    pub user: u32,
    /// Size of the screen.
    pub columns: u16,
    /// Size of the screen.
    pub rows: u16,
    /// What the client shows to be the user.
    pub user_key: KeyPair,
    /// The public key of the only server that it trusts.
    pub host_key: String,
    /// Where complaints go.
    pub errors: OwnedFd,
}

/// A running client.
pub struct Client {
    /// Its process.
    pub process: Process,
    /// The terminal's other side: keys in, screen out.
    pub terminal: OwnedFd,
    /// Where it connects to.
    pub listener: TcpListener,
}

/// Starts it.
pub async fn start(wanted: Wanted) -> Outcome<Client> {
    let confined = Confined {
        name: "ssh client",
        contents: Contents {
            side: "client",
            user: wanted.user,
            etc: vec![
                ("user_key", wanted.user_key.private),
                (
                    "known_hosts",
                    format!("{} {}\n", Ipv4Addr::LOCALHOST, wanted.host_key).into_bytes(),
                ),
            ],
            home: None,
            terminals: 1,
        },
        program: "/bin/ssh",
        arguments: ["-F", "/etc/ssh_config", "terminal"]
            .map(str::to_owned)
            .into(),
        environment: vec![("TERM", TERM), ("HOME", "/home")],
        limits: Limits::default(),
        processes: 1,
        share: None,
    };
    let size = Winsize {
        ws_row: wanted.rows,
        ws_col: wanted.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let errors = wanted.errors;
    let started = confine::start(confined, listen, move || terminal(size, errors)).await?;
    Ok(Client {
        process: started.process,
        terminal: started.ours,
        listener: started.made,
    })
}

fn listen() -> Outcome<TcpListener> {
    lane::switch_loopback_on()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, PORT))
        .doing("listening for a terminal's client")?;
    listener
        .set_nonblocking(true)
        .doing("listening for a terminal's client")?;
    Ok(listener)
}

/// A terminal for standard input and output, and its other side.
fn terminal(size: Winsize, errors: OwnedFd) -> Outcome<(Standard, OwnedFd)> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let ours = rustix::fs::open("/dev/ptmx", flags, Mode::empty()).doing("opening a terminal")?;
    unlockpt(&ours).doing("unlocking a terminal")?;
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let theirs = ioctl_tiocgptpeer(&ours, flags).doing("opening a terminal's line")?;
    tcsetwinsize(&theirs, size).doing("giving a terminal its size")?;
    let mut mode = tcgetattr(&theirs).doing("reading a terminal's mode")?;
    // The server's terminal gets the same: no key there is a signal.
    mode.local_modes.remove(LocalModes::ECHO);
    for key in [
        SpecialCodeIndex::VINTR,
        SpecialCodeIndex::VQUIT,
        SpecialCodeIndex::VSUSP,
    ] {
        mode.special_codes[key] = NO_CHARACTER;
    }
    tcsetattr(&theirs, OptionalActions::Now, &mode).doing("setting a terminal's mode")?;
    let copy = theirs.try_clone().doing("copying a terminal's line")?;
    let standard = Standard {
        input: theirs,
        output: copy,
        errors,
        is_terminal: true,
    };
    Ok((standard, ours))
}
