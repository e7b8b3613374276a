//! Transport protocols: which one a lane's sender speaks, and what the contract says of them.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Baseline, LaneSpec, Mechanism};

/// What carries a lane's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// RFC 9293.
    Tcp,
    /// RFC 9260.
    Sctp,
    /// RFC 768.
    Udp,
    /// RFC 3828.
    UdpLite,
}

/// Whether what speaks a baseline's protocol is a program, which has no mechanism: those are the
/// kernel's.
pub fn is_outside_kernel(baseline: Baseline) -> bool {
    Baseline::OUTSIDE_KERNEL.contains(&baseline)
}

impl Protocol {
    /// That of a baseline.
    pub fn of(baseline: Baseline) -> Self {
        if Baseline::OF_SCTP.contains(&baseline) {
            Self::Sctp
        } else if Baseline::OF_UDP.contains(&baseline) {
            Self::Udp
        } else if Baseline::OF_UDP_LITE.contains(&baseline) {
            Self::UdpLite
        } else {
            Self::Tcp
        }
    }

    /// That of a lane.
    pub fn of_lane(spec: &LaneSpec) -> Self {
        Self::of(spec.baseline())
    }

    /// Whether its sender has a mechanism.
    pub fn has(self, mechanism: Mechanism) -> bool {
        match self {
            Self::Tcp => Mechanism::OF_TCP.contains(&mechanism),
            Self::Sctp => Mechanism::OF_SCTP.contains(&mechanism),
            Self::Udp | Self::UdpLite => false,
        }
    }

    /// Whether each message stands for itself, and may be lost, come twice or out of order.
    pub fn is_of_datagrams(self) -> bool {
        matches!(self, Self::Udp | Self::UdpLite)
    }

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tcp => "TCP",
            Self::Sctp => "SCTP",
            Self::Udp => "UDP",
            Self::UdpLite => "UDP-Lite",
        }
    }
}
