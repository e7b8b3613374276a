//! From text to a [`Script`].
// SPDX-License-Identifier: Apache-2.0
use super::expression::expand;
use super::{
    Claim, Event, Expected, Injected, Instant, Kind, Opening, Script, Setting, Write, settings,
};
use crate::packet::{ecn, flag};

const NS_PER_MS: f64 = 1e6;

/// Reads a script.
///
/// # Errors
/// The line's number, and what is wrong there.
pub fn parse(text: &str) -> Result<Script, (usize, String)> {
    let mut reader = Reader {
        script: Script {
            ip_versions: vec![4, 6],
            ..Script::default()
        },
        opened: false,
        now: 0,
    };
    let lines = expand(text)?;
    for line in &lines {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        reader
            .line(line.number, &words)
            .map_err(|message| (line.number, message))?;
    }
    if !reader.opened {
        let last = lines.last().map_or(1, |line| line.number);
        return Err((last, "no `connect` and no `accept`".into()));
    }
    Ok(reader.script)
}

struct Reader {
    script: Script,
    opened: bool,
    now: Instant,
}

impl Reader {
    fn line(&mut self, number: usize, words: &[&str]) -> Result<(), String> {
        if self.opened {
            let event = self.event(number, words)?;
            self.now = match event.kind {
                Kind::Connect { .. } => 0,
                _ => event.to,
            };
            self.script.events.push(event);
            return Ok(());
        }
        let script = &mut self.script;
        match *words {
            ["ip", version] => {
                script.ip_versions = vec![
                    version
                        .parse()
                        .ok()
                        .filter(|v| [4, 6].contains(v))
                        .ok_or_else(|| format!("`ip {version}`: give 4 or 6"))?,
                ];
            }
            ["use", name] => {
                let settings = settings::baseline(name).ok_or_else(|| {
                    let known = settings::BASELINES.map(|(name, _)| name).join(", ");
                    format!("no baseline `{name}`; there are {known}")
                })?;
                script.settings.extend(
                    settings
                        .iter()
                        .map(|(name, value)| (number, sysctl(name, &[value]))),
                );
            }
            ["sysctl", name, ref value @ ..] if !value.is_empty() => {
                script.settings.push((number, sysctl(name, value)));
            }
            ["socket", name, value] => script.settings.push((
                number,
                Setting::Socket(option_name(name)?, whole(value)? as i32),
            )),
            ["isn", value] => script
                .settings
                .push((number, Setting::InitialSequence(whole(value)? as u32))),
            ["peer", ref words @ ..] => self.peer(words)?,
            [how @ ("connect" | "accept"), "rtt", time] => {
                script.opening = Opening {
                    active: how == "connect",
                    round_trip_ns: milliseconds(time)?,
                };
                self.opened = true;
            }
            _ => {
                return Err(format!(
                    "`{}`: before the connection come ip, use, sysctl, socket, isn, peer, and \
                     then `connect rtt MS` or `accept rtt MS`",
                    words.join(" ")
                ));
            }
        }
        Ok(())
    }

    fn peer(&mut self, words: &[&str]) -> Result<(), String> {
        let peer = &mut self.script.peer;
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut number = || {
                let value = words
                    .next()
                    .ok_or(format!("`peer {word}` needs a number"))?;
                whole(value)
            };
            match word {
                "mss" => peer.mss = number()? as u16,
                "window" => peer.window = number()? as u32,
                "wscale" => peer.window_scale = Some(number()? as u8),
                "no-sack" => peer.sack = false,
                "timestamps" => peer.timestamps = true,
                "ecn" => peer.ecn = true,
                _ => {
                    return Err(format!(
                        "`peer {word}`: a peer has mss N, window N, wscale N, no-sack, \
                         timestamps, ecn"
                    ));
                }
            }
        }
        Ok(())
    }

    fn event(&self, line: usize, words: &[&str]) -> Result<Event, String> {
        let (time, words) = words.split_first().expect("lines are not empty");
        let (from, to) = self.time(time)?;
        let kind = kind(words)?;
        if from < self.now && !matches!(kind, Kind::Sent(_)) {
            return Err(format!(
                "time goes back: {time} ms after {} ms",
                self.now as f64 / NS_PER_MS
            ));
        }
        if from != to && !matches!(kind, Kind::Sent(_)) {
            return Err("only what the kernel sends may have a span of time".into());
        }
        Ok(Event {
            line,
            from,
            to,
            kind,
        })
    }

    /// `100`, `+40` after the line before, `200..240`.
    fn time(&self, text: &str) -> Result<(Instant, Instant), String> {
        if let Some(later) = text.strip_prefix('+') {
            let time = self.now + milliseconds(later)?;
            return Ok((time, time));
        }
        if let Some((from, to)) = text.split_once("..") {
            return Ok((milliseconds(from)?, milliseconds(to)?));
        }
        let time = milliseconds(text)?;
        Ok((time, time))
    }
}

fn kind(words: &[&str]) -> Result<Kind, String> {
    Ok(match *words {
        ["write", bytes, ref how @ ..] => Kind::Write(write(bytes, how)?),
        ["read", bytes] => Kind::Read {
            bytes: whole(bytes)? as usize,
        },
        [">", range, ref rest @ ..] => Kind::Sent(Box::new(expected(range, rest)?)),
        ["<", ref words @ ..] => Kind::Arrives(Box::new(injected(words)?)),
        ["quiet"] => Kind::Quiet,
        ["sysctl", name, ref value @ ..] if !value.is_empty() => {
            let Setting::Sysctl(name, value) = sysctl(name, value) else {
                unreachable!()
            };
            Kind::Sysctl(name, value)
        }
        ["socket", name, value] => Kind::Socket {
            name: option_name(name)?,
            value: whole(value)? as i32,
            fails: None,
        },
        ["socket", name, value, "fails", error] => Kind::Socket {
            name: option_name(name)?,
            value: whole(value)? as i32,
            fails: Some(error.into()),
        },
        ["shutdown"] => Kind::Shutdown,
        ["close"] => Kind::Close,
        ["disconnect"] => Kind::Disconnect,
        ["connect", "rtt", time] => Kind::Connect {
            round_trip_ns: milliseconds(time)?,
        },
        ["mtu", bytes] => Kind::Mtu(whole(bytes)? as u32),
        ["check", ref claims @ ..] if !claims.is_empty() => Kind::Check(
            claims
                .iter()
                .map(|claim| claim_of(claim))
                .collect::<Result<_, _>>()?,
        ),
        _ => {
            return Err(format!(
                "`{}`: after a time come write, read, >, <, quiet, sysctl, socket, mtu, shutdown, \
                 close, disconnect, connect or check",
                words.join(" ")
            ));
        }
    })
}

fn write(bytes: &str, how: &[&str]) -> Result<Write, String> {
    let mut write = Write {
        bytes: whole(bytes)? as usize,
        end_of_record: false,
        more: false,
        urgent: false,
        zerocopy: false,
        taken: None,
    };
    let mut how = how.iter();
    while let Some(&word) = how.next() {
        match word {
            "eor" => write.end_of_record = true,
            "more" => write.more = true,
            "urgent" => write.urgent = true,
            "zerocopy" => write.zerocopy = true,
            "takes" => {
                let bytes = how.next().ok_or("`takes` needs a number of bytes")?;
                write.taken = Some(whole(bytes)? as usize);
            }
            _ => {
                return Err(format!(
                    "`{word}`: a write may be eor, more, urgent, zerocopy, takes N"
                ));
            }
        }
    }
    Ok(write)
}

fn expected(span: &str, words: &[&str]) -> Result<Expected, String> {
    let (from, to) = range(span)?;
    let mut expected = Expected {
        from,
        to,
        ..Expected::default()
    };
    let mut words = words.iter().peekable();
    while let Some(&word) = words.next() {
        match word {
            "fin" => expected.flags |= flag::FIN,
            "syn" => expected.flags |= flag::SYN,
            "rst" => expected.flags |= flag::RST,
            "urg" => expected.flags |= flag::URG,
            "ece" => expected.flags |= flag::ECE,
            "cwr" => expected.flags |= flag::CWR,
            "push" => expected.push = Some(true),
            "no-push" => expected.push = Some(false),
            "ect0" => expected.ecn = ecn::ECT0,
            "ect1" => expected.ecn = ecn::ECT1,
            "ack" => {
                let value = words.next().ok_or("`ack` needs a number")?;
                expected.acknowledgement = Some(whole(value)?);
            }
            "sack" => expected.sack = Some(ranges(&mut words)?),
            _ => {
                return Err(format!(
                    "`{word}`: a segment of the kernel has ack N, sack A:B …, fin, syn, rst, \
                     urg, ece, cwr, push, no-push, ect0, ect1"
                ));
            }
        }
    }
    Ok(expected)
}

fn injected(words: &[&str]) -> Result<Injected, String> {
    let mut injected = Injected::default();
    let mut acknowledges = false;
    let mut words = words.iter().peekable();
    while let Some(&word) = words.next() {
        let mut next = || {
            let word = words.next().copied();
            word.ok_or_else(|| format!("`{word:?}` lacks its value"))
        };
        match word {
            "ack" => {
                injected.acknowledgement = whole(next()?)?;
                acknowledges = true;
            }
            "data" => injected.data = Some(range(next()?)?),
            "win" => injected.window = Some(whole(next()?)? as u32),
            "echo" => injected.echo = Some(milliseconds(next()?)?),
            "sack" => injected.sack = ranges(&mut words)?,
            "fin" => injected.flags |= flag::FIN,
            "rst" => injected.flags |= flag::RST,
            "ece" => injected.flags |= flag::ECE,
            "cwr" => injected.flags |= flag::CWR,
            "ce" => injected.ecn = ecn::CE,
            "ect0" => injected.ecn = ecn::ECT0,
            _ => {
                return Err(format!(
                    "`{word}`: a segment of the peer has ack N, sack A:B …, data A:B, win N, \
                     echo MS, fin, rst, ece, cwr, ect0, ce"
                ));
            }
        }
    }
    if !acknowledges {
        return Err("a segment of the peer needs `ack N`".into());
    }
    if injected.sack.len() > 4 {
        return Err("a segment has room for four SACK blocks".into());
    }
    Ok(injected)
}

/// All words that follow and are ranges.
fn ranges(
    words: &mut std::iter::Peekable<std::slice::Iter<&str>>,
) -> Result<Vec<(i64, i64)>, String> {
    let mut all = Vec::new();
    while let Some(word) = words.next_if(|word| word.contains(':')) {
        all.push(range(word)?);
    }
    if all.is_empty() {
        return Err("`sack` needs a range of bytes, such as 100:200".into());
    }
    Ok(all)
}

fn range(text: &str) -> Result<(i64, i64), String> {
    text.split_once(':')
        .and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)))
        .filter(|(from, to)| from <= to)
        .ok_or_else(|| format!("`{text}` is no range of bytes such as 100:200"))
}

/// `NAME=N`, `NAME=LOW..HIGH`, `NAME>=N`, `NAME<=N`.
fn claim_of(text: &str) -> Result<Claim, String> {
    let fault = || {
        format!("`{text}`: a check is NAME=N, NAME=LOW..HIGH, NAME>=N or NAME<=N, without spaces")
    };
    let at = text.find(['=', '<', '>']).ok_or_else(fault)?;
    let (name, rest) = text.split_at(at);
    let number = |text: &str| whole(text).map_err(|_| fault());
    let (low, high) = if let Some(least) = rest.strip_prefix(">=") {
        (number(least)?, i64::MAX)
    } else if let Some(most) = rest.strip_prefix("<=") {
        (i64::MIN, number(most)?)
    } else {
        let value = rest.strip_prefix('=').ok_or_else(fault)?;
        match value.split_once("..") {
            Some((low, high)) => (number(low)?, number(high)?),
            None => (number(value)?, number(value)?),
        }
    };
    if name.is_empty() {
        return Err(fault());
    }
    Ok(Claim {
        name: name.into(),
        low,
        high,
    })
}

fn sysctl(name: &str, value: &[&str]) -> Setting {
    let name = if name.contains('.') {
        name.to_owned()
    } else {
        format!("net.ipv4.{name}")
    };
    Setting::Sysctl(name, value.join(" "))
}

fn option_name(name: &str) -> Result<String, String> {
    if settings::option(name).is_some() {
        return Ok(name.into());
    }
    Err(format!(
        "no socket option `{name}`; there are {}, or a number of TCP's",
        settings::option_names()
    ))
}

fn milliseconds(text: &str) -> Result<Instant, String> {
    text.parse::<f64>()
        .ok()
        .filter(|time| time.is_finite())
        .map(|time| (time * NS_PER_MS).round() as Instant)
        .ok_or_else(|| format!("`{text}` is no time in milliseconds"))
}

fn whole(text: &str) -> Result<i64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is no whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(lines: &str) -> Vec<Event> {
        parse(&format!("connect rtt 100\n{lines}")).unwrap().events
    }

    fn fault(text: &str) -> (usize, String) {
        parse(text).unwrap_err()
    }

    #[test]
    fn times_are_absolute_or_follow_the_line_before() {
        let events = events("0 write 1\n+40 write 1\n+0.5 quiet\n200..240 > 0:1");
        let times: Vec<_> = events.iter().map(|e| (e.from, e.to)).collect();
        assert_eq!(
            times,
            [
                (0, 0),
                (40_000_000, 40_000_000),
                (40_500_000, 40_500_000),
                (200_000_000, 240_000_000)
            ]
        );
    }

    #[test]
    fn a_segment_has_ranges_flags_and_blocks() {
        let events = events("0 > 10:20 fin cwr ect0 ack 5 sack 1:2 3:4\n0 < ack 7 sack 8:9 win 3");
        let Kind::Sent(sent) = &events[0].kind else {
            panic!()
        };
        assert_eq!((sent.from, sent.to), (10, 20));
        assert_eq!(sent.flags, flag::FIN | flag::CWR);
        assert_eq!(sent.ecn, ecn::ECT0);
        assert_eq!(sent.acknowledgement, Some(5));
        assert_eq!(sent.sack, Some(vec![(1, 2), (3, 4)]));
        let Kind::Arrives(arrives) = &events[1].kind else {
            panic!()
        };
        assert_eq!(arrives.acknowledgement, 7);
        assert_eq!(arrives.sack, [(8, 9)]);
        assert_eq!(arrives.window, Some(3));
    }

    #[test]
    fn claims_have_bounds() {
        let claim = |text| claim_of(text).map(|c| (c.name, c.low, c.high));
        assert_eq!(claim("a.b=3"), Ok(("a.b".into(), 3, 3)));
        assert_eq!(claim("a=3..5"), Ok(("a".into(), 3, 5)));
        assert_eq!(claim("a>=3"), Ok(("a".into(), 3, i64::MAX)));
        assert_eq!(claim("a<=3"), Ok(("a".into(), i64::MIN, 3)));
        assert!(claim("a>3").is_err());
        assert!(claim("=3").is_err());
    }

    #[test]
    fn faults_name_the_line_and_the_remedy() {
        assert_eq!(fault("\n\nip 5"), (3, "`ip 5`: give 4 or 6".into()));
        assert_eq!(fault("ip 4").1, "no `connect` and no `accept`");
        let late = fault("connect rtt 100\n5 quiet\n3 quiet");
        assert_eq!(late, (3, "time goes back: 3 ms after 5 ms".into()));
        assert!(fault("connect rtt 100\n0 fly").1.contains("write"));
        assert!(fault("socket wings 1").1.contains("thin_dupack"));
        assert!(fault("use linux").1.contains("newreno2008"));
    }
}
