//! What losses cost: how often data is sent again, and how long a gap at the
//! receiver lasts before the sender sends something.
// SPDX-License-Identifier: Apache-2.0
use std::fmt;

/// Of one or many connections; offsets are in the sender's stream.
#[derive(Clone, Copy, Default)]
pub struct Repair {
    /// Segments with data of which no copy arrived.
    lost: u64,
    /// Segments that had nothing but data sent before.
    again: u64,
    /// The longest time without a segment while something was missing.
    longest_wait_ns: i64,
    waits: u64,
    sum_of_waits_ns: i64,
}

/// Follows one connection.
#[derive(Default)]
pub struct Watch {
    sent_to: i64,
    acknowledged_to: i64,
    /// When the sender last sent data that the receiver has not acknowledged.
    since_ns: Option<i64>,
}

/// Less than any timeout, and more than the time between two messages.
const WAIT_NS: i64 = 200_000_000;

impl Watch {
    /// The sender sent the bytes `from..to`, and `copies` of them arrive.
    pub fn sent(&mut self, from: i64, to: i64, copies: u32, now_ns: i64, repair: &mut Repair) {
        if copies == 0 {
            repair.lost += 1;
        }
        if to <= self.sent_to {
            repair.again += 1;
        }
        if let Some(since_ns) = self.since_ns
            && from <= self.acknowledged_to
        {
            repair.waited(now_ns - since_ns);
        }
        self.sent_to = self.sent_to.max(to);
        self.since_ns = (self.acknowledged_to < self.sent_to).then_some(now_ns);
    }

    /// The receiver acknowledges all up to here.
    pub fn acknowledged(&mut self, to: i64) {
        self.acknowledged_to = self.acknowledged_to.max(to);
        if self.acknowledged_to >= self.sent_to {
            self.since_ns = None;
        }
    }
}

impl Repair {
    fn waited(&mut self, wait_ns: i64) {
        if wait_ns < WAIT_NS {
            return;
        }
        self.waits += 1;
        self.sum_of_waits_ns += wait_ns;
        self.longest_wait_ns = self.longest_wait_ns.max(wait_ns);
    }

    /// Segments sent again for each that was lost.
    pub fn again_per_loss(&self) -> f64 {
        self.again as f64 / self.lost.max(1) as f64
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} with data lost, {} sent again ({:.3} a loss); {} waits, {} ms on average, {} ms at \
             most",
            self.lost,
            self.again,
            self.again_per_loss(),
            self.waits,
            self.sum_of_waits_ns / 1_000_000 / self.waits.max(1) as i64,
            self.longest_wait_ns / 1_000_000
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_data_that_was_sent_before_counts_as_sent_again() {
        let (mut watch, mut repair) = (Watch::default(), Repair::default());
        watch.sent(0, 100, 0, 0, &mut repair);
        // A bundle: it has something new.
        watch.sent(0, 200, 1, 40_000_000, &mut repair);
        assert_eq!((repair.lost, repair.again), (1, 0));
        watch.sent(0, 100, 1, 400_000_000, &mut repair);
        assert_eq!((repair.again, repair.longest_wait_ns), (1, 360_000_000));
        watch.acknowledged(200);
        watch.sent(200, 300, 1, 9_000_000_000, &mut repair);
        assert_eq!((repair.waits, repair.longest_wait_ns), (1, 360_000_000));
    }
}
