//! A take's end: what is under way arrives, or is cut after a while; then the
//! books are closed.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use lab_proto::guest::demo_report::Report;
use lab_proto::guest::{DemoLaneLeft, DemoLeft};
use tokio::time::{Instant, sleep};

use super::take::Take;
use super::{Outlet, send};
use crate::fault::Outcome;
use crate::guest::waiting::blocking;
use crate::lane::Lane;
use crate::stream::{balance, connection, tcp_info};

/// Between two looks at whether the last packets are through.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// A lane that has not delivered everything after this is cut.
const REST_LIMIT: Duration = Duration::from_secs(5);
/// An emulator that never empties is not waited for: the check tells.
const EMPTY_LIMIT: Duration = Duration::from_secs(5);

/// Brings the take to rest and takes it down.
pub async fn leave(mut take: Take, reason: String, reports: &Outlet) -> Outcome<DemoLeft> {
    let mut reasons: Vec<String> = Some(reason).filter(|r| !r.is_empty()).into_iter().collect();
    let restless = rest(&mut take, reports).await?;
    let mut lanes = Vec::new();
    for (number, side) in take.sides.iter().enumerate() {
        let sockets = side.stream.as_ref().map(|stream| stream.sockets());
        let kernel = take.lanes.clone();
        lanes.push(DemoLaneLeft {
            // A connection that is dead may have nothing to tell.
            tcp_info: sockets.and_then(|sockets| tcp_info::read(sockets[0]).ok()),
            ..DemoLaneLeft::default()
        });
        let (at_sender, at_receiver) = blocking(move || kernel.counters(number)).await?;
        let left = &mut lanes[number];
        (left.counters, left.receiver_counters) = (at_sender, at_receiver);
    }
    for &number in &restless {
        let side = &mut take.sides[number];
        if let Some(stream) = side.stream.take().filter(|_| side.broken.is_none()) {
            reasons.push(format!(
                "lane {number} was cut: {} bytes had not arrived {} s after the last message",
                stream.missing(),
                REST_LIMIT.as_secs()
            ));
        }
        take.lanes.disconnect(number);
    }
    if !restless.is_empty() {
        for number in empty(&mut take, reports, &restless).await? {
            reasons.push(format!("lane {number} still held packets in its emulator"));
        }
    }
    for (number, side) in take.sides.iter_mut().enumerate() {
        for packets in side.packets.take(number as u32)? {
            send(reports, Report::Packets(packets)).await?;
        }
        let [at_sender, at_receiver] = side.packets.counts();
        let queues = take.lanes.with(number, Lane::queues)?;
        lanes[number].check = Some(balance::count(at_sender, at_receiver, queues));
    }
    Ok(DemoLeft {
        lanes,
        reason: reasons.join("; "),
    })
}

/// Waits until nothing is under way and everything acknowledged; gives the lanes
/// of which that cannot be said.
async fn rest(take: &mut Take, reports: &Outlet) -> Outcome<Vec<usize>> {
    let all: Vec<usize> = (0..take.sides.len()).collect();
    quiet(take, reports, &all, REST_LIMIT, |take, number| {
        let Some(stream) = &take.sides[number].stream else {
            return Ok(true);
        };
        let mut waiting = stream.missing() as usize;
        for socket in stream.sockets() {
            waiting += connection::unacknowledged(socket)?;
        }
        Ok(waiting == 0)
    })
    .await
}

/// Waits until the emulators of lanes are empty whose connections are closed.
async fn empty(take: &mut Take, reports: &Outlet, lanes: &[usize]) -> Outcome<Vec<usize>> {
    quiet(take, reports, lanes, EMPTY_LIMIT, |_, _| Ok(true)).await
}

/// Waits until lanes are `done` and nothing is in their emulators, in two looks
/// in a row: a packet that leaves one direction may be answered in the other.
/// Gives those that are not when `limit` is over, or their connection is dead.
async fn quiet(
    take: &mut Take,
    reports: &Outlet,
    lanes: &[usize],
    limit: Duration,
    done: impl Fn(&Take, usize) -> Outcome<bool>,
) -> Outcome<Vec<usize>> {
    let deadline = Instant::now() + limit;
    let mut looks = 0;
    loop {
        take.turn(sleep(LOOK_EVERY), reports).await?;
        let (mut dead, mut restless) = (Vec::new(), Vec::new());
        for &number in lanes {
            let side = &take.sides[number];
            if side.broken.is_some() && side.stream.is_some() {
                dead.push(number);
            } else if !done(take, number)? || !is_empty(take, number)? {
                restless.push(number);
            }
        }
        let quiet = restless.is_empty() && take.changes.is_idle();
        looks = if quiet { looks + 1 } else { 0 };
        if looks == 2 || Instant::now() >= deadline {
            restless.extend(dead);
            return Ok(restless);
        }
    }
}

fn is_empty(take: &Take, number: usize) -> Outcome<bool> {
    let queues = take.lanes.queues(number)?;
    Ok(queues.is_some_and(|(forward, backward)| forward.inside + backward.inside == 0))
}
