//! How a failure and a transcript put what happened: as a script would.
// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;

use super::peer::offset_of_peer;
use crate::packet::{Segment, describe_flags, ecn, flag};
use crate::script::{Claim, Event, Expected, Injected, decimal, milliseconds};

/// A segment of the kernel's whose first byte is at `offset`.
pub fn describe_segment(offset: i64, segment: &Segment) -> String {
    let mut text = format!(
        "{offset}:{}{} ack {}",
        offset + segment.payload.len() as i64,
        describe_flags(segment.flags),
        offset_of_peer(segment.acknowledgement)
    );
    describe_ecn(&mut text, segment.ecn);
    if !segment.options.sack.is_empty() {
        text.push_str(" sack");
        for &(from, to) in &segment.options.sack {
            let _ = write!(text, " {}:{}", offset_of_peer(from), offset_of_peer(to));
        }
    }
    text
}

/// What a line wants the kernel to send.
pub fn describe_expected(expected: &Expected, acknowledgement: i64) -> String {
    let push = if expected.push == Some(true) {
        flag::PSH
    } else {
        0
    };
    let mut text = format!(
        "{}:{}{} ack {acknowledgement}",
        expected.from,
        expected.to,
        describe_flags(expected.flags | push)
    );
    describe_ecn(&mut text, expected.ecn);
    for (from, to) in expected.sack.iter().flatten() {
        let _ = write!(text, " sack {from}:{to}");
    }
    text
}

/// What a line has the peer send.
pub fn describe_injected(injected: &Injected) -> String {
    let mut text = format!("ack {}", injected.acknowledgement);
    if let Some((from, to)) = injected.data {
        let _ = write!(text, " data {from}:{to}");
    }
    if !injected.sack.is_empty() {
        text.push_str(" sack");
        for (from, to) in &injected.sack {
            let _ = write!(text, " {from}:{to}");
        }
    }
    if let Some(window) = injected.window {
        let _ = write!(text, " win {window}");
    }
    text.push_str(&describe_flags(injected.flags));
    text
}

fn describe_ecn(text: &mut String, bits: u8) {
    match bits {
        ecn::ECT0 => text.push_str(" ect0"),
        ecn::ECT1 => text.push_str(" ect1"),
        ecn::CE => text.push_str(" ce"),
        _ => {}
    }
}

/// What a number has to be.
pub fn describe_claim(claim: &Claim) -> String {
    match (claim.low, claim.high) {
        (low, high) if low == high => format!("{} = {low}", claim.name),
        (low, i64::MAX) => format!("{} ≥ {low}", claim.name),
        (i64::MIN, high) => format!("{} ≤ {high}", claim.name),
        (low, high) => format!("{} = {low}..{high}", claim.name),
    }
}

/// When a line's segment has to come.
pub fn describe_span(event: &Event) -> String {
    if event.from == event.to {
        return milliseconds(event.from);
    }
    format!("{}..{}", decimal(event.from), milliseconds(event.to))
}

/// As a script names it.
pub fn errno_name(error: &std::io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EINVAL) => "EINVAL".into(),
        Some(libc::ENOPROTOOPT) => "ENOPROTOOPT".into(),
        Some(libc::EPERM) => "EPERM".into(),
        _ => error.to_string(),
    }
}
