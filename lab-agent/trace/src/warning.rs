//! What to look at before trusting a result.
// SPDX-License-Identifier: Apache-2.0

use std::fmt;

use crate::capture::{Capture, Packet};
use crate::delivery::{DeliveredRange, Receiving};
use crate::error::Direction;
use crate::flow::EndView;
use crate::pairing::DirectionCount;

/// Something to look at before trusting the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Packets larger than the connection's segments: not packets on the wire.
    Offloaded {
        /// How many, at both ends.
        packets: u64,
    },
    /// Bytes the receiver acknowledged and its capture lacks.
    MissingAtReceiver {
        /// How many.
        bytes: u64,
    },
    /// Bytes that arrived and the sender's capture lacks.
    MissingAtSender {
        /// How many.
        bytes: u64,
    },
    /// Arrivals without a departure.
    Unsent {
        /// Which way they went.
        direction: Direction,
        /// How many.
        packets: u64,
    },
    /// IP fragments were skipped.
    Fragments {
        /// How many, at both ends.
        packets: u64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offloaded { packets } => write!(
                f,
                "{packets} packets are larger than a segment: turn segmentation offload off \
                 (ethtool -K … tso off gso off gro off); losses and packet counts are not the wire's"
            ),
            Self::MissingAtReceiver { bytes } => {
                write!(
                    f,
                    "the receiver acknowledged {bytes} bytes that its capture lacks: it dropped packets"
                )
            }
            Self::MissingAtSender { bytes } => {
                write!(
                    f,
                    "{bytes} bytes arrived that the sender's capture lacks: it dropped packets or began late"
                )
            }
            Self::Unsent { direction, packets } => {
                write!(
                    f,
                    "{packets} packets {direction} arrived without having been captured where they left"
                )
            }
            Self::Fragments { packets } => {
                write!(f, "{packets} IP fragments were skipped: lower the MSS")
            }
        }
    }
}

/// Everything suspicious about two captures and their analysis.
pub(crate) fn warnings(
    sender: &Capture,
    receiver: &Capture,
    here: &EndView,
    there: &EndView,
    receiving: &Receiving,
    ranges: &[DeliveredRange],
    [forward, backward]: [DirectionCount; 2],
) -> Vec<Warning> {
    let syns = here
        .forward
        .iter()
        .chain(&here.backward)
        .filter(|packet| packet.flags.syn());
    let mss = syns.filter_map(|packet| packet.mss_bytes).min();
    let large = |packet: &&&Packet| mss.is_some_and(|mss| packet.payload_bytes > u32::from(mss));
    let offloaded = here
        .forward
        .iter()
        .chain(&there.forward)
        .filter(large)
        .count() as u64;
    let length = |range: &DeliveredRange| range.end - range.start;
    let unseen =
        |range: &&DeliveredRange| range.arrived_ns.is_none() && range.end <= receiving.acknowledged;
    let missing_at_receiver = ranges.iter().filter(unseen).map(length).sum();
    let arrived: u64 = receiving
        .first_arrived
        .iter()
        .map(|piece| piece.end - piece.start)
        .sum();
    let known: u64 = ranges
        .iter()
        .filter(|range| range.arrived_ns.is_some())
        .map(length)
        .sum();
    let fragments = sender.skipped.fragments + receiver.skipped.fragments;
    [
        (offloaded, Warning::Offloaded { packets: offloaded }),
        (
            missing_at_receiver,
            Warning::MissingAtReceiver {
                bytes: missing_at_receiver,
            },
        ),
        (
            arrived - known,
            Warning::MissingAtSender {
                bytes: arrived - known,
            },
        ),
        (
            forward.unsent,
            Warning::Unsent {
                direction: Direction::Forward,
                packets: forward.unsent,
            },
        ),
        (
            backward.unsent,
            Warning::Unsent {
                direction: Direction::Backward,
                packets: backward.unsent,
            },
        ),
        (fragments, Warning::Fragments { packets: fragments }),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(_, warning)| warning)
    .collect()
}
