//! The queue before a path's rate: how long packets stand in it, what it drops,
//! and what it marks instead.
// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

use lab_proto::path::Loss;
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    Baseline, BulkStream, DirectionCheck, LaneChange, LaneSpec, Path, QueueDiscipline, SessionLane,
    SessionSpec, UniformLoss,
};

use crate::agent::{Agent, Finished, changing, lane, same, spec, thin};
use crate::frames::{Frame, frames};

/// 500 000 bytes a second: a byte takes 2 µs exactly.
const RATE_BIT_PER_S: u64 = 4_000_000;
const DELAY_US: u64 = 20_000;
const FULL_PACKET_MS: f64 = 1514.0 * 8.0 / 4000.0;
const PACKETS: u32 = 100;
const BULK_BYTES: u64 = 3_000_000;

fn bulk(bytes: u64) -> Stream {
    Stream::Bulk(BulkStream { bytes })
}

fn path(discipline: QueueDiscipline) -> Path {
    Path {
        delay_us: DELAY_US,
        rate_bit_per_s: RATE_BIT_PER_S,
        queue_packets: PACKETS,
        queue_discipline: discipline as i32,
        ..Path::default()
    }
}

/// Both ways, under the kernel's defaults: cubic, with SACK and RACK.
fn over(path: Path) -> LaneSpec {
    LaneSpec {
        forward: Some(path.clone()),
        backward: Some(path),
        baseline: Baseline::Modern as i32,
        ..lane(0.0, &[])
    }
}

fn forward_check(finished: &Finished) -> DirectionCheck {
    finished.result.check.unwrap().forward.unwrap()
}

/// How long each full packet from the sender took, in order of leaving; ms.
fn delays_ms(finished: &Finished) -> Vec<f64> {
    let came: HashMap<_, _> = frames(&finished.receiver)
        .iter()
        .filter(|frame| !frame.left)
        .map(|frame| (frame.key(), frame.at_ns))
        .collect();
    let left = frames(&finished.sender);
    let left = left.iter().filter(|frame| frame.left && frame.is_full());
    left.filter_map(|frame| Some((came.get(&frame.key())? - frame.at_ns) as f64 / 1e6))
        .collect()
}

/// Of the second half, when the start is over; without delay and the packet's own time.
fn standing_ms(finished: &Finished) -> f64 {
    let delays = delays_ms(finished);
    let mut later = delays[delays.len() / 2..].to_vec();
    later.sort_by(f64::total_cmp);
    later[later.len() / 2] - DELAY_US as f64 / 1000.0 - FULL_PACKET_MS
}

fn longest_ms(finished: &Finished) -> f64 {
    delays_ms(finished).into_iter().fold(0.0, f64::max)
}

/// A queue of its own that never fills delays as netem's does. A guest's clock counts
/// in steps, and what else is random differs: making an interface draws its address.
#[tokio::test]
async fn before_a_queue_fills_it_changes_nothing() {
    // Its time on the line is worked out by another part of the kernel.
    const STEP_NS: u64 = (FULL_PACKET_MS * 1e6 / 10.0) as u64;
    let agent = Agent::start("virtual");
    for stream in [bulk(400_000), thin(50)] {
        let run = async |discipline| {
            let wide = Path {
                queue_packets: 0,
                ..path(discipline)
            };
            agent.run(spec(over(wide), stream.clone())).await.unwrap()
        };
        let netems = run(QueueDiscipline::Unspecified).await;
        let own = run(QueueDiscipline::Fifo).await;
        for (netems, own) in [
            (&netems.sender, &own.sender),
            (&netems.receiver, &own.receiver),
        ] {
            let (netems, own) = (frames(netems), frames(own));
            assert_eq!(netems.len(), own.len());
            for (one, other) in netems.iter().zip(&own) {
                let what = |frame: &Frame<'_>| (frame.left, frame.bytes.len());
                assert_eq!(what(one), what(other));
                let off_ns = one.at_ns.abs_diff(other.at_ns);
                assert!(off_ns <= STEP_NS, "{off_ns} ns");
            }
        }
    }
}

#[tokio::test]
async fn codel_keeps_the_queue_short_that_fifo_fills() {
    let agent = Agent::start("virtual");
    let run = async |discipline| {
        let spec = spec(over(path(discipline)), bulk(BULK_BYTES));
        agent.run(spec).await.unwrap()
    };
    let fifo = run(QueueDiscipline::Fifo).await;
    let full_ms = f64::from(PACKETS) * FULL_PACKET_MS;
    // All that waits, what is being sent, and the packet itself.
    let most_ms = DELAY_US as f64 / 1000.0 + full_ms + 2.0 * FULL_PACKET_MS;
    let longest = longest_ms(&fifo);
    assert!(
        longest <= most_ms && longest > most_ms - 3.0 * FULL_PACKET_MS,
        "{longest} of {most_ms}"
    );
    assert!(forward_check(&fifo).dropped_packets > 0);
    let codel = run(QueueDiscipline::Codel).await;
    assert!(forward_check(&codel).dropped_packets > 0);
    let (fifos, codels) = (standing_ms(&fifo), standing_ms(&codel));
    // CoDel lets 5 ms stand, and what a window of cubic's swings about it.
    assert!(codels < 20.0 && fifos > 100.0, "{codels} and {fifos}");
    same(codel, run(QueueDiscipline::Codel).await);
}

#[tokio::test]
async fn fq_codel_lets_a_thin_stream_by() {
    let agent = Agent::start("virtual");
    let mut p99 = Vec::new();
    for discipline in [QueueDiscipline::Fifo, QueueDiscipline::FqCodel] {
        let mut request = spec(over(path(discipline)), thin(60));
        request.shared_bottleneck = true;
        let whole = over(path(discipline));
        request.lanes.push(SessionLane {
            lane: Some(LaneSpec {
                forward: None,
                backward: None,
                seed: 0,
                ..whole
            }),
            flows: vec![bulk(BULK_BYTES).into(), bulk(BULK_BYTES).into()],
            ..SessionLane::default()
        });
        let all = agent.run_all(request).await.unwrap();
        p99.push(all[&(0, 0)].latency().p99_us / 1000.0);
    }
    let (fifo, fq_codel) = (p99[0], p99[1]);
    // At most one packet is on the line when a message comes, and one of each other
    // flow may have its turn first.
    let most_ms = DELAY_US as f64 / 1000.0 + 4.0 * FULL_PACKET_MS;
    assert!(fq_codel < most_ms && fifo > 100.0, "{fq_codel} and {fifo}");
}

/// Of a long queue: cubic would fill it, RED drops before.
#[tokio::test]
async fn red_drops_before_the_queue_is_full() {
    let agent = Agent::start("virtual");
    let bytes = Path {
        queue_packets: 0,
        queue_bytes: PACKETS * 1514,
        ..path(QueueDiscipline::Red)
    };
    let run = async |path| agent.run(spec(over(path), bulk(BULK_BYTES))).await.unwrap();
    let red = run(bytes.clone()).await;
    assert!(forward_check(&red).dropped_packets > 0);
    // Chance is the seed's.
    let mut other = over(bytes);
    other.seed += 1;
    let other = agent.run(spec(other, bulk(BULK_BYTES))).await.unwrap();
    assert_ne!(delays_ms(&other), delays_ms(&red));
    let fifo = run(path(QueueDiscipline::Fifo)).await;
    let (reds, fifos) = (standing_ms(&red), standing_ms(&fifo));
    assert!(reds < 0.6 * fifos, "{reds} and {fifos}");
    // Packets mean the same, and the same request gives the same bytes.
    same(red, run(path(QueueDiscipline::Red)).await);
}

#[tokio::test]
async fn ecn_marks_instead_of_dropping_and_both_hosts_speak_it() {
    let agent = Agent::start("virtual");
    // RED's average follows the queue late, and its marks wait in it: where slow start ends
    // early, a queue must be short for it to see any, and else long enough to drop none.
    for (discipline, of_modern, of_newreno, bytes) in [
        (QueueDiscipline::Codel, 400, 400, 1_500_000),
        (QueueDiscipline::FqCodel, 400, 400, 1_500_000),
        (QueueDiscipline::Red, 200, 800, 3_000_000),
    ] {
        for (baseline, queue_packets) in [
            (Baseline::Modern, of_modern),
            (Baseline::Newreno2008, of_newreno),
        ] {
            let marking = Path {
                ecn: true,
                queue_packets,
                ..path(discipline)
            };
            let lane = LaneSpec {
                baseline: baseline as i32,
                ..over(marking)
            };
            let finished = agent.run(spec(lane, bulk(bytes))).await.unwrap();
            let (sender, receiver) = (frames(&finished.sender), frames(&finished.receiver));
            let setup = Frame::SYN | Frame::ECE | Frame::CWR;
            assert!(
                sender
                    .iter()
                    .any(|f| f.left && f.tcp_flags() & setup == setup)
            );
            assert!(!sender.iter().any(|f| f.left && f.ecn() == Frame::CE));
            let marked = receiver.iter().filter(|f| !f.left && f.ecn() == Frame::CE);
            let marked = marked.count();
            assert!(marked > 0, "{discipline:?} {baseline:?}");
            let echoes = |f: &&Frame<'_>| !f.left && f.tcp_flags() & setup == Frame::ECE;
            assert!(sender.iter().filter(echoes).count() >= marked.min(2));
            let reduced = |f: &&Frame<'_>| f.left && f.tcp_flags() & setup == Frame::CWR;
            assert!(sender.iter().filter(reduced).count() > 0);
            assert_eq!(
                forward_check(&finished).dropped_packets,
                0,
                "{discipline:?}"
            );
        }
    }
    // Without being asked nobody does.
    let plain = over(path(QueueDiscipline::Codel));
    let plain = agent.run(spec(plain, bulk(1_500_000))).await.unwrap();
    assert!(frames(&plain.receiver).iter().all(|frame| frame.ecn() == 0));
    assert!(forward_check(&plain).dropped_packets > 0);
}

#[tokio::test]
async fn a_queue_in_bytes_holds_as_many_small_packets_as_fit() {
    let agent = Agent::start("virtual");
    let bytes = Path {
        queue_packets: 0,
        queue_bytes: 10 * 1514,
        ..path(QueueDiscipline::Unspecified)
    };
    let finished = agent
        .run(spec(over(bytes), bulk(BULK_BYTES)))
        .await
        .unwrap();
    assert!(forward_check(&finished).dropped_packets > 0);
    let most_ms = DELAY_US as f64 / 1000.0 + 12.0 * FULL_PACKET_MS;
    let longest = longest_ms(&finished);
    assert!(
        longest <= most_ms && longest > most_ms - 2.0 * FULL_PACKET_MS,
        "{longest} of {most_ms}"
    );
}

/// Every discipline after every other, while packets wait: none is lost uncounted,
/// or the session would fail.
#[tokio::test]
async fn the_queue_changes_while_packets_wait() {
    let agent = Agent::start("virtual");
    let paths = [
        path(QueueDiscipline::Unspecified),
        path(QueueDiscipline::Fifo),
        Path {
            rate_bit_per_s: 2 * RATE_BIT_PER_S,
            ..path(QueueDiscipline::Fifo)
        },
        path(QueueDiscipline::FqCodel),
        path(QueueDiscipline::Red),
        Path {
            rate_bit_per_s: RATE_BIT_PER_S / 2,
            ..path(QueueDiscipline::Red)
        },
        path(QueueDiscipline::Codel),
        path(QueueDiscipline::Unspecified),
        path(QueueDiscipline::Codel),
    ];
    let change = |(nth, path): (usize, &Path)| LaneChange {
        at_ns: nth as u64 * 400_000_000,
        spec: Some(over(path.clone())),
    };
    let changes: Vec<_> = paths.iter().enumerate().skip(1).map(change).collect();
    let request: SessionSpec = changing(over(paths[0].clone()), bulk(BULK_BYTES), changes);
    let finished = agent.run(request.clone()).await.unwrap();
    assert!(forward_check(&finished).dropped_packets > 0);
    assert_eq!(finished.result.changed_bytes, 0);
    same(finished, agent.run(request).await.unwrap());
}

/// What waits leaves at the rate that is in force, and not at that which it met.
#[tokio::test]
async fn a_change_of_rate_reaches_what_waits() {
    let agent = Agent::start("virtual");
    let at = |nth: u64, rate_bit_per_s| LaneChange {
        at_ns: nth * 1_000_000_000,
        spec: Some(over(Path {
            rate_bit_per_s,
            ..path(QueueDiscipline::Fifo)
        })),
    };
    let rates = [RATE_BIT_PER_S, RATE_BIT_PER_S / 10];
    let changes = (1..40)
        .map(|nth| at(nth, rates[nth as usize % 2]))
        .collect();
    let mut request = changing(at(0, rates[0]).spec.unwrap(), bulk(BULK_BYTES), changes);
    request.lanes[0].changes_may_remain = true;
    let finished = agent.run(request.clone()).await.unwrap();
    let came = frames(&finished.receiver);
    let begins_ns = came.iter().find(|frame| frame.is_full()).unwrap().at_ns;
    let came = came.iter().filter(|frame| !frame.left && frame.is_full());
    let mut in_second = [0; 6];
    for frame in came {
        let second = (frame.at_ns - begins_ns) / 1_000_000_000;
        if let Some(count) = in_second.get_mut(second as usize) {
            *count += 1;
        }
    }
    // The first is over the path's delay late, and by the start of the connection.
    for (second, &packets) in in_second.iter().enumerate().skip(1) {
        let whole = rates[second % 2] as f64 / (1514.0 * 8.0);
        let off = (f64::from(packets) - whole).abs();
        assert!(off < 0.05 * whole + 8.0, "{second}: {packets} of {whole}");
    }
    request.lanes[0].changes_may_remain = false;
    let late = agent.run(request).await.unwrap_err();
    assert!(late.message().contains("is after the streams"), "{late}");
}

/// Whatever two senders do, they lose in the same moments.
#[tokio::test]
async fn losses_in_intervals_take_what_comes_in_them_and_nothing_else() {
    let agent = Agent::start("virtual");
    let (begins, ends) = (2_000_000_000, 2_700_000_000);
    let losing = |loss_share| {
        let mut spec = lane(0.0, &[]);
        let forward = spec.forward.as_mut().unwrap();
        forward.loss = Some(Loss::Uniform(UniformLoss { loss_share }));
        spec
    };
    let changes = [(begins, 1.0), (ends, 0.0)].map(|(at_ns, loss_share)| LaneChange {
        at_ns,
        spec: Some(losing(loss_share)),
    });
    let request = changing(losing(0.0), thin(40), changes.to_vec());
    let finished = agent.run(request).await.unwrap();
    let came: Vec<_> = frames(&finished.receiver)
        .iter()
        .filter(|frame| !frame.left)
        .map(Frame::key)
        .collect();
    let left = frames(&finished.sender);
    let left: Vec<_> = left.iter().filter(|frame| frame.left).collect();
    // The first message leaves when the stream begins.
    let starts_ns = left
        .iter()
        .find(|frame| frame.bytes.len() > 100)
        .unwrap()
        .at_ns;
    let mut lost = 0;
    for frame in left {
        let inside = (begins..ends).contains(&(frame.at_ns.saturating_sub(starts_ns)));
        assert_eq!(came.contains(&frame.key()), !inside, "{}", frame.at_ns);
        lost += u64::from(inside);
    }
    assert!(lost >= 4, "{lost}");
    assert_eq!(forward_check(&finished).dropped_packets, lost);
}
