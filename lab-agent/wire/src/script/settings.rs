//! Names that scripts and the hostile path share: baselines and socket
//! options.
// SPDX-License-Identifier: Apache-2.0

/// A baseline's name and its kernel settings, all per namespace.
pub const BASELINES: [(&str, &[(&str, &str)]); 3] = [
    (
        "newreno2008",
        &[
            ("tcp_congestion_control", "reno"),
            ("tcp_early_retrans", "0"),
            ("tcp_recovery", "0"),
            ("tcp_frto", "0"),
            ("tcp_autocorking", "0"),
            ("tcp_ecn", "0"),
        ],
    ),
    (
        "modern",
        &[
            ("tcp_congestion_control", "cubic"),
            ("tcp_early_retrans", "3"),
            ("tcp_recovery", "1"),
            ("tcp_frto", "2"),
            ("tcp_autocorking", "1"),
            ("tcp_ecn", "2"),
        ],
    ),
    (
        "bbr",
        &[
            ("tcp_congestion_control", "bbr"),
            ("tcp_early_retrans", "3"),
            ("tcp_recovery", "1"),
            ("tcp_frto", "2"),
            ("tcp_autocorking", "1"),
            ("tcp_ecn", "2"),
        ],
    ),
];

/// The level of a socket option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `IPPROTO_TCP`.
    Tcp,
    /// `SOL_SOCKET`.
    Socket,
}

/// Name, level and number of the socket options that a script may use.
const OPTIONS: [(&str, Level, i32); 20] = [
    ("nodelay", Level::Tcp, libc::TCP_NODELAY),
    ("cork", Level::Tcp, libc::TCP_CORK),
    ("thin_linear_timeouts", Level::Tcp, 16),
    ("thin_dupack", Level::Tcp, 17),
    ("rdb", Level::Tcp, 200),
    ("thin_window_floor", Level::Tcp, 202),
    ("rdb_target", Level::Tcp, 203),
    ("thin_probe", Level::Tcp, 204),
    ("thin_tail_copy", Level::Tcp, 205),
    ("thin_write_recovery", Level::Tcp, 206),
    ("user_timeout", Level::Tcp, libc::TCP_USER_TIMEOUT),
    ("keepidle", Level::Tcp, libc::TCP_KEEPIDLE),
    ("maxseg", Level::Tcp, libc::TCP_MAXSEG),
    ("repair", Level::Tcp, libc::TCP_REPAIR),
    ("repair_queue", Level::Tcp, libc::TCP_REPAIR_QUEUE),
    ("sndbuf", Level::Socket, libc::SO_SNDBUF),
    ("timestamping", Level::Socket, libc::SO_TIMESTAMPING),
    ("keepalive", Level::Socket, libc::SO_KEEPALIVE),
    ("max_pacing_rate", Level::Socket, libc::SO_MAX_PACING_RATE),
    ("zerocopy", Level::Socket, libc::SO_ZEROCOPY),
];

/// Where a socket option is found; a number stands for itself, at TCP's level.
pub fn option(name: &str) -> Option<(Level, i32)> {
    OPTIONS
        .iter()
        .find(|(known, ..)| *known == name)
        .map(|&(_, level, number)| (level, number))
        .or_else(|| name.parse().ok().map(|number| (Level::Tcp, number)))
}

/// All names, for messages.
pub fn option_names() -> String {
    OPTIONS.map(|(name, ..)| name).join(", ")
}

/// A baseline's settings.
pub fn baseline(name: &str) -> Option<&'static [(&'static str, &'static str)]> {
    BASELINES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, settings)| *settings)
}
