//! Which packet at one end is which at the other, packet by packet: true loss
//! and duplication, direction by direction.
//!
//! Packets pair by content ([`Packet::identity`] and the IP identification).
//! Copies that are alike in all of that are twins; only time tells them apart.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::capture::Packet;

/// Packets of one direction, counted at both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionCount {
    /// Put on the wire.
    pub sent: u64,
    /// Of those, arrived (once or more, damaged or not).
    pub arrived: u64,
    /// Of those, never arrived: the true loss.
    pub lost: u64,
    /// Arrivals beyond the first of a packet: the path made copies.
    pub duplicated: u64,
    /// Arrived with a wrong checksum; the far end throws them away.
    pub damaged: u64,
    /// Arrivals that nobody sent: the sender's capture began late or lacks them.
    pub unsent: u64,
}

/// By what packets pair.
pub(crate) type Key = u64;

/// Content and IP identification.
pub(crate) fn key(packet: &Packet) -> Key {
    // Spread over the whole digest: identifications of neighbours are neighbours.
    let spread = u64::from(packet.ip_id.unwrap_or(0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    packet.identity ^ spread
}

/// Departures and arrivals of one direction by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairing {
    slots: HashMap<Key, Slot, BuildHasherDefault<Digest>>,
    pub twins: Vec<Twins>,
    /// Arrivals beyond the first, in order.
    copies: HashMap<Key, Vec<u32>>,
    pub duplicated: u64,
    /// Arrivals whose departure was not told (yet).
    pub unsent: u64,
}

#[derive(Clone, Copy, Debug)]
enum Slot {
    Departed(u32),
    Arrived(u32),
    Both { departure: u32, arrival: u32 },
    Twins(u32),
}

/// Packets that are alike: at least two departures.
#[derive(Clone, Debug, Default)]
pub(crate) struct Twins {
    pub departures: Vec<u32>,
    pub arrivals: Vec<u32>,
}

/// What a departure means for arrivals before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// None of it has come.
    First,
    /// It came before it was told that it left: these are it.
    Known(Vec<u32>),
    /// It looks like one before it.
    Twin(u32),
}

/// What an arrival is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    First(u32),
    Copy(u32),
    /// Nobody sent it, as far as was told.
    Unsent,
    /// One of these.
    Twin(u32),
}

impl Pairing {
    pub(crate) fn depart(&mut self, key: Key, departure: u32) -> Left {
        let Some(slot) = self.slots.get_mut(&key) else {
            self.slots.insert(key, Slot::Departed(departure));
            return Left::First;
        };
        match *slot {
            Slot::Arrived(arrival) => {
                *slot = Slot::Both { departure, arrival };
                let copies = self.copies.get(&key).map_or(&[][..], Vec::as_slice);
                self.duplicated += copies.len() as u64;
                self.unsent -= 1 + copies.len() as u64;
                let arrivals = std::iter::once(arrival).chain(copies.iter().copied());
                Left::Known(arrivals.collect())
            }
            Slot::Twins(twins) => {
                self.twins[twins as usize].departures.push(departure);
                Left::Twin(twins)
            }
            Slot::Departed(first)
            | Slot::Both {
                departure: first, ..
            } => {
                let mut arrivals = Vec::new();
                if let Slot::Both { arrival, .. } = *slot {
                    let copies = self.copies.remove(&key).unwrap_or_default();
                    self.duplicated -= copies.len() as u64;
                    arrivals.push(arrival);
                    arrivals.extend(copies);
                }
                let twins = self.twins.len() as u32;
                *slot = Slot::Twins(twins);
                self.twins.push(Twins {
                    departures: vec![first, departure],
                    arrivals,
                });
                Left::Twin(twins)
            }
        }
    }

    pub(crate) fn arrive(&mut self, key: Key, arrival: u32) -> Came {
        let Some(slot) = self.slots.get_mut(&key) else {
            self.slots.insert(key, Slot::Arrived(arrival));
            self.unsent += 1;
            return Came::Unsent;
        };
        match *slot {
            Slot::Departed(departure) => {
                *slot = Slot::Both { departure, arrival };
                Came::First(departure)
            }
            Slot::Both { departure, .. } => {
                self.copies.entry(key).or_default().push(arrival);
                self.duplicated += 1;
                Came::Copy(departure)
            }
            Slot::Arrived(_) => {
                self.copies.entry(key).or_default().push(arrival);
                self.unsent += 1;
                Came::Unsent
            }
            Slot::Twins(twins) => {
                self.twins[twins as usize].arrivals.push(arrival);
                Came::Twin(twins)
            }
        }
    }

    /// Forgets a packet: a copy that comes later is nobody's.
    pub(crate) fn forget(&mut self, key: Key) {
        self.slots.remove(&key);
        self.copies.remove(&key);
    }
}

/// Keys are digests already.
#[derive(Default)]
pub(crate) struct Digest(u64);

impl Hasher for Digest {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }
}
