//! Where a lane's interfaces are: names and addresses, the same in every run, so
//! that the same request has the same bytes in its packets.
// SPDX-License-Identifier: Apache-2.0
use std::net::Ipv4Addr;

use super::link::End;

/// The interface that a capture listens on, at both ends.
pub const END_INTERFACE: &str = "lane0";
/// Lanes that one emulator can have between their ends.
pub const MOST_LANES: usize = 4;

const TO_SENDER: [&str; MOST_LANES] = ["to-sender", "to-sender-1", "to-sender-2", "to-sender-3"];
const TO_RECEIVER: [&str; MOST_LANES] = [
    "to-receiver",
    "to-receiver-1",
    "to-receiver-2",
    "to-receiver-3",
];

/// The link that lanes share: near the senders, near the receivers.
pub const BOTTLENECK: (End, End) = (end("bottleneck", 0, 0, 1), end("bottleneck", 0, 0, 2));

/// The four interfaces of a lane, from its sender to its receiver.
#[derive(Clone, Copy)]
pub struct Places {
    /// At the sender.
    pub at_sender: End,
    /// At the emulator, towards the sender.
    pub to_sender: End,
    /// At the emulator, towards the receiver.
    pub to_receiver: End,
    /// At the receiver.
    pub at_receiver: End,
}

impl Places {
    /// Of the lane that is the `lane`th at its emulator, from 0.
    pub const fn of(lane: usize) -> Self {
        let number = lane as u8;
        Self {
            at_sender: end(END_INTERFACE, number, 1, 1),
            to_sender: end(TO_SENDER[lane], number, 1, 2),
            to_receiver: end(TO_RECEIVER[lane], number, 2, 2),
            at_receiver: end(END_INTERFACE, number, 2, 1),
        }
    }
}

/// The `host`th end of a lane's link to its sender (1) or its receiver (2).
const fn end(name: &'static str, lane: u8, link: u8, host: u8) -> End {
    End {
        name,
        mac: [2, 0, 0, lane, link, host],
        address: Ipv4Addr::new(10, 9, 2 * lane + link, host),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_interfaces_of_an_emulator_share_an_address() {
        let lanes = (0..MOST_LANES).map(Places::of).flat_map(|places| {
            [
                places.at_sender,
                places.to_sender,
                places.to_receiver,
                places.at_receiver,
            ]
        });
        let ends: Vec<_> = lanes.chain([BOTTLENECK.0, BOTTLENECK.1]).collect();
        let addresses: HashSet<_> = ends.iter().map(|end| end.address).collect();
        let macs: HashSet<_> = ends.iter().map(|end| end.mac).collect();
        assert_eq!((addresses.len(), macs.len()), (ends.len(), ends.len()));
    }
}
