//! What came damaged to a receiver that may take it nevertheless, until it says whether it did.
// SPDX-License-Identifier: Apache-2.0

use super::meeting::Meeting;
use crate::capture::{Checksum, Packet};
use crate::pairing::{Key, key};
use crate::receiving::Receiving;
use crate::tracker::Departures;

/// In order of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damaged(Vec<Came>);

/// A damaged packet, and where in the stream it says that its bytes are.
#[derive(Clone, Debug)]
pub(crate) struct Came {
    pub packet: Packet,
    pub place: (u64, u64),
}

impl Damaged {
    /// One came that may be taken: what is damaged below TCP never comes to it.
    pub(crate) fn came(&mut self, packet: &Packet, receiving: &Receiving) {
        let may_be = packet.checksum == Checksum::Wrong && packet.payload_bytes > 0;
        let place = receiving.place(packet).filter(|_| may_be);
        self.0.extend(place.map(|place| Came {
            packet: *packet,
            place,
        }));
    }

    /// Those that are acknowledged with all before `offset`.
    pub(crate) fn acknowledged(&mut self, offset: u64) -> Vec<Came> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let all = std::mem::take(&mut self.0).into_iter();
        let (acknowledged, waiting) = all.partition(|came| came.place.1 <= offset);
        self.0 = waiting;
        acknowledged
    }

    /// Forgets what came before `at_ns`.
    pub(crate) fn forget(&mut self, at_ns: i64) {
        self.0.retain(|came| came.packet.at_ns >= at_ns);
    }
}

impl Came {
    /// The packet that left with the same bytes and has not arrived, the last before this came;
    /// sooner one whose header is all the same.
    pub(crate) fn left_as(&self, departures: &Departures, meeting: &Meeting) -> Option<(u64, Key)> {
        let (start, end) = self.place;
        let all = departures.forgotten()..departures.until();
        let alike = all.rev().filter(|&number| {
            departures.get(number).is_some_and(|it| {
                let passage = &it.passage;
                (passage.start, passage.end) == (start, end)
                    && passage.arrived_ns.is_none()
                    && passage.sent_ns <= self.packet.at_ns
            })
        });
        let alike = alike.filter_map(|number| Some((number, meeting.key_of(number)?)));
        let own = key(&self.packet);
        alike.max_by_key(|(number, key)| (*key == own, *number))
    }
}
