//! The files that `lab-agent analyze` writes: all of them whole, or none.
// SPDX-License-Identifier: Apache-2.0

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use thinlab_trace::golden::{Fate, FileFormat, Intent, Script};
use thinlab_trace::read_capture;

const MS: u64 = 1_000_000;

/// A folder with two captures: 30 messages, of which the eleventh is lost and comes
/// back in a bundle, and the last by the timer.
struct Captures {
    folder: TempDir,
}

impl Captures {
    fn new() -> Self {
        let arrives = || Fate::arrives(65 * MS);
        let mut script = Script::new();
        for n in 0..30 {
            let (intent, first, fate) = match n {
                10 | 29 => (Intent::New, n, Fate::Lost),
                11 => (Intent::Bundle { new_from: 1_100 }, 10, arrives()),
                _ => (Intent::New, n, arrives()),
            };
            let at_ns = 1_000 * MS + n * 140 * MS;
            script.data(at_ns, intent, first * 100..n * 100 + 100, fate);
        }
        script.data(5_800 * MS, Intent::Retransmission, 2_900..3_000, arrives());
        let pair = script.run().files(&FileFormat::default());
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("sender.pcapng"), pair.sender).expect("a capture");
        fs::write(folder.path().join("receiver.pcapng"), pair.receiver).expect("a capture");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn analyze(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
        command.current_dir(self.folder.path());
        command.args(["analyze", "sender.pcapng", "receiver.pcapng"]);
        command.args(arguments).output().expect("lab-agent runs")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries
        .map(|entry| name(entry).into_string().expect("text"))
        .collect();
    names.sort();
    names
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn everything_is_written_at_once() {
    let captures = Captures::new();
    let output = captures.analyze(&[
        "--html",
        "page.html",
        "--plots",
        "figures",
        "--cdfs",
        "curves",
        "--parquet",
        "tables",
        "--comment-sender",
        "s.pcapng",
        "--comment-receiver",
        "r.pcapng",
    ]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        String::from_utf8_lossy(&output.stdout).starts_with("stream "),
        "the summary, too"
    );
    let svg = ["boxes.svg", "cdf.svg", "ladder.svg", "time-sequence.svg"];
    assert_eq!(names(&captures.path("figures")), svg);
    let curves = names(&captures.path("curves"));
    let expected = [
        "application-by-byte.txt",
        "application-by-message.txt",
        "transport-by-byte.txt",
        "transport-by-message.txt",
    ];
    assert_eq!(curves, expected);
    assert_eq!(
        names(&captures.path("tables")),
        ["messages.parquet", "packets.parquet"]
    );
    let curve = captures.read("curves/application-by-message.txt");
    assert!(
        curve.starts_with("# latency_ms share (30 samples)\n65.000000 0.9"),
        "{curve}"
    );
    assert!(curve.contains("\n205.000000 0.96"), "{curve}");
    assert!(curve.ends_with(" 1\n"), "{curve}");
    let page = captures.read("page.html");
    assert!(page.contains("<h1>sender.pcapng → receiver.pcapng</h1>"));
    for (commented, original) in [
        ("s.pcapng", "sender.pcapng"),
        ("r.pcapng", "receiver.pcapng"),
    ] {
        let read = |name: &str| read_capture(&fs::read(captures.path(name)).unwrap()).unwrap();
        assert_eq!(read(commented).frames, read(original).frames);
    }
    assert_eq!(
        captures.names().len(),
        8,
        "nothing else: {:?}",
        captures.names()
    );
}

#[test]
fn sojourn_counts_from_the_writes() {
    let captures = Captures::new();
    let epoch_ns = 1_700_000_000_000_000_000_u64;
    let written = |n: u64| format!("{}\n", epoch_ns + (995 + n * 140) * MS);
    let writes: String = (0..30).map(written).collect();
    fs::write(captures.path("writes"), &writes).unwrap();
    let arguments = [
        "--cdfs",
        "curves",
        "--message-bytes",
        "100",
        "--writes",
        "writes",
    ];
    let output = captures.analyze(&arguments);
    assert!(output.status.success(), "{}", said(&output));
    let curve = captures.read("curves/sojourn-by-message.txt");
    assert!(
        curve.starts_with("# latency_ms share (30 samples)\n70.000000 "),
        "{curve}"
    );
    fs::write(captures.path("writes"), "1\n2\n").unwrap();
    let output = captures.analyze(&arguments);
    assert!(
        said(&output).contains("writes has 2 instants for 30 messages"),
        "{}",
        said(&output)
    );
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_is_read() {
    let captures = Captures::new();
    fs::write(captures.path("sender.pcapng"), "no capture").unwrap();
    for (arguments, expected) in [
        (
            ["--html", "nowhere/page.html"].as_slice(),
            "--html: the folder of nowhere/page.html",
        ),
        (&["--html", "/dev/null"], "/dev/null is no regular file"),
        (
            &["--comment-sender", "sender.pcapng"],
            "is a capture to be read",
        ),
        (
            &["--comment-sender", "./receiver.pcapng"],
            "is a capture to be read",
        ),
        (
            &["--html", "x", "--comment-sender", "./x"],
            "./x is asked for twice",
        ),
        (
            &["--plots", "nowhere/figures"],
            "--plots: nowhere/figures is no folder",
        ),
        (
            &["--cdfs", "receiver.pcapng"],
            "--cdfs: receiver.pcapng is no folder",
        ),
        (
            &["--html", "x", "--between", "2..1"],
            "an end after the beginning",
        ),
    ] {
        let output = captures.analyze(arguments);
        assert!(!output.status.success());
        assert!(
            said(&output).contains(expected),
            "{arguments:?}: {}",
            said(&output)
        );
        assert_eq!(captures.names().len(), 2, "nothing appears");
    }
}

#[test]
fn a_time_without_packets_leaves_no_file() {
    let captures = Captures::new();
    let output = captures.analyze(&["--between", "100..101", "--html", "page.html"]);
    assert!(said(&output).contains("no packet left between 100.000 and 101.000 s"));
    assert!(output.stdout.is_empty(), "nothing half-said");
    assert_eq!(captures.names().len(), 2);
}

/// The shell's limit makes writing fail as a full disk does, after some kilobytes.
#[test]
fn a_full_disk_leaves_what_was_there() {
    let captures = Captures::new();
    fs::write(captures.path("page.html"), "before").unwrap();
    let mut command = Command::new("sh");
    command.current_dir(captures.folder.path()).args([
        "-c",
        "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_lab-agent"),
        "analyze",
        "sender.pcapng",
        "receiver.pcapng",
        "--comment-sender",
        "small.pcapng",
        "--cdfs",
        "curves",
        "--html",
        "page.html",
    ]);
    let output = command.output().expect("a shell");
    assert!(!output.status.success());
    assert!(
        said(&output).contains("cannot be written"),
        "{}",
        said(&output)
    );
    assert_eq!(captures.read("page.html"), "before");
    let left = captures.names();
    assert_eq!(left, ["page.html", "receiver.pcapng", "sender.pcapng"]);
}

#[test]
fn an_output_that_is_there_is_replaced_whole() {
    let captures = Captures::new();
    fs::write(captures.path("page.html"), "x".repeat(1 << 20)).unwrap();
    let output = captures.analyze(&["--html", "page.html"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(captures.read("page.html").ends_with("</html>\n"));
}

#[test]
fn the_manual_says_what_help_says() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
        command.args(arguments).output().expect("lab-agent runs")
    };
    let page = run(&["man", "analyze"]);
    let page = String::from_utf8_lossy(&page.stdout).replace("\\-", "-");
    let help = run(&["analyze", "--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(page.contains(".TH lab-agent-analyze 1"), "{page}");
    for option in [
        "--html",
        "--plots",
        "--cdfs",
        "--parquet",
        "--comment-sender",
        "--between",
        "--writes",
    ] {
        assert!(page.contains(option) && help.contains(option), "{option}");
    }
    assert!(help.contains("Examples:") && page.contains("tshark -r commented.pcapng"));
    let wrong = run(&["man", "nothing"]);
    assert!(!wrong.status.success() && said(&wrong).contains("no command \"nothing\""));
}
