//! Runs forty requests of all kinds in virtual time and prints one line each: the SHA-256 of both
//! captures, of the recording and of the result. Two builds that print the same do the same.
//!
//! `THINLAB_AGENT` names the build to ask. This program stays the same for both, so a result is
//! compared in the fields that this program knows.
// SPDX-License-Identifier: Apache-2.0
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use lab_proto::lab_client::LabClient;
use lab_proto::path::Loss;
use lab_proto::session_event::Event;
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    AudioStream, Baseline, BulkStream, Bundling, FileKind, GilbertElliottLoss, HiddenLossResponse,
    IatDistribution, LaneChange, LaneSpec, MAX_MESSAGE_BYTES, Mechanism, Path, ReplayMessage,
    ReplayStream, SessionSpec, SyntheticStream, UniformLoss,
};
use prost::Message as _;
use sha2::{Digest, Sha256};
use tonic::Status;
use tonic::transport::Channel;

const SECOND_NS: u64 = 1_000_000_000;
const MECHANISMS: [(&str, &[Mechanism]); 5] = [
    ("off", &[]),
    ("linear-timeouts", &[Mechanism::LinearTimeouts]),
    ("early-fast-retransmit", &[Mechanism::EarlyFastRetransmit]),
    ("bundling", &[Mechanism::Bundling]),
    ("all", ALL),
];
const ALL: &[Mechanism] = &[
    Mechanism::LinearTimeouts,
    Mechanism::EarlyFastRetransmit,
    Mechanism::Bundling,
];
const BASELINES: [(&str, Baseline); 3] = [
    ("newreno2008", Baseline::Newreno2008),
    ("modern", Baseline::Modern),
    ("bbr", Baseline::Bbr),
];

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let agent = Agent::start()?;
    let client = agent.client().await?;
    // The agent has as many guests at once as there are processors; the others wait there.
    let running: Vec<_> = requests()
        .into_iter()
        .map(|(name, spec)| (name, tokio::spawn(fingerprint(client.clone(), spec))))
        .collect();
    for (name, fingerprint) in running {
        match fingerprint.await? {
            Ok(line) => println!("{name} {line}"),
            Err(status) => println!("{name} {:?}: {}", status.code(), status.message()),
        }
    }
    Ok(())
}

/// An agent that ends with this program.
struct Agent {
    process: Child,
    address: String,
}

impl Agent {
    fn start() -> Result<Self, Failure> {
        let binary = std::env::var("THINLAB_AGENT").map_err(|_| "THINLAB_AGENT is not set")?;
        let mut process = Command::new(binary)
            .args(["boot", "--clock", "virtual", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()?;
        let out = process.stdout.take().ok_or("the agent has no output")?;
        let mut address = String::new();
        BufReader::new(out).read_line(&mut address)?;
        let address = format!("http://{}", address.trim());
        Ok(Self { process, address })
    }

    async fn client(&self) -> Result<LabClient<Channel>, Failure> {
        Ok(LabClient::connect(self.address.clone())
            .await?
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES))
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn fingerprint(mut client: LabClient<Channel>, spec: SessionSpec) -> Result<String, Status> {
    let [mut sender, mut receiver, mut recording] = [(); 3].map(|()| Sha256::new());
    let mut result = String::new();
    let mut events = client.run_session(spec).await?.into_inner();
    while let Some(event) = events.message().await? {
        match event.event {
            Some(Event::Result(mut told)) => {
                // The contract names it as not reproducible.
                told.wall_ns = 0;
                result = hex(Sha256::new().chain_update(told.encode_to_vec()));
            }
            Some(Event::File(chunk)) => match chunk.kind() {
                FileKind::SenderCapture => sender.update(chunk.data),
                FileKind::ReceiverCapture => receiver.update(chunk.data),
                FileKind::Recording => recording.update(chunk.data),
                // What was set, and not what came of it.
                FileKind::Settings => {}
                FileKind::MessageEnds | FileKind::Unspecified => {
                    return Err(Status::internal("a file that no session has"));
                }
            },
            Some(Event::Progress(_)) | None => {}
        }
    }
    let [sender, receiver, recording] = [sender, receiver, recording].map(hex);
    Ok(format!(
        "sender={sender} receiver={receiver} recording={recording} result={result}"
    ))
}

fn hex(hash: Sha256) -> String {
    format!("{:x}", hash.finalize())
}

// ------------------------------------------------------------------- requests

type Request = (String, SessionSpec);

fn requests() -> Vec<Request> {
    let mut all = every_mechanism_on_every_baseline();
    for (name, spec) in [paths(), bundlings(), streams(), changes(), refusals()].concat() {
        all.push((name.to_owned(), spec));
    }
    all
}

fn every_mechanism_on_every_baseline() -> Vec<Request> {
    let mut requests = Vec::new();
    for (baseline_name, baseline) in BASELINES {
        for (name, mechanisms) in MECHANISMS {
            let lane = LaneSpec {
                baseline: baseline as i32,
                ..lane(lossy(0.15), mechanisms)
            };
            requests.push((format!("{baseline_name}-{name}"), spec(lane, thin(140))));
        }
    }
    requests
}

fn paths() -> Vec<(&'static str, SessionSpec)> {
    let burst_loss = Loss::GilbertElliott(GilbertElliottLoss {
        good_to_bad_share: 0.02,
        bad_to_good_share: 0.4,
        loss_share_bad: 0.8,
        loss_share_good: 0.001,
    });
    let bursty = Path {
        loss: Some(burst_loss),
        ..clean()
    };
    let jittery = Path {
        jitter_us: 20_000,
        ..clean()
    };
    let narrow = Path {
        rate_bit_per_s: 200_000,
        queue_packets: 5,
        ..clean()
    };
    let damaging = Path {
        corrupt_share: 0.03,
        ..clean()
    };
    let far = Path {
        delay_us: 300_000,
        ..lossy(0.01)
    };
    let two_ways = LaneSpec {
        backward: Some(Path {
            delay_us: 20_000,
            rate_bit_per_s: 64_000,
            ..jittery.clone()
        }),
        ..lane(lossy(0.03), ALL)
    };
    vec![
        ("path-clean", spec(lane(clean(), ALL), thin(140))),
        ("path-bursts-off", spec(lane(bursty.clone(), &[]), thin(60))),
        ("path-bursts-all", spec(lane(bursty, ALL), thin(60))),
        ("path-jitter", spec(lane(jittery, &[]), thin(15))),
        (
            "path-rate-and-queue",
            spec(lane(narrow, ALL), bulk(150_000)),
        ),
        ("path-corruption", spec(lane(damaging, ALL), thin(50))),
        ("path-far", spec(lane(far, ALL), thin(140))),
        ("path-each-way-different", spec(two_ways, thin(90))),
    ]
}

fn bundlings() -> Vec<(&'static str, SessionSpec)> {
    let bundling = |settings: Bundling, stream: Stream| {
        let lane = LaneSpec {
            bundling: Some(settings),
            ..lane(lossy(0.05), &[Mechanism::Bundling])
        };
        spec(lane, stream)
    };
    let none = Bundling::default();
    let bytes = Bundling {
        max_bytes: 600,
        ..none
    };
    let packets = Bundling {
        max_packets: 1,
        ..none
    };
    let reducing = Bundling {
        hidden_loss_response: HiddenLossResponse::ReduceWindow as i32,
        max_packets: 2,
        ..none
    };
    let always = Bundling {
        min_iat_us: Some(0),
        ..none
    };
    let seldom = Bundling {
        min_iat_us: Some(200_000),
        ..none
    };
    vec![
        ("bundling-max-bytes", bundling(bytes, thin(30))),
        ("bundling-max-packets", bundling(packets, thin(30))),
        ("bundling-reduce-window", bundling(reducing, thin(30))),
        ("bundling-at-any-rate", bundling(always, thin(3))),
        ("bundling-seldom", bundling(seldom, thin(140))),
    ]
}

fn streams() -> Vec<(&'static str, SessionSpec)> {
    let newreno = |mechanisms| lane(lossy(0.03), mechanisms);
    let modern = LaneSpec {
        baseline: Baseline::Modern as i32,
        ..newreno(ALL)
    };
    let bbr = LaneSpec {
        baseline: Baseline::Bbr as i32,
        ..newreno(&[])
    };
    let spread = SyntheticStream {
        iat_spread_us: 40_000,
        ..synthetic(100)
    };
    let exponential = SyntheticStream {
        iat_distribution: IatDistribution::Exponential as i32,
        ..synthetic(100)
    };
    vec![
        (
            "stream-even-spread",
            spec(newreno(ALL), Stream::Synthetic(spread)),
        ),
        (
            "stream-exponential",
            spec(newreno(ALL), Stream::Synthetic(exponential)),
        ),
        ("stream-replay-bursts", spec(newreno(ALL), replay(7, 90))),
        ("stream-replay-large", spec(newreno(&[]), replay(1, 5_000))),
        ("stream-bulk-newreno2008", spec(newreno(ALL), bulk(400_000))),
        ("stream-bulk-bbr", spec(bbr, bulk(400_000))),
        ("stream-audio-off", spec(newreno(&[]), audio(8))),
        ("stream-audio-modern-all", spec(modern, audio(8))),
    ]
}

fn changes() -> Vec<(&'static str, SessionSpec)> {
    let off = || lane(lossy(0.05), &[]);
    let switched = vec![
        change(10, lane(lossy(0.05), &[Mechanism::Bundling])),
        change(20, lane(lossy(0.05), ALL)),
        change(30, off()),
    ];
    let one_way = LaneSpec {
        forward: Some(Path {
            delay_us: 120_000,
            ..lossy(0.15)
        }),
        seed: 99,
        ..off()
    };
    let changing = |changes, stream| changing(off(), stream, changes);
    let elsewhere = vec![change(2, one_way.clone()), change(5, off())];
    vec![
        ("change-mechanisms", changing(switched, thin(140))),
        ("change-path-and-seed", changing(elsewhere, audio(8))),
    ]
}

/// What cannot be carried out is told in the same words, too.
fn refusals() -> Vec<(&'static str, SessionSpec)> {
    let off = || lane(clean(), &[]);
    let never = changing(off(), thin(140), vec![change(3600, off())]);
    vec![
        ("refused-change-after-the-end", never),
        (
            "refused-path-that-loses-all",
            spec(lane(lossy(1.0), &[]), thin(140)),
        ),
    ]
}

fn spec(lane: LaneSpec, stream: Stream) -> SessionSpec {
    SessionSpec::of_one(lane, stream)
}

fn changing(lane: LaneSpec, stream: Stream, changes: Vec<LaneChange>) -> SessionSpec {
    let mut spec = spec(lane, stream);
    spec.lanes[0].changes = changes;
    spec
}

fn change(at_s: u64, spec: LaneSpec) -> LaneChange {
    LaneChange {
        at_ns: at_s * SECOND_NS,
        spec: Some(spec),
    }
}

fn lane(path: Path, mechanisms: &[Mechanism]) -> LaneSpec {
    LaneSpec {
        mechanisms: mechanisms.iter().map(|&name| name as i32).collect(),
        seed: 7,
        ..LaneSpec::both_ways(path)
    }
}

fn clean() -> Path {
    Path {
        delay_us: 65_000,
        ..Path::default()
    }
}

fn lossy(loss_share: f64) -> Path {
    Path {
        loss: Some(Loss::Uniform(UniformLoss { loss_share })),
        ..clean()
    }
}

fn synthetic(iat_ms: u64) -> SyntheticStream {
    SyntheticStream::even(120, iat_ms * 1000, 400)
}

fn thin(iat_ms: u64) -> Stream {
    Stream::Synthetic(synthetic(iat_ms))
}

fn bulk(bytes: u64) -> Stream {
    Stream::Bulk(BulkStream { bytes })
}

/// 210 messages, `burst` at a time, every 80 ms.
fn replay(burst: u64, bytes: usize) -> Stream {
    let messages = (0..210).map(|number: u64| ReplayMessage {
        at_ns: number / burst * 80_000_000,
        payload: (0..bytes)
            .map(|at| (at as u64 * 31 + number) as u8)
            .collect(),
        ..ReplayMessage::default()
    });
    Stream::Replay(ReplayStream {
        messages: messages.collect(),
        ..ReplayStream::default()
    })
}

/// A gliding voice of two overtones with pauses.
fn audio(seconds: u32) -> Stream {
    let samples = (0..seconds * 48_000).map(|index| {
        let t = f64::from(index) / 48_000.0;
        let phase = std::f64::consts::TAU * (150.0 + 30.0 * (t * 3.0).sin()) * t;
        let voice = phase.sin() + 0.5 * (2.0 * phase).sin() + 0.25 * (3.0 * phase).sin();
        let speaks = t % 2.0 < 1.6;
        if speaks { (voice * 6000.0) as i16 } else { 0 }
    });
    Stream::Audio(AudioStream {
        source_s16le_48k_mono: samples.flat_map(i16::to_le_bytes).collect(),
        ..AudioStream::default()
    })
}
