//! `wire`: proves a kernel's TCP on the wire. `docs/wire.md` tells how.
// SPDX-License-Identifier: Apache-2.0
mod arrivals;
mod clock;
mod guest;
mod hostile;
mod namespace;
mod observe;
mod packet;
mod packetdrill;
mod random;
mod run;
mod socket;
mod stream;
mod sysctl;
mod tun;

use std::process::ExitCode;

use clap::Parser;

/// Wire tests of the TCP of the kernel that this runs on.
#[derive(Parser)]
#[command(version)]
enum Command {
    Run(run::Run),
    Hostile(hostile::Hostile),
    Guest(guest::Guest),
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Run(run) => run.run(),
        Command::Hostile(hostile) => hostile.run(),
        Command::Guest(guest) => guest.run(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("wire: {error:#}");
            ExitCode::FAILURE
        }
    }
}
