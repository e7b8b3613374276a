//! Source audio to messages sized and paced like the papers' Skype over TCP.
//!
//! User-evaluation paper, table I: payload 236 bytes on average.
// SPDX-License-Identifier: Apache-2.0

use opusic_c::{Application, Bitrate, Channels, ErrorCode, SampleRate};

use crate::frame_lengths::{FrameLengths, LONG_SAMPLES};
use crate::{Message, SAMPLES_PER_MS, ns_of_samples};

/// Gives messages of 236 bytes on average, prefix included, on the speech and
/// the song of `clips/` (docs/playout.md has the measured figures).
const BITRATE_BIT_PER_S: u32 = 54_800;

/// At 10 the fixed-point encoder analyses in floating point; at this bitrate
/// more effort than this buys little and costs time.
const COMPLEXITY: u8 = 5;

/// Longer than any packet of two 20 ms frames at any bitrate (RFC 6716, 3.4).
pub(crate) const PACKET_MAX_BYTES: usize = 2 * 1276;

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
pub fn encode(source: &[i16]) -> Result<Vec<Message>, EncodeError> {
    if source.is_empty() {
        return Err(EncodeError::Empty);
    }
    let mut encoder = Encoder::new()?;
    let mut messages = encoder.push(source)?;
    messages.extend(encoder.finish()?);
    Ok(messages)
}

/// Frames audio into messages as it is captured. No in-band FEC: TCP loses
/// nothing.
pub struct Encoder {
    codec: opusic_c::Encoder,
    lengths: FrameLengths,
    /// Of the frame that is being captured.
    length: usize,
    /// Its samples so far.
    captured: Vec<u16>,
    /// Samples in the messages made so far.
    framed: u64,
    messages: usize,
    packet: Vec<u8>,
}

impl Encoder {
    /// For audio whose first sample is not captured yet.
    pub fn new() -> Result<Self, EncodeError> {
        let mut lengths = FrameLengths::default();
        Ok(Self {
            codec: codec().map_err(EncodeError::at(0))?,
            length: lengths.next().unwrap_or(LONG_SAMPLES),
            lengths,
            captured: Vec::with_capacity(LONG_SAMPLES),
            framed: 0,
            messages: 0,
            packet: vec![0; PACKET_MAX_BYTES],
        })
    }

    /// Takes the next samples (48 kHz, mono, any number); the messages that
    /// they complete.
    pub fn push(&mut self, mut samples: &[i16]) -> Result<Vec<Message>, EncodeError> {
        let mut messages = Vec::with_capacity(samples.len() / (34 * SAMPLES_PER_MS) + 1);
        while !samples.is_empty() {
            let missing = self.length - self.captured.len();
            let (taken, rest) = samples.split_at(missing.min(samples.len()));
            self.captured
                .extend(taken.iter().map(|sample| sample.cast_unsigned()));
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
        let size = self
            .codec
            .encode_to_slice(&self.captured, &mut self.packet)
            .map_err(EncodeError::at(self.messages))?;
        self.framed += self.length as u64;
        self.messages += 1;
        self.captured.clear();
        self.length = self.lengths.next().unwrap_or(LONG_SAMPLES);
        Ok(Message {
            at_ns: ns_of_samples(self.framed),
            bytes: with_length(&self.packet[..size]),
        })
    }
}

fn codec() -> Result<opusic_c::Encoder, ErrorCode> {
    // `Audio`, not `Voip`: one coding mode (CELT) for speech and song alike at
    // this bitrate, without the switches between modes that could be heard.
    let mut codec = encoder(Application::Audio, BITRATE_BIT_PER_S)?;
    codec.set_vbr_constraint(false)?;
    Ok(codec)
}

/// As the lab sends and tells sound: mono, each packet as long as it takes.
pub(crate) fn encoder(
    application: Application,
    bit_per_s: u32,
) -> Result<opusic_c::Encoder, ErrorCode> {
    let mut codec = opusic_c::Encoder::new(Channels::Mono, SampleRate::Hz48000, application)?;
    codec.set_bitrate(Bitrate::Value(bit_per_s))?;
    codec.set_vbr(true)?;
    codec.set_complexity(COMPLEXITY)?;
    Ok(codec)
}

fn with_length(packet: &[u8]) -> Vec<u8> {
    let length = u16::try_from(packet.len()).expect("a packet is shorter than PACKET_MAX_BYTES");
    let mut bytes = Vec::with_capacity(2 + packet.len());
    bytes.extend(length.to_be_bytes());
    bytes.extend(packet);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_the_ends_of_the_frames() {
        let messages = encode(&vec![0; 10 * 34 * SAMPLES_PER_MS]).unwrap();
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
        assert!(matches!(encode(&[]), Err(EncodeError::Empty)));
    }
}
