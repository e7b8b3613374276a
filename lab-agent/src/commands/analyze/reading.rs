//! The files that `lab-agent analyze` is given.
// SPDX-License-Identifier: Apache-2.0

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use thinlab_trace::{Capture, Reading, read_capture_as};

use super::arguments::AnalyzeArgs;

pub(super) fn read(path: &Path, args: &AnalyzeArgs) -> Result<Capture> {
    let bytes =
        std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let reading = Reading {
        mss_bytes: args.mss,
    };
    let read = read_capture_as(&bytes, reading).with_context(|| path.display().to_string())?;
    match read.cut {
        None => {}
        Some(cut) if args.accept_cut => eprintln!("warning: {}: {cut}", path.display()),
        Some(cut) => bail!("{}: {cut} with --accept-cut", path.display()),
    }
    Ok(read.capture)
}
