//! Opus (RFC 6716) by libopus, sized like the papers' Skype over TCP.
//!
//! User-evaluation paper, table I: payload 236 bytes on average.
// SPDX-License-Identifier: Apache-2.0

use opusic_c::{Application, Bitrate, Channels, ErrorCode, SampleRate};

use crate::encode::EncodeError;
use crate::{MessageError, SAMPLES_PER_MS};

/// Gives messages of 236 bytes on average, prefix included, on the speech and
/// the song of `clips/` (docs/playout.md has the measured figures).
const BITRATE_BIT_PER_S: u32 = 54_800;

/// At 10 the fixed-point encoder analyses in floating point; at this bitrate
/// more effort than this buys little and costs time.
const COMPLEXITY: u8 = 5;

/// Longer than any packet of two 20 ms frames at any bitrate (RFC 6716, 3.4).
pub(crate) const PACKET_MAX_BYTES: usize = 2 * 1276;

/// The longest packet that Opus allows (RFC 6716, 3.2.5).
const PACKET_MAX_SAMPLES: usize = 120 * SAMPLES_PER_MS;

/// No in-band FEC: TCP loses nothing.
pub(crate) struct Coder {
    codec: opusic_c::Encoder,
    samples: Vec<u16>,
    packet: Vec<u8>,
}

impl Coder {
    pub fn new() -> Result<Self, EncodeError> {
        // `Audio`, not `Voip`: one coding mode (CELT) for speech and song alike at
        // this bitrate, without the switches between modes that could be heard.
        let codec = encoder(Application::Audio, BITRATE_BIT_PER_S).and_then(|mut codec| {
            codec.set_vbr_constraint(false)?;
            Ok(codec)
        });
        Ok(Self {
            codec: codec.map_err(EncodeError::at(0))?,
            samples: Vec::new(),
            packet: vec![0; PACKET_MAX_BYTES],
        })
    }

    pub fn encode(&mut self, message: usize, samples: &[i16]) -> Result<Vec<u8>, EncodeError> {
        self.samples.clear();
        let samples = samples.iter().map(|sample| sample.cast_unsigned());
        self.samples.extend(samples);
        let size = self
            .codec
            .encode_to_slice(&self.samples, &mut self.packet)
            .map_err(EncodeError::at(message))?;
        Ok(self.packet[..size].to_vec())
    }
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

    pub fn decode(&mut self, message: usize, packet: &[u8]) -> Result<Vec<i16>, MessageError> {
        let length = self
            .codec
            .decode_to_slice(packet, &mut self.block, false)
            .map_err(refused(message))?;
        let samples = self.block[..length].iter();
        Ok(samples.map(|sample| sample.cast_signed()).collect())
    }
}

pub(crate) fn samples_in(message: usize, packet: &[u8]) -> Result<usize, MessageError> {
    opusic_c::utils::get_nb_samples(packet, SampleRate::Hz48000).map_err(refused(message))
}

fn refused(message: usize) -> impl Fn(ErrorCode) -> MessageError {
    move |code| MessageError::Packet {
        message,
        reason: code.message(),
    }
}
