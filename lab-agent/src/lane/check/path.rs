//! The refusals of one direction of a lane: delay, rate, queue, losses, bit errors.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{BitErrors, Path, QueueDiscipline, path::Loss};

use super::super::netem::DEFAULT_TICK_US;
use super::super::qdisc::FULL_PACKET_BYTES;
use super::super::red;
use super::super::route::MTU_BYTES;
use super::limits::{LONGEST_DELAY_US, at_most, share};
use crate::fault::{Outcome, invalid};

const MOST_QUEUED_PACKETS: u32 = 1_000_000;
const MOST_QUEUED_BYTES: u32 = 1_000_000_000;
/// They share an attribute of 64 KiB with all other options of a queueing discipline.
const MOST_LISTED_LOSSES: usize = 16_000;
/// Every IPv4 host takes so much (RFC 791).
const LEAST_MTU_BYTES: u32 = 576;
const HIGHEST_RATE_BIT_PER_S: u64 = 1_000_000_000_000;
/// Less is nothing but work for the kernel.
const SHORTEST_TICK_US: u64 = 100;
/// A second.
const LONGEST_TICK_US: u64 = 1_000_000;
/// What the kernel's arithmetic takes.
const LEAST_ERROR_SHARE: f64 = 1e-10;
/// Then nothing of what was sent is left.
const MOST_ERROR_SHARE: f64 = 0.5;

pub(super) fn direction(name: &str, path: Option<&Path>) -> Outcome<()> {
    let Some(path) = path else {
        return invalid(format!("{name} is not set: give it a delay_us at least"));
    };
    if path.delay_us > LONGEST_DELAY_US {
        return invalid(format!("{name}.delay_us must be at most an hour"));
    }
    if path.jitter_us > path.delay_us {
        return invalid(format!(
            "{name}.jitter_us must be at most delay_us: no packet arrives before it is sent"
        ));
    }
    let rate = format!("{name}.rate_bit_per_s");
    at_most(
        &rate,
        path.rate_bit_per_s,
        HIGHEST_RATE_BIT_PER_S,
        "unlimited",
    )?;
    at_most(
        &format!("{name}.queue_packets"),
        path.queue_packets,
        MOST_QUEUED_PACKETS,
        "1000",
    )?;
    if path.mtu_bytes != 0 && !(LEAST_MTU_BYTES..=MTU_BYTES).contains(&path.mtu_bytes) {
        return invalid(format!(
            "{name}.mtu_bytes must be {LEAST_MTU_BYTES}, which every IPv4 host takes, to \
             {MTU_BYTES}; 0 is {MTU_BYTES}"
        ));
    }
    queue(name, path)?;
    for (what, one) in [
        ("corrupt_share", path.corrupt_share),
        ("reorder_share", path.reorder_share),
        ("duplicate_share", path.duplicate_share),
    ] {
        share(&format!("{name}.{what}"), one)?;
    }
    if let Some(errors) = &path.bit_errors {
        bit_errors(&format!("{name}.bit_errors"), errors)?;
    }
    match &path.loss {
        None => Ok(()),
        Some(Loss::Uniform(loss)) => share(&format!("{name}.uniform.loss_share"), loss.loss_share),
        Some(Loss::GilbertElliott(loss)) => {
            let name = format!("{name}.gilbert_elliott");
            share(&format!("{name}.good_to_bad_share"), loss.good_to_bad_share)?;
            share(&format!("{name}.bad_to_good_share"), loss.bad_to_good_share)?;
            share(&format!("{name}.loss_share_bad"), loss.loss_share_bad)?;
            share(&format!("{name}.loss_share_good"), loss.loss_share_good)
        }
        Some(Loss::Listed(list)) => listed(&format!("{name}.listed.packets"), &list.packets),
    }
}

fn bit_errors(name: &str, errors: &BitErrors) -> Outcome<()> {
    let tick_us = match errors.tick_us {
        0 => DEFAULT_TICK_US,
        named => named,
    };
    if !(SHORTEST_TICK_US..=LONGEST_TICK_US).contains(&tick_us) {
        return invalid(format!(
            "{name}.tick_us must be {SHORTEST_TICK_US} to {LONGEST_TICK_US}; 0 is {DEFAULT_TICK_US}"
        ));
    }
    if (errors.good_us == 0) != (errors.bad_us == 0) {
        return invalid(format!(
            "{name}.good_us and bad_us go together: give both, or leave both out for a link that \
             is never bad"
        ));
    }
    for (what, mean_us) in [("good_us", errors.good_us), ("bad_us", errors.bad_us)] {
        if mean_us > LONGEST_DELAY_US || (mean_us > 0 && mean_us < tick_us) {
            return invalid(format!(
                "{name}.{what} must be at least a tick, {tick_us} µs, and at most an hour"
            ));
        }
    }
    for (what, share) in [
        ("error_share_good", errors.error_share_good),
        ("error_share_bad", errors.error_share_bad),
    ] {
        if share != 0.0 && !(LEAST_ERROR_SHARE..=MOST_ERROR_SHARE).contains(&share) {
            return invalid(format!(
                "{name}.{what} must be a share of bits from {LEAST_ERROR_SHARE:e} to \
                 {MOST_ERROR_SHARE}; 0 flips none"
            ));
        }
    }
    if errors.error_share_bad > 0.0 && errors.bad_us == 0 {
        return invalid(format!(
            "{name}.error_share_bad is set, but the link is never bad: give good_us and bad_us"
        ));
    }
    Ok(())
}

fn listed(name: &str, packets: &[u32]) -> Outcome<()> {
    if !(1..=MOST_LISTED_LOSSES).contains(&packets.len()) {
        return invalid(format!(
            "{name} has {} numbers: give 1 to {MOST_LISTED_LOSSES}, or leave `listed` out",
            packets.len()
        ));
    }
    if packets[0] == 0 || packets.windows(2).any(|two| two[0] >= two[1]) {
        return invalid(format!(
            "{name} must ascend from 1 on, the number of the first packet: sort it, and name \
             each packet once"
        ));
    }
    Ok(())
}

/// The queue before the rate: what it is, how long, and whether it marks.
fn queue(name: &str, path: &Path) -> Outcome<()> {
    let Ok(discipline) = QueueDiscipline::try_from(path.queue_discipline) else {
        return invalid(format!(
            "{name}.queue_discipline must be fifo (1), codel (2), fq_codel (3) or red (4)"
        ));
    };
    at_most(
        &format!("{name}.queue_bytes"),
        path.queue_bytes,
        MOST_QUEUED_BYTES,
        "as many packets as queue_packets says",
    )?;
    if path.queue_bytes > 0 && path.queue_packets > 0 {
        return invalid(format!(
            "{name}.queue_bytes and queue_packets are both set: give one of them"
        ));
    }
    let set = match discipline {
        QueueDiscipline::Unspecified if path.queue_bytes > 0 => "queue_bytes",
        QueueDiscipline::Unspecified => {
            return no_ecn(
                name,
                path,
                "give a queue_discipline that can mark: codel, fq_codel or red",
            );
        }
        _ => "queue_discipline",
    };
    if path.rate_bit_per_s == 0 {
        return invalid(format!(
            "{name}.{set} is set, but no packet waits without a rate: give rate_bit_per_s, or \
             leave it out"
        ));
    }
    match discipline {
        QueueDiscipline::Unspecified | QueueDiscipline::Fifo => no_ecn(
            name,
            path,
            "FIFO drops only what it has no room for: give codel, fq_codel or red as \
             queue_discipline, or leave ecn out",
        ),
        QueueDiscipline::Codel | QueueDiscipline::FqCodel if path.queue_bytes > 0 => {
            invalid(format!(
                "{name}.queue_bytes is set, but CoDel counts packets: give queue_packets instead"
            ))
        }
        QueueDiscipline::Codel | QueueDiscipline::FqCodel => Ok(()),
        QueueDiscipline::Red => red_queue(name, path),
    }
}

fn red_queue(name: &str, path: &Path) -> Outcome<()> {
    let (field, bytes) = match (path.queue_bytes, path.queue_packets) {
        (0, 0) => return Ok(()),
        (0, packets) => (
            "queue_packets",
            u64::from(packets) * u64::from(FULL_PACKET_BYTES),
        ),
        (bytes, _) => ("queue_bytes", u64::from(bytes)),
    };
    if (u64::from(red::LEAST_BYTES)..=u64::from(red::MOST_BYTES)).contains(&bytes) {
        return Ok(());
    }
    invalid(format!(
        "{name}.{field} must be {} to {} bytes with RED, a packet being {FULL_PACKET_BYTES}",
        red::LEAST_BYTES,
        red::MOST_BYTES
    ))
}

fn no_ecn(name: &str, path: &Path, remedy: &str) -> Outcome<()> {
    if path.ecn {
        return invalid(format!("{name}.ecn is set, but nothing marks: {remedy}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complains_about(field: &str, path: &Path) {
        let complaint = direction("lane.backward", Some(path)).unwrap_err();
        complaint.expect_invalid(&format!("lane.backward.{field}"));
    }

    #[test]
    fn bit_errors_that_cannot_be_are_named() {
        let errors = BitErrors {
            good_us: 2_000_000,
            bad_us: 30_000,
            error_share_bad: 0.01,
            ..BitErrors::default()
        };
        let with = |errors| Path {
            bit_errors: Some(errors),
            ..Path::default()
        };
        assert!(direction("backward", Some(&with(errors))).is_ok());
        for (field, errors) in [
            (
                "tick_us",
                BitErrors {
                    tick_us: 99,
                    ..errors
                },
            ),
            (
                "good_us and bad_us",
                BitErrors {
                    good_us: 0,
                    ..errors
                },
            ),
            (
                "bad_us",
                BitErrors {
                    bad_us: 9_999,
                    ..errors
                },
            ),
            (
                "good_us",
                BitErrors {
                    good_us: u64::MAX,
                    ..errors
                },
            ),
            (
                "error_share_good",
                BitErrors {
                    error_share_good: 1e-11,
                    ..errors
                },
            ),
            (
                "error_share_bad",
                BitErrors {
                    error_share_bad: f64::NAN,
                    ..errors
                },
            ),
            (
                "error_share_bad is set",
                BitErrors {
                    good_us: 0,
                    bad_us: 0,
                    ..errors
                },
            ),
        ] {
            complains_about(&format!("bit_errors.{field}"), &with(errors));
        }
    }

    #[test]
    fn a_queue_that_cannot_be_is_named() {
        let codel = Path {
            rate_bit_per_s: 1,
            queue_discipline: QueueDiscipline::Codel as i32,
            ecn: true,
            ..Path::default()
        };
        assert!(direction("backward", Some(&codel)).is_ok());
        for (field, path) in [
            (
                "queue_discipline must be",
                Path {
                    queue_discipline: 5,
                    ..codel.clone()
                },
            ),
            (
                "queue_discipline is set, but no packet waits",
                Path {
                    rate_bit_per_s: 0,
                    ..codel.clone()
                },
            ),
            (
                "queue_bytes is set, but CoDel",
                Path {
                    queue_bytes: 1,
                    ..codel.clone()
                },
            ),
            (
                "queue_bytes and queue_packets",
                Path {
                    queue_bytes: 1,
                    queue_packets: 1,
                    ..codel.clone()
                },
            ),
            (
                "queue_bytes must be at most",
                Path {
                    queue_bytes: u32::MAX,
                    ..codel.clone()
                },
            ),
            (
                "queue_bytes is set, but no packet waits",
                Path {
                    queue_bytes: 1,
                    ..Path::default()
                },
            ),
            (
                "ecn",
                Path {
                    ecn: true,
                    ..Path::default()
                },
            ),
            (
                "ecn",
                Path {
                    queue_discipline: QueueDiscipline::Fifo as i32,
                    ..codel.clone()
                },
            ),
            (
                "queue_packets must be 10000 to 8000000 bytes with RED",
                Path {
                    queue_discipline: QueueDiscipline::Red as i32,
                    queue_packets: 6,
                    ..codel.clone()
                },
            ),
        ] {
            complains_about(field, &path);
        }
    }
}
