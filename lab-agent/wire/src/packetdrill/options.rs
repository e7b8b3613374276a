//! TCP options one by one, in the order in which they lie in a header, with the
//! padding between them: packetdrill's scripts say all of it.
// SPDX-License-Identifier: Apache-2.0
use std::fmt::{self, Display, Formatter, Write as _};

use super::model::Fault;
use super::scan::Scanner;

const EOL: u8 = 0;
const NOP: u8 = 1;
const MSS: u8 = 2;
const WINDOW_SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const TIMESTAMPS: u8 = 8;
const SIGNATURE: u8 = 19;
const FAST_OPEN: u8 = 34;
const EXPERIMENT: u8 = 254;
/// Fast Open's number among the experiments (RFC 6994).
const FAST_OPEN_EXPERIMENT: [u8; 2] = [0xf9, 0x89];

/// One option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TcpOption {
    /// `eol`
    Eol,
    /// `nop`
    Nop,
    /// `mss N`
    Mss(u16),
    /// `wscale N`
    WindowScale(u8),
    /// `sackOK`
    SackPermitted,
    /// `sack A:B …`
    Sack(Vec<(u32, u32)>),
    /// `TS val N ecr N`
    Timestamps(u32, u32),
    /// `md5 HEX`
    Signature(Vec<u8>),
    /// `FO HEX`: Fast Open, a request without a cookie.
    FastOpen(Vec<u8>),
    /// `FOEXP HEX`: the same before it had a number.
    FastOpenExperiment(Vec<u8>),
    /// What no script can say.
    Other(u8, Vec<u8>),
}

/// Reads what stands between `<` and `>`, after the `<`; `None` for `<...>`.
pub fn parse(scanner: &mut Scanner) -> Result<Option<Vec<TcpOption>>, Fault> {
    scanner.skip()?;
    if scanner.take("...") {
        scanner.need(">")?;
        return Ok(None);
    }
    let mut options = Vec::new();
    loop {
        scanner.skip()?;
        options.push(parse_one(scanner)?);
        scanner.skip()?;
        if scanner.take(">") {
            break;
        }
        scanner.need(",")?;
    }
    let length = encode(&options).len();
    if !length.is_multiple_of(4) || length > 40 {
        return scanner.fault(format!(
            "TCP options of {length} bytes: it has to be a multiple of 4 (add nop), 40 at most"
        ));
    }
    Ok(Some(options))
}

fn parse_one(scanner: &mut Scanner) -> Result<TcpOption, Fault> {
    Ok(match scanner.word() {
        "eol" => TcpOption::Eol,
        "nop" => TcpOption::Nop,
        "mss" => TcpOption::Mss(scanner.number_as("MSS")?),
        "wscale" => TcpOption::WindowScale(scanner.number_as("window scale")?),
        "sackOK" => TcpOption::SackPermitted,
        "sack" => {
            let mut blocks = Vec::new();
            scanner.skip()?;
            while scanner
                .rest()
                .starts_with(|next: char| next.is_ascii_digit())
            {
                let from = scanner.number_as("sequence number")?;
                scanner.need(":")?;
                blocks.push((from, scanner.number_as("sequence number")?));
                scanner.skip()?;
            }
            TcpOption::Sack(blocks)
        }
        "TS" => {
            if !scanner.take_word("val")? {
                return scanner.expected("`val`");
            }
            let value = scanner.number_as("timestamp")?;
            if !scanner.take_word("ecr")? {
                return scanner.expected("`ecr`");
            }
            TcpOption::Timestamps(value, scanner.number_as("timestamp")?)
        }
        "md5" => TcpOption::Signature(bytes(scanner)?),
        "FO" => TcpOption::FastOpen(bytes(scanner)?),
        "FOEXP" => TcpOption::FastOpenExperiment(bytes(scanner)?),
        _ => {
            return scanner.expected(
                "a TCP option (mss, wscale, sackOK, sack, TS val … ecr …, nop, eol, md5, FO, \
                 FOEXP)",
            );
        }
    })
}

/// Pairs of hexadecimal digits; there may be none.
fn bytes(scanner: &mut Scanner) -> Result<Vec<u8>, Fault> {
    scanner.skip()?;
    let digits = scanner.take_while(|digit| digit.is_ascii_hexdigit());
    if !digits.len().is_multiple_of(2) {
        return scanner.fault(format!("{digits} are not whole bytes"));
    }
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16))
        .collect::<Result<_, _>>()
        .or_else(|_| scanner.expected("hexadecimal digits"))
}

/// As in a header.
pub fn encode(options: &[TcpOption]) -> Vec<u8> {
    let mut all = Vec::new();
    for option in options {
        let (kind, value): (u8, Vec<u8>) = match option {
            TcpOption::Eol | TcpOption::Nop => {
                all.push(u8::from(*option == TcpOption::Nop));
                continue;
            }
            TcpOption::Mss(bytes) => (MSS, bytes.to_be_bytes().into()),
            TcpOption::WindowScale(shift) => (WINDOW_SCALE, vec![*shift]),
            TcpOption::SackPermitted => (SACK_PERMITTED, Vec::new()),
            TcpOption::Sack(blocks) => (SACK, blocks.iter().copied().flat_map(pair).collect()),
            TcpOption::Timestamps(value, echo) => (TIMESTAMPS, pair((*value, *echo)).into()),
            TcpOption::Signature(digest) => (SIGNATURE, digest.clone()),
            TcpOption::FastOpen(cookie) => (FAST_OPEN, cookie.clone()),
            TcpOption::FastOpenExperiment(cookie) => {
                (EXPERIMENT, [&FAST_OPEN_EXPERIMENT, &cookie[..]].concat())
            }
            TcpOption::Other(kind, value) => (*kind, value.clone()),
        };
        all.extend([kind, 2 + value.len() as u8]);
        all.extend(value);
    }
    all
}

fn pair((first, second): (u32, u32)) -> [u8; 8] {
    (u64::from(first) << 32 | u64::from(second)).to_be_bytes()
}

/// From a header that [`crate::packet`] has found to be sound.
pub fn decode(mut bytes: &[u8]) -> Vec<TcpOption> {
    let mut options = Vec::new();
    let long = |b: &[u8]| u32::from_be_bytes([b[0], b[1], b[2], b[3]]);
    while let [kind, rest @ ..] = bytes {
        if matches!(*kind, EOL | NOP) {
            options.push(if *kind == NOP {
                TcpOption::Nop
            } else {
                TcpOption::Eol
            });
            bytes = rest;
            continue;
        }
        let length = rest.first().map_or(0, |&length| usize::from(length));
        let Some(value) = bytes.get(2..length) else {
            break;
        };
        options.push(match (*kind, value.len()) {
            (MSS, 2) => TcpOption::Mss(u16::from_be_bytes([value[0], value[1]])),
            (WINDOW_SCALE, 1) => TcpOption::WindowScale(value[0]),
            (SACK_PERMITTED, 0) => TcpOption::SackPermitted,
            (SACK, _) => TcpOption::Sack(
                value
                    .chunks_exact(8)
                    .map(|block| (long(block), long(&block[4..])))
                    .collect(),
            ),
            (TIMESTAMPS, 8) => TcpOption::Timestamps(long(value), long(&value[4..])),
            (SIGNATURE, _) => TcpOption::Signature(value.to_vec()),
            (FAST_OPEN, _) => TcpOption::FastOpen(value.to_vec()),
            (EXPERIMENT, 2..) if value[..2] == FAST_OPEN_EXPERIMENT => {
                TcpOption::FastOpenExperiment(value[2..].to_vec())
            }
            _ => TcpOption::Other(*kind, value.to_vec()),
        });
        bytes = &bytes[length..];
    }
    options
}

impl Display for TcpOption {
    fn fmt(&self, to: &mut Formatter) -> fmt::Result {
        match self {
            Self::Eol => write!(to, "eol"),
            Self::Nop => write!(to, "nop"),
            Self::Mss(bytes) => write!(to, "mss {bytes}"),
            Self::WindowScale(shift) => write!(to, "wscale {shift}"),
            Self::SackPermitted => write!(to, "sackOK"),
            Self::Sack(blocks) => {
                write!(to, "sack")?;
                blocks
                    .iter()
                    .try_for_each(|(from, end)| write!(to, " {from}:{end}"))
            }
            Self::Timestamps(value, echo) => write!(to, "TS val {value} ecr {echo}"),
            Self::Signature(digest) => write!(to, "md5 {}", hexadecimal(digest)),
            Self::FastOpen(cookie) => write!(to, "FO {}", hexadecimal(cookie)),
            Self::FastOpenExperiment(cookie) => write!(to, "FOEXP {}", hexadecimal(cookie)),
            Self::Other(kind, value) => write!(to, "option {kind} {}", hexadecimal(value)),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Vec<TcpOption>>, Fault> {
        parse(&mut Scanner::new(text))
    }

    #[test]
    fn options_come_back_from_a_header_in_their_order() {
        let text = "mss 1460,nop,wscale 8,TS val 100 ecr 4294967295,sackOK,FO abcd12,nop,nop,nop>";
        let options = read(text).unwrap().unwrap();
        assert_eq!(decode(&encode(&options)), options);
        let said: Vec<String> = options.iter().map(TcpOption::to_string).collect();
        assert_eq!(said.join(",") + ">", text);
    }

    #[test]
    fn blocks_of_bytes_follow_each_other_without_commas() {
        assert_eq!(
            read("nop,nop, sack 1:2 30:40>"),
            Ok(Some(vec![
                TcpOption::Nop,
                TcpOption::Nop,
                TcpOption::Sack(vec![(1, 2), (30, 40)])
            ]))
        );
    }

    #[test]
    fn options_of_no_interest_are_none() {
        assert_eq!(read("...>"), Ok(None));
    }

    #[test]
    fn padding_that_is_missing_is_named() {
        let fault = read("wscale 8>").unwrap_err();
        assert!(fault.message.contains("3 bytes"), "{}", fault.message);
    }
}
