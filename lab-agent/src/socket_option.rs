//! Options of sockets for which nobody else has a function.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::{AsFd, AsRawFd as _};

/// Sets an option of a level. A `T` is laid out as the kernel has the option's value.
pub fn set<T>(
    socket: impl AsFd,
    level: libc::c_int,
    option: libc::c_int,
    value: &T,
) -> std::io::Result<()> {
    // The kernel reads one `T`.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::setsockopt(
            socket.as_fd().as_raw_fd(),
            level,
            option,
            std::ptr::from_ref(value).cast(),
            size_of::<T>() as libc::socklen_t,
        )
    };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}
