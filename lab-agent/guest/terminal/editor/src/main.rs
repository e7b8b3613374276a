//! The login shell of a terminal's user: starts the editor on the one text, and
//! nothing else. sshd calls it as SHELL -c COMMAND, where COMMAND is the server's
//! own (`ForceCommand`), never the client's.
// SPDX-License-Identifier: Apache-2.0
use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode};

use rustix::process::{Resource, Rlimit, nice, setrlimit};

/// Of sshd and the relays, everybody's keys come first.
const EDITOR_NICE: i32 = 10;
/// Each may be a file in memory: terminal, text, a few at work.
const EDITOR_FILES: u64 = 12;
/// What shells say of a command that they do not have.
const NO_SUCH_COMMAND: u8 = 127;
/// And of one that a signal ended, with its number added.
const ENDED_BY_SIGNAL: i32 = 128;

struct Editor {
    program: &'static str,
    name: &'static str,
    arguments: &'static [&'static str],
    /// What the dynamic linker puts before the C library; none: "".
    preloaded: &'static str,
}

const VI: Editor = Editor {
    program: "/bin/vim",
    name: "vim",
    arguments: &["-Z", "-u", "/etc/vimrc", "-i", "NONE", "-n", "--", "text"],
    // Keys stay unseen without it: `clock` says why.
    preloaded: "libclock.so",
};
const NANO: Editor = Editor {
    program: "/bin/nano",
    name: "rnano",
    arguments: &["--restricted", "--ignorercfiles", "--", "text"],
    preloaded: "",
};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let editor = match &arguments[..] {
        [dash_c, command] if dash_c == "-c" && command == "vi" => VI,
        [dash_c, command] if dash_c == "-c" && command == "nano" => NANO,
        _ => return ExitCode::from(NO_SUCH_COMMAND),
    };
    edit(&editor).unwrap_or_else(|_| ExitCode::from(NO_SUCH_COMMAND))
}

fn edit(editor: &Editor) -> io::Result<ExitCode> {
    let mut command = Command::new(editor.program);
    command
        .arg0(editor.name)
        .args(editor.arguments)
        .env_clear()
        .env("HOME", "/home")
        .env("LANG", "C.UTF-8")
        .env("TERM", "xterm-256color")
        .env("LD_PRELOAD", editor.preloaded);
    // Runs between fork and exec: system calls only.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(give_up_rights);
    }
    let status = command.status()?;
    let told = match status.signal() {
        Some(signal) => ENDED_BY_SIGNAL + signal,
        None => status.code().unwrap_or_default(),
    };
    Ok(ExitCode::from(told as u8))
}

/// Neither process nor thread: what an editor might start, it cannot.
fn give_up_rights() -> io::Result<()> {
    for (resource, most) in [(Resource::Nproc, 0), (Resource::Nofile, EDITOR_FILES)] {
        let both = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, both)?;
    }
    nice(EDITOR_NICE)?;
    Ok(())
}
