//! Requests that cannot be carried out: the code and the field are named, and
//! no guest is started for them.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    AudioStream, Baseline, BulkStream, Bundling, Flow, LaneChange, MicrophoneStream, ReplayMessage,
    ReplayStream, SessionLane, SessionSpec, SyntheticStream,
};
use tonic::Code;

use crate::agent::{Agent, audio, changing, lane, spec, thin};

fn replay(messages: Vec<ReplayMessage>) -> Stream {
    Stream::Replay(ReplayStream {
        messages,
        ..ReplayStream::default()
    })
}

fn message(at_ns: u64, payload: &[u8]) -> ReplayMessage {
    ReplayMessage {
        at_ns,
        payload: payload.to_vec(),
        ..ReplayMessage::default()
    }
}

#[tokio::test]
async fn a_wrong_field_is_named() {
    let agent = Agent::start("virtual");
    let good = || lane(0.0, &[]);
    let cases: Vec<(&str, SessionSpec)> = vec![
        (
            "lanes[0].lane is not set",
            SessionSpec {
                lanes: vec![SessionLane::default()],
                ..SessionSpec::default()
            },
        ),
        (
            "lanes[0].flows[0].stream is not set",
            SessionSpec {
                lanes: vec![SessionLane {
                    lane: Some(good()),
                    flows: vec![Flow::default()],
                    ..SessionLane::default()
                }],
                ..SessionSpec::default()
            },
        ),
        (
            "lanes[0].lane.forward.uniform.loss_share",
            spec(lane(1.5, &[]), thin(1)),
        ),
        ("lanes[0].lane.baseline", {
            let mut lane = good();
            lane.baseline = Baseline::Unspecified as i32;
            spec(lane, thin(1))
        }),
        ("lanes[0].lane.backward is not set", {
            let mut lane = good();
            lane.backward = None;
            spec(lane, thin(1))
        }),
        ("lanes[0].flows[0].begins_ns", {
            let flow = Flow {
                begins_ns: u64::MAX,
                ..Flow::from(thin(1))
            };
            let mut late = spec(good(), thin(1));
            late.lanes[0].flows = vec![flow];
            late
        }),
        (
            "lanes[0].flows[0].synthetic.messages",
            spec(good(), thin(0)),
        ),
        (
            "lanes[0].flows[0].synthetic.payload_bytes",
            spec(good(), Stream::Synthetic(SyntheticStream::default())),
        ),
        ("lanes[0].flows[0].audio.source_s16le_48k_mono", {
            let audio = AudioStream {
                source_s16le_48k_mono: vec![0; 3],
                ..AudioStream::default()
            };
            spec(good(), Stream::Audio(audio))
        }),
        ("lanes[0].flows[0].audio.start_sample", {
            let audio = AudioStream {
                source_s16le_48k_mono: vec![0; 4],
                start_sample: 1,
                ..AudioStream::default()
            };
            spec(good(), Stream::Audio(audio))
        }),
        (
            "lanes[0].flows[0].microphone goes on without end",
            spec(good(), Stream::Microphone(MicrophoneStream::default())),
        ),
        (
            "lanes[0].flows[0].audio.source_s16le_48k_mono",
            spec(good(), audio(0)),
        ),
        (
            "lanes[0].flows[0].replay has no messages",
            spec(good(), replay(vec![])),
        ),
        (
            "lanes[0].flows[0].replay.messages[0].payload",
            spec(good(), replay(vec![message(0, b"")])),
        ),
        (
            "lanes[0].flows[0].replay.messages[1].at_ns",
            spec(good(), replay(vec![message(5, b"a"), message(4, b"b")])),
        ),
        (
            "lanes[0].flows[0].bulk.bytes",
            spec(good(), Stream::Bulk(BulkStream { bytes: 1 << 40 })),
        ),
    ];
    refuses(&agent, cases).await;
}

#[tokio::test]
async fn a_wrong_setting_or_change_is_named() {
    let agent = Agent::start("virtual");
    let good = || lane(0.0, &[]);
    let change = |at_ns, spec| LaneChange {
        at_ns,
        spec: Some(spec),
    };
    let changing = |changes| changing(good(), thin(1), changes);
    let cases = vec![
        ("lanes[0].lane.bundling", {
            let mut lane = good();
            lane.bundling = Some(Bundling::default());
            spec(lane, thin(1))
        }),
        (
            "lanes[0].changes[0].spec is not set",
            changing(vec![LaneChange {
                at_ns: 0,
                spec: None,
            }]),
        ),
        (
            "lanes[0].changes[0].spec: lane.forward.uniform.loss_share",
            { changing(vec![change(0, lane(2.0, &[]))]) },
        ),
        ("lanes[0].changes[0].spec.baseline", {
            let mut lane = good();
            lane.baseline = Baseline::Bbr as i32;
            changing(vec![change(0, lane)])
        }),
        (
            "lanes[0].changes[1].at_ns",
            changing(vec![change(5, good()), change(4, good())]),
        ),
        // Known only when the stream is through.
        (
            "lanes[0].changes[0].at_ns is after the stream",
            changing(vec![change(3_600_000_000_000, good())]),
        ),
    ];
    refuses(&agent, cases).await;
}

/// Each request's refusal begins with the field that is wrong.
async fn refuses(agent: &Agent, cases: Vec<(&str, SessionSpec)>) {
    for (field, request) in cases {
        let status = agent.run(request).await.unwrap_err();
        assert_eq!(
            status.code(),
            Code::InvalidArgument,
            "{field}: {}",
            status.message()
        );
        assert!(
            status.message().starts_with(field),
            "{field}: {}",
            status.message()
        );
    }
}

/// A path on which nothing gets through ends with an error, not with a hang.
#[tokio::test]
async fn a_path_that_loses_everything_is_an_error() {
    let agent = Agent::start("virtual");
    let status = agent.run(spec(lane(1.0, &[]), thin(1))).await.unwrap_err();
    assert_eq!(status.code(), Code::DataLoss);
    assert!(status.message().contains("loss"), "{}", status.message());
}
