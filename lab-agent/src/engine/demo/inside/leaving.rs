//! A take's end: what is under way arrives, or is cut after a while; then the
//! books are closed.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use lab_proto::guest::live_report::Report;
use lab_proto::guest::{DemoLaneLeft, DemoLeft, LiveReport};

use super::application::Application;
use super::rest;
use super::take::Take;
use crate::endpoint::tcp_info;
use crate::engine::balance;
use crate::engine::live::inside::report;
use crate::engine::outlet::{Outlet, send};
use crate::fault::Outcome;
use crate::lane::Lane;
use crate::waiting::blocking;

/// A lane that has not delivered everything after this is cut.
const REST_LIMIT: Duration = Duration::from_secs(5);
/// An emulator that never empties is not waited for: the check tells.
const EMPTY_LIMIT: Duration = Duration::from_secs(5);

/// Brings the take to rest and takes it down.
pub async fn leave(
    mut take: Take,
    reason: String,
    reports: &Outlet<LiveReport>,
) -> Outcome<DemoLeft> {
    let mut reasons: Vec<String> = Some(reason).filter(|r| !r.is_empty()).into_iter().collect();
    let restless = rest::wait(&mut take, reports, REST_LIMIT).await?;
    for report in take.untold() {
        send(reports, report).await?;
    }
    let mut lanes = Vec::new();
    for (number, side) in take.sides.iter().enumerate() {
        let sockets = side.application.as_ref().map(Application::sockets);
        let kernel = take.lanes.clone();
        lanes.push(DemoLaneLeft {
            // A connection that is dead may have nothing to tell.
            tcp_info: sockets.and_then(|sockets| tcp_info::read(sockets[0]).ok()),
            ..DemoLaneLeft::default()
        });
        let (at_sender, at_receiver) =
            blocking(move || kernel.with(number, |lane| lane.counters())).await?;
        let left = &mut lanes[number];
        (left.counters, left.receiver_counters) = (at_sender, at_receiver);
    }
    for &number in &restless {
        let side = &mut take.sides[number];
        if let Some(application) = side.application.take()
            && side.broken.is_none()
        {
            reasons.push(format!(
                "lane {number} was cut: {} bytes had not arrived {} s after the end",
                application.missing()?,
                REST_LIMIT.as_secs()
            ));
        }
        take.lanes.with(number, Lane::disconnect);
    }
    if !restless.is_empty() {
        for number in rest::empty(&mut take, reports, &restless, EMPTY_LIMIT).await? {
            reasons.push(format!("lane {number} still held packets in its emulator"));
        }
    }
    for (number, side) in take.sides.iter_mut().enumerate() {
        for packets in side.packets.take(number as u32)? {
            send(reports, report(Report::Packets(packets))).await?;
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
