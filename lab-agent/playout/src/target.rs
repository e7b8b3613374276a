//! How far behind the path's minimum a receiver plays: enough for nearly all
//! messages that lately came late, no more. `NetEQ`'s idea: a histogram of
//! lateness that forgets.
// SPDX-License-Identifier: Apache-2.0

use crate::{LONGEST_MESSAGE_MS, SAMPLES_PER_MS};

const BUCKET_NS: u64 = 10_000_000;
const BUCKET_MS: usize = 10;

/// Lateness that the target covers at least, and at most (docs/playout.md).
const MARGIN_MIN_MS: usize = 20;
const MARGIN_MAX_MS: usize = 200;

/// One bucket a step up to the largest margin, one for all that is later.
const BUCKETS: usize = MARGIN_MAX_MS / BUCKET_MS + 1;

/// The share of messages that shall be in time, and what is kept of the past
/// at each message (about two seconds): both as in `NetEQ`.
const IN_TIME_SHARE: f64 = 0.95;
/// The share of messages that are no later than usual.
const USUAL_SHARE: f64 = 0.5;
const KEPT: f64 = 0.983;

/// The delay to start with: that of a path without jitter.
pub(crate) const INITIAL_SAMPLES: usize =
    (LONGEST_MESSAGE_MS as usize + MARGIN_MIN_MS) * SAMPLES_PER_MS;

/// Follows the lateness of the messages as they arrive.
pub(crate) struct Target {
    shares: [f64; BUCKETS],
}

impl Target {
    pub fn new() -> Self {
        let mut shares = [0.0; BUCKETS];
        shares[0] = 1.0;
        Self { shares }
    }

    /// Takes note of a message that came `late_ns` after the earliest it could.
    pub fn observe(&mut self, late_ns: u64) {
        for share in &mut self.shares {
            *share *= KEPT;
        }
        let bucket = usize::try_from(late_ns / BUCKET_NS)
            .unwrap_or(BUCKETS)
            .min(BUCKETS - 1);
        self.shares[bucket] += 1.0 - KEPT;
    }

    /// The delay to play at: from a sample's capture, beyond the path's
    /// minimum. A message can be played only when its last sample is there, so
    /// the longest message comes on top of the lateness.
    pub fn samples(&self) -> usize {
        self.covering(IN_TIME_SHARE)
    }

    /// The delay at which a message of the usual lateness is in time: with a
    /// queue that stays, every message is late, and none is overdue.
    pub fn usual_samples(&self) -> usize {
        self.covering(USUAL_SHARE)
    }

    fn covering(&self, in_time_share: f64) -> usize {
        let mut covered = 0.0;
        let mut buckets = 0;
        for share in self.shares {
            covered += share;
            buckets += 1;
            if covered >= in_time_share {
                break;
            }
        }
        let margin_ms = (buckets * BUCKET_MS).clamp(MARGIN_MIN_MS, MARGIN_MAX_MS);
        (LONGEST_MESSAGE_MS as usize + margin_ms) * SAMPLES_PER_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(late_ms: impl IntoIterator<Item = u64>) -> usize {
        let mut target = Target::new();
        for late in late_ms {
            target.observe(late * 1_000_000);
        }
        target.samples() / SAMPLES_PER_MS
    }

    #[test]
    fn without_jitter_it_is_the_least() {
        assert_eq!(after([]), 60);
        assert_eq!(after([0; 1000]), 60);
        assert_eq!(after([19; 1000]), 60);
        assert_eq!(INITIAL_SAMPLES / SAMPLES_PER_MS, 60);
    }

    #[test]
    fn it_covers_nineteen_in_twenty() {
        // One in ten is 85 ms late: more than one in twenty, so it must be covered.
        assert_eq!(
            after((0..1000).map(|n| if n % 10 == 0 { 85 } else { 3 })),
            40 + 90
        );
        // One in fifty may come late.
        assert_eq!(
            after((0..1000).map(|n| if n % 50 == 0 { 85 } else { 3 })),
            60
        );
    }

    #[test]
    fn it_is_bounded() {
        assert_eq!(after([60_000; 100]), 240);
    }

    #[test]
    fn it_forgets() {
        let stall = (0..30).map(|n| 1000 - 34 * n.min(29));
        assert_eq!(after(stall.clone()), 240);
        assert_eq!(after(stall.chain([0; 200])), 60);
    }
}
