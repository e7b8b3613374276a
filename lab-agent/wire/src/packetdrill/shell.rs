//! The commands between backquotes. A guest has no tools for the network, and a
//! script asks for few: each is done here.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::words::{self, Command, Joint};
use super::{counters, qdisc};
use crate::sysctl;
use crate::tun::Tun;

const UNDERSTOOD: &str = "sysctl [-q] NAME=VALUE, ./set_sysctls.py FILE=VALUE, \
                          tc qdisc add|replace|delete dev tun0 root KIND, ip link set dev tun0 mtu N, \
                          ip tcp_metrics flush, grep TEXT FILE, true, ./SCRIPT.sh, counters.sh NAME=N";
/// Scripts include each other no deeper than this.
const DEEPEST: u32 = 4;

/// How a command ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// Well.
    Done,
    /// It found nothing, or could not do it.
    Failed(String),
    /// The kernel does not have what it asks for.
    Lacks(String),
}

/// What commands work on.
pub struct Shell<'a> {
    /// The interface, whatever name a script has for it.
    pub tun: &'a Tun,
    /// Where the script lies, from which it names others.
    pub folder: &'a Path,
    /// Whether there was no connection yet.
    pub fresh: bool,
}

impl Shell<'_> {
    /// Runs a text. It ends as its last command.
    pub fn run(&self, text: &str) -> Result<Ended> {
        self.run_at(text, 0)
    }

    fn run_at(&self, text: &str, depth: u32) -> Result<Ended> {
        let commands = words::commands(text).map_err(anyhow::Error::msg)?;
        let mut ended = Ended::Done;
        let mut output = String::new();
        for command in &commands {
            let runs = match command.joint {
                Joint::Always => true,
                Joint::IfFailed => ended != Ended::Done,
                Joint::IfDone | Joint::Pipe => ended == Ended::Done,
            };
            if !runs {
                continue;
            }
            // A shell would go on, and a script prove something else than it
            // says. What it includes may set what only other kernels have.
            if depth == 0 && command.joint == Joint::Always && matches!(ended, Ended::Lacks(_)) {
                return Ok(ended);
            }
            let input = (command.joint == Joint::Pipe).then(|| std::mem::take(&mut output));
            ended = self.command(command, input, &mut output, depth)?;
        }
        Ok(ended)
    }

    fn command(
        &self,
        command: &Command,
        input: Option<String>,
        output: &mut String,
        depth: u32,
    ) -> Result<Ended> {
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        match &words[..] {
            ["true" | ":", ..] => Ok(Ended::Done),
            ["sysctl", settings @ ..] => set_all(settings.iter().copied(), "sysctl"),
            ["./set_sysctls.py" | "set_sysctls.py", settings @ ..] => {
                let names = settings
                    .iter()
                    .map(|word| word.trim_start_matches("/proc/sys/"));
                set_all(names, "set_sysctls.py")
            }
            // The namespace ends with the script: nothing is left to restore.
            [script] if script.starts_with("/tmp/sysctl_restore_") => Ok(Ended::Done),
            ["ip", "tcp_metrics", "flush", ..] if self.fresh => Ok(Ended::Done),
            ["ip", "link", "set", "dev", _, "mtu", bytes] => {
                self.tun.set_mtu(bytes.parse().context("the MTU")?)?;
                Ok(Ended::Done)
            }
            [
                "tc",
                "qdisc",
                "add" | "replace",
                "dev",
                _,
                "root",
                kind,
                options @ ..,
            ] => {
                let limit = match options {
                    [] => None,
                    ["limit", packets] if *kind == "pfifo" => {
                        Some(packets.parse().context("the limit")?)
                    }
                    _ => bail!("of a qdisc's options, the limit of a pfifo is understood"),
                };
                if qdisc::set(self.tun.index()?, kind, limit)? {
                    return Ok(Ended::Done);
                }
                Ok(Ended::Lacks(format!("queueing discipline {kind}")))
            }
            ["tc", "qdisc", "del" | "delete", "dev", _, "root"] => {
                if qdisc::delete(self.tun.index()?)? {
                    return Ok(Ended::Done);
                }
                Ok(Ended::Failed(
                    "there is no queueing discipline to delete".into(),
                ))
            }
            ["grep", text, files @ ..] => grep(text, files, input, output),
            [script, claims @ ..] if is_shell(script) && script.ends_with("/counters.sh") => {
                Ok(counters::fault(claims).map_or(Ended::Done, Ended::Failed))
            }
            [script] if is_shell(script) => {
                let path = self.folder.join(script);
                if !path.exists() {
                    bail!("there is no {script} beside the script");
                }
                if depth == DEEPEST {
                    bail!("{script}: scripts that include each other too deep");
                }
                let text = std::fs::read_to_string(&path)
                    .with_context(|| format!("reading {}", path.display()))?;
                self.run_at(&text, depth + 1)
            }
            words => bail!(
                "the command `{}` is not understood; there are {UNDERSTOOD}",
                words.join(" ")
            ),
        }
    }
}

fn is_shell(script: &str) -> bool {
    let named = script.starts_with("./") || script.starts_with("../");
    named && Path::new(script).extension().is_some_and(|its| its == "sh")
}

fn set_all<'a>(settings: impl Iterator<Item = &'a str>, command: &str) -> Result<Ended> {
    let mut ended = Ended::Done;
    let mut may_be_unknown = false;
    for setting in settings {
        if let Some(flags) = setting.strip_prefix('-') {
            may_be_unknown |= flags.contains('e');
            continue;
        }
        let Some((name, value)) = setting.split_once('=') else {
            bail!("{command} takes NAME=VALUE, not `{setting}`");
        };
        if !sysctl::exists(name) {
            if may_be_unknown {
                continue;
            }
            ended = Ended::Lacks(format!("setting {}", name.replace('/', ".")));
            continue;
        }
        if let Err(error) = sysctl::write(name, value) {
            ended = Ended::Failed(format!("{error:#}"));
        }
    }
    Ok(ended)
}

/// Texts that mean themselves, in files or in what the command before has found.
fn grep(text: &str, files: &[&str], input: Option<String>, output: &mut String) -> Result<Ended> {
    if text.starts_with('-') || text.contains(['^', '$', '[', '*', '\\', '.']) {
        bail!("grep is understood with a text that means itself, not `{text}`");
    }
    let mut all = input.unwrap_or_default();
    for file in files {
        all += &std::fs::read_to_string(file).with_context(|| format!("reading {file}"))?;
    }
    let found: Vec<&str> = all.lines().filter(|line| line.contains(text)).collect();
    *output = found.join("\n");
    if found.is_empty() {
        return Ok(Ended::Failed(format!("grep finds no `{text}`")));
    }
    Ok(Ended::Done)
}
