//! What a byte of a stream has to be: a function of its place, so that every
//! segment of every packet can be checked by itself.
// SPDX-License-Identifier: Apache-2.0

/// The byte at `offset` of a stream. Neighbours differ, and so do bytes that
/// are any small number of segments apart.
pub fn byte_at(offset: u64) -> u8 {
    let mixed = (offset ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (mixed >> 56) as u8
}

/// The stream's bytes from `offset` on.
pub fn bytes_at(offset: u64, length: usize) -> Vec<u8> {
    (offset..offset + length as u64).map(byte_at).collect()
}

/// Where `bytes` differ from the stream at `offset`, if they do.
pub fn first_difference(offset: u64, bytes: &[u8]) -> Option<u64> {
    (offset..)
        .zip(bytes)
        .find(|&(place, &byte)| byte != byte_at(place))
        .map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_of_a_few_segments_does_not_go_unseen() {
        for shift in 1..3000 {
            assert!(
                first_difference(1000 + shift, &bytes_at(1000, 64)).is_some(),
                "{shift}"
            );
        }
    }
}
