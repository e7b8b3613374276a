//! Files that are only read, and may be larger than memory.
// SPDX-License-Identifier: Apache-2.0
// Mapping a file is up to whoever else can write to it.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Deref;
use std::path::Path;

use memmap2::{Advice, Mmap};

/// A file's bytes.
pub enum Mapped {
    /// As the kernel has them, without a copy.
    File(Mmap),
    /// Of what cannot be mapped: a pipe, an empty file.
    Copy(Vec<u8>),
}

impl Mapped {
    /// A file that others shorten meanwhile ends this process (SIGBUS).
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if file.metadata()?.is_file() {
            // SAFETY: a byte that somebody changes meanwhile is a byte all the same;
            // nothing here looks twice at one and relies on seeing the same.
            if let Ok(map) = unsafe { Mmap::map(&file) } {
                // Without it, reading is slower, not wrong.
                let _ = map.advise(Advice::Sequential);
                return Ok(Self::File(map));
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Self::Copy(bytes))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::File(map) => map,
            Self::Copy(bytes) => bytes,
        }
    }
}
