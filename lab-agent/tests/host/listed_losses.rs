//! Losses by a list: the very packets that it names, whatever the sender does.
// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use lab_proto::path::Loss;
use lab_proto::{LaneChange, LaneSpec, ListedLoss, Mechanism, Path};

use crate::agent::{Agent, Finished, changing, lane, same, spec, thin};
use crate::frames::{Frame, frames};

const LOST: [u32; 5] = [1, 7, 8, 9, 30];

fn losing(packets: &[u32], mechanisms: &[Mechanism]) -> LaneSpec {
    let mut lane = lane(0.0, mechanisms);
    lane.forward.as_mut().unwrap().loss = Some(Loss::Listed(ListedLoss {
        packets: packets.to_vec(),
    }));
    lane
}

/// From the beginning of the stream on: a list that is set earlier counts the handshake, too.
fn from_the_beginning(lane: LaneSpec) -> LaneChange {
    LaneChange {
        at_ns: 0,
        spec: Some(lane),
    }
}

/// The numbers of the packets with data that did not arrive; the first is 1.
fn missing(finished: &Finished) -> Vec<u32> {
    let came: HashSet<_> = frames(&finished.receiver)
        .iter()
        .filter(|frame| !frame.left)
        .map(Frame::key)
        .collect();
    let sent = frames(&finished.sender);
    let sent = sent.iter().filter(|frame| frame.left && frame.has_data());
    (1..)
        .zip(sent)
        .filter(|(_, frame)| !came.contains(&frame.key()))
        .map(|(number, _)| number)
        .collect()
}

#[tokio::test]
async fn the_listed_packets_are_lost_and_no_other() {
    let agent = Agent::start("virtual");
    for mechanisms in [&[][..], &[Mechanism::Bundling]] {
        let losing = from_the_beginning(losing(&LOST, mechanisms));
        let request = changing(lane(0.0, mechanisms), thin(60), vec![losing]);
        let finished = agent.run(request.clone()).await.unwrap();
        assert_eq!(missing(&finished), LOST, "{mechanisms:?}");
        let check = finished.result.check.unwrap().forward.unwrap();
        assert_eq!(check.dropped_packets, LOST.len() as u64);
        same(finished, agent.run(request).await.unwrap());
    }
}

/// Each message is a packet of its own here: an ordinary sender has merged none.
#[tokio::test]
async fn a_change_with_the_same_list_goes_on_counting() {
    let agent = Agent::start("virtual");
    let mut later = losing(&LOST, &[]);
    later.forward = later.forward.map(|path| Path {
        delay_us: path.delay_us + 5_000,
        ..path
    });
    let change = LaneChange {
        at_ns: 700_000_000,
        spec: Some(later),
    };
    let first = from_the_beginning(losing(&LOST, &[]));
    let request = changing(lane(0.0, &[]), thin(60), vec![first, change]);
    assert_eq!(missing(&agent.run(request).await.unwrap()), LOST);
    // Another one begins anew.
    let change = LaneChange {
        at_ns: 700_000_000,
        spec: Some(losing(&[1], &[])),
    };
    let first = from_the_beginning(losing(&[2], &[]));
    let request = changing(lane(0.0, &[]), thin(60), vec![first, change]);
    let lost = missing(&agent.run(request).await.unwrap());
    assert!(lost.len() == 2 && lost[0] == 2 && lost[1] > 4, "{lost:?}");
}

#[tokio::test]
async fn the_longest_list_is_taken_and_a_longer_one_refused() {
    let agent = Agent::start("virtual");
    let numbers: Vec<_> = (1..=16_001).map(|number| 2 * number).collect();
    let longest = from_the_beginning(losing(&numbers[..16_000], &[]));
    let request = changing(lane(0.0, &[]), thin(5), vec![longest]);
    let finished = agent.run(request).await.unwrap();
    // Every second one, until a message has come through.
    let lost = missing(&finished);
    assert!(!lost.is_empty());
    assert!(lost.iter().all(|number| number % 2 == 0), "{lost:?}");
    for wrong in [&numbers[..], &[], &[0, 1], &[2, 2], &[3, 2]] {
        let refused = agent.run(spec(losing(wrong, &[]), thin(5))).await;
        let said = refused.unwrap_err().to_string();
        assert!(said.contains("lane.forward.listed.packets"), "{said}");
    }
}
