//! Messages back to samples, without a clock.
// SPDX-License-Identifier: Apache-2.0

use opusic_c::{Channels, SampleRate};

use crate::{Message, SAMPLES_PER_MS, ns_of_samples};

/// The longest packet that Opus allows (RFC 6716, 3.2.5).
const PACKET_MAX_SAMPLES: usize = 120 * SAMPLES_PER_MS;

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
    /// Not an Opus packet.
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
pub fn decode(messages: &[Message]) -> Result<Vec<i16>, MessageError> {
    Source::of(messages).map(|source| source.samples)
}

/// The decoded stream, and where each message ends in it.
pub(crate) struct Source {
    pub samples: Vec<i16>,
    /// One a message: the number of samples up to its end.
    ends: Vec<usize>,
}

impl Source {
    pub fn of(messages: &[Message]) -> Result<Self, MessageError> {
        let mut decoder = Decoder::new();
        let mut source = Self {
            samples: Vec::new(),
            ends: Vec::with_capacity(messages.len()),
        };
        for (number, message) in messages.iter().enumerate() {
            source
                .samples
                .extend(decoder.decode(number, &message.bytes)?);
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

    /// The samples of one message.
    pub fn of_message(&self, message: usize) -> &[i16] {
        let start = message.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.samples[start..self.ends[message]]
    }
}

/// Decodes one message after the other.
pub(crate) struct Decoder {
    codec: opusic_c::Decoder,
    block: Vec<u16>,
}

impl Decoder {
    pub fn new() -> Self {
        Self {
            codec: opusic_c::Decoder::new(Channels::Mono, SampleRate::Hz48000)
                .expect("libopus takes 48 kHz mono"),
            block: vec![0; PACKET_MAX_SAMPLES],
        }
    }

    /// The samples of the next message; `message` is its number in an error.
    pub fn decode(
        &mut self,
        message: usize,
        bytes: &[u8],
    ) -> Result<impl Iterator<Item = i16>, MessageError> {
        let length = self
            .codec
            .decode_to_slice(packet(message, bytes)?, &mut self.block, false)
            .map_err(|code| MessageError::Packet {
                message,
                reason: code.message(),
            })?;
        let samples = self.block[..length].iter();
        Ok(samples.map(|sample| sample.cast_signed()))
    }
}

/// How many samples a message carries, without decoding it.
pub(crate) fn samples_in(message: usize, bytes: &[u8]) -> Result<usize, MessageError> {
    let packet = packet(message, bytes)?;
    opusic_c::utils::get_nb_samples(packet, SampleRate::Hz48000).map_err(|code| {
        MessageError::Packet {
            message,
            reason: code.message(),
        }
    })
}

/// The Opus packet of a message, if the length prefix is right.
fn packet(message: usize, bytes: &[u8]) -> Result<&[u8], MessageError> {
    bytes
        .split_first_chunk::<2>()
        // An empty packet would ask libopus for concealment.
        .filter(|(prefix, packet)| {
            !packet.is_empty() && usize::from(u16::from_be_bytes(**prefix)) == packet.len()
        })
        .map(|(_, packet)| packet)
        .ok_or(MessageError::Length {
            message,
            carries: bytes.len(),
        })
}
