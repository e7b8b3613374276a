//! Compares what the kernel has written into the application's memory with what
//! the script says it writes there.
// SPDX-License-Identifier: Apache-2.0
use anyhow::{Context, Result, bail};

use super::kernel::{Got, Message};
use super::model::{Call, Value};

/// Members of `struct sock_extended_err`: name, offset and size in bytes.
const EXTENDED_ERROR: [(&str, usize, usize); 6] = [
    ("ee_errno", 0, 4),
    ("ee_origin", 4, 1),
    ("ee_type", 5, 1),
    ("ee_code", 6, 1),
    ("ee_info", 8, 4),
    ("ee_data", 12, 4),
];

/// How the script's time is that of the kernel's calendar, in which it reports
/// when a segment was sent.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// When the script began.
    pub started_ns: i64,
    /// How far a time may be off.
    pub tolerance_ns: i64,
}

/// Fails at the first difference.
pub fn compare(call: &Call, got: &Got, clock: &Clock) -> Result<()> {
    let argument = |place: usize| call.arguments.get(place).unwrap_or(&Value::Any);
    match (call.name.as_str(), got) {
        ("recvmsg", Got::Message(message)) => compare_message(argument(1), message, clock),
        ("epoll_wait", Got::Events(events)) => compare_events(argument(1), events),
        ("poll", Got::Polled(happened)) => compare_polled(argument(0), happened),
        ("getsockopt", Got::Bytes(bytes)) => compare_option(argument(3), bytes),
        ("ioctl", Got::Bytes(bytes)) => compare_option(argument(2), bytes),
        _ => Ok(()),
    }
}

fn same(what: &str, expected: &Value, came: i64) -> Result<()> {
    match expected {
        Value::Any => Ok(()),
        Value::Number(expected) if *expected == came => Ok(()),
        Value::Number(expected) => bail!("expected {what} = {expected}, came {came}"),
        other => bail!("{what} has to be a number, not {other:?}"),
    }
}

fn compare_message(expected: &Value, message: &Message, clock: &Clock) -> Result<()> {
    if let Some(flags) = expected.member("msg_flags") {
        same("msg_flags", flags, i64::from(message.flags))?;
    }
    let Some(Value::List(control)) = expected.member("msg_control") else {
        return Ok(());
    };
    if control.len() != message.control.len() {
        bail!(
            "expected {} control messages, came {}: {:?}",
            control.len(),
            message.control.len(),
            message.control
        );
    }
    for (expected, (level, kind, data)) in control.iter().zip(&message.control) {
        for (name, came) in [("cmsg_level", level), ("cmsg_type", kind)] {
            let number = expected.member(name).unwrap_or(&Value::Any);
            same(name, number, i64::from(*came))?;
        }
        let expected = expected.member("cmsg_data").unwrap_or(&Value::Any);
        if (*level, *kind) == (libc::SOL_SOCKET, libc::SCM_TIMESTAMPING) {
            compare_time(expected, data, clock)?;
        } else {
            compare_control(expected, data)?;
        }
    }
    Ok(())
}

fn compare_control(expected: &Value, data: &[u8]) -> Result<()> {
    match expected {
        Value::Any => Ok(()),
        Value::Number(_) => same("cmsg_data", expected, number(data, 0, 4)?),
        Value::Struct(members) => members.iter().try_for_each(|(name, value)| {
            let name = name.as_deref().unwrap_or_default();
            let Some(&(_, offset, size)) = EXTENDED_ERROR.iter().find(|(known, ..)| *known == name)
            else {
                bail!("of cmsg_data, numbers and sock_extended_err are understood, not {name}");
            };
            same(name, value, number(data, offset, size)?)
        }),
        _ => bail!("of cmsg_data, numbers and sock_extended_err are understood"),
    }
}

/// Of three times, the kernel's own is the first.
fn compare_time(expected: &Value, data: &[u8], clock: &Clock) -> Result<()> {
    let (Some(Value::Number(seconds)), Some(Value::Number(nanoseconds))) =
        (expected.member("scm_sec"), expected.member("scm_nsec"))
    else {
        bail!("a time is {{scm_sec=0, scm_nsec=10000000}}, not {expected:?}");
    };
    let expected = seconds * 1_000_000_000 + nanoseconds;
    let came = number(data, 0, 8)? * 1_000_000_000 + number(data, 8, 8)? - clock.started_ns;
    if (came - expected).abs() > clock.tolerance_ns {
        bail!(
            "expected the time {:.6} s, came {:.6} s",
            expected as f64 / 1e9,
            came as f64 / 1e9
        );
    }
    Ok(())
}

fn number(data: &[u8], offset: usize, size: usize) -> Result<i64> {
    let bytes = data.get(offset..offset + size);
    let bytes = bytes.with_context(|| format!("it has only {} bytes", data.len()))?;
    let value = bytes
        .iter()
        .rev()
        .fold(0i64, |value, &byte| value << 8 | i64::from(byte));
    Ok(value)
}

fn compare_option(expected: &Value, came: &[u8]) -> Result<()> {
    match expected {
        Value::Any => Ok(()),
        Value::List(numbers) => numbers
            .iter()
            .enumerate()
            .try_for_each(|(place, expected)| {
                let came = number(came, 4 * place, 4)? as i32;
                same("the value", expected, i64::from(came))
            }),
        Value::Text(text) => {
            let came = String::from_utf8_lossy(came);
            let came = came.trim_end_matches('\0');
            if came != text {
                bail!("expected the value {text}, came {came}");
            }
            Ok(())
        }
        other => bail!("a value is [NUMBER], \"text\" or ..., not {other:?}"),
    }
}

fn compare_events(expected: &Value, came: &[(u32, u64)]) -> Result<()> {
    let expected = match expected {
        Value::List(all) => &all[..],
        one => std::slice::from_ref(one),
    };
    // Where nothing has happened a script still has to write an event.
    for (expected, &came) in expected.iter().zip(came) {
        if *expected == Value::Any {
            continue;
        }
        let (events, data) = epoll_event(expected)?;
        if (events, data) != came {
            bail!(
                "expected the events {events:#x} of {data}, came {:#x} of {}",
                came.0,
                came.1
            );
        }
    }
    Ok(())
}

/// Reads `{events=EPOLLIN, fd=4}`, where the data may have another name.
pub fn epoll_event(value: &Value) -> Result<(u32, u64)> {
    let Some(Value::Number(events)) = value.member("events") else {
        bail!("an event is {{events=EPOLLIN, fd=4}} (or ptr=, u32=, u64=), not {value:?}");
    };
    let names = ["fd", "ptr", "u32", "u64"];
    let data = names.iter().find_map(|name| value.member(name));
    match data {
        Some(Value::Number(data)) => Ok((*events as u32, *data as u64)),
        None => Ok((*events as u32, 0)),
        Some(other) => bail!("an event's data is a number, not {other:?}"),
    }
}

fn compare_polled(expected: &Value, came: &[i16]) -> Result<()> {
    let Value::List(expected) = expected else {
        return Ok(());
    };
    for (expected, came) in expected.iter().zip(came) {
        let happened = expected.member("revents").unwrap_or(&Value::Any);
        same("revents", happened, i64::from(*came))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::model::Kind;
    use super::super::parse;
    use super::*;

    const CLOCK: Clock = Clock {
        started_ns: 7_900_000_000,
        tolerance_ns: 4_000_000,
    };

    fn compare(call: &Call, got: &Got) -> Result<()> {
        super::compare(call, got, &CLOCK)
    }

    fn call(text: &str) -> Call {
        let script = parse::parse(&format!("0 {text}"), 4).unwrap();
        let Some(Kind::Call(call)) = script.events.into_iter().next().map(|event| event.kind)
        else {
            panic!("{text}");
        };
        call
    }

    fn notification(first: u8, last: u8) -> Got {
        let mut data = vec![0; 32];
        (data[4], data[6], data[8], data[12]) = (5, 1, first, last);
        Got::Message(Message {
            bytes: Vec::new(),
            flags: libc::MSG_ERRQUEUE,
            control: vec![(libc::SOL_IP, libc::IP_RECVERR, data)],
        })
    }

    #[test]
    fn control_messages_are_compared_member_by_member() {
        let call = call(
            "recvmsg(4, {msg_name(...)=..., msg_iov(1)=[{..., 0}], msg_flags=MSG_ERRQUEUE, \
             msg_control=[{cmsg_level=SOL_IP, cmsg_type=IP_RECVERR, cmsg_data={ee_errno=0, \
             ee_origin=SO_EE_ORIGIN_ZEROCOPY, ee_code=SO_EE_CODE_ZEROCOPY_COPIED, ee_info=1, \
             ee_data=2}}]}, MSG_ERRQUEUE) = 0",
        );
        compare(&call, &notification(1, 2)).unwrap();
        let error = compare(&call, &notification(1, 3)).unwrap_err();
        assert_eq!(error.to_string(), "expected ee_data = 2, came 3");
    }

    #[test]
    fn times_count_from_the_script_s_beginning() {
        let call = call(
            "recvmsg(4, {msg_iov(1)=[{..., 0}], msg_control=[{cmsg_level=SOL_SOCKET, \
             cmsg_type=SCM_TIMESTAMPING, cmsg_data={scm_sec=0, scm_nsec=120000000}}]}, \
             MSG_ERRQUEUE) = 0",
        );
        let sent_at = |nanoseconds: u64| {
            let times = [8, nanoseconds, 0, 0, 0, 0];
            let data = times.iter().flat_map(|time| time.to_ne_bytes()).collect();
            Got::Message(Message {
                bytes: Vec::new(),
                flags: 0,
                control: vec![(libc::SOL_SOCKET, libc::SCM_TIMESTAMPING, data)],
            })
        };
        compare(&call, &sent_at(23_000_000)).unwrap();
        let error = compare(&call, &sent_at(25_000_000)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected the time 0.120000 s, came 0.125000 s"
        );
    }

    #[test]
    fn events_are_compared_with_their_data() {
        let call = call("epoll_wait(5, {events=EPOLLOUT|EPOLLERR, fd=4}, 1, 0) = 1");
        compare(&call, &Got::Events(vec![(0xc, 4)])).unwrap();
        assert!(compare(&call, &Got::Events(vec![(0x4, 4)])).is_err());
        assert!(compare(&call, &Got::Events(vec![(0xc, 5)])).is_err());
    }

    #[test]
    fn values_of_options_are_numbers_or_texts() {
        let got = |bytes: &[u8]| Got::Bytes(bytes.to_vec());
        let number = call("getsockopt(4, SOL_SOCKET, SO_ERROR, [-3], [4]) = 0");
        compare(&number, &got(&(-3i32).to_ne_bytes())).unwrap();
        assert!(compare(&number, &got(&[0; 4])).is_err());
        let text = call("getsockopt(4, SOL_TCP, TCP_CONGESTION, \"cubic\", [6]) = 0");
        compare(&text, &got(b"cubic\0\0")).unwrap();
        assert!(compare(&text, &got(b"reno\0")).is_err());
    }
}
