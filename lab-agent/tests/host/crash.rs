//! What is left when something ends that should not: nothing, and an error that
//! says so.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::SessionEvent;
use tonic::{Code, Streaming};

use crate::agent::{Agent, alive, eventually, kill, lane, spec, thin};

/// Long enough that it is still running when the test has found its guest.
const LONG: u32 = 250_000;

fn sessions_in(agent: &Agent) -> usize {
    let rooms = std::fs::read_dir(agent.folder()).unwrap().flatten();
    rooms
        .filter_map(|room| std::fs::read_dir(room.path()).ok())
        .flat_map(Iterator::flatten)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("session"))
        .count()
}

/// A long session whose guest runs.
async fn under_way(agent: &Agent) -> Streaming<SessionEvent> {
    let long = spec(lane(0.0, &[]), thin(LONG));
    let events = agent.client().await.run_session(long).await.unwrap();
    eventually("a guest runs", || !agent.guests().is_empty()).await;
    events.into_inner()
}

#[tokio::test]
async fn a_killed_guest_is_an_error_and_the_agent_goes_on() {
    let agent = Agent::start("virtual");
    let (finished, ()) = tokio::join!(agent.run(spec(lane(0.0, &[]), thin(LONG))), async {
        eventually("a guest runs", || !agent.guests().is_empty()).await;
        kill(agent.guests()[0], libc::SIGKILL);
    });
    let status = finished.unwrap_err();
    assert_eq!(status.code(), Code::Internal);
    assert!(
        status.message().contains("signal 9"),
        "{}",
        status.message()
    );
    assert!(status.message().contains("console"), "{}", status.message());
    eventually("its folder is gone", || sessions_in(&agent) == 0).await;
    assert!(agent.guests().is_empty());
    let next = agent.run(spec(lane(0.0, &[]), thin(10))).await.unwrap();
    assert_eq!(next.result.felt.unwrap().messages, 10);
}

#[tokio::test]
async fn a_caller_that_goes_away_ends_its_guest() {
    let agent = Agent::start("virtual");
    drop(under_way(&agent).await);
    eventually("the guest is gone", || agent.guests().is_empty()).await;
    eventually("its folder is gone", || sessions_in(&agent) == 0).await;
}

/// An agent that was ended while a session ran, and its guest with it.
async fn ended_under_way(end: impl FnOnce(&mut Agent)) -> Agent {
    let mut agent = Agent::start("virtual");
    let _events = under_way(&agent).await;
    let guests = agent.guests();
    end(&mut agent);
    eventually("the guest is gone", || {
        guests.iter().all(|&guest| !alive(guest))
    })
    .await;
    agent
}

#[tokio::test]
async fn an_interrupted_agent_leaves_nothing() {
    let agent = ended_under_way(Agent::interrupt).await;
    assert_eq!(std::fs::read_dir(agent.folder()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_killed_agent_takes_its_guest_along_and_the_next_one_sweeps() {
    let agent = ended_under_way(Agent::kill).await;
    let mut entries = std::fs::read_dir(agent.folder()).unwrap();
    let left = entries.next().expect("it could not sweep");
    let left = left.unwrap().file_name();
    assert!(entries.next().is_none());
    // The same thread gives the next agent the same folder.
    let next = Agent::start("virtual");
    assert_eq!(next.folder(), agent.folder());
    let rooms: Vec<_> = std::fs::read_dir(next.folder())
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(rooms.len(), 1);
    assert_ne!(rooms[0].file_name(), left);
}
