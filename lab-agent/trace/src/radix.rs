//! Samples in order of their latency, by their digits: as many passes as the
//! spread of the latencies has pieces of eleven bits.
// SPDX-License-Identifier: Apache-2.0

use crate::distribution::Sample;

const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;
/// Fewer are sorted sooner by comparing.
const WORTH_IT: usize = 2_048;
/// So are those of a wider spread than some hours.
const MOST_PASSES: u32 = 4;
const US_NS: u64 = 1_000;

/// Sorts by latency; of equal ones, none is before another.
pub(crate) fn sort(samples: &mut Vec<Sample>) {
    let lowest_ns = samples.iter().map(|sample| sample.latency_ns).min();
    let highest_ns = samples.iter().map(|sample| sample.latency_ns).max();
    let (Some(lowest_ns), Some(highest_ns)) = (lowest_ns, highest_ns) else {
        return;
    };
    let spread_ns = highest_ns.abs_diff(lowest_ns);
    // Of captures that count in µs, three digits of the ten say nothing.
    let mut above_ns = samples
        .iter()
        .map(|sample| sample.latency_ns.abs_diff(lowest_ns));
    if above_ns.all(|above_ns| above_ns % US_NS == 0) {
        sort_by::<US_NS>(samples, lowest_ns, spread_ns);
    } else {
        sort_by::<1>(samples, lowest_ns, spread_ns);
    }
}

/// Where all are some `UNIT_NS` above the lowest.
fn sort_by<const UNIT_NS: u64>(samples: &mut Vec<Sample>, lowest_ns: i64, spread_ns: u64) {
    let spread = spread_ns / UNIT_NS;
    let passes = (u64::BITS - spread.leading_zeros()).div_ceil(DIGIT_BITS);
    if samples.len() < WORTH_IT || passes > MOST_PASSES {
        samples.sort_unstable_by_key(|sample| sample.latency_ns);
        return;
    }
    let mut other = samples.clone();
    for pass in 0..passes {
        let digit = |sample: &Sample| {
            let above = sample.latency_ns.abs_diff(lowest_ns) / UNIT_NS;
            (above >> (pass * DIGIT_BITS)) as usize % DIGITS
        };
        let mut places = [0_usize; DIGITS];
        for sample in samples.iter() {
            places[digit(sample)] += 1;
        }
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for sample in samples.iter() {
            let place = &mut places[digit(sample)];
            other[*place] = *sample;
            *place += 1;
        }
        std::mem::swap(samples, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_comparing_does() {
        let mixed = |n: i64| n.wrapping_mul(0x5851_f42d_4c95_7f2d);
        for (count, spread, unit_ns) in [
            (0, 1, 1),
            (5, 9, 1),
            (5_000, 1, 1),
            (5_000, 1 << 12, 1),
            (5_000, 1 << 12, US_NS as i64),
            (9_000, 1 << 40, 1),
            (9_000, 1 << 40, US_NS as i64),
            (9_000, i64::MAX, 1),
        ] {
            let mut samples: Vec<Sample> = (0..count)
                .map(|n| Sample {
                    latency_ns: (mixed(n) % spread).wrapping_mul(unit_ns) - 7,
                    weight: 1,
                })
                .collect();
            let mut expected = samples.clone();
            expected.sort();
            sort(&mut samples);
            assert_eq!(samples, expected, "{count} over {spread} of {unit_ns} ns");
        }
    }
}
