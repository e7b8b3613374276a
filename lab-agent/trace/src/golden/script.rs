//! The script of a connection, and its performance: who puts which packet on
//! the wire when, what the path does to it, what each end captures.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeMap;
use std::ops::Range;

use super::receiver::Receiver;
use super::truth::{self, Truth};
use super::wire::{ChecksumStyle, IpIds, Segment, Wire};

const MS: u64 = 1_000_000;
/// From a segment's arrival to the acknowledgement it causes: not zero, so
/// that a capture never shows the two at one instant.
const ACK_AFTER_NS: u64 = 10_000;

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
struct Echo {
    at_ns: u64,
    bytes: Range<u64>,
    fate: Fate,
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

/// How the two captures tell time.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// The sender's clock when the script begins.
    pub epoch_ns: u64,
    /// Stamps are rounded down to this: 1 or 1000.
    pub resolution_ns: u64,
    /// How far ahead the receiver's clock is when the script begins.
    pub receiver_offset_ns: i64,
    /// How much faster the receiver's clock runs, in parts per thousand million.
    pub receiver_drift_ppb: i64,
}

impl Default for Clocks {
    fn default() -> Self {
        Self {
            epoch_ns: 1_700_000_000_000_000_000,
            resolution_ns: 1,
            receiver_offset_ns: 0,
            receiver_drift_ppb: 0,
        }
    }
}

impl Clocks {
    fn stamp(&self, end: End, true_ns: u64) -> u64 {
        let shift = match end {
            End::Sender => 0,
            End::Receiver => {
                let drift = i128::from(true_ns) * i128::from(self.receiver_drift_ppb);
                i128::from(self.receiver_offset_ns) + drift.div_euclid(1_000_000_000)
            }
        };
        let exact = i128::from(self.epoch_ns) + i128::from(true_ns) + shift;
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

/// A connection to be played. The handshake begins at 0 and is over after one
/// round trip: let the data start later.
#[derive(Clone, Debug)]
pub struct Script {
    /// Identity and habits on the wire.
    pub wire: Wire,
    /// The captures' clocks.
    pub clocks: Clocks,
    /// Delays of handshake and acknowledgements.
    pub path: Path,
    /// Whether the captures hold the handshake.
    pub handshake: bool,
    /// How many SYNs are lost before one gets through, a second apart.
    pub lost_syns: u32,
    /// When the sender's FIN leaves, and what becomes of each of its copies.
    pub fins: Vec<(u64, Fate)>,
    sends: Vec<Send>,
    echoes: Vec<Echo>,
    ack_fates: BTreeMap<usize, Fate>,
    windows: Vec<(u64, u64)>,
    noise: Vec<(u64, End, Noise)>,
}

impl Default for Script {
    fn default() -> Self {
        Self::new()
    }
}

/// A packet as it leaves one end.
struct Departure {
    at_ns: u64,
    segment: Segment,
    fate: Fate,
}

impl Script {
    /// An empty script: RTT 130 ms, one nanosecond clock, IPv4, timestamps.
    pub fn new() -> Self {
        Self {
            wire: Wire::default(),
            clocks: Clocks::default(),
            path: Path {
                forward_ns: 65 * MS,
                backward_ns: 65 * MS,
            },
            handshake: true,
            lost_syns: 0,
            fins: Vec::new(),
            sends: Vec::new(),
            echoes: Vec::new(),
            ack_fates: BTreeMap::new(),
            windows: Vec::new(),
            noise: Vec::new(),
        }
    }

    /// The sender puts the stream's `bytes` on the wire at `at_ns`.
    pub fn data(&mut self, at_ns: u64, intent: Intent, bytes: Range<u64>, fate: Fate) -> &mut Self {
        let offset = i64::try_from(bytes.start).expect("a script is short");
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
        let below = i64::try_from(offset).expect("a script is short") - 1;
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

    /// Plays the script.
    ///
    /// # Panics
    /// When a transmission is not what its [`Intent`] says.
    pub fn run(&self) -> Trace {
        truth::check(&self.sends);
        let mut receiver = Receiver::new(self.stream_bytes(), &self.windows, self.handshake);
        let mut forward = self.forward_departures();
        let mut backward = self.backward_departures(&mut receiver);
        let truth = truth::tell(&self.sends, &fates(&forward), &fates(&backward), &receiver);
        number(&mut forward, &times(&backward), self.wire.timestamps, 300);
        number(&mut backward, &times(&forward), self.wire.timestamps, 7_000);
        let mut frames = Vec::new();
        for departure in forward.iter().chain(&backward) {
            self.capture(departure, &mut frames);
        }
        for (at_ns, end, noise) in &self.noise {
            frames.push(self.frame(*end, *at_ns, false, noise.packet()));
        }
        frames.sort_by_key(|frame| frame.true_ns);
        Trace {
            frames,
            resolution_ns: self.clocks.resolution_ns,
            truth,
        }
    }

    fn stream_bytes(&self) -> usize {
        let end = |send: &Send| send.offset + send.length as i64;
        self.sends.iter().map(end).max().unwrap_or(0).max(0) as usize
    }

    fn forward_departures(&self) -> Vec<Departure> {
        let mut departures = Vec::new();
        let delay = Fate::arrives(self.path.forward_ns);
        if self.handshake {
            for attempt in 0..=u64::from(self.lost_syns) {
                let last = attempt == u64::from(self.lost_syns);
                departures.push(Departure {
                    at_ns: attempt * 1_000 * MS,
                    segment: Segment {
                        syn: true,
                        seq: self.wire.sender_isn,
                        window: 64_240,
                        ..self.segment(true)
                    },
                    fate: if last { delay.clone() } else { Fate::Lost },
                });
            }
            departures.push(self.pure_acknowledgement(self.connected_ns(), -1));
        }
        for send in &self.sends {
            departures.push(Departure {
                at_ns: send.at_ns,
                segment: Segment {
                    seq: self.sequence(send.offset),
                    ack: Some(self.echo_acknowledgement(send.at_ns)),
                    payload: (0..send.length as i64)
                        .map(|i| content(send.offset + i))
                        .collect(),
                    window: 502,
                    ..self.segment(true)
                },
                fate: send.fate.clone(),
            });
        }
        for echo in &self.echoes {
            for (after_ns, _) in echo.fate.arrivals() {
                let at_ns = echo.at_ns + after_ns + ACK_AFTER_NS;
                departures.push(self.pure_acknowledgement(at_ns, self.highest_sent(at_ns)));
            }
        }
        let end = self.stream_bytes() as i64;
        for (at_ns, fate) in &self.fins {
            let ack = Some(self.echo_acknowledgement(*at_ns));
            let segment = Segment {
                fin: true,
                seq: self.sequence(end),
                ack,
                window: 502,
                ..self.segment(true)
            };
            departures.push(Departure {
                at_ns: *at_ns,
                segment,
                fate: fate.clone(),
            });
        }
        departures.sort_by_key(|departure| departure.at_ns);
        departures
    }

    fn backward_departures(&self, receiver: &mut Receiver) -> Vec<Departure> {
        let mut departures = Vec::new();
        if self.handshake {
            departures.push(Departure {
                at_ns: self.connected_ns() - self.path.backward_ns,
                segment: Segment {
                    syn: true,
                    seq: self.wire.receiver_isn,
                    ack: Some(self.sequence(0)),
                    window: 65_160,
                    ..self.segment(false)
                },
                fate: Fate::arrives(self.path.backward_ns),
            });
        }
        let said = receiver.listen(&self.sends, &self.fins, ACK_AFTER_NS);
        for (ordinal, said) in said.iter().enumerate() {
            let sent = self.echoes.iter().filter(|echo| echo.at_ns <= said.at_ns);
            let own = sent.map(|echo| echo.bytes.end).max().unwrap_or(0);
            let delay = || Fate::arrives(self.path.backward_ns);
            departures.push(Departure {
                at_ns: said.at_ns,
                segment: Segment {
                    seq: self
                        .wire
                        .receiver_isn
                        .wrapping_add(1)
                        .wrapping_add(own as u32),
                    ack: Some(self.sequence(said.next as i64)),
                    window: (said.window >> self.wire.window_shift) as u16,
                    sack: said.held.iter().map(|r| self.sequences(r)).collect(),
                    ..self.segment(false)
                },
                fate: self.ack_fates.get(&ordinal).cloned().unwrap_or_else(delay),
            });
        }
        for echo in &self.echoes {
            let known = said.iter().rev().find(|said| said.at_ns <= echo.at_ns);
            departures.push(Departure {
                at_ns: echo.at_ns,
                segment: Segment {
                    seq: self
                        .wire
                        .receiver_isn
                        .wrapping_add(1)
                        .wrapping_add(echo.bytes.start as u32),
                    ack: Some(self.sequence(known.map_or(0, |said| said.next as i64))),
                    window: 8_192,
                    payload: echo.bytes.clone().map(|i| content(!(i as i64))).collect(),
                    ..self.segment(false)
                },
                fate: echo.fate.clone(),
            });
        }
        departures.sort_by_key(|departure| departure.at_ns);
        departures
    }

    fn connected_ns(&self) -> u64 {
        u64::from(self.lost_syns) * 1_000 * MS + self.path.forward_ns + self.path.backward_ns
    }

    fn segment(&self, from_sender: bool) -> Segment {
        Segment {
            from_sender,
            window_shift: self.wire.window_shift,
            ..Segment::default()
        }
    }

    fn pure_acknowledgement(&self, at_ns: u64, highest_sent: i64) -> Departure {
        Departure {
            at_ns,
            segment: Segment {
                seq: self.sequence(highest_sent.max(0)),
                ack: Some(self.echo_acknowledgement(at_ns)),
                window: 502,
                ..self.segment(true)
            },
            fate: Fate::arrives(self.path.forward_ns),
        }
    }

    fn highest_sent(&self, at_ns: u64) -> i64 {
        let sent = self.sends.iter().filter(|send| send.at_ns <= at_ns);
        sent.map(|send| send.offset + send.length as i64)
            .max()
            .unwrap_or(0)
    }

    /// What the sender has of the receiver's stream at `at_ns`.
    fn echo_acknowledgement(&self, at_ns: u64) -> u32 {
        let whole = |echo: &&Echo| {
            echo.fate
                .arrivals()
                .iter()
                .any(|(after, _)| echo.at_ns + after <= at_ns)
        };
        let mut next = 0;
        for echo in self.echoes.iter().filter(whole) {
            if echo.bytes.start <= next {
                next = next.max(echo.bytes.end);
            }
        }
        self.wire
            .receiver_isn
            .wrapping_add(1)
            .wrapping_add(next as u32)
    }

    fn sequence(&self, offset: i64) -> u32 {
        self.wire
            .sender_isn
            .wrapping_add(1)
            .wrapping_add(offset as u32)
    }

    fn sequences(&self, bytes: &Range<u64>) -> (u32, u32) {
        (
            self.sequence(bytes.start as i64),
            self.sequence(bytes.end as i64),
        )
    }

    fn capture(&self, departure: &Departure, frames: &mut Vec<Frame>) {
        let segment = &departure.segment;
        let (here, there) = if segment.from_sender {
            (End::Sender, End::Receiver)
        } else {
            (End::Receiver, End::Sender)
        };
        let offloaded = segment.from_sender && self.wire.sender_offloads_checksums;
        let style = if offloaded {
            ChecksumStyle::PseudoHeaderOnly
        } else {
            ChecksumStyle::Full
        };
        let mut segment = segment.clone();
        if self.wire.ip_ids == IpIds::Zero {
            segment.ip_id = 0;
        }
        let leaving = segment.packet(&self.wire, 64, style);
        frames.push(self.frame(here, departure.at_ns, true, leaving));
        for (after_ns, damage) in departure.fate.arrivals() {
            let mut arriving = segment.packet(&self.wire, 63, ChecksumStyle::Full);
            if let Some(at_byte) = damage {
                let at_byte = at_byte.min(arriving.len() - 1);
                arriving[at_byte] ^= 1;
            }
            frames.push(self.frame(there, departure.at_ns + after_ns, false, arriving));
        }
    }

    fn frame(&self, end: End, true_ns: u64, outgoing: bool, packet: Vec<u8>) -> Frame {
        Frame {
            end,
            true_ns,
            stamp_ns: self.clocks.stamp(end, true_ns),
            outgoing,
            packet,
        }
    }
}

fn fates(departures: &[Departure]) -> Vec<Fate> {
    departures
        .iter()
        .map(|departure| departure.fate.clone())
        .collect()
}

/// Departure and first arrival of each packet, for the timestamp echo.
fn times(departures: &[Departure]) -> Vec<(u64, u64)> {
    let first = |departure: &Departure| {
        let arrival = departure
            .fate
            .arrivals()
            .first()
            .map(|(after, _)| departure.at_ns + after);
        arrival.map(|arrival| (departure.at_ns, arrival))
    };
    departures.iter().filter_map(first).collect()
}

/// Gives each packet of one direction its IP identification and, where the
/// connection has them, its timestamps (milliseconds, as Linux).
fn number(departures: &mut [Departure], others: &[(u64, u64)], timestamps: bool, first_id: u16) {
    for (ordinal, departure) in departures.iter_mut().enumerate() {
        departure.segment.ip_id = first_id.wrapping_add(ordinal as u16);
        if timestamps {
            let heard = others
                .iter()
                .filter(|(_, arrival)| *arrival <= departure.at_ns);
            let echo = heard.map(|(left, _)| left / MS + 1).max().unwrap_or(0);
            departure.segment.timestamps = Some(((departure.at_ns / MS) as u32 + 1, echo as u32));
        }
    }
}

/// The stream's content: any byte can be told from its neighbours.
fn content(offset: i64) -> u8 {
    let mixed = (offset as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 56) as u8
}

impl Noise {
    fn packet(self) -> Vec<u8> {
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
