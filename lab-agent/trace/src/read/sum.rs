//! The Internet's checksum (RFC 1071).
// SPDX-License-Identifier: Apache-2.0

/// What the sum of something whole folds to.
pub(super) const SOUND: u16 = 0xffff;

/// The sum of some bytes, in this machine's order; sums of parts of even length add up.
pub(super) fn of(bytes: &[u8]) -> u64 {
    let (words, mut rest) = bytes.as_chunks::<8>();
    // What a word of 64 bits carries over counts as much as its lowest bit, so that nothing has
    // to be taken apart before the end.
    let whole: u128 = words
        .iter()
        .map(|bytes| u128::from(u64::from_ne_bytes(*bytes)))
        .sum();
    let halves = |word: u64| (word >> 32) + (word & 0xffff_ffff);
    let mut sum = halves(whole as u64) + (whole >> 64) as u64;
    if let Some((bytes, others)) = rest.split_first_chunk::<4>() {
        sum += u64::from(u32::from_ne_bytes(*bytes));
        rest = others;
    }
    if let Some((bytes, others)) = rest.split_first_chunk::<2>() {
        sum += u64::from(u16::from_ne_bytes(*bytes));
        rest = others;
    }
    if let [last] = rest {
        sum += u64::from(u16::from_ne_bytes([*last, 0]));
    }
    sum
}

/// To as many bits as the field has, the carries added in.
pub(super) fn folded(sum: u64) -> u16 {
    let sum = (sum >> 32) + (sum & 0xffff_ffff);
    let sum = (sum >> 32) + (sum & 0xffff_ffff);
    let sum = (sum >> 16) + (sum & 0xffff);
    let sum = (sum >> 16) + (sum & 0xffff);
    sum as u16
}

#[cfg(test)]
mod tests {
    use etherparse::checksum::Sum16BitWords;

    use super::{folded, of};

    #[test]
    fn it_is_what_others_say() {
        let bytes: Vec<u8> = (0..3_000_u32)
            .map(|n| ((n * n) >> 3) as u8 | 0x80)
            .collect();
        for length in (0..40).chain([1_499, 1_500, 2_999, 3_000]) {
            let expected = Sum16BitWords::new().add_slice(&bytes[..length]);
            assert_eq!(
                !folded(of(&bytes[..length])),
                expected.ones_complement(),
                "{length} bytes"
            );
        }
        assert_eq!(folded(of(&[0xff; 4_000])), 0xffff);
    }
}
