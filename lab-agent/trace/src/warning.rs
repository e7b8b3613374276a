//! What to look at before trusting a result.
// SPDX-License-Identifier: Apache-2.0

use std::fmt;

use crate::capture::Packet;
use crate::error::{Direction, End};
use crate::pairing::DirectionCount;
use crate::ranges::DeliveredRange;
use crate::step::{ClockStep, Unclear};

/// No segment carries so much.
const LARGER_THAN_ANY: u32 = 1 << 16;

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
    /// SCTP packets were cut before their last chunk.
    CutChunks {
        /// How many, at both ends.
        packets: u64,
    },
    /// A clock was set meanwhile; the step was taken out.
    ClockSet(ClockStep),
    /// A clock may have been set meanwhile.
    ClockUnclear(Unclear),
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
            Self::CutChunks { packets } => {
                write!(
                    f,
                    "of {packets} SCTP packets not all chunks were captured: capture whole packets"
                )
            }
            Self::ClockSet(step) => step.fmt(f),
            Self::ClockUnclear(unclear) => unclear.fmt(f),
        }
    }
}

/// What is seen of single packets that makes a result doubtful.
#[derive(Clone, Debug, Default)]
pub(crate) struct Suspicions {
    /// Offered by either side, in the sender's capture.
    mss_bytes: Option<u16>,
    /// How many packets of the stream have so much payload, at both ends; the last
    /// also counts those with more than any segment.
    payloads: Vec<u64>,
    pub fragments: u64,
    pub cut_chunks: u64,
}

impl Suspicions {
    /// A packet of the connection, in the capture of `end`.
    pub(crate) fn hear(&mut self, end: End, direction: Direction, packet: &Packet) {
        if end == End::Sender && packet.flags.syn() {
            let offered = [self.mss_bytes, packet.mss_bytes];
            self.mss_bytes = offered.into_iter().flatten().min();
        }
        if direction == Direction::Forward && packet.payload_bytes > 0 {
            let at = packet.payload_bytes.min(LARGER_THAN_ANY) as usize;
            if self.payloads.len() <= at {
                self.payloads.resize(at + 1, 0);
            }
            self.payloads[at] += 1;
        }
    }

    /// Everything suspicious about two captures and their analysis. So many bytes were
    /// acknowledged and not seen arriving, and so many arrived and were not seen leaving.
    pub(crate) fn warnings(
        &self,
        [missing_at_receiver, missing_at_sender]: [u64; 2],
        [forward, backward]: [DirectionCount; 2],
    ) -> Vec<Warning> {
        let mss = self.mss_bytes.map_or(usize::MAX, usize::from);
        let large = self.payloads.iter().skip(mss.saturating_add(1));
        let offloaded = large.sum();
        let unsent = |direction, packets| (packets, Warning::Unsent { direction, packets });
        let fragments = self.fragments;
        let cut = self.cut_chunks;
        [
            (offloaded, Warning::Offloaded { packets: offloaded }),
            (
                missing_at_receiver,
                Warning::MissingAtReceiver {
                    bytes: missing_at_receiver,
                },
            ),
            (
                missing_at_sender,
                Warning::MissingAtSender {
                    bytes: missing_at_sender,
                },
            ),
            unsent(Direction::Forward, forward.unsent),
            unsent(Direction::Backward, backward.unsent),
            (fragments, Warning::Fragments { packets: fragments }),
            (cut, Warning::CutChunks { packets: cut }),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(_, warning)| warning)
        .collect()
    }
}

/// Of some ranges, the bytes before `acknowledged` that never arrived.
pub(crate) fn missing_bytes(ranges: &[DeliveredRange], acknowledged: u64) -> u64 {
    let unseen = |range: &&DeliveredRange| range.arrived_ns.is_none() && range.end <= acknowledged;
    let missing = ranges.iter().filter(unseen);
    missing.map(DeliveredRange::bytes).sum()
}
