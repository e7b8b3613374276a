//! Allocations that fail: those of the kernel that may not wait for memory, such
//! as a segment's when an ACK or a timer sends it. Only a kernel with failslab
//! can, which the debug kernel has.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

const FAILSLAB: &str = "/sys/kernel/debug/failslab";

/// Allocations fail while this lives.
pub struct Failing(());

impl Failing {
    /// So many in a hundred, at random, of the whole kernel.
    ///
    /// # Errors
    /// When this kernel cannot.
    pub fn begin(percent: u32) -> Result<Self> {
        if !Path::new(FAILSLAB).exists() {
            bail!("this kernel has no failslab, or debugfs is not mounted: take the debug kernel");
        }
        // However often, and without a stack trace of each in the log.
        for (name, value) in [("times", "-1"), ("verbose", "0")] {
            write(name, value)?;
        }
        write("probability", &percent.to_string())?;
        Ok(Self(()))
    }
}

impl Drop for Failing {
    fn drop(&mut self) {
        let _ = write("probability", "0");
    }
}

fn write(name: &str, value: &str) -> Result<()> {
    let file = Path::new(FAILSLAB).join(name);
    fs::write(&file, value).with_context(|| format!("writing {value} to {}", file.display()))
}
