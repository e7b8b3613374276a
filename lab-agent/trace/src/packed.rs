//! Latencies in order, in few bytes: a demo keeps those of hours.
// SPDX-License-Identifier: Apache-2.0

use crate::distribution::Sample;

/// Some samples, no two of one latency. Each is what it is more than the one
/// before, and its weight, both in as many bytes as they need (LEB128).
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub first_ns: i64,
    /// Of all samples.
    pub weight: u64,
    packed: Box<[u8]>,
}

impl Block {
    /// Of at least one.
    pub fn of(samples: &[Sample]) -> Self {
        let first_ns = samples[0].latency_ns;
        let mut before_ns = first_ns;
        let mut packed = Vec::with_capacity(samples.len() * 4);
        for sample in samples {
            push(&mut packed, sample.latency_ns.abs_diff(before_ns));
            push(&mut packed, sample.weight);
            before_ns = sample.latency_ns;
        }
        Self {
            first_ns,
            weight: samples.iter().map(|sample| sample.weight).sum(),
            packed: packed.into(),
        }
    }

    /// In order.
    pub fn steps(&self) -> impl Iterator<Item = Sample> + '_ {
        let mut rest = &self.packed[..];
        let mut latency_ns = self.first_ns;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            latency_ns = latency_ns.wrapping_add_unsigned(pop(&mut rest));
            let weight = pop(&mut rest);
            Some(Sample { latency_ns, weight })
        })
    }

    pub fn unpacked(&self) -> Vec<Sample> {
        self.steps().collect()
    }
}

fn push(packed: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        packed.push(number as u8 | 0x80);
        number >>= 7;
    }
    packed.push(number as u8);
}

fn pop(packed: &mut &[u8]) -> u64 {
    let mut number = 0;
    let mut shift = 0;
    while let Some((byte, rest)) = packed.split_first() {
        *packed = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out() {
        let samples: Vec<Sample> = [
            (i64::MIN, 1),
            (-300, 127),
            (0, 128),
            (1, u64::MAX >> 8),
            (65_000_256, 1),
            (i64::MAX, 1400),
        ]
        .map(|(latency_ns, weight)| Sample { latency_ns, weight })
        .into();
        let block = Block::of(&samples);
        assert_eq!(block.unpacked(), samples);
        assert_eq!(block.first_ns, i64::MIN);
    }

    #[test]
    fn messages_of_a_real_path_take_three_bytes() {
        let samples: Vec<Sample> = (0..256)
            .map(|n| Sample {
                latency_ns: 65_000_000 + n * 5_120,
                weight: 1,
            })
            .collect();
        assert!(Block::of(&samples).packed.len() <= 3 * samples.len());
    }
}
