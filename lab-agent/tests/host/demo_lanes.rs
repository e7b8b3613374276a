//! The lanes of a take: switched, blocked and typed over while the stream runs.
// SPDX-License-Identifier: Apache-2.0
use std::time::SystemTime;

use lab_proto::live_input::Input;
use lab_proto::path::Loss;
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    Baseline, DemoLaneResult, Editor, FileKind, LaneSpec, Mechanism, SyntheticStream, TerminalKeys,
    TerminalTask, UniformLoss,
};

use crate::agent::{Agent, lane};
use crate::presenter::Take;
use crate::wire::{Segment, segments};

const SWITCHES: usize = 100;
/// Further apart than two clocks may be by which the same instant was told.
const CLOCKS_NS: u64 = 5_000_000;
/// `TCP_INFINITE_SSTHRESH` (net/tcp.h).
const NO_THRESHOLD: u32 = 0x7fff_ffff;

fn start() -> Agent {
    Agent::start_with(&["--clock", "real", "--demos", "1"])
}

/// At 130 ms of round trip, several are always under way.
fn quick() -> Stream {
    Stream::Synthetic(SyntheticStream::endless(120, 20_000))
}

/// `all` where it is told, everything off elsewhere.
fn lanes(all: impl Fn(usize) -> bool) -> Vec<LaneSpec> {
    let one = |number| lane(0.0, if all(number) { &Mechanism::PAPERS } else { &[] });
    (0..4).map(one).collect()
}

fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_nanos() as u64
}

fn expect_nothing_lost(told: &DemoLaneResult) {
    let check = told.check.unwrap();
    for way in [check.forward.unwrap(), check.backward.unwrap()] {
        assert_eq!(way.sent_packets, way.received_packets);
        assert_eq!(way.dropped_packets, 0);
    }
}

/// Which mechanisms a lane has, is seen on the wire between one switch and the
/// next; a byte that arrived changed would end the take.
#[tokio::test]
async fn a_hundred_switches_change_every_lane_and_no_packet() {
    let agent = start();
    let even = |number: usize| number.is_multiple_of(2);
    let odd = |number: usize| !even(number);
    let mut take = Take::open(&agent, lanes(even), quick()).await.unwrap();
    // When each state was in force everywhere, and until when at least.
    let mut states = vec![(take.ready.at_ns, 0)];
    let mut took_ms = Vec::new();
    for switch in 0..SWITCHES {
        take.let_pass(0, 2).await;
        let asked_ns = now_ns();
        states.last_mut().unwrap().1 = asked_ns;
        let wanted = if even(switch) {
            lanes(odd)
        } else {
            lanes(even)
        };
        let changed = take.change(wanted).await;
        assert_eq!(changed.problem, "");
        states.push((changed.kernel_at_ns, 0));
        took_ms.push((changed.kernel_at_ns.saturating_sub(asked_ns)) as f64 / 1e6);
    }
    states.last_mut().unwrap().1 = now_ns();
    let result = take.finish().await.unwrap();
    assert_eq!(result.reason, "");
    took_ms.sort_by(f64::total_cmp);
    println!(
        "a switch of four lanes was in the kernel after {:.1} ms (median), {:.1} ms at most",
        took_ms[SWITCHES / 2],
        took_ms[SWITCHES - 1]
    );

    for (number, told) in result.lanes.iter().enumerate() {
        expect_nothing_lost(told);
        assert_eq!(told.skipped_messages, 0);
        let ends = take.file(number as u32, FileKind::MessageEnds);
        let written = String::from_utf8_lossy(ends).lines().count();
        assert_eq!(take.passed(number), written, "every message arrived");

        let capture = take.file(number as u32, FileKind::SenderCapture);
        let first_ns = first_payload_ns(capture);
        let segments = segments(capture);
        let (mut with, mut seen) = (0, 0);
        for (index, (from_ns, until_ns)) in states.iter().enumerate() {
            let here = segments.iter().filter(|segment| {
                let at_ns = first_ns + (segment.at_ms * 1e6) as u64;
                from_ns + CLOCKS_NS < at_ns && at_ns + CLOCKS_NS < *until_ns
            });
            let bundles = here.filter(|segment| Segment::is_bundle(segment)).count();
            if even(index) == even(number) {
                with += 1;
                seen += usize::from(bundles > 0);
            } else {
                assert_eq!(bundles, 0, "lane {number}, state {index}");
            }
        }
        // Where the machine stood still, everything may have been acknowledged.
        assert!(seen > with / 2, "lane {number}: {seen} of {with}");
    }
}

fn first_payload_ns(capture: &[u8]) -> u64 {
    let capture = thinlab_trace::read_capture(capture).unwrap();
    let mut sent = capture.packets.iter();
    let first = sent.find(|packet| packet.from_first && packet.payload_bytes > 0);
    first.unwrap().at_ns as u64
}

fn blocked() -> LaneSpec {
    let mut spec = lane(0.0, &[]);
    let nothing_passes = UniformLoss { loss_share: 1.0 };
    spec.forward.as_mut().unwrap().loss = Some(Loss::Uniform(nothing_passes));
    spec
}

/// What waits is bounded, and what is left out is told; the other lane is none
/// the worse for it.
#[tokio::test]
async fn a_lane_that_stood_still_goes_on_with_what_is_new() {
    let agent = start();
    let open = vec![lane(0.0, &[]), lane(0.0, &[])];
    let mut take = Take::open(&agent, open.clone(), quick()).await.unwrap();
    take.until(|take| take.passed(0) > 10).await.unwrap();
    assert_eq!(take.change(vec![blocked()]).await.problem, "");
    // Eight seconds' worth.
    take.let_pass(1, 400).await;
    assert_eq!(take.change(open[..1].to_vec()).await.problem, "");
    let (before, elsewhere) = (take.passed(0), take.passed(1));
    take.until(|take| take.passed(0) > before + 300 && take.passed(1) > elsewhere + 100)
        .await
        .unwrap();
    let result = take.finish().await.unwrap();
    assert_eq!(result.reason, "");
    assert!(result.lanes[0].skipped_messages > 0);
    assert_eq!(result.lanes[1].skipped_messages, 0);
    expect_nothing_lost(&result.lanes[1]);
    let way = result.lanes[0].check.unwrap().forward.unwrap();
    assert!(way.dropped_packets > 0);
    assert_eq!(way.sent_packets, way.received_packets + way.dropped_packets);
}

/// Losses lower the threshold of slow start. BBR takes it away when it begins, and sets one of its own only after
/// some round trips.
#[tokio::test]
async fn a_running_connection_follows_a_new_baseline() {
    let agent = start();
    let open = vec![lane(0.1, &[]), lane(0.1, &[])];
    let mut take = Take::open(&agent, open.clone(), quick()).await.unwrap();
    // Not every moment has one.
    let threshold = |take: &Take, lane: usize| {
        let mut sockets = take
            .moments
            .iter()
            .rev()
            .filter_map(|it| it.lanes[lane].socket);
        sockets.next().map(|socket| socket.snd_ssthresh)
    };
    let lowered = |take: &Take, lane| threshold(take, lane).is_some_and(|it| it < NO_THRESHOLD);
    take.until(|take| (0..2).all(|number| lowered(take, number) && take.passed(number) > 150))
        .await
        .unwrap();
    let bbr = LaneSpec {
        baseline: Baseline::Bbr as i32,
        ..lane(0.0, &[])
    };
    // A standstill just then can hide it.
    for _ in 0..5 {
        assert_eq!(take.change(vec![bbr.clone()]).await.problem, "");
        let passed = take.passed(0);
        take.until(|take| !lowered(take, 0) || take.passed(0) > passed + 60)
            .await
            .unwrap();
        if !lowered(&take, 0) {
            break;
        }
        assert_eq!(take.change(open[..1].to_vec()).await.problem, "");
    }
    assert_eq!(threshold(&take, 0), Some(NO_THRESHOLD));
    assert!(lowered(&take, 1), "the other lane is as it was");
    take.finish().await.unwrap();
}

#[tokio::test]
async fn a_path_that_begins_to_duplicate_is_balanced() {
    let agent = start();
    let open = vec![lane(0.0, &[]), lane(0.0, &[])];
    let mut take = Take::open(&agent, open.clone(), quick()).await.unwrap();
    let mut doubling = open[0].clone();
    doubling.forward.as_mut().unwrap().duplicate_share = 0.5;
    assert_eq!(take.change(vec![doubling]).await.problem, "");
    take.let_pass(0, 50).await;
    let result = take.finish().await.unwrap();
    assert_eq!(result.reason, "");
    let way = result.lanes[0].check.unwrap().forward.unwrap();
    assert!(way.duplicated_packets > 0, "{way:?}");
    assert_eq!(
        way.sent_packets + way.duplicated_packets,
        way.received_packets
    );
    expect_nothing_lost(&result.lanes[1]);
}

#[tokio::test]
async fn a_lane_that_does_not_come_to_rest_is_cut_and_said() {
    let agent = start();
    let open = vec![lane(0.0, &[]), lane(0.0, &[])];
    let mut take = Take::open(&agent, open, quick()).await.unwrap();
    assert_eq!(take.change(vec![blocked()]).await.problem, "");
    take.let_pass(1, 50).await;
    let result = take.finish().await.unwrap();
    assert!(
        result.reason.starts_with("lane 0 was cut"),
        "{}",
        result.reason
    );
    assert!(!result.reason.contains("lane 1"), "{}", result.reason);
    expect_nothing_lost(&result.lanes[1]);
    let way = result.lanes[0].check.unwrap().forward.unwrap();
    assert_eq!(way.sent_packets, way.received_packets + way.dropped_packets);
}

#[tokio::test]
async fn a_key_goes_to_every_lane_and_its_echo_comes_from_each() {
    let agent = start();
    let editor = Stream::Terminal(TerminalTask {
        editor: Editor::Nano as i32,
        text: "prepared\n".into(),
        columns: 80,
        rows: 24,
    });
    let wanted = vec![lane(0.0, &[]), lane(0.0, &[Mechanism::Bundling])];
    let mut take = Take::open(&agent, wanted, editor).await.unwrap();
    let typed = b"to both";
    for (number, byte) in (1..).zip(typed) {
        let data = vec![*byte];
        take.say(Input::Keys(TerminalKeys { number, data })).await;
    }
    let last = typed.len() as u32;
    let answers = |take: &Take, lane: usize| {
        let moments = take.moments.iter();
        let echoes = moments.flat_map(|moment| moment.lanes[lane].echoes.clone());
        echoes.collect::<Vec<_>>()
    };
    let all = |take: &Take| {
        (0..2).all(|lane| {
            answers(take, lane)
                .last()
                .is_some_and(|it| it.number == last)
        })
    };
    take.until(all).await.unwrap();
    for lane in 0..2 {
        let echoes = answers(&take, lane);
        let numbers: Vec<u32> = echoes.iter().map(|echo| echo.number).collect();
        assert_eq!(numbers, (1..=last).collect::<Vec<_>>());
        for echo in echoes {
            // There and back.
            assert!(echo.shown_ns - echo.written_ns >= 130_000_000, "{echo:?}");
        }
        // Drawn at once or key by key, as the keys came.
        let shown = take.shown(lane);
        let (_, drawn) = shown.split_once("prepared").unwrap();
        let mut drawn = drawn.bytes();
        assert!(typed.iter().all(|key| drawn.any(|byte| byte == *key)));
    }
    let result = take.finish().await.unwrap();
    assert_eq!(result.reason, "");
    result.lanes.iter().for_each(expect_nothing_lost);
}
