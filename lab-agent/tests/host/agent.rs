//! A running `lab-agent boot`, and the requests that the tests make of it.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path as FilePath, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lab_proto::lab_client::LabClient;
use lab_proto::live_input::Input;
use lab_proto::path::Loss;
use lab_proto::session_event::Event;
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    AudioStream, FileKind, LaneChange, LaneSpec, LatencyDistribution, LiveEvent, LiveInput,
    MAX_MESSAGE_BYTES, Mechanism, Path, SessionEvent, SessionResult, SessionSpec, SyntheticStream,
    UniformLoss,
};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;
use tonic::{Status, Streaming};

use crate::built_parts::expect_kernel_and_guest;

/// One way, of the lanes in these tests.
pub const DELAY_US: u64 = 65_000;

/// All, each time beginning with another: the guests of tests that run at once
/// would else all be on the first.
fn processors() -> String {
    static AGENTS: AtomicUsize = AtomicUsize::new(0);
    let mut allowed: Vec<String> = allowed_processors().iter().map(usize::to_string).collect();
    let first = AGENTS.fetch_add(1, Ordering::Relaxed) % allowed.len();
    allowed.rotate_left(first);
    allowed.join(",")
}

fn allowed_processors() -> Vec<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).unwrap();
    (0..rustix::thread::CpuSet::MAX_CPU)
        .filter(|&processor| allowed.is_set(processor))
        .collect()
}

/// An agent of its own for a test, with a folder for everything it makes.
pub struct Agent {
    process: Child,
    address: String,
    folder: PathBuf,
}

impl Agent {
    /// Starts `lab-agent boot --clock CLOCK` and waits for its line.
    pub fn start(clock: &str) -> Self {
        Self::start_with(&["--clock", clock])
    }

    /// Starts one in real time that was not told of a terminal's programs.
    pub fn start_without_terminal() -> Self {
        let arguments = ["--clock", "real"];
        Self::spawn(&arguments, |command| {
            command.env_remove("THINLAB_TERMINAL");
        })
    }

    /// Starts one guest in real time with another image for terminals.
    pub fn start_with_terminal(image: &FilePath) -> Self {
        Self::spawn(&["--clock", "real", "--hosts", "1"], |command| {
            command.env("THINLAB_TERMINAL", image);
        })
    }

    /// Starts a host in virtual time where something before the kernel refuses `calls`, as the
    /// engine of a container may.
    pub fn start_without(calls: &[libc::c_long]) -> Self {
        let rules = calls.iter().map(|&call| (call, vec![])).collect();
        let refused = SeccompAction::Errno(libc::EPERM as u32);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, TargetArch::x86_64);
        let filter: BpfProgram = filter.unwrap().try_into().unwrap();
        Self::spawn(&["--clock", "virtual"], |command| {
            let step = move || {
                seccompiler::apply_filter(&filter)
                    .map_err(|error| std::io::Error::other(error.to_string()))
            };
            // Runs between fork and exec: system calls only.
            #[allow(unsafe_code)]
            unsafe {
                command.pre_exec(step);
            }
        })
    }

    /// Starts `lab-agent boot` and waits for its line.
    pub fn start_with(arguments: &[&str]) -> Self {
        Self::spawn(arguments, |_| ())
    }

    /// Starts one for other machines, with certificates, and what it says in a file `log`.
    pub fn start_for_others(certificates: &FilePath) -> Self {
        let folder = certificates.to_str().unwrap();
        let listen = ["--listen", "tls://127.0.0.1:0", "--certificates", folder];
        Self::spawn(&listen, |command| {
            let log = std::fs::File::create(certificates.join("log")).unwrap();
            command.stderr(log);
        })
    }

    fn spawn(arguments: &[&str], adapt: impl FnOnce(&mut Command)) -> Self {
        expect_kernel_and_guest();
        let name = format!(
            "agent-test-{}-{:?}-{clock}",
            std::process::id(),
            std::thread::current().id(),
            clock = arguments.join("-").replace('/', "")
        );
        let folder = std::env::temp_dir().join(name.replace(['(', ')'], ""));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
        command
            .args(["boot", "--cpus", &processors()])
            .args(arguments)
            .env("TMPDIR", &folder)
            .stdout(Stdio::piped());
        adapt(&mut command);
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert!(!line.is_empty(), "the agent ended instead of serving");
        Self {
            process,
            address: line.trim().to_owned(),
            folder,
        }
    }

    /// A client of it.
    pub async fn client(&self) -> LabClient<Channel> {
        LabClient::connect(format!("http://{}", self.address))
            .await
            .unwrap()
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES)
    }

    /// Begins a live run: where its inputs go in, and its events.
    pub async fn live(
        &self,
        first: Input,
    ) -> Result<(Sender<LiveInput>, Streaming<LiveEvent>), Status> {
        let (inputs, receiver) = channel(64);
        let first = LiveInput { input: Some(first) };
        inputs.send(first).await.unwrap();
        let mut client = self.client().await;
        let events = client.run_live(ReceiverStream::new(receiver)).await?;
        Ok((inputs, events.into_inner()))
    }

    /// Runs a session of one flow to its end.
    pub async fn run(&self, spec: SessionSpec) -> Result<Finished, Status> {
        let mut all = self.run_all(spec).await?;
        let only = all.remove(&(0, 0)).unwrap();
        assert!(all.is_empty(), "nobody asked for {:?}", all.keys());
        Ok(only)
    }

    /// Runs a session twice, which gives the same both times.
    pub async fn expect_repeats(&self, spec: SessionSpec) {
        let one = self.run(spec.clone()).await.unwrap();
        let other = self.run(spec).await.unwrap();
        same(one, other);
    }

    /// Runs a session to its end: its flows by their places, lane and flow. A lane's
    /// captures are with its first flow.
    pub async fn run_all(
        &self,
        spec: SessionSpec,
    ) -> Result<BTreeMap<(u32, u32), Finished>, Status> {
        let mut events = self.client().await.run_session(spec).await?.into_inner();
        let mut all = BTreeMap::<_, Finished>::new();
        while let Some(event) = events.message().await? {
            let finished = all.entry((event.lane, event.flow)).or_default();
            match event.event.unwrap() {
                Event::Progress(progress) => finished.stages.push(progress.stage),
                Event::Result(result) => finished.result = result,
                Event::File(chunk) => match chunk.kind() {
                    FileKind::SenderCapture => finished.sender.extend(chunk.data),
                    FileKind::ReceiverCapture => finished.receiver.extend(chunk.data),
                    FileKind::Recording => finished.recording.extend(chunk.data),
                    FileKind::Settings => finished.settings.extend(chunk.data),
                    FileKind::MessageEnds | FileKind::Unspecified => {
                        panic!("a file that no session has")
                    }
                },
            }
        }
        Ok(all)
    }

    /// Starts a session and waits until its stream is on its way.
    pub async fn sending(&self, spec: SessionSpec) -> Streaming<SessionEvent> {
        let mut client = self.client().await;
        let mut events = client.run_session(spec).await.unwrap().into_inner();
        while let Some(event) = events.message().await.unwrap() {
            if matches!(event.event, Some(Event::Progress(progress)) if progress.stage == "send") {
                break;
            }
        }
        events
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The agent's process number.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The guests that it has running, its children, in the order in which they were started.
    pub fn guests(&self) -> Vec<i32> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.id()));
        let lists = threads.into_iter().flatten().flatten().map(|thread| {
            std::fs::read_to_string(thread.path().join("children")).unwrap_or_default()
        });
        let ids = lists.flat_map(|list| {
            list.split_whitespace()
                .map(|id| id.parse().unwrap())
                .collect::<Vec<i32>>()
        });
        // Process numbers begin again at the end of their range.
        let mut guests: Vec<(u64, i32)> = ids
            .filter_map(|id| Some((started_ticks(id)?, id)))
            .collect();
        guests.sort_unstable();
        guests.into_iter().map(|(_, id)| id).collect()
    }

    /// Where it keeps what it makes.
    pub fn folder(&self) -> &FilePath {
        &self.folder
    }

    /// Ends it as Ctrl-C does, and waits.
    pub fn interrupt(&mut self) {
        kill(self.id() as i32, libc::SIGINT);
        assert!(self.process.wait().unwrap().success());
    }

    /// Ends it as the kernel does when memory is short.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What a session gave.
#[derive(Default, PartialEq, Debug)]
pub struct Finished {
    pub stages: Vec<String>,
    pub result: SessionResult,
    pub sender: Vec<u8>,
    pub receiver: Vec<u8>,
    pub recording: Vec<u8>,
    pub settings: Vec<u8>,
}

impl Finished {
    /// How long messages took to the application, each counted once.
    pub fn latency(&self) -> &LatencyDistribution {
        let metrics = self.result.metrics.as_ref().unwrap();
        let application = metrics.application.as_ref().unwrap();
        application.per_message.as_ref().unwrap()
    }
}

/// Wants two sessions to have given the same: all but the wall time, which the contract names as not reproducible.
pub fn same(mut one: Finished, mut other: Finished) {
    one.result.wall_ns = 0;
    other.result.wall_ns = 0;
    assert!(one.sender == other.sender, "the sender's captures differ");
    assert!(
        one.receiver == other.receiver,
        "the receiver's captures differ"
    );
    assert!(one.recording == other.recording, "the recordings differ");
    assert_eq!(one.result, other.result);
}

/// All of TCP's mechanisms that people can be served with: those of its sender.
pub fn of_senders() -> Vec<Mechanism> {
    let all = Mechanism::OF_TCP.into_iter();
    all.filter(|one| !Mechanism::TAKES_DAMAGE.contains(one))
        .collect()
}

/// A lane of 130 ms RTT with the same loss in both directions.
pub fn lane(loss_share: f64, mechanisms: &[Mechanism]) -> LaneSpec {
    let path = Path {
        delay_us: DELAY_US,
        loss: Some(Loss::Uniform(UniformLoss { loss_share })),
        ..Path::default()
    };
    LaneSpec {
        mechanisms: mechanisms.iter().map(|&m| m as i32).collect(),
        seed: 42,
        ..LaneSpec::both_ways(path)
    }
}

/// `seconds` of a gliding tone.
pub fn audio(seconds: usize) -> Stream {
    let samples = (0..seconds * 48_000).map(|index| {
        let t = index as f64 / 48_000.0;
        let tone = (2.0 * std::f64::consts::PI * (200.0 + 40.0 * t.sin()) * t).sin();
        (tone * 9000.0) as i16
    });
    Stream::Audio(AudioStream {
        source_s16le_48k_mono: samples.flat_map(i16::to_le_bytes).collect(),
        ..AudioStream::default()
    })
}

/// The thin stream of the papers' experiments: 120 bytes every 140 ms.
pub fn thin(messages: u32) -> Stream {
    Stream::Synthetic(SyntheticStream::even(120, 140_000, messages))
}

/// A message a second for an hour: in real time, longer than any test.
pub fn endless() -> Stream {
    Stream::Synthetic(SyntheticStream::even(120, 1_000_000, 3600))
}

/// A session's request.
pub fn spec(lane: LaneSpec, stream: Stream) -> SessionSpec {
    SessionSpec::of_one(lane, stream)
}

/// The same whose lane changes on the way.
pub fn changing(lane: LaneSpec, stream: Stream, changes: Vec<LaneChange>) -> SessionSpec {
    let mut spec = spec(lane, stream);
    spec.lanes[0].changes = changes;
    spec
}

/// Sends a signal to a process that a test started.
pub fn kill(process: i32, signal: i32) {
    #[allow(unsafe_code)]
    let result = unsafe { libc::kill(process, signal) };
    assert_eq!(result, 0, "{}", std::io::Error::last_os_error());
}

/// Waits for a condition; the bound is only there to end a broken test.
pub async fn eventually(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_mins(1), "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Whether a process is there and is not a zombie.
pub fn alive(process: i32) -> bool {
    told(process).is_some_and(|told| told[0] != "Z")
}

/// When a process was started, since the machine's boot; none of one that is gone.
fn started_ticks(process: i32) -> Option<u64> {
    // The twenty-second field.
    told(process)?[22 - 3].parse().ok()
}

/// What the kernel tells of a process behind its name: the fields of `/proc/PID/stat` from the
/// third on, which is its state.
fn told(process: i32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, told) = stat.rsplit_once(')')?;
    Some(told.split_whitespace().map(str::to_owned).collect())
}
