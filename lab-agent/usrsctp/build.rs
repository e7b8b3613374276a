//! Links libusrsctp of the Debian package libusrsctp-dev, with one symbol renamed.
//!
//! The library keeps its timers to itself, and its own thread asks every ten milliseconds
//! whether one is due. Whoever starts a timer is made to tell `src/timers.rs` of it, which then
//! calls the library's function: so the stack sleeps until the next one, to the millisecond.
// SPDX-License-Identifier: Apache-2.0
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `src/ffi.rs` is written for.
const VERSION: &str = "Version: 0.9.5.0";
const FOLDER: &str = "/usr/lib/x86_64-linux-gnu";
const REMEDY: &str = "install Debian 12's package libusrsctp-dev (setup/prerequisites does)";
/// Where the timers are, which start themselves by the library's own name.
const OF_TIMERS: &str = "libusrsctp_la-sctp_callout.o";
const RENAMED: &str = "sctp_os_timer_start=thinlab_usrsctp_timer_start";

fn main() {
    let library = Path::new(FOLDER).join("libusrsctp.a");
    let described = Path::new(FOLDER).join("pkgconfig/usrsctp.pc");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", described.display());
    println!("cargo:rerun-if-changed={}", library.display());
    let text = std::fs::read_to_string(&described)
        .unwrap_or_else(|error| panic!("{}: {error}: {REMEDY}", described.display()));
    assert!(
        text.lines().any(|line| line.trim() == VERSION),
        "{} is not of \"{VERSION}\": {REMEDY}",
        described.display()
    );
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo names it"));
    let told = out.join("libusrsctp_told.a");
    let _ = std::fs::remove_file(&told);
    run(Command::new("objcopy")
        .args(["--redefine-sym", RENAMED])
        .args([&library, &told]));
    run(Command::new("ar")
        .current_dir(&out)
        .arg("xo")
        .arg(&library)
        .arg(OF_TIMERS));
    run(Command::new("ar")
        .current_dir(&out)
        .args(["rD", "libusrsctp_told.a", OF_TIMERS]));
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=usrsctp_told");
}

fn run(command: &mut Command) {
    let status = command.status();
    assert!(
        status.as_ref().is_ok_and(std::process::ExitStatus::success),
        "{command:?}: {status:?}: binutils is needed"
    );
}
