//! The same request gives the same bytes, however busy the machine is.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab_proto::Mechanism;

use crate::agent::{Agent, audio, lane, same, spec, thin};

/// Threads that want every processor as long as they live.
struct Load {
    stop: Arc<AtomicBool>,
}

impl Load {
    fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let processors = std::thread::available_parallelism().unwrap().get();
        for _ in 0..2 * processors {
            let stop = Arc::clone(&stop);
            std::thread::spawn(move || while !stop.load(Ordering::Relaxed) {});
        }
        Self { stop }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_busy_machine_gives_the_same_bytes() {
    let agent = Agent::start("virtual");
    let request = || spec(lane(0.03, &[Mechanism::LinearTimeouts]), audio(10));
    let calm = agent.run(request()).await.unwrap();
    let load = Load::start();
    let busy = agent.run(request()).await.unwrap();
    drop(load);
    assert!(calm.result.check.unwrap().forward.unwrap().dropped_packets > 0);
    same(calm, busy);
}

#[tokio::test]
async fn another_agent_gives_the_same_bytes() {
    let request = || spec(lane(0.05, &[]), thin(500));
    let one = Agent::start("virtual").run(request()).await.unwrap();
    let other = Agent::start("virtual").run(request()).await.unwrap();
    same(one, other);
}

#[tokio::test]
async fn another_seed_loses_other_packets() {
    let agent = Agent::start("virtual");
    let one = agent.run(spec(lane(0.05, &[]), thin(500))).await.unwrap();
    let mut lane = lane(0.05, &[]);
    lane.seed += 1;
    let other = agent.run(spec(lane, thin(500))).await.unwrap();
    assert_ne!(one.result.metrics, other.result.metrics);
}
