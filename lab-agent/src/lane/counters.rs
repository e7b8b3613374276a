//! An end's TCP, SCTP and UDP counters (MIB), as `nstat` and the kernel name them.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::Counter;

use crate::fault::{Doing, Outcome};

/// All transport counters of the calling thread's namespace that are not zero. A
/// lane's namespace is new, so they count this lane alone.
pub fn read() -> Outcome<Vec<Counter>> {
    let mut counters = Vec::new();
    for file in ["snmp", "netstat"] {
        let path = format!("/proc/thread-self/net/{file}");
        let text = std::fs::read_to_string(&path).doing(format!("reading {path}"))?;
        counters.extend(parse(&text));
    }
    // A kernel without SCTP has none.
    if let Ok(text) = std::fs::read_to_string("/proc/thread-self/net/sctp/snmp") {
        counters.extend(parse_sctp(&text));
    }
    Ok(counters)
}

/// The file holds a name and a value a line; how many associations there are now is no count.
fn parse_sctp(text: &str) -> impl Iterator<Item = Counter> {
    text.lines().filter_map(|line| {
        let (name, value) = line.split_once(char::is_whitespace)?;
        let value = value.trim().parse::<u64>().ok()?;
        (value > 0 && name != "SctpCurrEstab").then(|| Counter {
            name: name.to_owned(),
            value,
        })
    })
}

/// The files hold pairs of lines, both beginning with the group: names, values.
fn parse(text: &str) -> Vec<Counter> {
    let lines: Vec<&str> = text.lines().collect();
    let mut counters = Vec::new();
    for pair in lines.chunks_exact(2) {
        let (mut names, mut values) = (pair[0].split(' '), pair[1].split(' '));
        let (Some(group), Some(_)) = (names.next(), values.next()) else {
            continue;
        };
        let group = group.trim_end_matches(':');
        if !matches!(group, "Tcp" | "TcpExt" | "Udp" | "UdpLite") {
            continue;
        }
        for (name, value) in names.zip(values) {
            // `MaxConn` is -1: not a count.
            match value.parse::<u64>() {
                Ok(value) if value > 0 => counters.push(Counter {
                    name: format!("{group}{name}"),
                    value,
                }),
                _ => {}
            }
        }
    }
    counters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_sctp_counters_that_changed() {
        let text = "SctpCurrEstab                   \t1\nSctpT3RtxExpireds \t3\nSctpAborteds\t0\n";
        let found: Vec<_> = parse_sctp(text).map(|c| (c.name, c.value)).collect();
        assert_eq!(found, [("SctpT3RtxExpireds".into(), 3)]);
    }

    #[test]
    fn keeps_tcp_counters_that_changed() {
        let text = "Ip: InReceives OutRequests\nIp: 5 6\n\
                    Tcp: MaxConn RetransSegs InErrs\nTcp: -1 3 0\n\
                    TcpExt: TCPTimeouts\nTcpExt: 2\n";
        let found: Vec<(String, u64)> =
            parse(text).into_iter().map(|c| (c.name, c.value)).collect();
        assert_eq!(
            found,
            [
                ("TcpRetransSegs".into(), 3),
                ("TcpExtTCPTimeouts".into(), 2)
            ]
        );
    }
}
