//! A script's performance: the packets that leave, what arrives of them, and
//! what each end captures.
// SPDX-License-Identifier: Apache-2.0

use std::ops::Range;

use super::crossing::Crossing;
use super::receiver::Receiver;
use super::script::{Echo, Fate, Frame, Script, Send, Trace};
use super::truth;
use super::wire::{ChecksumStyle, IpIds, Segment};

const MS: u64 = 1_000_000;
/// From a segment's arrival to the acknowledgement it causes: not zero, so
/// that a capture never shows the two at one instant.
const ACK_AFTER_NS: u64 = 10_000;

/// A packet as it leaves one end.
struct Departure {
    at_ns: u64,
    segment: Segment,
    fate: Fate,
}

impl Script {
    /// Plays the script.
    ///
    /// # Panics
    /// When a transmission is not what its [`Intent`] says.
    pub fn run(&self) -> Trace {
        truth::check(&self.sends);
        let mut receiver = Receiver::new(
            self.stream_bytes(),
            &self.windows,
            !self.without_handshake,
            self.takes_damage_from,
        );
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
            frames.push(self.clocks.frame(*end, *at_ns, false, noise.packet()));
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
        if !self.without_handshake {
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
        if !self.without_handshake {
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
        let mut segment = departure.segment.clone();
        if self.wire.ip_ids == IpIds::Zero {
            segment.ip_id = 0;
        }
        let offloaded = segment.from_sender && self.wire.sender_offloads_checksums;
        let crossing = Crossing {
            from_sender: segment.from_sender,
            at_ns: departure.at_ns,
            fate: &departure.fate,
        };
        let packet = |ttl, is_leaving| {
            let style = if offloaded && is_leaving {
                ChecksumStyle::PseudoHeaderOnly
            } else {
                ChecksumStyle::Full
            };
            segment.packet(&self.wire, ttl, style)
        };
        crossing.capture(&self.clocks, packet, frames);
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
