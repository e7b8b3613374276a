//! What is heard, encoded for who listens in: each packet decodes without the
//! ones before it.
// SPDX-License-Identifier: Apache-2.0

use opusic_c::{Application, ErrorCode};

use crate::SAMPLES_PER_MS;
use crate::codec::opus::{PACKET_MAX_BYTES, encoder};
use crate::encode::EncodeError;

/// 20 ms, what one packet carries.
pub const BROADCAST_SAMPLES: usize = 20 * SAMPLES_PER_MS;

const BITRATE_BIT_PER_S: u32 = 96_000;

/// Encodes one lane as heard.
pub struct Broadcast {
    codec: opusic_c::Encoder,
    packets: usize,
}

impl Broadcast {
    /// For a stream that begins.
    pub fn new() -> Result<Self, EncodeError> {
        Ok(Self {
            codec: codec().map_err(EncodeError::at(0))?,
            packets: 0,
        })
    }

    /// The packet (RFC 6716) of the next 20 ms.
    pub fn encode(&mut self, samples: &[i16; BROADCAST_SAMPLES]) -> Result<Vec<u8>, EncodeError> {
        let samples = samples.map(i16::cast_unsigned);
        let mut packet = vec![0; PACKET_MAX_BYTES];
        let size = self
            .codec
            .encode_to_slice(&samples, &mut packet)
            .map_err(EncodeError::at(self.packets))?;
        packet.truncate(size);
        self.packets += 1;
        Ok(packet)
    }
}

fn codec() -> Result<opusic_c::Encoder, ErrorCode> {
    // `LowDelay` has no coding mode but CELT, whose frames overlap by 2.5 ms
    // and, without prediction, share nothing else.
    let mut codec = encoder(Application::LowDelay, BITRATE_BIT_PER_S)?;
    codec.set_prediction_disabled(true)?;
    Ok(codec)
}
