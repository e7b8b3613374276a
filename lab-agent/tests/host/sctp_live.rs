//! SCTP where people are in the loop: takes of a demo and terminals over associations.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{Baseline, LaneSpec, Mechanism, PacketKind, Sctp, SyntheticStream};
use tonic::Code;

use crate::agent::{Agent, lane};
use crate::demo::{clip, expect_as_of_files};
use crate::presenter::Take;

fn start() -> Agent {
    Agent::start_with(&["--clock", "real", "--demos", "1"])
}

fn over_sctp(loss_share: f64, mechanisms: &[Mechanism]) -> LaneSpec {
    LaneSpec {
        baseline: Baseline::Lksctp as i32,
        ..lane(loss_share, mechanisms)
    }
}

fn quick() -> Stream {
    Stream::Synthetic(SyntheticStream::endless(120, 20_000))
}

/// Sound over two associations and a connection, mechanisms switched while it plays: what is
/// told live is what the analyser finds in the files.
#[tokio::test]
async fn sound_passes_over_sctp_beside_tcp_and_the_figures_are_those_of_the_files() {
    let agent = start();
    let lanes = |on: bool| {
        let all: &[Mechanism] = if on { &Mechanism::OF_SCTP } else { &[] };
        vec![
            over_sctp(0.03, &[]),
            over_sctp(0.03, all),
            lane(0.03, &Mechanism::PAPERS),
        ]
    };
    let mut take = Take::open(&agent, lanes(true), clip()).await.unwrap();
    let all_passed = |take: &Take, count| (0..3).all(|number| take.passed(number) > count);
    take.until(|take| all_passed(take, 100)).await.unwrap();
    let changed = take.change(lanes(false)).await;
    assert_eq!(changed.problem, "");
    take.until(|take| all_passed(take, 300)).await.unwrap();
    let result = take.finish().await.unwrap();
    assert_eq!(result.reason, "");
    for number in 0..3_u32 {
        let told = &result.lanes[number as usize];
        expect_as_of_files(&agent, &take, number, told);
        let is_sctp = number < 2;
        let chunks = told
            .counters
            .iter()
            .find(|one| one.name == "SctpOutOrderChunks");
        assert_eq!(chunks.is_some(), is_sctp, "lane {number}");
        assert_eq!(told.tcp_info.is_some(), !is_sctp);
        let thin = told
            .counters
            .iter()
            .any(|one| one.name.starts_with("SctpThin"));
        assert_eq!(thin, number == 1, "lane {number}: {:?}", told.counters);
        // The charts have the association's own numbers.
        let mut states = take
            .moments
            .iter()
            .filter_map(|moment| moment.lanes[number as usize].socket);
        assert!(states.any(|state| {
            state.in_flight > 0 && state.snd_cwnd > 0 && state.rto_us >= 200_000 && state.rtt_us > 0
        }));
    }
}

/// What has not left an association's socket is known, so that what waits too long is left out.
#[tokio::test]
async fn an_association_that_stood_still_goes_on_with_what_is_new() {
    let agent = start();
    let open = vec![over_sctp(0.0, &[]), over_sctp(0.0, &[])];
    let mut take = Take::open(&agent, open.clone(), quick()).await.unwrap();
    take.until(|take| take.passed(0) > 10).await.unwrap();
    let blocked = over_sctp(1.0, &[]);
    assert_eq!(take.change(vec![blocked]).await.problem, "");
    take.let_pass(1, 400).await;
    let waits = take
        .moments
        .iter()
        .rev()
        .find_map(|moment| moment.lanes[0].socket);
    assert!(waits.unwrap().unsent_bytes > 0, "{waits:?}");
    assert_eq!(take.change(open[..1].to_vec()).await.problem, "");
    take.let_pass(0, 300).await;
    let result = take.finish().await.unwrap();
    assert_eq!(result.reason, "");
    let [stood, went] = [0, 1].map(|number: usize| result.lanes[number].skipped_messages);
    assert!(
        stood > 0,
        "what waited for more than five seconds is left out"
    );
    assert_eq!(went, 0);
}

#[tokio::test]
async fn a_protocol_stays_and_messages_have_an_order() {
    let agent = start();
    let several = LaneSpec {
        sctp: Some(Sctp {
            streams: 2,
            ..Sctp::default()
        }),
        ..over_sctp(0.0, &[])
    };
    let refused = Take::open(&agent, vec![several], quick()).await;
    let status = refused.err().unwrap();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("lane.sctp"), "{status}");

    let mut take = Take::open(&agent, vec![over_sctp(0.0, &[])], quick())
        .await
        .unwrap();
    let problem = take.change(vec![lane(0.0, &[])]).await.problem;
    assert!(problem.contains("the same protocol"), "{problem}");
    take.until(|take| take.passed(0) > 20).await.unwrap();
    assert_eq!(take.finish().await.unwrap().reason, "");
}

/// An association that is open follows its receiver's settings, and back to the kernel's.
#[tokio::test]
async fn the_delay_of_sacks_is_switched_while_a_stream_runs() {
    let agent = start();
    let acknowledging = |sack_delay_ms: Option<u32>| {
        let sctp = sack_delay_ms.map(|ms| Sctp {
            sack_delay_ms: Some(ms),
            ..Sctp::default()
        });
        vec![
            LaneSpec {
                sctp,
                ..over_sctp(0.0, &[])
            },
            over_sctp(0.0, &[]),
        ]
    };
    let mut take = Take::open(&agent, acknowledging(None), quick())
        .await
        .unwrap();
    let mut since_ns = take.ready.at_ns;
    let mut shares = Vec::new();
    // As it is, none, as it is again, none, and one that is over before the next message.
    for next in [Some(0), None, Some(0), Some(1), Some(500)] {
        take.let_pass(0, 100).await;
        shares.push([0, 1].map(|lane| sacks_per_message(&take, lane, since_ns)));
        let changed = take.change(acknowledging(next)).await;
        assert_eq!(changed.problem, "");
        since_ns = changed.kernel_at_ns;
    }
    assert_eq!(take.finish().await.unwrap().reason, "");
    let is_delayed = |share: f64| (0.4..0.6).contains(&share);
    let expected = [true, false, true, false, false];
    for ([switched, left], delayed) in shares.iter().zip(expected) {
        assert_eq!(is_delayed(*switched), delayed, "{shares:?}");
        // Two messages may come within a millisecond where the machine is busy.
        assert!(delayed || *switched > 0.6, "{shares:?}");
        assert!(is_delayed(*left), "{shares:?}");
    }
}

/// Of a lane's packets that left after an instant.
fn sacks_per_message(take: &Take, lane: usize, since_ns: u64) -> f64 {
    let moments = take.moments.iter();
    let departures = moments.flat_map(|moment| &moment.lanes[lane].departures);
    let (mut sacks, mut messages) = (0.0, 0.0);
    for one in departures.filter(|one| one.sent_ns > since_ns) {
        match (one.forward, one.kind()) {
            (true, PacketKind::New) => messages += 1.0,
            (false, PacketKind::Acknowledgement) => sacks += 1.0,
            _ => {}
        }
    }
    sacks / messages
}
