//! Messages back to samples, all of them and without a clock.
// SPDX-License-Identifier: Apache-2.0

use opusic_c::{Channels, Decoder, SampleRate};

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
    pub ends: Vec<usize>,
}

impl Source {
    pub fn of(messages: &[Message]) -> Result<Self, MessageError> {
        let mut decoder =
            Decoder::new(Channels::Mono, SampleRate::Hz48000).expect("libopus takes 48 kHz mono");
        let mut block = vec![0; PACKET_MAX_SAMPLES];
        let mut source = Self {
            samples: Vec::new(),
            ends: Vec::with_capacity(messages.len()),
        };
        for (message, Message { at_ns, bytes }) in messages.iter().enumerate() {
            let packet = packet(bytes).ok_or(MessageError::Length {
                message,
                carries: bytes.len(),
            })?;
            let length = decoder
                .decode_to_slice(packet, &mut block, false)
                .map_err(|code| MessageError::Packet {
                    message,
                    reason: code.message(),
                })?;
            source
                .samples
                .extend(block[..length].iter().map(|sample| sample.cast_signed()));
            source.ends.push(source.samples.len());
            let ends_ns = ns_of_samples(source.samples.len() as u64);
            if ends_ns != *at_ns {
                return Err(MessageError::Instant {
                    message,
                    at_ns: *at_ns,
                    ends_ns,
                });
            }
        }
        Ok(source)
    }
}

/// The Opus packet of a message; `None` when the length prefix is wrong.
fn packet(bytes: &[u8]) -> Option<&[u8]> {
    let (prefix, packet) = bytes.split_first_chunk::<2>()?;
    // An empty packet would ask libopus for concealment.
    (!packet.is_empty() && usize::from(u16::from_be_bytes(*prefix)) == packet.len())
        .then_some(packet)
}
