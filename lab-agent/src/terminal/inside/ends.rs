//! A terminal's lane with a capture at each end.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path as FilePath;
use std::time::Duration;

use lab_proto::{Counter, LaneSpec, Path};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::capture::Capture;
use crate::fault::{Fault, Outcome};
use crate::lane::{END_INTERFACE, Lane, calm, counters};
use crate::stream::connection::unacknowledged;
use crate::stream::ssh::Ssh;
use crate::stream::transfer::{RECEIVER_CAPTURE, SENDER_CAPTURE, source};

/// Between two looks into the rings when nothing else happens.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// What comes between two looks, many times over; fifty terminals have a
/// hundred rings, and a guest's memory is small.
const FRAMES: usize = 128;
/// Between two looks at whether a lane is at rest.
const REST_STEP: Duration = Duration::from_millis(2);
/// Longer than anything that is under way takes on a lane without loss.
const REST_LIMIT: Duration = Duration::from_secs(30);

/// See the module.
pub struct Ends {
    pub lane: Lane,
    /// The sender's, the receiver's.
    pub captures: [Capture; 2],
    spec: LaneSpec,
}

impl Ends {
    /// Makes the lane, and captures from its first packet on. Waits for the
    /// kernel: not for the service's thread.
    pub fn open(spec: &LaneSpec, folder: &FilePath) -> Outcome<Self> {
        let lane = Lane::open(spec)?;
        let capture = |name: &str, file: &str| {
            Capture::with_ring(END_INTERFACE, FRAMES, &source(name), &folder.join(file))
        };
        let at_sender = lane.sender().run(|| capture("sender", SENDER_CAPTURE))?;
        let at_receiver = lane
            .receiver()
            .run(|| capture("receiver", RECEIVER_CAPTURE))?;
        Ok(Self {
            lane,
            captures: [at_sender, at_receiver],
            spec: spec.clone(),
        })
    }

    /// Gives the lane a new state.
    pub fn change(mut self, spec: &LaneSpec) -> Outcome<Self> {
        self.lane.change(spec)?;
        self.spec = spec.clone();
        Ok(self)
    }

    /// The TCP counters of both ends.
    pub fn counters(&self) -> Outcome<(Vec<Counter>, Vec<Counter>)> {
        let at_sender = self.lane.sender().run(counters::read)?;
        Ok((at_sender, self.lane.receiver().run(counters::read)?))
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

    /// Takes what the rings hold.
    pub fn drain(&mut self) -> Outcome<()> {
        self.captures.iter_mut().try_for_each(Capture::drain)
    }

    /// Waits until nothing is under way and everything acknowledged, so that no
    /// packet of getting ready is counted among what is typed.
    pub async fn come_to_rest(&mut self, ssh: &Ssh) -> Outcome<()> {
        let rest = async {
            let mut quiet_looks = 0;
            while quiet_looks < 2 {
                tokio::time::sleep(REST_STEP).await;
                self.drain()?;
                let mut waiting = 0;
                for socket in ssh.sockets() {
                    waiting += unacknowledged(socket)?;
                }
                let quiet = waiting == 0 && self.inside()? == 0;
                quiet_looks = if quiet { quiet_looks + 1 } else { 0 };
            }
            Ok(())
        };
        tokio::time::timeout(REST_LIMIT, rest)
            .await
            .unwrap_or_else(|_| Err(Fault::Failed("the editor never stopped drawing".into())))
    }

    /// Packets inside the emulator.
    pub fn inside(&mut self) -> Outcome<u32> {
        let (forward, backward) = self.lane.queues()?;
        Ok(forward.inside + backward.inside)
    }
}

/// When to look into the rings.
pub fn looks() -> Interval {
    let mut looks = interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    looks
}
