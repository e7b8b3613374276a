//! Scripts, packetdrill's scripts and the hostile path on the built kernel, in a
//! guest in virtual time.
//!
//! Needs `THINLAB_KERNEL` and `THINLAB_GUEST`, which `make test` sets.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::tempdir;

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
fn failure_of(script: &str) -> String {
    failure_of_a("run", "script.wire", script)
}

fn failure_of_a(command: &str, file: &str, script: &str) -> String {
    let folder = tempdir().unwrap();
    let file = folder.path().join(file);
    fs::write(&file, script).unwrap();
    let output = in_guest(&[command, file.to_str().unwrap()]);
    let out = printed(&output, false);
    let line = out.lines().next().unwrap_or_default().to_owned();
    assert!(line.starts_with("FAILED "), "{out}");
    line
}

/// The same, where the line says what went wrong.
fn expect_failure(script: &str, said: &str) {
    let line = failure_of(script);
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
        "ip 4\nconnect rtt 100\n0 write 100\n0 > 0:99\n",
        "script.wire:4 (IPv4): expected `0:99 ack 0` at 0.0 ms, came `0:100 push",
    );
}

#[test]
fn a_segment_that_nobody_expected_is_named() {
    expect_failure(
        "ip 6\nconnect rtt 100\n0 write 100\n20 quiet\n",
        "script.wire:4 (IPv6): expected nothing until 20.0 ms, came `0:100 push",
    );
}

#[test]
fn a_segment_at_another_time_is_named() {
    let early = failure_of("ip 4\nconnect rtt 100\n0 write 100\n20 > 0:100\n");
    assert!(early.ends_with("at 0.0 ms: too early"), "{early}");
    let late = failure_of("ip 4\nconnect rtt 100\n0 write 100\n0 > 0:100\n250 > 0:100\n");
    assert!(late.ends_with("at 250.0 ms, came nothing"), "{late}");
}

#[test]
fn another_number_than_claimed_is_named() {
    expect_failure(
        "ip 4\nconnect rtt 100\n0 check info.snd_cwnd=9\n",
        "script.wire:3 (IPv4): expected info.snd_cwnd = 9, came 10",
    );
}

#[test]
fn what_this_kernel_lacks_is_named() {
    expect_failure(
        "ip 4\nsysctl tcp_wings 1\nconnect rtt 100\n",
        "script.wire:2 (IPv4): this kernel has no setting net.ipv4.tcp_wings",
    );
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
    let out = printed(&in_guest(&["packetdrill", folder.to_str().unwrap()]), true);
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

#[test]
fn the_mechanisms_pass_in_packetdrill_s_language() {
    let folder = selftests();
    let folder = folder.to_str().unwrap();
    let out = printed(
        &in_guest(&["packetdrill", "--shell-scripts", folder, "packetdrill"]),
        true,
    );
    let [passed, runs, scripts, skipped] = counts(&out);
    assert_eq!((passed, skipped), (2 * scripts, 0), "{out}");
    assert_eq!(passed, runs, "{out}");
}

/// A copy of a line with another number behind `before`, if it has one.
fn with_another(line: &str, before: &str) -> Option<String> {
    let (front, rest) = line.split_once(before)?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit());
    let (number, rest) = rest.split_at(digits.unwrap_or(rest.len()));
    let number: u32 = number.parse().ok()?;
    Some(format!("{front}{before}{}{rest}", number + 1))
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
                    let sent = line.contains(" > ").then(|| with_another(line, " ack "));
                    let other = sent
                        .flatten()
                        .or_else(|| with_another(line, "assert tcpi_snd_cwnd == "))
                        .or_else(|| with_another(line, "ee_data="))
                        .or_else(|| with_another(line, "cmsg_data="));
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
    let output = in_guest(&["packetdrill", folder.path().to_str().unwrap()]);
    let out = printed(&output, false);
    assert!(changed > 150, "{changed}");
    assert_eq!(counts(&out), [0, 2 * changed, changed, 0]);
}

/// As packetdrill scripts begin, without options: a connection that listens.
const OPENING: &str = "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 bind(3, ..., ...) = 0
+0 listen(3, 1) = 0
+0 < S 0:0(0) win 1000 <mss 1000>
+0 > S. 0:0(0) ack 1 <...>
+.1 < . 1:1(0) ack 1 win 1000
+0 accept(3, ..., ...) = 4
";

/// The script has to fail at its line `line` and say this.
fn expect_packetdrill_failure(events: &str, line: usize, said: &str) {
    let script = format!("{OPENING}{events}\n");
    let failure = failure_of_a("packetdrill", "script.pkt", &script);
    assert!(
        failure.contains(&format!("script.pkt:{line} (IPv4): ")),
        "{failure}"
    );
    assert!(failure.contains(said), "{failure}");
}

#[test]
fn what_is_not_as_a_packetdrill_script_says_is_named() {
    expect_packetdrill_failure(
        "+0 write(4, ..., 100) = 100\n+0 > P. 1:51(50) ack 1",
        9,
        "came `[noecn] P. 1:101(100) ack 1 win ",
    );
    expect_packetdrill_failure(
        "+0 write(4, ..., 100) = 100\n+0 < . 1:1(0) ack 101 win 1000\n\
         +0 write(4, ..., 100) = 100\n+0 > P. 101:201(100) ack 1",
        11,
        "came `[noecn] P. 1:101(100) ack 1",
    );
    expect_packetdrill_failure(
        "+0 write(4, ..., 100) = 100\n+.02 > P. 1:101(100) ack 1",
        9,
        "too early",
    );
    expect_packetdrill_failure("+0 > P. 1:101(100) ack 1", 8, "came nothing");
    expect_packetdrill_failure(
        "+0 shutdown(4, SHUT_WR) = -1 ENOTCONN (No)",
        8,
        "expected shutdown(4, SHUT_WR) = -1 ENOTCONN, came 0",
    );
    expect_packetdrill_failure(
        "+0 %{ assert tcpi_snd_cwnd == 9, 'cwnd' }%",
        8,
        "`tcpi_snd_cwnd == 9` is not so: tcpi_snd_cwnd = 10",
    );
}

#[test]
fn a_system_call_returns_when_a_packetdrill_script_says_so() {
    expect_packetdrill_failure(
        "+0 read(4, ..., 100) = 100",
        8,
        "read(4, ..., 100) has not returned by",
    );
    expect_packetdrill_failure(
        "+0...0.2 read(4, ..., 100) = 100\n+.05 < P. 1:101(100) ack 1 win 1000\n\
         +0 > . 1:1(0) ack 101\n+1 close(4) = 0",
        8,
        "expected read(4, ..., 100) to return at 0.3",
    );
}

#[test]
fn what_is_not_understood_of_packetdrill_s_language_is_named() {
    for (event, said) in [
        ("+0 splice(4, 5) = 0", "splice() is not understood"),
        ("+0 `nstat -n`", "`nstat -n` is not understood"),
        ("+0 %{ print(1) }%", "understood are `assert"),
        ("+0 < icmp unreachable", "only TCP is understood"),
    ] {
        expect_packetdrill_failure(event, 8, said);
    }
}

#[test]
fn a_packetdrill_script_for_another_kernel_is_skipped() {
    let folder = tempdir().unwrap();
    let script = format!("`sysctl -q net.ipv4.tcp_wings=1\ntrue`\n{OPENING}");
    fs::write(folder.path().join("script.pkt"), script).unwrap();
    let output = in_guest(&["packetdrill", "--ip", "6", folder.path().to_str().unwrap()]);
    let out = printed(&output, true);
    assert!(
        out.contains("script.pkt (IPv6): this kernel has no setting net.ipv4.tcp_wings"),
        "{out}"
    );
    assert_eq!(counts(&out), [0, 1, 1, 1]);
}
