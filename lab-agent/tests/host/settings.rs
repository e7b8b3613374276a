//! What a session tells of its lane's settings is what the kernel had.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Baseline, LaneChange, LaneSpec, Mechanism, Path, QueueDiscipline};

use crate::agent::{Agent, Finished, changing, lane, spec, thin};

const UNCHANGED: &str = "# after the last\nthe same\n";

fn told(finished: &Finished) -> &str {
    std::str::from_utf8(&finished.settings).unwrap()
}

/// The lines of one of a lane's nodes, before the first message.
fn node<'a>(settings: &'a str, name: &str) -> Vec<&'a str> {
    let before = settings.split("# after the last").next().unwrap();
    let mut lines = before.lines();
    lines.find(|line| *line == format!("[{name}]")).unwrap();
    lines.take_while(|line| !line.starts_with('[')).collect()
}

#[tokio::test]
async fn settings_are_those_of_the_condition() {
    let agent = Agent::start("virtual");
    let modern = LaneSpec {
        baseline: Baseline::Modern as i32,
        ..lane(0.02, &[Mechanism::Bundling])
    };
    let finished = agent.run(spec(modern.clone(), thin(5))).await.unwrap();
    let settings = told(&finished);
    for end in ["sender", "receiver"] {
        let lines = node(settings, end);
        for wanted in [
            "net.ipv4.tcp_congestion_control = cubic",
            "net.ipv4.tcp_recovery = 1",
            "net.ipv4.tcp_thin_dupack = 0",
        ] {
            assert!(
                lines.contains(&wanted),
                "{end}: {wanted} is not in {settings}"
            );
        }
        let bundling = lines.iter().find(|line| line.contains("tcp_rdb = "));
        assert_ne!(*bundling.unwrap(), "net.ipv4.tcp_rdb = 0");
    }
    let emulator = node(settings, "emulator");
    let netem = emulator
        .iter()
        .filter(|line| line.starts_with("qdisc netem 1: "));
    assert_eq!(netem.count(), 2, "{settings}");
    assert!(settings.ends_with(UNCHANGED), "{settings}");

    // The same condition under another seed is set up the same.
    let other_seed = LaneSpec {
        seed: 7,
        ..modern.clone()
    };
    let again = agent.run(spec(other_seed, thin(5))).await.unwrap();
    assert_eq!(told(&again), settings);
    let other_loss = LaneSpec {
        seed: 42,
        baseline: modern.baseline,
        ..lane(0.03, &[Mechanism::Bundling])
    };
    let other = agent.run(spec(other_loss, thin(5))).await.unwrap();
    assert_ne!(told(&other), settings);
}

#[tokio::test]
async fn a_change_on_the_way_shows_at_the_end() {
    let agent = Agent::start("virtual");
    let off = lane(0.0, &[]);
    let queue = Path {
        rate_bit_per_s: 1_000_000,
        queue_discipline: QueueDiscipline::Codel as i32,
        ..off.forward.clone().unwrap()
    };
    let on = LaneSpec {
        forward: Some(queue),
        ..lane(0.0, &[Mechanism::Bundling])
    };
    let change = LaneChange {
        at_ns: 300_000_000,
        spec: Some(on),
    };
    let finished = agent
        .run(changing(off, thin(5), vec![change]))
        .await
        .unwrap();
    let (before, after) = told(&finished).split_once("# after the last").unwrap();
    assert!(before.contains("net.ipv4.tcp_rdb = 0"), "{before}");
    assert!(!after.contains("net.ipv4.tcp_rdb = 0"), "{after}");
    assert!(!before.contains("qdisc codel"), "{before}");
    assert!(after.contains("qdisc codel"), "{after}");
}

/// A lane writes only what its namespaces do not have from the beginning.
#[tokio::test]
async fn a_lane_without_mechanisms_has_the_kernels_defaults() {
    let agent = Agent::start("virtual");
    let finished = agent.run(spec(lane(0.0, &[]), thin(2))).await.unwrap();
    for wanted in [
        "tcp_thin_linear_timeouts = 0",
        "tcp_thin_dupack = 0",
        "tcp_thin_window_floor = 0",
        "tcp_thin_probe = 0",
        "tcp_thin_tail_copy = 0",
        "tcp_thin_write_recovery = 0",
        "tcp_rdb = 0",
        "tcp_rdb_target = 0",
        "tcp_rdb_max_bytes = 0",
        "tcp_rdb_max_packets = 0",
        "tcp_rdb_congestion = 1",
        "tcp_rdb_min_iat_us = 5000",
    ] {
        let line = format!("net.ipv4.{wanted}");
        let lines = node(told(&finished), "sender");
        assert!(lines.contains(&line.as_str()), "{line} is not in {lines:?}");
    }
}
