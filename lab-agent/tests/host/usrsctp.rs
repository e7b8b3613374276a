//! usrsctp as a lane's SCTP: FreeBSD's stack in the guest's program, over the same lanes as the
//! kernel's.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Baseline, LaneSpec, Mechanism, Sctp};
use tonic::Code;

use crate::agent::{Agent, changing, lane, spec, thin};
use crate::sctp::{prompt, slowest_ms, sound_and_bulk_go_both_ways};

fn over_usrsctp(loss_share: f64, settings: Sctp) -> LaneSpec {
    LaneSpec {
        baseline: Baseline::Usrsctp as i32,
        sctp: Some(settings),
        ..lane(loss_share, &[])
    }
}

#[tokio::test]
async fn every_message_arrives_whole_whatever_an_association_is_told() {
    let agent = Agent::start("virtual");
    for (loss_share, settings) in [
        (0.0, Sctp::default()),
        (0.05, Sctp::default()),
        (0.05, prompt()),
        (
            0.05,
            Sctp {
                streams: 5,
                ..prompt()
            },
        ),
        (
            0.05,
            Sctp {
                unordered: true,
                ..prompt()
            },
        ),
    ] {
        let request = spec(over_usrsctp(loss_share, settings), thin(200));
        let finished = agent.run(request).await.unwrap();
        let result = &finished.result;
        assert_eq!(result.felt.as_ref().unwrap().messages, 200, "{settings:?}");
        assert_eq!(result.changed_bytes, 0);
        let metrics = result.metrics.as_ref().unwrap();
        let lost = metrics.retransmitted_packets;
        assert_eq!(lost > 0, loss_share > 0.0, "{settings:?}: {lost}");
        let told = String::from_utf8_lossy(&finished.settings);
        assert!(told.contains("usrsctp.rto_min = 1000"), "{told}");
        assert!(!told.contains("net.sctp"), "{told}");
    }
}

#[tokio::test]
async fn the_same_request_gives_the_same_bytes() {
    let agent = Agent::start("virtual");
    let request = spec(over_usrsctp(0.05, prompt()), thin(200));
    agent.expect_repeats(request).await;
}

/// The first message is acknowledged at once, whatever the delay; the second is known to have come
/// later, and by as much as asked.
#[tokio::test]
async fn sacks_are_delayed_as_asked() {
    let agent = Agent::start("virtual");
    let mut acknowledged_ms = Vec::new();
    for delay_ms in [0, 100, 400] {
        let settings = Sctp {
            sack_delay_ms: Some(delay_ms),
            ..Sctp::default()
        };
        let finished = agent
            .run(spec(over_usrsctp(0.0, settings), thin(2)))
            .await
            .unwrap();
        acknowledged_ms.push(finished.result.stream_ns / 1_000_000);
    }
    // The engine looks every millisecond, and the library counts in them.
    let more = |nth: usize| acknowledged_ms[nth] - acknowledged_ms[0];
    assert!((98..=102).contains(&more(1)), "{acknowledged_ms:?}");
    assert!((398..=402).contains(&more(2)), "{acknowledged_ms:?}");
}

/// Of 200 messages some wait for a timeout, the shortest of which is a second.
#[tokio::test]
async fn what_only_a_timeout_repairs_waits_a_second() {
    let agent = Agent::start("virtual");
    let request = spec(over_usrsctp(0.05, prompt()), thin(200));
    let finished = agent.run(request).await.unwrap();
    assert!(slowest_ms(&finished) > 1000.0, "{}", slowest_ms(&finished));
}

#[tokio::test]
async fn sound_and_bulk_go_over_it_and_both_ways() {
    sound_and_bulk_go_both_ways(|loss_share| over_usrsctp(loss_share, prompt())).await;
}

#[tokio::test]
async fn what_the_kernels_sctp_alone_has_is_refused() {
    let agent = Agent::start("virtual");
    let mechanism = LaneSpec {
        mechanisms: vec![Mechanism::LinearTimeouts as i32],
        ..over_usrsctp(0.0, prompt())
    };
    let other = LaneSpec {
        baseline: Baseline::Lksctp as i32,
        ..over_usrsctp(0.0, prompt())
    };
    let change = lab_proto::LaneChange {
        at_ns: 1_000_000,
        spec: Some(other),
    };
    for (field, request) in [
        ("lane.mechanisms[0]", spec(mechanism, thin(1))),
        (
            "changes[0].spec.baseline",
            changing(over_usrsctp(0.0, prompt()), thin(10), vec![change]),
        ),
    ] {
        let status = agent.run(request).await.err().unwrap();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().contains(field), "{status}");
    }
}
