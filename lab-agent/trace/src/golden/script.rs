//! The script of a connection: who puts which packet on the wire when, and what
//! the path does to it.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeMap;
use std::ops::Range;

use super::truth::Truth;
use super::wire::{ChecksumStyle, Segment, Wire};

const MS: u64 = 1_000_000;

/// What the path does to one packet. Times are counted from its departure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives once.
    Arrives {
        /// One-way delay.
        after_ns: u64,
    },
    /// It never arrives.
    Lost,
    /// The path makes a second copy.
    Twice {
        /// Delay of the first copy.
        after_ns: u64,
        /// Delay of the second, not smaller.
        again_after_ns: u64,
    },
    /// It arrives with one bit flipped, so that its checksum is wrong.
    Damaged {
        /// One-way delay.
        after_ns: u64,
        /// Which byte of the IP packet is hit; past its end, the last one.
        at_byte: usize,
    },
}

impl Fate {
    /// Arrives once, `after_ns` later.
    pub fn arrives(after_ns: u64) -> Self {
        Self::Arrives { after_ns }
    }

    /// Delay and damage of each copy that reaches the other end.
    pub(super) fn arrivals(&self) -> Vec<(u64, Option<usize>)> {
        match *self {
            Self::Lost => vec![],
            Self::Arrives { after_ns } => vec![(after_ns, None)],
            Self::Twice {
                after_ns,
                again_after_ns,
            } => {
                vec![(after_ns, None), (again_after_ns, None)]
            }
            Self::Damaged { after_ns, at_byte } => vec![(after_ns, Some(at_byte))],
        }
    }

    /// Whether it is thrown away by a receiver that takes damage from such a byte on.
    pub(super) fn is_damage_refused(&self, takes_from: Option<usize>) -> bool {
        match self {
            Self::Damaged { at_byte, .. } => takes_from.is_none_or(|from| *at_byte < from),
            _ => false,
        }
    }
}

/// Why the sender transmits. The truth about shares is counted from this
/// declaration, not from sequence numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Bytes never sent before.
    New,
    /// New bytes from `new_from` on, with already sent ones in front.
    Bundle {
        /// Stream offset of the first new byte.
        new_from: u64,
    },
    /// Only bytes sent before, whichever segments they came in.
    Retransmission,
    /// A keepalive or window probe: at most one byte, below what is acknowledged.
    Probe,
}

/// One transmission of stream data.
#[derive(Clone, Debug)]
pub(super) struct Send {
    pub at_ns: u64,
    pub intent: Intent,
    /// Stream offset of the first payload byte; −1 for a probe before byte 0.
    pub offset: i64,
    pub length: u64,
    pub fate: Fate,
}

/// Data in the other direction.
#[derive(Clone, Debug)]
pub(super) struct Echo {
    pub at_ns: u64,
    pub bytes: Range<u64>,
    pub fate: Fate,
}

/// Traffic that has nothing to do with the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// An ARP request.
    Arp,
    /// A UDP datagram.
    Udp,
    /// A TCP segment with data, of another connection.
    OtherConnection,
}

/// An end of the path: where a capture is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The end that sends the stream.
    Sender,
    /// The end that receives it.
    Receiver,
}

/// A clock that is set while the script is played.
#[derive(Clone, Copy, Debug)]
pub struct ClockSet {
    /// Whose; none: one clock stamps at both ends.
    pub end: Option<End>,
    /// When, in true time.
    pub at_ns: u64,
    /// Forwards, or backwards.
    pub by_ns: i64,
}

/// How the two captures tell time.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// The sender's clock when the script begins.
    pub epoch_ns: u64,
    /// Stamps are rounded down to this: 1 or 1000.
    pub resolution_ns: u64,
    /// How far ahead the receiver's clock is when the script begins.
    pub receiver_offset_ns: i64,
    /// How much faster the receiver's clock runs, in parts per thousand million.
    pub receiver_drift_ppb: i64,
    /// When they are set.
    pub sets: Vec<ClockSet>,
}

impl Default for Clocks {
    fn default() -> Self {
        Self {
            epoch_ns: 1_700_000_000_000_000_000,
            resolution_ns: 1,
            receiver_offset_ns: 0,
            receiver_drift_ppb: 0,
            sets: Vec::new(),
        }
    }
}

impl Clocks {
    pub(super) fn stamp(&self, end: End, true_ns: u64) -> u64 {
        let shift = match end {
            End::Sender => 0,
            End::Receiver => {
                let drift = i128::from(true_ns) * i128::from(self.receiver_drift_ppb);
                i128::from(self.receiver_offset_ns) + drift.div_euclid(1_000_000_000)
            }
        };
        let is_set =
            |set: &&ClockSet| set.end.is_none_or(|whose| whose == end) && set.at_ns <= true_ns;
        let sets = self.sets.iter().filter(is_set);
        let set: i128 = sets.map(|set| i128::from(set.by_ns)).sum();
        let exact = i128::from(self.epoch_ns) + i128::from(true_ns) + shift + set;
        let stamp = u64::try_from(exact).expect("clocks stay after 1970");
        stamp / self.resolution_ns * self.resolution_ns
    }
}

/// The one-way delays of what the script does not decide itself: handshake,
/// acknowledgements.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Sender to receiver.
    pub forward_ns: u64,
    /// Receiver to sender.
    pub backward_ns: u64,
}

/// A round trip of 130 ms.
impl Default for Path {
    fn default() -> Self {
        Self {
            forward_ns: 65 * MS,
            backward_ns: 65 * MS,
        }
    }
}

/// One frame in one capture.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Whose capture it is in.
    pub end: End,
    /// When it was there, in true time.
    pub true_ns: u64,
    /// When that end's clock says it was.
    pub stamp_ns: u64,
    /// Whether that end sent it.
    pub outgoing: bool,
    /// The IP packet (for ARP: its body).
    pub packet: Vec<u8>,
}

/// What a script leaves behind.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Both captures' frames, each in the order of capture.
    pub frames: Vec<Frame>,
    /// Of the stamps.
    pub resolution_ns: u64,
    /// What is true of the connection, in true time.
    pub truth: Truth,
}

/// What a script of another protocol leaves behind, with its own truth.
#[derive(Clone, Debug)]
pub struct Played<T> {
    /// Both captures' frames; its own truth, of TCP, is empty.
    pub trace: Trace,
    /// What is true of the stream.
    pub truth: T,
}

impl<T> Played<T> {
    pub(super) fn new(mut frames: Vec<Frame>, clocks: &Clocks, truth: T) -> Self {
        frames.sort_by_key(|frame| frame.true_ns);
        let trace = Trace {
            frames,
            resolution_ns: clocks.resolution_ns,
            truth: Truth::default(),
        };
        Self { trace, truth }
    }
}

/// A connection to be played. The handshake begins at 0 and is over after one
/// round trip: let the data start later.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Identity and habits on the wire.
    pub wire: Wire,
    /// The captures' clocks.
    pub clocks: Clocks,
    /// Delays of handshake and acknowledgements.
    pub path: Path,
    /// Whether the captures lack the handshake.
    pub without_handshake: bool,
    /// How many SYNs are lost before one gets through, a second apart.
    pub lost_syns: u32,
    /// When the sender's FIN leaves, and what becomes of each of its copies.
    pub fins: Vec<(u64, Fate)>,
    /// The receiver takes data that was damaged at this byte of its IP packet or behind it
    /// (TCP Lite); none: no damage at all.
    pub takes_damage_from: Option<usize>,
    pub(super) sends: Vec<Send>,
    pub(super) echoes: Vec<Echo>,
    pub(super) ack_fates: BTreeMap<usize, Fate>,
    pub(super) windows: Vec<(u64, u64)>,
    pub(super) noise: Vec<(u64, End, Noise)>,
}

impl Script {
    /// An empty script: RTT 130 ms, one nanosecond clock, IPv4, timestamps.
    pub fn new() -> Self {
        Self::default()
    }

    /// The sender puts the stream's `bytes` on the wire at `at_ns`.
    pub fn data(&mut self, at_ns: u64, intent: Intent, bytes: Range<u64>, fate: Fate) -> &mut Self {
        let offset = bytes.start as i64;
        self.sends.push(Send {
            at_ns,
            intent,
            offset,
            length: bytes.end - bytes.start,
            fate,
        });
        self
    }

    /// The sender probes: `length` (0 or 1) bytes just below `offset`.
    pub fn probe(&mut self, at_ns: u64, offset: u64, length: u64, fate: Fate) -> &mut Self {
        let below = offset as i64 - 1;
        self.sends.push(Send {
            at_ns,
            intent: Intent::Probe,
            offset: below,
            length,
            fate,
        });
        self
    }

    /// The receiver sends `bytes` of its own stream at `at_ns`.
    pub fn echo(&mut self, at_ns: u64, bytes: Range<u64>, fate: Fate) -> &mut Self {
        self.echoes.push(Echo { at_ns, bytes, fate });
        self
    }

    /// Decides the fate of the receiver's `ordinal`-th (from 0)
    /// acknowledgement; the others arrive after [`Path::backward_ns`].
    pub fn acknowledgement(&mut self, ordinal: usize, fate: Fate) -> &mut Self {
        self.ack_fates.insert(ordinal, fate);
        self
    }

    /// From `at_ns` on the receiver offers `bytes` beyond what it has, and
    /// says so at that moment.
    pub fn window(&mut self, at_ns: u64, bytes: u64) -> &mut Self {
        self.windows.push((at_ns, bytes));
        self
    }

    /// One end captures something foreign at `at_ns`.
    pub fn noise(&mut self, at_ns: u64, end: End, noise: Noise) -> &mut Self {
        self.noise.push((at_ns, end, noise));
        self
    }
}

impl Noise {
    pub(super) fn packet(self) -> Vec<u8> {
        let other = Wire {
            sender: ([10, 0, 1, 1], 50_000).into(),
            receiver: ([10, 0, 2, 2], 9_000).into(),
            ..Wire::default()
        };
        match self {
            Self::Arp => {
                let mut body = vec![0, 1, 8, 0, 6, 4, 0, 1];
                body.resize(28, 0);
                body
            }
            Self::Udp => {
                let mut packet = vec![
                    0x45, 0, 0, 36, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 1, 1, 10, 0, 2, 2,
                ];
                packet.extend_from_slice(&[0, 53, 0, 53, 0, 16, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
                packet
            }
            Self::OtherConnection => {
                let segment = Segment {
                    from_sender: true,
                    seq: 77,
                    ack: Some(88),
                    window: 100,
                    payload: vec![9; 40],
                    ..Segment::default()
                };
                segment.packet(&other, 64, ChecksumStyle::Full)
            }
        }
    }
}
