//! The guest's image: the base initramfs with this very executable behind it.
// SPDX-License-Identifier: Apache-2.0
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::room::Room;
use crate::fault::{Doing, Fault, Outcome};

/// Where the base image's /init points.
const AGENT_IN_GUEST: &str = "bin/lab-agent";
const EXECUTABLE: u32 = 0o100_755;

/// A bootable pair of kernel and image.
#[derive(Clone)]
pub struct Image {
    /// The kernel's executable.
    pub kernel: PathBuf,
    /// The initramfs.
    pub initramfs: PathBuf,
    /// Content hash of both: the same build gives the same sessions.
    pub build: String,
}

impl Image {
    /// Puts the image into the room; `terminal` is the archive of a terminal's
    /// programs, for guests that are to have terminals.
    pub fn build(
        kernel: &Path,
        guest: &Path,
        terminal: Option<&Path>,
        room: &Room,
    ) -> Outcome<Self> {
        let kernel_bytes = read(kernel, "kernel", "lab-agent/kernel/build")?;
        let mut image = read(guest, "guest image", "lab-agent/guest/build")?;
        if let Some(terminal) = terminal {
            // The kernel reads archives one after the other, each on a word border.
            image.resize(image.len().next_multiple_of(4), 0);
            image.extend(read(
                terminal,
                "terminal's programs",
                "lab-agent/guest/terminal/build",
            )?);
        }
        let agent = fs::read("/proc/self/exe").doing("reading the agent's own executable")?;
        if is_dynamic(&agent) {
            return Err(Fault::Failed(
                "this lab-agent is linked dynamically and cannot run in a guest: build it in \
                 lab-agent/, where .cargo/config.toml makes it static"
                    .into(),
            ));
        }
        image.resize(image.len().next_multiple_of(4), 0);
        append_file(&mut image, AGENT_IN_GUEST, EXECUTABLE, &agent);
        append_file(&mut image, "TRAILER!!!", 0, &[]);
        let initramfs = room.path().join("guest.cpio");
        File::create(&initramfs)
            .and_then(|mut file| file.write_all(&image))
            .doing("writing the guest's image")?;
        Ok(Self {
            kernel: kernel.canonicalize().doing("finding the kernel")?,
            initramfs,
            build: content_hash(&[&kernel_bytes, &image]),
        })
    }
}

fn read(path: &Path, what: &str, remedy: &str) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|error| {
        Fault::Failed(format!(
            "cannot read the {what} {}: {error}; {remedy} makes it and prints its path",
            path.display()
        ))
    })
}

/// Whether an ELF file asks for an interpreter (program header `PT_INTERP`).
fn is_dynamic(elf: &[u8]) -> bool {
    const PT_INTERP: u32 = 3;
    let number = |at: usize, size: usize| {
        elf.get(at..at + size).map_or(0, |bytes| {
            bytes.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b))
        })
    };
    let (table, entry, entries) = (number(32, 8), number(54, 2), number(56, 2));
    (0..entries).any(|i| number((table + i * entry) as usize, 4) == u64::from(PT_INTERP))
}

/// A record of the "newc" archive format (linux: early-userspace/buffer-format).
fn append_file(archive: &mut Vec<u8>, name: &str, mode: u32, content: &[u8]) {
    archive.extend(b"070701");
    let name_bytes = name.len() + 1;
    for field in [
        0, // inode
        mode,
        0, // user
        0, // group
        1, // links
        0, // time: the same image from the same parts
        content.len() as u32,
        0,
        0,
        0,
        0, // devices
        name_bytes as u32,
        0, // checksum
    ] {
        archive.extend(format!("{field:08X}").bytes());
    }
    archive.extend(name.bytes());
    archive.push(0);
    archive.resize(archive.len().next_multiple_of(4), 0);
    archive.extend(content);
    archive.resize(archive.len().next_multiple_of(4), 0);
}

/// Tells builds apart; no protection against an attacker is meant.
fn content_hash(parts: &[&[u8]]) -> String {
    // SipHash with its fixed default keys: the same in every process.
    #[allow(deprecated)]
    let mut hasher = std::hash::SipHasher::new();
    for part in parts {
        hasher.write_usize(part.len());
        hasher.write(part);
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_an_archive_begin_on_word_borders() {
        let mut archive = Vec::new();
        append_file(&mut archive, "a", EXECUTABLE, b"12345");
        assert_eq!(archive.len(), 110 + 2 + 8);
        assert_eq!(&archive[..6], b"070701");
        assert_eq!(&archive[14..22], b"000081ED"); // regular file, rwxr-xr-x
        assert_eq!(&archive[54..62], b"00000005");
        assert_eq!(&archive[112..117], b"12345");
    }

    #[test]
    fn the_hash_depends_on_where_a_part_ends() {
        assert_ne!(content_hash(&[b"ab", b"c"]), content_hash(&[b"a", b"bc"]));
    }
}
