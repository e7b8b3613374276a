//! A terminal's lane with a capture at each end.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path as FilePath;
use std::time::Duration;

use lab_proto::{LaneSpec, Path};
use tokio::time::{Instant, sleep};

use crate::clock::now_ns;
use crate::endpoint::connection::unacknowledged_at_ends;
use crate::endpoint::ssh::Ssh;
use crate::engine::captures::Captures;
use crate::engine::rest::Rest;
use crate::engine::ticker::Ticker;
use crate::fault::{Fault, Outcome};
use crate::lane::{Lane, calm};

/// Between two looks into the rings when nothing else happens.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// What comes between two looks, many times over; fifty terminals have a
/// hundred rings, and a guest's memory is small.
const FRAMES: usize = 128;
/// Between two looks at whether a lane is at rest.
const REST_STEP: Duration = Duration::from_millis(2);
/// The same when the connection is closed.
const LAST_STEP: Duration = Duration::from_millis(5);
/// Longer than anything that is under way takes on a lane without loss.
const REST_LIMIT: Duration = Duration::from_secs(30);
/// A lane whose emulator never empties is not waited for: the check tells.
const LAST_LIMIT: Duration = Duration::from_secs(10);

/// See the module.
pub struct Ends {
    pub lane: Lane,
    pub captures: Captures,
    spec: LaneSpec,
}

impl Ends {
    /// Makes the lane, and captures from its first packet on. Waits for the
    /// kernel: not for the service's thread.
    pub fn open(spec: &LaneSpec, folder: &FilePath) -> Outcome<Self> {
        let lane = Lane::open(spec)?;
        Ok(Self {
            captures: Captures::open(&lane, FRAMES, folder)?,
            lane,
            spec: spec.clone(),
        })
    }

    /// Gives the lane a new state.
    pub fn change(mut self, spec: &LaneSpec) -> Outcome<Self> {
        self.lane.change(spec)?;
        self.spec = spec.clone();
        Ok(self)
    }

    /// The lane's state without what gets in the way.
    pub fn calm(&self) -> LaneSpec {
        calm(&self.spec)
    }

    /// Of the lane alone.
    pub fn round_trip(&self) -> Duration {
        let delay_us = |path: Option<Path>| path.map_or(0, |path| path.delay_us);
        Duration::from_micros(delay_us(self.spec.forward) + delay_us(self.spec.backward))
    }

    /// Waits until nothing is under way and everything acknowledged, so that no
    /// packet of getting ready is counted among what is typed.
    pub async fn come_to_rest(&mut self, ssh: &Ssh) -> Outcome<()> {
        let at_rest = self.until_quiet(REST_STEP, REST_LIMIT, |ends| {
            Ok(unacknowledged_at_ends(ssh.sockets())? == 0 && ends.lane.under_way()? == 0)
        });
        if at_rest.await? {
            return Ok(());
        }
        Err(Fault::Failed("the editor never stopped drawing".into()))
    }

    /// Waits until no packet comes through the emulator any more, for a while.
    pub async fn run_empty(&mut self) -> Outcome<()> {
        let mut packets = 0;
        let empty = self.until_quiet(LAST_STEP, LAST_LIMIT, |ends| {
            let before = std::mem::replace(&mut packets, ends.captures.packets());
            Ok(ends.lane.under_way()? == 0 && packets == before)
        });
        empty.await.map(drop)
    }

    /// Looks every so often until the lane is at rest; whether it was in time.
    async fn until_quiet(
        &mut self,
        every: Duration,
        limit: Duration,
        mut quiet: impl FnMut(&mut Self) -> Outcome<bool>,
    ) -> Outcome<bool> {
        let mut rest = Rest::begin(now_ns(), limit);
        while rest.has_time(now_ns()) {
            sleep(every).await;
            self.captures.drain()?;
            if rest.look(quiet(self)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// When to look into the rings.
pub fn looks() -> Ticker {
    Ticker::new(LOOK_EVERY, Instant::now())
}
