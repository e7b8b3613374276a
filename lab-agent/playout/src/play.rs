//! Messages and their arrivals to what was heard: checks what it is given, lets
//! a receiver play it.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeMap;

use lab_proto::{PlayoutEvent, PlayoutFacts};

use crate::account::Account;
use crate::codec::Codec;
use crate::decode::{MessageError, Source};
use crate::receiver::Receiver;
use crate::splice::TICK;
use crate::target::INITIAL_SAMPLES;
use crate::{Arrival, Message, ns_of_samples};

/// Why messages could not be played.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlayError {
    /// There is nothing to play.
    #[error("there are no messages: give those that were sent")]
    NoMessages,
    /// A message is not what [`crate::encode`] makes.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// TCP delivers every message, once, in order.
    #[error("arrival {index} is of message {found}, but TCP delivers message {index} there")]
    Order {
        /// Index of the arrival.
        index: usize,
        /// The message it names.
        found: usize,
    },
    /// A datagram of which nobody knows the message, or that has come before.
    #[error("arrival {index} is of message {found}: give each message at most once")]
    Unknown {
        /// Index of the arrival.
        index: usize,
        /// The message it names.
        found: usize,
    },
    /// An arrival before the one before it, or before its own message was sent.
    #[error("arrival {index}: at_ns is {at_ns}, it cannot be before {earliest_ns}")]
    Instant {
        /// Index of the arrival.
        index: usize,
        /// As given.
        at_ns: u64,
        /// The earliest possible.
        earliest_ns: u64,
    },
}

/// A recording: what a person at the receiver heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Playout {
    /// 48 kHz, mono, of the length asked for.
    pub samples: Vec<i16>,
    /// For people; the same as in `account`, in milliseconds.
    pub facts: PlayoutFacts,
    /// For people, in milliseconds; `account` has them to the sample.
    pub events: Vec<PlayoutEvent>,
    /// To the sample.
    pub account: Account,
}

/// Plays `messages` that became readable at `arrivals`: a prefix of the
/// messages in order; what is left out never arrives.
///
/// Sample 0 is the moment at which the first captured sample is heard when the
/// first message comes as early as any message did. So both members of a pair
/// stand at the same place of the clip at the same time, whatever was lost,
/// and arrivals of constant delay give [`crate::decode`] bit by bit.
///
/// `path_minimum_ns` only enters the delays in the facts.
pub fn play(
    codec: Codec,
    messages: &[Message],
    arrivals: &[Arrival],
    path_minimum_ns: u64,
    length_samples: usize,
) -> Result<Playout, PlayError> {
    if messages.is_empty() {
        return Err(PlayError::NoMessages);
    }
    let source = Source::of(codec, messages)?;
    let lowest_ns = lowest_delay_ns(messages, arrivals)?;
    let stream = Stream {
        messages,
        arrivals,
        source: &source,
        is_lossy: false,
    };
    Ok(stream.heard(lowest_ns, path_minimum_ns, length_samples))
}

/// The same of messages that are datagrams: any of them, each at most once, in any order.
///
/// One that is missing while later ones are there holds nothing up for longer than it lasts:
/// its place is concealed, and then it is given up. If it comes after all it is not played.
pub fn play_datagrams(
    codec: Codec,
    messages: &[Message],
    arrivals: &[Arrival],
    path_minimum_ns: u64,
    length_samples: usize,
) -> Result<Playout, PlayError> {
    if messages.is_empty() {
        return Err(PlayError::NoMessages);
    }
    let mut came = vec![false; messages.len()];
    let mut lowest_ns = None;
    for (index, arrival) in arrivals.iter().enumerate() {
        let found = arrival.message;
        if came.get(found) != Some(&false) {
            return Err(PlayError::Unknown { index, found });
        }
        came[found] = true;
        let earliest_ns = messages[found].at_ns;
        let Some(took_ns) = arrival.at_ns.checked_sub(earliest_ns) else {
            return Err(PlayError::Instant {
                index,
                at_ns: arrival.at_ns,
                earliest_ns,
            });
        };
        lowest_ns = Some(lowest_ns.map_or(took_ns, |lowest: u64| lowest.min(took_ns)));
    }
    let source = Source::of_those(codec, messages, |message| came[message])?;
    let mut arrivals = arrivals.to_vec();
    arrivals.sort_by_key(|arrival| (arrival.at_ns, arrival.message));
    let stream = Stream {
        messages,
        arrivals: &arrivals,
        source: &source,
        is_lossy: true,
    };
    Ok(stream.heard(lowest_ns.unwrap_or(0), path_minimum_ns, length_samples))
}

/// What is heard of a stream.
struct Stream<'a> {
    messages: &'a [Message],
    /// In order of time.
    arrivals: &'a [Arrival],
    source: &'a Source,
    /// Whether messages may be missing behind which others come.
    is_lossy: bool,
}

impl Stream<'_> {
    fn heard(&self, lowest_ns: u64, path_minimum_ns: u64, length_samples: usize) -> Playout {
        let (samples, account) = self.hear(lowest_ns, length_samples);
        let beyond_minimum_ns = lowest_ns.cast_signed() - path_minimum_ns.cast_signed();
        let facts = account.facts(beyond_minimum_ns);
        let events = account.events().iter().map(|event| event.in_ms());
        Playout {
            events: events.collect(),
            samples,
            facts,
            account,
        }
    }

    /// The first `length` samples, and what became of each.
    fn hear(&self, lowest_ns: u64, length: usize) -> (Vec<i16>, Account) {
        let mut receiver = Receiver::of_recording(lowest_ns.cast_signed());
        receiver.samples().reserve_exact(length);
        // The next message to be played, and those behind it that are there.
        let mut next = 0;
        let mut there = BTreeMap::new();
        let mut arrivals = self.arrivals.iter().peekable();
        while receiver.samples().len() < length {
            let heard = receiver.samples().len();
            let now_ns = lowest_ns + ns_of_samples((heard + INITIAL_SAMPLES) as u64);
            while let Some(arrival) = arrivals.next_if(|arrival| arrival.at_ns <= now_ns) {
                if arrival.message < next {
                    let captured_ns = self.messages[arrival.message].at_ns.cast_signed();
                    receiver.observe(captured_ns, arrival.at_ns.cast_signed());
                } else {
                    there.insert(arrival.message, arrival.at_ns);
                }
            }
            if self.is_lossy {
                let is_all = arrivals.peek().is_none();
                let first = there.keys().next().copied();
                let first = first.or(is_all.then_some(self.messages.len()));
                let missing = first.filter(|first| *first > next);
                if let Some(first) = missing
                    && receiver.gives_up(self.source.length(next..first))
                {
                    next = first;
                }
            }
            while let Some(at_ns) = there.remove(&next) {
                receiver.take(
                    self.source.of_message(next).iter().copied(),
                    self.messages[next].at_ns.cast_signed(),
                    at_ns.cast_signed(),
                );
                next += 1;
            }
            receiver.knows_of_hole(!there.is_empty());
            let missing = next < self.messages.len();
            receiver.tick(now_ns.cast_signed(), missing, TICK.min(length - heard));
        }
        let unplayed = receiver.buffer().available();
        let mut account = std::mem::take(receiver.account());
        let whole = self.source.samples.len() as u64;
        account.unplayed = whole - account.source + unplayed as u64;
        account.source = whole;
        (std::mem::take(receiver.samples()), account)
    }
}

/// The least time from capture to arrival; 0 without arrivals.
fn lowest_delay_ns(messages: &[Message], arrivals: &[Arrival]) -> Result<u64, PlayError> {
    let mut before_ns = 0;
    let mut lowest_ns = u64::MAX;
    for (index, arrival) in arrivals.iter().enumerate() {
        let message = messages
            .get(index)
            .filter(|_| arrival.message == index)
            .ok_or(PlayError::Order {
                index,
                found: arrival.message,
            })?;
        let earliest_ns = message.at_ns.max(before_ns);
        if arrival.at_ns < earliest_ns {
            return Err(PlayError::Instant {
                index,
                at_ns: arrival.at_ns,
                earliest_ns,
            });
        }
        before_ns = arrival.at_ns;
        lowest_ns = lowest_ns.min(arrival.at_ns - message.at_ns);
    }
    Ok(if arrivals.is_empty() { 0 } else { lowest_ns })
}
