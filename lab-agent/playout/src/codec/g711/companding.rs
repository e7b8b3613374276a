//! A-law (ITU-T G.711, 3, tables 1a and 1b): 13 bits to 8, finer where it is quiet.
// SPDX-License-Identifier: Apache-2.0

/// Even bits are inverted on the line (table 1a, note 2), and a positive sample's first bit is 1.
const POSITIVE: u8 = 0b1101_0101;
const NEGATIVE: u8 = 0b0101_0101;

/// The lower three bits are more than A-law tells apart.
const UNUSED_BITS: u32 = 3;

/// Below it steps are equal; each segment above is twice as long as the one before, in 16 steps.
const FIRST_SEGMENT: u16 = 32;

pub(super) fn compress(sample: i16) -> u8 {
    let (sign, size) = if sample < 0 {
        (NEGATIVE, !sample)
    } else {
        (POSITIVE, sample)
    };
    let size = size.cast_unsigned() >> UNUSED_BITS;
    let segment = if size < FIRST_SEGMENT {
        0
    } else {
        size.ilog2() - 4
    };
    let step = (size >> segment.max(1)) & 0xf;
    let code = (segment as u8) << 4 | step as u8;
    code ^ sign
}

/// To the middle of the step.
pub(super) fn expand(byte: u8) -> i16 {
    let code = byte ^ NEGATIVE;
    let (segment, step) = (code >> 4 & 0x7, i16::from(code & 0xf));
    let first = (step << 1 | 1) << UNUSED_BITS;
    let size = match segment {
        0 => first,
        _ => (first + (i16::try_from(FIRST_SEGMENT).unwrap_or(0) << UNUSED_BITS)) << (segment - 1),
    };
    if code & 0x80 == 0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G.711, table 1a: the first value of a few steps, in 13 bits, and its character signal.
    #[test]
    fn characters_are_the_recommendations() {
        for (value, character) in [
            (0, 0b1000_0000),
            (2, 0b1000_0001),
            (64, 0b1010_0000),
            (128, 0b1011_0000),
            (2048, 0b1111_0000),
            (3968, 0b1111_1111),
            (4095, 0b1111_1111),
        ] {
            let sent = character ^ 0b0101_0101;
            assert_eq!(compress(value << UNUSED_BITS), sent, "{value}");
            assert_eq!(compress(!(value << UNUSED_BITS)), sent ^ 0x80, "-{value}");
        }
    }

    #[test]
    fn what_was_expanded_is_compressed_to_the_same() {
        for byte in 0..=u8::MAX {
            assert_eq!(compress(expand(byte)), byte);
        }
    }

    #[test]
    fn no_sample_is_further_off_than_half_a_step() {
        for sample in i16::MIN..=i16::MAX {
            let off = i32::from(expand(compress(sample))) - i32::from(sample);
            let size = i32::from(sample).abs();
            // A step is a 16th of its segment, and a segment begins at half of its end.
            let half = (size / 32).max(8) + 1;
            assert!(off.abs() <= half, "{sample}: {off}");
        }
    }

    #[test]
    fn a_wrong_bit_is_one_wrong_sample_and_the_first_is_its_sign() {
        let byte = compress(12_345);
        assert_eq!(expand(byte ^ 0x80), -expand(byte));
        assert!((i32::from(expand(byte ^ 1)) - i32::from(expand(byte))).abs() <= 1024);
    }
}
