//! Waiting until nothing is under way any more.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use lab_proto::guest::LiveReport;
use tokio::time::sleep;

use super::application::Application;
use super::take::Take;
use crate::clock::now_ns;
use crate::engine::outlet::Outlet;
use crate::engine::rest::Rest;
use crate::fault::Outcome;

/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Waits until everything is acknowledged and read on every lane; gives those of
/// which that cannot be said.
pub async fn wait(
    take: &mut Take,
    reports: &Outlet<LiveReport>,
    limit: Duration,
) -> Outcome<Vec<usize>> {
    let all: Vec<usize> = (0..take.sides.len()).collect();
    quiet(take, reports, &all, limit, |take, number| {
        let application = take.sides[number].application.as_ref();
        Ok(application.map_or(Ok(0), Application::missing)? == 0)
    })
    .await
}

/// Waits until the emulators of lanes are empty whose connections are closed.
pub async fn empty(
    take: &mut Take,
    reports: &Outlet<LiveReport>,
    lanes: &[usize],
    limit: Duration,
) -> Outcome<Vec<usize>> {
    quiet(take, reports, lanes, limit, |_, _| Ok(true)).await
}

/// Waits until lanes are `done` and nothing is in their emulators, and gives
/// those that are not when `limit` is over, or their connection is dead.
async fn quiet(
    take: &mut Take,
    reports: &Outlet<LiveReport>,
    lanes: &[usize],
    limit: Duration,
    done: impl Fn(&Take, usize) -> Outcome<bool>,
) -> Outcome<Vec<usize>> {
    let mut rest = Rest::begin(now_ns(), limit);
    let (mut dead, mut restless) = (Vec::new(), Vec::new());
    while rest.has_time(now_ns()) {
        take.turn(sleep(LOOK_EVERY), reports).await?;
        dead.clear();
        restless.clear();
        for &number in lanes {
            let side = &take.sides[number];
            if side.broken.is_some() && side.application.is_some() {
                dead.push(number);
            } else if !done(take, number)? || !is_empty(take, number)? {
                restless.push(number);
            }
        }
        if rest.look(restless.is_empty() && take.changes.is_idle()) {
            break;
        }
    }
    restless.extend(dead);
    Ok(restless)
}

fn is_empty(take: &Take, number: usize) -> Outcome<bool> {
    Ok(take.lanes.under_way(number)? == Some(0))
}
