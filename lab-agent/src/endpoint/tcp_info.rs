//! What the kernel says of a socket: `struct tcp_info` of linux/tcp.h, and the
//! patches' `struct tcp_thin_info`.
//!
//! The structs grow with the kernel's version; the kernel fills what it has and
//! tells how much that is.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use lab_proto::{SocketState, TcpInfo};

use crate::fault::{Doing, Fault, Outcome};

/// More than any kernel fills today.
const ROOM: usize = 512;

/// The patches' `TCP_THIN_INFO`.
const TCP_THIN_INFO: libc::c_int = 201;

/// Asks the kernel for all that it counts.
pub fn read(socket: impl AsFd) -> Outcome<TcpInfo> {
    let socket = socket.as_fd();
    let mut info = understood(&ask(socket, libc::TCP_INFO)?, parse)?;
    // A kernel without the patches has no such option, and counts none of it.
    if let Ok(thin_info) = ask(socket, TCP_THIN_INFO) {
        add_thin_info(&mut info, &thin_info);
    }
    Ok(info)
}

/// Asks the kernel how the connection stands now, at `at_ns`.
pub fn state(socket: impl AsFd, at_ns: u64) -> Outcome<SocketState> {
    let info = ask(socket.as_fd(), libc::TCP_INFO)?;
    understood(&info, |info| parse_state(info, at_ns))
}

fn understood<T>(info: &[u8], parse: impl FnOnce(&[u8]) -> Option<T>) -> Outcome<T> {
    let length = info.len();
    parse(info)
        .ok_or_else(|| Fault::Failed(format!("the kernel's tcp_info has only {length} bytes")))
}

fn ask(socket: BorrowedFd<'_>, option: libc::c_int) -> Outcome<Vec<u8>> {
    let mut bytes = vec![0; ROOM];
    let mut length = ROOM as libc::socklen_t;
    // The kernel writes at most `length` bytes and says how many.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            option,
            bytes.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    if result < 0 {
        Err(std::io::Error::last_os_error()).doing("asking the kernel about the connection")?;
    }
    bytes.truncate(length as usize);
    Ok(bytes)
}

/// As [`parse`].
fn parse_state(info: &[u8], at_ns: u64) -> Option<SocketState> {
    let word = |at: usize| word(info, at);
    Some(SocketState {
        at_ns,
        backoff: u32::from(*info.get(4)?),
        rto_us: word(8)?.into(),
        in_flight: word(24)?,
        rtt_us: word(68)?.into(),
        snd_ssthresh: word(76)?,
        snd_cwnd: word(80)?,
        unsent_bytes: word(144)?.into(),
    })
}

/// `None` when the struct is older than 4.19.
fn parse(info: &[u8]) -> Option<TcpInfo> {
    let half = |at: usize| half(info, at);
    let word = |at: usize| word(info, at);
    let long = |at: usize| long(info, at);
    Some(TcpInfo {
        rto_us: word(8)?.into(),
        snd_mss_bytes: word(16)?,
        rtt_us: word(68)?.into(),
        rttvar_us: word(72)?.into(),
        snd_ssthresh: word(76)?,
        snd_cwnd: word(80)?,
        reordering: word(88)?,
        total_retrans: word(100)?,
        bytes_acked: long(120)?,
        segs_out: word(136)?,
        min_rtt_us: word(148)?.into(),
        data_segs_out: word(156)?,
        busy_time_us: long(168)?,
        bytes_sent: long(200)?,
        bytes_retrans: long(208)?,
        dsack_dups: word(216)?,
        reord_seen: word(220)?,
        // 6.7
        total_rto: half(240).map(u32::from),
        total_rto_recoveries: half(242).map(u32::from),
        total_rto_time_ms: word(244).map(u64::from),
        ..TcpInfo::default()
    })
}

/// What kernel/patches count of the thin-stream mechanisms.
fn add_thin_info(info: &mut TcpInfo, thin_info: &[u8]) {
    let word = |at: usize| word(thin_info, at);
    info.thin_linear_timeouts = word(0);
    info.thin_early_retrans = word(4);
    info.rdb_bytes = long(thin_info, 8);
    info.rdb_bundles = word(16);
    info.rdb_dsacks = word(20);
    info.rdb_repairs = word(24);
    info.rdb_congestion = word(28);
    info.rdb_pauses = word(32);
    info.thin_window_floors = word(36);
    info.rdb_deep = word(40);
    info.rdb_depth = word(44);
    info.thin_probes = word(48);
    info.tail_copies = word(52);
    info.tail_repairs = word(56);
    info.write_recoveries = word(60);
}

fn half(info: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(info.get(at..at + 2)?.try_into().ok()?))
}

fn word(info: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(info.get(at..at + 4)?.try_into().ok()?))
}

fn long(info: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(info.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every four bytes hold their own offset.
    fn made_up(length: u32) -> Vec<u8> {
        let words = (0..length).step_by(4).flat_map(u32::to_ne_bytes);
        words.collect()
    }

    #[test]
    fn what_a_shorter_struct_lacks_is_absent_and_not_zero() {
        let stock = parse(&made_up(248)).unwrap();
        assert_eq!(stock.snd_cwnd, 80);
        assert_eq!(stock.total_rto_time_ms, Some(244));
        assert_eq!((stock.rdb_bytes, stock.thin_linear_timeouts), (None, None));
        // Newer kernels go on where 6.12 ends, with counters of their own.
        let newer = parse(&made_up(304)).unwrap();
        assert_eq!((newer.rdb_bytes, newer.thin_linear_timeouts), (None, None));
        let old = parse(&made_up(240)).unwrap();
        assert_eq!(old.total_rto, None);
        assert_eq!(old.reord_seen, 220);
        let mut patched = parse(&made_up(248)).unwrap();
        add_thin_info(&mut patched, &made_up(32));
        assert_eq!(patched.thin_linear_timeouts, Some(0));
        assert_eq!(patched.rdb_bytes, Some(8 + (12 << 32)));
        assert_eq!(patched.rdb_congestion, Some(28));
        assert_eq!(patched.rdb_pauses, None);
        assert!(parse(&made_up(104)).is_none());
    }

    #[test]
    fn a_state_is_read_from_the_same_struct() {
        let mut bytes = made_up(248);
        bytes[4] = 3;
        let state = parse_state(&bytes, 7).unwrap();
        assert_eq!((state.at_ns, state.backoff, state.rto_us), (7, 3, 8));
        assert_eq!((state.in_flight, state.unsent_bytes), (24, 144));
        assert!(parse_state(&made_up(144), 7).is_none());
    }

    /// The first fields of a real kernel are where we look for them.
    #[test]
    fn a_real_socket_tells_its_timeout_and_segment_size() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let near = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let info = read(&near).unwrap();
        assert!((200_000..=1_000_000).contains(&info.rto_us), "{info:?}");
        assert!(info.snd_mss_bytes >= 536, "{info:?}");
        // 3 on a kernel that has seen no reordering; it remembers what it saw, up to 300.
        assert!(
            info.snd_cwnd >= 1 && (3..=300).contains(&info.reordering),
            "{info:?}"
        );
    }
}
