//! UDP and UDP-Lite as a lane's protocol: what is lost stays lost, and is told.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{Baseline, BulkStream, Flow, LaneSpec, Path, SyntheticStream, UdpLite};
use thinlab_trace::{Options, Protocol, analyze, read_capture};
use tonic::Code;

use crate::agent::{Agent, DELAY_US, Finished, audio, lane, spec, thin};

const BOTH: [Baseline; 2] = [Baseline::Udp, Baseline::UdpLite];
/// In front of each message.
const OFFSET_BYTES: u64 = 4;

fn over(baseline: Baseline, loss_share: f64) -> LaneSpec {
    LaneSpec {
        baseline: baseline as i32,
        ..lane(loss_share, &[])
    }
}

fn with_path(mut lane: LaneSpec, change: impl Fn(&mut Path)) -> LaneSpec {
    for path in [&mut lane.forward, &mut lane.backward] {
        change(path.as_mut().unwrap());
    }
    lane
}

fn counter(finished: &Finished, name: &str) -> u64 {
    let all = &finished.result.receiver_counters;
    let found = all.iter().find(|counter| counter.name == name);
    found.map_or(0, |counter| counter.value)
}

#[tokio::test]
async fn exactly_the_captured_losses_are_missing() {
    let agent = Agent::start("virtual");
    for (baseline, protocol, group) in [
        (Baseline::Udp, Protocol::Udp, "Udp"),
        (Baseline::UdpLite, Protocol::UdpLite, "UdpLite"),
    ] {
        let request = spec(over(baseline, 0.1), thin(400));
        let finished = agent.run(request).await.unwrap();
        let result = &finished.result;
        let check = result.check.unwrap().forward.unwrap();
        assert_eq!(check.sent_packets, 400);
        assert!(check.dropped_packets > 20, "{check:?}");
        let came = 400 - check.dropped_packets;
        assert_eq!(result.felt.as_ref().unwrap().messages, came);
        assert_eq!(counter(&finished, &format!("{group}InDatagrams")), came);
        assert_eq!(result.tcp_info, None);
        assert_eq!(result.late, None, "nothing went back");
        assert_eq!(result.changed_bytes, 0);
        let metrics = result.metrics.as_ref().unwrap();
        assert_eq!(metrics.lost_packets_forward, check.dropped_packets);
        assert_eq!(metrics.retransmitted_packets, 0);
        let per_message = metrics.delivered_bytes / came;
        assert_eq!(metrics.unique_bytes, 400 * per_message);
        // Nothing waits: each that came took the path's time.
        let latency = finished.latency();
        assert_eq!(latency.samples, came);
        assert!(latency.max_us < 66_000.0, "{latency:?}");
        // Which ones, message by message: those whose packet the other capture lacks.
        let read = |bytes: &[u8]| read_capture(bytes).unwrap();
        let (sender, receiver) = (read(&finished.sender), read(&finished.receiver));
        assert_eq!(sender.connections[0].protocol, protocol);
        let arrived: Vec<_> = receiver
            .packets
            .iter()
            .map(|it| it.ip_id.unwrap())
            .collect();
        let analysis = analyze(&sender, &receiver, &Options::default()).unwrap();
        let mut missing = 0;
        for (packet, message) in sender.packets.iter().zip(&analysis.messages) {
            let came = arrived.contains(&packet.ip_id.unwrap());
            assert_eq!(message.arrived_ns.is_some(), came);
            missing += u64::from(!came);
        }
        assert_eq!(missing, check.dropped_packets);
        let told = String::from_utf8_lossy(&finished.settings);
        assert!(told.contains("net.ipv4.udp_"), "{told}");
    }
}

#[tokio::test]
async fn the_same_request_gives_the_same_bytes() {
    let agent = Agent::start("virtual");
    for baseline in BOTH {
        let request = spec(over(baseline, 0.05), audio(2));
        agent.expect_repeats(request).await;
    }
}

#[tokio::test]
async fn copies_and_late_ones_are_read_once_and_nothing_at_all_is_a_result() {
    let agent = Agent::start("virtual");
    let shuffled = with_path(over(Baseline::Udp, 0.0), |path| {
        (path.duplicate_share, path.reorder_share) = (0.2, 0.1);
        path.jitter_us = 0;
    });
    let finished = agent.run(spec(shuffled, thin(300))).await.unwrap();
    let check = finished.result.check.unwrap().forward.unwrap();
    assert!(check.duplicated_packets > 20, "{check:?}");
    assert_eq!(finished.result.felt.unwrap().messages, 300);
    for kind in [thin(20), audio(1)] {
        let nothing = agent.run(spec(over(Baseline::Udp, 1.0), kind)).await;
        let result = nothing.unwrap().result;
        assert_eq!(result.felt.map_or(0, |felt| felt.messages), 0);
        let metrics = result.metrics.unwrap();
        assert_eq!(
            (metrics.delivered_bytes, metrics.loss_share_forward),
            (0, 1.0)
        );
    }
}

/// UDP throws away what is damaged; UDP-Lite hands it over, as far as nothing is hit that is
/// covered.
#[tokio::test]
async fn damage_is_lost_or_handed_over() {
    let agent = Agent::start("virtual");
    let damaged = |baseline| with_path(over(baseline, 0.0), |path| path.corrupt_share = 0.3);
    let mut came = Vec::new();
    for lane in [
        damaged(Baseline::Udp),
        damaged(Baseline::UdpLite),
        LaneSpec {
            udp_lite: Some(UdpLite {
                covered_bytes: 1_000,
            }),
            ..damaged(Baseline::UdpLite)
        },
    ] {
        let result = agent.run(spec(lane, thin(300))).await.unwrap().result;
        came.push((result.felt.unwrap().messages, result.changed_bytes));
    }
    let [(udp, of_udp), (lite, of_lite), (covered, of_covered)] = came[..] else {
        panic!("{came:?}");
    };
    assert_eq!((of_udp, of_covered), (0, 0));
    assert!(lite > udp + 30 && of_lite > 30, "{came:?}");
    assert!(covered < 300, "{came:?}");
}

#[tokio::test]
async fn sound_has_holes_and_its_account_says_so() {
    let agent = Agent::start("virtual");
    let mut lost = Vec::new();
    for loss_share in [0.0, 0.1] {
        let request = spec(over(Baseline::Udp, loss_share), audio(6));
        let finished = agent.run(request).await.unwrap();
        let facts = finished.result.playout.unwrap();
        let lost_ms = facts.lost_ms.unwrap();
        // The return from a hole may skip some sound, and the delay is then brought back.
        assert!(facts.stretched_ms <= facts.compressed_ms, "{facts:?}");
        assert!(facts.dropped_ms.abs() < 1e-9);
        let check = finished.result.check.unwrap().forward.unwrap();
        // Every message is 20, 40 or so ms, and concealed for as long, to the nearest tick.
        assert_eq!(lost_ms > 0.0, check.dropped_packets > 0);
        let off_ms = (facts.concealed_ms - lost_ms).abs();
        assert!(off_ms <= 5.0 * facts.gaps as f64, "{facts:?}");
        lost.push(lost_ms);
    }
    assert!(lost[0] == 0.0 && lost[1] >= 100.0, "{lost:?}");
}

#[tokio::test]
async fn both_ways_over_one_pair_of_sockets() {
    let agent = Agent::start("virtual");
    let mut both = spec(over(Baseline::UdpLite, 0.05), thin(100));
    both.lanes[0].flows.push(Flow {
        backward: true,
        same_connection: true,
        ..Flow::from(thin(80))
    });
    let all = agent.run_all(both).await.unwrap();
    for (one, sent) in all.values().zip([100, 80]) {
        let metrics = one.result.metrics.as_ref().unwrap();
        let felt = one.result.felt.as_ref().unwrap();
        assert!(felt.messages <= sent && felt.messages > sent * 8 / 10);
        assert_eq!(metrics.packets, sent);
        let round_trip_us = one.result.late.unwrap().lowest_rtt_us;
        assert!(round_trip_us >= 2.0 * DELAY_US as f64, "{round_trip_us}");
    }
}

#[tokio::test]
async fn what_datagrams_cannot_is_refused_by_name() {
    let agent = Agent::start("virtual");
    let long = Stream::Synthetic(SyntheticStream::even(1_469, 100_000, 3));
    let fits = Stream::Synthetic(SyntheticStream::even(1_468, 100_000, 3));
    let finished = agent
        .run(spec(over(Baseline::Udp, 0.0), fits))
        .await
        .unwrap();
    assert_eq!(
        finished.result.metrics.unwrap().unique_bytes,
        3 * (1_468 + OFFSET_BYTES)
    );
    let bundled = LaneSpec {
        mechanisms: vec![lab_proto::Mechanism::Bundling as i32],
        ..over(Baseline::Udp, 0.0)
    };
    let lite = LaneSpec {
        udp_lite: Some(UdpLite { covered_bytes: 1 }),
        ..over(Baseline::Udp, 0.0)
    };
    let mut answered = spec(over(Baseline::Udp, 0.0), thin(3));
    answered.lanes[0].flows.push(Flow {
        backward: true,
        same_connection: true,
        answers: true,
        ..Flow::from(thin(3))
    });
    for (request, says) in [
        (
            spec(over(Baseline::Udp, 0.0), long),
            "flows[0].stream has a message of 1469",
        ),
        (
            spec(
                over(Baseline::UdpLite, 0.0),
                Stream::Bulk(BulkStream { bytes: 9_000 }),
            ),
            "a datagram of UDP-Lite has room for 1468",
        ),
        (spec(bundled, thin(3)), "which UDP does not have"),
        (
            spec(lite, thin(3)),
            "lane.udp_lite is set, but the baseline is of UDP",
        ),
        (answered, "flows[1].answers goes over TCP and SCTP"),
    ] {
        let status = agent.run(request).await.err().unwrap();
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        assert!(status.message().contains(says), "{status}");
    }
}
