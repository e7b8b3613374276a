//! Sessions in virtual time: what a lane does is what the results say.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path as FilePath;

use clap::ValueEnum as _;
use lab_proto::path::Loss;
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    AudioStream, Baseline, Clock, DescribeRequest, GilbertElliottLoss, Mechanism, ReplayMessage,
    ReplayStream, SessionResult, SyntheticStream,
};
use thinlab_playout::Codec;

use crate::agent::{Agent, DELAY_US, audio, lane, same, spec, thin};

/// The command that a health check calls.
#[tokio::test]
async fn the_command_describe_asks_a_running_agent() {
    let agent = Agent::start("virtual");
    let ask = |address: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_lab-agent"))
            .args(["describe", "--connect", address])
            .output()
            .unwrap()
    };
    let answer = ask(agent.address());
    let host: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(host["mechanisms"].as_array().unwrap().len(), mechanisms());
    let nobody = ask("unix:/nowhere");
    assert!(!nobody.status.success());
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("lab-agent boot"));
}

/// Of the machine that the tests run on, whichever kernel that has: available is
/// what there is a setting for.
#[test]
fn the_command_describe_tells_of_its_own_machine_without_an_agent() {
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_lab-agent"))
        .arg("describe")
        .output()
        .unwrap();
    let host: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    assert_eq!(host["kernel_release"], release.trim());
    let there = |name: &str| FilePath::new("/proc/sys/net/ipv4").join(name).exists();
    for (index, setting) in [
        "tcp_thin_linear_timeouts",
        "tcp_thin_dupack",
        "tcp_rdb",
        "tcp_thin_window_floor",
        "tcp_rdb_target",
        "tcp_thin_probe",
        "tcp_thin_tail_copy",
        "tcp_thin_write_recovery",
        // SCTP's lie elsewhere.
        "",
        "",
        "",
        "",
        "tcp_lite",
        "tcp_lite_split",
    ]
    .into_iter()
    .enumerate()
    {
        if setting.is_empty() {
            continue;
        }
        let mechanism = &host["mechanisms"][index];
        assert_eq!(mechanism["available"], there(setting), "{mechanism}");
        let reason = mechanism["reason"].as_str().unwrap();
        assert_eq!(reason.contains(setting), !there(setting), "{mechanism}");
    }
}

/// How many there are.
fn mechanisms() -> usize {
    let numbers = Mechanism::LinearTimeouts as i32..;
    numbers
        .map_while(|number| Mechanism::try_from(number).ok())
        .count()
}

#[tokio::test]
async fn describes_what_the_kernel_can_do() {
    let agent = Agent::start("virtual");
    let mut client = agent.client().await;
    let host = client
        .describe(DescribeRequest {})
        .await
        .unwrap()
        .into_inner();
    assert_eq!(host.clock(), Clock::VirtualTime);
    assert!(
        host.kernel_release.starts_with("6.12"),
        "{}",
        host.kernel_release
    );
    assert_eq!(host.mechanisms.len(), mechanisms());
    for mechanism in &host.mechanisms {
        assert!(mechanism.available, "{mechanism:?}");
        assert!(mechanism.reason.is_empty(), "{mechanism:?}");
    }
    assert!(host.baselines.iter().all(|baseline| baseline.available));
    assert_eq!(host.baselines.len(), Baseline::value_variants().len());
}

/// Nothing is lost, so nothing can differ, and latency is the lane's delay.
#[tokio::test]
async fn without_loss_both_modes_give_the_same_recording() {
    let agent = Agent::start("virtual");
    let off = spec(lane(0.0, &[]), audio(5));
    let all = spec(lane(0.0, &[Mechanism::LinearTimeouts]), audio(5));
    let (off, all) = tokio::try_join!(agent.run(off), agent.run(all)).unwrap();
    assert_eq!(off.recording.len(), 5 * 48_000 * 2);
    assert_eq!(off.recording, all.recording);
    expect_plain(Codec::Opus, &off.recording);
    assert_eq!(off.result.playout_events, []);
    assert_eq!(off.stages, ["boot", "send", "analyse", "play out"]);
    let metrics = off.result.metrics.unwrap();
    for latency in [metrics.transport.unwrap(), metrics.application.unwrap()] {
        let per_byte = latency.per_byte.unwrap();
        // A microsecond or two: what the guest's clock rounds.
        assert!(
            (per_byte.min_us - DELAY_US as f64).abs() < 3.0,
            "{per_byte:?}"
        );
        assert!(
            (per_byte.max_us - DELAY_US as f64).abs() < 3.0,
            "{per_byte:?}"
        );
    }
    assert_eq!(metrics.retransmitted_packets, 0);
    assert_eq!(off.result.playout.unwrap().gaps, 0);
}

/// Not a bit between the codec and the ear.
fn expect_plain(codec: Codec, recording: &[u8]) {
    let Stream::Audio(source) = audio(5) else {
        unreachable!()
    };
    let source = samples(&source.source_s16le_48k_mono);
    let messages = thinlab_playout::encode(codec, &source).unwrap();
    let plain = thinlab_playout::decode(codec, &messages).unwrap();
    assert_eq!(samples(recording), plain[..5 * 48_000]);
}

/// The other codec is as thin: 272 bytes each 34 ms.
#[tokio::test]
async fn sound_is_coded_as_asked() {
    let agent = Agent::start("virtual");
    let Stream::Audio(source) = audio(5) else {
        unreachable!()
    };
    let coded = Stream::Audio(AudioStream {
        codec: lab_proto::Codec::G711.into(),
        ..source
    });
    let finished = agent.run(spec(lane(0.0, &[]), coded)).await.unwrap();
    expect_plain(Codec::G711, &finished.recording);
    let metrics = finished.result.metrics.unwrap();
    // 8000 bytes a second, and a prefix of two for each message.
    let messages = 5_000_u64.div_ceil(34);
    let bytes = metrics.payload_bytes;
    assert!(
        bytes.abs_diff(5 * 8_000 + 2 * messages) <= 320 + 2,
        "{bytes}"
    );
}

/// Where the timeline says that there is nothing, there is nothing, and all of
/// it together is what the facts say.
#[tokio::test]
async fn the_timeline_tells_what_the_recording_has() {
    let agent = Agent::start("virtual");
    let finished = agent.run(spec(lane(0.1, &[]), audio(20))).await.unwrap();
    let facts = finished.result.playout.unwrap();
    let events = &finished.result.playout_events;
    let of = |kind: &'static str| events.iter().filter(move |event| event.kind == kind);
    let sum_ms = |kind| of(kind).map(|event| event.length_ms).sum::<f64>();
    for (said_ms, listed_ms) in [
        (facts.concealed_ms, sum_ms("concealed") + sum_ms("silent")),
        (facts.stretched_ms, sum_ms("stretched")),
        (facts.compressed_ms, sum_ms("compressed")),
        (facts.dropped_ms, sum_ms("dropped")),
    ] {
        assert!((said_ms - listed_ms).abs() < 1e-6, "{facts:?}: {events:?}");
    }
    let recording = samples(&finished.recording);
    let place = |ms: f64| (ms * 48.0).round() as usize;
    assert!(of("silent").count() > 0, "{facts:?}");
    for event in of("silent") {
        let silent = place(event.at_ms)..place(event.at_ms + event.length_ms);
        assert!(
            recording[silent].iter().all(|sample| *sample == 0),
            "{event:?}"
        );
    }
}

fn samples(bytes: &[u8]) -> Vec<i16> {
    let (pairs, rest) = bytes.as_chunks();
    assert!(rest.is_empty());
    pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect()
}

/// Three witnesses of each loss: the emulator's counter, the two captures
/// counted while they were taken, and the analysis that matched them.
#[tokio::test]
async fn every_missing_packet_is_one_the_emulator_dropped() {
    let agent = Agent::start("virtual");
    let finished = agent.run(spec(lane(0.05, &[]), thin(2000))).await.unwrap();
    let check = finished.result.check.unwrap();
    let metrics = finished.result.metrics.unwrap();
    for (direction, lost) in [
        (check.forward.unwrap(), metrics.lost_packets_forward),
        (check.backward.unwrap(), metrics.lost_packets_backward),
    ] {
        assert_eq!(
            direction.sent_packets - direction.received_packets,
            direction.dropped_packets
        );
        assert_eq!(lost, direction.dropped_packets);
        // Five standard deviations of a binomial count.
        let sent = direction.sent_packets as f64;
        let off = (direction.dropped_packets as f64 - 0.05 * sent).abs();
        assert!(off < 5.0 * (sent * 0.05 * 0.95).sqrt(), "{direction:?}");
    }
    assert_eq!(metrics.delivered_bytes, 2000 * 120);
    assert!(
        finished
            .result
            .counters
            .iter()
            .any(|c| c.name == "TcpRetransSegs" && c.value > 0)
    );
    assert!(finished.recording.is_empty());
}

/// In the bad state everything is lost, so losses come in runs of 1 / 0.25.
#[tokio::test]
async fn losses_come_in_bursts_where_the_path_has_two_states() {
    let agent = Agent::start("virtual");
    let mut bursty = lane(0.0, &[]);
    bursty.forward.as_mut().unwrap().loss = Some(Loss::GilbertElliott(GilbertElliottLoss {
        good_to_bad_share: 0.01,
        bad_to_good_share: 0.25,
        loss_share_bad: 1.0,
        loss_share_good: 0.0,
    }));
    let finished = agent.run(spec(bursty, thin(3000))).await.unwrap();
    let check = finished.result.check.unwrap();
    let (forward, backward) = (check.forward.unwrap(), check.backward.unwrap());
    assert_eq!(backward.dropped_packets, 0);
    // Long-run share in the bad state: 0.01 / (0.01 + 0.25) = 3.8 %.
    let share = forward.dropped_packets as f64 / forward.sent_packets as f64;
    assert!((0.015..0.08).contains(&share), "{forward:?}");
    assert!(finished.result.felt.unwrap().longest_stall_ms > 400.0);
}

/// The emulator's account and the captures agree on what was made and what was
/// lost, and the receiver's TCP says that it had it already.
#[tokio::test]
async fn a_path_that_duplicates_is_balanced_and_repeatable() {
    let agent = Agent::start("virtual");
    let mut doubling = lane(0.05, &[]);
    for path in [&mut doubling.forward, &mut doubling.backward] {
        path.as_mut().unwrap().duplicate_share = 0.1;
    }
    let finished = agent.run(spec(doubling.clone(), thin(1000))).await.unwrap();
    let check = finished.result.check.unwrap();
    for way in [check.forward.unwrap(), check.backward.unwrap()] {
        assert!(way.dropped_packets > 0, "{way:?}");
        // Five standard deviations of a binomial count.
        let sent = way.sent_packets as f64;
        let off = (way.duplicated_packets as f64 - 0.1 * sent).abs();
        assert!(off < 5.0 * (sent * 0.1 * 0.9).sqrt(), "{way:?}");
    }
    let tcp_info = finished.result.tcp_info.as_ref().unwrap();
    assert!(tcp_info.dsack_dups > 0, "{tcp_info:?}");
    let metrics = finished.result.metrics.as_ref().unwrap();
    assert_eq!(metrics.delivered_bytes, 1000 * 120);
    let again = agent.run(spec(doubling, thin(1000))).await.unwrap();
    same(finished, again);
}

/// Messages closer together than the path is long overtake each other; further
/// apart, they only come sooner.
#[tokio::test]
async fn a_path_that_reorders_lets_packets_overtake() {
    let agent = Agent::start("virtual");
    let mut reordering = lane(0.0, &[]);
    reordering.forward.as_mut().unwrap().reorder_share = 0.1;
    let close = SyntheticStream::even(120, 10_000, 1000);
    let finished = agent
        .run(spec(reordering.clone(), Stream::Synthetic(close)))
        .await
        .unwrap();
    let overtaken = |result: &SessionResult| {
        let counters = result.receiver_counters.iter();
        let queued = counters.filter(|one| one.name == "TcpExtTCPOFOQueue");
        queued.map(|one| one.value).sum::<u64>()
    };
    let share = overtaken(&finished.result) as f64 / 1000.0;
    assert!((0.05..0.15).contains(&share), "{share}");
    let forward = finished.result.check.unwrap().forward.unwrap();
    assert_eq!(forward.dropped_packets, 0);
    assert_eq!(finished.result.metrics.unwrap().lost_packets_forward, 0);
    let apart = agent.run(spec(reordering, thin(200))).await.unwrap();
    assert_eq!(overtaken(&apart.result), 0);
    let latency = apart.result.metrics.unwrap().transport.unwrap();
    let latency = latency.per_message.unwrap();
    assert!(latency.min_us < 1_000.0, "{latency:?}");
    assert!(latency.p50_us > 60_000.0, "{latency:?}");
}

#[tokio::test]
async fn every_baseline_carries_a_stream() {
    let agent = Agent::start("virtual");
    for baseline in [Baseline::Newreno2008, Baseline::Modern, Baseline::Bbr] {
        let mut lane = lane(0.02, &[Mechanism::LinearTimeouts]);
        lane.baseline = baseline as i32;
        let finished = agent.run(spec(lane, thin(300))).await.unwrap();
        let delivered = finished.result.metrics.unwrap().delivered_bytes;
        assert_eq!(delivered, 300 * 120, "{baseline:?}");
    }
}

/// Writes of any size arrive whole, and the stream's length is its own.
#[tokio::test]
async fn a_replay_sends_what_was_written_down() {
    let agent = Agent::start("virtual");
    let message = |at_ns, bytes| ReplayMessage {
        at_ns,
        payload: vec![7; bytes],
        ..ReplayMessage::default()
    };
    let messages = vec![
        message(0, 1),
        message(1_000_000_000, 100_000),
        message(1_000_000_000, 3),
    ];
    let stream = Stream::Replay(ReplayStream {
        messages,
        ..ReplayStream::default()
    });
    let finished = agent.run(spec(lane(0.0, &[]), stream)).await.unwrap();
    assert_eq!(finished.result.metrics.unwrap().delivered_bytes, 100_004);
    assert_eq!(finished.result.felt.unwrap().messages, 3);
    assert!(finished.result.stream_ns > 1_000_000_000 + DELAY_US * 2000);
}

/// More sessions than processors wait for their turn.
#[tokio::test]
async fn many_sessions_at_once_all_finish() {
    let agent = Agent::start("virtual");
    let session = || agent.run(spec(lane(0.01, &[]), thin(50)));
    let all = tokio::join!(session(), session(), session(), session(), session());
    let first = all.0.unwrap();
    for other in [all.1, all.2, all.3, all.4] {
        assert_eq!(other.unwrap().sender, first.sender);
    }
}
