//! One direction of the emulator: a netem qdisc on its egress interface.
//!
//! Attribute numbers and layouts: `linux/pkt_sched.h`. Everything is sent with
//! every change, because netem keeps what a message leaves out.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{BitErrors, Path, path::Loss};

use super::bottleneck;
use super::netlink::Netlink;
use super::qdisc::{self, DEFAULT_QUEUE_PACKETS, Place, Queue, attribute, words};
use crate::fault::{Fault, Outcome};

/// The discipline's name.
pub const KIND: &str = "netem";
const NETEM_REORDER: u16 = 3;
const NETEM_CORRUPT: u16 = 4;
const NETEM_LOSS: u16 = 5;
const NETEM_RATE: u16 = 6;
const NETEM_RATE64: u16 = 8;
const NETEM_LATENCY64: u16 = 10;
const NETEM_JITTER64: u16 = 11;
const NETEM_PRNG_SEED: u16 = 14;
/// Of the kernel series (0301).
const NETEM_BIT_ERRORS: u16 = 15;
const BIT_ERRORS_AT_END: u32 = 1;
const LOSS_GILBERT_ELLIOTT: u16 = 2;
/// Of the kernel series (0016).
const LOSS_LIST: u16 = 3;
const NESTED: u16 = 0x8000;
/// Of `struct tc_netem_qopt`; attributes follow it.
const FIXED_BYTES: usize = 24;

/// Where a path names no tick of its radio link; the thesis's (5.4.3).
pub const DEFAULT_TICK_US: u64 = 10_000;

/// Packets that netem never holds: where another queue has the limit.
const ANY_PACKETS: u32 = 100_000_000;

/// Sets the direction that leaves by interface `index`. On a running lane the
/// packets inside keep the delay they were given.
///
/// # Errors
/// `Unsupported` where the kernel's netem has no bit errors and the path has.
pub fn set(netlink: &mut Netlink, index: u32, path: &Path, seed: u64) -> Outcome<()> {
    let what = "setting the emulator's path (netem)";
    qdisc::set(netlink, Place::root(index), KIND, options(path, seed), what)?;
    // A netem that does not know them takes them without a word.
    if path.bit_errors.is_some() && read(netlink, index)?.bit_errors.is_none() {
        return Err(Fault::Unsupported(
            "lane has bit_errors, which this kernel's netem does not have (patch 0301): leave them \
             out, or use an embedded host"
                .into(),
        ));
    }
    Ok(())
}

/// Reads the counters of interface `index`'s direction.
pub fn read(netlink: &mut Netlink, index: u32) -> Outcome<Queue> {
    qdisc::read(netlink, index, KIND)
}

fn options(path: &Path, seed: u64) -> Vec<u8> {
    let (uniform, model) = match &path.loss {
        Some(Loss::Uniform(loss)) => (share(loss.loss_share), None),
        Some(Loss::GilbertElliott(ge)) => (
            0,
            // netem's h is the share that passes in the bad state.
            Some(attribute(
                LOSS_GILBERT_ELLIOTT,
                &words(&[
                    share(ge.good_to_bad_share),
                    share(ge.bad_to_good_share),
                    share(1.0 - ge.loss_share_bad),
                    share(ge.loss_share_good),
                ]),
            )),
        ),
        // netem's first packet is 0.
        Some(Loss::Listed(list)) => {
            let packets: Vec<_> = list.packets.iter().map(|packet| packet - 1).collect();
            (0, Some(attribute(LOSS_LIST, &words(&packets))))
        }
        None => (0, None),
    };
    let queue_packets = match path.queue_packets {
        _ if bottleneck::has_own_queue(path) => ANY_PACKETS,
        0 => DEFAULT_QUEUE_PACKETS,
        packets => packets,
    };
    // A gap of 0 takes no packet out of turn; of 1, any.
    let gap = u32::from(path.reorder_share > 0.0);
    let duplicate = share(path.duplicate_share);
    // struct tc_netem_qopt: latency, limit, loss, gap, duplicate, jitter. The
    // two times are in the 64-bit attributes.
    let mut bytes = words(&[0, queue_packets, uniform, gap, duplicate, 0]);
    if gap > 0 {
        // Each correlation that is named takes one draw: where nothing is reordered,
        // naming this one would give every seed other losses than it has always had.
        let reorder = words(&[share(path.reorder_share), 0]);
        bytes.extend(attribute(NETEM_REORDER, &reorder));
    }
    if let Some(model) = model {
        bytes.extend(attribute(NETEM_LOSS | NESTED, &model));
    }
    let rate_byte_per_s = path.rate_bit_per_s.div_ceil(8);
    let rate_32 = u32::try_from(rate_byte_per_s).unwrap_or(u32::MAX);
    bytes.extend(attribute(NETEM_RATE, &words(&[rate_32, 0, 0, 0])));
    if rate_byte_per_s > u64::from(u32::MAX) {
        bytes.extend(attribute(NETEM_RATE64, &rate_byte_per_s.to_ne_bytes()));
    }
    let corrupt = words(&[share(path.corrupt_share), 0]);
    bytes.extend(attribute(NETEM_CORRUPT, &corrupt));
    let delay_ns = path.delay_us * 1000;
    bytes.extend(attribute(NETEM_LATENCY64, &delay_ns.to_ne_bytes()));
    let jitter_ns = path.jitter_us * 1000;
    bytes.extend(attribute(NETEM_JITTER64, &jitter_ns.to_ne_bytes()));
    bytes.extend(attribute(NETEM_PRNG_SEED, &seed.to_ne_bytes()));
    if let Some(errors) = &path.bit_errors {
        bytes.extend(attribute(NETEM_BIT_ERRORS, &bit_errors(errors)));
    }
    bytes
}

/// `struct tc_netem_bit_errors`.
fn bit_errors(errors: &BitErrors) -> Vec<u8> {
    let tick_us = match errors.tick_us {
        0 => DEFAULT_TICK_US,
        named => named,
    };
    // A link that is never bad has no bad times to come out of.
    let turn = |mean_us: u64| match mean_us {
        0 => 0,
        _ if errors.good_us == 0 => 0,
        mean_us => chance(tick_us as f64 / mean_us as f64),
    };
    let numbers = [
        tick_us * 1000,
        turn(errors.good_us),
        turn(errors.bad_us),
        chance(errors.error_share_good),
        chance(errors.error_share_bad),
    ];
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|one| one.to_ne_bytes()).collect();
    let flags = if errors.at_end { BIT_ERRORS_AT_END } else { 0 };
    bytes.extend(words(&[flags, 0]));
    bytes
}

/// A share as a fraction of the 64-bit range, of which a float has the first 53 bits.
fn chance(share: f64) -> u64 {
    // The cast ends at the highest number.
    (share.clamp(0.0, 1.0) * 2f64.powi(64)) as u64
}

/// Options as the kernel tells them, without the attribute that has the seed.
pub fn without_seed(options: &[u8]) -> Vec<u8> {
    let (fixed, mut rest) = options.split_at(FIXED_BYTES.min(options.len()));
    let mut kept = fixed.to_vec();
    while let [a, b, c, d, ..] = *rest {
        let length = usize::from(u16::from_ne_bytes([a, b])).clamp(4, rest.len());
        let (one, after) = rest.split_at(length.next_multiple_of(4).min(rest.len()));
        if u16::from_ne_bytes([c, d]) != NETEM_PRNG_SEED {
            kept.extend(one);
        }
        rest = after;
    }
    kept
}

/// A share as netem's fraction of the 32-bit range.
fn share(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * f64::from(u32::MAX)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab_proto::{GilbertElliottLoss, ListedLoss, UniformLoss};

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    fn find(mut bytes: &[u8], kind: u16) -> Option<&[u8]> {
        while bytes.len() >= 4 {
            let length = usize::from(u16::from_ne_bytes([bytes[0], bytes[1]]));
            if u16::from_ne_bytes([bytes[2], bytes[3]]) == kind {
                return Some(&bytes[4..length]);
            }
            bytes = &bytes[length..];
        }
        None
    }

    #[test]
    fn uniform_loss_is_in_the_fixed_part_and_no_model_is_set() {
        let path = Path {
            delay_us: 65_000,
            loss: Some(Loss::Uniform(UniformLoss { loss_share: 0.05 })),
            ..Path::default()
        };
        let bytes = options(&path, 7);
        assert_eq!(word(&bytes, 4), DEFAULT_QUEUE_PACKETS);
        assert_eq!(word(&bytes, 8), 214_748_365); // 0.05 · (2³² − 1)
        assert_eq!(find(&bytes[24..], NETEM_LOSS | NESTED), None);
        let delay = find(&bytes[24..], NETEM_LATENCY64).unwrap();
        assert_eq!(delay, 65_000_000u64.to_ne_bytes());
        let seed = find(&bytes[24..], NETEM_PRNG_SEED).unwrap();
        assert_eq!(seed, 7u64.to_ne_bytes());
    }

    #[test]
    fn the_seed_is_left_out_and_nothing_else() {
        let told = |seed| without_seed(&options(&Path::default(), seed));
        assert_eq!(told(7), told(8));
        // An attribute of eight bytes, behind its header of four.
        assert_eq!(told(7).len() + 12, options(&Path::default(), 7).len());
        for length in 0..told(7).len() {
            without_seed(&told(7)[..length]);
        }
    }

    #[test]
    fn bursts_go_out_as_the_four_numbers_of_netem() {
        let path = Path {
            loss: Some(Loss::GilbertElliott(GilbertElliottLoss {
                good_to_bad_share: 0.0,
                bad_to_good_share: 1.0,
                loss_share_bad: 0.75,
                loss_share_good: 0.0,
            })),
            ..Path::default()
        };
        let bytes = options(&path, 1);
        assert_eq!(word(&bytes, 8), 0);
        let model = find(&bytes[24..], NETEM_LOSS | NESTED).unwrap();
        let numbers = find(model, LOSS_GILBERT_ELLIOTT).unwrap();
        assert_eq!(numbers, words(&[0, u32::MAX, share(0.25), 0]));
    }

    #[test]
    fn the_first_packet_of_a_list_is_netems_packet_0() {
        let path = Path {
            loss: Some(Loss::Listed(ListedLoss {
                packets: vec![1, 7],
            })),
            ..Path::default()
        };
        let bytes = options(&path, 1);
        assert_eq!(word(&bytes, 8), 0);
        let model = find(&bytes[24..], NETEM_LOSS | NESTED).unwrap();
        assert_eq!(find(model, LOSS_LIST).unwrap(), words(&[0, 6]));
    }

    #[test]
    fn a_gap_is_set_where_packets_may_overtake() {
        let path = Path {
            reorder_share: 0.25,
            duplicate_share: 0.5,
            ..Path::default()
        };
        let bytes = options(&path, 1);
        assert_eq!((word(&bytes, 12), word(&bytes, 16)), (1, share(0.5)));
        let reorder = find(&bytes[24..], NETEM_REORDER).unwrap();
        assert_eq!(reorder, words(&[share(0.25), 0]));
        let plain = options(&Path::default(), 1);
        assert_eq!(word(&plain, 12), 0);
        assert_eq!(find(&plain[24..], NETEM_REORDER), None);
    }

    #[test]
    fn bit_errors_are_told_by_state_and_only_where_they_are_set() {
        let errors = BitErrors {
            good_us: 2_000_000,
            bad_us: 10_000,
            error_share_bad: 0.25,
            at_end: true,
            ..BitErrors::default()
        };
        let told = |errors| {
            let path = Path {
                bit_errors: Some(errors),
                ..Path::default()
            };
            let bytes = options(&path, 1);
            let told = find(&bytes[24..], NETEM_BIT_ERRORS).unwrap().to_vec();
            let (numbers, flags) = told.split_at(40);
            let (numbers, _) = numbers.as_chunks();
            let numbers: Vec<_> = numbers.iter().map(|&one| u64::from_ne_bytes(one)).collect();
            (numbers, word(flags, 0))
        };
        let (numbers, flags) = told(errors);
        // A tick of 10 ms; 2 s are 200 of them; it stays bad for one.
        let turns = [chance(0.005), u64::MAX];
        assert_eq!(numbers, [10_000_000, turns[0], turns[1], 0, 1 << 62]);
        assert_eq!(flags, BIT_ERRORS_AT_END);
        // Never bad, whatever is said of bad times.
        let good = BitErrors {
            good_us: 0,
            tick_us: 2_000,
            error_share_good: 0.5,
            ..errors
        };
        assert_eq!(told(good).0, [2_000_000, 0, 0, 1 << 63, 1 << 62]);
        let plain = options(&Path::default(), 1);
        assert_eq!(find(&plain[24..], NETEM_BIT_ERRORS), None);
    }

    #[test]
    fn a_rate_beyond_32_bits_takes_both_attributes() {
        let path = Path {
            rate_bit_per_s: 80_000_000_000,
            ..Path::default()
        };
        let bytes = options(&path, 1);
        let rate = find(&bytes[24..], NETEM_RATE).unwrap();
        assert_eq!(word(rate, 0), u32::MAX);
        let rate = find(&bytes[24..], NETEM_RATE64).unwrap();
        assert_eq!(rate, 10_000_000_000u64.to_ne_bytes());
    }
}
