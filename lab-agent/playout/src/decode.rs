//! Messages back to samples, without a clock.
// SPDX-License-Identifier: Apache-2.0

use crate::codec::Codec;
use crate::{Message, ns_of_samples, samples_of_ns};

/// A message is not what [`crate::encode`] makes.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MessageError {
    /// The length prefix and the bytes differ.
    #[error("message {message}: {carries} bytes cannot be a length prefix and its packet")]
    Length {
        /// Index of the message.
        message: usize,
        /// Bytes of the message, the prefix included.
        carries: usize,
    },
    /// What the codec takes for no packet of its own.
    #[error("message {message}: libopus cannot decode its packet: {reason}")]
    Packet {
        /// Index of the message.
        message: usize,
        /// libopus' own words.
        reason: &'static str,
    },
    /// `at_ns` is not the end of the audio up to here.
    #[error("message {message}: at_ns is {at_ns}, but its audio ends at {ends_ns} ns")]
    Instant {
        /// Index of the message.
        message: usize,
        /// As given.
        at_ns: u64,
        /// As the packets' lengths say.
        ends_ns: u64,
    },
}

/// What a receiver hears that gets every message in time (48 kHz, mono).
pub fn decode(codec: Codec, messages: &[Message]) -> Result<Vec<i16>, MessageError> {
    Source::of(codec, messages).map(|source| source.samples)
}

/// The decoded stream, and where each message ends in it.
pub(crate) struct Source {
    pub samples: Vec<i16>,
    /// One a message: the number of samples up to its end.
    ends: Vec<usize>,
}

impl Source {
    pub fn of(codec: Codec, messages: &[Message]) -> Result<Self, MessageError> {
        Self::of_those(codec, messages, |_| true)
    }

    /// Only some came: nobody can decode the others, which are silence here, as long as their
    /// instants say.
    pub fn of_those(
        codec: Codec,
        messages: &[Message],
        came: impl Fn(usize) -> bool,
    ) -> Result<Self, MessageError> {
        let mut decoder = codec.decoder();
        let mut source = Self {
            samples: Vec::new(),
            ends: Vec::with_capacity(messages.len()),
        };
        for (number, message) in messages.iter().enumerate() {
            if came(number) {
                source
                    .samples
                    .extend(decoder.decode(number, &message.bytes)?);
            } else {
                let end = samples_of_ns(message.at_ns.cast_signed()).max(0) as usize;
                source.samples.resize(end.max(source.samples.len()), 0);
            }
            source.ends.push(source.samples.len());
            let ends_ns = ns_of_samples(source.samples.len() as u64);
            if ends_ns != message.at_ns {
                return Err(MessageError::Instant {
                    message: number,
                    at_ns: message.at_ns,
                    ends_ns,
                });
            }
        }
        Ok(source)
    }

    /// How many samples messages have together, up to another one.
    pub fn length(&self, messages: std::ops::Range<usize>) -> usize {
        let until = |message: usize| message.checked_sub(1).map_or(0, |last| self.ends[last]);
        until(messages.end) - until(messages.start)
    }

    /// The samples of one message.
    pub fn of_message(&self, message: usize) -> &[i16] {
        let start = message.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.samples[start..self.ends[message]]
    }
}
