//! Reading from TCP sockets that take damaged payload: what was read, and where it may be wrong.
//!
//! See `Documentation/networking/tcp-lite.rst` in lab-agent/kernel/patches.
// SPDX-License-Identifier: Apache-2.0
use std::mem::zeroed;
use std::ops::Range;
use std::os::fd::{AsRawFd as _, OwnedFd};

/// `TCP_CM_LITE` of `linux/tcp.h`.
const TCP_CM_LITE: libc::c_int = 207;
/// A read tells of no more (`TCP_LITE_RANGES`).
const MOST_RANGES: usize = 16;
/// `struct tcp_lite_range`.
const RANGE_BYTES: usize = 8;
/// With the header.
const CONTROL_BYTES: usize = 32 + MOST_RANGES * RANGE_BYTES;

#[repr(align(8))]
struct Control([u8; CONTROL_BYTES]);

/// Reads what is there, and puts in `told` which of its bytes may be wrong.
pub fn read(
    socket: &OwnedFd,
    buffer: &mut [u8],
    told: &mut Vec<Range<usize>>,
) -> std::io::Result<usize> {
    told.clear();
    let mut control = Control([0; CONTROL_BYTES]);
    let mut data = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    // The header names only what lives here; the kernel fills it.
    #[allow(unsafe_code)]
    unsafe {
        let mut header: libc::msghdr = zeroed();
        header.msg_iov = &raw mut data;
        header.msg_iovlen = 1;
        header.msg_control = control.0.as_mut_ptr().cast();
        header.msg_controllen = CONTROL_BYTES as _;
        let length = libc::recvmsg(socket.as_raw_fd(), &raw mut header, libc::MSG_DONTWAIT);
        let length = usize::try_from(length).map_err(|_| std::io::Error::last_os_error())?;
        let first = libc::CMSG_FIRSTHDR(&raw const header);
        if first.is_null()
            || ((*first).cmsg_level, (*first).cmsg_type) != (libc::SOL_TCP, TCP_CM_LITE)
        {
            return Ok(length);
        }
        let bytes = (*first).cmsg_len as usize - libc::CMSG_LEN(0) as usize;
        let (ranges, _) =
            std::slice::from_raw_parts(libc::CMSG_DATA(first), bytes).as_chunks::<RANGE_BYTES>();
        told.extend(ranges.iter().copied().map(range));
        Ok(length)
    }
}

/// An offset from the first byte of the read, and a length.
fn range(range: [u8; RANGE_BYTES]) -> Range<usize> {
    let word = |at: usize| {
        let bytes = [range[at], range[at + 1], range[at + 2], range[at + 3]];
        u32::from_ne_bytes(bytes) as usize
    };
    word(0)..word(0) + word(4)
}
