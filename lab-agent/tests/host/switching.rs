//! A lane that changes while its connection runs.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    Bundling, LaneChange, LaneSpec, Mechanism, SyntheticStream, UniformLoss, path::Loss,
};

use crate::agent::{Agent, DELAY_US, changing, lane, same, spec, thin};
use crate::wire::{Segment, segments};

const IAT_MS: u64 = 34;
const MS: u64 = 1_000_000;

/// Always several messages in flight.
fn quick(messages: u32) -> Stream {
    Stream::Synthetic(SyntheticStream::even(236, IAT_MS * 1000, messages))
}

fn at(ms: u64, spec: LaneSpec) -> LaneChange {
    LaneChange {
        at_ns: ms * MS,
        spec: Some(spec),
    }
}

/// 3000 ms is not a multiple of 34: the switch falls between two messages.
#[tokio::test]
async fn bundling_begins_and_ends_with_the_next_segment() {
    let agent = Agent::start("virtual");
    let on = lane(0.0, &[Mechanism::Bundling]);
    let few = LaneSpec {
        bundling: Some(Bundling {
            max_packets: 1,
            ..Bundling::default()
        }),
        ..on.clone()
    };
    let off = lane(0.0, &[]);
    let changes = vec![at(3000, on), at(6000, few), at(9000, off.clone())];
    let request = changing(off, quick(400), changes);
    let finished = agent.run(request).await.unwrap();
    for segment in segments(&finished.sender) {
        let expected = match segment.at_ms {
            ms if ms < 3000.0 => 0,
            ms if ms < 6000.0 => 3 * 236,
            ms if ms < 9000.0 => 236,
            _ => 0,
        };
        assert_eq!(segment.old_bytes, expected, "{segment:?}");
    }
}

/// On a busy machine a message may leave late, but never before its time: what
/// is on the wire before a switch is as it was, and what was due after it is not.
#[tokio::test]
async fn bundling_is_switched_in_real_time() {
    let agent = Agent::start("real");
    let (on, off) = (lane(0.0, &[Mechanism::Bundling]), lane(0.0, &[]));
    let changes = vec![at(1000, on), at(2000, off.clone())];
    let request = changing(off, quick(90), changes);
    let finished = agent.run(request).await.unwrap();
    let first_after = (2000 / IAT_MS + 1) as u32 * 236;
    let segments = segments(&finished.sender);
    let (between, outside): (Vec<Segment>, Vec<Segment>) = segments
        .iter()
        .partition(|segment| segment.at_ms >= 1000.0 && segment.end <= first_after);
    assert!(between.iter().any(Segment::is_bundle), "{segments:?}");
    assert!(!outside.iter().any(Segment::is_bundle), "{segments:?}");
}

/// Through a path that lets nothing pass, one message is sent again and again.
/// Each wait is twice the one before, and from the switch on the first one.
#[tokio::test]
async fn back_off_ends_with_the_next_timeout() {
    let agent = Agent::start("virtual");
    let open = lane(0.0, &[]);
    let mut closed = open.clone();
    closed.forward.as_mut().unwrap().loss = Some(Loss::Uniform(UniformLoss { loss_share: 1.0 }));
    let linear = LaneSpec {
        mechanisms: vec![Mechanism::LinearTimeouts as i32],
        ..closed.clone()
    };
    let changes = vec![at(2700, closed), at(6000, linear), at(20_000, open.clone())];
    // The last message leaves at 2800 ms, 100 ms into the silence.
    let stream = Stream::Synthetic(SyntheticStream::even(120, 140_000, 21));
    let finished = agent.run(changing(open, stream, changes)).await.unwrap();
    let segments = segments(&finished.sender);
    let sent = segments.iter().skip(20).map(|segment| segment.at_ms);
    let sent: Vec<f64> = sent.collect();
    let waits: Vec<f64> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // The first wait began with the message before, nearly.
    let timeout = waits[1] / 2.0;
    let factors = [1.0, 2.0, 4.0, 8.0, 1.0, 1.0, 1.0];
    for (wait, factor) in waits.iter().zip(factors) {
        assert!((wait - timeout * factor).abs() < 5.0, "{waits:?}");
    }
    // The fourth transmission came before the switch, the timeout after it later.
    assert!(sent[3] < 6000.0 && 6000.0 < sent[4], "{sent:?}");
    // The kernel makes six timeouts linear, those before the switch counted.
    assert_eq!(finished.result.tcp_info.unwrap().thin_linear_timeouts(), 3);
}

#[tokio::test]
async fn a_path_changes_under_a_running_connection() {
    let agent = Agent::start("virtual");
    let near = lane(0.0, &[Mechanism::Bundling]);
    let mut far = near.clone();
    far.forward.as_mut().unwrap().delay_us = 2 * DELAY_US;
    let changes = vec![at(5000, far), at(10_000, near.clone())];
    let finished = agent.run(changing(near, thin(107), changes)).await.unwrap();
    let transport = finished.result.metrics.unwrap().transport.unwrap();
    let per_message = transport.per_message.unwrap();
    // 36 of 107 messages left within the five seconds in the middle.
    let close = |us: f64, expected_us: u64| (us - expected_us as f64).abs() < 3.0;
    assert!(close(per_message.min_us, DELAY_US), "{per_message:?}");
    assert!(close(per_message.p50_us, DELAY_US), "{per_message:?}");
    assert!(close(per_message.p90_us, 2 * DELAY_US), "{per_message:?}");
    assert!(close(per_message.max_us, 2 * DELAY_US), "{per_message:?}");
}

#[tokio::test]
async fn a_mechanism_switched_there_and_back_leaves_no_trace() {
    let agent = Agent::start("virtual");
    let plain = lane(0.05, &[]);
    let all = LaneSpec {
        bundling: Some(Bundling {
            max_bytes: 300,
            ..Bundling::default()
        }),
        ..lane(0.05, &Mechanism::PAPERS)
    };
    let changes = vec![at(0, all), at(0, plain.clone())];
    let switched = changing(plain.clone(), thin(500), changes);
    let (one, other) =
        tokio::try_join!(agent.run(spec(plain, thin(500))), agent.run(switched)).unwrap();
    same(one, other);
}

/// Told the same again, the lane loses the same packets. Stamps may move by the
/// 256 ns in which a guest's clock counts: the change wakes it once more.
#[tokio::test]
async fn a_change_to_the_same_state_is_none() {
    let agent = Agent::start("virtual");
    let lane = lane(0.05, &[Mechanism::Bundling]);
    let changed = changing(lane.clone(), thin(500), vec![at(20_000, lane.clone())]);
    let (one, other) =
        tokio::try_join!(agent.run(spec(lane, thin(500))), agent.run(changed)).unwrap();
    let (one, other) = (segments(&one.sender), segments(&other.sender));
    assert!(one.iter().any(Segment::is_retransmission));
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!((one.start, one.end), (other.start, other.end));
        assert!((one.at_ms - other.at_ms).abs() < 0.001, "{one:?} {other:?}");
    }
}

#[tokio::test]
async fn the_same_changes_give_the_same_bytes() {
    let agent = Agent::start("virtual");
    let (off, on) = (lane(0.05, &[]), lane(0.05, &[Mechanism::Bundling]));
    let mut elsewhere = on.clone();
    elsewhere.seed += 1;
    let changes = vec![at(3000, on), at(6000, elsewhere), at(9000, off.clone())];
    let request = || agent.run(changing(off.clone(), quick(400), changes.clone()));
    let (once, again) = tokio::try_join!(request(), request()).unwrap();
    assert!(once.result.copies.unwrap().bundle_packets > 0);
    same(once, again);
}
