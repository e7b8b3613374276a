//! What a script says, as data. `docs/wire.md` describes the language.
// SPDX-License-Identifier: Apache-2.0
mod expression;
mod parse;
pub mod settings;

pub use parse::parse;

/// Nanoseconds since the connection was there.
pub type Instant = i64;

/// In milliseconds, as a script has it.
pub fn decimal(time: Instant) -> String {
    format!("{:.1}", time as f64 / 1e6)
}

/// The same with its unit.
pub fn milliseconds(time: Instant) -> String {
    format!("{} ms", decimal(time))
}

/// A whole script.
#[derive(Debug, Default)]
pub struct Script {
    /// 4, 6.
    pub ip_versions: Vec<u8>,
    /// Before the connection.
    pub settings: Vec<(usize, Setting)>,
    /// How the peer presents itself.
    pub peer: Peer,
    /// How the connection comes to be.
    pub opening: Opening,
    /// Afterwards, in order.
    pub events: Vec<Event>,
}

/// Something that is set before the connection is opened.
#[derive(Clone, Debug)]
pub enum Setting {
    /// A kernel setting of the namespace.
    Sysctl(String, String),
    /// A socket option.
    Socket(String, i32),
    /// The connection's initial sequence number.
    InitialSequence(u32),
}

/// The peer's side of the handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// In its SYN.
    pub mss: u16,
    /// Whether it permits SACK.
    pub sack: bool,
    /// Whether it uses timestamps.
    pub timestamps: bool,
    /// Whether it agrees to ECN.
    pub ecn: bool,
    /// Of every segment without a window of its own, in bytes.
    pub window: u32,
    /// In its SYN.
    pub window_scale: Option<u8>,
}

impl Default for Peer {
    fn default() -> Self {
        Self {
            mss: 1000,
            sack: true,
            timestamps: false,
            ecn: false,
            window: 65535,
            window_scale: None,
        }
    }
}

/// Who opens the connection, and how long the answer takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The kernel's socket connects; otherwise it listens.
    pub active: bool,
    /// From SYN to the answer.
    pub round_trip_ns: Instant,
}

/// One timed line.
#[derive(Clone, Debug)]
pub struct Event {
    /// Of the file.
    pub line: usize,
    /// Not before.
    pub from: Instant,
    /// Not after, for what the kernel sends.
    pub to: Instant,
    /// What happens.
    pub kind: Kind,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The application writes.
    Write(Write),
    /// The application reads what the peer has sent, all of it.
    Read {
        /// Bytes.
        bytes: usize,
    },
    /// The kernel sends a segment.
    Sent(Box<Expected>),
    /// The peer sends a segment.
    Arrives(Box<Injected>),
    /// Nothing was sent up to here.
    Quiet,
    /// A kernel setting changes.
    Sysctl(String, String),
    /// A socket option changes.
    Socket {
        /// Name.
        name: String,
        /// Value.
        value: i32,
        /// The error that has to come.
        fails: Option<String>,
    },
    /// The application has written all it will.
    Shutdown,
    /// The application is gone.
    Close,
    /// The application gives the connection up, and keeps the socket.
    Disconnect,
    /// The same socket connects again; times, bytes and the peer begin anew.
    Connect {
        /// From SYN to the answer.
        round_trip_ns: Instant,
    },
    /// The interface takes packets of up to so many bytes.
    Mtu(u32),
    /// A number has to be so.
    Check(Vec<Claim>),
}

/// A write of the application.
#[allow(clippy::struct_excessive_bools)] // Each is a flag of `send()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// How many.
    pub bytes: usize,
    /// `MSG_EOR`.
    pub end_of_record: bool,
    /// `MSG_MORE`.
    pub more: bool,
    /// `MSG_OOB`.
    pub urgent: bool,
    /// `MSG_ZEROCOPY`.
    pub zerocopy: bool,
    /// How many the kernel has to take, where not all.
    pub taken: Option<usize>,
}

/// A segment that the kernel has to send.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// First byte and the one after the last, in the stream.
    pub from: i64,
    /// See `from`.
    pub to: i64,
    /// FIN, SYN, RST, URG, ECE, CWR: exactly these.
    pub flags: u8,
    /// PSH, where it matters.
    pub push: Option<bool>,
    /// Exactly this.
    pub ecn: u8,
    /// Where it is not all that the peer has sent.
    pub acknowledgement: Option<i64>,
    /// Exactly these, where given.
    pub sack: Option<Vec<(i64, i64)>>,
}

/// A segment of the peer.
#[derive(Clone, Debug, Default)]
pub struct Injected {
    /// In the kernel's stream.
    pub acknowledgement: i64,
    /// In the kernel's stream.
    pub sack: Vec<(i64, i64)>,
    /// Bytes of the peer's stream.
    pub data: Option<(i64, i64)>,
    /// Besides ACK.
    pub flags: u8,
    /// Of the IP header.
    pub ecn: u8,
    /// In bytes.
    pub window: Option<u32>,
    /// The echo, as the time (in ms of the script) of a segment it was in.
    pub echo: Option<Instant>,
}

/// `NAME is between LOW and HIGH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A counter, `info.FIELD` or `option.NAME`.
    pub name: String,
    /// Least.
    pub low: i64,
    /// Most.
    pub high: i64,
}
