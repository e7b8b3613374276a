//! The second wall of a guest: what its process may do on this machine. In a guest
//! that nobody has broken out of, nothing here is ever felt.
//!
//! Files by Landlock, system calls by seccomp, no capabilities, and bounds. Each
//! holds by itself, because not every machine has all of them.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use lab_proto::GuestWall;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, make_bitflags,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::room::SessionFolder;
use super::system_calls;
use crate::fault::{Fault, Outcome};

/// The newest that is asked for; older kernels give what they have.
const NEWEST: ABI = ABI::V7;
/// The guest's memory is the largest file that it writes.
const BESIDE_MEMORY_BYTES: u64 = 64 << 20;
/// Of one of the guest's programs, beside what it has touched.
const ADDRESSES_BYTES: u64 = 1 << 30;
/// How far behind the kernel's executable this machine puts its heap at most, which the kernel
/// takes for memory of its own, although nothing is ever there.
const RANDOM_GAP_BYTES: u64 = 1 << 30;
/// The kernel's own heap; the guest's memory is shared and does not count.
const HEAP_BYTES: u64 = 64 << 20;
/// One for each process in the guest, of all guests and of whatever else our user runs.
const PROCESSES: u64 = 8192;
const OPEN_FILES: u64 = 1024;

/// What one guest's process is to be held by.
pub struct Wall {
    files: Option<OwnedFd>,
    calls: Option<Vec<libc::sock_filter>>,
    memory_bytes: u64,
}

impl Wall {
    /// Around a guest that is started from `kernel` and `initramfs`.
    pub fn around(
        kernel: &Path,
        initramfs: &Path,
        folder: &SessionFolder,
        memory_mib: u64,
    ) -> Outcome<Self> {
        Ok(Self {
            files: files(kernel, initramfs, folder)
                .map_err(|error| Fault::Failed(format!("{error} while confining a guest")))?,
            calls: system_calls::filter()?,
            memory_bytes: memory_mib << 20,
        })
    }

    /// Holds the calling process, for good, with all that it will start. System
    /// calls only: it runs between fork and exec.
    pub fn raise(&self) -> std::io::Result<()> {
        give_up_capabilities()?;
        let memory_bytes = self.memory_bytes + random_gap_bytes();
        for (resource, most) in [
            (Resource::Fsize, memory_bytes + BESIDE_MEMORY_BYTES),
            (Resource::As, memory_bytes + ADDRESSES_BYTES),
            (Resource::Data, HEAP_BYTES),
            (Resource::Nproc, PROCESSES),
            (Resource::Nofile, OPEN_FILES),
            (Resource::Core, 0),
            (Resource::Memlock, 0),
            (Resource::Msgqueue, 0),
        ] {
            lower(resource, most)?;
        }
        check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into())?;
        if let Some(files) = &self.files {
            check(unsafe {
                libc::syscall(libc::SYS_landlock_restrict_self, files.as_raw_fd(), 0)
            })?;
        }
        // The last: it forbids the others.
        self.calls
            .as_deref()
            .map_or(Ok(()), system_calls::allow_only)
    }
}

/// What this machine has of it.
pub fn possible() -> GuestWall {
    GuestWall {
        landlock_version: landlock_version(),
        seccomp: system_calls::can_be_confined(),
    }
}

/// Says, for the log, what is not possible.
pub fn tell_what_is_missing(possible: GuestWall) {
    if possible.landlock_version == 0 {
        eprintln!(
            "lab-agent: this machine's kernel confines no files (Landlock: Linux 5.13, and \
             `landlock` among /sys/kernel/security/lsm): guests are held by their own kernel and \
             the rest of docs/ssh.md#the-second-wall"
        );
    }
    if !possible.seccomp {
        eprintln!(
            "lab-agent: this machine's kernel confines no system calls (seccomp): guests are held \
             by their own kernel and the rest of docs/ssh.md#the-second-wall"
        );
    }
}

/// 0 where the machine's kernel has no Landlock, or something before it refuses to ask.
fn landlock_version() -> u32 {
    let asked = unsafe {
        // The version alone, without a ruleset.
        libc::syscall(libc::SYS_landlock_create_ruleset, 0, 0, 1)
    };
    asked.max(0) as u32
}

/// None where the machine's kernel has no Landlock.
fn files(
    kernel: &Path,
    initramfs: &Path,
    folder: &SessionFolder,
) -> Result<Option<OwnedFd>, RulesetError> {
    if landlock_version() == 0 {
        return Ok(None);
    }
    let read = make_bitflags!(AccessFs::ReadFile);
    // Neither links nor devices, pipes and sockets, which the agent might follow or open.
    let spool = make_bitflags!(AccessFs::{ReadFile | ReadDir | WriteFile | Truncate | MakeReg | MakeDir
        | RemoveFile | RemoveDir | Refer});
    let memory = make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate | MakeReg | RemoveFile});
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let rules = below(rules, kernel, read | AccessFs::Execute)?;
    let rules = below(rules, initramfs, read)?;
    let rules = below(rules, &folder.spool(), spool)?;
    let rules = below(rules, &folder.memory(), memory)?;
    let rules = below(rules, Path::new("/proc/cpuinfo"), read)?;
    let rules = below(rules, Path::new("/dev/null"), read | AccessFs::WriteFile)?;
    Ok(rules.into())
}

fn below(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    // What is not there cannot be reached either.
    match PathFd::new(path) {
        Ok(opened) => rules.add_rule(PathBeneath::new(opened, access)),
        Err(_) => Ok(rules),
    }
}

/// For an agent that root has started.
fn give_up_capabilities() -> std::io::Result<()> {
    const VERSION_3: u32 = 0x2008_0522;
    const ROOT_IS_NOBODY_SPECIAL: libc::c_ulong = 0b11;
    // Else each program that root starts is given them anew, and loses the wish for a fixed
    // address space, which the guest's kernel starts itself again for.
    let set = unsafe { libc::prctl(libc::PR_SET_SECUREBITS, ROOT_IS_NOBODY_SPECIAL) };
    if set < 0 && rustix::process::geteuid().is_root() {
        return Ok(());
    }
    // Of the calling process; two sets of effective, permitted and inheritable.
    let header: [u32; 2] = [VERSION_3, 0];
    let none = [0u32; 6];
    check(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) })
}

/// None where the guest's kernel can ask for addresses that stay where they are, as it does. The
/// engine of a container may refuse that: Docker's does.
fn random_gap_bytes() -> u64 {
    const ASK: libc::c_ulong = 0xffff_ffff;
    let now = unsafe { libc::personality(ASK) };
    let wished = now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong;
    if now < 0 || unsafe { libc::personality(wished) } < 0 {
        return RANDOM_GAP_BYTES;
    }
    // It starts itself again with it, which is its own business.
    unsafe { libc::personality(now as libc::c_ulong) };
    0
}

fn lower(resource: Resource, most: u64) -> std::io::Result<()> {
    let most = Some(
        getrlimit(resource)
            .maximum
            .map_or(most, |own| own.min(most)),
    );
    Ok(setrlimit(
        resource,
        Rlimit {
            current: most,
            maximum: most,
        },
    )?)
}

fn check(result: libc::c_long) -> std::io::Result<()> {
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}
