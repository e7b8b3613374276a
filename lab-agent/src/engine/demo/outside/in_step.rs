//! The receivers of all lanes, in step: the next 10 ms are played on all of them
//! once it is known what each would have received until then. So what is heard
//! does not depend on how late the machine is with anything. No clock.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::PlayoutState;
use thinlab_playout::{Codec, LivePlayout, Message, TICK_SAMPLES};

use super::way::Way;
use crate::fault::{Fault, Outcome};
use crate::lane::protocol::Protocol;

/// What there is to know. Instants are of one clock.
pub enum Told {
    /// A message that goes to every lane.
    Sent {
        /// Its bytes.
        bytes: Vec<u8>,
        /// When its last sample was captured.
        captured_ns: u64,
    },
    /// A lane's socket had a message.
    Written {
        lane: usize,
        number: u64,
        at_ns: u64,
    },
    /// A lane's receiver has read a message.
    Arrived {
        lane: usize,
        number: u64,
        at_ns: u64,
        /// Right after a standstill of the guest: so long ago that began.
        held_ns: u64,
        /// What of it was read otherwise than it was sent: where, and what.
        changed: Vec<(usize, u8)>,
    },
    /// A message was never written to a lane.
    Skipped { lane: usize, number: u64 },
    /// All that was read before is told.
    Until {
        at_ns: u64,
        /// For how long the guest has stood still since the beginning.
        stood_still_ns: u64,
    },
}

/// See the module.
pub struct InStep {
    lanes: Vec<Lane>,
    told_ns: u64,
    stood_still_ns: u64,
}

struct Lane {
    way: Way,
    playout: LivePlayout,
}

impl InStep {
    /// Of lanes with these protocols; nothing is known.
    pub fn new(codec: Codec, lanes: &[Protocol]) -> Self {
        let lane = |protocol: &Protocol| Lane {
            way: Way::default(),
            playout: if protocol.is_of_datagrams() {
                LivePlayout::of_datagrams(codec)
            } else {
                LivePlayout::new(codec)
            },
        };
        Self {
            lanes: lanes.iter().map(lane).collect(),
            told_ns: 0,
            stood_still_ns: 0,
        }
    }

    /// Takes note.
    pub fn hear(&mut self, told: Told) -> Outcome<()> {
        match told {
            Told::Sent { bytes, captured_ns } => {
                let message = Message {
                    at_ns: captured_ns,
                    bytes,
                };
                for lane in &mut self.lanes {
                    lane.way.sent(captured_ns);
                    lane.playout.send(&message, captured_ns).map_err(failed)?;
                }
            }
            Told::Written {
                lane,
                number,
                at_ns,
            } => self.lane(lane)?.way.written(number, at_ns),
            Told::Arrived {
                lane,
                number,
                at_ns,
                held_ns,
                changed,
            } => {
                let Lane { way, playout } = self.lane(lane)?;
                let at_ns = way.arrived(number, at_ns, held_ns);
                let came = playout.arrive_changed(number, at_ns, &changed);
                came.map_err(failed)?;
            }
            Told::Skipped { lane, number } => {
                let Lane { way, playout } = self.lane(lane)?;
                way.skipped(number);
                playout.skip(number).map_err(failed)?;
            }
            Told::Until {
                at_ns,
                stood_still_ns,
            } => {
                let more_ns = stood_still_ns.saturating_sub(self.stood_still_ns);
                if more_ns > 0 {
                    let ways = self.lanes.iter_mut().map(|lane| &mut lane.way);
                    ways.for_each(|way| way.stood_still(more_ns));
                }
                self.told_ns = at_ns;
                self.stood_still_ns = stood_still_ns;
            }
        }
        Ok(())
    }

    fn lane(&mut self, lane: usize) -> Outcome<&mut Lane> {
        let known = self.lanes.get_mut(lane);
        known.ok_or_else(|| failed(format!("the guest tells of a lane {lane}")))
    }

    /// Whether all is known that is heard of any lane at an instant.
    pub fn knows(&self, at_ns: u64) -> bool {
        let known = self.lanes.iter();
        known
            .map(|lane| lane.way.known_until_ns(self.told_ns))
            .all(|known_ns| at_ns < known_ns)
    }

    /// The next 10 ms of every lane, heard from `at_ns` on.
    pub fn tick(&mut self, at_ns: u64) -> impl Iterator<Item = [i16; TICK_SAMPLES]> {
        let lanes = self.lanes.iter_mut();
        lanes.map(move |lane| lane.playout.tick(at_ns))
    }

    /// How each lane stands, and what was done to its sound since the last time.
    pub fn report(&mut self) -> impl Iterator<Item = PlayoutState> {
        self.lanes.iter_mut().map(|lane| lane.playout.report())
    }
}

fn failed(error: impl std::fmt::Display) -> Fault {
    Fault::Failed(format!("the take's sound: {error}"))
}
