//! The host in real time: lanes that stay open, and sessions that last as long
//! as their stream.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::session_spec::Stream;
use lab_proto::{
    ChangeLaneRequest, Clock, CloseLaneRequest, DescribeRequest, ListLanesRequest, Mechanism,
    SyntheticStream,
};
use tonic::Code;

use crate::agent::{Agent, DELAY_US, lane, spec};

#[tokio::test]
async fn a_lane_is_opened_changed_and_closed() {
    let agent = Agent::start("real");
    let mut client = agent.client().await;
    let host = client
        .describe(DescribeRequest {})
        .await
        .unwrap()
        .into_inner();
    assert_eq!(host.clock(), Clock::RealTime);

    let first = client
        .open_lane(lane(0.01, &[]))
        .await
        .unwrap()
        .into_inner();
    let second = client.open_lane(lane(0.0, &[])).await.unwrap().into_inner();
    assert_ne!(first.id, second.id);

    let wanted = lane(0.05, &[Mechanism::LinearTimeouts, Mechanism::Bundling]);
    let request = ChangeLaneRequest {
        id: first.id.clone(),
        spec: Some(wanted.clone()),
    };
    let changed = client.change_lane(request).await.unwrap().into_inner();
    assert_eq!(changed.spec, Some(wanted));
    let lanes = client
        .list_lanes(ListLanesRequest {})
        .await
        .unwrap()
        .into_inner()
        .lanes;
    assert_eq!(lanes, [changed, second]);

    let close = CloseLaneRequest { id: first.id };
    client.close_lane(close.clone()).await.unwrap();
    let status = client.close_lane(close).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    let lanes = client
        .list_lanes(ListLanesRequest {})
        .await
        .unwrap()
        .into_inner()
        .lanes;
    assert_eq!(lanes.len(), 1);
}

#[tokio::test]
async fn wrong_lanes_are_refused_by_name() {
    let agent = Agent::start("real");
    let mut client = agent.client().await;
    let status = client.open_lane(lane(7.0, &[])).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(
        status
            .message()
            .starts_with("lane.forward.uniform.loss_share")
    );
    let nothing = ChangeLaneRequest {
        id: "lane-1".into(),
        spec: None,
    };
    let status = client.change_lane(nothing).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}

/// On a busy machine a packet may come late, but none comes early; and what the
/// emulator added is in the host's own record.
#[tokio::test]
async fn a_session_takes_the_lanes_delay() {
    let agent = Agent::start("real");
    let stream = Stream::Synthetic(SyntheticStream {
        payload_bytes: 120,
        iat_us: 20_000,
        messages: 100,
        ..SyntheticStream::default()
    });
    let finished = agent.run(spec(lane(0.0, &[]), stream)).await.unwrap();
    let transport = finished
        .result
        .metrics
        .unwrap()
        .transport
        .unwrap()
        .per_message
        .unwrap();
    assert_eq!(transport.samples, 100);
    assert!(transport.min_us >= DELAY_US as f64, "{}", transport.min_us);
    let sojourn = finished.result.felt.unwrap().sojourn.unwrap();
    assert!(sojourn.min_us >= transport.min_us);
    assert!(finished.result.stream_ns >= 99 * 20_000_000 + DELAY_US * 2000);
    let check = finished.result.check.unwrap().forward.unwrap();
    assert_eq!(check.dropped_packets, 0);
    assert_eq!(check.sent_packets, check.received_packets);
}

#[tokio::test]
async fn a_killed_guest_is_named_in_every_answer() {
    let agent = Agent::start("real");
    let mut client = agent.client().await;
    crate::agent::kill(agent.guests()[0], libc::SIGKILL);
    let status = client.list_lanes(ListLanesRequest {}).await.unwrap_err();
    assert_eq!(status.code(), Code::Internal);
    assert!(
        status.message().contains("guest is gone"),
        "{}",
        status.message()
    );
}
