//! Sockets of UDP (RFC 768) and UDP-Lite (RFC 3828): one message is one datagram.
//!
//! Nothing below says which message a datagram is, and it may be lost, come twice or after its
//! successor. So each begins with the offset of its message in the stream, as RTP's begin with
//! a number. UDP-Lite's checksum always covers that, as RFC 3828 has it of headers that the
//! application needs: a damaged message is never taken for another one.
// SPDX-License-Identifier: Apache-2.0
use std::io::{self, ErrorKind};
use std::net::SocketAddrV4;
use std::os::fd::OwnedFd;

use lab_proto::UdpLite;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketType, bind, connect, ipproto, recv, send, socket,
};

use super::sctp::Piece;
use crate::fault::{Doing, Outcome};
use crate::lane::datagram::{HEADER_BYTES, OFFSET_BYTES};
use crate::lane::protocol::Protocol;
use crate::socket_option;

/// `linux/udp.h`; its level is the protocol's number.
const UDPLITE_SEND_CSCOV: libc::c_int = 10;

/// A socket that never waits, from its address on the lane to the other end's.
pub fn open(
    protocol: Protocol,
    (own, peer): (SocketAddrV4, SocketAddrV4),
    settings: UdpLite,
) -> Outcome<OwnedFd> {
    let kind = match protocol {
        Protocol::UdpLite => ipproto::UDPLITE,
        _ => ipproto::UDP,
    };
    let made = socket(AddressFamily::INET, SocketType::DGRAM, Some(kind))
        .doing("opening a socket for the messages")?;
    rustix::io::ioctl_fionbio(&made, true).doing("making a socket non-blocking")?;
    if protocol == Protocol::UdpLite {
        cover(&made, settings)?;
    }
    bind(&made, &own).doing("binding a socket on the lane")?;
    connect(&made, &peer).doing("naming the other end of the lane")?;
    Ok(made)
}

/// Has the checksum cover both headers, and of each message as much as is asked for.
fn cover(socket: &OwnedFd, settings: UdpLite) -> Outcome<()> {
    let bytes = HEADER_BYTES + OFFSET_BYTES + settings.covered_bytes as usize;
    let bytes = bytes as libc::c_int;
    socket_option::set(socket, libc::IPPROTO_UDPLITE, UDPLITE_SEND_CSCOV, &bytes)
        .doing("setting what the checksum covers")
}

/// Sends a message that begins at this offset of the stream; 0 when the socket takes nothing
/// now.
pub fn write(socket: &OwnedFd, offset: u64, message: &[u8]) -> Outcome<usize> {
    match try_write(socket, offset, message) {
        Ok(written) => Ok(written),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
        Err(error) => Err(error).doing("sending a datagram"),
    }
}

/// The same.
///
/// # Errors
/// `WouldBlock` when the socket takes nothing now.
pub fn try_write(socket: &OwnedFd, offset: u64, message: &[u8]) -> io::Result<usize> {
    let mut datagram = Vec::with_capacity(OFFSET_BYTES + message.len());
    datagram.extend_from_slice(&(offset as u32).to_be_bytes());
    datagram.extend_from_slice(message);
    match send(socket, &datagram, SendFlags::NOSIGNAL | SendFlags::DONTWAIT) {
        Ok(_) => Ok(message.len()),
        Err(Errno::NOBUFS) => Err(Errno::AGAIN.into()),
        Err(error) => Err(error.into()),
    }
}

/// Reads a datagram. A buffer has room for the longest.
pub fn read(socket: &OwnedFd, buffer: &mut [u8]) -> Outcome<Piece> {
    match try_read(socket, buffer) {
        Ok(piece) => Ok(piece),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(Piece {
            length: 0,
            offset: None,
        }),
        Err(error) => Err(error).doing("reading a datagram"),
    }
}

/// The same.
///
/// # Errors
/// `WouldBlock` when none is there.
pub fn try_read(socket: &OwnedFd, buffer: &mut [u8]) -> io::Result<Piece> {
    let (length, _) = recv(socket, &mut *buffer, RecvFlags::DONTWAIT)?;
    let Some(offset) = buffer[..length].first_chunk() else {
        return Err(io::Error::other(format!(
            "a datagram of {length} bytes came, which nobody sends on a lane"
        )));
    };
    let offset = u32::from_be_bytes(*offset);
    buffer.copy_within(OFFSET_BYTES..length, 0);
    Ok(Piece {
        length: length - OFFSET_BYTES,
        offset: Some(offset),
    })
}
