//! The far end: OpenSSH's server as the session's user, on one socket, with the
//! editor as the one program that it may start.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use super::confine::{self, Confined, Process, Standard};
use super::keys::KeyPair;
use super::limits::Limits;
use super::root::{Contents, Handles};
use super::share::Share;
use super::task::Editor;
use crate::fault::{Doing, Outcome};

/// sshd, its part that speaks to the client, the editor's starter, the editor.
const PROCESSES: u64 = 4;
/// One that sshd opens, and none besides.
const TERMINALS: u32 = 1;

/// What the server is to be.
pub struct Wanted {
    /// Who it and the editor run as.
    pub user: u32,
    /// What the user edits with.
    pub editor: Editor,
    /// What the user edits.
    pub text: Vec<u8>,
    /// The server's key.
    pub host_key: KeyPair,
    /// The public key of the only user.
    pub user_key: String,
    /// Its bounds.
    pub limits: Limits,
    /// Where complaints go.
    pub errors: OwnedFd,
}

/// A running server.
pub struct Server {
    /// Its process.
    pub process: Process,
    /// Its connection.
    pub socket: UnixStream,
    /// Its files.
    pub handles: Handles,
}

/// Files of etc that only logging in takes. `passwd` is not one: sshd looks the user
/// up once more when the terminal ends.
pub const FOR_LOGIN: [&str; 3] = ["sshd_config", "host_key", "authorized_keys"];

/// Starts it.
pub async fn start(wanted: Wanted) -> Outcome<Server> {
    let force = match wanted.editor {
        Editor::Vi => "ForceCommand=vi",
        Editor::Nano => "ForceCommand=nano",
    };
    let confined = Confined {
        name: "ssh server",
        contents: Contents {
            side: "server",
            user: wanted.user,
            etc: vec![
                ("host_key", wanted.host_key.private),
                (
                    "authorized_keys",
                    format!("{}\n", wanted.user_key).into_bytes(),
                ),
            ],
            home: Some((wanted.limits.home_bytes, wanted.text)),
            terminals: TERMINALS,
        },
        program: "/bin/sshd",
        arguments: ["-i", "-e", "-f", "/etc/sshd_config", "-o", force]
            .map(str::to_owned)
            .into(),
        environment: vec![],
        limits: wanted.limits,
        processes: PROCESSES,
        share: Some(Share::make()?),
    };
    let errors = wanted.errors;
    let nothing = || Ok(());
    let started = confine::start(confined, nothing, move || connection(errors)).await?;
    let socket = UnixStream::from(started.ours);
    socket
        .set_nonblocking(true)
        .doing("opening a server's connection")?;
    Ok(Server {
        process: started.process,
        socket,
        handles: started.handles,
    })
}

fn connection(errors: OwnedFd) -> Outcome<(Standard, OwnedFd)> {
    let (ours, theirs) = UnixStream::pair().doing("making a server's connection")?;
    let copy = theirs.try_clone().doing("copying a server's connection")?;
    let standard = Standard {
        input: theirs.into(),
        output: copy.into(),
        errors,
        is_terminal: false,
    };
    Ok((standard, ours.into()))
}
