//! What the kernel says of a connection: counters, `TCP_INFO`, options.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result, bail};

use crate::socket::Socket;

/// Name, offset and size of the fields of `struct tcp_info` (linux/tcp.h) that
/// a script may check; the last seven are Thinlab's.
const INFO: [(&str, usize, usize); 42] = [
    ("state", 0, 1),
    ("ca_state", 1, 1),
    ("retransmits", 2, 1),
    ("probes", 3, 1),
    ("backoff", 4, 1),
    ("options", 5, 1),
    ("rto", 8, 4),
    ("snd_mss", 16, 4),
    ("unacked", 24, 4),
    ("sacked", 28, 4),
    ("lost", 32, 4),
    ("retrans", 36, 4),
    ("rtt", 68, 4),
    ("rttvar", 72, 4),
    ("snd_ssthresh", 76, 4),
    ("snd_cwnd", 80, 4),
    ("reordering", 88, 4),
    ("total_retrans", 100, 4),
    ("bytes_acked", 120, 8),
    ("bytes_received", 128, 8),
    ("segs_out", 136, 4),
    ("segs_in", 140, 4),
    ("notsent_bytes", 144, 4),
    ("min_rtt", 148, 4),
    ("data_segs_out", 156, 4),
    ("delivery_rate", 160, 8),
    ("delivered", 192, 4),
    ("delivered_ce", 196, 4),
    ("bytes_sent", 200, 8),
    ("bytes_retrans", 208, 8),
    ("dsack_dups", 216, 4),
    ("reord_seen", 220, 4),
    ("snd_wnd", 228, 4),
    ("total_rto", 240, 2),
    ("total_rto_time", 244, 4),
    ("thin_linear_timeouts", 248, 4),
    ("thin_early_retrans", 252, 4),
    ("rdb_bytes", 256, 8),
    ("rdb_bundles", 264, 4),
    ("rdb_dsacks", 268, 4),
    ("rdb_repairs", 272, 4),
    ("rdb_congestion", 276, 4),
];

/// The number behind a name in a script.
pub fn value(name: &str, socket: &Socket) -> Result<i64> {
    if let Some(field) = name.strip_prefix("info.") {
        return info(field, socket);
    }
    if let Some(option) = name.strip_prefix("option.") {
        return socket
            .get_option(option)
            .map(i64::from)
            .with_context(|| format!("reading the socket option {option}"));
    }
    counter(name)
}

fn info(field: &str, socket: &Socket) -> Result<i64> {
    let Some(&(_, offset, size)) = INFO.iter().find(|(known, ..)| *known == field) else {
        bail!(
            "no field `{field}` of TCP_INFO is known; there are {}",
            INFO.map(|(name, ..)| name).join(", ")
        );
    };
    let bytes = socket.info()?;
    let Some(bytes) = bytes.get(offset..offset + size) else {
        bail!(
            "this kernel's TCP_INFO ends before `{field}` ({} bytes)",
            bytes.len()
        );
    };
    let value = bytes
        .iter()
        .rev()
        .fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    Ok(value as i64)
}

/// A TCP counter of the calling thread's namespace.
pub fn counter(name: &str) -> Result<i64> {
    for file in ["netstat", "snmp"] {
        let path = format!("/proc/thread-self/net/{file}");
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
        if let Some(value) = find(&text, name) {
            return Ok(value);
        }
    }
    bail!(
        "this kernel has no counter {name}: it has to be one of /proc/net/netstat or \
         /proc/net/snmp, or info.FIELD, or option.NAME"
    )
}

/// The files hold pairs of lines, names and values, both after their group.
fn find(text: &str, name: &str) -> Option<i64> {
    let lines: Vec<&str> = text.lines().collect();
    lines.chunks_exact(2).find_map(|pair| {
        let (group, names) = pair[0].split_once(": ")?;
        let (_, values) = pair[1].split_once(": ")?;
        if !matches!(group, "Tcp" | "TcpExt") {
            return None;
        }
        let at = names.split(' ').position(|known| known == name)?;
        values.split(' ').nth(at)?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_found_by_their_place() {
        let text = "Ip: A B\nIp: 1 2\nTcp: A RetransSegs\nTcp: -1 3\n";
        assert_eq!(find(text, "RetransSegs"), Some(3));
        assert_eq!(find(text, "A"), Some(-1));
        assert_eq!(find(text, "B"), None);
    }
}
