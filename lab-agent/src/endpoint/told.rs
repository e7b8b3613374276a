//! Reading from sockets that tell something beside the bytes, in a control message.
// SPDX-License-Identifier: Apache-2.0
use std::mem::zeroed;
use std::os::fd::{AsRawFd as _, BorrowedFd};

/// Room for what any of them tells: TCP Lite's ranges.
const CONTROL_BYTES: usize = 160;

/// Aligned as control messages have to be.
#[repr(C, align(8))]
pub struct Control([u8; CONTROL_BYTES]);

/// What one call gave.
pub struct Received<'a> {
    /// Of the bytes that were read.
    pub length: usize,
    /// `MSG_…`.
    pub flags: libc::c_int,
    /// What the first control message holds, if it is of the kind that was asked for.
    pub told: Option<&'a [u8]>,
}

impl Control {
    /// Empty.
    pub fn new() -> Self {
        Self([0; CONTROL_BYTES])
    }

    /// Reads what is there; `kind` is the level and type of the control message.
    pub fn receive(
        &mut self,
        socket: BorrowedFd<'_>,
        buffer: &mut [u8],
        kind: (libc::c_int, libc::c_int),
    ) -> std::io::Result<Received<'_>> {
        let mut data = libc::iovec {
            iov_base: buffer.as_mut_ptr().cast(),
            iov_len: buffer.len(),
        };
        // The header names only what lives here; the kernel fills it.
        #[allow(unsafe_code)]
        let (length, flags, end) = unsafe {
            let mut header: libc::msghdr = zeroed();
            header.msg_iov = &raw mut data;
            header.msg_iovlen = 1;
            header.msg_control = self.0.as_mut_ptr().cast();
            header.msg_controllen = CONTROL_BYTES as _;
            let length = libc::recvmsg(socket.as_raw_fd(), &raw mut header, libc::MSG_DONTWAIT);
            let length = usize::try_from(length).map_err(|_| std::io::Error::last_os_error())?;
            let first = libc::CMSG_FIRSTHDR(&raw const header);
            let is_it = !first.is_null() && ((*first).cmsg_level, (*first).cmsg_type) == kind;
            let end = is_it.then(|| (*first).cmsg_len as usize);
            (length, header.msg_flags, end)
        };
        // The first message begins where the room does.
        #[allow(unsafe_code)]
        let begin = unsafe { libc::CMSG_LEN(0) } as usize;
        Ok(Received {
            length,
            flags,
            told: end.and_then(|end| self.0.get(begin..end)),
        })
    }
}
