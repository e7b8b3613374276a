//! ITU-T G.711 in a lab of 48 kHz: down to 8 kHz, a byte a sample, and back up.
//!
//! 20 and 40 ms are 160 and 320 bytes: as thin as the papers' Skype (user-evaluation paper,
//! table I: 236 bytes each 34 ms; here 272).
// SPDX-License-Identifier: Apache-2.0

mod companding;
mod rate;

use rate::{Down, Up};

pub(crate) struct Coder(Down);

impl Coder {
    pub fn new() -> Self {
        Self(Down::new())
    }

    pub fn encode(&mut self, samples: &[i16]) -> Vec<u8> {
        let narrow = self.0.take(samples);
        narrow.into_iter().map(companding::compress).collect()
    }
}

pub(crate) struct Decoder(Up);

impl Decoder {
    pub fn new() -> Self {
        Self(Up::new())
    }

    pub fn decode(&mut self, payload: &[u8]) -> Vec<i16> {
        let narrow: Vec<i16> = payload
            .iter()
            .map(|&byte| companding::expand(byte))
            .collect();
        self.0.take(&narrow)
    }
}

pub(crate) fn samples_in(payload: &[u8]) -> usize {
    payload.len() * rate::RATIO
}
