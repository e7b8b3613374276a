//! The host in real time: its guests, and sessions that last as long as their
//! stream.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{Clock, DescribeRequest, SessionEvent, SyntheticStream};
use tonic::{Code, Streaming};

use crate::agent::{Agent, DELAY_US, endless, eventually, kill, lane, spec, thin};

#[tokio::test]
async fn guests_for_demos_are_beside_those_for_studies() {
    let agent = Agent::start_with(&["--clock", "real", "--demos", "1"]);
    let mut client = agent.client().await;
    let host = client.describe(DescribeRequest {}).await.unwrap();
    let host = host.into_inner();
    assert_eq!(host.clock(), Clock::RealTime);
    assert_eq!((host.guests, host.demo_guests), (1, 1));
    assert_eq!(agent.guests().len(), 2);
    let mut sessions = Vec::new();
    for _ in 0..3 {
        sessions.push(agent.sending(spec(lane(0.0, &[]), endless())).await);
    }
    // The studies' guest is booted first.
    kill(agent.guests()[0], libc::SIGKILL);
    for events in sessions {
        assert_eq!(lost_guest(events).await, "guest-0");
    }
}

/// The guest with which a session was lost.
async fn lost_guest(mut events: Streaming<SessionEvent>) -> String {
    let status = events.message().await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert!(status.message().contains("signal 9"), "{status}");
    let rest = status.message().strip_prefix("host-lost: ").unwrap();
    rest.split_once(' ').unwrap().0.to_owned()
}

/// On a busy machine a packet may come late, but none comes early; and what the
/// emulator added is in the host's own record.
#[tokio::test]
async fn a_session_takes_the_lanes_delay() {
    let agent = Agent::start("real");
    let stream = Stream::Synthetic(SyntheticStream::even(120, 20_000, 100));
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
    // The second session goes to the guest that has none.
    let mut sessions = Vec::new();
    for _ in 0..2 {
        sessions.push(agent.sending(spec(lane(0.0, &[]), endless())).await);
    }
    kill(before[0], libc::SIGKILL);
    kill(before[1], libc::SIGKILL);
    let mut lost = Vec::new();
    for events in sessions {
        lost.push(lost_guest(events).await);
    }
    assert_ne!(lost[0], lost[1]);
    // Waits for the next guest.
    agent.run(spec(lane(0.0, &[]), thin(1))).await.unwrap();
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
    let before = agent.guests();
    kill(before[0], libc::SIGSTOP);
    let short = || spec(lane(0.0, &[]), thin(1));
    let status = agent.run(short()).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert!(status.message().contains("silent"), "{status}");
    agent.run(short()).await.unwrap();
    assert!(!agent.guests().contains(&before[0]));
}
