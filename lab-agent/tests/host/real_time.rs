//! The host in real time: lanes that stay open, and sessions that last as long
//! as their stream.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::session_event::Event;
use lab_proto::session_spec::Stream;
use lab_proto::{
    ChangeLaneRequest, Clock, CloseLaneRequest, DescribeRequest, ListLanesRequest, Mechanism,
    SyntheticStream,
};
use tonic::Code;

use crate::agent::{Agent, DELAY_US, eventually, lane, spec};

#[tokio::test]
async fn guests_for_demos_are_beside_those_for_studies() {
    let agent = Agent::start_with(&["--clock", "real", "--demos", "1"]);
    let mut client = agent.client().await;
    let host = client.describe(DescribeRequest {}).await.unwrap();
    let host = host.into_inner();
    assert_eq!((host.guests, host.demo_guests), (1, 1));
    assert_eq!(agent.guests().len(), 2);
    for _ in 0..3 {
        let opened = client.open_lane(lane(0.0, &[])).await.unwrap();
        let id = opened.into_inner().id;
        assert!(id.starts_with("guest-0."), "{id} is in a demo's guest");
    }
}

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
async fn a_killed_guest_is_replaced_and_its_calls_are_aborted() {
    let agent = Agent::start_with(&["--clock", "real", "--hosts", "2"]);
    let mut client = agent.client().await;
    let host = client.describe(DescribeRequest {}).await.unwrap();
    assert_eq!(host.into_inner().guests, 2);
    let before = agent.guests();
    assert_eq!(before.len(), 2);
    // The second lane goes to the guest that has none.
    let first = client.open_lane(lane(0.0, &[])).await.unwrap().into_inner();
    let second = client.open_lane(lane(0.0, &[])).await.unwrap().into_inner();
    let guest_of = |id: &str| id.split_once('.').unwrap().0.to_owned();
    assert_ne!(guest_of(&first.id), guest_of(&second.id));

    let long = Stream::Synthetic(SyntheticStream {
        payload_bytes: 120,
        iat_us: 1_000_000,
        messages: 3600,
        ..SyntheticStream::default()
    });
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let request = spec(lane(0.0, &[]), long.clone());
        let mut events = client.run_session(request).await.unwrap().into_inner();
        while let Some(event) = events.message().await.unwrap() {
            if matches!(event.event, Some(Event::Progress(progress)) if progress.stage == "send") {
                break;
            }
        }
        sessions.push(events);
    }
    crate::agent::kill(before[0], libc::SIGKILL);
    crate::agent::kill(before[1], libc::SIGKILL);
    for mut events in sessions {
        let status = events.message().await.unwrap_err();
        assert_eq!(status.code(), Code::Aborted);
        assert!(status.message().starts_with("host-lost"), "{status}");
        assert!(status.message().contains("signal 9"), "{status}");
    }
    // Waits for the next guest, and names no lane of the old ones.
    let third = client.open_lane(lane(0.0, &[])).await.unwrap().into_inner();
    assert!(![first.id.clone(), second.id].contains(&third.id));
    let close = CloseLaneRequest { id: first.id };
    let status = client.close_lane(close).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    eventually("both are replaced", || {
        let guests = agent.guests();
        guests.len() == 2 && guests.iter().all(|guest| !before.contains(guest))
    })
    .await;
}

/// A guest whose process is there, but does nothing any more.
#[tokio::test]
async fn a_guest_that_hangs_is_replaced() {
    let agent = Agent::start("real");
    let mut client = agent.client().await;
    let before = agent.guests();
    crate::agent::kill(before[0], libc::SIGSTOP);
    let status = client.open_lane(lane(0.0, &[])).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert!(status.message().contains("silent"), "{status}");
    client.open_lane(lane(0.0, &[])).await.unwrap();
    assert!(!agent.guests().contains(&before[0]));
}
