//! The system calls themselves, as an application makes them: into the kernel
//! with what a script says, and back with whatever the kernel answers.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)] // What the kernel is given lives longer than each call.
use std::net::SocketAddr;
use std::os::fd::RawFd;

use libc::{c_int, c_void, socklen_t};

/// What the kernel answers.
pub struct Reply {
    /// A number, or that of an error.
    pub result: Result<i64, i32>,
    /// What it has written.
    pub got: Got,
    /// What was sent without a copy is the kernel's until it is acknowledged.
    pub lent: Vec<Vec<u8>>,
}

/// What a system call has written into the application's memory.
pub enum Got {
    /// Nothing that anybody looks at.
    Nothing,
    /// Bytes of a stream, or the value of an option.
    Bytes(Vec<u8>),
    /// `recvmsg()`.
    Message(Message),
    /// `epoll_wait()`: what happened, and to whom.
    Events(Vec<(u32, u64)>),
    /// `poll()`: what happened to each.
    Polled(Vec<i16>),
}

/// What `recvmsg()` has written.
pub struct Message {
    /// All parts, one behind the other.
    pub bytes: Vec<u8>,
    /// `msg_flags`.
    pub flags: i32,
    /// Level, type and data of each control message.
    pub control: Vec<(i32, i32, Vec<u8>)>,
}

impl Reply {
    fn of(returned: impl Into<i64>, got: Got) -> Self {
        let returned = returned.into();
        let result = if returned < 0 {
            Err(std::io::Error::last_os_error()
                .raw_os_error()
                .unwrap_or_default())
        } else {
            Ok(returned)
        };
        Self {
            result,
            got,
            lent: Vec::new(),
        }
    }

    fn number(returned: impl Into<i64>) -> Self {
        Self::of(returned, Got::Nothing)
    }
}

/// An address as the kernel has it.
pub struct Address {
    storage: libc::sockaddr_storage,
    length: socklen_t,
}

impl Address {
    /// Of no family: it disconnects.
    pub fn unspecified() -> Self {
        // All bytes may be zero, and AF_UNSPEC is.
        let storage = unsafe { std::mem::zeroed() };
        let length = size_of::<libc::sockaddr_in>() as socklen_t;
        Self { storage, length }
    }

    fn pointer(&self) -> *const libc::sockaddr {
        (&raw const self.storage).cast()
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        let mut made = Self::unspecified();
        let port = address.port().to_be();
        match address {
            SocketAddr::V4(v4) => {
                let plain = libc::sockaddr_in {
                    sin_family: libc::AF_INET as u16,
                    sin_port: port,
                    sin_addr: libc::in_addr {
                        s_addr: u32::from_ne_bytes(v4.ip().octets()),
                    },
                    sin_zero: [0; 8],
                };
                let place = (&raw mut made.storage).cast::<libc::sockaddr_in>();
                unsafe { place.write(plain) };
            }
            SocketAddr::V6(v6) => {
                let plain = libc::sockaddr_in6 {
                    sin6_family: libc::AF_INET6 as u16,
                    sin6_port: port,
                    sin6_flowinfo: 0,
                    sin6_addr: libc::in6_addr {
                        s6_addr: v6.ip().octets(),
                    },
                    sin6_scope_id: 0,
                };
                let place = (&raw mut made.storage).cast::<libc::sockaddr_in6>();
                unsafe { place.write(plain) };
                made.length = size_of::<libc::sockaddr_in6>() as socklen_t;
            }
        }
        made
    }
}

/// `socket()`
pub fn socket(family: c_int, kind: c_int, protocol: c_int) -> Reply {
    Reply::number(unsafe { libc::socket(family, kind, protocol) })
}

/// `bind()`
pub fn bind(file: RawFd, address: &Address) -> Reply {
    Reply::number(unsafe { libc::bind(file, address.pointer(), address.length) })
}

/// `listen()`
pub fn listen(file: RawFd, backlog: c_int) -> Reply {
    Reply::number(unsafe { libc::listen(file, backlog) })
}

/// `accept4()`; nobody asks who has come.
pub fn accept(file: RawFd, flags: c_int) -> Reply {
    let nobody = std::ptr::null_mut();
    Reply::number(unsafe { libc::accept4(file, nobody, nobody.cast(), flags) })
}

/// `connect()`
pub fn connect(file: RawFd, address: &Address) -> Reply {
    Reply::number(unsafe { libc::connect(file, address.pointer(), address.length) })
}

/// `shutdown()`
pub fn shutdown(file: RawFd, how: c_int) -> Reply {
    Reply::number(unsafe { libc::shutdown(file, how) })
}

/// `close()`
pub fn close(file: RawFd) -> Reply {
    Reply::number(unsafe { libc::close(file) })
}

/// `read()` of up to so many bytes.
pub fn read(file: RawFd, length: usize) -> Reply {
    let mut bytes = vec![0u8; length];
    let returned = unsafe { libc::read(file, bytes.as_mut_ptr().cast(), length) };
    bytes.truncate(returned.max(0) as usize);
    Reply::of(returned as i64, Got::Bytes(bytes))
}

/// `write()`
pub fn write(file: RawFd, bytes: &[u8]) -> Reply {
    Reply::number(unsafe { libc::write(file, bytes.as_ptr().cast(), bytes.len()) } as i64)
}

/// `sendmsg()`, as which all calls of its family are made.
pub fn send(file: RawFd, mut parts: Vec<Vec<u8>>, flags: c_int, to: Option<&Address>) -> Reply {
    let mut vectors = vectors(&mut parts);
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_iov = vectors.as_mut_ptr();
    header.msg_iovlen = vectors.len();
    if let Some(address) = to {
        header.msg_name = address.pointer().cast_mut().cast();
        header.msg_namelen = address.length;
    }
    let mut reply = Reply::number(unsafe { libc::sendmsg(file, &raw const header, flags) } as i64);
    reply.lent = parts;
    reply
}

/// `recvmsg()` into parts of these lengths.
pub fn receive(file: RawFd, lengths: &[usize], flags: c_int) -> Reply {
    let mut parts: Vec<Vec<u8>> = lengths.iter().map(|&length| vec![0; length]).collect();
    let mut vectors = vectors(&mut parts);
    // Aligned as control messages have to be.
    let mut control = [0u64; 128];
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_iov = vectors.as_mut_ptr();
    header.msg_iovlen = vectors.len();
    header.msg_control = control.as_mut_ptr().cast();
    header.msg_controllen = size_of_val(&control);
    let returned = unsafe { libc::recvmsg(file, &raw mut header, flags) };
    let mut message = Message {
        bytes: parts.concat(),
        flags: header.msg_flags,
        control: Vec::new(),
    };
    if returned >= 0 {
        message.bytes.truncate(returned as usize);
        let mut next = unsafe { libc::CMSG_FIRSTHDR(&raw const header) };
        while !next.is_null() {
            // The kernel wrote the header, and as many bytes behind it as it says.
            let (one, data) = unsafe {
                let one = *next;
                let length = one.cmsg_len - libc::CMSG_LEN(0) as usize;
                let data = std::slice::from_raw_parts(libc::CMSG_DATA(next), length);
                (one, data.to_vec())
            };
            message.control.push((one.cmsg_level, one.cmsg_type, data));
            next = unsafe { libc::CMSG_NXTHDR(&raw const header, next) };
        }
    }
    Reply::of(returned as i64, Got::Message(message))
}

fn vectors(parts: &mut [Vec<u8>]) -> Vec<libc::iovec> {
    parts
        .iter_mut()
        .map(|part| libc::iovec {
            iov_base: part.as_mut_ptr().cast::<c_void>(),
            iov_len: part.len(),
        })
        .collect()
}

/// `setsockopt()`
pub fn setsockopt(file: RawFd, level: c_int, name: c_int, value: &[u8], length: usize) -> Reply {
    // A script may say another length than its value has; never a longer one.
    let length = length.min(value.len()) as socklen_t;
    Reply::number(unsafe { libc::setsockopt(file, level, name, value.as_ptr().cast(), length) })
}

/// `getsockopt()`: the value, as long as the kernel makes it.
pub fn getsockopt(file: RawFd, level: c_int, name: c_int) -> Reply {
    let mut value = vec![0u8; 256];
    let mut length = value.len() as socklen_t;
    let returned = unsafe {
        libc::getsockopt(
            file,
            level,
            name,
            value.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    value.truncate(length as usize);
    Reply::of(returned, Got::Bytes(value))
}

/// `fcntl()` with a number.
pub fn fcntl(file: RawFd, command: c_int, argument: c_int) -> Reply {
    Reply::number(unsafe { libc::fcntl(file, command, argument) })
}

/// One of the requests that write a number.
pub fn ioctl(file: RawFd, request: libc::c_ulong) -> Reply {
    let mut value: c_int = 0;
    let returned = unsafe { libc::ioctl(file, request, &raw mut value) };
    Reply::of(returned, Got::Bytes(value.to_ne_bytes().to_vec()))
}

/// `poll()` of files and what each waits for.
pub fn poll(files: &[(RawFd, i16)], timeout_ms: c_int) -> Reply {
    let mut polled: Vec<libc::pollfd> = files
        .iter()
        .map(|&(fd, events)| libc::pollfd {
            fd,
            events,
            revents: 0,
        })
        .collect();
    let count = polled.len() as libc::nfds_t;
    let returned = unsafe { libc::poll(polled.as_mut_ptr(), count, timeout_ms) };
    let happened = polled.iter().map(|one| one.revents).collect();
    Reply::of(returned, Got::Polled(happened))
}

/// `epoll_create1()`
pub fn epoll_create(flags: c_int) -> Reply {
    Reply::number(unsafe { libc::epoll_create1(flags) })
}

/// `epoll_ctl()`
pub fn epoll_ctl(epoll: RawFd, operation: c_int, file: RawFd, events: u32, data: u64) -> Reply {
    let mut event = libc::epoll_event { events, u64: data };
    Reply::number(unsafe { libc::epoll_ctl(epoll, operation, file, &raw mut event) })
}

/// `epoll_wait()` for up to `most` events.
pub fn epoll_wait(epoll: RawFd, most: usize, timeout_ms: c_int) -> Reply {
    let mut events = vec![libc::epoll_event { events: 0, u64: 0 }; most];
    let returned =
        unsafe { libc::epoll_wait(epoll, events.as_mut_ptr(), most as c_int, timeout_ms) };
    events.truncate(returned.max(0) as usize);
    let happened = events
        .iter()
        .map(|event| (event.events, event.u64))
        .collect();
    Reply::of(returned, Got::Events(happened))
}
