//! The command `wire packetdrill`: scripts in the language of packetdrill, with
//! which the kernel's developers test its TCP. `docs/wire.md` tells how much of
//! it is understood.
// SPDX-License-Identifier: Apache-2.0
mod answers;
mod application;
mod arguments;
mod claims;
mod connection;
mod due;
mod kernel;
mod link;
mod model;
mod options;
mod packets;
mod parse;
mod play;
mod qdisc;
mod scan;
mod shell;
mod symbols;
mod words;
mod worker;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use crate::run::{print_all, scripts};
use crate::{clock, socket};
use play::Verdict;

/// The ending of a script's name.
pub const ENDING: &str = "pkt";

/// Runs packetdrill scripts against this machine's kernel, as root, each in a
/// network namespace of its own.
#[derive(Args)]
pub struct Packetdrill {
    /// Scripts, or folders with scripts.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only this version of IP; without it, both.
    #[arg(long, value_name = "VERSION", value_parser = ["4", "6"])]
    ip: Option<String>,
    /// How far a time may be off, unless a script says so itself.
    #[arg(long, value_name = "US", default_value = "4000")]
    tolerance_us: i64,
    /// Where the shell scripts lie that are not beside a script.
    #[arg(long, value_name = "FOLDER")]
    shell_scripts: Option<PathBuf>,
    /// Prints every exchange, and not only those that failed.
    #[arg(long, short)]
    verbose: bool,
}

/// How many runs ended how.
#[derive(Default)]
struct Count {
    passed: u32,
    skipped: u32,
    failed: u32,
}

impl Packetdrill {
    /// Whether none failed.
    pub fn run(&self) -> Result<bool> {
        clock::wake_exactly()?;
        let files = scripts(&self.files, ENDING)?;
        let mut count = Count::default();
        for file in &files {
            let text =
                fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
            for version in [4, 6] {
                if self
                    .ip
                    .as_ref()
                    .is_none_or(|only| *only == version.to_string())
                {
                    self.run_one(file, &text, version, &mut count)?;
                }
            }
        }
        let runs = count.passed + count.skipped + count.failed;
        println!(
            "{} of {runs} runs of {} scripts passed, {} skipped",
            count.passed,
            files.len(),
            count.skipped
        );
        Ok(count.failed == 0)
    }

    fn run_one(&self, file: &Path, text: &str, version: u8, count: &mut Count) -> Result<()> {
        let name = file.display();
        let script = match parse::parse(text, version) {
            Ok(script) => script,
            Err(fault) => {
                count.failed += 1;
                println!(
                    "FAILED {name}:{} (IPv{version}): {}",
                    fault.line, fault.message
                );
                return Ok(());
            }
        };
        if script
            .settings
            .ip_version
            .is_some_and(|only| only != version)
        {
            return Ok(());
        }
        if script.signed && !socket::knows_signatures()? {
            count.skipped += 1;
            println!("skipped {name} (IPv{version}): this kernel has no TCP_MD5SIG");
            return Ok(());
        }
        let beside = file.parent().unwrap_or(Path::new("."));
        let folders: Vec<&Path> = [Some(beside), self.shell_scripts.as_deref()]
            .into_iter()
            .flatten()
            .collect();
        let played = play::run(&script, version, self.tolerance_us, &folders)?;
        match played.verdict {
            Verdict::Passed => {
                count.passed += 1;
                if self.verbose {
                    println!("passed {name} (IPv{version})");
                    print_all(&played.transcript);
                }
            }
            Verdict::Skipped(why) => {
                count.skipped += 1;
                println!("skipped {name} (IPv{version}): {why}");
            }
            Verdict::Failed(line, message) => {
                count.failed += 1;
                println!("FAILED {name}:{line} (IPv{version}): {message}");
                print_all(&played.transcript);
            }
        }
        Ok(())
    }
}
