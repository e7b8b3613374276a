//! What is played while there is nothing to play: libopus' own concealment,
//! which goes on with the last sound, then a fade to silence.
// SPDX-License-Identifier: Apache-2.0

use opusic_c::Decoder;

use crate::decode::{decoder, packet};
use crate::splice::TICK;
use crate::{Message, SAMPLES_PER_MS};

/// Concealment keeps its level this long, about a syllable's half ...
const FADE_FROM: usize = 100 * SAMPLES_PER_MS;
/// ... and is silent from here: a sound held longer is heard as a robot's.
const FADE_TO: usize = 200 * SAMPLES_PER_MS;

/// Messages decoded again to bring a fresh decoder to the state that the
/// stream's decoder had. Each 20 ms frame halves what is left of a difference
/// (CELT's coarse energy prediction), so 12 messages or 20 frames leave less
/// than one part in 10^6.
const PRIMING_MESSAGES: usize = 12;

/// Concealment of one gap. It works on a decoder of its own: TCP will deliver
/// the very next message, and that must find the stream's decoder as it was.
pub(crate) struct Concealer {
    /// `None`: nothing has been heard yet that could go on.
    decoder: Option<Decoder>,
    block: [u16; TICK],
    used: usize,
    made: usize,
}

impl Concealer {
    /// Goes on after the first `heard` messages.
    pub fn after(messages: &[Message], heard: usize) -> Self {
        let recent = &messages[heard.saturating_sub(PRIMING_MESSAGES)..heard];
        let decoder = (!recent.is_empty()).then(|| {
            let mut decoder = decoder();
            let mut samples = Vec::new();
            for message in recent {
                let packet = packet(&message.bytes).expect("the stream has been decoded before");
                samples.clear();
                decoder
                    .decode_to_vec(packet, &mut samples, 120 * SAMPLES_PER_MS, false)
                    .expect("the stream has been decoded before");
            }
            decoder
        });
        Self {
            decoder,
            block: [0; TICK],
            used: TICK,
            made: 0,
        }
    }

    /// Nothing but zeros from here on.
    pub fn is_silent(&self) -> bool {
        self.decoder.is_none() || self.made >= FADE_TO
    }

    /// Appends the next `count` samples.
    pub fn fill(&mut self, samples: &mut Vec<i16>, count: usize) {
        for _ in 0..count {
            samples.push(self.next_sample());
        }
    }

    fn next_sample(&mut self) -> i16 {
        if self.is_silent() {
            return 0;
        }
        if self.used == TICK {
            let decoder = self.decoder.as_mut().expect("not silent, so there is one");
            decoder
                .decode_to_slice(&[], &mut self.block, false)
                .expect("concealment reads no packet");
            self.used = 0;
        }
        let sample = self.block[self.used].cast_signed();
        self.used += 1;
        let remaining = FADE_TO - self.made.max(FADE_FROM);
        self.made += 1;
        (i32::from(sample) * remaining as i32 / (FADE_TO - FADE_FROM) as i32) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode;

    /// A vowel-like tone of 125 Hz with overtones and a slow swell.
    fn hum(samples: usize) -> Vec<i16> {
        (0..samples)
            .map(|n| {
                let t = n as f64 / 48_000.0;
                let voice: f64 = (1..12)
                    .map(|k| (t * 785.398 * f64::from(k)).sin() / f64::from(k))
                    .sum();
                (voice * 4000.0 * (1.5 + (t * 9.0).sin())) as i16
            })
            .collect()
    }

    #[test]
    fn a_primed_decoder_goes_on_like_the_streams_own() {
        let messages = encode(&hum(96_000)).unwrap();
        let heard = 40;
        let mut whole = decoder();
        let mut samples = Vec::new();
        for message in &messages[..heard] {
            samples.clear();
            let packet = packet(&message.bytes).unwrap();
            whole
                .decode_to_vec(packet, &mut samples, 5760, false)
                .unwrap();
        }
        let mut expected = [0; TICK];
        whole.decode_to_slice(&[], &mut expected, false).unwrap();
        let mut concealed = Vec::new();
        Concealer::after(&messages, heard).fill(&mut concealed, TICK);
        for (a, b) in concealed.iter().zip(expected) {
            assert!((i32::from(*a) - i32::from(b.cast_signed())).abs() <= 2);
        }
        assert!(concealed.iter().any(|sample| sample.abs() > 1000));
    }

    #[test]
    fn fades_to_silence_and_stays_there() {
        let messages = encode(&hum(96_000)).unwrap();
        let mut concealer = Concealer::after(&messages, 40);
        let mut samples = Vec::new();
        concealer.fill(&mut samples, FADE_TO + 1000);
        assert!(concealer.is_silent());
        assert!(
            samples[..FADE_FROM]
                .iter()
                .any(|sample| sample.abs() > 1000)
        );
        assert!(samples[FADE_TO..].iter().all(|sample| *sample == 0));
    }

    #[test]
    fn before_the_first_message_there_is_silence() {
        let messages = encode(&hum(9600)).unwrap();
        let mut concealer = Concealer::after(&messages, 0);
        let mut samples = Vec::new();
        concealer.fill(&mut samples, 480);
        assert_eq!(samples, vec![0; 480]);
    }
}
