//! What a packetdrill script says, as data.
// SPDX-License-Identifier: Apache-2.0
use super::claims::Statement;
use super::options::TcpOption;

/// What a script cannot mean here: a line of the file, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// Of the file, from 1.
    pub line: usize,
    /// For whoever wrote it.
    pub message: String,
}

/// A whole script, read for one IP version: some names mean another number in
/// the other.
#[derive(Debug, Default)]
pub struct Script {
    /// Its `--option=value` lines.
    pub settings: Settings,
    /// In order.
    pub events: Vec<Event>,
    /// Whether a packet is signed (RFC 2385), which not every kernel can read.
    pub signed: bool,
}

/// What a script sets for itself, as on packetdrill's command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// How far a time may be off.
    pub tolerance_us: Option<i64>,
    /// The same as a share of the time since the event before, in tenths of a
    /// percent.
    pub tolerance_permille: Option<i64>,
    /// A packet of the script is one of the kernel's; without it, several that
    /// follow each other may make it up.
    pub strict_segments: bool,
    /// Compares the kernel's timestamps, which tick this often.
    pub timestamp_tick_us: Option<i64>,
    /// Of the interface.
    pub mtu: Option<u32>,
    /// Only this version.
    pub ip_version: Option<u8>,
}

/// One event.
#[derive(Debug)]
pub struct Event {
    /// Of the file, where it begins.
    pub line: usize,
    /// When.
    pub time: Time,
    /// What.
    pub kind: Kind,
}

/// When something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Whenever it does.
    Any,
    /// Not before the first and not after the second, from the script's start.
    Absolute(i64, i64),
    /// The same, from the event before.
    Relative(i64, i64),
}

/// What happens.
#[derive(Debug)]
pub enum Kind {
    /// The kernel sends it.
    Sent(Packet),
    /// It arrives at the kernel.
    Arrives(Packet),
    /// The application asks the kernel for something.
    Call(Call),
    /// Between backquotes.
    Shell(String),
    /// Between `%{` and `}%`.
    Claims(Vec<Statement>),
}

/// What a packet's IP header may say of congestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ecn {
    /// Exactly these two bits.
    Exactly(u8),
    /// ECN-capable, with either code point.
    Capable,
}

/// A TCP segment in a script's own numbers: relative to the first sequence
/// numbers, except those of a SYN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// `None`: of no interest.
    pub ecn: Option<Ecn>,
    /// As in [`crate::packet::flag`].
    pub flags: u8,
    /// Of the first byte.
    pub sequence: u32,
    /// Bytes of data.
    pub length: u32,
    /// Without one, it is 0.
    pub acknowledgement: u32,
    /// As in the header; `None`: of no interest.
    pub window: Option<u16>,
    /// The urgent pointer.
    pub urgent: u16,
    /// In order; `None`: of no interest.
    pub options: Option<Vec<TcpOption>>,
}

/// A system call.
#[derive(Debug)]
pub struct Call {
    /// As written, on one line.
    pub text: String,
    /// Its name.
    pub name: String,
    /// As written.
    pub arguments: Vec<Value>,
    /// What it has to return.
    pub result: Outcome,
    /// It blocks, and returns at this time (on the same clock as its event).
    pub returns: Option<i64>,
}

/// What a system call has to return.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Whatever it does.
    Any,
    /// This.
    Is(i64),
    /// -1 and this error.
    Fails(i32),
}

/// A system call's argument, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `...`
    Any,
    /// Also a constant's name, several with `|` between.
    Number(i64),
    /// In quotes.
    Text(String),
    /// `[…]`
    List(Vec<Value>),
    /// `{…}`: members, most with names.
    Struct(Vec<(Option<String>, Value)>),
}

impl Value {
    /// A struct's member.
    pub fn member(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Struct(members) => members
                .iter()
                .find(|(known, _)| known.as_deref() == Some(name))
                .map(|(_, value)| value),
            _ => None,
        }
    }
}
