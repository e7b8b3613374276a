//! Terminals: a real editor at the other end of a real OpenSSH connection.
// SPDX-License-Identifier: Apache-2.0
use std::process::Command;

use lab_proto::live_event::Event;
use lab_proto::live_input::Input;
use lab_proto::{
    Baseline, DemoPause, Editor, FileKind, KeyLine, LaneSpec, LiveEvent, LiveFinish, LiveInput,
    Mechanism, Path, Recovery, TerminalEnd, TerminalKeys, TerminalOpen, TerminalResult,
    TerminalTask,
};
use tokio::sync::mpsc::Sender;
use tonic::{Code, Status, Streaming};

use crate::agent::{Agent, DELAY_US, eventually, kill, lane};

const SECOND_NS: u64 = 1_000_000_000;
/// Of a session that is to meet its limit: some keys are typed and answered before,
/// also where the machine stands still for seconds.
const LIMIT_NS: u64 = 10 * SECOND_NS;

fn open(lane: LaneSpec, editor: Editor) -> TerminalOpen {
    TerminalOpen {
        lane: Some(lane),
        task: Some(TerminalTask {
            editor: editor as i32,
            text: "prepared\n".into(),
            columns: 80,
            rows: 24,
        }),
        limit_ns: 600 * SECOND_NS,
    }
}

fn start(hosts: &str) -> Agent {
    assert!(
        std::env::var_os("THINLAB_TERMINAL").is_some(),
        "THINLAB_TERMINAL is not set: run `make test`, or set it to what \
         lab-agent/guest/terminal/build prints"
    );
    Agent::start_with(&["--clock", "real", "--hosts", hosts])
}

/// A terminal as the backend has it.
struct Terminal {
    inputs: Sender<LiveInput>,
    events: Streaming<LiveEvent>,
    typed: u32,
    answered: u32,
    screens: Vec<u8>,
    sender_capture: Vec<u8>,
    receiver_capture: Vec<u8>,
}

impl Terminal {
    async fn ask(agent: &Agent, open: TerminalOpen) -> Result<Self, Status> {
        Self::begin(agent, Input::Terminal(open)).await
    }

    /// Begins a call with whatever it is.
    async fn begin(agent: &Agent, input: Input) -> Result<Self, Status> {
        let (inputs, events) = agent.live(input).await?;
        Ok(Self {
            inputs,
            events,
            typed: 0,
            answered: 0,
            screens: Vec::new(),
            sender_capture: Vec::new(),
            receiver_capture: Vec::new(),
        })
    }

    /// Opens a terminal and waits until one can type.
    async fn open(agent: &Agent, open: TerminalOpen) -> Result<Self, Status> {
        let mut terminal = Self::ask(agent, open).await?;
        let mut stages = Vec::new();
        loop {
            match terminal.next().await? {
                Event::Ready(ready) => {
                    assert!(ready.host.starts_with("guest-") && !ready.build.is_empty());
                    break;
                }
                Event::Progress(progress) => stages.push(progress.stage),
                Event::Screen(_) => {}
                other => panic!("{other:?} before the terminal was ready"),
            }
        }
        assert_eq!(stages, ["lane", "log in"]);
        assert!(!terminal.screens.is_empty(), "the editor drew nothing");
        Ok(terminal)
    }

    async fn next(&mut self) -> Result<Event, Status> {
        let event = self.events.message().await?;
        let event = event.expect("no end without a result").event.unwrap();
        if let Event::Screen(screen) = &event {
            assert!(screen.answers_key >= self.answered, "answers go back");
            assert!(screen.answers_key <= self.typed, "an answer before its key");
            self.answered = screen.answers_key;
            self.screens.extend(&screen.data);
        }
        Ok(event)
    }

    async fn key(&mut self, data: &[u8]) {
        self.typed += 1;
        let keys = TerminalKeys {
            number: self.typed,
            data: data.into(),
        };
        self.put(Input::Keys(keys)).await;
    }

    async fn put(&self, input: Input) {
        // Fails only when the call is over, which the events tell.
        let _ = self.inputs.send(LiveInput { input: Some(input) }).await;
    }

    /// Types each byte as a key of its own, and waits for the last one's echo.
    async fn type_text(&mut self, text: &[u8]) -> Result<(), Status> {
        for byte in text {
            self.key(&[*byte]).await;
        }
        while self.answered < self.typed {
            self.next().await?;
        }
        Ok(())
    }

    async fn finish(self) -> Result<Finished, Status> {
        self.put(Input::Finish(LiveFinish {})).await;
        self.end().await
    }

    /// Waits for the result and the captures.
    async fn end(mut self) -> Result<Finished, Status> {
        let result = loop {
            if let Event::Terminal(result) = self.next().await? {
                break result;
            }
        };
        while let Some(event) = self.events.message().await? {
            let Some(Event::File(chunk)) = event.event else {
                panic!("{event:?} after the result");
            };
            match chunk.kind() {
                FileKind::SenderCapture => self.sender_capture.extend(chunk.data),
                FileKind::ReceiverCapture => self.receiver_capture.extend(chunk.data),
                other => panic!("a file of kind {other:?}"),
            }
        }
        assert!(!self.sender_capture.is_empty() && !self.receiver_capture.is_empty());
        Ok(Finished {
            result,
            screens: String::from_utf8_lossy(&self.screens).into_owned(),
        })
    }
}

struct Finished {
    result: TerminalResult,
    screens: String,
}

/// The instants of a key's way, in its order.
fn instants(line: &KeyLine) -> [Option<u64>; 12] {
    [
        line.agent_received_ns,
        line.pty_written_ns,
        line.key_written_ns,
        line.key_sent_ns,
        line.key_arrived_ns,
        line.key_delivered_ns,
        line.echo_written_ns,
        line.echo_sent_ns,
        line.echo_arrived_ns,
        line.echo_delivered_ns,
        line.screen_ns,
        line.agent_forwarded_ns,
    ]
}

fn expect_balance(result: &TerminalResult) {
    let check = result.check.unwrap();
    for way in [check.forward.unwrap(), check.backward.unwrap()] {
        assert!(way.sent_packets > 0);
        assert_eq!(way.sent_packets, way.received_packets + way.dropped_packets);
    }
}

#[tokio::test]
async fn every_key_is_followed_there_and_back() {
    let agent = start("1");
    let over_sctp = LaneSpec {
        baseline: Baseline::Lksctp as i32,
        ..lane(0.0, &[])
    };
    for (spec, editor, text) in [
        (lane(0.0, &[]), Editor::Nano, "hei "),
        (lane(0.0, &[]), Editor::Vi, "ihei "),
        (over_sctp.clone(), Editor::Nano, "hei "),
    ] {
        let is_tcp = spec != over_sctp;
        let opened = Terminal::open(&agent, open(spec, editor)).await;
        let mut terminal = opened.unwrap();
        terminal.type_text(text.as_bytes()).await.unwrap();
        let typed = terminal.typed;
        let Finished { result, screens } = terminal.finish().await.unwrap();
        assert_eq!(result.end(), TerminalEnd::Finished, "{}", result.reason);
        assert_eq!(
            String::from_utf8(result.text.clone()).unwrap(),
            "hei prepared\n"
        );
        assert!(screens.contains("prepared"));
        expect_balance(&result);
        let numbers: Vec<u32> = result.keys.iter().map(|line| line.number).collect();
        assert_eq!(numbers, (1..=typed).collect::<Vec<_>>());
        // Half of the question to the guest's clock is what its instants may be off.
        let slack_ns = result.clock.unwrap().round_trip_ns;
        for line in &result.keys {
            let way: Vec<u64> = instants(line).into_iter().flatten().collect();
            assert_eq!(way.len(), 12, "{line:?}");
            assert!(
                way.windows(2).all(|step| step[0] <= step[1] + slack_ns),
                "{line:?}"
            );
            assert!(way[4] - way[3] >= DELAY_US * 1000, "{line:?}");
            assert!(way[8] - way[7] >= DELAY_US * 1000, "{line:?}");
            assert!(way[2] >= result.ready_ns && way[11] <= result.end_ns + slack_ns);
            // Nothing is lost, so the first copy is the one that arrived, both ways. There may be
            // later ones: a machine that stands still for longer than an RTO brings timeouts.
            assert!(line.key_transmissions >= 1 && line.echo_transmissions >= 1);
            assert_eq!(
                (line.key_recovery(), line.echo_recovery()),
                (Recovery::None, Recovery::None)
            );
            assert!(line.screen > 0);
        }
        let timing = result.timing.unwrap();
        assert!(timing.forward.unwrap().min_us >= 0.0);
        assert!(timing.backward.unwrap().packets > 0);
        assert_eq!(result.felt.unwrap().messages, u64::from(typed));
        let forward = result.metrics_forward.unwrap();
        let most = u64::from(typed) + forward.retransmitted_packets;
        assert!((1..=most).contains(&forward.packets), "{forward:?}");
        let copies = result.copies_forward.unwrap();
        assert_eq!(copies.spurious_packets, forward.retransmitted_packets);
        if result.keys.iter().any(|line| line.key_transmissions > 1) {
            assert!(forward.retransmitted_packets > 0);
        }
        assert_eq!(
            (forward.lost_packets_forward, forward.lost_packets_backward),
            (0, 0)
        );
        // Logging in moved kilobytes each way; typing moves a few dozen a key.
        assert!(forward.payload_bytes < 1000, "{forward:?}");
        assert!(result.metrics_backward.unwrap().delivered_bytes > 0);
        for (told, counters) in [
            (&result.tcp_info_sender, &result.counters),
            (&result.tcp_info_receiver, &result.receiver_counters),
        ] {
            assert_eq!(
                told.map(|told| told.bytes_acked > 0),
                is_tcp.then_some(true)
            );
            let chunks = counters.iter().any(|one| one.name == "SctpOutOrderChunks");
            assert_eq!(chunks, !is_tcp, "{counters:?}");
        }
    }
}

/// One of five packets is lost, in both directions, and not one while getting
/// ready.
#[tokio::test]
async fn lost_keys_come_back_as_the_mode_has_it() {
    let agent = start("1");
    let bundling = [Mechanism::Bundling];
    for mechanisms in [&[][..], &bundling] {
        let opened = Terminal::open(&agent, open(lane(0.2, mechanisms), Editor::Nano)).await;
        let mut terminal = opened.unwrap();
        // Together they would be one packet: each waits for the one before to be
        // on the lane.
        let mut pause = tokio::time::interval(std::time::Duration::from_millis(40));
        for _ in 0..60 {
            pause.tick().await;
            terminal.key(b"x").await;
        }
        terminal.type_text(b"y").await.unwrap();
        let Finished { result, .. } = terminal.finish().await.unwrap();
        expect_balance(&result);
        let text = String::from_utf8(result.text.clone()).unwrap();
        assert_eq!(text, format!("{}yprepared\n", "x".repeat(60)));
        let count = |kind: Recovery| {
            let keys = result
                .keys
                .iter()
                .filter(|line| line.key_recovery() == kind);
            let echoes = result
                .keys
                .iter()
                .filter(|line| line.echo_recovery() == kind);
            keys.count() + echoes.count()
        };
        let repaired = count(Recovery::Fast) + count(Recovery::Timeout);
        let copies = result.copies_forward.unwrap();
        if mechanisms.is_empty() {
            assert!(repaired > 0 && count(Recovery::Bundle) == 0);
            assert_eq!(copies.bundle_packets, 0);
        } else {
            assert!(count(Recovery::Bundle) > 0);
            assert!(copies.bundle_packets > 0 && copies.bundle_hit_bytes > 0);
        }
        assert_eq!(count(Recovery::Never), 0);
        let check = result.check.unwrap();
        assert!(check.forward.unwrap().dropped_packets > 0);
        assert!(check.backward.unwrap().dropped_packets > 0);
    }
}

/// Keys that come twice are typed once, and a packet that had no delay is no
/// fault of the machine's.
#[tokio::test]
async fn what_overtakes_or_comes_twice_changes_no_text() {
    let agent = start("1");
    let mut unruly = lane(0.0, &[]);
    for path in [&mut unruly.forward, &mut unruly.backward] {
        let path = path.as_mut().unwrap();
        (path.reorder_share, path.duplicate_share) = (0.2, 0.2);
    }
    let mut terminal = Terminal::open(&agent, open(unruly, Editor::Nano))
        .await
        .unwrap();
    let typed = "x".repeat(20);
    // One by one: typed at once they go in one packet, and too few come after it
    // for each direction to double one.
    for key in typed.bytes() {
        terminal.type_text(&[key]).await.unwrap();
    }
    let Finished { result, .. } = terminal.finish().await.unwrap();
    let text = String::from_utf8(result.text.clone()).unwrap();
    assert_eq!(text, format!("{typed}prepared\n"));
    let check = result.check.unwrap();
    for way in [check.forward.unwrap(), check.backward.unwrap()] {
        assert!(way.duplicated_packets > 0, "{way:?}");
        assert_eq!(
            way.sent_packets + way.duplicated_packets,
            way.received_packets
        );
    }
    let timing = result.timing.unwrap();
    assert!(!timing.reason.contains("before its time"), "{timing:?}");
}

#[tokio::test]
async fn leaving_the_editor_or_the_limit_ends_it() {
    let agent = start("1");
    let mut left = Terminal::open(&agent, open(lane(0.0, &[]), Editor::Nano))
        .await
        .unwrap();
    left.key(b"\x18").await;
    let finished = left.end().await.unwrap().result;
    assert_eq!(
        finished.end(),
        TerminalEnd::EditorLeft,
        "{}",
        finished.reason
    );
    assert_eq!(finished.text, b"prepared\n");

    let short = TerminalOpen {
        limit_ns: LIMIT_NS,
        ..open(lane(0.0, &[]), Editor::Vi)
    };
    let mut limited = Terminal::open(&agent, short).await.unwrap();
    limited.type_text(b"iunsaved ").await.unwrap();
    let finished = limited.end().await.unwrap().result;
    assert_eq!(finished.end(), TerminalEnd::Limit);
    assert_eq!(finished.text, b"unsaved prepared\n");
    assert!(finished.end_ns - finished.ready_ns >= LIMIT_NS);
}

#[tokio::test]
async fn a_terminal_of_a_killed_guest_is_lost_and_the_next_one_is_not() {
    let agent = start("1");
    let asked = open(lane(0.0, &[]), Editor::Nano);
    let mut terminal = Terminal::open(&agent, asked.clone()).await.unwrap();
    terminal.type_text(b"a").await.unwrap();
    kill(agent.guests()[0], libc::SIGKILL);
    let Err(status) = terminal.type_text(b"b").await else {
        panic!("nobody was there to answer");
    };
    assert_eq!(status.code(), Code::Aborted);
    assert!(status.message().starts_with("host-lost"), "{status}");
    let mut terminal = Terminal::open(&agent, asked).await.unwrap();
    terminal.type_text(b"c").await.unwrap();
    let finished = terminal.finish().await.unwrap().result;
    assert_eq!(finished.text, b"cprepared\n");
}

/// The processes that stand for a guest's programs.
fn programs(guest: i32) -> usize {
    let threads = std::fs::read_dir(format!("/proc/{guest}/task"));
    let lists =
        threads.into_iter().flatten().flatten().map(|thread| {
            std::fs::read_to_string(thread.path().join("children")).unwrap_or_default()
        });
    lists.map(|list| list.split_whitespace().count()).sum()
}

#[tokio::test]
async fn a_caller_that_goes_away_takes_the_terminal_along() {
    let agent = start("1");
    let guest = agent.guests()[0];
    let before = programs(guest);
    let opened = Terminal::open(&agent, open(lane(0.05, &[]), Editor::Vi)).await;
    let mut terminal = opened.unwrap();
    terminal.key(b"i").await;
    assert!(
        programs(guest) > before + 2,
        "client, server and editor run"
    );
    drop(terminal);
    eventually("its programs are gone", || programs(guest) <= before).await;
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_by_name() {
    let agent = start("1");
    let good = open(lane(0.0, &[]), Editor::Nano);
    let task = good.task.clone().unwrap();
    let refused = [
        (
            TerminalOpen {
                task: Some(TerminalTask {
                    editor: 0,
                    ..task.clone()
                }),
                ..good.clone()
            },
            "task.editor",
        ),
        (
            TerminalOpen {
                task: Some(TerminalTask { columns: 0, ..task }),
                ..good.clone()
            },
            "task.columns",
        ),
        (
            TerminalOpen {
                lane: Some(lane(5.0, &[])),
                ..good.clone()
            },
            "lane.forward.uniform",
        ),
    ];
    for (asked, field) in refused {
        let mut terminal = Terminal::ask(&agent, asked).await.unwrap();
        let status = terminal.next().await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().starts_with(field), "{status}");
    }
    let early = Terminal::begin(&agent, Input::Finish(LiveFinish {})).await;
    let status = early.err().unwrap();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(
        status.message().contains("`terminal` or `demo`"),
        "{status}"
    );
    let misplaced = [
        (
            Input::Terminal(good.clone()),
            "`terminal` is the first message",
        ),
        (
            Input::Pause(DemoPause::default()),
            "a terminal takes `keys` and `finish`",
        ),
    ];
    for (input, beginning) in misplaced {
        let terminal = Terminal::open(&agent, good.clone()).await.unwrap();
        terminal.put(input).await;
        let status = terminal.end().await.err().unwrap();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().starts_with(beginning), "{status}");
    }
    let mut terminal = Terminal::open(&agent, good.clone()).await.unwrap();
    terminal.typed = 7;
    terminal.key(b"x").await;
    let status = terminal.end().await.err().unwrap();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(
        status.message().starts_with("keys.number is 8 after 0"),
        "{status}"
    );

    let hosts = [Agent::start("virtual"), Agent::start_without_terminal()];
    for (agent, remedy) in hosts.iter().zip(["--clock real", "--terminal"]) {
        let mut terminal = Terminal::ask(agent, good.clone()).await.unwrap();
        let status = terminal.next().await.unwrap_err();
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert!(status.message().contains(remedy), "{status}");
    }
}

/// The short form of the thousand that `make bench` opens and closes.
#[test]
fn terminals_leave_nothing_behind() {
    let folder = std::env::temp_dir().join(format!("typing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_lab-agent"))
        .args([
            "type",
            "--sessions",
            "12",
            "--at-once",
            "4",
            "--keys",
            "3",
            "--rtt-ms",
            "10",
        ])
        .env("TMPDIR", &folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    let told: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(told["sessions"], 12);
    for held in [
        "guest_processes",
        "guest_descriptors",
        "guest_namespaces",
        "descriptors",
    ] {
        assert_eq!(
            told["after"][held], told["before"][held],
            "{held}: {told:#}"
        );
    }
    assert!(told["before"]["guest_processes"].as_u64().unwrap() >= 1);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    std::fs::remove_dir(&folder).unwrap();
}

/// Key, echo and screen follow so closely that only their order tells.
#[tokio::test]
async fn a_path_without_delay_is_a_terminal_too() {
    let calm = LaneSpec {
        forward: Some(Path::default()),
        backward: Some(Path::default()),
        ..lane(0.0, &[])
    };
    let agent = start("1");
    let opened = Terminal::open(&agent, open(calm, Editor::Nano)).await;
    let mut terminal = opened.unwrap();
    for byte in b"one by one" {
        terminal.type_text(&[*byte]).await.unwrap();
    }
    let result = terminal.finish().await.unwrap().result;
    assert_eq!(result.text, b"one by oneprepared\n");
    assert!(
        result
            .keys
            .iter()
            .all(|line| line.echo_delivered_ns.is_some())
    );
}
