//! `lab-agent`: one static binary, the host's side of an embedded host and, as
//! that host's init, the inside of it.
// SPDX-License-Identifier: Apache-2.0
mod boot;
mod capture;
mod clock;
mod commands;
mod endpoint;
mod engine;
mod fault;
mod forking;
mod guest;
mod lane;
mod punctual;
mod random;
mod serve;
mod socket_option;
mod source;
mod spool;
mod waiting;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};
use commands::{
    analyze, bench, boot as boot_command, describe, man, presenter, session, stream, typist,
};
use fault::{Doing, Outcome};

/// Boots hosts, makes lanes, sends streams, captures and analyses them.
#[derive(Parser)]
#[command(version)]
enum Command {
    Boot(boot_command::Boot),
    Describe(describe::Describe),
    Session(session::SessionCommand),
    Type(typist::TypeCommand),
    Demo(presenter::DemoCommand),
    Analyze(analyze::AnalyzeArgs),
    #[command(subcommand)]
    Stream(stream::StreamCommand),
    Bench(bench::Bench),
    #[command(hide = true)]
    Man(man::ManCommand),
}

fn main() -> ExitCode {
    if guest::is_init() {
        guest::run();
    }
    let result = match Command::parse() {
        Command::Boot(boot) => wait_punctually(boot.run()),
        Command::Describe(describe) => wait(describe.run()),
        Command::Session(session) => wait(session.run()),
        Command::Type(command) => wait_punctually(command.run()),
        Command::Demo(command) => wait_punctually(command.run()),
        Command::Analyze(analyze) => {
            analyze::run(&analyze).map_err(|error| fault::Fault::Failed(format!("{error:#}")))
        }
        Command::Stream(stream) => stream.run(),
        Command::Bench(bench) => wait_punctually(bench.run()),
        Command::Man(man) => man.run(Command::command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("lab-agent: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn wait(work: impl Future<Output = Outcome<()>>) -> Outcome<()> {
    block_on(work, || ())
}

/// With threads that go first where the machine allows it: they are on the way
/// of every key.
fn wait_punctually(work: impl Future<Output = Outcome<()>>) -> Outcome<()> {
    block_on(work, || {
        let _ = punctual::prefer(punctual::PASSING_ON);
    })
}

fn block_on(
    work: impl Future<Output = Outcome<()>>,
    begin: impl Fn() + Send + Sync + 'static,
) -> Outcome<()> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .on_thread_start(begin)
        .build()
        .doing("starting the agent's threads")?
        .block_on(work)
}
