//! How much a connection's ends may have under way to each other: what they advertise.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::OwnedFd;

use rustix::net::sockopt;

use crate::fault::{Doing, Outcome};
use crate::lane::segment_bytes;
use crate::socket_option;

/// The least that the kernel reckons a packet takes beside its payload: `SKB_TRUESIZE(0)` where
/// pointers have 64 bits.
const LEAST_OVERHEAD_BYTES: u64 = 576;

/// The longest segment that the kernel expects before it has seen one: `TCP_MSS_DEFAULT`.
const EXPECTED_SEGMENT_BYTES: u64 = 536;

/// What a buffer has room for, in windows. Such a segment takes less than 2 kB, damaged ones that
/// the emulator has copied included, so four would do.
const AMPLE: u64 = 8;

/// Has a socket advertise at most `most_bytes`, over a lane whose packets have at most
/// `mtu` bytes. It is for sockets that do not connect or listen yet.
///
/// A clamp holds until a segment is longer than the kernel expects: that sets it anew, to the
/// part of the buffer that is payload then. Where segments are longer, the buffer is therefore
/// such that this part is no more; what comes of it is three quarters of what is asked for, or
/// more, where that is 32 kB or more.
///
/// Where none is, the buffer is ample. One that just holds a window of whole segments does not
/// hold one of which some are damaged, which lie behind a hole each by itself: the receiver would
/// throw away what it has told the sender it has, and shut the window.
pub(super) fn limit(socket: &OwnedFd, most_bytes: u32, mtu: u32) -> Outcome<()> {
    let window = whole_steps(most_bytes);
    let payload = u64::from(segment_bytes(mtu));
    let buffer = if payload <= EXPECTED_SEGMENT_BYTES {
        u64::from(window) * AMPLE
    } else {
        u64::from(window) * (payload + LEAST_OVERHEAD_BYTES) / payload
    };
    // The kernel doubles what it is told, and here it is to be the buffer itself.
    sockopt::set_socket_recv_buffer_size_force(socket, buffer as usize / 2)
        .doing("limiting a socket's receive buffer")?;
    clamp(socket, window).doing("limiting a socket's window")
}

/// What a window that is written in steps can say: it would be rounded up.
fn whole_steps(bytes: u32) -> u32 {
    let scale = bytes.ilog2().saturating_sub(15);
    bytes >> scale << scale
}

fn clamp(socket: &OwnedFd, bytes: u32) -> std::io::Result<()> {
    let bytes = bytes as libc::c_int;
    socket_option::set(socket, libc::IPPROTO_TCP, libc::TCP_WINDOW_CLAMP, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_a_number_of_its_steps() {
        assert_eq!(whole_steps(4_096), 4_096);
        assert_eq!(whole_steps(65_535), 65_535);
        assert_eq!(whole_steps(65_537), 65_536);
        assert_eq!(whole_steps(1_000_003), 1_000_000);
    }
}
