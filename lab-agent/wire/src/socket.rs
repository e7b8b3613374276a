//! The TCP socket of the kernel under test, as an application has it.
// SPDX-License-Identifier: Apache-2.0
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use anyhow::{Context, Result};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, Shutdown, SocketFlags, SocketType, sockopt,
};

const TCP_QUEUE_SEQ: i32 = 21;
const TCP_THIN_INFO: i32 = 201;
const SEND_QUEUE: i32 = 2;
/// Leaves repair without a window probe.
const REPAIR_OFF: i32 = -1;

/// Names and numbers of TCP's options, as far as they are set by name.
const OPTIONS: [(&str, i32); 9] = [
    ("nodelay", libc::TCP_NODELAY),
    ("thin_linear_timeouts", 16),
    ("thin_dupack", 17),
    ("rdb", 200),
    ("thin_window_floor", 202),
    ("rdb_target", 203),
    ("thin_probe", 204),
    ("thin_tail_copy", 205),
    ("thin_write_recovery", 206),
];

/// See the module. Never blocks.
pub struct Socket(OwnedFd);

impl Socket {
    /// Without Nagle's algorithm, as applications with thin streams are.
    pub fn open(version: u8) -> Result<Self> {
        let family = if version == 4 {
            AddressFamily::INET
        } else {
            AddressFamily::INET6
        };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None)
            .context("opening a TCP socket")?;
        sockopt::set_tcp_nodelay(&socket, true).context("switching Nagle's algorithm off")?;
        Ok(Self(socket))
    }

    /// Begins to connect.
    pub fn connect(&self, to: SocketAddr) -> Result<()> {
        match rustix::net::connect(&self.0, &to) {
            Ok(()) | Err(Errno::INPROGRESS) => Ok(()),
            Err(error) => Err(error).context("connecting"),
        }
    }

    /// Waits for a connection, later given by [`Self::accept`].
    pub fn listen(&self, at: SocketAddr) -> Result<()> {
        rustix::net::bind(&self.0, &at).context("binding the listening socket")?;
        rustix::net::listen(&self.0, 1).context("listening")
    }

    /// The connection that has come.
    pub fn accept(&self) -> Result<Self> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let accepted = rustix::net::accept_with(&self.0, flags)
            .context("accepting: the handshake is not complete")?;
        sockopt::set_tcp_nodelay(&accepted, true).context("switching Nagle's algorithm off")?;
        Ok(Self(accepted))
    }

    /// Chooses the first sequence number; before connecting, as root.
    pub fn set_initial_sequence(&self, sequence: u32) -> Result<()> {
        for (number, value) in [
            (libc::TCP_REPAIR, 1),
            (libc::TCP_REPAIR_QUEUE, SEND_QUEUE),
            (TCP_QUEUE_SEQ, sequence as i32),
            (libc::TCP_REPAIR, REPAIR_OFF),
        ] {
            set(&self.0, number, value)
                .context("setting the initial sequence number (TCP_REPAIR)")?;
        }
        Ok(())
    }

    /// Whether an error has reached the connection.
    pub fn error(&self) -> Result<()> {
        sockopt::socket_error(&self.0)
            .context("asking for the socket's error")?
            .context("the connection")
    }

    /// Sets one of TCP's options by its name.
    pub fn set_option(&self, name: &str, value: i32) -> std::io::Result<()> {
        let known = OPTIONS.iter().find(|(known, _)| *known == name);
        let (_, number) =
            known.ok_or_else(|| std::io::Error::other(format!("no socket option {name}")))?;
        set(&self.0, *number, value)
    }

    /// Chooses the congestion control of the running connection.
    pub fn set_congestion_control(&self, name: &str) -> Result<()> {
        sockopt::set_tcp_congestion(&self.0, name)
            .with_context(|| format!("choosing the congestion control {name}"))
    }

    /// How many of `bytes` the kernel takes now.
    pub fn write(&self, bytes: &[u8], flags: SendFlags) -> Result<usize> {
        match rustix::net::send(&self.0, bytes, flags | SendFlags::NOSIGNAL) {
            Ok(taken) => Ok(taken),
            Err(Errno::AGAIN) => Ok(0),
            Err(error) => Err(error).context("writing to the socket"),
        }
    }

    /// How many bytes were there to read; `None` when nothing is there yet.
    pub fn read(&self, buffer: &mut [u8]) -> Result<Option<usize>> {
        match rustix::net::recv(&self.0, buffer, RecvFlags::empty()) {
            Ok((length, _)) => Ok(Some(length)),
            Err(Errno::AGAIN) => Ok(None),
            Err(error) => Err(error).context("reading from the socket"),
        }
    }

    /// Nothing more will be written.
    pub fn shutdown(&self) -> Result<()> {
        rustix::net::shutdown(&self.0, Shutdown::Write).context("shutting the connection down")
    }

    /// Makes the end of this socket the end of its connection.
    pub fn reset_when_closed(&self) -> Result<()> {
        sockopt::set_socket_linger(&self.0, Some(std::time::Duration::ZERO))
            .context("setting SO_LINGER")
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn set(socket: &OwnedFd, number: i32, value: i32) -> std::io::Result<()> {
    // The kernel reads the four bytes of `value`.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            number,
            (&raw const value).cast(),
            size_of::<i32>() as libc::socklen_t,
        )
    };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}

/// Whether this kernel can sign segments (RFC 2385).
pub fn knows_signatures() -> Result<bool> {
    let socket = Socket::open(4)?;
    // It is no key, so it is refused in any case.
    let refused = set(&socket.0, libc::TCP_MD5SIG, 0);
    let unknown = |error: std::io::Error| error.raw_os_error() == Some(libc::ENOPROTOOPT);
    Ok(!refused.is_err_and(unknown))
}

/// `struct tcp_info` of a TCP socket, as long as this kernel's is.
pub fn info_of(socket: &OwnedFd) -> std::io::Result<Vec<u8>> {
    read_struct(socket, libc::TCP_INFO)
}

/// The patches' `struct tcp_thin_info`, as long as this kernel's is.
pub fn thin_info_of(socket: &OwnedFd) -> std::io::Result<Vec<u8>> {
    read_struct(socket, TCP_THIN_INFO)
}

fn read_struct(socket: &OwnedFd, number: i32) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; 1024];
    let mut length = bytes.len() as libc::socklen_t;
    // The kernel writes at most `length` bytes, and how many it wrote.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            number,
            bytes.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    bytes.truncate(length as usize);
    Ok(bytes)
}
