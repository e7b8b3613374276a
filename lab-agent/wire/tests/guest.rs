//! Our scripts, the kernel's own and the hostile path on the built kernel, in a guest
//! in virtual time.
//!
//! Needs `THINLAB_KERNEL` and `THINLAB_GUEST`, which `make test` sets.
// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::tempdir;

#[path = "../../tests/host/built_parts.rs"]
mod built_parts;
use built_parts::expect_kernel_and_guest;
mod change;

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
fn failure_of(script: &str) -> String {
    let folder = tempdir().unwrap();
    let file = folder.path().join("script.pkt");
    fs::write(&file, script).unwrap();
    let out = printed(&in_guest(&["run", file.to_str().unwrap()]), false);
    let line = out.lines().next().unwrap_or_default().to_owned();
    assert!(line.starts_with("FAILED "), "{out}");
    line
}

#[test]
fn every_script_passes() {
    let out = printed(&in_guest(&["run", "scripts"]), true);
    let [passed, runs, scripts, skipped] = counts(&out);
    assert!(scripts > 200, "{out}");
    assert_eq!(
        (passed, runs, skipped),
        (2 * scripts, 2 * scripts, 0),
        "{out}"
    );
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

/// What the kernel lacks that a selftest is about. The debug kernel has it.
const SKIPPED: [(&str, &str); 1] = [(
    "tcp_md5_md5-only-on-client-ack.pkt",
    "this kernel has no TCP_MD5SIG",
)];

/// The kernel source's own packetdrill scripts.
fn selftests() -> PathBuf {
    let output = Command::new("../kernel/selftests").output().unwrap();
    let folder = printed(&output, true);
    PathBuf::from(folder.trim())
}

/// How many runs passed, of how many, of how many scripts; and how many were
/// skipped.
fn counts(out: &str) -> [u32; 4] {
    let last = out.lines().last().unwrap();
    let numbers = last.split_whitespace().filter_map(|word| word.parse().ok());
    let numbers: Vec<u32> = numbers.collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{out}"))
}

#[test]
fn the_kernel_s_own_packetdrill_scripts_pass() {
    let folder = selftests();
    let arguments = ["run", "--may-skip", folder.to_str().unwrap()];
    let out = printed(&in_guest(&arguments), true);
    let [passed, runs, scripts, skipped] = counts(&out);
    assert!(scripts >= 24, "{out}");
    assert_eq!((runs, passed + skipped), (2 * scripts, runs), "{out}");
    for line in out.lines().filter(|line| line.starts_with("skipped")) {
        assert!(
            SKIPPED
                .iter()
                .any(|(name, why)| line.contains(name) && line.ends_with(why)),
            "{line}"
        );
    }
}

/// A script that passes proves nothing unless it could have failed: with any one
/// of these numbers changed it does.
#[test]
fn every_number_that_a_selftest_expects_is_compared() {
    let folder = tempdir().unwrap();
    let mut changed = 0;
    for entry in fs::read_dir(selftests()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("sh") => fs::write(folder.path().join(path.file_name().unwrap()), text).unwrap(),
            Some("pkt") if !SKIPPED.iter().any(|(skipped, _)| path.ends_with(skipped)) => {
                let lines: Vec<&str> = text.lines().collect();
                for (at, line) in lines.iter().enumerate() {
                    let sent = line
                        .contains(" > ")
                        .then(|| change::with_another(line, " ack "));
                    let other = sent
                        .flatten()
                        .or_else(|| change::with_another(line, "assert tcpi_snd_cwnd == "))
                        .or_else(|| change::with_another(line, "ee_data="))
                        .or_else(|| change::with_another(line, "cmsg_data="));
                    let Some(other) = other else {
                        continue;
                    };
                    let mut lines = lines.clone();
                    lines[at] = &other;
                    let file = folder.path().join(format!("{name}-{at}.pkt"));
                    fs::write(file, lines.join("\n")).unwrap();
                    changed += 1;
                }
            }
            _ => {}
        }
    }
    let out = printed(&in_guest(&["run", folder.path().to_str().unwrap()]), false);
    assert!(changed > 150, "{changed}");
    assert_eq!(counts(&out), [0, 2 * changed, changed, 0]);
}

/// Changes what our scripts expect, one thing at a time, and of all these changes
/// runs one in `one_in`. Each has to make its script fail.
fn change_what_scripts_expect(one_in: usize) {
    let folder = tempdir().unwrap();
    let copies = change::write(Path::new("scripts"), folder.path(), one_in);
    let arguments = ["run", "--ip", "4", folder.path().to_str().unwrap()];
    let out = printed(&in_guest(&arguments), false);
    let failed: HashSet<&str> = out
        .lines()
        .filter_map(|line| line.strip_prefix("FAILED ")?.split(':').next())
        .collect();
    let passed: Vec<&PathBuf> = copies
        .iter()
        .filter(|script| !failed.contains(script.to_str().unwrap().trim_start_matches('/')))
        .collect();
    assert!(passed.is_empty(), "{passed:?}");
    let count = copies.len() as u32;
    assert_eq!(counts(&out), [0, count, count, 0]);
    assert!(count > 250, "{count}");
    println!("{count} changes, and each was noticed");
}

#[test]
fn what_a_script_expects_is_compared() {
    change_what_scripts_expect(60);
}

#[test]
#[ignore = "sixty times the last one; docs/wire.md says how to run it"]
fn all_that_every_script_expects_is_compared() {
    change_what_scripts_expect(1);
}

/// As scripts of a server begin, without options.
const OPENING: &str = "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 bind(3, ..., ...) = 0
+0 listen(3, 1) = 0
+0 < S 0:0(0) win 1000 <mss 1000>
+0 > S. 0:0(0) ack 1 <...>
+.1 < . 1:1(0) ack 1 win 1000
+0 accept(3, ..., ...) = 4
";

/// The script has to fail at its line `line` and say this.
fn expect_failure(events: &str, line: usize, said: &str) {
    let failure = failure_of(&format!("{OPENING}{events}\n"));
    assert!(
        failure.contains(&format!("script.pkt:{line} (IPv4): ")),
        "{failure}"
    );
    assert!(failure.contains(said), "{failure}");
}

#[test]
fn what_is_not_as_a_script_says_is_named() {
    expect_failure(
        "+0 write(4, ..., 100) = 100\n+0 > P. 1:51(50) ack 1",
        9,
        "came `[noecn] P. 1:101(100) ack 1 win ",
    );
    expect_failure(
        "+0 write(4, ..., 100) = 100\n+0 < . 1:1(0) ack 101 win 1000\n\
         +0 write(4, ..., 100) = 100\n+0 > P. 101:201(100) ack 1",
        11,
        "came `[noecn] P. 1:101(100) ack 1",
    );
    expect_failure(
        "+0 write(4, ..., 100) = 100\n+.02 > P. 1:101(100) ack 1",
        9,
        "too early",
    );
    expect_failure("+0 > P. 1:101(100) ack 1", 8, "came nothing");
    expect_failure(
        "+0 shutdown(4, SHUT_WR) = -1 ENOTCONN (No)",
        8,
        "expected shutdown(4, SHUT_WR) = -1 ENOTCONN, came 0",
    );
    expect_failure(
        "+0 %{ assert tcpi_snd_cwnd == 9, 'cwnd' }%",
        8,
        "`tcpi_snd_cwnd == 9` is not so: tcpi_snd_cwnd = 10",
    );
}

#[test]
fn a_system_call_returns_when_a_script_says_so() {
    expect_failure(
        "+0 read(4, ..., 100) = 100",
        8,
        "read(4, ..., 100) has not returned by",
    );
    expect_failure(
        "+0...0.2 read(4, ..., 100) = 100\n+.05 < P. 1:101(100) ack 1 win 1000\n\
         +0 > . 1:1(0) ack 101\n+1 close(4) = 0",
        8,
        "expected read(4, ..., 100) to return at 0.3",
    );
}

#[test]
fn what_is_not_understood_is_named() {
    for (event, said) in [
        ("+0 splice(4, 5) = 0", "splice() is not understood"),
        ("+0 `nstat -n`", "`nstat -n` is not understood"),
        ("+0 %{ print(1) }%", "understood are `assert"),
        ("+0 < icmp unreachable", "only TCP is understood"),
    ] {
        expect_failure(event, 8, said);
    }
}

#[test]
fn a_script_for_another_kernel_fails_or_is_skipped() {
    let folder = tempdir().unwrap();
    let script = format!("`sysctl -q net.ipv4.tcp_wings=1\ntrue`\n{OPENING}");
    let file = folder.path().join("script.pkt");
    fs::write(&file, &script).unwrap();
    let said = "this kernel has no setting net.ipv4.tcp_wings";
    let failure = failure_of(&script);
    assert!(
        failure.contains(&format!("script.pkt:1 (IPv4): {said}")),
        "{failure}"
    );
    let arguments = ["run", "--may-skip", "--ip", "6", file.to_str().unwrap()];
    let out = printed(&in_guest(&arguments), true);
    assert!(out.contains(&format!("script.pkt (IPv6): {said}")), "{out}");
    assert_eq!(counts(&out), [0, 1, 1, 1]);
}

#[test]
fn a_packet_that_no_line_announces_is_counted() {
    expect_failure(
        "+0 write(4, ..., 100) = 100\n+.02 %{ assert tcpi_segs_out == 0, tcpi_segs_out }%",
        9,
        "`tcpi_segs_out == 0` is not so: tcpi_segs_out = 1",
    );
}

#[test]
fn the_command_line_tells_how_far_times_may_be_off() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("script.pkt");
    let script = format!(
        "--tolerance_usecs=1000\n--tolerance_percent=0\n{OPENING}\
         +0 write(4, ..., 100) = 100\n+.02 > P. 1:101(100) ack 1\n"
    );
    fs::write(&file, &script).unwrap();
    let failure = failure_of(&script);
    assert!(failure.ends_with("too early"), "{failure}");
    let arguments = ["run", "--tolerance-us", "20000", file.to_str().unwrap()];
    printed(&in_guest(&arguments), true);
}

/// packetdrill would run the shell script, we do not.
#[test]
fn counters_are_compared_as_the_shell_script_compares_them() {
    let folder = tempdir().unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    fs::copy("scripts/counters.sh", folder.path().join("counters.sh")).unwrap();
    for (claims, said) in [
        ("RtoAlgorithm=1 RtoAlgorithm=0..1 RtoAlgorithm=1..", None),
        ("RtoAlgorithm=2", Some("expected RtoAlgorithm=2, came 1")),
        (
            "RtoAlgorithm=1 RtoAlgorithm=2..",
            Some("expected RtoAlgorithm=2.., came 1"),
        ),
        (
            "RtoAlgorithm=2..3",
            Some("expected RtoAlgorithm=2..3, came 1"),
        ),
        (
            "RtoAlgorithm=0..0",
            Some("expected RtoAlgorithm=0..0, came 1"),
        ),
        ("Wings=1", Some("this kernel has no counter Wings")),
        (
            "RtoAlgorithm",
            Some("RtoAlgorithm is not NAME=N, NAME=LOW.. or NAME=LOW..HIGH"),
        ),
        (
            "RtoAlgorithm=..1",
            Some("RtoAlgorithm=..1 is not NAME=N, NAME=LOW.. or NAME=LOW..HIGH"),
        ),
        ("", Some("counters.sh needs NAME=N")),
    ] {
        let shell = Command::new("scripts/counters.sh")
            .args(claims.split_whitespace())
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&shell.stderr).trim().to_owned();
        assert_eq!(shell.status.success(), said.is_none(), "{complaint}");
        assert_eq!(complaint, said.unwrap_or_default());

        let file = inside.join("script.pkt");
        fs::write(&file, format!("{OPENING}`../counters.sh {claims}`\n")).unwrap();
        let arguments = ["run", "--ip", "4", file.to_str().unwrap()];
        let out = printed(&in_guest(&arguments), said.is_none());
        if let Some(said) = said {
            let line = out.lines().next().unwrap();
            assert!(
                line.ends_with(&format!("script.pkt:8 (IPv4): {said}")),
                "{out}"
            );
        }
    }
}
