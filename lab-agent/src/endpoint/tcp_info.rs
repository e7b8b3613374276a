//! What the kernel says of a socket: `struct tcp_info` of linux/tcp.h.
//!
//! The struct grows with the kernel's version and with our patches; the kernel
//! fills what it has and tells how much that is.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::{AsFd, AsRawFd};

use lab_proto::{SocketState, TcpInfo};

use crate::fault::{Doing, Fault, Outcome};

/// More than any kernel fills today.
const ROOM: usize = 512;

/// Asks the kernel for all that it counts.
pub fn read(socket: impl AsFd) -> Outcome<TcpInfo> {
    ask(socket, parse)
}

/// Asks the kernel how the connection stands now, at `at_ns`.
pub fn state(socket: impl AsFd, at_ns: u64) -> Outcome<SocketState> {
    ask(socket, |info| parse_state(info, at_ns))
}

fn ask<T>(socket: impl AsFd, parse: impl FnOnce(&[u8]) -> Option<T>) -> Outcome<T> {
    let mut bytes = [0u8; ROOM];
    let mut length = ROOM as libc::socklen_t;
    // The kernel writes at most `length` bytes and says how many.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            bytes.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    if result < 0 {
        Err(std::io::Error::last_os_error()).doing("asking the kernel about the connection")?;
    }
    parse(&bytes[..length as usize])
        .ok_or_else(|| Fault::Failed(format!("the kernel's tcp_info has only {length} bytes")))
}

/// As [`parse`].
fn parse_state(info: &[u8], at_ns: u64) -> Option<SocketState> {
    let word = |at: usize| Some(u32::from_ne_bytes(info.get(at..at + 4)?.try_into().ok()?));
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
    let half = |at: usize| Some(u16::from_ne_bytes(info.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_ne_bytes(info.get(at..at + 4)?.try_into().ok()?));
    let long = |at: usize| Some(u64::from_ne_bytes(info.get(at..at + 8)?.try_into().ok()?));
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
        // kernel/patches: the thin-stream mechanisms
        thin_linear_timeouts: word(248),
        thin_early_retrans: word(252),
        rdb_bytes: long(256),
        rdb_bundles: word(264),
        rdb_dsacks: word(268),
        rdb_repairs: word(272),
        rdb_congestion: word(276),
    })
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
        let old = parse(&made_up(240)).unwrap();
        assert_eq!(old.total_rto, None);
        assert_eq!(old.reord_seen, 220);
        let patched = parse(&made_up(280)).unwrap();
        assert_eq!(patched.thin_linear_timeouts, Some(248));
        assert_eq!(patched.rdb_bytes, Some(256 + (260 << 32)));
        assert_eq!(patched.rdb_congestion, Some(276));
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
