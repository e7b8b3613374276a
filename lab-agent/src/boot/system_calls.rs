//! The system calls of a guest's process: those that the kernel of an embedded host
//! makes (arch/um/os-Linux, fs/hostfs, the C library that it is linked with). The
//! calls of the guest's programs are none: that kernel answers them.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use crate::fault::{Fault, Outcome};

#[rustfmt::skip]
const FREE: &[libc::c_long] = &[
    // Files: their names are Landlock's business. Sockets are not among them.
    libc::SYS_read, libc::SYS_write, libc::SYS_pread64, libc::SYS_pwrite64, libc::SYS_readv, libc::SYS_writev,
    libc::SYS_open, libc::SYS_openat, libc::SYS_close, libc::SYS_lseek, libc::SYS_dup, libc::SYS_dup2, libc::SYS_dup3,
    libc::SYS_fcntl, libc::SYS_ioctl, libc::SYS_stat, libc::SYS_fstat, libc::SYS_lstat, libc::SYS_newfstatat,
    libc::SYS_statx, libc::SYS_statfs, libc::SYS_fstatfs, libc::SYS_access, libc::SYS_faccessat, libc::SYS_faccessat2,
    libc::SYS_getdents, libc::SYS_getdents64, libc::SYS_truncate, libc::SYS_ftruncate, libc::SYS_fallocate,
    libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_mkdir, libc::SYS_mkdirat, libc::SYS_rmdir, libc::SYS_unlink,
    libc::SYS_unlinkat, libc::SYS_rename, libc::SYS_renameat, libc::SYS_renameat2, libc::SYS_link, libc::SYS_linkat,
    libc::SYS_readlink, libc::SYS_readlinkat, libc::SYS_chmod, libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_chown,
    libc::SYS_fchown, libc::SYS_lchown, libc::SYS_fchownat, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat,
    libc::SYS_utimensat, libc::SYS_umask, libc::SYS_getcwd, libc::SYS_pipe, libc::SYS_pipe2,
    // Waiting for them.
    libc::SYS_poll, libc::SYS_ppoll, libc::SYS_select, libc::SYS_pselect6, libc::SYS_epoll_create,
    libc::SYS_epoll_create1, libc::SYS_epoll_ctl, libc::SYS_epoll_wait, libc::SYS_epoll_pwait, libc::SYS_eventfd2,
    // Memory.
    libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mprotect, libc::SYS_mremap, libc::SYS_madvise, libc::SYS_msync,
    libc::SYS_brk,
    // Its processes: one for each of the guest's, traced.
    libc::SYS_execve, libc::SYS_wait4, libc::SYS_waitid, libc::SYS_exit, libc::SYS_exit_group, libc::SYS_ptrace,
    libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_getpid, libc::SYS_gettid, libc::SYS_getppid,
    libc::SYS_getpgrp, libc::SYS_getpgid, libc::SYS_setpgid, libc::SYS_setsid, libc::SYS_getuid, libc::SYS_geteuid,
    libc::SYS_getgid, libc::SYS_getegid, libc::SYS_set_tid_address, libc::SYS_set_robust_list, libc::SYS_rseq,
    libc::SYS_arch_prctl, libc::SYS_prctl, libc::SYS_personality, libc::SYS_getrlimit, libc::SYS_getrusage,
    libc::SYS_futex, libc::SYS_sched_yield, libc::SYS_sched_getaffinity, libc::SYS_uname, libc::SYS_sysinfo,
    libc::SYS_getrandom,
    // Signals and time.
    libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigpending, libc::SYS_rt_sigtimedwait, libc::SYS_sigaltstack, libc::SYS_restart_syscall,
    libc::SYS_pause, libc::SYS_alarm, libc::SYS_getitimer, libc::SYS_setitimer, libc::SYS_timer_create,
    libc::SYS_timer_settime, libc::SYS_timer_gettime, libc::SYS_timer_getoverrun, libc::SYS_timer_delete,
    libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_clock_nanosleep, libc::SYS_nanosleep,
    libc::SYS_gettimeofday, libc::SYS_time, libc::SYS_times,
];
/// New processes, but in no namespaces of their own.
const NAMESPACES: libc::c_int = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// Compiles the list. None where the machine's kernel has no seccomp.
pub fn filter() -> Outcome<Option<Vec<libc::sock_filter>>> {
    if !can_be_confined() {
        return Ok(None);
    }
    let compiled = compiled().map_err(|error| {
        Fault::Failed(format!("{error} while confining a guest's system calls"))
    })?;
    let instruction = |one: seccompiler::sock_filter| libc::sock_filter {
        code: one.code,
        jt: one.jt,
        jf: one.jf,
        k: one.k,
    };
    Ok(Some(compiled.into_iter().map(instruction).collect()))
}

fn compiled() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        FREE.iter().map(|&call| (call, vec![])).collect();
    let argument = |operator| {
        let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, operator, 0)?;
        Ok(vec![SeccompRule::new(vec![condition])?])
    };
    let no_namespace = argument(SeccompCmpOp::MaskedEq(NAMESPACES as u64))?;
    rules.insert(libc::SYS_clone, no_namespace);
    // Bounds of the caller, and of nobody else.
    rules.insert(libc::SYS_prlimit64, argument(SeccompCmpOp::Eq)?);
    // All others are answered as by a kernel that does not have them.
    let others = SeccompAction::Errno(libc::ENOSYS as u32);
    SeccompFilter::new(rules, others, SeccompAction::Allow, TargetArch::x86_64)?.try_into()
}

/// Whether this machine's kernel can.
pub fn can_be_confined() -> bool {
    let errno = libc::SECCOMP_RET_ERRNO;
    let asked = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_GET_ACTION_AVAIL,
            0,
            &raw const errno,
        )
    };
    asked == 0
}

/// Leaves the calling process these calls. A system call only.
pub fn allow_only(filter: &[libc::sock_filter]) -> std::io::Result<()> {
    let program = libc::sock_fprog {
        len: filter.len() as libc::c_ushort,
        filter: filter.as_ptr().cast_mut(),
    };
    // Without the slower way of speculating that older kernels add: nothing that this
    // process could read of itself is a secret from it.
    let result = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
            &raw const program,
        )
    };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}
