//! The inside of an embedded host: the agent as init (PID 1).
//!
//! In virtual time it carries out the job in the spool folder and powers off.
//! In real time it serves on the serial line until the line closes. Whatever
//! happens, the host finds either an outcome in the spool or a kernel panic on
//! the console.
// SPDX-License-Identifier: Apache-2.0
pub mod job;
mod mount;
mod serial;
mod service;
mod stock;

use std::path::Path;

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::system::RebootCommand;

use crate::fault::{Doing, Outcome};
use crate::spool::{SERVE, SPOOL};

/// As many as no session needs.
const OPEN_FILES: u64 = 4096;

/// Whether this process is a guest's init. In a container the agent may be
/// process 1 too, but nobody calls it by that name.
pub fn is_init() -> bool {
    std::process::id() == 1
        && std::env::args_os()
            .next()
            .is_some_and(|name| name == "/init")
}

/// Does what the command line of the guest's kernel asks for, and powers off.
pub fn run() -> ! {
    if let Err(fault) = work() {
        eprintln!("lab-agent: {fault}");
    }
    rustix::fs::sync();
    let error = rustix::system::reboot(RebootCommand::PowerOff);
    panic!("the guest cannot be powered off: {error:?}");
}

/// Each of a session's flows takes four descriptors, and the kernel gives 1024.
fn open_many_files() -> Outcome<()> {
    let own = Rlimit {
        current: Some(OPEN_FILES),
        maximum: Some(OPEN_FILES),
    };
    setrlimit(Resource::Nofile, own).doing("letting the guest open many files")
}

fn work() -> Outcome<()> {
    mount::all()?;
    open_many_files()?;
    let command_line = std::fs::read_to_string("/proc/cmdline").doing("reading /proc/cmdline")?;
    if command_line.split_whitespace().any(|word| word == SERVE) {
        return serial::serve();
    }
    job::run_from_spool(Path::new(SPOOL))
}
