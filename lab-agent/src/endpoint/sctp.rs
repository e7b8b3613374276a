//! What SCTP's sockets have beside those of TCP: messages that say where in the stream they
//! belong, streams, and what an association is told (RFC 6458).
//!
//! A socket in the one-to-one style is written and read like TCP's, but each write is a
//! message of its own, and messages may be read in another order than they were written in.
//! So each carries the offset of its first byte as its payload protocol identifier.
// SPDX-License-Identifier: Apache-2.0
use std::io::ErrorKind;
use std::mem::{offset_of, size_of, zeroed};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use lab_proto::{Sctp, SctpInfo, SocketState};

use super::told;
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::sack_delay;
use crate::socket_option;

/// `linux/sctp.h`.
const SCTP_INITMSG: libc::c_int = 2;
const SCTP_NODELAY: libc::c_int = 3;
const SCTP_STATUS: libc::c_int = 14;
const SCTP_RECVRCVINFO: libc::c_int = 32;
const SCTP_GET_ASSOC_STATS: libc::c_int = 112;
const SCTP_SNDINFO: libc::c_int = 2;
const SCTP_RCVINFO: libc::c_int = 3;
const SCTP_UNORDERED: u16 = 1;

/// A longer write leaves as several messages, so that the socket has room for each of them.
pub const LONGEST_MESSAGE_BYTES: usize = 16 << 10;

/// Room for either control message, header included.
const CONTROL_BYTES: usize = 64;

/// `struct sctp_initmsg`.
#[repr(C)]
struct InitMsg {
    ostreams: u16,
    max_instreams: u16,
    max_attempts: u16,
    max_init_timeo: u16,
}

/// `struct sctp_sndinfo`.
#[repr(C)]
struct SndInfo {
    stream: u16,
    flags: u16,
    ppid: u32,
    context: u32,
    assoc_id: i32,
}

/// `struct sctp_rcvinfo`.
#[repr(C)]
#[derive(Clone, Copy)]
struct RcvInfo {
    stream: u16,
    ssn: u16,
    flags: u16,
    ppid: u32,
    tsn: u32,
    cumtsn: u32,
    context: u32,
    assoc_id: i32,
}

/// `struct sctp_status`, whose last member is a `struct sctp_paddrinfo`.
#[repr(C)]
struct Status {
    assoc_id: i32,
    state: i32,
    rwnd: u32,
    unackdata: u16,
    penddata: u16,
    instrms: u16,
    outstrms: u16,
    fragmentation_point: u32,
    path_assoc_id: i32,
    path_address: [u32; ADDRESS_BYTES / 4],
    path_state: i32,
    path_cwnd: u32,
    path_srtt: u32,
    path_rto: u32,
    path_mtu: u32,
}

/// The beginning of `struct sctp_assoc_stats`, as far as it is asked for.
#[repr(C)]
struct AssocStats {
    assoc_id: i32,
    obs_rto_ipaddr: [u64; ADDRESS_BYTES / 8],
    /// From the longest RTO to duplicates that came.
    before: [u64; 9],
    unordered_chunks_sent: u64,
    unordered_chunks_received: u64,
    ordered_chunks_sent: u64,
}

/// `struct sockaddr_storage`.
const ADDRESS_BYTES: usize = 128;

/// As in `linux/sctp.h`.
const _: () = assert!(size_of::<Status>() == 176);
const _: () = assert!(offset_of!(AssocStats, ordered_chunks_sent) == 224);

/// SCTP's sockets do not tell of a slow start threshold; this is how TCP's say that there is none.
const NO_THRESHOLD: u32 = i32::MAX as u32;

/// What one read gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// 0: there was nothing.
    pub length: usize,
    /// Where in the stream it begins, as far as 32 bits tell; none: after what was read before.
    pub offset: Option<u32>,
}

/// Tells a socket what its association is to be, before it is there.
pub fn prepare(socket: &OwnedFd, settings: &Sctp) -> Outcome<()> {
    let streams = streams(settings);
    let init = InitMsg {
        ostreams: streams,
        max_instreams: streams,
        max_attempts: 0,
        max_init_timeo: 0,
    };
    set(socket, SCTP_INITMSG, &init).doing("asking for the association's streams")?;
    set(socket, SCTP_RECVRCVINFO, &1_i32).doing("asking to be told of each message")?;
    match settings.sack_delay_ms {
        Some(delay_ms) => sack_delay::tell(socket, Some(delay_ms)),
        None => Ok(()),
    }
}

/// Switches Nagle's algorithm off.
pub fn set_nodelay(socket: &OwnedFd) -> Outcome<()> {
    set(socket, SCTP_NODELAY, &1_i32).doing("switching Nagle's algorithm off")
}

/// How many streams an association has.
pub fn streams(settings: &Sctp) -> u16 {
    u16::try_from(settings.streams.max(1)).unwrap_or(u16::MAX)
}

/// Writes what has its place after so many messages and bytes of the stream, as one message;
/// 0 when the socket takes nothing now.
pub fn write(
    socket: impl AsFd,
    settings: &Sctp,
    place: (u64, u64),
    bytes: &[u8],
) -> Outcome<usize> {
    match try_write(socket, settings, place, bytes) {
        Ok(written) => Ok(written),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
        Err(error) => Err(error).doing("writing to the stream: the association broke"),
    }
}

/// The same, where the kernel's own errors say what follows.
pub fn try_write(
    socket: impl AsFd,
    settings: &Sctp,
    (messages, offset): (u64, u64),
    bytes: &[u8],
) -> std::io::Result<usize> {
    let bytes = &bytes[..bytes.len().min(LONGEST_MESSAGE_BYTES)];
    let info = SndInfo {
        stream: (messages % u64::from(streams(settings))) as u16,
        flags: if settings.unordered {
            SCTP_UNORDERED
        } else {
            0
        },
        ppid: (offset as u32).to_be(),
        context: 0,
        assoc_id: 0,
    };
    send(socket.as_fd(), &info, bytes)
}

/// Reads a message. A buffer has room for the longest.
pub fn read(socket: impl AsFd, buffer: &mut [u8]) -> Outcome<Piece> {
    match receive(socket.as_fd(), buffer) {
        Ok(Received { length: 0, .. }) => Err(Fault::Failed(
            "the association was closed in the middle of the stream".into(),
        )),
        Ok(Received {
            length,
            info: Some(info),
            is_whole: true,
        }) => Ok(Piece {
            length,
            offset: Some(u32::from_be(info.ppid)),
        }),
        Ok(_) => Err(Fault::Failed(
            "the kernel handed out a part of a message, or did not say which message it was".into(),
        )),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(Piece {
            length: 0,
            offset: None,
        }),
        Err(error) => Err(error).doing("reading from the stream: the association broke"),
    }
}

/// How many chunks left the socket for the first time.
pub fn chunks_sent(socket: impl AsFd) -> Outcome<u64> {
    let stats: AssocStats = get(&socket, SCTP_GET_ASSOC_STATS).doing("asking what was sent")?;
    Ok(stats.ordered_chunks_sent + stats.unordered_chunks_sent)
}

/// Asks the kernel how the association stands now, at `at_ns`; what waits in the socket
/// it does not tell. The window is in bytes there, and here in packets of the path's MTU.
pub fn state(socket: impl AsFd, at_ns: u64) -> Outcome<SocketState> {
    let status: Status = get(&socket, SCTP_STATUS).doing("asking how the association stands")?;
    Ok(SocketState {
        at_ns,
        snd_cwnd: status.path_cwnd.div_ceil(status.path_mtu.max(1)),
        in_flight: status.unackdata.into(),
        rto_us: u64::from(status.path_rto) * 1000,
        rtt_us: u64::from(status.path_srtt) * 1000,
        snd_ssthresh: NO_THRESHOLD,
        // The timeout itself is doubled, and nothing counts how often.
        backoff: 0,
        unsent_bytes: 0,
    })
}

/// The same in the kernel's own terms, for a result.
pub fn info(socket: impl AsFd) -> Outcome<SctpInfo> {
    let status: Status = get(&socket, SCTP_STATUS).doing("asking how the association stands")?;
    Ok(SctpInfo {
        rto_us: u64::from(status.path_rto) * 1000,
        srtt_us: u64::from(status.path_srtt) * 1000,
        cwnd_bytes: status.path_cwnd,
        unacked_chunks: status.unackdata.into(),
    })
}

/// What the socket holds of data that is not acknowledged yet, the kernel's own room included:
/// only 0 says something exact. SCTP does not answer `SIOCOUTQ`.
pub fn unacknowledged(socket: impl AsFd) -> Outcome<usize> {
    /// `linux/sock_diag.h`.
    const SK_MEMINFO_WMEM_QUEUED: usize = 5;
    const SK_MEMINFO_VARS: usize = 9;
    let mut memory = [0_u32; SK_MEMINFO_VARS];
    let mut length = size_of_val(&memory) as libc::socklen_t;
    // The kernel writes at most `length` bytes.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_MEMINFO,
            memory.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    if result < 0 {
        Err(std::io::Error::last_os_error()).doing("asking what is unacknowledged")?;
    }
    Ok(memory[SK_MEMINFO_WMEM_QUEUED] as usize)
}

/// `T` is laid out as the kernel has it, of plain numbers.
fn get<T>(socket: &impl AsFd, option: libc::c_int) -> std::io::Result<T> {
    let mut length = size_of::<T>() as libc::socklen_t;
    // The kernel reads which association it is, of which there is one, and writes at most
    // `length` bytes.
    #[allow(unsafe_code)]
    unsafe {
        let mut value: T = zeroed();
        let result = libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::IPPROTO_SCTP,
            option,
            (&raw mut value).cast(),
            &raw mut length,
        );
        if result < 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok(value)
    }
}

fn set<T>(socket: &OwnedFd, option: libc::c_int, value: &T) -> std::io::Result<()> {
    socket_option::set(socket, libc::IPPROTO_SCTP, option, value)
}

/// Of what is sent; aligned as control messages have to be.
#[repr(C, align(8))]
struct Control([u8; CONTROL_BYTES]);

fn send(socket: BorrowedFd<'_>, info: &SndInfo, bytes: &[u8]) -> std::io::Result<usize> {
    let mut control = Control([0; CONTROL_BYTES]);
    let mut data = libc::iovec {
        iov_base: bytes.as_ptr().cast_mut().cast(),
        iov_len: bytes.len(),
    };
    // The header names only what lives here; the kernel reads it.
    #[allow(unsafe_code)]
    let sent = unsafe {
        let mut header: libc::msghdr = zeroed();
        header.msg_iov = &raw mut data;
        header.msg_iovlen = 1;
        header.msg_control = control.0.as_mut_ptr().cast();
        header.msg_controllen = libc::CMSG_SPACE(size_of::<SndInfo>() as u32) as _;
        let first = libc::CMSG_FIRSTHDR(&raw const header);
        (*first).cmsg_level = libc::IPPROTO_SCTP;
        (*first).cmsg_type = SCTP_SNDINFO;
        (*first).cmsg_len = libc::CMSG_LEN(size_of::<SndInfo>() as u32) as _;
        std::ptr::copy_nonoverlapping(
            std::ptr::from_ref(info).cast::<u8>(),
            libc::CMSG_DATA(first),
            size_of::<SndInfo>(),
        );
        libc::sendmsg(
            socket.as_raw_fd(),
            &raw const header,
            libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT,
        )
    };
    usize::try_from(sent).map_err(|_| std::io::Error::last_os_error())
}

/// What one call gave.
struct Received {
    length: usize,
    info: Option<RcvInfo>,
    /// Whether the message ends with it.
    is_whole: bool,
}

fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> std::io::Result<Received> {
    let mut control = told::Control::new();
    let kind = (libc::IPPROTO_SCTP, SCTP_RCVINFO);
    let received = control.receive(socket, buffer, kind)?;
    let whole = received
        .told
        .filter(|told| told.len() >= size_of::<RcvInfo>());
    // As long as what is read from it.
    #[allow(unsafe_code)]
    let info = whole.map(|told| unsafe { told.as_ptr().cast::<RcvInfo>().read_unaligned() });
    Ok(Received {
        length: received.length,
        info,
        is_whole: received.flags & libc::MSG_EOR != 0,
    })
}
