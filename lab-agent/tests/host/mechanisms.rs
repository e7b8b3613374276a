//! The kernel's mechanisms on a lane: what the wire, the counters and the
//! socket say of them, and what they leave alone.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    Baseline, BulkStream, Bundling, Counter, HiddenLossResponse, LaneSpec, Mechanism, Path,
    SessionResult, SessionSpec, SyntheticStream,
};

use crate::agent::{Agent, audio, lane, of_senders, same, spec, thin};
use crate::wire::{Segment, segments};

fn counter(counters: &[Counter], name: &str) -> u64 {
    let found = counters.iter().find(|counter| counter.name == name);
    found.map_or(0, |counter| counter.value)
}

/// Always several messages in flight: four a round trip.
fn quick(messages: u32) -> Stream {
    Stream::Synthetic(SyntheticStream::even(236, 34_000, messages))
}

fn bundling(loss_share: f64, settings: Bundling) -> LaneSpec {
    LaneSpec {
        bundling: Some(settings),
        ..lane(loss_share, &[Mechanism::Bundling])
    }
}

/// A thick stream, over a path that is fast and narrow enough to be filled.
fn thick(loss_share: f64, baseline: Baseline, mechanisms: &[Mechanism]) -> SessionSpec {
    let mut lane = lane(loss_share, mechanisms);
    lane.baseline = baseline as i32;
    for path in [&mut lane.forward, &mut lane.backward] {
        *path = path.take().map(|path| Path {
            delay_us: 20_000,
            rate_bit_per_s: 20_000_000,
            queue_packets: 100,
            ..path
        });
    }
    spec(lane, Stream::Bulk(BulkStream { bytes: 3_000_000 }))
}

/// Four witnesses of the same copies: the capture, its analysis, the socket, and
/// the counters of the namespace.
#[tokio::test]
async fn what_is_bundled_is_on_the_wire_in_the_counters_and_in_the_socket() {
    let agent = Agent::start("virtual");
    let request = spec(lane(0.05, &[Mechanism::Bundling]), thin(2000));
    let finished = agent.run(request).await.unwrap();
    let on_the_wire = segments(&finished.sender);
    let bundles = on_the_wire.iter().filter(|segment| segment.is_bundle());
    let bundled_bytes = bundles.clone().map(|b| u64::from(b.old_bytes)).sum::<u64>();
    let bundle_packets = bundles.count() as u64;
    assert!(bundle_packets > 100, "{bundle_packets}");

    let result = &finished.result;
    let copies = result.copies.unwrap();
    assert_eq!(copies.bundle_packets, bundle_packets);
    assert_eq!(copies.bundled_bytes, bundled_bytes);
    let info = result.tcp_info.unwrap();
    assert_eq!(info.rdb_bundles.map(u64::from), Some(bundle_packets));
    assert_eq!(info.rdb_bytes, Some(bundled_bytes));
    let count = |name| counter(&result.counters, name);
    assert_eq!(count("TcpExtTCPRDBBundles"), bundle_packets);
    assert_eq!(count("TcpExtTCPRDBBytes"), bundled_bytes);
    assert_eq!(count("TcpExtTCPRDBRepairs"), u64::from(info.rdb_repairs()));
    assert_eq!(count("TcpExtTCPRDBDSACKs"), u64::from(info.rdb_dsacks()));

    // A loss that a bundle repaired needed no retransmission, and what had not
    // been lost was answered with a DSACK.
    let lost = result.metrics.as_ref().unwrap().lost_packets_forward;
    assert!(u64::from(info.rdb_repairs()) > lost / 2, "{info:?}");
    assert!(copies.bundle_hit_bytes >= u64::from(info.rdb_repairs()) * 120);
    assert!(info.rdb_dsacks() > 0, "{info:?}");
    assert!(counter(&result.receiver_counters, "TcpExtTCPDSACKOldSent") > 0);
    let off = agent.run(spec(lane(0.05, &[]), thin(2000))).await.unwrap();
    let share = |of: &lab_proto::SessionResult| of.metrics.as_ref().unwrap().retransmitted_share;
    assert!(share(result) < share(&off.result) / 2.0);
    assert_eq!(off.result.tcp_info.unwrap().rdb_bundles, Some(0));
    assert_eq!(off.result.copies.unwrap().bundle_packets, 0);
}

#[tokio::test]
async fn a_bundle_keeps_to_the_lanes_limits() {
    let agent = Agent::start("virtual");
    let run = async |settings| {
        let finished = agent.run(spec(bundling(0.0, settings), quick(300))).await;
        segments(&finished.unwrap().sender)
    };
    let largest = |segments: &[Segment]| {
        let bundles = segments.iter().filter(|segment| segment.is_bundle());
        bundles.map(|b| (b.old_bytes, b.bytes())).max().unwrap()
    };
    // 130 ms are three messages and most of a fourth.
    let all = run(Bundling::default()).await;
    assert_eq!(largest(&all), (3 * 236, 4 * 236));
    let one = run(Bundling {
        max_packets: 1,
        ..Bundling::default()
    });
    assert_eq!(largest(&one.await), (236, 2 * 236));
    let short = run(Bundling {
        max_bytes: 3 * 236,
        ..Bundling::default()
    });
    assert_eq!(largest(&short.await), (2 * 236, 3 * 236));
    let never = run(Bundling {
        min_iat_us: Some(50_000),
        ..Bundling::default()
    });
    // Until the mean is known, a stream is given the benefit of the doubt.
    let after = never.await.into_iter().skip(50);
    assert_eq!(after.filter(Segment::is_bundle).count(), 0);
}

#[tokio::test]
async fn a_repaired_loss_reduces_the_window_where_the_lane_says_so() {
    let agent = Agent::start("virtual");
    let run = async |baseline: Baseline, response: HiddenLossResponse| {
        let mut lane = bundling(
            0.05,
            Bundling {
                hidden_loss_response: response as i32,
                ..Bundling::default()
            },
        );
        lane.baseline = baseline as i32;
        let finished = agent.run(spec(lane, quick(1500))).await.unwrap();
        finished.result.tcp_info.unwrap()
    };
    for (baseline, unsaid) in [
        (Baseline::Newreno2008, HiddenLossResponse::None),
        (Baseline::Modern, HiddenLossResponse::ReduceWindow),
    ] {
        let papers = run(baseline, HiddenLossResponse::None).await;
        let responsive = run(baseline, HiddenLossResponse::ReduceWindow).await;
        assert_eq!(papers.rdb_congestion, Some(0));
        assert!(papers.rdb_repairs() > 10, "{papers:?}");
        assert!(responsive.rdb_congestion() > 10, "{responsive:?}");
        assert!(
            responsive.snd_cwnd < papers.snd_cwnd,
            "{responsive:?} {papers:?}"
        );
        let by_default = run(baseline, HiddenLossResponse::Unspecified).await;
        let expected = match unsaid {
            HiddenLossResponse::None => papers,
            _ => responsive,
        };
        assert_eq!(by_default, expected, "{baseline:?}");
    }
}

/// The first retransmission waits for one duplicate instead of the timeout.
#[tokio::test]
async fn one_duplicate_is_enough_for_a_thin_stream() {
    let agent = Agent::start("virtual");
    let run = async |mechanisms: &[Mechanism]| {
        let request = spec(lane(0.05, mechanisms), thin(1000));
        agent.run(request).await.unwrap().result
    };
    let off = run(&[]).await;
    let early = run(&[Mechanism::EarlyFastRetransmit]).await;
    let info = early.tcp_info.unwrap();
    assert!(info.thin_early_retrans() > 20, "{info:?}");
    let counted = counter(&early.counters, "TcpExtTCPThinEarlyRetrans");
    assert_eq!(counted, u64::from(info.thin_early_retrans()));
    let timeouts = off.tcp_info.unwrap().total_rto();
    assert!(info.total_rto() < timeouts / 2, "{info:?} {timeouts}");
    assert_eq!(off.tcp_info.unwrap().thin_early_retrans, Some(0));
}

#[tokio::test]
async fn timeouts_are_linear_where_the_lane_says_so() {
    let agent = Agent::start("virtual");
    let request = spec(lane(0.1, &[Mechanism::LinearTimeouts]), thin(1000));
    let linear = agent.run(request).await.unwrap().result;
    let info = linear.tcp_info.unwrap();
    assert!(info.thin_linear_timeouts() > 50, "{info:?}");
    let counted = counter(&linear.counters, "TcpExtTCPThinLinearTimeouts");
    assert_eq!(counted, u64::from(info.thin_linear_timeouts()));
}

/// A hundred seconds over the kernel's defaults.
async fn modern_of(agent: &Agent, loss_share: f64, mechanisms: &[Mechanism]) -> SessionResult {
    let mut lane = lane(loss_share, mechanisms);
    lane.baseline = Baseline::Modern as i32;
    agent.run(spec(lane, quick(3000))).await.unwrap().result
}

/// Where losses come one at a time, one earlier segment is nearly enough.
#[tokio::test]
async fn losses_decide_how_much_is_bundled() {
    let agent = Agent::start("virtual");
    let run = async |mechanisms: &[Mechanism]| modern_of(&agent, 0.02, mechanisms).await;
    let without = run(&[Mechanism::Bundling]).await.tcp_info.unwrap();
    let with = run(&[Mechanism::Bundling, Mechanism::BundlingDepth]).await;
    let info = with.tcp_info.unwrap();
    assert!(info.rdb_deep() > 20, "{info:?}");
    assert!((1..=2).contains(&info.rdb_depth()), "{info:?}");
    let counted = counter(&with.counters, "TcpExtTCPRDBDeep");
    assert_eq!(counted, u64::from(info.rdb_deep()));
    assert_eq!((without.rdb_deep, without.rdb_depth), (Some(0), Some(0)));
    assert!(
        info.rdb_bytes() < without.rdb_bytes() / 2,
        "{info:?} {without:?}"
    );
}

/// What bundling hides costs no more window than the losses allow.
#[tokio::test]
async fn a_window_floor_lets_fewer_messages_wait() {
    let agent = Agent::start("virtual");
    let run = async |mechanisms: &[Mechanism]| modern_of(&agent, 0.05, mechanisms).await;
    let without = run(&[Mechanism::Bundling]).await;
    let with = run(&[Mechanism::Bundling, Mechanism::WindowFloor]).await;
    let info = with.tcp_info.unwrap();
    assert!(info.thin_window_floors() > 20, "{info:?}");
    let counted = counter(&with.counters, "TcpExtTCPThinWindowFloors");
    assert_eq!(counted, u64::from(info.thin_window_floors()));
    assert_eq!(without.tcp_info.unwrap().thin_window_floors, Some(0));
    let late_us = |result: &SessionResult| {
        let sojourn = result.felt.as_ref().unwrap().sojourn.as_ref().unwrap();
        sojourn.p99_us - sojourn.p50_us
    };
    let (late_with, late_without) = (late_us(&with), late_us(&without));
    assert!(late_with < late_without / 2.0, "{late_with} {late_without}");
}

#[tokio::test]
async fn a_thick_stream_does_not_notice_the_mechanisms() {
    let agent = Agent::start("virtual");
    for baseline in [Baseline::Newreno2008, Baseline::Modern, Baseline::Bbr] {
        for loss_share in [0.0, 0.01] {
            let off = agent.run(thick(loss_share, baseline, &[])).await.unwrap();
            let every = thick(loss_share, baseline, &of_senders());
            let every = agent.run(every).await.unwrap();
            let packets = off.result.metrics.as_ref().unwrap().packets;
            assert!(packets >= 3_000_000 / 1448, "{packets}");
            assert!(
                off.sender == every.sender,
                "{baseline:?}, loss {loss_share}: the sender's captures differ"
            );
        }
    }
}

#[tokio::test]
async fn every_mechanism_is_the_same_the_second_time() {
    let agent = Agent::start("virtual");
    let tcp: &[Mechanism] = &of_senders();
    for (baseline, every) in [
        (Baseline::Newreno2008, tcp),
        (Baseline::Modern, tcp),
        (Baseline::Bbr, tcp),
        (Baseline::Lksctp, &Mechanism::OF_SCTP),
    ] {
        for mechanisms in every.chunks(1).chain([every]) {
            let mut lane = lane(0.05, mechanisms);
            lane.baseline = baseline as i32;
            let request = || agent.run(spec(lane.clone(), quick(300)));
            let (once, again) = tokio::try_join!(request(), request()).unwrap();
            same(once, again);
        }
    }
}

/// What a demo shows, in virtual time: in real time, a standstill of the machine can decide the 99th percentile of a
/// minute.
#[tokio::test]
async fn the_papers_setting_shows_a_difference_and_todays_does_not() {
    let agent = Agent::start("virtual");
    let p99_ms = async |baseline: Baseline, mechanisms: &[Mechanism]| {
        let mut lane = lane(0.02, mechanisms);
        lane.baseline = baseline as i32;
        let finished = agent.run(spec(lane, audio(60))).await.unwrap();
        finished.result.felt.unwrap().sojourn.unwrap().p99_us / 1000.0
    };
    let off_ms = p99_ms(Baseline::Newreno2008, &[]).await;
    let all_ms = p99_ms(Baseline::Newreno2008, &Mechanism::PAPERS).await;
    let gain_ms = off_ms - all_ms;
    // A timeout's wait at least: the path alone takes 65 ms.
    assert!(gain_ms > 65.0, "off {off_ms} ms, all {all_ms} ms");
    let todays_ms = p99_ms(Baseline::Modern, &[]).await;
    let linear_ms = p99_ms(Baseline::Modern, &[Mechanism::LinearTimeouts]).await;
    let none_ms = (todays_ms - linear_ms).abs();
    assert!(none_ms < gain_ms / 2.0, "{none_ms} ms against {gain_ms} ms");
}
