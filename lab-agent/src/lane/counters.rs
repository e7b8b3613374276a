//! An end's TCP counters (MIB), as `nstat` names them.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::Counter;

use crate::fault::{Doing, Outcome};

/// All TCP counters of the calling thread's namespace that are not zero. A
/// lane's namespace is new, so they count this lane alone.
pub fn read() -> Outcome<Vec<Counter>> {
    let mut counters = Vec::new();
    for file in ["snmp", "netstat"] {
        let path = format!("/proc/thread-self/net/{file}");
        let text = std::fs::read_to_string(&path).doing(format!("reading {path}"))?;
        counters.extend(parse(&text));
    }
    Ok(counters)
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
        if !matches!(group, "Tcp" | "TcpExt") {
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
