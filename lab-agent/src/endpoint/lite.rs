//! Reading from TCP sockets that take damaged payload: what was read, and where it may be wrong.
//!
//! See `Documentation/networking/tcp-lite.rst` in lab-agent/kernel/patches.
// SPDX-License-Identifier: Apache-2.0
use std::ops::Range;
use std::os::fd::{AsFd as _, OwnedFd};

use super::told::Control;

/// `TCP_CM_LITE` of `linux/tcp.h`.
const TCP_CM_LITE: libc::c_int = 207;
/// `struct tcp_lite_range`; a read tells of 16 at most (`TCP_LITE_RANGES`).
const RANGE_BYTES: usize = 8;

/// Reads what is there, and puts in `told` which of its bytes may be wrong.
pub fn read(
    socket: &OwnedFd,
    buffer: &mut [u8],
    told: &mut Vec<Range<usize>>,
) -> std::io::Result<usize> {
    told.clear();
    let mut control = Control::new();
    let received = control.receive(socket.as_fd(), buffer, (libc::SOL_TCP, TCP_CM_LITE))?;
    let (ranges, _) = received.told.unwrap_or_default().as_chunks::<RANGE_BYTES>();
    told.extend(ranges.iter().copied().map(range));
    Ok(received.length)
}

/// An offset from the first byte of the read, and a length.
fn range(range: [u8; RANGE_BYTES]) -> Range<usize> {
    let word = |at: usize| {
        let bytes = [range[at], range[at + 1], range[at + 2], range[at + 3]];
        u32::from_ne_bytes(bytes) as usize
    };
    word(0)..word(0) + word(4)
}
