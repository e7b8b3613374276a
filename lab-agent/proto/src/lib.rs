//! The agent's protocol: messages, client and server generated from `lab.proto`
//! (re-exported at the root) and, in [`guest`], from `guest.proto`.
// SPDX-License-Identifier: Apache-2.0
#![forbid(unsafe_code)]
#![allow(missing_docs, clippy::all, clippy::pedantic)]

pub mod thinlab {
    pub mod lab {
        pub mod v1 {
            tonic::include_proto!("thinlab.lab.v1");
            include!(concat!(env!("OUT_DIR"), "/sets.rs"));
        }
    }
    pub mod guest {
        pub mod v1 {
            tonic::include_proto!("thinlab.guest.v1");
        }
    }
}

pub use thinlab::guest::v1 as guest;
pub use thinlab::lab::v1::*;

/// What a gRPC message may weigh, in either direction: a minute of audio is
/// 6 MB, an hour of stream a few tens.
pub const MAX_MESSAGE_BYTES: usize = 256 << 20;

impl LaneSpec {
    /// The same path there and back, for the papers' sender without any mechanism.
    pub fn both_ways(path: Path) -> Self {
        Self {
            forward: Some(path.clone()),
            backward: Some(path),
            baseline: Baseline::Newreno2008 as i32,
            ..Self::default()
        }
    }
}

impl Chunks {
    /// Copies that a timer or acknowledgements called for, and what left with them.
    pub fn retransmitted(&self) -> u64 {
        self.fast + self.timeout + self.bundled_with_fast + self.bundled_with_timeout
    }
}

impl SyntheticStream {
    /// So many messages, evenly apart: a session's.
    pub fn even(payload_bytes: u32, iat_us: u64, messages: u32) -> Self {
        Self {
            payload_bytes,
            iat_us,
            messages,
            ..Self::default()
        }
    }

    /// The same without end: a demo's.
    pub fn endless(payload_bytes: u32, iat_us: u64) -> Self {
        Self::even(payload_bytes, iat_us, 0)
    }
}

impl SessionSpec {
    /// One stream over one lane.
    pub fn of_one(lane: LaneSpec, stream: stream::Kind) -> Self {
        Self {
            lanes: vec![SessionLane {
                lane: Some(lane),
                flows: vec![stream.into()],
                ..SessionLane::default()
            }],
            ..Self::default()
        }
    }
}

impl From<stream::Kind> for Stream {
    fn from(kind: stream::Kind) -> Self {
        Self { kind: Some(kind) }
    }
}

impl From<stream::Kind> for Flow {
    fn from(kind: stream::Kind) -> Self {
        Self {
            stream: Some(kind.into()),
            ..Self::default()
        }
    }
}
