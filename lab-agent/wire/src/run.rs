//! The command `wire run`.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::packetdrill::{self, ENDING, Played, Script, Verdict};
use crate::{clock, socket};

/// Runs packetdrill scripts against this machine's kernel, as root, each in a
/// network namespace of its own.
#[derive(Args)]
pub struct Run {
    /// Scripts, or folders with scripts.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only this version of IP; without it, both.
    #[arg(long, value_name = "VERSION", value_parser = ["4", "6"])]
    ip: Option<String>,
    /// How far a time may be off, whatever a script says. In real time a busy
    /// machine needs more.
    #[arg(long, value_name = "US")]
    tolerance_us: Option<i64>,
    /// The same as a share of the time since the event before: 10 where the kernel
    /// has HZ=250, whose timers are later than scripts say.
    #[arg(long, value_name = "PERCENT")]
    tolerance_percent: Option<i64>,
    /// Skips a script that needs what this kernel lacks, where it would fail.
    #[arg(long)]
    may_skip: bool,
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

impl Run {
    /// Whether none failed.
    pub fn run(&self) -> Result<bool> {
        clock::wake_exactly()?;
        let files = scripts(&self.files)?;
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
        let played = match packetdrill::parse(text, version) {
            Ok(mut script) => {
                let settings = &mut script.settings;
                if settings.ip_version.is_some_and(|only| only != version) {
                    return Ok(());
                }
                settings.tolerance_us = self.tolerance_us.or(settings.tolerance_us);
                let permille = self.tolerance_percent.map(|percent| percent * 10);
                settings.tolerance_permille = permille.or(settings.tolerance_permille);
                play(file, &script, version)?
            }
            Err(fault) => Played {
                verdict: Verdict::Failed(fault.line, fault.message),
                transcript: Vec::new(),
            },
        };
        let name = file.display();
        match played.verdict {
            Verdict::Passed => {
                count.passed += 1;
                if self.verbose {
                    println!("passed {name} (IPv{version})");
                    print_all(&played.transcript);
                }
            }
            Verdict::Lacks(_, what) if self.may_skip => {
                count.skipped += 1;
                println!("skipped {name} (IPv{version}): this kernel has no {what}");
            }
            Verdict::Lacks(line, what) => {
                count.failed += 1;
                println!("FAILED {name}:{line} (IPv{version}): this kernel has no {what}");
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

fn play(file: &Path, script: &Script, version: u8) -> Result<Played> {
    if script.signed && !socket::knows_signatures()? {
        return Ok(Played {
            verdict: Verdict::Lacks(1, "TCP_MD5SIG".into()),
            transcript: Vec::new(),
        });
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    packetdrill::play(script, version, folder)
}

/// A transcript, below the line that it belongs to.
fn print_all(transcript: &[String]) {
    for line in transcript {
        println!("    {line}");
    }
}

/// All scripts that are named, or lie in folders that are, in order.
fn scripts(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut scripts = Vec::new();
    for path in named {
        if path.is_dir() {
            let inside = found(path, ENDING)?;
            if inside.is_empty() {
                bail!("no script (*.{ENDING}) in {}", path.display());
            }
            scripts.extend(inside);
        } else {
            scripts.push(path.clone());
        }
    }
    Ok(scripts)
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
