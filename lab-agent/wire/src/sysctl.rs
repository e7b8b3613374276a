//! Kernel settings of the calling thread's network namespace.
// SPDX-License-Identifier: Apache-2.0
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

fn path(name: &str) -> PathBuf {
    PathBuf::from("/proc/sys").join(name.replace('.', "/"))
}

/// Whether this kernel has a setting, in this namespace.
pub fn exists(name: &str) -> bool {
    path(name).exists()
}

/// Writes a setting, named with dots.
pub fn write(name: &str, value: &str) -> Result<()> {
    let path = path(name);
    if !path.exists() {
        bail!("this kernel has no setting {name}");
    }
    let written = std::fs::write(&path, value);
    if let Err(error) = &written
        && error.kind() == std::io::ErrorKind::PermissionDenied
        && name.ends_with("tcp_congestion_control")
    {
        bail!(
            "namespaces of this machine may not choose {value}: add it to \
             net.ipv4.tcp_allowed_congestion_control"
        );
    }
    written.with_context(|| format!("setting {name} to {value}"))
}
