//! What changes at random while a connection runs.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result};

use crate::random::Random;
use crate::socket::Socket;
use crate::sysctl;

/// The kernel's settings in each baseline, all per namespace.
const BASELINES: [&[(&str, &str)]; 3] = [
    // newreno2008
    &[
        ("tcp_congestion_control", "reno"),
        ("tcp_early_retrans", "0"),
        ("tcp_recovery", "0"),
        ("tcp_frto", "0"),
        ("tcp_autocorking", "0"),
        ("tcp_ecn", "0"),
    ],
    // modern
    &[
        ("tcp_congestion_control", "cubic"),
        ("tcp_early_retrans", "3"),
        ("tcp_recovery", "1"),
        ("tcp_frto", "2"),
        ("tcp_autocorking", "1"),
        ("tcp_ecn", "2"),
    ],
    // bbr
    &[
        ("tcp_congestion_control", "bbr"),
        ("tcp_early_retrans", "3"),
        ("tcp_recovery", "1"),
        ("tcp_frto", "2"),
        ("tcp_autocorking", "1"),
        ("tcp_ecn", "2"),
    ],
];

/// The mechanisms' settings and the values that are tried.
const MECHANISMS: [(&str, &[&str]); 12] = [
    ("tcp_thin_linear_timeouts", &["0", "1"]),
    ("tcp_thin_dupack", &["0", "1"]),
    ("tcp_thin_window_floor", &["0", "1"]),
    ("tcp_thin_probe", &["0", "1"]),
    ("tcp_thin_tail_copy", &["0", "1"]),
    ("tcp_thin_write_recovery", &["0", "1"]),
    ("tcp_rdb", &["0", "1", "2", "2"]),
    ("tcp_rdb_max_bytes", &["0", "0", "100", "500", "1400"]),
    ("tcp_rdb_max_packets", &["0", "0", "1", "2", "5"]),
    ("tcp_rdb_congestion", &["0", "1"]),
    ("tcp_rdb_min_iat_us", &["0", "0", "5000", "50000"]),
    ("tcp_rdb_target", &["0", "0", "1", "40", "1000"]),
];

const SOCKET_OPTIONS: [&str; 8] = [
    "thin_linear_timeouts",
    "thin_dupack",
    "rdb",
    "thin_window_floor",
    "rdb_target",
    "thin_probe",
    "thin_tail_copy",
    "thin_write_recovery",
];

/// Gives every setting some value, before a connection.
pub fn set_all(random: &mut Random, mechanisms: bool) -> Result<()> {
    set_baseline(random)?;
    if mechanisms {
        for (name, values) in MECHANISMS {
            set(name, random.one_of(values))?;
        }
    }
    Ok(())
}

/// Changes one thing of a running connection.
pub fn change_one(random: &mut Random, socket: &Socket, mechanisms: bool) -> Result<()> {
    match random.below(if mechanisms { 10 } else { 2 }) {
        0 => set_baseline(random),
        1 => socket.set_congestion_control(random.one_of(&["reno", "cubic", "bbr"])),
        2 => {
            let name = random.one_of(&SOCKET_OPTIONS);
            socket
                .set_option(name, random.below(2) as i32)
                .with_context(|| format!("setting the socket option {name}"))
        }
        _ => {
            let (name, values) = MECHANISMS[random.below(MECHANISMS.len() as u64) as usize];
            set(name, random.one_of(values))
        }
    }
}

/// All of a baseline's settings; congestion control counts for the next
/// connection.
fn set_baseline(random: &mut Random) -> Result<()> {
    let settings = BASELINES[random.below(BASELINES.len() as u64) as usize];
    for (name, value) in settings {
        // Chosen by the round: what was negotiated stays.
        if *name != "tcp_ecn" {
            set(name, value)?;
        }
    }
    Ok(())
}

fn set(name: &str, value: &str) -> Result<()> {
    sysctl::write(&format!("net.ipv4.{name}"), value)
}
