//! How long an SCTP receiver waits with a SACK for a second packet. It is an option of a socket,
//! which an association that is open follows with its next packet.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::OwnedFd;

use lab_proto::LaneSpec;

use crate::fault::{Doing, Outcome};
use crate::socket_option;

/// `linux/sctp.h`.
const SCTP_DELAYED_SACK: libc::c_int = 16;

/// The kernel's: after this long, or with the second packet (RFC 9260, 6.2).
const DEFAULT_DELAY_MS: u32 = 200;
const DEFAULT_PACKETS: u32 = 2;

/// `struct sctp_sack_info`.
#[repr(C)]
struct SackInfo {
    assoc_id: i32,
    delay_ms: u32,
    packets: u32,
}

/// That of a lane; none: as the kernel has it, or nothing of SCTP.
fn of_lane(spec: &LaneSpec) -> Option<u32> {
    spec.sctp.and_then(|sctp| sctp.sack_delay_ms)
}

/// Tells a connection's ends what is new of `spec` since `before`: either may come to receive.
pub fn change(ends: &[OwnedFd], before: &LaneSpec, spec: &LaneSpec) -> Outcome<()> {
    let delay_ms = of_lane(spec);
    if delay_ms == of_lane(before) {
        return Ok(());
    }
    ends.iter().try_for_each(|end| tell(end, delay_ms))
}

/// Tells a socket of SCTP; none: as the kernel has it.
pub fn tell(socket: &OwnedFd, delay_ms: Option<u32>) -> Outcome<()> {
    let delay_ms = delay_ms.unwrap_or(DEFAULT_DELAY_MS);
    let sack = SackInfo {
        assoc_id: 0,
        delay_ms,
        // One packet is the kernel's word for no delay, and two for one again.
        packets: if delay_ms == 0 { 1 } else { DEFAULT_PACKETS },
    };
    socket_option::set(socket, libc::IPPROTO_SCTP, SCTP_DELAYED_SACK, &sack)
        .doing("setting the delay of SACKs")
}
