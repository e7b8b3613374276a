//! The receiver of a call that runs now: messages and arrivals come as they
//! happen, and every 10 ms it gives what is heard.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{PlayoutFacts, PlayoutPassage, PlayoutState};

use crate::account::Account;
use crate::codec::{Codec, Decoder};
use crate::damage::damage;
use crate::receiver::Receiver;
use crate::splice::TICK;
use crate::timeline::{Event, EventKind};
use crate::under_way::{Fate, LiveError, UnderWay};
use crate::{Message, MessageError, SAMPLES_PER_MS, ns_of_samples};

/// What one tick gives, in samples and in time.
pub const TICK_SAMPLES: usize = TICK;
/// The same in nanoseconds.
pub const TICK_NS: u64 = ns_of_samples(TICK as u64);

/// The kind of a passage that tells of damage; see [`PlayoutPassage`].
const DAMAGED: &str = "damaged";

/// One receiver. All instants are of one clock; any will do.
pub struct LivePlayout {
    receiver: Receiver,
    codec: Codec,
    decoder: Decoder,
    under_way: UnderWay,
    ticked_ns: i64,
    passages: Vec<PlayoutPassage>,
    /// None while nothing came damaged.
    damaged_ms: Option<f64>,
}

impl LivePlayout {
    /// Silent until the first message has come and is as old as the target
    /// delay says.
    #[must_use]
    pub fn new(codec: Codec) -> Self {
        Self {
            receiver: Receiver::of_call(),
            codec,
            decoder: codec.decoder(),
            under_way: UnderWay::default(),
            ticked_ns: i64::MIN,
            passages: Vec::new(),
            damaged_ms: None,
        }
    }

    /// The same of messages that are datagrams: any of them may come, in any order, or never.
    /// See [`crate::play_datagrams`].
    #[must_use]
    pub fn of_datagrams(codec: Codec) -> Self {
        Self {
            under_way: UnderWay::of_datagrams(),
            ..Self::new(codec)
        }
    }

    /// A message of [`crate::Encoder`] whose last sample is captured at
    /// `captured_ns`, which may be yet to come; its number, counted from 0.
    pub fn send(&mut self, message: &Message, captured_ns: u64) -> Result<u64, MessageError> {
        let number = self.under_way.next_number() as usize;
        let samples = self.codec.samples_in(number, &message.bytes)?;
        let captured_ns = captured_ns.cast_signed();
        Ok(self.under_way.send(&message.bytes, samples, captured_ns))
    }

    /// A message became readable at `at_ns`. Those before it that did not are
    /// taken for skipped.
    pub fn arrive(&mut self, number: u64, at_ns: u64) -> Result<(), LiveError> {
        self.arrive_changed(number, at_ns, &[])
    }

    /// The same of a message of which bytes were read otherwise than they were sent: where, and
    /// what.
    pub fn arrive_changed(
        &mut self,
        number: u64,
        at_ns: u64,
        changed: &[(usize, u8)],
    ) -> Result<(), LiveError> {
        if self.under_way.is_over(number) {
            if let Some(captured_ns) = self.under_way.late(number) {
                self.receiver.observe(captured_ns, at_ns.cast_signed());
            }
            return Ok(());
        }
        self.under_way.arrive(number, at_ns)?;
        if changed.is_empty() {
            return Ok(());
        }
        let sent = self.under_way.message(number)?;
        let damage = damage(self.codec, &mut sent.bytes, changed);
        if !damage.is_heard {
            sent.fate = Fate::Lost;
        }
        sent.damaged_ms = ms(sent.samples as i64) * damage.share;
        *self.damaged_ms.get_or_insert_default() += sent.damaged_ms;
        Ok(())
    }

    /// A message was never written and will not come; those before it may.
    pub fn skip(&mut self, number: u64) -> Result<(), LiveError> {
        self.under_way.skip(number)
    }

    /// The next 10 ms, the first sample of which is heard at `now_ns`: 10 ms
    /// after that of the tick before.
    pub fn tick(&mut self, now_ns: u64) -> [i16; TICK_SAMPLES] {
        let now_ns = now_ns.cast_signed();
        self.take_arrived(now_ns);
        self.ticked_ns = now_ns;
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
        self.take_settled(now_ns);
        if let Some((messages, samples)) = self.hole(now_ns)
            && self.receiver.gives_up(samples)
        {
            self.under_way.give_up(messages);
            self.take_settled(now_ns);
        }
        let has_hole = self.under_way.hole(now_ns).is_some();
        self.receiver.knows_of_hole(has_hole);
    }

    /// What is to be given up: before what is there or, where nothing more comes, what would be
    /// too old to be heard.
    fn hole(&self, now_ns: i64) -> Option<(usize, usize)> {
        let oldest = self
            .under_way
            .oldest()
            .filter(|_| self.under_way.is_lossy());
        let too_old = oldest.filter(|it| self.receiver.is_too_old(it.captured_ns, now_ns));
        let hole = self.under_way.hole(now_ns);
        hole.or(too_old.map(|oldest| (1, oldest.samples)))
    }

    fn take_settled(&mut self, now_ns: i64) {
        while let Some(message) = self.under_way.pop_settled(now_ns) {
            let Fate::ArrivedAt(at_ns) = message.fate else {
                self.receiver.miss(message.samples);
                continue;
            };
            // What is told too late to be heard in its tick comes late, whoever
            // is to blame: the delay must allow for it.
            let told_late = at_ns <= self.ticked_ns;
            let at_ns = if told_late { now_ns } else { at_ns };
            let number = message.number as usize;
            match self.decoder.decode(number, &message.bytes) {
                Ok(samples) => {
                    if message.damaged_ms > 0.0 {
                        let ahead_ns = ns_of_samples(self.receiver.buffer().available() as u64);
                        self.passages.push(PlayoutPassage {
                            kind: DAMAGED.into(),
                            at_ns: now_ns.cast_unsigned() + ahead_ns,
                            length_ms: message.damaged_ms,
                        });
                    }
                    self.receiver.take(samples, message.captured_ns, at_ns);
                }
                // As sent by no encoder: what the codec refuses is not heard.
                Err(_) => self.receiver.miss(message.samples),
            }
        }
    }

    /// Whether the message that comes next ought to be heard already, or is
    /// needed to go on.
    fn is_missing(&self, now_ns: i64) -> bool {
        self.under_way.oldest().is_some_and(|message| {
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
        let next_ns = self.ticked_ns.saturating_add(TICK_NS.cast_signed());
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
        PlayoutFacts {
            damaged_ms: self.damaged_ms,
            ..self.account().facts(0)
        }
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
        (self.receiver.buffer().kept(), self.under_way.len())
    }
}

fn ends_ns(passage: &PlayoutPassage) -> u64 {
    passage.at_ns + (passage.length_ms * 1e6).round() as u64
}

fn ms(samples: i64) -> f64 {
    samples as f64 / SAMPLES_PER_MS as f64
}
