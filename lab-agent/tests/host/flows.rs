//! Many flows in one session: over one lane, both ways, and over lanes that share
//! a bottleneck.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use lab_proto::stream::Kind as Stream;
use lab_proto::{BulkStream, DirectionCheck, Flow, LaneSpec, Mechanism, Path, SessionLane};

use crate::agent::{Agent, Finished, lane, spec, thin};

const RATE_BIT_PER_S: u64 = 4_000_000;
const BULK_BYTES: u64 = 500_000;
/// Ethernet, IP and TCP headers with timestamps, of a full segment.
const PAYLOAD_SHARE: f64 = 1448.0 / 1514.0;

fn bulk() -> Flow {
    Stream::Bulk(BulkStream { bytes: BULK_BYTES }).into()
}

/// A path that two bulk flows fill: 40 ms RTT, a queue of 50 packets.
fn narrow(mechanisms: &[Mechanism]) -> LaneSpec {
    let path = Path {
        delay_us: 20_000,
        rate_bit_per_s: RATE_BIT_PER_S,
        queue_packets: 50,
        ..Path::default()
    };
    LaneSpec {
        forward: Some(path.clone()),
        backward: Some(path),
        ..lane(0.0, mechanisms)
    }
}

/// A lane with hosts of its own and the path of another.
fn beside(flows: Vec<Flow>) -> SessionLane {
    let whole = lane(0.0, &[]);
    SessionLane {
        lane: Some(LaneSpec {
            forward: None,
            backward: None,
            seed: 0,
            ..whole
        }),
        flows,
        ..SessionLane::default()
    }
}

fn forward_check(finished: &Finished) -> DirectionCheck {
    finished.result.check.unwrap().forward.unwrap()
}

fn bit_per_s(finished: &Finished, bytes: u64) -> f64 {
    bytes as f64 * 8e9 / finished.result.stream_ns as f64
}

/// How long a message took, at the 99th percentile.
fn latency_p99_ms(finished: &Finished) -> f64 {
    finished.latency().p99_us / 1000.0
}

#[tokio::test]
async fn flows_go_both_ways_over_one_lane_and_are_told_apart() {
    let agent = Agent::start("virtual");
    let mut request = spec(lane(0.05, &[Mechanism::Bundling]), thin(200));
    let flows = &mut request.lanes[0].flows;
    flows.push(Flow {
        begins_ns: 3_000_000,
        ..Flow::from(thin(150))
    });
    flows.push(Flow {
        backward: true,
        ..Flow::from(thin(100))
    });
    let all = agent.run_all(request).await.unwrap();
    let places: Vec<_> = all.keys().copied().collect();
    assert_eq!(places, [(0, 0), (0, 1), (0, 2)]);
    for (finished, messages) in all.values().zip([200, 150, 100]) {
        let result = &finished.result;
        assert_eq!(result.felt.as_ref().unwrap().messages, messages);
        assert_eq!(result.changed_bytes, 0);
        let metrics = result.metrics.as_ref().unwrap();
        assert!(metrics.packets >= messages, "{metrics:?}");
    }
    // The counters and the check are the lane's.
    let first = &all[&(0, 0)].result;
    for finished in all.values() {
        assert_eq!(finished.result.check, first.check);
        assert_eq!(finished.result.counters, first.counters);
    }
}

/// The competitors get what the link has, no more, and its check is one for all.
#[tokio::test]
async fn lanes_share_a_bottleneck() {
    let agent = Agent::start("virtual");
    let alone = agent.run(spec(narrow(&[]), thin(100))).await.unwrap();

    let mut request = spec(narrow(&[Mechanism::Bundling]), thin(100));
    request.shared_bottleneck = true;
    request.lanes.push(beside(vec![bulk(), bulk()]));
    let all = agent.run_all(request.clone()).await.unwrap();
    let bulks = [&all[&(1, 0)], &all[&(1, 1)]];
    let goodput: f64 = bulks.iter().map(|one| bit_per_s(one, BULK_BYTES)).sum();
    let link = RATE_BIT_PER_S as f64 * PAYLOAD_SHARE;
    assert!(goodput < 2.0 * link, "{goodput}");
    let slowest = bulks.iter().map(|one| one.result.stream_ns).max().unwrap();
    let together = 2.0 * BULK_BYTES as f64 * 8e9 / slowest as f64;
    assert!(
        (0.5 * link..link).contains(&together),
        "{together} of {link}"
    );

    // The thin stream waits in the queue that the others fill.
    let beside = &all[&(0, 0)];
    let (quiet, loaded) = (latency_p99_ms(&alone), latency_p99_ms(beside));
    assert!(
        loaded > quiet + 20.0,
        "{quiet} ms alone, {loaded} ms beside others"
    );

    let check = forward_check(beside);
    assert!(check.dropped_packets > 0, "{check:?}");
    for finished in all.values() {
        assert_eq!(forward_check(finished), check);
    }
    // Each lane has counters of its own: the mechanism is on in one of them.
    let bundles = |finished: &Finished| {
        let counters = finished.result.counters.iter();
        counters.filter(|one| one.name.contains("RDB")).count()
    };
    assert!(bundles(beside) > 0);
    assert_eq!(bundles(&all[&(1, 0)]), 0);

    let again = agent.run_all(request).await.unwrap();
    same_captures(&all, &again);
}

/// Each flow has sockets of its own, and is read by itself to its end.
#[tokio::test]
async fn as_many_flows_as_a_session_takes_are_all_read() {
    let agent = Agent::start("virtual");
    let mut request = spec(lane(0.02, &[]), thin(1));
    request.lanes[0].flows = (0..512)
        .map(|number| Flow {
            begins_ns: number * 300_000,
            backward: number % 3 == 2,
            ..Flow::from(thin(10 + number as u32 % 7))
        })
        .collect();
    let all = agent.run_all(request).await.unwrap();
    assert_eq!(all.len(), 512);
    for ((_, number), finished) in &all {
        let messages = finished.result.felt.as_ref().unwrap().messages;
        assert_eq!(messages, u64::from(10 + number % 7), "flow {number}");
        assert_eq!(finished.result.changed_bytes, 0);
    }
}

/// Lanes that share nothing do nothing to each other.
#[tokio::test]
async fn a_lane_beside_another_is_as_it_is_alone() {
    let agent = Agent::start("virtual");
    let alone = agent.run(spec(lane(0.05, &[]), thin(200))).await.unwrap();
    let mut request = spec(lane(0.05, &[]), thin(200));
    let second = spec(lane(0.05, &[Mechanism::Bundling]), thin(200));
    request.lanes.extend(second.lanes);
    let all = agent.run_all(request).await.unwrap();
    let losses = |finished: &Finished| forward_check(finished).dropped_packets;
    assert_eq!(losses(&all[&(0, 0)]), losses(&alone));
    let copies = |finished: &Finished| finished.result.copies.unwrap().bundle_packets;
    assert_eq!(copies(&all[&(0, 0)]), 0);
    assert!(copies(&all[&(1, 0)]) > 0);
}

fn same_captures(one: &BTreeMap<(u32, u32), Finished>, other: &BTreeMap<(u32, u32), Finished>) {
    assert_eq!(one.len(), other.len());
    for (place, finished) in one {
        let again = &other[place];
        assert!(finished.sender == again.sender, "{place:?}: sender");
        assert!(finished.receiver == again.receiver, "{place:?}: receiver");
    }
}
