//! Sound to the messages of a telephone, as it goes on.
// SPDX-License-Identifier: Apache-2.0
use thinlab_playout::{Codec, Encoder};

use super::Message;
use crate::fault::{Fault, Outcome};

/// The grain of sound.
pub const PIECE_NS: u64 = 10_000_000;
const PIECE_SAMPLES: usize = 480;

/// An encoder, and how much of the stream it was given.
pub struct Voice {
    codec: Codec,
    encoder: Encoder,
    made_ns: u64,
}

impl Voice {
    /// At the stream's beginning.
    pub fn new(codec: Codec) -> Outcome<Self> {
        Ok(Self {
            codec,
            encoder: Encoder::new(codec).map_err(|error| failed(&error))?,
            made_ns: 0,
        })
    }

    /// What it is coded as.
    pub fn codec(&self) -> Codec {
        self.codec
    }

    /// Up to which time of the stream there is sound.
    pub fn made_ns(&self) -> u64 {
        self.made_ns
    }

    /// Takes samples from `next` up to a time of the stream; the messages that
    /// they complete.
    pub fn speak(
        &mut self,
        until_ns: u64,
        mut next: impl FnMut(usize) -> Vec<i16>,
    ) -> Outcome<Vec<Message>> {
        let mut due = Vec::new();
        while self.made_ns + PIECE_NS <= until_ns {
            let made = self.encoder.push(&next(PIECE_SAMPLES));
            let messages = made.map_err(|error| failed(&error))?;
            due.extend(messages.into_iter().map(|message| Message {
                at_ns: message.at_ns,
                bytes: message.bytes,
            }));
            self.made_ns += PIECE_NS;
        }
        Ok(due)
    }
}

fn failed(error: &thinlab_playout::EncodeError) -> Fault {
    Fault::Failed(format!("encoding the take's sound: {error}"))
}
