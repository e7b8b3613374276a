//! The path: two directions that lose, duplicate, delay, reorder and mark.
// SPDX-License-Identifier: Apache-2.0
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Tally;
use crate::packet::ecn;
use crate::random::Random;

/// What a direction does to a packet.
#[derive(Clone, Copy, Debug)]
pub struct Treatment {
    /// Share that is thrown away.
    pub lost: f64,
    /// Share that is sent on twice.
    pub duplicated: f64,
    /// Share that waits longer than the others.
    pub held: f64,
    /// Share of the ECN-capable that is marked.
    pub marked: f64,
    /// Of every packet.
    pub delay_ns: i64,
    /// At most, of those that wait longer.
    pub hold_ns: i64,
}

impl Treatment {
    /// Some path, from nearly good to very bad.
    pub fn random(random: &mut Random) -> Self {
        let mut share = |most: u64| random.between(0, most) as f64 / 1000.0;
        Self {
            lost: share(150),
            duplicated: share(500),
            held: share(600),
            marked: share(50),
            delay_ns: random.between(1, 100) as i64 * 1_000_000,
            hold_ns: random.between(1, 200) as i64 * 1_000_000,
        }
    }
}

/// One of the two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// From the sender.
    Forth,
    /// To the sender.
    Back,
}

/// When it arrives, the order in which it entered, where to, and its bytes.
type Packet = (i64, u64, Direction, Vec<u8>);

/// Both directions.
pub struct Path {
    treatments: [Treatment; 2],
    on_the_way: BinaryHeap<Reverse<Packet>>,
    entered: u64,
    /// The latest to have arrived, by the order of entering.
    latest: [u64; 2],
}

impl Path {
    /// An empty path.
    pub fn new(treatments: [Treatment; 2]) -> Self {
        Self {
            treatments,
            on_the_way: BinaryHeap::new(),
            entered: 0,
            latest: [0; 2],
        }
    }

    /// Takes a packet. Gives how many will arrive.
    pub fn enter(
        &mut self,
        direction: Direction,
        packet: &[u8],
        now_ns: i64,
        random: &mut Random,
        tally: &mut Tally,
    ) -> u32 {
        let treatment = self.treatments[direction as usize];
        tally.packets += 1;
        self.entered += 1;
        if random.chance(treatment.lost) {
            tally.lost += 1;
            return 0;
        }
        let copies = if random.chance(treatment.duplicated) {
            tally.duplicated += 1;
            2
        } else {
            1
        };
        for _ in 0..copies {
            let mut packet = packet.to_vec();
            if random.chance(treatment.marked) && mark(&mut packet) {
                tally.marked += 1;
            }
            let mut due = now_ns + treatment.delay_ns;
            if random.chance(treatment.held) {
                due += random.below(treatment.hold_ns as u64) as i64;
            }
            self.on_the_way
                .push(Reverse((due, self.entered, direction, packet)));
        }
        copies
    }

    /// When the next packet arrives.
    pub fn next_due(&self) -> Option<i64> {
        self.on_the_way.peek().map(|Reverse((due, ..))| *due)
    }

    /// The next packet that has arrived by now.
    pub fn leave(&mut self, now_ns: i64, tally: &mut Tally) -> Option<(Direction, Vec<u8>)> {
        if self.next_due()? > now_ns {
            return None;
        }
        let Reverse((_, number, direction, packet)) = self.on_the_way.pop()?;
        let latest = &mut self.latest[direction as usize];
        if number < *latest {
            tally.reordered += 1;
        }
        *latest = number.max(*latest);
        Some((direction, packet))
    }
}

/// Marks an ECN-capable packet as having met congestion.
fn mark(packet: &mut [u8]) -> bool {
    if packet[0] >> 4 == 6 {
        let capable = packet[1] >> 4 & 3 != ecn::NOT_ECT;
        if capable {
            packet[1] |= ecn::CE << 4;
        }
        return capable;
    }
    let capable = packet[1] & 3 != ecn::NOT_ECT;
    if capable {
        let before = u16::from_be_bytes([packet[0], packet[1]]);
        packet[1] |= ecn::CE;
        let after = u16::from_be_bytes([packet[0], packet[1]]);
        // RFC 1624: the header's checksum follows from what changed.
        let sum = !u16::from_be_bytes([packet[10], packet[11]]);
        let mut new = u32::from(sum) + u32::from(!before) + u32::from(after);
        new = (new & 0xffff) + (new >> 16);
        new = (new & 0xffff) + (new >> 16);
        packet[10..12].copy_from_slice(&(!(new as u16)).to_be_bytes());
    }
    capable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{Checksum, Segment, flag};
    use std::net::IpAddr;

    #[test]
    fn a_marked_packet_is_still_a_good_one() {
        for (from, to) in [
            (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2])),
            (IpAddr::from([1; 16]), IpAddr::from([2; 16])),
        ] {
            let segment = Segment {
                flags: flag::ACK,
                ecn: ecn::ECT0,
                payload: b"data".to_vec(),
                ..Segment::default()
            };
            let mut packet = segment.encode(from, to, &[]);
            assert!(mark(&mut packet));
            let marked = Segment {
                ecn: ecn::CE,
                ..segment
            };
            let decoded = Segment::decode(&packet, Checksum::Right);
            assert_eq!(decoded.unwrap().unwrap().segment, marked);
        }
    }

    #[test]
    fn what_arrives_late_counts_as_reordered() {
        let calm = Treatment {
            lost: 0.0,
            duplicated: 0.0,
            held: 0.0,
            marked: 0.0,
            delay_ns: 10,
            hold_ns: 1,
        };
        let mut path = Path::new([calm; 2]);
        let (mut random, mut tally) = (Random::new(1, 1), Tally::default());
        path.enter(Direction::Forth, &[0x45; 20], 5, &mut random, &mut tally);
        path.enter(Direction::Forth, &[0x45; 20], 0, &mut random, &mut tally);
        assert_eq!(path.leave(9, &mut tally), None);
        assert!(path.leave(15, &mut tally).is_some());
        assert!(path.leave(15, &mut tally).is_some());
        assert_eq!((tally.packets, tally.reordered), (2, 1));
    }
}
