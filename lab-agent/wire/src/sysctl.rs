//! Kernel settings of the calling thread's network namespace.
// SPDX-License-Identifier: Apache-2.0
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// Writes a setting, named with dots.
pub fn write(name: &str, value: &str) -> Result<()> {
    let path = PathBuf::from("/proc/sys").join(name.replace('.', "/"));
    if !path.exists() {
        bail!("this kernel has no setting {name}");
    }
    std::fs::write(&path, value).with_context(|| format!("setting {name} to {value}"))
}
