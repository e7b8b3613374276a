//! `lab-agent`: one static binary, the host's side of an embedded host and, as
//! that host's init, the inside of it.
// SPDX-License-Identifier: Apache-2.0
mod capture;
mod fault;
mod guest;
mod lane;
mod stream;

use clap::{Parser, Subcommand};

/// Boots hosts, makes lanes, sends streams, captures and analyses them.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {}

fn main() {
    if guest::is_init() {
        guest::run();
    }
    let cli = Cli::parse();
    match cli.command {}
}
