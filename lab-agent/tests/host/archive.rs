//! Archives that a guest is booted from, with programs of a test's own in them.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path;
use std::process::Command;

/// Of a program that may be read.
pub const EXECUTABLE: u32 = 0o100_755;

/// Compiles one of the programs in `hostile/`.
pub fn compile(name: &str, program: &Path) {
    // As it is when this runs: the build may be another checkout's.
    let part = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let compiled = Command::new("gcc")
        .args(["-Os", "-s", "-static", "-o"])
        .arg(program)
        .arg(format!("{part}/tests/host/hostile/{name}.c"))
        .status()
        .unwrap();
    assert!(compiled.success());
}

/// The last record.
pub fn end(archive: &mut Vec<u8>) {
    append(archive, "TRAILER!!!", 0, &[]);
}

/// A record in cpio's "newc" format: a later one takes the place of an earlier.
pub fn append(archive: &mut Vec<u8>, name: &str, mode: u32, content: &[u8]) {
    let fields = [
        0,
        mode,
        0,
        0,
        1,
        0,
        content.len() as u32,
        0,
        0,
        0,
        0,
        name.len() as u32 + 1,
        0,
    ];
    archive.extend(b"070701");
    archive.extend(
        fields
            .iter()
            .flat_map(|field| format!("{field:08X}").into_bytes()),
    );
    archive.extend(name.bytes());
    archive.push(0);
    archive.resize(archive.len().next_multiple_of(4), 0);
    archive.extend(content);
    archive.resize(archive.len().next_multiple_of(4), 0);
}
