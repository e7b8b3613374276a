//! The same request gives the same bytes, however busy the machine is.
//!
//! Alone in its program, which Cargo runs before or after the others': what keeps every processor
//! busy would make tests in real time late. Needs what `host` needs.
// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab_proto::Mechanism;

#[path = "host/agent.rs"]
#[allow(dead_code, reason = "most of it is for the tests in `host`")]
mod agent;
#[path = "host/built_parts.rs"]
mod built_parts;
use agent::{Agent, audio, lane, same, spec};

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
