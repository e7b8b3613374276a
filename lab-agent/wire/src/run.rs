//! The command `wire run`.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::exchange::{self, Failure, Tolerance};
use crate::{clock, script};

/// The ending of a script's name.
pub const ENDING: &str = "wire";

/// Runs scripts against this machine's kernel, as root, each in a network
/// namespace of its own.
#[derive(Args)]
pub struct Run {
    /// Scripts, or folders with scripts.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How far a time may be off. In real time a busy machine needs more.
    #[arg(long, value_name = "MS", default_value = "1")]
    tolerance_ms: u32,
    /// How late timers may be beyond that, in percent of the script's time: 10
    /// where the kernel has HZ=250.
    #[arg(long, value_name = "PERCENT", default_value = "0")]
    timers_late_percent: u32,
    /// Prints every exchange, and not only those that failed.
    #[arg(long, short)]
    verbose: bool,
}

impl Run {
    /// Whether all passed.
    pub fn run(&self) -> Result<bool> {
        clock::wake_exactly()?;
        let files = scripts(&self.files, ENDING)?;
        let (mut runs, mut failed) = (0, 0);
        for file in &files {
            let text =
                fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
            let script = match script::parse(&text) {
                Ok(script) => script,
                Err((line, message)) => {
                    runs += 1;
                    failed += 1;
                    println!("FAILED {}:{line}: {message}", file.display());
                    continue;
                }
            };
            for &version in &script.ip_versions {
                runs += 1;
                let tolerance = Tolerance {
                    ns: i64::from(self.tolerance_ms) * 1_000_000,
                    late_percent: self.timers_late_percent,
                };
                match exchange::run(&script, version, tolerance) {
                    Ok(transcript) if self.verbose => {
                        println!("passed {} (IPv{version})", file.display());
                        print_all(&transcript);
                    }
                    Ok(_) => {}
                    Err(failure) => {
                        failed += 1;
                        report(file, version, &failure);
                    }
                }
            }
        }
        println!(
            "{} of {runs} runs of {} scripts passed",
            runs - failed,
            files.len()
        );
        Ok(failed == 0)
    }
}

fn report(file: &Path, version: u8, failure: &Failure) {
    let line = failure
        .line
        .map_or(String::new(), |line| format!(":{line}"));
    println!(
        "FAILED {}{line} (IPv{version}): {}",
        file.display(),
        failure.message
    );
    print_all(&failure.transcript);
}

/// A transcript, below the line that it belongs to.
pub fn print_all(transcript: &[String]) {
    for line in transcript {
        println!("    {line}");
    }
}

/// All scripts that are named, or lie in folders that are, in order.
pub fn scripts(named: &[PathBuf], ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in named {
        if path.is_dir() {
            let inside = self::found(path, ending)?;
            if inside.is_empty() {
                bail!("no script (*.{ending}) in {}", path.display());
            }
            found.extend(inside);
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// The files of this ending in a folder and those below, in order.
pub fn found(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(folder, ending, &mut found)?;
    Ok(found)
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .with_context(|| format!("listing {}", folder.display()))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, ending, found)?;
        } else if path.extension().is_some_and(|its| its == ending) {
            found.push(path);
        }
    }
    Ok(())
}
