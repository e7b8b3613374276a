//! The receiver of a call that runs now: messages and arrivals come as they
//! happen, and every 10 ms it gives what is heard.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use lab_proto::{PlayoutFacts, PlayoutPassage, PlayoutState};

use crate::account::Account;
use crate::decode::{Decoder, samples_in};
use crate::receiver::Receiver;
use crate::splice::TICK;
use crate::timeline::{Event, EventKind};
use crate::{Message, MessageError, SAMPLES_PER_MS, ns_of_samples};

/// What one tick gives, in samples and in time.
pub const TICK_SAMPLES: usize = TICK;
/// The same in nanoseconds.
pub const TICK_NS: u64 = ns_of_samples(TICK as u64);

/// Why the playout cannot go on as told.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LiveError {
    /// TCP delivers in order, once, and nothing that was not sent.
    #[error(
        "message {number} cannot arrive or be skipped now: give {expected} to {sent} \
         (of {sent} sent), each once and in order"
    )]
    Order {
        /// As given.
        number: u64,
        /// The first that has neither arrived nor been skipped.
        expected: u64,
        /// How many were sent.
        sent: u64,
    },
    /// An arrival before the one before it.
    #[error("message {number}: at_ns is {at_ns}, it cannot be before {earliest_ns}")]
    Instant {
        /// As given.
        number: u64,
        /// As given.
        at_ns: u64,
        /// When the message before it arrived.
        earliest_ns: u64,
    },
}

/// A message on its way.
struct Sent {
    bytes: Vec<u8>,
    samples: usize,
    captured_ns: i64,
    fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    UnderWay,
    Skipped,
    ArrivedAt(i64),
}

/// One receiver. All instants are of one clock; any will do.
pub struct LivePlayout {
    receiver: Receiver,
    decoder: Decoder,
    /// Not yet decoded, the oldest first.
    sent: VecDeque<Sent>,
    /// Number of the oldest of them.
    first: u64,
    /// Number of the first that has neither arrived nor been skipped.
    expected: u64,
    arrived_ns: i64,
    ticked_ns: i64,
    passages: Vec<PlayoutPassage>,
}

impl LivePlayout {
    /// Silent until the first message has come and is as old as the target
    /// delay says.
    #[must_use]
    pub fn new() -> Self {
        Self {
            receiver: Receiver::of_call(),
            decoder: Decoder::new(),
            sent: VecDeque::new(),
            first: 0,
            expected: 0,
            arrived_ns: i64::MIN,
            ticked_ns: 0,
            passages: Vec::new(),
        }
    }

    /// A message of [`crate::Encoder`] whose last sample is captured at
    /// `captured_ns`, which may be yet to come; its number, counted from 0.
    pub fn send(&mut self, message: &Message, captured_ns: u64) -> Result<u64, MessageError> {
        let number = self.first + self.sent.len() as u64;
        let samples = samples_in(number as usize, &message.bytes)?;
        self.sent.push_back(Sent {
            bytes: message.bytes.clone(),
            samples,
            captured_ns: captured_ns.cast_signed(),
            fate: Fate::UnderWay,
        });
        Ok(number)
    }

    /// A message became readable at `at_ns`; those before it that did not were
    /// skipped.
    pub fn arrive(&mut self, number: u64, at_ns: u64) -> Result<(), LiveError> {
        let arrived_ns = at_ns.cast_signed();
        if arrived_ns < self.arrived_ns {
            return Err(LiveError::Instant {
                number,
                at_ns,
                earliest_ns: self.arrived_ns.cast_unsigned(),
            });
        }
        self.settle(number, Fate::ArrivedAt(arrived_ns))?;
        self.arrived_ns = arrived_ns;
        Ok(())
    }

    /// A message, and all before it that have not arrived, will never come.
    pub fn skip(&mut self, number: u64) -> Result<(), LiveError> {
        self.settle(number, Fate::Skipped)
    }

    fn settle(&mut self, number: u64, fate: Fate) -> Result<(), LiveError> {
        let sent = self.first + self.sent.len() as u64;
        if !(self.expected..sent).contains(&number) {
            return Err(LiveError::Order {
                number,
                expected: self.expected,
                sent,
            });
        }
        for skipped in self.expected..number {
            self.sent[(skipped - self.first) as usize].fate = Fate::Skipped;
        }
        self.sent[(number - self.first) as usize].fate = fate;
        self.expected = number + 1;
        Ok(())
    }

    /// The next 10 ms, the first sample of which is heard at `now_ns`: 10 ms
    /// after that of the tick before.
    pub fn tick(&mut self, now_ns: u64) -> [i16; TICK_SAMPLES] {
        let now_ns = now_ns.cast_signed();
        self.ticked_ns = now_ns;
        self.take_arrived(now_ns);
        let missing = self.is_missing(now_ns);
        let heard = self.receiver.account().length;
        self.receiver.tick(now_ns, missing, TICK_SAMPLES);
        for event in self.receiver.account().take_events() {
            let at_ns = now_ns.cast_unsigned() + ns_of_samples(event.at - heard);
            self.note(event, at_ns);
        }
        let samples = self.receiver.samples();
        let mut tick = [0; TICK_SAMPLES];
        tick.copy_from_slice(samples);
        samples.clear();
        tick
    }

    fn take_arrived(&mut self, now_ns: i64) {
        while let Some(message) = self.sent.front() {
            match message.fate {
                Fate::ArrivedAt(at_ns) if at_ns <= now_ns => {
                    let number = self.first as usize;
                    match self.decoder.decode(number, &message.bytes) {
                        Ok(samples) => self.receiver.take(samples, message.captured_ns, at_ns),
                        // As sent by no encoder: what the codec refuses is not heard.
                        Err(_) => self.receiver.miss(message.samples),
                    }
                }
                Fate::Skipped => self.receiver.miss(message.samples),
                Fate::ArrivedAt(_) | Fate::UnderWay => break,
            }
            self.sent.pop_front();
            self.first += 1;
        }
    }

    /// Whether the message that comes next ought to be heard already, or is
    /// needed to go on.
    fn is_missing(&self, now_ns: i64) -> bool {
        self.sent.front().is_some_and(|message| {
            if self.receiver.is_at_rest() {
                let length_ns = ns_of_samples(message.samples as u64).cast_signed();
                self.receiver
                    .is_due(message.captured_ns - length_ns, now_ns)
            } else {
                message.captured_ns <= now_ns
            }
        })
    }

    fn note(&mut self, event: Event, at_ns: u64) {
        let length_ms = ms(event.samples as i64);
        let kind = event.kind.name();
        let takes_time = matches!(event.kind, EventKind::Concealed | EventKind::Silent);
        match self
            .passages
            .iter_mut()
            .rfind(|passage| passage.kind == kind)
        {
            Some(run) if takes_time && ends_ns(run) == at_ns => run.length_ms += length_ms,
            _ => self.passages.push(PlayoutPassage {
                kind: kind.into(),
                at_ns,
                length_ms,
            }),
        }
    }

    /// How it stands after the last tick, and what was done to the sound since
    /// the last report: a gap that lasts comes in pieces, each where the one
    /// before ended.
    pub fn report(&mut self) -> PlayoutState {
        let lowest_ms = self.receiver.lowest_ns() as f64 / 1e6;
        let next_ns = self.ticked_ns + TICK_NS.cast_signed();
        let buffer = self.receiver.buffer();
        let heard = !self.receiver.is_at_rest();
        PlayoutState {
            buffer_ms: ms(buffer.available() as i64),
            target_ms: ms(self.receiver.target_samples() as i64) + lowest_ms,
            delay_ms: if heard { ms(buffer.age(next_ns)) } else { 0.0 },
            facts: Some(self.facts()),
            passages: std::mem::take(&mut self.passages),
        }
    }

    /// Since the beginning. Delays count from the least that the path took at
    /// the time.
    #[must_use]
    pub fn facts(&self) -> PlayoutFacts {
        self.account().facts(0)
    }

    /// To the sample; its events are those of [`Self::report`].
    #[must_use]
    pub fn account(&self) -> Account {
        let mut account = self.receiver.account_so_far().clone();
        account.unplayed = self.receiver.buffer().available() as u64;
        account
    }

    /// Samples, and messages under way, that are held in memory.
    #[must_use]
    pub fn kept(&self) -> (usize, usize) {
        (self.receiver.buffer().kept(), self.sent.len())
    }
}

impl Default for LivePlayout {
    fn default() -> Self {
        Self::new()
    }
}

fn ends_ns(passage: &PlayoutPassage) -> u64 {
    passage.at_ns + (passage.length_ms * 1e6).round() as u64
}

fn ms(samples: i64) -> f64 {
    samples as f64 / SAMPLES_PER_MS as f64
}
