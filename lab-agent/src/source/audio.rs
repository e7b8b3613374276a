//! Audio as a telephone sends it, paced like the papers' Skype-over-TCP trace.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::AudioStream;
use thinlab_playout::Codec;

use super::{Message, Stream};
use crate::fault::{Fault, Outcome, invalid};

impl Stream for AudioStream {
    fn messages(&self, _: u64) -> Outcome<Vec<Message>> {
        if self.start_sample != 0 {
            return invalid("audio.start_sample is for demos: leave it out, or cut the source");
        }
        let messages = thinlab_playout::encode(codec(self.codec)?, &samples(self)?)
            .map_err(|error| Fault::Invalid(format!("audio.source_s16le_48k_mono: {error}")))?;
        Ok(messages
            .into_iter()
            .map(|message| Message {
                at_ns: message.at_ns,
                bytes: message.bytes,
            })
            .collect())
    }
}

/// What the stream is coded as.
pub fn codec(asked: i32) -> Outcome<Codec> {
    match lab_proto::Codec::try_from(asked) {
        Ok(lab_proto::Codec::Unspecified | lab_proto::Codec::Opus) => Ok(Codec::Opus),
        Ok(lab_proto::Codec::G711) => Ok(Codec::G711),
        Err(_) => invalid("codec of the sound is none that this agent has: give OPUS or G711"),
    }
}

/// Samples from their bytes; half a one at the end is left out.
pub fn of_s16le(bytes: &[u8]) -> impl Iterator<Item = i16> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(|&pair| i16::from_le_bytes(pair))
}

/// The source as samples.
pub fn samples(audio: &AudioStream) -> Outcome<Vec<i16>> {
    let sound = &audio.source_s16le_48k_mono;
    if !sound.len().is_multiple_of(2) {
        return Err(Fault::Invalid(
            "audio.source_s16le_48k_mono has an odd number of bytes: give whole 16-bit samples"
                .into(),
        ));
    }
    Ok(of_s16le(sound).collect())
}
