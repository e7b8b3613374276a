//! Waiting for what the kernel sends, until a time.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, poll};

use crate::clock;
use crate::tun::Tun;

/// Something that receives from an interface and keeps it in order.
pub trait Arrivals {
    /// A packet, and when it came.
    type Came;

    /// The time, in nanoseconds.
    fn now(&self) -> i64;

    /// Where packets come from.
    fn tun(&self) -> &Tun;

    /// Takes what the kernel has sent, and checks it.
    fn drain(&mut self) -> Result<()>;

    /// The oldest packet that nobody has asked for.
    fn oldest(&mut self) -> Option<Self::Came>;

    /// Waits, and takes what the kernel sends meanwhile.
    fn wait_until(&mut self, time: i64) -> Result<()> {
        loop {
            self.drain()?;
            let left = time - self.now();
            if left <= 0 {
                return Ok(());
            }
            wait(self.tun(), left)?;
        }
    }

    /// The next thing that the kernel sent or sends, if it does so in time.
    fn next_segment(&mut self, until: i64) -> Result<Option<Self::Came>> {
        loop {
            self.drain()?;
            if let Some(came) = self.oldest() {
                return Ok(Some(came));
            }
            let left = until - self.now();
            if left <= 0 {
                return Ok(None);
            }
            wait(self.tun(), left)?;
        }
    }
}

fn wait(tun: &Tun, ns: i64) -> Result<()> {
    let mut polled = [PollFd::new(tun, PollFlags::IN)];
    poll(&mut polled, Some(&clock::within(ns))).context("waiting for a packet")?;
    Ok(())
}
