//! The self-check of a session: no packet is missing that the emulator did not
//! drop, and none arrived that it dropped or that nobody sent.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{DirectionCheck, LaneCheck};

use crate::capture::Counts;
use crate::fault::{Fault, Outcome};
use crate::lane::Queue;

/// Sent + duplicated = received + dropped, in each direction.
pub fn check(sender: Counts, receiver: Counts, queues: (Queue, Queue)) -> Outcome<LaneCheck> {
    let check = count(sender, receiver, queues);
    match complaint(&check) {
        Some(complaint) => Err(Fault::Failed(complaint)),
        None => Ok(check),
    }
}

/// What the captures and the emulator counted.
pub fn count(sender: Counts, receiver: Counts, queues: (Queue, Queue)) -> LaneCheck {
    let direction = |sent: u64, received: u64, queue: Queue| DirectionCheck {
        sent_packets: sent,
        received_packets: received,
        dropped_packets: queue.dropped,
        // Told by what left the emulator, so that it does not follow from what arrived.
        duplicated_packets: (queue.passed + queue.dropped).saturating_sub(sent),
        bit_errors: queue.bit_errors,
    };
    LaneCheck {
        forward: Some(direction(sender.sent, receiver.received, queues.0)),
        backward: Some(direction(receiver.sent, sender.received, queues.1)),
    }
}

/// What is wrong with a check, if anything is.
pub fn complaint(check: &LaneCheck) -> Option<String> {
    let ways = [("forward", check.forward), ("backward", check.backward)];
    ways.into_iter().find_map(|(name, direction)| {
        let DirectionCheck {
            sent_packets: sent,
            received_packets: received,
            dropped_packets: dropped,
            duplicated_packets: duplicated,
            bit_errors: _,
        } = direction.unwrap_or_default();
        (sent + duplicated != received + dropped).then(|| {
            format!(
                "self-check of the lane failed {name}: {sent} packets sent, {received} received, \
                 but the emulator dropped {dropped} and duplicated {duplicated}"
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: Counts = Counts {
        sent: 100,
        received: 60,
        file_bytes: 0,
    };
    const EMPTY: Queue = Queue {
        dropped: 0,
        inside: 0,
        passed: 0,
        bit_errors: None,
    };

    #[test]
    fn a_packet_that_nobody_dropped_fails_the_check() {
        let receiver = Counts {
            sent: 61,
            received: 97,
            file_bytes: 0,
        };
        let forward = Queue {
            dropped: 3,
            ..EMPTY
        };
        let backward = Queue {
            dropped: 1,
            ..EMPTY
        };
        let good = check(COUNTS, receiver, (forward, backward)).unwrap();
        assert_eq!(good.forward.unwrap().dropped_packets, 3);
        let fault = check(COUNTS, receiver, (forward, EMPTY)).unwrap_err();
        assert!(fault.to_string().contains("backward"), "{fault}");
    }

    #[test]
    fn what_arrives_twice_must_have_left_the_emulator_twice() {
        let receiver = |received| Counts {
            sent: 60,
            received,
            file_bytes: 0,
        };
        let forward = Queue {
            dropped: 3,
            passed: 107,
            ..EMPTY
        };
        let good = check(COUNTS, receiver(107), (forward, EMPTY)).unwrap();
        assert_eq!(good.forward.unwrap().duplicated_packets, 10);
        check(COUNTS, receiver(108), (forward, EMPTY)).unwrap_err();
    }
}
