//! What init finds missing: the kernel's file systems and the spool.
// SPDX-License-Identifier: Apache-2.0
use rustix::mount::{MountFlags, mount};

use crate::fault::{Doing, Outcome};
use crate::spool::SPOOL;

/// Mounts all of it. The spool is the only folder of the real host that the
/// guest's kernel was told of.
pub fn all() -> Outcome<()> {
    for (kind, target) in [
        ("proc", "/proc"),
        ("sysfs", "/sys"),
        ("devtmpfs", "/dev"),
        ("hostfs", SPOOL),
    ] {
        std::fs::create_dir_all(target).doing(format!("making {target}"))?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV.difference(dev_flag(kind));
        mount("none", target, kind, flags, None).doing(format!("mounting {target}"))?;
    }
    Ok(())
}

fn dev_flag(kind: &str) -> MountFlags {
    if kind == "devtmpfs" {
        MountFlags::NODEV
    } else {
        MountFlags::empty()
    }
}
