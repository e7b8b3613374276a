//! The command `wire guest`: another command of this program, run inside a
//! User Mode Linux guest in virtual time.
//!
//! The guest's own image knows nothing of this: its kernel is told to run the
//! image's shell as init, which finds this executable, its files and what it is
//! to do in the one folder that it shares with this machine.
// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use rustix::process::{Pid, Signal};

use crate::packetdrill;
use crate::run;

const MEMORY_MIB: u32 = 256;
/// 2020-01-01, in nanoseconds.
const START_NS: u64 = 1_577_836_800_000_000_000;
/// Shell words that the guest's init runs. Without quotes: it is all quoted on
/// the kernel's command line.
const INIT: &str = "mkdir -p /proc /dev /spool && mount -t proc none /proc && \
                    mount -t devtmpfs none /dev && mount -t hostfs none /spool && \
                    exec sh /spool/init";
/// The ending of a shell script.
const SHELL: &str = "sh";
/// What a kernel's log says when something is wrong with it.
const COMPLAINTS: [&str; 8] = [
    "WARNING:",
    "BUG:",
    "BUG ",
    "INFO: possible",
    "INFO: task",
    "INFO: rcu",
    "UBSAN:",
    "ODEBUG:",
];

/// Runs `wire run` or `wire hostile` in a guest in virtual time.
#[derive(Args)]
pub struct Guest {
    /// The User Mode Linux executable.
    #[arg(long, env = "THINLAB_KERNEL", value_name = "FILE")]
    kernel: PathBuf,
    /// The guest's base image (initramfs).
    #[arg(long = "guest", env = "THINLAB_GUEST", value_name = "FILE")]
    image: PathBuf,
    /// Of the guest kernel's own random numbers.
    #[arg(long, default_value = "1")]
    kernel_seed: u64,
    /// The kernel may warn, and goes on: mainline's TCP does where allocations
    /// fail. All that is worse counts.
    #[arg(long)]
    warnings_allowed: bool,
    /// For example: run scripts
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Guest {
    /// Whether the command succeeded, without a complaint of the kernel.
    pub fn run(&self) -> Result<bool> {
        let spool = Spool::make()?;
        spool.fill(&self.arguments)?;
        let mut kernel = Kernel(self.boot(&spool)?);
        let status = kernel.0.wait().context("waiting for the guest")?;
        print!(
            "{}",
            fs::read_to_string(spool.file("report")).unwrap_or_default()
        );
        let console = fs::read(spool.console()).context("reading the guest's console")?;
        let console = String::from_utf8_lossy(&console);
        let complaints: Vec<&str> = complaints(&console)
            .into_iter()
            .filter(|line| !(self.warnings_allowed && line.contains("WARNING:")))
            .collect();
        for line in &complaints {
            eprintln!("the guest's kernel: {line}");
        }
        if !complaints.is_empty() || status.code().is_none() {
            eprintln!("the guest's console:\n{console}");
        }
        if status.code().is_none() {
            bail!("the guest ended with {status} instead of powering off");
        }
        Ok(status.success() && complaints.is_empty())
    }

    fn boot(&self, spool: &Spool) -> Result<Child> {
        let console = File::create(spool.console()).context("making the guest's console")?;
        let shared = spool.shared();
        let mut command = Command::new(&self.kernel);
        command
            .arg(format!("mem={MEMORY_MIB}M"))
            .arg(format!("initrd={}", self.image.display()))
            .arg(format!("hostfs={}", shared.display()))
            .arg(format!("uml_dir={}", spool.path.display()))
            .args(["time-travel=inf-cpu", "con=null", "con0=null,fd:2"])
            .arg(format!("time-travel-start={START_NS}"))
            .arg(format!("random.fixed_seed={}", self.kernel_seed))
            .arg("panic=-1")
            .arg(format!(
                "panic_on_warn={}",
                u8::from(!self.warnings_allowed)
            ))
            .args(["rdinit=/bin/sh", "--", "-c"])
            .arg(format!("\"{INIT}\""))
            .stdin(Stdio::null())
            .stdout(console.try_clone().context("making the guest's console")?)
            .stderr(console)
            .process_group(0);
        // A guest that moves between processors is several times slower.
        let mut processor = rustix::thread::CpuSet::new();
        processor.set(rustix::thread::sched_getcpu());
        // Runs between fork and exec: system calls only. The guest dies with this
        // process, however that ends.
        #[allow(unsafe_code)]
        unsafe {
            command.pre_exec(move || {
                rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
                rustix::thread::sched_setaffinity(None, &processor)?;
                Ok(())
            });
        }
        command
            .spawn()
            .with_context(|| format!("starting the kernel {}", self.kernel.display()))
    }
}

/// A running guest. Its processes end with this.
struct Kernel(Child);

impl Drop for Kernel {
    fn drop(&mut self) {
        let _ = rustix::process::kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.wait();
    }
}

fn complaints(console: &str) -> Vec<&str> {
    console
        .lines()
        .filter(|line| COMPLAINTS.iter().any(|complaint| line.contains(complaint)))
        .collect()
}

/// A folder for one guest, removed when dropped.
struct Spool {
    path: PathBuf,
}

impl Spool {
    fn make() -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("thinlab-wire-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(path.join("shared/work"))
            .with_context(|| format!("making {}", path.display()))?;
        Ok(Self { path })
    }

    /// What the guest sees.
    fn shared(&self) -> PathBuf {
        self.path.join("shared")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.shared().join(name)
    }

    fn console(&self) -> PathBuf {
        self.path.join("console")
    }

    /// This executable, the scripts that `arguments` name, and what init does.
    fn fill(&self, arguments: &[String]) -> Result<()> {
        fs::copy("/proc/self/exe", self.file("wire")).context("copying this executable")?;
        let mut words = Vec::new();
        for argument in arguments {
            let path = Path::new(argument);
            if path.exists() {
                for file in carried(path)? {
                    self.copy(&file)?;
                }
                words.push(quoted(&inside(path).display().to_string()));
            } else {
                words.push(quoted(argument));
            }
        }
        let init = format!(
            "mkdir -p /sys && mount -t sysfs none /sys\n\
             # Only the debug kernel has it.\n\
             mount -t debugfs none /sys/kernel/debug 2>/dev/null\n\
             cd /spool/work\n/spool/wire {} >/spool/report 2>&1\n\
             echo $? >/proc/exitcode\n\
             # Lockdep switches itself off when it has found something.\n\
             grep -q '^ debug_locks: *0$' /proc/lockdep_stats 2>/dev/null && \
             echo 'WARNING: lockdep is off' >&2\npoweroff -f\n",
            words.join(" ")
        );
        fs::write(self.file("init"), init).context("writing what the guest does")
    }

    fn copy(&self, script: &Path) -> Result<()> {
        let target = self.file("work").join(inside(script));
        let folder = target.parent().expect("it is inside of the spool");
        fs::create_dir_all(folder)
            .and_then(|()| fs::copy(script, &target))
            .with_context(|| format!("copying {}", script.display()))?;
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The files that come along with a script, or with a folder of scripts: also
/// the shell scripts that they may call, beside them and in the folder above.
fn carried(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut around = path.parent();
    if path.is_dir() {
        for ending in [packetdrill::ENDING, SHELL] {
            files.extend(run::found(path, ending)?);
        }
    } else {
        files.push(path.to_owned());
        files.extend(shell_scripts_in(around)?);
        around = around.and_then(Path::parent);
    }
    files.extend(shell_scripts_in(around)?);
    Ok(files)
}

/// None where there is no such folder.
fn shell_scripts_in(folder: Option<&Path>) -> Result<Vec<PathBuf>> {
    let Some(folder) = folder else {
        return Ok(Vec::new());
    };
    let here = Path::new(".");
    let folder = if folder == Path::new("") {
        here
    } else {
        folder
    };
    let entries = fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))?;
    let files = entries.flatten().map(|entry| entry.path());
    Ok(files
        .filter(|file| file.extension().is_some_and(|its| its == SHELL))
        .collect())
}

/// The same path, but below the folder that the guest works in.
fn inside(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect()
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kernel_complains_about_is_found_in_its_log() {
        let console = "Linux version 6.12\n\
                       [    0.1] WARNING: CPU: 0 PID: 1 at net/ipv4/tcp_input.c:3\n\
                       [    0.2] BUG: KASAN: slab-use-after-free in tcp_ack+0x1/0x2\n\
                       [    0.3] INFO: possible recursive locking detected\n\
                       [    0.4] reboot: Power down\n";
        assert_eq!(complaints(console).len(), 3);
    }

    #[test]
    fn paths_stay_below_the_folder_that_the_guest_works_in() {
        assert_eq!(inside(Path::new("/a/../b/./c.pkt")), Path::new("a/b/c.pkt"));
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
