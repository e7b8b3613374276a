//! Messages and their arrivals to what was heard: checks what it is given, lets
//! a receiver play it.
// SPDX-License-Identifier: Apache-2.0

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
    let (samples, account) = hear(messages, arrivals, &source, lowest_ns, length_samples);
    let beyond_minimum_ns = lowest_ns.cast_signed() - path_minimum_ns.cast_signed();
    let facts = account.facts(beyond_minimum_ns);
    let events = account.events().iter().map(|event| event.in_ms());
    Ok(Playout {
        events: events.collect(),
        samples,
        facts,
        account,
    })
}

/// The first `length` samples, and what became of each.
fn hear(
    messages: &[Message],
    arrivals: &[Arrival],
    source: &Source,
    lowest_ns: u64,
    length: usize,
) -> (Vec<i16>, Account) {
    let mut receiver = Receiver::of_recording(lowest_ns.cast_signed());
    receiver.samples().reserve_exact(length);
    let mut taken = 0;
    let mut arrivals = arrivals.iter().peekable();
    while receiver.samples().len() < length {
        let heard = receiver.samples().len();
        let now_ns = lowest_ns + ns_of_samples((heard + INITIAL_SAMPLES) as u64);
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.at_ns <= now_ns) {
            receiver.take(
                source.of_message(arrival.message).iter().copied(),
                messages[arrival.message].at_ns.cast_signed(),
                arrival.at_ns.cast_signed(),
            );
            taken += 1;
        }
        let missing = taken < messages.len();
        receiver.tick(now_ns.cast_signed(), missing, TICK.min(length - heard));
    }
    let unplayed = receiver.buffer().available();
    let mut account = std::mem::take(receiver.account());
    let whole = source.samples.len() as u64;
    account.unplayed = whole - account.source + unplayed as u64;
    account.source = whole;
    (std::mem::take(receiver.samples()), account)
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
