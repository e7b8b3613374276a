//! What turns sound into bytes at one end of a lane, and back at the other.
// SPDX-License-Identifier: Apache-2.0

mod g711;
pub(crate) mod opus;

use crate::MessageError;
use crate::encode::EncodeError;

/// In front of each payload: its length.
pub(crate) const PREFIX_BYTES: usize = 2;

/// What both telephones speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codec {
    /// RFC 6716. What is left of a damaged packet is noise to its end, and in the packets after
    /// it: a receiver throws it away.
    #[default]
    Opus,
    /// ITU-T G.711, A-law: 8000 bytes a second, each a sample by itself. A damaged one is one
    /// wrong sample: a click, the louder the higher its bit.
    G711,
}

impl Codec {
    /// Whether what is left of a damaged message can be heard.
    #[must_use]
    pub const fn takes_damage(self) -> bool {
        matches!(self, Self::G711)
    }

    pub(crate) fn coder(self) -> Result<Coder, EncodeError> {
        Ok(match self {
            Self::Opus => Coder::Opus(opus::Coder::new()?),
            Self::G711 => Coder::G711(g711::Coder::new()),
        })
    }

    pub(crate) fn decoder(self) -> Decoder {
        match self {
            Self::Opus => Decoder::Opus(opus::Decoder::new()),
            Self::G711 => Decoder::G711(g711::Decoder::new()),
        }
    }

    /// How many samples a message carries, without decoding it.
    pub(crate) fn samples_in(self, message: usize, bytes: &[u8]) -> Result<usize, MessageError> {
        let payload = payload(message, bytes)?;
        match self {
            Self::Opus => opus::samples_in(message, payload),
            Self::G711 => Ok(g711::samples_in(payload)),
        }
    }
}

/// Samples to payloads, one message after the other.
pub(crate) enum Coder {
    Opus(opus::Coder),
    G711(g711::Coder),
}

impl Coder {
    /// The payload of one message's samples; `message` is its number in an error.
    pub fn encode(&mut self, message: usize, samples: &[i16]) -> Result<Vec<u8>, EncodeError> {
        match self {
            Self::Opus(coder) => coder.encode(message, samples),
            Self::G711(coder) => Ok(coder.encode(samples)),
        }
    }
}

/// Payloads back to samples, one message after the other.
pub(crate) enum Decoder {
    Opus(opus::Decoder),
    G711(g711::Decoder),
}

impl Decoder {
    /// The samples of the next message; `message` is its number in an error.
    pub fn decode(&mut self, message: usize, bytes: &[u8]) -> Result<Vec<i16>, MessageError> {
        let payload = payload(message, bytes)?;
        match self {
            Self::Opus(decoder) => decoder.decode(message, payload),
            Self::G711(decoder) => Ok(decoder.decode(payload)),
        }
    }
}

/// What follows the length prefix, if that is right.
fn payload(message: usize, bytes: &[u8]) -> Result<&[u8], MessageError> {
    bytes
        .split_first_chunk::<PREFIX_BYTES>()
        // An empty packet would ask libopus for concealment.
        .filter(|(prefix, payload)| {
            !payload.is_empty() && usize::from(u16::from_be_bytes(**prefix)) == payload.len()
        })
        .map(|(_, payload)| payload)
        .ok_or(MessageError::Length {
            message,
            carries: bytes.len(),
        })
}
