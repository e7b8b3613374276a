//! Source audio to messages paced like the papers' Skype over TCP.
// SPDX-License-Identifier: Apache-2.0

use opusic_c::ErrorCode;

use crate::codec::{Codec, Coder};
use crate::frame_lengths::{FrameLengths, LONG_SAMPLES};
use crate::{Message, SAMPLES_PER_MS, ns_of_samples};

/// Why audio could not be encoded.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// There is nothing to send.
    #[error("the source has no samples: give at least one")]
    Empty,
    /// The codec refused; never seen with 16-bit audio.
    #[error("libopus could not encode message {message}: {reason}")]
    Codec {
        /// Index of the message.
        message: usize,
        /// libopus' own words.
        reason: &'static str,
    },
}

impl EncodeError {
    pub(crate) fn at(message: usize) -> impl Fn(ErrorCode) -> Self {
        move |code| Self::Codec {
            message,
            reason: code.message(),
        }
    }
}

/// Frames `source` (48 kHz, mono) into messages; the last is padded with
/// silence.
pub fn encode(codec: Codec, source: &[i16]) -> Result<Vec<Message>, EncodeError> {
    if source.is_empty() {
        return Err(EncodeError::Empty);
    }
    let mut encoder = Encoder::new(codec)?;
    let mut messages = encoder.push(source)?;
    messages.extend(encoder.finish()?);
    Ok(messages)
}

/// Frames audio into messages as it is captured.
pub struct Encoder {
    coder: Coder,
    lengths: FrameLengths,
    /// Of the frame that is being captured.
    length: usize,
    /// Its samples so far.
    captured: Vec<i16>,
    /// Samples in the messages made so far.
    framed: u64,
    messages: usize,
}

impl Encoder {
    /// For audio whose first sample is not captured yet.
    pub fn new(codec: Codec) -> Result<Self, EncodeError> {
        let mut lengths = FrameLengths::default();
        Ok(Self {
            coder: codec.coder()?,
            length: lengths.next().unwrap_or(LONG_SAMPLES),
            lengths,
            captured: Vec::with_capacity(LONG_SAMPLES),
            framed: 0,
            messages: 0,
        })
    }

    /// Takes the next samples (48 kHz, mono, any number); the messages that
    /// they complete.
    pub fn push(&mut self, mut samples: &[i16]) -> Result<Vec<Message>, EncodeError> {
        let mut messages = Vec::with_capacity(samples.len() / (34 * SAMPLES_PER_MS) + 1);
        while !samples.is_empty() {
            let missing = self.length - self.captured.len();
            let (taken, rest) = samples.split_at(missing.min(samples.len()));
            self.captured.extend_from_slice(taken);
            samples = rest;
            if self.captured.len() == self.length {
                messages.push(self.message()?);
            }
        }
        Ok(messages)
    }

    /// How many samples complete the next message.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.length - self.captured.len()
    }

    /// The last message, padded with silence, unless there is nothing left.
    fn finish(mut self) -> Result<Option<Message>, EncodeError> {
        if self.captured.is_empty() {
            return Ok(None);
        }
        self.captured.resize(self.length, 0);
        self.message().map(Some)
    }

    fn message(&mut self) -> Result<Message, EncodeError> {
        let payload = self.coder.encode(self.messages, &self.captured)?;
        self.framed += self.length as u64;
        self.messages += 1;
        self.captured.clear();
        self.length = self.lengths.next().unwrap_or(LONG_SAMPLES);
        Ok(Message {
            at_ns: ns_of_samples(self.framed),
            bytes: with_length(&payload),
        })
    }
}

fn with_length(payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len()).expect("no codec fills 64 KiB with 40 ms");
    let mut bytes = Vec::with_capacity(2 + payload.len());
    bytes.extend(length.to_be_bytes());
    bytes.extend(payload);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_the_ends_of_the_frames() {
        let messages = encode(Codec::Opus, &vec![0; 10 * 34 * SAMPLES_PER_MS]).unwrap();
        assert_eq!(messages.len(), 10);
        assert_eq!(messages[9].at_ns, 340_000_000);
        let mut before = 0;
        for (message, length) in messages.iter().zip(FrameLengths::default()) {
            assert_eq!(message.at_ns - before, ns_of_samples(length as u64));
            before = message.at_ns;
        }
    }

    #[test]
    fn nothing_to_send_is_an_error() {
        assert!(matches!(encode(Codec::Opus, &[]), Err(EncodeError::Empty)));
    }
}
