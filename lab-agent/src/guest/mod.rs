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

use rustix::system::RebootCommand;

use crate::fault::{Doing, Outcome};
use crate::spool::{SERVE, SPOOL};

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

fn work() -> Outcome<()> {
    mount::all()?;
    let command_line = std::fs::read_to_string("/proc/cmdline").doing("reading /proc/cmdline")?;
    if command_line.split_whitespace().any(|word| word == SERVE) {
        return serial::serve();
    }
    job::run_from_spool(Path::new(SPOOL))
}
