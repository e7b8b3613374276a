//! The command `lab-agent boot`.
// SPDX-License-Identifier: Apache-2.0
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use crate::boot::{ClockChoice, Host, HostOptions};
use crate::fault::{Doing, Outcome};
use crate::serve::{self, Listen};

/// Starts an embedded host and serves the agent's protocol for it. Prints the
/// address on standard output when it is ready.
#[derive(Args)]
pub struct Boot {
    #[command(flatten)]
    host: HostOptions,
    /// Virtual: sessions as fast as the processor allows. Real: lanes for people.
    #[arg(long, value_enum, default_value = "virtual")]
    clock: ClockChoice,
    #[command(flatten)]
    listen: Listen,
}

impl Boot {
    /// Runs until SIGINT or SIGTERM.
    pub async fn run(self) -> Outcome<()> {
        let door = self.listen.check()?;
        let mut interrupt = signal(SignalKind::interrupt()).doing("catching SIGINT")?;
        let mut terminate = signal(SignalKind::terminate()).doing("catching SIGTERM")?;
        let mut hangup = signal(SignalKind::hangup()).doing("catching SIGHUP")?;
        let stop = async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
        };
        tokio::pin!(stop);
        let host = tokio::select! {
            host = Host::start(&self.host, self.clock) => host?,
            () = &mut stop => return Ok(()),
        };
        serve::serve(host, door, stop).await
    }
}
