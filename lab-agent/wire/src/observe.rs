//! What the kernel says of a connection: counters, `TCP_INFO`, `TCP_THIN_INFO`.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result, bail};

/// A field of a struct that the kernel fills: name, offset and size in bytes.
type Field = (&'static str, usize, usize);

/// Of `struct tcp_info` (linux/tcp.h), what a script may check.
const INFO: [Field; 46] = [
    ("state", 0, 1),
    ("ca_state", 1, 1),
    ("retransmits", 2, 1),
    ("probes", 3, 1),
    ("backoff", 4, 1),
    ("options", 5, 1),
    ("rto", 8, 4),
    ("ato", 12, 4),
    ("snd_mss", 16, 4),
    ("rcv_mss", 20, 4),
    ("unacked", 24, 4),
    ("sacked", 28, 4),
    ("lost", 32, 4),
    ("retrans", 36, 4),
    ("last_data_sent", 44, 4),
    ("last_data_recv", 52, 4),
    ("last_ack_recv", 56, 4),
    ("pmtu", 60, 4),
    ("rcv_ssthresh", 64, 4),
    ("rtt", 68, 4),
    ("rttvar", 72, 4),
    ("snd_ssthresh", 76, 4),
    ("snd_cwnd", 80, 4),
    ("advmss", 84, 4),
    ("reordering", 88, 4),
    ("total_retrans", 100, 4),
    ("pacing_rate", 104, 8),
    ("max_pacing_rate", 112, 8),
    ("bytes_acked", 120, 8),
    ("bytes_received", 128, 8),
    ("segs_out", 136, 4),
    ("segs_in", 140, 4),
    ("notsent_bytes", 144, 4),
    ("min_rtt", 148, 4),
    ("data_segs_out", 156, 4),
    ("data_segs_in", 152, 4),
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
];

/// Of the patches' `struct tcp_thin_info`.
const THIN_INFO: [Field; 15] = [
    ("linear_timeouts", 0, 4),
    ("early_retrans", 4, 4),
    ("rdb_bytes", 8, 8),
    ("rdb_bundles", 16, 4),
    ("rdb_dsacks", 20, 4),
    ("rdb_repairs", 24, 4),
    ("rdb_congestion", 28, 4),
    ("rdb_pauses", 32, 4),
    ("window_floors", 36, 4),
    ("rdb_deep", 40, 4),
    ("rdb_depth", 44, 4),
    ("probes", 48, 4),
    ("tail_copies", 52, 4),
    ("tail_repairs", 56, 4),
    ("write_recoveries", 60, 4),
];

/// A field of `TCP_INFO`, from the bytes of the whole.
pub fn info(field: &str, bytes: &[u8]) -> Result<i64> {
    of_struct("TCP_INFO", &INFO, field, bytes)
}

/// A field of `TCP_THIN_INFO`, from the bytes of the whole.
pub fn thin_info(field: &str, bytes: &[u8]) -> Result<i64> {
    of_struct("TCP_THIN_INFO", &THIN_INFO, field, bytes)
}

fn of_struct(option: &str, fields: &[Field], field: &str, bytes: &[u8]) -> Result<i64> {
    let Some(&(_, offset, size)) = fields.iter().find(|(known, ..)| *known == field) else {
        let known: Vec<&str> = fields.iter().map(|(name, ..)| *name).collect();
        bail!(
            "no field `{field}` of {option} is known; there are {}",
            known.join(", ")
        );
    };
    let length = bytes.len();
    let Some(bytes) = bytes.get(offset..offset + size) else {
        bail!("this kernel's {option} ends before `{field}` ({length} bytes)");
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
    bail!("this kernel has no counter {name}")
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
