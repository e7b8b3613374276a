//! What a guest left in its spool: read as what a stranger wrote. Its root may have
//! put a link to a file of the machine there, or a pipe that nobody writes to.
// SPDX-License-Identifier: Apache-2.0
use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};

/// More than any session leaves.
const MOST_BYTES: u64 = 1 << 30;

/// Reads the plain file `name` below `spool`.
pub fn read(spool: &Path, name: &Path) -> std::io::Result<Vec<u8>> {
    let folder = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let spool = openat(CWD, spool, folder, Mode::empty())?;
    let plain = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let mut file = File::from(openat2(&spool, name, plain, Mode::empty(), inside)?);
    if !file.metadata()?.is_file() {
        return Err(Error::new(ErrorKind::InvalidData, "no plain file"));
    }
    let mut bytes = Vec::new();
    file.by_ref().take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use rustix::fs::{FileType, mknodat};

    use super::*;

    #[test]
    fn a_plain_file_is_read_and_nothing_that_leads_elsewhere() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "secret").unwrap();
        let spool = outside.path().join("spool");
        fs::create_dir_all(spool.join("captures-0")).unwrap();
        fs::write(spool.join("captures-0/sender"), "bytes").unwrap();
        symlink("../secret", spool.join("link")).unwrap();
        symlink(outside.path(), spool.join("folder")).unwrap();
        let pipe = spool.join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR, 0).unwrap();
        let read = |name: &str| super::read(&spool, Path::new(name));
        assert_eq!(read("captures-0/sender").unwrap(), b"bytes");
        for name in ["link", "folder/secret", "../secret", "pipe", "captures-0"] {
            assert!(read(name).is_err(), "{name}");
        }
    }
}
