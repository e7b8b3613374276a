//! The files that `lab-agent analyze` is given.
// SPDX-License-Identifier: Apache-2.0

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use thinlab_trace::{Capture, Reading, read_capture_as};

use super::arguments::AnalyzeArgs;
use crate::commands::mapped::Mapped;

pub(super) fn read(path: &Path, bytes: &[u8], args: &AnalyzeArgs) -> Result<Capture> {
    let reading = Reading {
        mss_bytes: args.mss,
    };
    let read = read_capture_as(bytes, reading).with_context(|| path.display().to_string())?;
    match read.cut {
        None => {}
        Some(cut) if args.accept_cut => eprintln!("warning: {}: {cut}", path.display()),
        Some(cut) => bail!("{}: {cut} with --accept-cut", path.display()),
    }
    Ok(read.capture)
}

pub(super) fn bytes(path: &Path) -> Result<Mapped> {
    Mapped::open(path).with_context(|| format!("{} cannot be read", path.display()))
}
