//! A process that sees nothing of the host that it runs on: namespaces of its
//! own, a root of its own, an ordinary user, bounds, and no way back.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use rustix::thread::UnshareFlags;
use tokio::sync::oneshot;

use super::limits::Limits;
use super::root::{self, Contents, Handles};
use super::share::Share;
use crate::fault::{Doing, Fault, Outcome};
use crate::forking;
use crate::lane::sysctl;

/// Of memory shortage the confined die first, and the agent never.
const FIRST_TO_DIE: &str = "1000";

/// What is to run.
pub struct Confined {
    /// For the thread's name.
    pub name: &'static str,
    /// Its root.
    pub contents: Contents,
    /// Absolute, inside the root.
    pub program: &'static str,
    /// Without the program's name.
    pub arguments: Vec<String>,
    /// All of its environment.
    pub environment: Vec<(&'static str, &'static str)>,
    /// Its bounds.
    pub limits: Limits,
    /// How many processes it may be, threads included.
    pub processes: u64,
    /// What it may use of the guest, with all that it starts.
    pub share: Option<Share>,
}

/// Standard input, output and error of a process.
pub struct Standard {
    /// Read from.
    pub input: OwnedFd,
    /// Written to.
    pub output: OwnedFd,
    /// Complaints.
    pub errors: OwnedFd,
    /// Whether the input is the terminal that the process belongs to.
    pub is_terminal: bool,
}

/// A running process, the first of its namespace. Dropping it kills it and all
/// that it has started.
pub struct Process {
    id: i32,
    handle: OwnedFd,
    ended: Option<End>,
}

/// What starting a process gives.
pub struct Started<T> {
    /// It.
    pub process: Process,
    /// Its files.
    pub handles: Handles,
    /// What was made in its namespaces.
    pub made: T,
    /// The other side of its standard input and output.
    pub ours: OwnedFd,
}

impl Process {
    /// Its number in the guest.
    pub fn id(&self) -> i32 {
        self.id
    }

    /// Waits for its end.
    pub async fn ended(&mut self) -> Outcome<ExitStatus> {
        let Some(ended) = &mut self.ended else {
            return Err(Fault::Failed("a terminal's end was asked for twice".into()));
        };
        let status = ended.await;
        self.ended = None;
        status
            .unwrap_or_else(|_| Err(std::io::Error::other("its thread ended")))
            .doing("waiting for a terminal's process")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Its own thread reaps it. Without one, it has been reaped already.
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
    }
}

/// Starts a process. `inside` runs in its namespaces and root, still with the
/// agent's rights, and gives it its descriptors.
pub async fn start<T: Send + 'static>(
    confined: Confined,
    before: impl FnOnce() -> Outcome<T> + Send + 'static,
    inside: impl FnOnce() -> Outcome<(Standard, OwnedFd)> + Send + 'static,
) -> Outcome<Started<T>> {
    harden();
    let (started, starting) = oneshot::channel();
    let (end, ended) = oneshot::channel();
    // A thread that enters namespaces cannot return from all of them: it stays,
    // waits for the process, and ends with it.
    std::thread::Builder::new()
        .name(confined.name.into())
        .spawn(move || {
            match spawn(&confined, before, inside, ended) {
                Ok((mut child, all)) => {
                    // Whoever does not wait any more drops the process with it.
                    let _ = started.send(Ok(all));
                    let ended = child.wait();
                    // The first of its namespace: the others have ended before it.
                    drop(confined.share);
                    let _ = end.send(ended);
                }
                Err(fault) => {
                    let _ = started.send(Err(fault));
                }
            }
        })
        .doing("starting a thread for a terminal")?;
    starting
        .await
        .unwrap_or_else(|_| Err(Fault::Failed("a terminal's thread ended".into())))
}

type End = oneshot::Receiver<std::io::Result<ExitStatus>>;

fn spawn<T>(
    confined: &Confined,
    before: impl FnOnce() -> Outcome<T>,
    inside: impl FnOnce() -> Outcome<(Standard, OwnedFd)>,
    ended: End,
) -> Outcome<(std::process::Child, Started<T>)> {
    // A child of another thread's fork would hold this root's files open, and keep
    // it from becoming read-only.
    let _alone = alone();
    unshare()?;
    close_channels()?;
    let made = before()?;
    let proc = fs::File::open("/proc").doing("opening /proc")?;
    let handles = root::enter(&confined.contents)?;
    let (standard, ours) = inside()?;
    let mut command = command(confined, standard)?;
    let spawned = {
        let _alone = forking::alone();
        command.spawn()
    };
    let mut child = spawned.doing(format!("starting {} in a terminal", confined.program))?;
    drop(command);
    let pid = Pid::from_child(&child);
    let watched = prefer_to_kill(&proc, pid)
        .and_then(|()| pidfd_open(pid, PidfdFlags::empty()).doing("watching a terminal's process"));
    match watched {
        Ok(handle) => {
            let process = Process {
                id: pid.as_raw_nonzero().get(),
                handle,
                ended: Some(ended),
            };
            let all = Started {
                process,
                handles,
                made,
                ours,
            };
            Ok((child, all))
        }
        Err(fault) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(fault)
        }
    }
}

fn alone() -> MutexGuard<'static, ()> {
    static STARTING: Mutex<()> = Mutex::new(());
    // What it guards is in the kernel, and stays right when a thread panics.
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Namespaces of every kind but users: what is not there cannot be asked for.
fn unshare() -> Outcome<()> {
    let flags = UnshareFlags::FS
        | UnshareFlags::NEWNS
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWPID;
    // Descriptors stay shared with the other threads; all else is this thread's.
    #[allow(unsafe_code)]
    unsafe { rustix::thread::unshare_unsafe(flags) }.doing("making a terminal's namespaces")?;
    rustix::system::sethostname(root::HOST.as_bytes()).doing("naming a terminal's host")
}

/// Memory that outlives its owner, in the namespace's own settings: none.
fn close_channels() -> Outcome<()> {
    for (name, value) in [
        ("kernel.shmmni", "0"),
        ("kernel.shmall", "0"),
        ("kernel.msgmni", "0"),
        ("kernel.sem", "0 0 0 0"),
        ("fs.mqueue.queues_max", "0"),
    ] {
        sysctl::write_if_there(name, value)?;
    }
    Ok(())
}

/// Once for the guest: what no terminal needs is closed to all users.
fn harden() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for (name, value) in [
            ("user.max_user_namespaces", "0"),
            ("kernel.dmesg_restrict", "1"),
            ("kernel.kptr_restrict", "2"),
            // Writes and reads that no filter of system calls sees.
            ("kernel.io_uring_disabled", "2"),
            // What a pipe holds is nobody's memory by the process's own bounds.
            ("fs.pipe-max-size", "65536"),
            ("fs.pipe-user-pages-soft", "64"),
            ("fs.pipe-user-pages-hard", "256"),
        ] {
            let _ = sysctl::write_if_there(name, value);
        }
    });
}

fn command(confined: &Confined, standard: Standard) -> Outcome<Command> {
    let Standard {
        input,
        output,
        errors,
        is_terminal,
    } = standard;
    let mut command = Command::new(confined.program);
    command
        .args(&confined.arguments)
        .env_clear()
        .envs(confined.environment.iter().copied())
        .stdin(Stdio::from(input))
        .stdout(Stdio::from(output))
        .stderr(Stdio::from(errors));
    let (user, limits, processes) = (confined.contents.user, confined.limits, confined.processes);
    let share = confined.share.as_ref().map(Share::entrance).transpose()?;
    // Runs between fork and exec: system calls only.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(move || {
            rustix::process::setsid()?;
            if let Some(share) = &share {
                rustix::io::write(share, b"0")?;
            }
            if is_terminal {
                belong_to_terminal()?;
            }
            become_user(user)?;
            limits.bind(processes)?;
            keep_only_standard()
        });
    }
    Ok(command)
}

/// Makes standard input the terminal of the calling process's session.
fn belong_to_terminal() -> std::io::Result<()> {
    // Takes a number.
    #[allow(unsafe_code)]
    let result = unsafe { libc::ioctl(0, libc::TIOCSCTTY, 0) };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}

/// For good: no program gives rights back.
fn become_user(user: u32) -> std::io::Result<()> {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    // Each reads what it is given, and the last two nothing.
    #[allow(unsafe_code)]
    let results = unsafe {
        [
            libc::setgroups(0, std::ptr::null()),
            libc::setresgid(user, user, user),
            libc::setresuid(user, user, user),
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        ]
    };
    if results.iter().any(|&result| result < 0) {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}

/// A descriptor of the agent's that exec would not close, is closed.
fn keep_only_standard() -> std::io::Result<()> {
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            3,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}

fn prefer_to_kill(proc: impl AsFd, pid: Pid) -> Outcome<()> {
    use rustix::fs::{Mode, OFlags, openat};
    let path = format!("{}/oom_score_adj", pid.as_raw_nonzero());
    let file = openat(&proc, path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())
        .doing("opening a process's place in a memory shortage")?;
    rustix::io::write(&file, FIRST_TO_DIE.as_bytes())
        .doing("choosing who dies in a memory shortage")
        .map(|_| ())
}
