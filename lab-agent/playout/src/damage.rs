//! Messages that were read otherwise than they were written.
// SPDX-License-Identifier: Apache-2.0

use crate::codec::{Codec, PREFIX_BYTES};

/// What a telephone makes of a message that came changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damage {
    /// How much of its sound is damaged.
    pub share: f64,
    /// Whether what is left can be heard; else all of it is thrown away.
    pub is_heard: bool,
}

/// Puts into a message what was read in its stead: places, and bytes. It is left as it was where
/// the codec makes nothing of it, or its length is among what changed: then it is to be thrown
/// away.
///
/// Which message a changed byte is of, whoever calls this knows from what was sent. A telephone
/// that takes damaged sound off a stream would have to frame it by other means than a length
/// that may be wrong.
pub fn damage(codec: Codec, message: &mut [u8], changed: &[(usize, u8)]) -> Damage {
    let payload = PREFIX_BYTES..message.len();
    let is_payload = |(at, _): &(usize, u8)| payload.contains(at);
    if !codec.takes_damage() || !changed.iter().all(is_payload) {
        return Damage {
            share: 1.0,
            is_heard: false,
        };
    }
    let share = changed.len() as f64 / payload.len() as f64;
    for &(at, to) in changed {
        message[at] = to;
    }
    Damage {
        share,
        is_heard: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: [u8; 12] = [0, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

    #[test]
    fn of_g711_a_changed_byte_is_one_sample() {
        let mut message = MESSAGE;
        let damaged = damage(Codec::G711, &mut message, &[(2, 99), (11, 98)]);
        assert_eq!((damaged.share, damaged.is_heard), (0.2, true));
        assert_eq!(message, [0, 10, 99, 2, 3, 4, 5, 6, 7, 8, 9, 98]);
    }

    #[test]
    fn opus_and_a_changed_length_are_thrown_away() {
        for (codec, at) in [(Codec::Opus, 5), (Codec::G711, 1), (Codec::G711, 12)] {
            let mut message = MESSAGE;
            let damaged = damage(codec, &mut message, &[(at, 99)]);
            assert_eq!((damaged.share, damaged.is_heard), (1.0, false));
            assert_eq!(message, MESSAGE);
        }
    }
}
