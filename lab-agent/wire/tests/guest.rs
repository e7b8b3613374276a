//! Scripts and the hostile path on the built kernel, in a guest in virtual time.
//!
//! Needs `THINLAB_KERNEL` and `THINLAB_GUEST`, which `make test` sets.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

#[path = "../../tests/host/built_parts.rs"]
mod built_parts;
use built_parts::expect_kernel_and_guest;

/// Runs a command of `wire` in a guest.
fn in_guest(arguments: &[&str]) -> Output {
    expect_kernel_and_guest();
    Command::new(env!("CARGO_BIN_EXE_wire"))
        .arg("guest")
        .args(arguments)
        .output()
        .unwrap()
}

/// What it printed, after checking that it ended as it should.
fn printed(output: &Output, success: bool) -> String {
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.success(), success, "{out}\n{errors}");
    out
}

/// Runs a script that is given as text; it has to fail. Gives the first line.
fn failure_of(name: &str, script: &str) -> String {
    let folder = std::env::temp_dir().join(format!("wire-test-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file: PathBuf = folder.join("script.wire");
    fs::write(&file, script).unwrap();
    let output = in_guest(&["run", file.to_str().unwrap()]);
    fs::remove_dir_all(&folder).unwrap();
    let out = printed(&output, false);
    let line = out.lines().next().unwrap_or_default().to_owned();
    assert!(line.starts_with("FAILED "), "{out}");
    line
}

/// The same, where the line says what went wrong.
fn expect_failure(name: &str, script: &str, said: &str) {
    let line = failure_of(name, script);
    assert!(line.contains(said), "{line}");
}

#[test]
fn every_script_passes() {
    let out = printed(&in_guest(&["run", "scripts"]), true);
    let last = out.lines().last().unwrap();
    let (passed, rest) = last.split_once(" of ").unwrap();
    assert!(passed.parse::<u32>().unwrap() > 200, "{out}");
    assert!(rest.starts_with(&format!("{passed} runs")), "{out}");
}

#[test]
fn a_hostile_path_damages_no_stream() {
    let out = printed(&in_guest(&["hostile", "--events", "100000"]), true);
    // Every mechanism has had its part in it.
    let words = out.split_whitespace().collect::<Vec<_>>();
    let ours = |name: &str| name.starts_with("TCPThin") || name.starts_with("TCPRDB");
    let counted = words.windows(2).filter(|pair| ours(pair[0]));
    let mut counters = 0;
    for pair in counted {
        assert_ne!(pair[1], "0", "{}: {out}", pair[0]);
        counters += 1;
    }
    assert_eq!(counters, 11, "{out}");
    // Without the mechanisms 1.55, in such disorder.
    let (before, _) = out.split_once(" a loss)").unwrap();
    let (_, again_per_loss) = before.rsplit_once('(').unwrap();
    assert!(again_per_loss.parse::<f64>().unwrap() < 1.5, "{out}");
}

#[test]
#[ignore = "ten times the last one; docs/wire.md says how to run it"]
fn a_million_losses_duplications_and_reorderings_damage_no_stream() {
    printed(
        &in_guest(&["hostile", "--events", "1000000", "--seed", "2026"]),
        true,
    );
}

#[test]
#[ignore = "needs the debug kernel, see debug-kernel-test"]
fn allocations_that_fail_damage_no_stream() {
    printed(
        &in_guest(&[
            "--warnings-allowed",
            "hostile",
            "--events",
            "20000",
            "--failing-allocations-percent",
            "5",
        ]),
        true,
    );
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = || {
        printed(
            &in_guest(&["hostile", "--events", "2000", "--seed", "5"]),
            true,
        )
    };
    assert_eq!(run(), run());
}

#[test]
fn other_bytes_than_expected_are_named() {
    expect_failure(
        "bytes",
        "ip 4\nconnect rtt 100\n0 write 100\n0 > 0:99\n",
        "script.wire:4 (IPv4): expected `0:99 ack 0` at 0.0 ms, came `0:100 push",
    );
}

#[test]
fn a_segment_that_nobody_expected_is_named() {
    expect_failure(
        "more",
        "ip 6\nconnect rtt 100\n0 write 100\n20 quiet\n",
        "script.wire:4 (IPv6): expected nothing until 20.0 ms, came `0:100 push",
    );
}

#[test]
fn a_segment_at_another_time_is_named() {
    let early = failure_of("early", "ip 4\nconnect rtt 100\n0 write 100\n20 > 0:100\n");
    assert!(early.ends_with("at 0.0 ms: too early"), "{early}");
    let late = failure_of(
        "late",
        "ip 4\nconnect rtt 100\n0 write 100\n0 > 0:100\n250 > 0:100\n",
    );
    assert!(late.ends_with("at 250.0 ms, came nothing"), "{late}");
}

#[test]
fn another_number_than_claimed_is_named() {
    expect_failure(
        "claim",
        "ip 4\nconnect rtt 100\n0 check info.snd_cwnd=9\n",
        "script.wire:3 (IPv4): expected info.snd_cwnd = 9, came 10",
    );
}

#[test]
fn what_this_kernel_lacks_is_named() {
    expect_failure(
        "lack",
        "ip 4\nsysctl tcp_wings 1\nconnect rtt 100\n",
        "script.wire:2 (IPv4): this kernel has no setting net.ipv4.tcp_wings",
    );
}
