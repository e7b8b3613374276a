//! A guest's kernel that dies while it makes a process leaves none behind. Such a process would otherwise be traced by
//! init, which does not know of it, and stand still for ever with what its kernel had open.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use libc::{c_int, c_uint, c_void, pid_t};

use crate::agent::{alive, eventually};

/// At least so many processes are made before the guest's init runs: two for the kernel's checks of
/// its machine, the others to run the guest's programs.
const MADE: usize = 4;

/// What ptrace(2) is asked for, with nothing but a number in the place of data.
fn ask(request: c_uint, pid: pid_t, data: usize) {
    // SAFETY: with these requests the kernel reads no memory of ours.
    let asked = unsafe { libc::ptrace(request, pid, 0, data as *mut c_void) };
    assert_eq!(asked, 0, "{}", std::io::Error::last_os_error());
}

/// The next stop of a process, as waitpid(2) tells it.
fn stopped(pid: pid_t) -> c_int {
    let mut status = 0;
    // SAFETY: the status is ours to write.
    let found = unsafe { libc::waitpid(pid, &raw mut status, libc::__WALL) };
    assert_eq!(found, pid, "{}", std::io::Error::last_os_error());
    assert!(libc::WIFSTOPPED(status), "it ended: {status:#x}");
    status
}

/// A kernel that stands still at its first instruction, and before each process that it makes.
fn traced(spool: &std::path::Path) -> Child {
    let of = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name}: run `make test`"));
    let mut command = Command::new(of("THINLAB_KERNEL"));
    command
        .arg("mem=64M")
        .arg(format!("initrd={}", of("THINLAB_GUEST")))
        .arg(format!("hostfs={}", spool.display()))
        .arg(format!("uml_dir={}", spool.display()))
        .args(["con=null", "con0=null,fd:2", "panic=-1"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // SAFETY: ptrace(2) may be called between fork and exec.
    let command = unsafe {
        command.pre_exec(|| {
            libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0);
            Ok(())
        })
    };
    let kernel = command.spawn().unwrap();
    let pid = pid_t::try_from(kernel.id()).unwrap();
    stopped(pid);
    let made = libc::PTRACE_O_TRACEFORK | libc::PTRACE_O_TRACEVFORK | libc::PTRACE_O_TRACECLONE;
    ask(
        libc::PTRACE_SETOPTIONS,
        pid,
        usize::try_from(made | libc::PTRACE_O_EXITKILL).unwrap(),
    );
    kernel
}

/// Lets the kernel run until it has made one more process, which has not run yet.
fn next_made(kernel: pid_t) -> pid_t {
    let mut signal = 0;
    loop {
        ask(libc::PTRACE_CONT, kernel, usize::try_from(signal).unwrap());
        let status = stopped(kernel);
        if status >> 16 == 0 {
            // An exec tells of itself by SIGTRAP; whatever else comes is the kernel's own.
            signal = match libc::WSTOPSIG(status) {
                libc::SIGTRAP => 0,
                other => other,
            };
            continue;
        }
        let mut made: libc::c_ulong = 0;
        // SAFETY: the kernel writes one number, and there is room for it.
        let told = unsafe {
            libc::ptrace(
                libc::PTRACE_GETEVENTMSG,
                kernel,
                0,
                (&raw mut made).cast::<c_void>(),
            )
        };
        assert_eq!(told, 0);
        let made = pid_t::try_from(made).unwrap();
        stopped(made);
        return made;
    }
}

#[tokio::test]
async fn who_is_made_as_the_kernel_dies_ends_with_it() {
    for last in 0..MADE {
        let spool = tempfile::tempdir().unwrap();
        let mut kernel = traced(spool.path());
        let pid = pid_t::try_from(kernel.id()).unwrap();
        for _ in 0..last {
            ask(libc::PTRACE_DETACH, next_made(pid), 0);
        }
        let made = next_made(pid);
        kernel.kill().unwrap();
        kernel.wait().unwrap();
        ask(libc::PTRACE_DETACH, made, 0);
        eventually(&format!("process {last} is gone"), || !alive(made)).await;
    }
}
