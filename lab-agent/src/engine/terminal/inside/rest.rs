//! A terminal's lane at rest: before anybody types, and after all is over.
// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use tokio::time::sleep;

use crate::clock::now_ns;
use crate::endpoint::connection::unacknowledged_at_ends;
use crate::endpoint::ssh::Ssh;
use crate::engine::captures::Captures;
use crate::engine::rest::{CALM_LIMIT, Rest};
use crate::fault::{Fault, Outcome};
use crate::lane::Lane;

/// Between two looks while somebody waits for the terminal.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// Between two looks when the connection is closed.
const LAST_LOOK_EVERY: Duration = Duration::from_millis(5);
/// A lane whose emulator never empties is not waited for: the check tells.
const LAST_LIMIT: Duration = Duration::from_secs(10);

/// Waits until nothing is under way and everything acknowledged, so that no
/// packet of getting ready is counted among what is typed.
pub async fn wait(lane: &mut Lane, captures: &mut Captures, ssh: &Ssh) -> Outcome<()> {
    let at_rest = until_quiet(lane, captures, LOOK_EVERY, CALM_LIMIT, |lane, _| {
        Ok(unacknowledged_at_ends(ssh.sockets())? == 0 && lane.under_way()? == 0)
    });
    if at_rest.await? {
        return Ok(());
    }
    Err(Fault::Failed("the editor never stopped drawing".into()))
}

/// Waits until no packet comes through the emulator any more, for a while.
pub async fn empty(lane: &mut Lane, captures: &mut Captures) -> Outcome<()> {
    let mut packets = 0;
    let is_empty = |lane: &mut Lane, captures: &Captures| {
        let before = std::mem::replace(&mut packets, captures.packets());
        Ok(lane.under_way()? == 0 && packets == before)
    };
    let empty = until_quiet(lane, captures, LAST_LOOK_EVERY, LAST_LIMIT, is_empty);
    empty.await.map(drop)
}

/// Looks every so often until the lane is at rest; whether it was in time.
async fn until_quiet(
    lane: &mut Lane,
    captures: &mut Captures,
    every: Duration,
    limit: Duration,
    mut quiet: impl FnMut(&mut Lane, &Captures) -> Outcome<bool>,
) -> Outcome<bool> {
    let mut rest = Rest::begin(now_ns(), limit);
    while rest.has_time(now_ns()) {
        sleep(every).await;
        captures.drain()?;
        if rest.look(quiet(lane, captures)?) {
            return Ok(true);
        }
    }
    Ok(false)
}
