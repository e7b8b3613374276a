//! How well the emulator kept its own time: the delay that each packet was to
//! get against the delay that it got.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{DelayError, EmulatorTiming, Path};

/// Half of what a round trip may be off, in the middle and for one of a hundred:
/// people feel differences of ten times that at the least.
const P50_LIMIT_US: f64 = 500.0;
const P99_LIMIT_US: f64 = 2_500.0;
/// Stamps are taken before a packet is queued and after it was handed over: it
/// cannot come early by more than the clock's step.
const EARLY_LIMIT_US: f64 = 50.0;

/// Judges both directions by the one-way delays that were measured.
pub fn judge(forward: (&Path, &[i64]), backward: (&Path, &[i64])) -> EmulatorTiming {
    let ways = [("forward", forward), ("backward", backward)];
    let errors = ways.map(|(_, (path, delays_ns))| error(path, delays_ns));
    let mut reasons = Vec::new();
    for ((name, (path, _)), error) in ways.iter().zip(&errors) {
        reasons.extend(complaint(name, path, error));
    }
    let [forward, backward] = errors;
    EmulatorTiming {
        forward: Some(forward),
        backward: Some(backward),
        trustworthy: reasons.is_empty(),
        reason: reasons.join("; "),
    }
}

fn error(path: &Path, delays_ns: &[i64]) -> DelayError {
    let wanted_ns = path.delay_us as i64 * 1000;
    let mut errors_us: Vec<f64> = delays_ns
        .iter()
        .map(|delay_ns| (delay_ns - wanted_ns) as f64 / 1000.0)
        .collect();
    errors_us.sort_by(f64::total_cmp);
    // The smallest error that such a share of all does not exceed.
    let rank = |share: f64| {
        let rank = (share * errors_us.len() as f64).ceil().max(1.0) as usize;
        errors_us.get(rank - 1).copied().unwrap_or(0.0)
    };
    DelayError {
        packets: errors_us.len() as u64,
        p50_us: rank(0.5),
        p99_us: rank(0.99),
        max_us: rank(1.0),
        min_us: errors_us.first().copied().unwrap_or(0.0),
    }
}

fn complaint(name: &str, path: &Path, error: &DelayError) -> Option<String> {
    let early_us = EARLY_LIMIT_US + path.jitter_us as f64;
    // What overtakes others has no delay at all.
    if error.min_us < -early_us && path.reorder_share == 0.0 {
        return Some(format!(
            "{name}: a packet came {:.0} µs before its time",
            -error.min_us
        ));
    }
    // Jitter and queues are meant to delay.
    if path.jitter_us > 0 || path.rate_bit_per_s > 0 {
        return None;
    }
    let late = error.p50_us > P50_LIMIT_US || error.p99_us > P99_LIMIT_US;
    late.then(|| {
        format!(
            "{name}: the emulator was late by {:.1} ms (median) and {:.1} ms (99 %): the machine \
             was too busy",
            error.p50_us / 1000.0,
            error.p99_us / 1000.0
        )
    })
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact by definition")]
mod tests {
    use super::*;

    const PATH: Path = Path {
        delay_us: 65_000,
        jitter_us: 0,
        loss: None,
        rate_bit_per_s: 0,
        queue_packets: 0,
        corrupt_share: 0.0,
        reorder_share: 0.0,
        duplicate_share: 0.0,
        queue_bytes: 0,
        queue_discipline: 0,
        ecn: false,
        bit_errors: None,
        mtu_bytes: 0,
    };

    /// A hundred packets, 100 µs late but for the last `late`, 20 ms late.
    fn delays(late: usize) -> Vec<i64> {
        let each = |index| {
            if index < 100 - late {
                65_100_000
            } else {
                85_000_000
            }
        };
        (0..100).map(each).collect()
    }

    #[test]
    fn one_of_a_hundred_may_be_late_and_not_two() {
        let good = judge((&PATH, &delays(1)), (&PATH, &delays(0)));
        let forward = good.forward.unwrap();
        assert_eq!(
            (forward.p50_us, forward.p99_us, forward.max_us),
            (100.0, 100.0, 20_000.0)
        );
        assert!(good.trustworthy, "{}", good.reason);
        let bad = judge((&PATH, &delays(0)), (&PATH, &delays(2)));
        assert!(!bad.trustworthy);
        assert!(bad.reason.starts_with("backward: "), "{}", bad.reason);
        assert!(bad.reason.contains("20.0 ms (99 %)"), "{}", bad.reason);
    }

    #[test]
    fn where_delay_varies_on_purpose_only_coming_early_is_wrong() {
        let jittery = Path {
            jitter_us: 10_000,
            ..PATH
        };
        let late = judge((&jittery, &delays(100)), (&PATH, &[]));
        assert!(late.trustworthy, "{}", late.reason);
        let early = judge((&jittery, &[54_000_000]), (&PATH, &[]));
        assert!(
            early.reason.contains("11000 µs before its time"),
            "{}",
            early.reason
        );
        let reordering = Path {
            reorder_share: 0.1,
            ..PATH
        };
        let overtaken = judge((&reordering, &[65_000_000, 65_000_000, 0]), (&PATH, &[]));
        assert!(overtaken.trustworthy, "{}", overtaken.reason);
    }
}
