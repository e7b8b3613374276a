//! Files of numbers, one a line.
// SPDX-License-Identifier: Apache-2.0

use std::path::Path;
use std::str::FromStr;

use anyhow::{Context as _, Result};

/// All numbers of a file; `what` says in an error what each of them should be.
pub(super) fn read<Number>(path: &Path, what: &str) -> Result<Vec<Number>>
where
    Number: FromStr,
    Number::Err: std::error::Error + Send + Sync + 'static,
{
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read", path.display()))?;
    let number = |(index, line): (usize, &str)| {
        line.trim().parse().with_context(|| {
            let nth = index + 1;
            format!("{}, line {nth}: {line:?} is no {what}", path.display())
        })
    };
    text.lines().enumerate().map(number).collect()
}
