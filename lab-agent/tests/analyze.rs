//! `lab-agent analyze` as a person calls it: golden captures in, table or JSON
//! out, and plain words when a file will not do.
// SPDX-License-Identifier: Apache-2.0

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use thinlab_trace::golden::{End, Fate, FileFormat, Intent, Noise, Script, Trace, sctp, together};

const MS: u64 = 1_000_000;

/// Captures in a folder of their own, removed afterwards.
struct Files {
    folder: PathBuf,
    sender: PathBuf,
    receiver: PathBuf,
}

impl Files {
    fn of(test: &str, script: &Script) -> Self {
        Self::of_trace(test, &script.run())
    }

    fn of_trace(test: &str, trace: &Trace) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("analyze-{test}"));
        std::fs::create_dir_all(&folder).expect("a folder for the captures");
        let pair = trace.files(&FileFormat::default());
        let files = Self {
            sender: folder.join("sender.pcapng"),
            receiver: folder.join("receiver.pcapng"),
            folder,
        };
        std::fs::write(&files.sender, pair.sender).expect("the sender's capture");
        std::fs::write(&files.receiver, pair.receiver).expect("the receiver's capture");
        files
    }

    fn analyze(&self, arguments: &[&str]) -> Output {
        analyze(&self.sender, &self.receiver, arguments)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn analyze(sender: &Path, receiver: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
    command
        .arg("analyze")
        .arg(sender)
        .arg(receiver)
        .args(arguments);
    command.output().expect("lab-agent runs")
}

/// 60 messages of 100 bytes; the 31st is lost and comes back in a bundle.
fn healed() -> Script {
    let mut script = Script::new();
    for n in 0..60 {
        let (intent, start, fate) = match n {
            30 => (Intent::New, n, Fate::Lost),
            31 => (
                Intent::Bundle { new_from: n * 100 },
                n - 1,
                Fate::arrives(65 * MS),
            ),
            _ => (Intent::New, n, Fate::arrives(65 * MS)),
        };
        script.data(
            1_000 * MS + n * 140 * MS,
            intent,
            start * 100..n * 100 + 100,
            fate,
        );
    }
    script
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "nothing half-said");
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[test]
fn json_tells_the_golden_truth() {
    let files = Files::of("json", &healed());
    let output = files.analyze(&["--json"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["metrics"]["payload_bytes"], 6_100);
    assert_eq!(told["metrics"]["retransmitted_bytes"], 0);
    assert_eq!(told["traffic"]["bundle_hit_bytes"], 100);
    assert_eq!(told["forward"]["lost_packets"], 1);
    assert_eq!(
        told["metrics"]["application"]["per_message"]["max_us"],
        205_000.0
    );
    assert_eq!(
        told["messages"][30]["available_ns"],
        31 * 140 * MS + 65 * MS
    );
    assert_eq!(told["warnings"], serde_json::json!([]));
}

/// Five messages, of which the third came damaged and was taken.
#[test]
fn damage_that_was_taken_has_arrived_where_it_is_said_to_be_taken() {
    let mut script = Script::new();
    script.takes_damage_from = Some(52);
    for n in 0..5 {
        let fate = match n {
            2 => Fate::Damaged {
                after_ns: 65 * MS,
                at_byte: 100,
            },
            _ => Fate::arrives(65 * MS),
        };
        let bytes = n * 100..n * 100 + 100;
        script.data(1_000 * MS + n * 140 * MS, Intent::New, bytes, fate);
    }
    let files = Files::of("damage", &script);
    let delivered = |arguments: &[&str]| {
        let output = files.analyze(arguments);
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        told["metrics"]["delivered_bytes"].clone()
    };
    assert_eq!(delivered(&["--json", "--damage", "taken"]), 500);
    // An ordinary receiver lacks it.
    assert_eq!(delivered(&["--json"]), 400);
}

#[test]
fn packets_are_listed_when_asked_for() {
    let files = Files::of("packets", &healed());
    let told = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_slice(&files.analyze(arguments).stdout).expect("JSON")
    };
    assert!(told(&["--json"]).get("packets").is_none());
    let told = told(&["--json", "--packets"]);
    let packets = told["packets"].as_array().expect("a list");
    let sent = packets.iter().filter(|it| it["forward"] == true);
    let data: Vec<_> = sent.filter(|it| it["end"] != it["start"]).collect();
    assert_eq!(data.len(), 60);
    assert_eq!(data[30]["kind"], "new");
    assert!(data[30]["arrived_ns"].is_null());
    assert_eq!(data[31]["kind"], "bundle");
    assert_eq!(
        (&data[31]["start"], &data[31]["new_from"]),
        (&3_000.into(), &3_100.into())
    );
}

/// The third message is lost and asked for, the last one comes by the timer.
#[test]
fn packets_say_what_made_them() {
    let arrives = Fate::arrives(65 * MS);
    let mut script = Script::new();
    for n in 0..6 {
        let fate = if n == 2 || n == 5 {
            Fate::Lost
        } else {
            arrives.clone()
        };
        script.data(
            (1_000 + n * 140) * MS,
            Intent::New,
            n * 100..n * 100 + 100,
            fate,
        );
    }
    script.data(
        1_551 * MS,
        Intent::Retransmission,
        200..300,
        arrives.clone(),
    );
    script.data(2_700 * MS, Intent::Retransmission, 500..600, arrives);
    let files = Files::of("causes", &script);
    let output = files.analyze(&["--json", "--packets"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packets = told["packets"].as_array().expect("a list");
    let causes: Vec<_> = packets
        .iter()
        .map(|it| &it["cause"])
        .filter(|it| !it.is_null())
        .collect();
    assert_eq!(causes, ["fast", "timeout"]);
    let said = |key: &str| -> Vec<u64> {
        let such = packets.iter().filter(|it| it[key] == true);
        such.map(|it| it["acknowledged"].as_u64().expect("an offset"))
            .collect()
    };
    assert_eq!(said("duplicate"), [200]);
    assert_eq!(said("selective"), [200]);
}

#[test]
fn messages_end_where_a_file_says() {
    let files = Files::of("ends", &healed());
    let ends = files.folder.join("ends");
    std::fs::write(&ends, "250\n3100\n3101\n").expect("the ends");
    let path = ends.to_str().expect("text");
    let output = files.analyze(&["--json", "--message-ends", path]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let messages = told["messages"].as_array().expect("a list");
    let starts: Vec<_> = messages.iter().map(|message| &message["start"]).collect();
    assert_eq!(starts, [0, 250, 3_100]);
    std::fs::write(&ends, "250\nmany\n").expect("wrong ends");
    let error = refused(&files.analyze(&["--message-ends", path]));
    assert!(
        error.contains("ends, line 2: \"many\" is no stream offset"),
        "{error}"
    );
}

#[test]
fn the_table_shows_every_latency_and_both_curves() {
    let files = Files::of("table", &healed());
    let output = files.analyze(&["--message-bytes", "200"]);
    let table = String::from_utf8(output.stdout).expect("text");
    for line in [
        "stream    10.0.1.1:40000 → 10.0.2.2:5000",
        "  bundled                        100    1.64 %   1 packets",
        "  forward               62        61       1    1.61 %           0        0",
    ] {
        assert!(table.contains(line), "{line:?} is missing in\n{table}");
    }
    let row = table
        .lines()
        .find(|line| line.contains("application, by message"));
    let figures: Vec<&str> = row.expect("the row").split_whitespace().skip(3).collect();
    assert_eq!(
        figures,
        [
            "65.000", "65.000", "65.000", "65.000", "65.000", "65.000", "65.000", "65.000",
            "65.000"
        ],
        "the 16th pair of messages is whole when the bundle arrives"
    );
    assert!(table.contains("ms above the lowest"), "{table}");
}

#[test]
fn two_clocks_are_told_and_removed() {
    let mut script = healed();
    script.clocks.receiver_offset_ns = -3_000_000_000;
    let files = Files::of("clocks", &script);
    let error = refused(&files.analyze(&[]));
    assert!(error.contains("--clock separate"), "{error}");
    let output = files.analyze(&["--clock", "separate"]);
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(table.contains("receiver -3.000000 s"), "{table}");
}

#[test]
fn what_cannot_be_read_is_named_with_a_remedy() {
    let files = Files::of("refusals", &healed());
    let error = refused(&analyze(&files.sender, Path::new("/nowhere.pcap"), &[]));
    assert!(error.contains("/nowhere.pcap cannot be read"), "{error}");

    std::fs::write(&files.receiver, "not a capture").expect("a foreign file");
    let error = refused(&files.analyze(&[]));
    assert!(
        error.contains("receiver.pcapng: byte 0: expected the magic number"),
        "{error}"
    );

    let whole = healed().run().files(&FileFormat::default()).receiver;
    std::fs::write(&files.receiver, &whole[..whole.len() - 10]).expect("a cut file");
    let error = refused(&files.analyze(&[]));
    assert!(
        error.contains("ends inside record") && error.contains("--accept-cut"),
        "{error}"
    );
    let output = files.analyze(&["--accept-cut"]);
    assert!(output.status.success());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("warning: "),
        "the cut is told all the same"
    );
}

#[test]
fn several_connections_get_a_line_each() {
    let mut script = healed();
    script.noise(1_200 * MS, End::Sender, Noise::OtherConnection);
    script.noise(1_265 * MS, End::Receiver, Noise::OtherConnection);
    let files = Files::of("flows", &script);
    let output = files.analyze(&[]);
    assert!(output.status.success());
    let table = String::from_utf8(output.stdout).expect("text");
    for stream in [
        "10.0.1.1:40000-10.0.2.2:5000",
        "10.0.1.1:50000-10.0.2.2:9000",
    ] {
        let row = table.lines().find(|line| line.starts_with(stream));
        assert!(row.is_some(), "{stream} is missing in\n{table}");
    }
    assert!(table.contains("2 connections in both captures"), "{table}");

    let output = files.analyze(&["--json"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = told["connections"].as_array().expect("a list");
    assert_eq!(list.len(), 2);
    assert_eq!(list[0]["flow"]["sender"], "10.0.1.1:40000");
    assert_eq!(list[0]["metrics"]["payload_bytes"], 6_100);
    assert_eq!(list[1]["metrics"]["payload_bytes"], 40);
    assert_eq!(told["in_first_only"], serde_json::json!([]));

    let error = refused(&files.analyze(&["--json", "--packets"]));
    assert!(
        error.contains("2 connections") && error.contains("--flow"),
        "{error}"
    );
    for flow in [
        "10.0.1.1:40000-10.0.2.2:5000",
        "10.0.1.1:40000-10.0.2.2:5000#1",
    ] {
        let output = files.analyze(&["--json", "--flow", flow]);
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(told["metrics"]["payload_bytes"], 6_100);
    }
    let error = refused(&files.analyze(&["--flow", "10.0.1.1:40000-10.0.2.2:5000#2"]));
    assert!(error.contains("#2 is not in both captures"), "{error}");
}

/// What one capture cannot tell is null, never zero.
#[test]
fn one_capture_tells_what_it_can() {
    let files = Files::of("one", &healed());
    let told = |file: &Path, arguments: &[&str]| -> serde_json::Value {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
        let output = command.arg("analyze").arg(file).args(arguments).output();
        serde_json::from_slice(&output.expect("lab-agent runs").stdout).expect("JSON")
    };
    let sender = told(&files.sender, &["--json"]);
    assert_eq!(sender["metrics"]["payload_bytes"], 6_100);
    assert_eq!(sender["traffic"]["bundled_bytes"], 100);
    assert_eq!(sender["acknowledged_bytes"], 6_000);
    assert_eq!(sender["time_to_ack"]["min_us"], 130_010.0);
    for unknown in [
        "delivered_bytes",
        "lost_packets_forward",
        "transport",
        "application",
    ] {
        assert!(sender["metrics"][unknown].is_null(), "{unknown}");
    }
    assert!(sender["traffic"]["spurious_bytes"].is_null());
    let receiver = told(&files.receiver, &["--json", "--at", "receiver"]);
    assert_eq!(receiver["arrived"]["unique_bytes"], 6_000);
    assert!(receiver["metrics"].is_null());
}

/// Chunk 2 of fourteen is lost, and called for by gap reports.
#[test]
fn an_association_has_accounts_of_its_chunks() {
    let mut all = sctp::scenarios::all().into_iter();
    let (_, script) = all
        .find(|(name, _)| *name == "loss, repaired after gap reports")
        .expect("a scenario");
    let sctp = script.run().trace;
    let files = Files::of_trace("sctp", &sctp);
    let output = files.analyze(&["--json", "--packets"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["protocol"], "sctp");
    let chunks = &told["chunks"];
    assert_eq!((&chunks["sent"], &chunks["fast"]), (&15.into(), &1.into()));
    assert_eq!(chunks["retransmitted"], 1);
    let packets = told["packets"].as_array().expect("packets");
    let kinds = packets
        .iter()
        .filter_map(|it| it["chunks"][0]["kind"].as_str());
    assert_eq!(kinds.filter(|kind| *kind == "fast").count(), 1);
    let table = String::from_utf8(files.analyze(&[]).stdout).expect("text");
    assert!(
        table.contains("15 sent, 14 of them new, in 1 streams"),
        "{table}"
    );
    let both = together([(0, sctp), (0, healed().run())]);
    let both = Files::of_trace("both-protocols", &both);
    let table = String::from_utf8(both.analyze(&[]).stdout).expect("text");
    assert!(table.contains("2 connections in both captures"), "{table}");
}
