//! The same request gives the same bytes, and another seed others. On a busy machine: `busy.rs`.
// SPDX-License-Identifier: Apache-2.0
use crate::agent::{Agent, lane, same, spec, thin};

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
