//! Random early detection: its settings as the kernel takes them.
//!
//! Those of its authors (Floyd and Jacobson, Random Early Detection Gateways for
//! Congestion Avoidance, 1993; Floyd, RED: Discussions of Setting Parameters,
//! 1997): the average of the queue follows it with a weight of 1/512, and packets
//! are dropped with a chance that grows to 10 % between two marks, the upper
//! three times the lower. The upper is half of the queue.
// SPDX-License-Identifier: Apache-2.0
use super::qdisc::{FULL_PACKET_BYTES, attribute, words};

const RED_PARMS: u16 = 1;
const RED_STAB: u16 = 2;
const RED_MAX_P: u16 = 3;
const ECN: u8 = 1;

/// The average's weight is 2 to the minus this.
const WEIGHT_LOG: u8 = 9;
const MOST_DROPPED_SHARE: f64 = 0.1;

/// The longest queue: the kernel keeps the upper mark, shifted by the weight, in 32 bits.
pub const MOST_BYTES: u32 = 8_000_000;
/// The shortest: a lower mark of a packet.
pub const LEAST_BYTES: u32 = 10_000;

/// Of a queue of so many bytes before a rate; with `ecn` it marks what speaks ECN.
pub fn options(bytes: u32, rate_bit_per_s: u64, ecn: bool) -> Vec<u8> {
    let upper = bytes / 2;
    let lower = upper / 3;
    let idle = Idle::at(rate_bit_per_s);
    // struct tc_red_qopt: limit, marks, logarithms of weight, chance and cell, flags.
    let mut parms = words(&[bytes, lower, upper]);
    parms.extend([WEIGHT_LOG, 0, idle.cell_log, if ecn { ECN } else { 0 }]);
    let chance = (MOST_DROPPED_SHARE * f64::from(u32::MAX)) as u32;
    [
        attribute(RED_PARMS, &parms),
        attribute(RED_STAB, &idle.shifts),
        attribute(RED_MAX_P, &words(&[chance])),
    ]
    .concat()
}

/// How the average shrinks while the queue is empty: as if packets went by and
/// found nothing, at the rate.
struct Idle {
    /// The table's step is 2 to this, in microseconds.
    cell_log: u8,
    /// By how many bits it has shrunk after so many steps.
    shifts: Vec<u8>,
}

impl Idle {
    const STEPS: u32 = 256;
    /// The kernel keeps the whole table's time in 32 bits.
    const MOST_CELL_LOG: u8 = 23;
    /// All that an average of 32 bits can lose.
    const MOST_SHIFT: f64 = 31.0;

    fn at(rate_bit_per_s: u64) -> Self {
        let packet_us = f64::from(FULL_PACKET_BYTES * 8) * 1e6 / rate_bit_per_s as f64;
        let kept_share = 1.0 - f64::from(1u32 << WEIGHT_LOG).recip();
        let halves_in_us = packet_us * 0.5f64.ln() / kept_share.ln();
        let whole_us = halves_in_us * Self::MOST_SHIFT;
        let fits = |&log: &u8| whole_us <= f64::from(Self::STEPS << log);
        let cell_log = (0..Self::MOST_CELL_LOG).find(fits);
        let cell_log = cell_log.unwrap_or(Self::MOST_CELL_LOG);
        let shift = |step: u32| {
            let us = f64::from(step << cell_log);
            (us / halves_in_us).min(Self::MOST_SHIFT) as u8
        };
        Self {
            cell_log,
            shifts: (0..Self::STEPS).map(shift).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_are_a_sixth_and_half_of_the_queue() {
        let options = options(60_000, 1_000_000, true);
        let word = |at: usize| u32::from_ne_bytes(options[at..at + 4].try_into().unwrap());
        assert_eq!((word(4), word(8), word(12)), (60_000, 10_000, 30_000));
        assert_eq!((options[16], options[19]), (WEIGHT_LOG, ECN));
    }

    /// At 1 Mbit/s a packet takes 12.1 ms, and (1 − 1/512)^355 is a half: 4.3 s.
    #[test]
    fn an_average_is_halved_by_the_time_that_its_packets_would_take() {
        let idle = Idle::at(1_000_000);
        let step_us = f64::from(1u32 << idle.cell_log);
        let first = idle.shifts.iter().position(|&one| one == 1).unwrap();
        let halved_us = first as f64 * step_us;
        assert!((halved_us - 4_293_000.0).abs() < step_us, "{halved_us}");
    }

    #[test]
    fn an_average_shrinks_step_by_step_and_never_by_more_than_it_has() {
        for rate_bit_per_s in [1, 64_000, 1_000_000_000_000] {
            let idle = Idle::at(rate_bit_per_s);
            assert_eq!((idle.shifts.len(), idle.shifts[0]), (256, 0));
            assert!(idle.shifts.is_sorted());
            assert!(idle.shifts[255] <= 31);
        }
    }
}
