//! One User Mode Linux process: started, watched, and never left behind.
// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use tokio::sync::oneshot;

use super::image::Image;
use super::programs;
use super::room::SessionFolder;
use super::wall::Wall;
use crate::fault::{Doing, Fault, Outcome};
use crate::{punctual, spool};

/// Enough for the image, both rings, and the longest stream twice.
const SESSION_MEMORY_MIB: u64 = 256;
/// Enough for the image and fifty terminals: SSH at both ends, editor, rings.
/// Only what is used of it takes room on the machine.
const TERMINALS_MEMORY_MIB: u64 = 1024;
/// 2020-01-01, in nanoseconds: a session's stamps must not depend on today.
const VIRTUAL_START_NS: u64 = 1_577_836_800_000_000_000;
/// The descriptor that the guest's serial line is on.
const SERIAL_FD: i32 = 3;
/// How often a guest that is stepped through is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Lines of the console in an error.
const LAST_LINES: usize = 12;

/// How the guest's clock runs, and with it what else it is given.
pub enum Clock {
    /// Time stands still while anything computes.
    Virtual {
        /// Of all of the guest kernel's randomness.
        seed: u64,
    },
    /// The machine's time; the agent inside serves on this line.
    Real {
        /// The guest's end.
        serial: OwnedFd,
    },
}

impl Clock {
    /// Of a guest with this clock.
    pub fn memory_mib(&self) -> u64 {
        match self {
            Self::Virtual { .. } => SESSION_MEMORY_MIB,
            Self::Real { .. } => TERMINALS_MEMORY_MIB,
        }
    }
}

/// A running guest. Dropping it kills the guest.
pub struct Uml {
    group: Arc<Mutex<Option<Pid>>>,
    ended: oneshot::Receiver<std::io::Result<ExitStatus>>,
    console: PathBuf,
    is_punctual: bool,
}

impl Uml {
    /// Starts a guest on `processor` with `folder`'s spool.
    pub fn start(
        image: &Image,
        folder: &SessionFolder,
        processor: usize,
        clock: Clock,
    ) -> Outcome<Self> {
        let console = folder.console();
        // A file and not a pipe: a pipe that nobody reads would stop the guest,
        // and waking a reader would take its processor.
        let output = File::create(&console).doing("making the guest's console")?;
        let mut command = Command::new(&image.kernel);
        command
            .args(arguments(image, &folder.spool(), &clock))
            .current_dir(folder.spool())
            .env_clear()
            .env("TMPDIR", folder.memory())
            .stdin(Stdio::null())
            .stdout(output.try_clone().doing("making the guest's console")?)
            .stderr(output)
            .process_group(0);
        let for_people = matches!(clock, Clock::Real { .. });
        let initramfs = &image.initramfs;
        let wall = Wall::around(&image.kernel, initramfs, folder, clock.memory_mib())?;
        before_exec(&mut command, processor, clock, wall);
        let group = Arc::new(Mutex::new(None));
        let (started, starting) = std::sync::mpsc::channel();
        let (end, ended) = oneshot::channel();
        let watched = Arc::clone(&group);
        // A thread of its own, because the guest dies with the thread that
        // started it (PR_SET_PDEATHSIG), and threads of a pool come and go.
        std::thread::Builder::new()
            .name("guest".into())
            .spawn(move || {
                let _ = end.send(watch(command, &watched, &started));
            })
            .doing("starting a thread for the guest")?;
        starting
            .recv()
            .unwrap_or_else(|_| Err(std::io::Error::other("its thread ended")))
            .doing(format!("starting the kernel {}", image.kernel.display()))?;
        let pid = *group.lock().expect("nothing panics while holding it");
        // Before it can lose its place for what it does.
        let is_punctual =
            pid.is_some_and(|pid: Pid| punctual::is_preferred(pid.as_raw_nonzero().get()));
        if for_people {
            let group = Arc::clone(&group);
            std::thread::Builder::new()
                .name("guest's programs".into())
                .spawn(move || programs::keep_in_place(&group))
                .doing("starting a thread for the guest's programs")?;
        }
        Ok(Self {
            group,
            ended,
            console,
            is_punctual,
        })
    }

    /// Waits for the guest to power off.
    ///
    /// # Errors
    /// `Failed`, with the console's last lines, when it ended otherwise.
    pub async fn power_off(&mut self) -> Outcome<()> {
        let status = (&mut self.ended)
            .await
            .unwrap_or_else(|_| Err(std::io::Error::other("its thread ended")))
            .doing("waiting for the guest")?;
        if status.success() {
            return Ok(());
        }
        let how = match status.signal() {
            Some(signal) => format!("was ended by signal {signal}"),
            None => format!("ended with {status}"),
        };
        Err(Fault::Failed(format!(
            "the guest {how}; {}",
            self.last_lines()
        )))
    }

    /// Whether the machine let it go before all ordinary processes.
    pub fn is_punctual(&self) -> bool {
        self.is_punctual
    }

    /// What the guest said last.
    pub fn last_lines(&self) -> String {
        let text = fs::read(&self.console).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
        format!("its console ends with:\n{}", last.join("\n"))
    }
}

impl Drop for Uml {
    fn drop(&mut self) {
        let group = self.group.lock().expect("nothing panics while holding it");
        if let Some(group) = *group {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
}

/// Runs the guest to its end. The group is known exactly as long as it exists,
/// so that no signal ever reaches a stranger.
fn watch(
    mut command: Command,
    group: &Mutex<Option<Pid>>,
    started: &std::sync::mpsc::Sender<std::io::Result<()>>,
) -> std::io::Result<ExitStatus> {
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let copy = std::io::Error::new(error.kind(), error.to_string());
            let _ = started.send(Err(error));
            return Err(copy);
        }
    };
    // Closes our copy of the serial line: the host must see the guest's end.
    drop(command);
    let pid = Pid::from_child(&child);
    *group.lock().expect("nothing panics while holding it") = Some(pid);
    let _ = started.send(Ok(()));
    // Leaves the zombie: its number, and the group's, stay taken.
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match rustix::process::waitid(WaitId::Pid(pid), ended) {
            Err(rustix::io::Errno::INTR) => {}
            // A thread of ours steps through the guest, and its stops show here.
            Ok(Some(status)) if status.trapped() => std::thread::sleep(LOOK_EVERY),
            _ => break,
        }
    }
    let mut group = group.lock().expect("nothing panics while holding it");
    // The processes of the guest's programs, if the kernel was killed.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    *group = None;
    child.wait()
}

fn arguments(image: &Image, spool: &Path, clock: &Clock) -> Vec<String> {
    let mut arguments = vec![
        format!("mem={}M", clock.memory_mib()),
        format!("initrd={}", image.initramfs.display()),
        format!("hostfs={}", spool.display()),
        "con=null".into(),
        "con0=null,fd:2".into(),
        "ipv6.disable=1".into(),
        "panic=-1".into(),
    ];
    match clock {
        Clock::Virtual { seed } => arguments.extend([
            "time-travel=inf-cpu".into(),
            format!("time-travel-start={VIRTUAL_START_NS}"),
            format!("random.fixed_seed={seed}"),
        ]),
        Clock::Real { .. } => {
            arguments.extend([format!("ssl0=fd:{SERIAL_FD}"), spool::SERVE.into()]);
        }
    }
    arguments
}

fn before_exec(command: &mut Command, processor: usize, clock: Clock, wall: Wall) {
    let mut processors = rustix::thread::CpuSet::new();
    processors.set(processor);
    let serial = match clock {
        Clock::Real { serial } => Some(serial),
        Clock::Virtual { .. } => None,
    };
    let parent = rustix::process::getpid();
    let step = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the line above.
        if rustix::process::getppid() != Some(parent) {
            return Err(std::io::Error::other("the agent ended"));
        }
        rustix::thread::sched_setaffinity(None, &processors)?;
        if let Some(serial) = &serial {
            duplicate(serial.as_raw_fd(), SERIAL_FD)?;
            // Refused to ordinary users: Describe tells.
            let _ = punctual::prefer_alone(punctual::GUEST);
        }
        wall.raise()
    };
    // Runs between fork and exec: system calls only.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(step);
    }
}

/// `dup2`, also when the two are the same: the copy survives exec.
fn duplicate(from: i32, to: i32) -> std::io::Result<()> {
    #[allow(unsafe_code)]
    let result = unsafe {
        if from == to {
            libc::fcntl(to, libc::F_SETFD, 0)
        } else {
            libc::dup2(from, to)
        }
    };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}
