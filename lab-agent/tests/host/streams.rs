//! Streams both ways over one connection, answers, drawn streams, and a replay of
//! what a session's own capture shows.
// SPDX-License-Identifier: Apache-2.0
use std::process::Command;

use lab_proto::distribution::Kind as Number;
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    Distribution, DrawnStream, Flow, ReplayMessage, ReplayStream, SessionResult, SessionSpec,
    UniformDistribution,
};
use tonic::Code;

use crate::agent::{Agent, Finished, lane, spec, thin};

fn uniform(lowest: f64, highest: f64) -> Distribution {
    Distribution {
        kind: Some(Number::Uniform(UniformDistribution { lowest, highest })),
    }
}

/// 20 to 200 bytes, 30 to 200 ms apart.
fn drawn(lasts_us: u64) -> Stream {
    Stream::Drawn(DrawnStream {
        payload_bytes: Some(uniform(20.0, 200.0)),
        gap_us: Some(uniform(30_000.0, 200_000.0)),
        lasts_us,
        ..DrawnStream::default()
    })
}

fn back(stream: Stream, answers: bool) -> Flow {
    Flow {
        backward: true,
        same_connection: true,
        answers,
        ..stream.into()
    }
}

fn both_ways(loss_share: f64, there: Stream, back: Flow) -> SessionSpec {
    let mut spec = spec(lane(loss_share, &[]), there);
    spec.lanes[0].flows.push(back);
    spec
}

fn messages(result: &SessionResult) -> u64 {
    result.felt.as_ref().unwrap().messages
}

/// Packets without payload that the receiver sent, of the lane's self-check: what
/// came back less what carried something.
fn bare_packets_back(there: &Finished, back: Option<&Finished>) -> u64 {
    let check = there.result.check.unwrap();
    let data = back.map_or(0, |one| one.result.metrics.as_ref().unwrap().packets);
    check.backward.unwrap().sent_packets - data
}

#[tokio::test]
async fn two_streams_share_a_connection() {
    let agent = Agent::start("virtual");
    let request = both_ways(0.05, thin(200), back(thin(150), false));
    let all = agent.run_all(request.clone()).await.unwrap();
    let (there, back) = (&all[&(0, 0)], &all[&(0, 1)]);
    assert_eq!(
        (messages(&there.result), messages(&back.result)),
        (200, 150)
    );
    assert_eq!(
        (there.result.changed_bytes, back.result.changed_bytes),
        (0, 0)
    );
    let again = agent.run_all(request).await.unwrap();
    assert!(again[&(0, 0)].sender == there.sender, "the captures differ");
}

/// Alone, each message is acknowledged by a packet of its own.
#[tokio::test]
async fn an_acknowledgement_travels_with_the_answer() {
    let agent = Agent::start("virtual");
    let one_way = agent.run(spec(lane(0.0, &[]), thin(200))).await.unwrap();
    let answer = DrawnStream {
        payload_bytes: Some(uniform(40.0, 60.0)),
        gap_us: Some(uniform(0.0, 1000.0)),
        ..DrawnStream::default()
    };
    let request = both_ways(0.0, thin(200), back(Stream::Drawn(answer), true));
    let all = agent.run_all(request).await.unwrap();
    let alone = bare_packets_back(&one_way, None);
    let answered = bare_packets_back(&all[&(0, 0)], Some(&all[&(0, 1)]));
    assert!(alone >= 200, "{alone}");
    assert!(answered < alone / 2, "{answered} of {alone}");
}

#[tokio::test]
async fn answers_leave_after_what_they_answer_was_read() {
    let agent = Agent::start("virtual");
    let answer = DrawnStream {
        payload_bytes: Some(uniform(40.0, 60.0)),
        gap_us: Some(uniform(1000.0, 3000.0)),
        ..DrawnStream::default()
    };
    let request = both_ways(
        0.02,
        drawn(20_000_000),
        back(Stream::Drawn(answer.clone()), true),
    );
    let all = agent.run_all(request).await.unwrap();
    let (there, echo) = (&all[&(0, 0)].result, &all[&(0, 1)].result);
    assert!(messages(there) > 100);
    assert_eq!(messages(there), messages(echo));
    // The last answer comes a round trip after the last question.
    assert!(echo.stream_ns > there.stream_ns);

    let mut ending = answer.clone();
    ending.messages = 5;
    let refused = both_ways(0.0, thin(5), back(Stream::Drawn(ending), true));
    let status = agent.run_all(refused).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let said = status.message();
    assert!(
        said.starts_with("lanes[0].flows[1].answers end with"),
        "{said}"
    );
    let paced = both_ways(0.0, thin(5), back(thin(5), true));
    let status = agent.run_all(paced).await.unwrap_err();
    assert!(status.message().contains("drawn"), "{status:?}");
}

/// What was drawn is what the capture shows, and what a replay of that sends.
#[tokio::test]
async fn a_sessions_capture_can_be_sent_again() {
    let agent = Agent::start("virtual");
    let request = both_ways(0.03, drawn(10_000_000), back(drawn(10_000_000), false));
    let all = agent.run_all(request).await.unwrap();
    let file = agent.folder().join("sender.pcapng");
    std::fs::write(&file, &all[&(0, 0)].sender).unwrap();
    let told = stream_of(&file);
    let connections = told["connections"].as_array().unwrap();
    assert_eq!(connections.len(), 1);
    let replay = |way: &str| {
        let writes = connections[0][way].as_array().unwrap().iter();
        let messages = writes.map(|write| ReplayMessage {
            at_ns: write["at_ns"].as_u64().unwrap(),
            payload_bytes: write["bytes"].as_u64().unwrap() as u32,
            ..ReplayMessage::default()
        });
        Stream::Replay(ReplayStream {
            messages: messages.collect(),
            ..ReplayStream::default()
        })
    };
    let request = both_ways(0.0, replay("there"), back(replay("back"), false));
    let sent = agent.run_all(request).await.unwrap();
    let bytes = |finished: &Finished| finished.result.metrics.as_ref().unwrap().unique_bytes;
    for place in [(0, 0), (0, 1)] {
        assert_eq!(bytes(&sent[&place]), bytes(&all[&place]), "{place:?}");
        assert!(messages(&sent[&place].result) > 50);
    }
    // Over a path that loses nothing, what is sent again is what was written.
    std::fs::write(&file, &sent[&(0, 0)].sender).unwrap();
    assert_eq!(sizes(&stream_of(&file), "there"), sizes(&told, "there"));
}

fn sizes(told: &serde_json::Value, way: &str) -> Vec<u64> {
    let writes = told["connections"][0][way].as_array().unwrap().iter();
    writes
        .map(|write| write["bytes"].as_u64().unwrap())
        .collect()
}

fn stream_of(file: &std::path::Path) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
    let output = command.args(["stream", "of"]).arg(file).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_file_that_is_no_capture_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("text", &b"no capture at all, but text"[..]),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
        let output = command.args(["stream", "of"]).arg(&file).output().unwrap();
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(name), "{said}");
        assert!(output.stdout.is_empty());
    }
}
