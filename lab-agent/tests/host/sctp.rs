//! SCTP as a lane's protocol: associations over the real kernel's, and its mechanisms on and off.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{Baseline, BulkStream, Flow, LaneSpec, Mechanism, Sctp};
use tonic::Code;

use crate::agent::{Agent, Finished, audio, changing, lane, spec, thin};

fn over_sctp(loss_share: f64, mechanisms: &[Mechanism], settings: Sctp) -> LaneSpec {
    LaneSpec {
        baseline: Baseline::Lksctp as i32,
        sctp: Some(settings),
        ..lane(loss_share, mechanisms)
    }
}

/// As the papers' tests have it: each packet is acknowledged at once.
pub fn prompt() -> Sctp {
    Sctp {
        sack_delay_ms: Some(0),
        ..Sctp::default()
    }
}

fn counter(finished: &Finished, name: &str) -> u64 {
    let all = &finished.result.counters;
    let found = all.iter().find(|counter| counter.name == name);
    found.map_or(0, |counter| counter.value)
}

/// Whole milliseconds that the slowest message took to the application.
pub fn slowest_ms(finished: &Finished) -> f64 {
    finished.latency().max_us / 1000.0
}

#[tokio::test]
async fn every_message_arrives_whole_whatever_an_association_is_told() {
    let agent = Agent::start("virtual");
    for settings in [
        Sctp::default(),
        prompt(),
        Sctp {
            streams: 5,
            ..prompt()
        },
        Sctp {
            unordered: true,
            ..Sctp::default()
        },
    ] {
        let request = spec(over_sctp(0.05, &[], settings), thin(200));
        let finished = agent.run(request).await.unwrap();
        let result = &finished.result;
        assert_eq!(result.felt.as_ref().unwrap().messages, 200, "{settings:?}");
        assert_eq!(result.changed_bytes, 0);
        assert_eq!(result.tcp_info, None);
        let info = result.sctp_info.expect("the kernel's own");
        // What RFC 9260 allows at least, and the lane's 100 ms, with a SACK's delay or without.
        assert!(info.rto_us >= 1_000_000, "{info:?}");
        assert!((100_000..400_000).contains(&info.srtt_us), "{info:?}");
        assert_eq!(info.unacked_chunks, 0);
        let again = result.retransmission_latency.as_ref();
        assert!(again.is_some_and(|it| it.first.is_some()));
        let sent =
            ["SctpOutOrderChunks", "SctpOutUnorderChunks"].map(|name| counter(&finished, name));
        assert!(sent.iter().sum::<u64>() >= 200, "{sent:?}");
        let told = String::from_utf8_lossy(&finished.settings);
        assert!(told.contains("net.sctp.rto_min = 1000"), "{told}");
    }
}

/// Where something is missing, messages that need not wait for it do not.
#[tokio::test]
async fn messages_wait_for_those_before_them_only_in_their_own_stream() {
    let agent = Agent::start("virtual");
    let mut slowest = Vec::new();
    for settings in [
        prompt(),
        Sctp {
            unordered: true,
            ..prompt()
        },
    ] {
        let request = spec(over_sctp(0.05, &[], settings), thin(300));
        let finished = agent.run(request).await.unwrap();
        let felt = finished.result.felt.unwrap();
        slowest.push(felt.sojourn.unwrap().mean_us);
    }
    assert!(slowest[1] < slowest[0], "{slowest:?}");
}

#[tokio::test]
async fn the_same_request_gives_the_same_bytes() {
    let agent = Agent::start("virtual");
    let request = spec(over_sctp(0.05, &Mechanism::OF_SCTP, prompt()), thin(100));
    agent.expect_repeats(request).await;
}

#[tokio::test]
async fn mechanisms_shorten_the_longest_wait() {
    let agent = Agent::start("virtual");
    let off = spec(over_sctp(0.05, &[], prompt()), thin(400));
    let off = agent.run(off).await.unwrap();
    let on = spec(over_sctp(0.05, &Mechanism::OF_SCTP, prompt()), thin(400));
    let on = agent.run(on).await.unwrap();
    let thin = |finished: &Finished| {
        let all = finished.result.counters.iter();
        all.filter(|one| one.name.starts_with("SctpThin")).count()
    };
    assert_eq!(thin(&off), 0, "{:?}", off.result.counters);
    assert!(thin(&on) > 0, "{:?}", on.result.counters);
    assert!(slowest_ms(&on) * 3.0 <= slowest_ms(&off));
}

#[tokio::test]
async fn sound_and_bulk_go_over_sctp_and_both_ways() {
    sound_and_bulk_go_both_ways(|loss_share| over_sctp(loss_share, &[], prompt())).await;
}

/// Over lanes of SCTP, whichever stack has it.
pub async fn sound_and_bulk_go_both_ways(over: impl Fn(f64) -> LaneSpec) {
    let agent = Agent::start("virtual");
    let finished = agent.run(spec(over(0.02), audio(3))).await.unwrap();
    assert!(finished.result.playout.is_some());
    let mut both = spec(over(0.01), thin(100));
    let flows = &mut both.lanes[0].flows;
    flows.push(Flow {
        backward: true,
        same_connection: true,
        ..Flow::from(thin(80))
    });
    flows.push(Stream::Bulk(BulkStream { bytes: 300_000 }).into());
    let all = agent.run_all(both).await.unwrap();
    let messages: Vec<_> = all
        .values()
        .map(|one| one.result.felt.as_ref().unwrap().messages)
        .collect();
    assert_eq!(messages, [100, 80, 1]);
}

#[tokio::test]
async fn mechanisms_switch_while_an_association_runs_and_its_settings_stay() {
    let agent = Agent::start("virtual");
    let (off, on) = (
        over_sctp(0.05, &[], prompt()),
        over_sctp(0.05, &[Mechanism::LinearTimeouts], prompt()),
    );
    let change = |spec: &LaneSpec| lab_proto::LaneChange {
        at_ns: 1_000_000_000,
        spec: Some(spec.clone()),
    };
    let request = changing(off.clone(), thin(100), vec![change(&on)]);
    assert!(agent.run(request).await.is_ok());
    let other = over_sctp(0.05, &[], Sctp::default());
    let refused = changing(off, thin(100), vec![change(&other)]);
    let status = agent.run(refused).await.err().unwrap();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("spec.sctp"), "{status}");
}
