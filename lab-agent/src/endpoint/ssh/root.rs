//! The file systems that a confined process sees: programs and libraries of the
//! terminal's image, read-only, the few files of this session, and nothing else.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, makedev, mknodat, open};
use rustix::mount::{
    MountFlags, MountPropagationFlags, OpenTreeFlags, UnmountFlags, mount, mount_bind,
    mount_change, mount_move, mount_remount, open_tree, unmount,
};

use super::task::TEXT;
use crate::fault::{Doing, Fault, Outcome};

/// Where the terminal's image lies in the guest.
const IMAGE: &str = "/terminal";
/// Where the root is put together.
const STAGE: &str = "/run";
/// Of the guest's own file systems nothing is left behind.
const GUESTS_OWN: [&str; 4] = ["/spool", "/sys", "/dev", "/proc"];
const LIBRARIES: &str = "lib/x86_64-linux-gnu";
/// The name of the one user.
pub const USER: &str = "typist";
/// The name of every terminal's host.
pub const HOST: &str = "terminal";

/// What is to be in a root.
pub struct Contents {
    /// The image's folder with bin and etc: `client` or `server`.
    pub side: &'static str,
    /// The user that owns the private files and the home.
    pub user: u32,
    /// Files of etc that are made for the session.
    pub etc: Vec<(&'static str, Vec<u8>)>,
    /// The home's size and the text in it; without, there is nothing to write.
    pub home: Option<(u64, Vec<u8>)>,
    /// How many terminals may be opened inside.
    pub terminals: u32,
}

/// What the outside keeps of a root.
pub struct Handles {
    /// The home folder.
    pub home: OwnedFd,
    /// The root, writable from outside.
    pub root: OwnedFd,
}

/// Whether the guest's image has a terminal in it.
pub fn check_image() -> Outcome<()> {
    if Path::new(IMAGE).is_dir() {
        return Ok(());
    }
    Err(Fault::Unsupported(
        "this host has no terminal: boot it with --terminal FILE (lab-agent/guest/terminal/build \
         makes the file and prints its path)"
            .into(),
    ))
}

/// Makes `contents` the root of the calling thread, which has a mount namespace
/// of its own.
pub fn enter(contents: &Contents) -> Outcome<Handles> {
    mount_change(
        "/",
        MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
    )
    .doing("keeping a terminal's mounts to itself")?;
    new_file_system(STAGE, "mode=0755,size=256k,nr_inodes=64")?;
    let stage = Path::new(STAGE);
    for folder in ["lib", "bin", "etc", "dev", "dev/pts", "home", "usr"] {
        fs::create_dir(stage.join(folder)).doing(format!("making {folder} for a terminal"))?;
    }
    symlink(LIBRARIES, stage.join("lib64")).doing("making a terminal's root")?;
    symlink("../lib", stage.join("usr/lib")).doing("making a terminal's root")?;
    show(&format!("{IMAGE}/lib"), &stage.join("lib"))?;
    show(
        &format!("{IMAGE}/{}/bin", contents.side),
        &stage.join("bin"),
    )?;
    write_etc(contents, &stage.join("etc"))?;
    make_devices(contents, &stage.join("dev"))?;
    make_home(contents, &stage.join("home"))?;
    let handles = Handles {
        home: open(
            stage.join("home"),
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .doing("opening a terminal's home")?,
        // A mount of its own, so that it stays writable.
        root: open_tree(
            CWD,
            STAGE,
            OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC,
        )
        .doing("opening a terminal's root")?,
    };
    mount_remount(
        STAGE,
        MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NOEXEC,
        "",
    )
    .doing("making a terminal's root read-only")?;
    for folder in GUESTS_OWN {
        unmount(folder, UnmountFlags::DETACH).doing(format!("leaving {folder}"))?;
    }
    // The guest's first file system cannot be left by pivot_root.
    rustix::process::chdir(STAGE).doing("entering a terminal's root")?;
    mount_move(".", "/").doing("entering a terminal's root")?;
    rustix::process::chroot(".").doing("entering a terminal's root")?;
    rustix::process::chdir("/home").doing("entering a terminal's home")?;
    Ok(handles)
}

fn new_file_system(target: impl AsRef<Path>, options: &str) -> Outcome<()> {
    let options = std::ffi::CString::new(options).expect("options have no zero byte");
    let flags = MountFlags::NOSUID;
    mount("none", target.as_ref(), "tmpfs", flags, &*options)
        .doing("making a terminal's file system")
}

/// Binds a folder of the image, read-only.
fn show(folder: &str, target: &Path) -> Outcome<()> {
    mount_bind(folder, target).doing(format!("showing {folder} to a terminal"))?;
    let flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
    mount_remount(target, flags, "").doing(format!("making {folder} read-only"))
}

/// The image's settings, the user, and the session's own files, which only the
/// user reads.
fn write_etc(contents: &Contents, etc: &Path) -> Outcome<()> {
    let user = contents.user;
    let shell = "/bin/editor";
    let passwd = format!("{USER}:x:{user}:{user}::/home:{shell}\n");
    fs::write(etc.join("passwd"), passwd).doing("naming a terminal's user")?;
    let settings = format!("{IMAGE}/{}/etc", contents.side);
    for entry in fs::read_dir(&settings).doing(format!("reading {settings}"))? {
        let entry = entry.doing(format!("reading {settings}"))?;
        fs::copy(entry.path(), etc.join(entry.file_name())).doing("copying a setting")?;
    }
    for (name, content) in &contents.etc {
        let path = etc.join(name);
        fs::write(&path, content).doing(format!("writing {name}"))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))
            .doing(format!("protecting {name}"))?;
        chown(&path, Some(user), Some(user)).doing(format!("handing over {name}"))?;
    }
    Ok(())
}

fn make_devices(contents: &Contents, dev: &Path) -> Outcome<()> {
    for (name, major, minor) in [("null", 1, 3), ("tty", 5, 0)] {
        let path = dev.join(name);
        let mode = Mode::from_raw_mode(0o666);
        mknodat(
            CWD,
            &path,
            FileType::CharacterDevice,
            mode,
            makedev(major, minor),
        )
        .doing(format!("making /dev/{name}"))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666))
            .doing(format!("opening /dev/{name} to everybody"))?;
    }
    symlink("pts/ptmx", dev.join("ptmx")).doing("making /dev/ptmx")?;
    let options = format!(
        "newinstance,ptmxmode=0666,mode=0600,uid={0},gid={0},max={1}",
        contents.user, contents.terminals
    );
    let options = std::ffi::CString::new(options).expect("options have no zero byte");
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    mount("none", dev.join("pts"), "devpts", flags, &*options).doing("making /dev/pts")
}

fn make_home(contents: &Contents, home: &Path) -> Outcome<()> {
    let Some((bytes, text)) = &contents.home else {
        return Ok(());
    };
    let user = contents.user;
    let options = format!("mode=0700,uid={user},gid={user},size={bytes},nr_inodes=16");
    let options = std::ffi::CString::new(options).expect("options have no zero byte");
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("none", home, "tmpfs", flags, &*options).doing("making a terminal's home")?;
    let path = home.join(TEXT);
    fs::write(&path, text).doing("writing the text")?;
    chown(&path, Some(user), Some(user)).doing("handing over the text")
}
