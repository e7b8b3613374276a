//! A packet as a script writes it, much like tcpdump: read, said again, and
//! compared.
// SPDX-License-Identifier: Apache-2.0
use std::fmt::{self, Display, Formatter};

use super::model::{Ecn, Fault, Packet};
use super::options::{self, TcpOption};
use super::scan::Scanner;
use crate::packet::{ecn, flag};

/// Letters of the flags, in the order in which they are said: packetdrill wants the
/// dot last.
const FLAGS: [(char, u8); 8] = [
    ('F', flag::FIN),
    ('S', flag::SYN),
    ('R', flag::RST),
    ('P', flag::PSH),
    ('U', flag::URG),
    ('E', flag::ECE),
    ('W', flag::CWR),
    ('.', flag::ACK),
];
const ECN: [(&str, Ecn); 5] = [
    ("noecn", Ecn::Exactly(ecn::NOT_ECT)),
    ("ect0", Ecn::Exactly(ecn::ECT0)),
    ("ect1", Ecn::Exactly(ecn::ECT1)),
    ("ce", Ecn::Exactly(ecn::CE)),
    ("ect01", Ecn::Capable),
];

/// Reads a packet, after its `<` or `>`.
pub fn parse(scanner: &mut Scanner, arrives: bool) -> Result<Packet, Fault> {
    scanner.skip()?;
    let ecn = if scanner.take("[") {
        Some(parse_ecn(scanner)?)
    } else {
        None
    };
    scanner.skip()?;
    let flags = parse_flags(scanner)?;
    let sequence: u32 = scanner.number_as("sequence number")?;
    scanner.need(":")?;
    let end: u32 = scanner.number_as("sequence number")?;
    scanner.need("(")?;
    let length: u32 = scanner.number_as("length")?;
    scanner.need(")")?;
    if end.wrapping_sub(sequence) != length {
        return scanner.fault(format!("{sequence}:{end} is not {length} bytes long"));
    }
    let mut packet = Packet {
        ecn,
        flags,
        sequence,
        length,
        acknowledgement: 0,
        window: None,
        urgent: 0,
        options: Some(Vec::new()),
    };
    if scanner.take_word("ack")? {
        packet.acknowledgement = scanner.number_as("acknowledgement")?;
    }
    if scanner.take_word("win")? {
        packet.window = Some(scanner.number_as("window, which is at most 65535")?);
    }
    if scanner.take_word("urg")? {
        packet.urgent = scanner.number_as("urgent pointer")?;
    }
    if scanner.next_is("<")? {
        scanner.need("<")?;
        packet.options = options::parse(scanner)?;
    }
    if arrives && packet.window.is_none() && flags & flag::RST == 0 {
        return scanner.fault("a packet that arrives has to say its window: win N");
    }
    if arrives && packet.options.is_none() {
        return scanner.fault("a packet that arrives has to say its options");
    }
    Ok(packet)
}

fn parse_ecn(scanner: &mut Scanner) -> Result<Ecn, Fault> {
    let name = scanner.until("]", "a `[`")?.trim();
    match ECN.iter().find(|(known, _)| *known == name) {
        Some((_, ecn)) => Ok(*ecn),
        None => scanner.fault(format!(
            "`[{name}]` is not understood: there are [noecn], [ect0], [ect1], [ect01], [ce]"
        )),
    }
}

fn parse_flags(scanner: &mut Scanner) -> Result<u8, Fault> {
    let letters = scanner.take_while(|letter| !letter.is_whitespace());
    if ["icmp", "udp", "sctp", "ipv4", "ipv6", "gre", "mpls"].contains(&letters) {
        return scanner.fault(format!("only TCP is understood, not {letters}"));
    }
    if letters == "-" {
        return Ok(0);
    }
    let mut flags = 0;
    for letter in letters.chars() {
        match FLAGS.iter().find(|(known, _)| *known == letter) {
            Some((_, bit)) => flags |= bit,
            None => {
                return scanner.fault(format!(
                    "`{letters}` are no TCP flags: F S R P U E W . or - for none"
                ));
            }
        }
    }
    if letters.is_empty() {
        return scanner.expected("TCP flags");
    }
    Ok(flags)
}

impl Display for Packet {
    fn fmt(&self, to: &mut Formatter) -> fmt::Result {
        if let Some(ecn) = self.ecn
            && let Some((name, _)) = ECN.iter().find(|(_, known)| *known == ecn)
        {
            write!(to, "[{name}] ")?;
        }
        for (letter, bit) in FLAGS {
            if self.flags & bit != 0 {
                write!(to, "{letter}")?;
            }
        }
        if self.flags == 0 {
            write!(to, "-")?;
        }
        let end = self.sequence.wrapping_add(self.length);
        write!(to, " {}:{end}({})", self.sequence, self.length)?;
        if self.flags & flag::ACK != 0 {
            write!(to, " ack {}", self.acknowledgement)?;
        }
        if let Some(window) = self.window {
            write!(to, " win {window}")?;
        }
        if self.urgent != 0 {
            write!(to, " urg {}", self.urgent)?;
        }
        match &self.options {
            None => write!(to, " <...>"),
            Some(options) if options.is_empty() => Ok(()),
            Some(options) => {
                let said: Vec<String> = options.iter().map(TcpOption::to_string).collect();
                write!(to, " <{}>", said.join(","))
            }
        }
    }
}

/// In what a packet that came is not the one that a script expects; both in the
/// script's numbers. Timestamps are compared by whoever knows their clock.
pub fn difference(expected: &Packet, came: &Packet) -> Option<&'static str> {
    let ecn_fits = match (expected.ecn, came.ecn) {
        (None, _) | (_, None) => true,
        (Some(Ecn::Capable), Some(Ecn::Exactly(bits))) => matches!(bits, ecn::ECT0 | ecn::ECT1),
        (Some(expected), Some(came)) => expected == came,
    };
    let checks = [
        ("other flags", expected.flags == came.flags),
        (
            "another sequence number",
            expected.sequence == came.sequence,
        ),
        ("another length", expected.length == came.length),
        (
            "another acknowledgement",
            expected.acknowledgement == came.acknowledgement,
        ),
        (
            "another window",
            expected.window.is_none() || expected.window == came.window,
        ),
        ("another urgent pointer", expected.urgent == came.urgent),
        ("other ECN bits", ecn_fits),
        ("other options", options_fit(expected, came)),
    ];
    checks.iter().find(|(_, fits)| !fits).map(|(what, _)| *what)
}

/// Puts a packet behind another one of which it could be the rest: then a card
/// could have divided what TCP has sent as one. All parts are as long as each
/// other, but for the last, with which there are `whole` bytes.
///
/// # Errors
/// In what it is no rest.
pub fn join(
    first: &mut Packet,
    last_length: u32,
    rest: &Packet,
    whole: u32,
) -> Result<(), &'static str> {
    // A card leaves FIN and PSH to the last of what it makes, CWR to the first.
    const OF_THE_LAST: u8 = flag::FIN | flag::PSH;
    const OF_ONE_END: u8 = OF_THE_LAST | flag::CWR;
    let checks = [
        ("other flags", (first.flags ^ rest.flags) & !OF_ONE_END == 0),
        (
            "another sequence number",
            first.sequence.wrapping_add(first.length) == rest.sequence,
        ),
        (
            "another length",
            rest.length == last_length
                || (rest.length < last_length && first.length + rest.length == whole),
        ),
        (
            "another acknowledgement",
            first.acknowledgement == rest.acknowledgement,
        ),
        ("another window", first.window == rest.window),
        ("other options", options_fit(first, rest)),
    ];
    if let Some((what, _)) = checks.iter().find(|(_, fits)| !fits) {
        return Err(what);
    }
    first.length += rest.length;
    first.flags = first.flags & !OF_THE_LAST | rest.flags & OF_THE_LAST;
    Ok(())
}

fn options_fit(expected: &Packet, came: &Packet) -> bool {
    let Some(expected) = &expected.options else {
        return true;
    };
    let came = came.options.as_deref().unwrap_or_default();
    expected.len() == came.len()
        && expected.iter().zip(came).all(|pair| match pair {
            (TcpOption::Timestamps(_, expected), TcpOption::Timestamps(_, came)) => {
                expected == came
            }
            (expected, came) => expected == came,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Packet {
        parse(&mut Scanner::new(text), false).unwrap()
    }

    #[test]
    fn a_packet_is_said_as_it_was_written() {
        for text in [
            "S 0:0(0) <mss 1460,nop,wscale 8>",
            "FP. 1:101(100) ack 7 win 500",
            "[ect0] EW. 5:5(0) ack 1",
            "- 1:2(1)",
            "PU. 1:4(3) ack 1 win 9 urg 2 <...>",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
    }

    #[test]
    fn only_what_is_stated_is_compared() {
        let came = read("P. 1:101(100) ack 1 win 500 <nop,nop,TS val 9 ecr 3>");
        let same = [
            "P. 1:101(100) ack 1 <nop,nop,TS val 1 ecr 3>",
            "P. 1:101(100) ack 1 win 500 <...>",
        ];
        for text in same {
            assert_eq!(difference(&read(text), &came), None, "{text}");
        }
        let other = [
            (". 1:101(100) ack 1 <...>", "other flags"),
            ("P. 1:101(100) ack 2 <...>", "another acknowledgement"),
            ("P. 1:101(100) ack 1 win 1 <...>", "another window"),
            (
                "P. 1:101(100) ack 1 <nop,nop,TS val 9 ecr 4>",
                "other options",
            ),
            ("P. 1:101(100) ack 1", "other options"),
        ];
        for (text, what) in other {
            assert_eq!(difference(&read(text), &came), Some(what), "{text}");
        }
    }

    #[test]
    fn what_a_card_would_divide_is_joined() {
        let mut first = read(". 1:2001(2000) ack 1 <nop,nop,TS val 9 ecr 3>");
        let rest = read("P. 2001:3001(1000) ack 1 <nop,nop,TS val 9 ecr 3>");
        assert_eq!(
            join(&mut first, 2000, &rest, 4000),
            Err("another length"),
            "not the last"
        );
        assert_eq!(join(&mut first, 2000, &rest, 3000), Ok(()));
        assert_eq!(
            first.to_string(),
            "P. 1:3001(3000) ack 1 <nop,nop,TS val 9 ecr 3>"
        );
        assert_eq!(
            join(&mut first, 1000, &rest, 4000),
            Err("another sequence number")
        );
        let larger = read(". 3001:5001(2000) ack 1 <nop,nop,TS val 9 ecr 3>");
        assert_eq!(join(&mut first, 1000, &larger, 5000), Err("another length"));
    }

    #[test]
    fn what_is_no_tcp_packet_is_named() {
        let fault = |text| parse(&mut Scanner::new(text), true).unwrap_err().message;
        assert_eq!(
            fault("icmp unreachable"),
            "only TCP is understood, not icmp"
        );
        assert_eq!(fault(". 1:3(1) ack 1"), "1:3 is not 1 bytes long");
        assert!(fault(". 1:1(0) ack 1").contains("win N"));
        assert!(fault("[odd] . 1:1(0) ack 1 win 3").contains("[ect0]"));
        assert!(fault("SYN 1:1(0)").contains("no TCP flags"));
    }
}
