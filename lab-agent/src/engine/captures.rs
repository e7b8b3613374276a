//! What both ends of a lane see, each into a file of the run's folder.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use crate::capture::{Capture, Counts, Source};
use crate::fault::{Fault, Outcome};
use crate::lane::{END_INTERFACE, Lane};
use crate::spool;

/// The sender's capture and the receiver's.
pub struct Captures([Capture; 2]);

/// Of both ends.
pub struct Seen {
    /// What the sender's saw.
    pub sender: Counts,
    /// What the receiver's saw.
    pub receiver: Counts,
    /// Packets that a full ring kept out of the files.
    pub overruns: u64,
}

impl Captures {
    /// Captures from now on, with room for so many packets between two looks.
    pub fn open(lane: &Lane, frames: usize, folder: &Path) -> Outcome<Self> {
        let system = rustix::system::uname();
        let release = system.release().to_string_lossy();
        let capture = |node: &str, file: &str| {
            let source = source(&release, node);
            Capture::start(END_INTERFACE, frames, &source, &folder.join(file))
        };
        let [at_sender, at_receiver] = spool::captures(lane.number());
        let sender = lane.sender().run(|| capture("sender", &at_sender))?;
        let receiver = lane.receiver().run(|| capture("receiver", &at_receiver))?;
        Ok(Self([sender, receiver]))
    }

    /// Takes what the rings hold.
    pub fn drain(&mut self) -> Outcome<()> {
        self.0.iter_mut().try_for_each(Capture::drain)
    }

    /// How many packets were seen so far, a packet at both ends twice.
    pub fn packets(&self) -> u64 {
        self.0.iter().map(Capture::packets).sum()
    }

    /// When the last packet was seen.
    pub fn newest_ns(&self) -> u64 {
        let newest = self.0.iter().map(Capture::newest_ns);
        newest.max().unwrap_or_default()
    }

    /// Takes the rest and closes the files.
    pub fn finish(self) -> Outcome<Seen> {
        let [sender, receiver] = self.0;
        let (sender, sender_overruns) = sender.finish()?;
        let (receiver, receiver_overruns) = receiver.finish()?;
        Ok(Seen {
            sender,
            receiver,
            overruns: u64::from(sender_overruns) + u64::from(receiver_overruns),
        })
    }
}

impl Seen {
    /// For a run whose captures must have no hole.
    ///
    /// # Errors
    /// `Failed` when a ring was full at some time.
    pub fn whole(self) -> Outcome<Self> {
        match self.overruns {
            0 => Ok(self),
            overruns => Err(Fault::Failed(format!(
                "the capture lost {overruns} packets: the ring was full; lower the rate of the \
                 stream"
            ))),
        }
    }
}

/// What a capture at `node` of a lane on this kernel says about itself.
pub fn source(kernel_release: &str, node: &str) -> Source {
    Source {
        system: format!("Linux {kernel_release}"),
        interface: format!("{node}:{END_INTERFACE}"),
    }
}
