//! `lab-agent man`: the manual pages, made from what `--help` says.
// SPDX-License-Identifier: Apache-2.0

use std::io::Write as _;

use clap::{Args, Command};
use clap_mangen::Man;

use crate::fault::{Doing as _, Fault, Outcome};

/// Print a manual page, for man(1).
#[derive(Args, Debug)]
pub struct ManCommand {
    /// Of which command; by default of lab-agent as a whole.
    command: Option<String>,
}

impl ManCommand {
    /// Prints the page of a command of `whole` to standard output.
    pub fn run(&self, mut whole: Command) -> Outcome<()> {
        whole.build();
        let of = match &self.command {
            None => &whole,
            Some(name) => whole.find_subcommand(name).ok_or_else(|| {
                Fault::Failed(format!("no command {name:?}: lab-agent --help lists them"))
            })?,
        };
        let mut page = Vec::new();
        let man = Man::new(of.clone());
        man.render(&mut page).doing("making the manual page")?;
        let mut out = std::io::stdout();
        out.write_all(&page).doing("printing the manual page")
    }
}
