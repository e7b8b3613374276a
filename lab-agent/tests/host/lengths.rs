//! How long packets are, how much an end lets the other have under way, and how much leaves
//! before anything is acknowledged: all of it read off the captures.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{Baseline, BitErrors, BulkStream, LaneSpec, Mechanism, Path, Tcp};

use crate::agent::{Agent, Finished, lane, same, spec};
use crate::frames::{Frame, frames};

const ETHERNET_BYTES: usize = 14;
const WINDOW_BYTES: u32 = 32_768;
const BULK: Stream = Stream::Bulk(BulkStream { bytes: 1_000_000 });

/// The TCP Lite thesis's 802.11b, with a fault now and then so that holes are waited for.
fn over(mtu_bytes: (u32, u32), settings: Tcp) -> LaneSpec {
    let way = |mtu_bytes| {
        Some(Path {
            delay_us: 10_000,
            rate_bit_per_s: 11_000_000,
            bit_errors: Some(BitErrors {
                error_share_good: 1e-6,
                ..BitErrors::default()
            }),
            mtu_bytes,
            ..Path::default()
        })
    };
    LaneSpec {
        forward: way(mtu_bytes.0),
        backward: way(mtu_bytes.1),
        tcp: (settings != Tcp::default()).then_some(settings),
        baseline: Baseline::Newreno2008 as i32,
        ..lane(0.0, &[])
    }
}

/// A packet's length from its IP header on.
fn ip_bytes(frame: &Frame) -> usize {
    frame.bytes.len() - ETHERNET_BYTES
}

fn longest(capture: &[u8]) -> usize {
    let all = frames(capture);
    let left = all.iter().filter(|frame| frame.left);
    left.map(ip_bytes).max().unwrap()
}

/// The MSS and the window scale of the SYN or SYN-ACK that an end sent.
fn opening(capture: &[u8]) -> (u16, u8) {
    let all = frames(capture);
    let is_opening = |frame: &&Frame| frame.left && frame.tcp_flags() & Frame::SYN != 0;
    let syn = all.iter().find(is_opening).unwrap();
    let end = 34 + usize::from(syn.bytes[46] >> 4) * 4;
    let (mut mss, mut scale) = (0, 0);
    let mut options = &syn.bytes[54..end];
    while let [kind, rest @ ..] = options {
        if *kind <= 1 {
            options = rest;
            continue;
        }
        match *options {
            [2, 4, high, low, ..] => mss = u16::from_be_bytes([high, low]),
            [3, 3, shift, ..] => scale = shift,
            _ => {}
        }
        options = &options[usize::from(rest[0])..];
    }
    (mss, scale)
}

/// All that an end advertised behind its SYN, in bytes.
fn windows(capture: &[u8]) -> Vec<u32> {
    let (_, scale) = opening(capture);
    let all = frames(capture);
    let left = all.iter().filter(|frame| frame.left);
    let advertised = |frame: &Frame| {
        let window = u32::from(u16::from_be_bytes([frame.bytes[48], frame.bytes[49]]));
        let is_syn = frame.tcp_flags() & Frame::SYN != 0;
        if is_syn { window } else { window << scale }
    };
    left.map(advertised).collect()
}

/// Packets with data that left before anything of it was acknowledged.
fn first_flight(finished: &Finished) -> usize {
    let all = frames(&finished.sender);
    let first = all.iter().position(|frame| frame.left && frame.has_data());
    let flight = all[first.unwrap()..].iter();
    flight.take_while(|frame| frame.left).count()
}

#[tokio::test]
async fn no_packet_is_longer_than_the_path_takes() {
    let agent = Agent::start("virtual");
    let run = async |mtus| {
        let asked = spec(over(mtus, Tcp::default()), BULK);
        agent.run(asked).await.unwrap()
    };
    let plain = run((0, 0)).await;
    assert_eq!(longest(&plain.sender), 1500);
    let there = run((576, 0)).await;
    assert_eq!(longest(&there.sender), 576);
    // Each end asks for what the other direction takes.
    assert_eq!(opening(&there.sender).0, 1460);
    assert_eq!(opening(&there.receiver).0, 536);
    let both = run((576, 576)).await;
    assert_eq!(longest(&both.sender), 576);
    assert!(longest(&both.receiver) <= 576);
    assert_eq!(opening(&both.sender).0, 536);
    same(both, run((576, 576)).await);
}

#[tokio::test]
async fn what_an_end_advertises_never_exceeds_its_window() {
    let agent = Agent::start("virtual");
    for mtu in [0, 576, 1000] {
        for window_bytes in [4_096, WINDOW_BYTES, 100_001] {
            let settings = Tcp {
                window_bytes,
                ..Tcp::default()
            };
            let asked = spec(over((mtu, mtu), settings), BULK);
            let finished = agent.run(asked).await.unwrap();
            for end in [&finished.sender, &finished.receiver] {
                let most = windows(end).into_iter().max().unwrap();
                assert!(most <= window_bytes, "{most} of {window_bytes}, MTU {mtu}");
            }
            // And it comes near to it, or the limit would be another. Of a few segments, the
            // kernel keeps one for itself.
            let most = windows(&finished.receiver).into_iter().max().unwrap();
            if window_bytes >= WINDOW_BYTES {
                assert!(
                    most * 4 >= window_bytes * 3,
                    "{most} of {window_bytes}, MTU {mtu}"
                );
            }
        }
    }
    let asked = spec(over((0, 0), Tcp::default()), BULK);
    let finished = agent.run(asked).await.unwrap();
    let most = windows(&finished.receiver).into_iter().max().unwrap();
    assert!(most > 4 * WINDOW_BYTES, "{most}");
}

/// Damaged segments and whole ones are kept apart while they wait behind a hole, and take more
/// memory than a window of whole ones. A receiver that throws them away has lied to the sender.
#[tokio::test]
async fn what_waits_behind_a_hole_is_kept_although_it_is_damaged() {
    let agent = Agent::start("virtual");
    let settings = Tcp {
        window_bytes: WINDOW_BYTES,
        ..Tcp::default()
    };
    let mut lane = over((576, 576), settings);
    lane.mechanisms = vec![Mechanism::TcpLite as i32];
    let link = lane.forward.as_mut().unwrap();
    link.bit_errors = Some(BitErrors {
        good_us: 500_000,
        bad_us: 50_000,
        error_share_bad: 3e-4,
        ..BitErrors::default()
    });
    let stream = Stream::Bulk(BulkStream { bytes: 5_000_000 });
    let result = agent.run(spec(lane, stream)).await.unwrap().result;
    let of = |counters: &[lab_proto::Counter], name: &str| -> u64 {
        let mut named = counters.iter().filter(|one| one.name == name);
        named.next().map_or(0, |one| one.value)
    };
    assert!(of(&result.receiver_counters, "TcpExtTCPLiteSegs") > 100);
    assert!(of(&result.receiver_counters, "TcpExtTCPOFOQueue") > 100);
    assert_eq!(of(&result.receiver_counters, "TcpExtOfoPruned"), 0);
    assert_eq!(of(&result.counters, "TcpExtTCPSACKReneging"), 0);
}

#[tokio::test]
async fn as_many_packets_leave_at_first_as_are_allowed() {
    let agent = Agent::start("virtual");
    for (asked, meant) in [(0, 10), (1, 1), (3, 3)] {
        let settings = Tcp {
            initial_window_packets: asked,
            ..Tcp::default()
        };
        for mtu in [0, 576] {
            let asked = spec(over((mtu, mtu), settings), BULK);
            let finished = agent.run(asked).await.unwrap();
            assert_eq!(first_flight(&finished), meant);
        }
    }
}
