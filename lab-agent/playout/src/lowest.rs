//! What the path takes at least: the delay from which a receiver counts.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

/// How long the least delay is remembered: as in `NetEQ`. Between two stalls of
/// a lossy path there is nearly always a message that came as early as any.
const WINDOW_NS: i64 = 2_000_000_000;

/// A path that has become slower is believed sooner: when the messages of so
/// long ...
const MOVED_NS: i64 = 500_000_000;
/// ... all took the same time but for this. What waits for a retransmission
/// comes in a burst, each message less late than the one before.
const MOVED_SPREAD_NS: i64 = 20_000_000;

/// The least delay from capture to arrival.
pub(crate) enum Lowest {
    /// Of the whole stream, by who knows all arrivals.
    Known(i64),
    /// Of the messages that came lately, by who hears them as they come.
    Learnt(Passages),
}

impl Lowest {
    /// Takes note of a message; whether the path has become another one.
    pub fn observe(&mut self, captured_ns: i64, at_ns: i64) -> bool {
        match self {
            Self::Known(_) => false,
            Self::Learnt(passages) => passages.observe(captured_ns, at_ns - captured_ns),
        }
    }

    /// `None` before the first message.
    pub fn ns(&self) -> Option<i64> {
        match self {
            Self::Known(lowest_ns) => Some(*lowest_ns),
            Self::Learnt(passages) => passages.lowest_ns,
        }
    }

    pub fn is_learnt(&self) -> bool {
        matches!(self, Self::Learnt(_))
    }
}

struct Passage {
    captured_ns: i64,
    took_ns: i64,
}

/// Messages of the last two seconds of the stream. Counted by capture, not by
/// arrival: neither a pause nor a stall makes the receiver forget.
#[derive(Default)]
pub(crate) struct Passages {
    recent: VecDeque<Passage>,
    lowest_ns: Option<i64>,
}

impl Passages {
    fn observe(&mut self, captured_ns: i64, took_ns: i64) -> bool {
        self.recent.push_back(Passage {
            captured_ns,
            took_ns,
        });
        self.forget_before(captured_ns - WINDOW_NS);
        let moved = self.has_moved(captured_ns);
        if moved {
            self.forget_before(captured_ns - MOVED_NS);
        }
        self.lowest_ns = self.recent.iter().map(|passage| passage.took_ns).min();
        moved
    }

    fn forget_before(&mut self, captured_ns: i64) {
        while self
            .recent
            .front()
            .is_some_and(|passage| passage.captured_ns < captured_ns)
        {
            self.recent.pop_front();
        }
    }

    /// Whether the latest messages agree with each other and with none before.
    fn has_moved(&self, captured_ns: i64) -> bool {
        let from_ns = captured_ns - MOVED_NS;
        let is_latest = |passage: &&Passage| passage.captured_ns >= from_ns;
        let latest = || self.recent.iter().filter(is_latest);
        let took_ns = || latest().map(|passage| passage.took_ns);
        let (Some(least_ns), Some(most_ns)) = (took_ns().min(), took_ns().max()) else {
            return false;
        };
        let mut before = self.recent.iter().filter(|passage| !is_latest(passage));
        // After a pause the few there are say nothing.
        let enough = latest().count() as i64 >= MOVED_NS / LONGEST_MESSAGE_NS;
        enough
            && most_ns - least_ns <= MOVED_SPREAD_NS
            && before.any(|passage| passage.took_ns + MOVED_SPREAD_NS < least_ns)
    }
}

const LONGEST_MESSAGE_NS: i64 = crate::LONGEST_MESSAGE_MS as i64 * 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    /// The lowest after messages 34 ms apart that took `took_ms`, and how often
    /// the path has moved.
    fn after(took_ms: impl IntoIterator<Item = i64>) -> (i64, usize) {
        let mut lowest = Lowest::Learnt(Passages::default());
        let mut moves = 0;
        for (n, took) in took_ms.into_iter().enumerate() {
            let captured_ns = n as i64 * 34 * MS;
            moves += usize::from(lowest.observe(captured_ns, captured_ns + took * MS));
        }
        (lowest.ns().unwrap() / MS, moves)
    }

    #[test]
    fn a_faster_path_counts_at_once() {
        assert_eq!(after([65; 100].into_iter().chain([20])), (20, 0));
    }

    #[test]
    fn a_slower_path_is_believed_after_half_a_second() {
        let before = || [65; 100].into_iter();
        assert_eq!(after(before().chain([165; 13])), (65, 0));
        assert_eq!(after(before().chain([165; 16])), (165, 1));
        assert_eq!(after(before().chain([165; 200])), (165, 1));
    }

    #[test]
    fn what_varies_is_forgotten_after_two_seconds() {
        let varying = |n: i64| (0..n).map(|n| 165 + n % 3 * 30);
        assert_eq!(after([65; 100].into_iter().chain(varying(55))), (65, 0));
        assert_eq!(after([65; 100].into_iter().chain(varying(65))), (165, 0));
    }

    #[test]
    fn a_stall_is_not_another_path() {
        // All that was sent in three seconds comes at their end.
        let stall = (0..88).map(|n| 65 + (3000 - 34 * n).max(0));
        assert_eq!(
            after([65; 100].into_iter().chain(stall).chain([65])),
            (65, 0)
        );
    }

    #[test]
    fn memory_is_bounded() {
        let mut passages = Passages::default();
        for n in 0..100_000 {
            passages.observe(n * 34 * MS, 65 * MS);
        }
        assert!(passages.recent.len() <= 60);
    }
}
