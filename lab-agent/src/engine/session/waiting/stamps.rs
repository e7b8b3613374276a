//! When the kernel did what it was told beforehand: a datagram sent to oneself right
//! after it, which the kernel stamps by the clock of the captures.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, OwnedFd};

use io_uring::opcode;
use io_uring::squeue::Entry;
use io_uring::types::Fd;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use crate::clock::SECOND_NS;
use crate::fault::{Doing, Fault, Outcome};
use crate::socket_option;

/// What a stamp's control message takes, with its header.
const CONTROL_BYTES: usize = 64;

/// A pair of sockets. Datagrams between the two ends of a pair are refused only when
/// what the sender may hold is used up: some hundred of them.
pub struct Stamps {
    from: OwnedFd,
    to: OwnedFd,
}

impl Stamps {
    /// None yet.
    pub fn new() -> Outcome<Self> {
        let (from, to) = socketpair(
            AddressFamily::UNIX,
            SocketType::DGRAM,
            SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
            None,
        )
        .doing("making a pair of sockets")?;
        let on: libc::c_int = 1;
        socket_option::set(&to, libc::SOL_SOCKET, libc::SO_TIMESTAMPNS, &on)
            .doing("having datagrams stamped")?;
        Ok(Self { from, to })
    }

    /// What makes one.
    pub fn entry(&self) -> Entry {
        static NOTHING: u8 = 0;
        opcode::Send::new(Fd(self.from.as_raw_fd()), &raw const NOTHING, 0)
            .flags(libc::MSG_DONTWAIT)
            .build()
    }

    /// The `count` oldest that were made and not taken, in nanoseconds since 1970.
    ///
    /// # Errors
    /// `Failed` when there are not so many.
    pub fn take(&self, count: usize) -> Outcome<Vec<u64>> {
        let mut controls = vec![Control([0; CONTROL_BYTES]); count];
        let mut headers: Vec<_> = controls
            .iter_mut()
            .map(|control| {
                let mut header = unsafe { MaybeUninit::<libc::mmsghdr>::zeroed().assume_init() };
                header.msg_hdr.msg_control = control.0.as_mut_ptr().cast();
                header.msg_hdr.msg_controllen = CONTROL_BYTES;
                header
            })
            .collect();
        let taken = unsafe {
            libc::recvmmsg(
                self.to.as_raw_fd(),
                headers.as_mut_ptr(),
                count as libc::c_uint,
                libc::MSG_DONTWAIT,
                std::ptr::null_mut(),
            )
        };
        if usize::try_from(taken).ok() != Some(count) {
            return Err(missing());
        }
        headers.iter().map(stamp_ns).collect()
    }
}

/// Room for control messages, as the C library wants them to lie.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Control([u8; CONTROL_BYTES]);

fn stamp_ns(header: &libc::mmsghdr) -> Outcome<u64> {
    let control = unsafe { libc::CMSG_FIRSTHDR(&raw const header.msg_hdr) };
    let control = unsafe { control.as_ref() }.ok_or_else(missing)?;
    if (control.cmsg_level, control.cmsg_type) != (libc::SOL_SOCKET, libc::SCM_TIMESTAMPNS) {
        return Err(missing());
    }
    let data = unsafe { libc::CMSG_DATA(control) };
    let at = unsafe { data.cast::<libc::timespec>().read_unaligned() };
    Ok(at.tv_sec as u64 * SECOND_NS + at.tv_nsec as u64)
}

fn missing() -> Fault {
    Fault::Failed("the kernel did not stamp when it read a stream".into())
}

#[cfg(test)]
mod tests {
    use io_uring::IoUring;

    use super::*;
    use crate::clock::now_ns;

    #[test]
    fn each_is_the_time_at_which_it_was_made() {
        let stamps = Stamps::new().unwrap();
        let Ok(mut queues) = IoUring::new(64) else {
            eprintln!("this machine's kernel has no io_uring");
            return;
        };
        let before_ns = now_ns();
        for _ in 0..50 {
            unsafe { queues.submission().push(&stamps.entry()) }.unwrap();
        }
        queues.submit_and_wait(50).unwrap();
        let made_ns = [stamps.take(20).unwrap(), stamps.take(30).unwrap()].concat();
        assert!(made_ns.is_sorted());
        assert!(before_ns <= made_ns[0] && made_ns[49] <= now_ns());
        assert!(stamps.take(1).is_err());
    }
}
