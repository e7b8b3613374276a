//! The packets of a lane, as both of its ends saw them.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::{CapturedFrame, DemoPackets};

use crate::capture::{Counts, Tap};
use crate::fault::Outcome;
use crate::lane::{END_INTERFACE, Lane};

/// Seconds of a thin stream: a take whose caller stands still for less goes on.
const FRAMES: usize = 1024;

/// The taps of one lane: the sender's, the receiver's.
pub struct Packets([Tap; 2]);

impl Packets {
    /// Listens from the lane's first packet on.
    pub fn open(lane: &Lane) -> Outcome<Self> {
        let tap = || Tap::open(END_INTERFACE, FRAMES);
        Ok(Self([lane.sender().run(tap)?, lane.receiver().run(tap)?]))
    }

    /// What was seen since the last call, by end; nothing where nothing was.
    pub fn take(&mut self, lane: u32) -> Outcome<Vec<DemoPackets>> {
        let mut taken = Vec::new();
        for (end, tap) in self.0.iter_mut().enumerate() {
            let mut frames = Vec::new();
            tap.drain(|packet| {
                frames.push(CapturedFrame {
                    at_ns: packet.at_ns,
                    outgoing: packet.outgoing,
                    bytes: packet.bytes.to_vec(),
                });
            });
            // A ring that was full still has packets in it.
            if frames.is_empty() {
                continue;
            }
            taken.push(DemoPackets {
                lane,
                receiver: end == 1,
                frames,
                overruns: tap.overruns()?.into(),
            });
        }
        Ok(taken)
    }

    /// The sender's, the receiver's.
    pub fn counts(&self) -> [Counts; 2] {
        [&self.0[0], &self.0[1]].map(|tap| Counts {
            sent: tap.sent(),
            received: tap.received(),
            file_bytes: 0,
        })
    }
}
