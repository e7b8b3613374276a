//! Kernel settings of the calling thread's network namespace.
// SPDX-License-Identifier: Apache-2.0
use std::path::PathBuf;

use crate::fault::{Doing, Outcome};

/// Whether this kernel has the setting.
pub fn exists(name: &str) -> bool {
    path(name).exists()
}

/// Reads a setting, without the newline.
pub fn read(name: &str) -> Outcome<String> {
    let text = std::fs::read_to_string(path(name)).doing(format!("reading {name}"))?;
    Ok(text.trim_end().to_owned())
}

/// Writes a setting.
pub fn write(name: &str, value: &str) -> Outcome<()> {
    std::fs::write(path(name), value).doing(format!("setting {name} to {value}"))
}

/// The value of a setting that is on or off.
pub fn flag(on: bool) -> String {
    if on { "1" } else { "0" }.to_owned()
}

/// A setting with its value.
#[derive(Clone, PartialEq, Eq)]
pub struct Setting {
    /// Such as `net.ipv4.tcp_recovery`.
    pub name: &'static str,
    /// What it is to be.
    pub value: String,
    /// Whether a kernel that does not have it is left as it is.
    pub may_lack: bool,
}

impl Setting {
    /// Writes it.
    pub fn write(&self) -> Outcome<()> {
        if self.may_lack {
            return write_if_there(self.name, &self.value);
        }
        write(self.name, &self.value)
    }
}

/// Writes a setting where the kernel has it.
pub fn write_if_there(name: &str, value: &str) -> Outcome<()> {
    match std::fs::write(path(name), value) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        written => written.doing(format!("setting {name} to {value}")),
    }
}

fn path(name: &str) -> PathBuf {
    PathBuf::from("/proc/sys").join(name.replace('.', "/"))
}
