//! Audio as a telephone sends it: Opus frames, sized and paced like the papers'
//! Skype-over-TCP trace.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::AudioStream;

use super::{Message, Stream};
use crate::fault::{Fault, Outcome};

impl Stream for AudioStream {
    fn messages(&self, _: u64) -> Outcome<Vec<Message>> {
        let messages = thinlab_playout::encode(&samples(self)?)
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

/// The source as samples.
pub fn samples(audio: &AudioStream) -> Outcome<Vec<i16>> {
    let (pairs, rest) = audio.source_s16le_48k_mono.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Fault::Invalid(
            "audio.source_s16le_48k_mono has an odd number of bytes: give whole 16-bit samples"
                .into(),
        ));
    }
    Ok(pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect())
}
