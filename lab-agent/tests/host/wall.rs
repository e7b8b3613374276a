//! The second wall: what the machine shows to who has become root of a guest, and
//! to who has broken out of its kernel. Both programs are only in these tests.
// SPDX-License-Identifier: Apache-2.0
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab_proto::DescribeRequest;

use crate::agent::Agent;
use crate::archive;

const INIT: &str = "init";
/// The console is in the message of the agent, which cannot serve with such a guest.
const SAYS: &str = "hostile: ";

fn compile(name: &str, folder: &Path) -> PathBuf {
    let program = folder.join(name);
    archive::compile(name, &program);
    program
}

/// What the agent's guest says on its console, before the agent gives up.
fn console(options: &[(&str, &Path)], folder: &Path) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
    command
        .args(["boot", "--clock", "virtual", "--listen", "127.0.0.1:0"])
        .env("TMPDIR", folder)
        .stdin(Stdio::null());
    for (option, file) in options {
        command.arg(option).arg(file);
    }
    let output = command.output().unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let said = text.lines().find_map(|line| line.split_once(SAYS));
    let (_, said) = said.unwrap_or_else(|| panic!("{text}"));
    let said = said
        .strip_suffix(", end")
        .unwrap_or_else(|| panic!("{text}"));
    said.split(", ").map(str::to_owned).collect()
}

fn expect(lines: &[String], allowed: &[&str]) {
    for line in lines {
        let harmless = line.ends_with(" 0") || allowed.contains(&line.as_str());
        assert!(harmless, "{line} in {lines:#?}");
    }
    for line in allowed {
        assert!(
            lines.iter().any(|said| said == line),
            "no {line}: {lines:#?}"
        );
    }
}

#[test]
fn root_of_a_guest_sees_no_file_of_the_machine_beside_its_spool() {
    let folder = tempfile::tempdir().unwrap();
    let init = std::fs::read(compile(INIT, folder.path())).unwrap();
    let base =
        std::env::var_os("THINLAB_GUEST").expect("THINLAB_GUEST is not set: run `make test`");
    let mut guest = std::fs::read(base).unwrap();
    archive::append(&mut guest, INIT, archive::EXECUTABLE, &init);
    archive::end(&mut guest);
    let image = folder.path().join("guest.cpio");
    std::fs::write(&image, guest).unwrap();
    let lines = console(&[("--guest", &image)], folder.path());
    // Its own files: the job and what the image's mount shows of it.
    expect(&lines, &["my own file 1", "the machine's root 2"]);
}

#[test]
fn who_breaks_out_of_a_guests_kernel_meets_a_wall() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = compile("kernel", folder.path());
    let lines = console(&[("--kernel", &kernel)], folder.path());
    expect(&lines, &["works 1"]);
}

/// As an engine of containers does: all refuse that addresses stay where they are, and the profiles
/// of some are older than Landlock. Guests boot all the same, and whoever asks is told.
#[tokio::test]
async fn what_a_container_lacks_of_the_wall_is_told() {
    let whole = Agent::start_without(&[libc::SYS_personality]);
    let without = Agent::start_without(&[libc::SYS_personality, libc::SYS_landlock_create_ruleset]);
    let mut walls = vec![];
    for agent in [&whole, &without] {
        let told = agent.client().await.describe(DescribeRequest {}).await;
        walls.push(told.unwrap().into_inner().guest_wall.unwrap());
    }
    assert!(walls[0].landlock_version > 0 && walls[0].seccomp);
    assert_eq!((walls[1].landlock_version, walls[1].seccomp), (0, true));
}
