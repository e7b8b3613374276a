//! Reads a script: options, times and events.
// SPDX-License-Identifier: Apache-2.0
use super::claims;
use super::model::{Call, Event, Fault, Kind, Outcome, Packet, Script, Settings, Time, Value};
use super::options::TcpOption;
use super::packets;
use super::scan::Scanner;
use super::symbols;

/// Reads the text of a script for sockets of an IP version.
pub fn parse(text: &str, ip_version: u8) -> Result<Script, Fault> {
    let mut scanner = Scanner::new(text);
    let mut script = Script::default();
    loop {
        scanner.skip()?;
        if scanner.rest().is_empty() {
            break;
        }
        if script.events.is_empty() && scanner.take("--") {
            parse_setting(&mut scanner, &mut script.settings)?;
            continue;
        }
        let event = parse_event(&mut scanner, ip_version)?;
        if let Kind::Sent(packet) | Kind::Arrives(packet) = &event.kind {
            script.signed |= is_signed(packet);
        }
        script.events.push(event);
    }
    if script.events.is_empty() {
        return scanner.fault("a script without an event");
    }
    Ok(script)
}

fn is_signed(packet: &Packet) -> bool {
    let mut options = packet.options.iter().flatten();
    options.any(|option| matches!(option, TcpOption::Signature(_)))
}

fn parse_setting(scanner: &mut Scanner, settings: &mut Settings) -> Result<(), Fault> {
    let name = scanner.word();
    let value = if scanner.take("=") {
        scanner.take_while(|letter| !letter.is_whitespace())
    } else {
        ""
    };
    let number = value.parse::<i64>().ok();
    match (name, number) {
        ("strict_segments", None) if value.is_empty() => settings.strict_segments = true,
        // What is lent to the kernel stays as it is in any case.
        ("send_omit_free", None) if value.is_empty() => {}
        ("tolerance_percent", _) if value.parse::<f64>().is_ok() => {
            let percent: f64 = value.parse().unwrap_or_default();
            settings.tolerance_permille = Some((percent * 10.0) as i64);
        }
        ("tolerance_usecs", Some(number)) => settings.tolerance_us = Some(number),
        ("tcp_ts_tick_usecs", Some(number)) => settings.timestamp_tick_us = Some(number),
        ("mtu", Some(number)) => settings.mtu = Some(number as u32),
        ("ip_version", _) if value == "ipv4" => settings.ip_version = Some(4),
        ("ip_version", _) if value == "ipv6" => settings.ip_version = Some(6),
        _ => {
            return scanner.fault(format!(
                "--{name}={value} is not understood: there are tolerance_usecs, \
                 tolerance_percent, strict_segments, tcp_ts_tick_usecs, mtu, and ip_version \
                 (ipv4, ipv6)"
            ));
        }
    }
    Ok(())
}

fn parse_event(scanner: &mut Scanner, ip_version: u8) -> Result<Event, Fault> {
    let line = scanner.line();
    // Commands need no time: then it is at once.
    if scanner.take("`") {
        let kind = Kind::Shell(scanner.until("`", "a command")?.to_owned());
        let time = Time::Relative(0, 0);
        return Ok(Event { line, time, kind });
    }
    let mut time = parse_time(scanner)?;
    let mut returns = None;
    scanner.skip()?;
    if scanner.take("...") {
        scanner.skip()?;
        scanner.take("+");
        let end = seconds(scanner)?;
        returns = Some(end);
    } else if scanner.take("~") {
        scanner.take("+");
        let end = seconds(scanner)?;
        time = match time {
            Time::Absolute(from, _) => Time::Absolute(from, end),
            Time::Relative(from, _) => Time::Relative(from, end),
            Time::Any => return scanner.fault("`*` is no beginning of a span"),
        };
    }
    scanner.skip()?;
    let kind = if scanner.take("<") {
        Kind::Arrives(packets::parse(scanner, true)?)
    } else if scanner.take(">") {
        Kind::Sent(packets::parse(scanner, false)?)
    } else if scanner.take("`") {
        Kind::Shell(scanner.until("`", "a command")?.to_owned())
    } else if scanner.take("%{") {
        let text = scanner.until("}%", "code")?;
        match claims::parse(text) {
            Ok(statements) => Kind::Claims(statements),
            Err(message) => return Err(Fault { line, message }),
        }
    } else {
        Kind::Call(parse_call(scanner, ip_version, returns)?)
    };
    if returns.is_some() && !matches!(kind, Kind::Call(_)) {
        return scanner.fault("only a system call has a time at which it returns");
    }
    Ok(Event { line, time, kind })
}

fn parse_time(scanner: &mut Scanner) -> Result<Time, Fault> {
    if scanner.take("*") {
        return Ok(Time::Any);
    }
    let relative = scanner.take("+");
    let at = seconds(scanner)?;
    Ok(if relative {
        Time::Relative(at, at)
    } else {
        Time::Absolute(at, at)
    })
}

/// Seconds with decimals, which may be all there is; in nanoseconds.
fn seconds(scanner: &mut Scanner) -> Result<i64, Fault> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let whole = scanner.take_while(is_digit);
    let mut decimals = "";
    if !scanner.rest().starts_with("..") && scanner.take(".") {
        decimals = scanner.take_while(is_digit);
    }
    if whole.is_empty() && decimals.is_empty() {
        return scanner.expected(
            "an event: a time (0.1, +0.1, *, a~b, a...b) and a packet (<, >), a system call, \
             `a command` or %{ code }%",
        );
    }
    let nanoseconds = format!("{whole}{decimals:0<9}");
    match nanoseconds.parse() {
        Ok(nanoseconds) if decimals.len() <= 9 => Ok(nanoseconds),
        _ => scanner.fault("a time with too many digits"),
    }
}

fn parse_call(scanner: &mut Scanner, ip_version: u8, returns: Option<i64>) -> Result<Call, Fault> {
    let place = scanner.place();
    let name = scanner.word().to_owned();
    if name.is_empty() {
        return scanner.expected("a packet, a system call, a command or code");
    }
    scanner.need("(")?;
    let arguments = parse_values(scanner, ")", ip_version)?;
    let words: Vec<&str> = scanner.since(place).split_whitespace().collect();
    let text = words.join(" ");
    scanner.need("=")?;
    scanner.skip()?;
    let result = parse_outcome(scanner)?;
    Ok(Call {
        text,
        name,
        arguments,
        result,
        returns,
    })
}

fn parse_outcome(scanner: &mut Scanner) -> Result<Outcome, Fault> {
    if scanner.take("?") || scanner.take("...") {
        return Ok(Outcome::Any);
    }
    if !scanner.take("-") {
        let number = scanner.number()?;
        skip_remark(scanner)?;
        return Ok(Outcome::Is(number));
    }
    let number = -scanner.number()?;
    scanner.skip()?;
    let name = scanner.word();
    if name.is_empty() {
        return Ok(Outcome::Is(number));
    }
    skip_remark(scanner)?;
    match symbols::error(name) {
        Some(error) => Ok(Outcome::Fails(error)),
        None => scanner.fault(format!("no error {name} is known")),
    }
}

/// What stands in parentheses behind a result is for people.
fn skip_remark(scanner: &mut Scanner) -> Result<(), Fault> {
    scanner.skip()?;
    if scanner.take("(") {
        scanner.until(")", "a remark")?;
    }
    Ok(())
}

/// Values with commas between, up to `end`.
fn parse_values(scanner: &mut Scanner, end: &str, ip_version: u8) -> Result<Vec<Value>, Fault> {
    let mut values = Vec::new();
    scanner.skip()?;
    if scanner.take(end) {
        return Ok(values);
    }
    loop {
        values.push(parse_value(scanner, ip_version)?);
        scanner.skip()?;
        if scanner.take(end) {
            return Ok(values);
        }
        scanner.need(",")?;
    }
}

fn parse_value(scanner: &mut Scanner, ip_version: u8) -> Result<Value, Fault> {
    scanner.skip()?;
    if scanner.take("...") {
        return Ok(Value::Any);
    }
    if scanner.take("[") {
        return Ok(Value::List(parse_values(scanner, "]", ip_version)?));
    }
    if scanner.take("{") {
        return parse_struct(scanner, ip_version);
    }
    if scanner.take("\"") {
        return Ok(Value::Text(scanner.until("\"", "a text")?.to_owned()));
    }
    let mut number = parse_number(scanner, ip_version)?;
    while let Value::Number(bits) = number
        && scanner.next_is("|")?
    {
        scanner.need("|")?;
        let Value::Number(more) = parse_number(scanner, ip_version)? else {
            return scanner.expected("a number");
        };
        number = Value::Number(bits | more);
    }
    Ok(number)
}

fn parse_number(scanner: &mut Scanner, ip_version: u8) -> Result<Value, Fault> {
    scanner.skip()?;
    if scanner.take("-") {
        return Ok(Value::Number(-scanner.number()?));
    }
    let name = scanner.word();
    if name.is_empty() {
        return scanner.number().map(Value::Number);
    }
    if ["htons", "htonl", "inet_addr"].contains(&name) {
        scanner.need("(")?;
        let inner = parse_value(scanner, ip_version)?;
        scanner.need(")")?;
        return Ok(inner);
    }
    match symbols::number(name, ip_version) {
        Some(number) => Ok(Value::Number(number)),
        None => scanner.fault(format!("no constant {name} is known")),
    }
}

/// After the `{`. A member's name may have a remark, as in `msg_iov(1)=`.
fn parse_struct(scanner: &mut Scanner, ip_version: u8) -> Result<Value, Fault> {
    let mut members = Vec::new();
    scanner.skip()?;
    if scanner.take("}") {
        return Ok(Value::Struct(members));
    }
    loop {
        scanner.skip()?;
        let name = member_name(scanner)?;
        members.push((name, parse_value(scanner, ip_version)?));
        scanner.skip()?;
        if scanner.take("}") {
            return Ok(Value::Struct(members));
        }
        scanner.need(",")?;
    }
}

fn member_name(scanner: &mut Scanner) -> Result<Option<String>, Fault> {
    let mut ahead = Scanner::new(scanner.rest());
    let name = ahead.word().to_owned();
    skip_remark(&mut ahead)?;
    if name.is_empty() || !ahead.next_is("=")? {
        return Ok(None);
    }
    scanner.word();
    skip_remark(scanner)?;
    scanner.need("=")?;
    Ok(Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    fn read(text: &str) -> Script {
        parse(text, 4).unwrap_or_else(|fault| panic!("{}: {}", fault.line, fault.message))
    }

    fn times(text: &str) -> Vec<Time> {
        read(text).events.iter().map(|event| event.time).collect()
    }

    #[test]
    fn every_kind_of_time_is_read() {
        assert_eq!(
            times(
                "0 `true`\n+.05 `true`\n * > . 1:1(0) ack 1\n1~1.5 > . 1:1(0) ack 1\n\
                 +0.2~+0.21 > . 1:1(0) ack 1\n`true`"
            ),
            [
                Time::Absolute(0, 0),
                Time::Relative(50 * MS, 50 * MS),
                Time::Any,
                Time::Absolute(1000 * MS, 1500 * MS),
                Time::Relative(200 * MS, 210 * MS),
                Time::Relative(0, 0),
            ]
        );
    }

    #[test]
    fn a_call_that_blocks_has_two_times() {
        for text in ["+0.1...0.25", "+.1 ... +.25"] {
            let script = read(&format!("{text} read(4, ..., 10) = 10"));
            assert_eq!(script.events[0].time, Time::Relative(100 * MS, 100 * MS));
            let Kind::Call(call) = &script.events[0].kind else {
                panic!("{script:?}");
            };
            assert_eq!(call.returns, Some(250 * MS));
            assert_eq!(call.text, "read(4, ..., 10)");
        }
    }

    #[test]
    fn arguments_are_read_with_structs_lists_and_remarks() {
        let script = read(
            "--tolerance_usecs=500\n--tolerance_percent=2.5\n--strict_segments\n\
             0 recvmsg(3, {msg_name(...)=..., msg_iov(2)=[{..., 5}, {\"ab\", 2}], // and\n\
             msg_flags=MSG_PEEK|0x2}, 0) = -1 EAGAIN (Try again)\n\
             +0 fcntl(3, F_GETFL) = 0x2 (flags O_RDWR)",
        );
        assert_eq!(script.settings.tolerance_us, Some(500));
        assert_eq!(script.settings.tolerance_permille, Some(25));
        assert!(script.settings.strict_segments);
        let Kind::Call(call) = &script.events[0].kind else {
            panic!("{script:?}");
        };
        assert_eq!(call.result, Outcome::Fails(libc::EAGAIN));
        let message = &call.arguments[1];
        assert_eq!(message.member("msg_name"), Some(&Value::Any));
        assert_eq!(message.member("msg_flags"), Some(&Value::Number(2)));
        let part =
            |bytes, length| Value::Struct(vec![(None, bytes), (None, Value::Number(length))]);
        assert_eq!(
            message.member("msg_iov"),
            Some(&Value::List(vec![
                part(Value::Any, 5),
                part(Value::Text("ab".into()), 2)
            ]))
        );
        assert_eq!(script.events[1].line, 6);
    }

    #[test]
    fn signed_packets_are_noticed() {
        let packet = "0 < . 1:1(0) ack 1 win 5";
        assert!(!read(packet).signed);
        let digest = "ab".repeat(16);
        assert!(read(&format!("{packet} <md5 {digest},nop,nop>")).signed);
    }

    #[test]
    fn names_of_the_selftests_depend_on_the_ip_version() {
        let level = |version| {
            let script = parse("0 f(CMSG_LEVEL_IP) = 0", version).unwrap();
            let Kind::Call(call) = &script.events[0].kind else {
                panic!("{script:?}");
            };
            call.arguments[0].clone()
        };
        assert_eq!(level(4), Value::Number(0));
        assert_eq!(level(6), Value::Number(41));
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        for (text, line, part) in [
            ("", 1, "without an event"),
            ("\n--wings=2\n0 `true`", 2, "--wings=2 is not understood"),
            ("0 `true`\nnow close(3) = 0", 2, "expected an event"),
            ("0 f(O_WINGS) = 0", 1, "no constant O_WINGS"),
            ("0 f() = -1 EWINGS", 1, "no error EWINGS"),
            ("0...1 `true`", 1, "only a system call"),
            ("0 %{ print(3) }%", 1, "there is no `=`"),
        ] {
            let fault = parse(text, 4).unwrap_err();
            assert_eq!(fault.line, line, "{text}: {}", fault.message);
            assert!(fault.message.contains(part), "{text}: {}", fault.message);
        }
    }
}
