//! What a person notices of messages: how late they are, and how long nothing
//! comes.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use lab_proto::FeltMetrics;

use crate::distribution::Distribution;
use crate::metrics::message_sample;

/// Messages written to the socket and then available to the other application,
/// while they come, in order of availability, both on one clock.
#[derive(Clone, Debug, Default)]
pub struct Felt {
    sojourns: Distribution,
    longest_stall_ns: u64,
    last_available_ns: Option<u64>,
    /// Nobody waits before what is answered was written.
    is_of_answers: bool,
    /// (written, available) in order of writing, for [`Felt::since`].
    recent: VecDeque<(u64, u64)>,
}

impl Felt {
    /// As of [`felt_answers`]: keys and their echoes, in order.
    pub fn of_answers() -> Self {
        Self {
            is_of_answers: true,
            ..Self::default()
        }
    }

    /// The next message.
    pub fn push(&mut self, written_ns: u64, available_ns: u64) {
        self.sojourns
            .add(message_sample(available_ns as i64 - written_ns as i64));
        self.stall(written_ns, available_ns);
        let at = self
            .recent
            .partition_point(|(written, _)| *written <= written_ns);
        self.recent.insert(at, (written_ns, available_ns));
    }

    fn stall(&mut self, written_ns: u64, available_ns: u64) {
        let since_ns = if self.is_of_answers {
            self.last_available_ns.max(Some(written_ns))
        } else {
            self.last_available_ns
        };
        if let Some(since_ns) = since_ns {
            let stall_ns = available_ns.saturating_sub(since_ns);
            self.longest_stall_ns = self.longest_stall_ns.max(stall_ns);
        }
        self.last_available_ns = Some(available_ns);
    }

    /// Of all messages so far.
    pub fn whole(&self) -> FeltMetrics {
        let messages = self.sojourns.total();
        let minimum_ns = self.sojourns.minimum_ns().unwrap_or(0);
        let later_than = |ms: i64| {
            let late = self.sojourns.above(minimum_ns + ms * 1_000_000);
            late as f64 / messages.max(1) as f64
        };
        FeltMetrics {
            share_later_than_50_ms: later_than(50),
            share_later_than_100_ms: later_than(100),
            share_later_than_150_ms: later_than(150),
            share_later_than_400_ms: later_than(400),
            longest_stall_ms: self.longest_stall_ns as f64 / 1e6,
            messages,
            sojourn: Some(self.sojourns.told()),
        }
    }

    /// Of the messages written since `at_ns`, later than the fastest of those.
    pub fn since(&self, at_ns: u64) -> FeltMetrics {
        let from = self.recent.partition_point(|(written, _)| *written < at_ns);
        let recent: Vec<(u64, u64)> = self.recent.iter().skip(from).copied().collect();
        if self.is_of_answers {
            felt_answers(&recent)
        } else {
            felt(&recent)
        }
    }

    /// Forgets single messages written before `at_ns`; [`Felt::whole`] stays.
    pub fn forget(&mut self, at_ns: u64) {
        while self
            .recent
            .front()
            .is_some_and(|(written, _)| *written < at_ns)
        {
            self.recent.pop_front();
        }
    }
}

/// What a person notices of messages written to the socket and then available
/// to the other application, in any order, both on one clock.
///
/// A stall is the time from one message's availability to the next one's, whichever
/// that is: streams and datagrams overtake each other. The wait for the first message
/// is none. All zero when there are no messages.
pub fn felt(messages: &[(u64, u64)]) -> FeltMetrics {
    whole(Felt::default(), messages)
}

/// The same of keys, written to the socket and then answered by their echoes, both in
/// order. Keys without an echo are left out.
///
/// Who types pauses, and waits for nothing then: a stall is a time in which no echo comes
/// although a key has none. It begins with the last echo before, or with the key where
/// that came after it, and ends with the next echo.
pub fn felt_answers(keys: &[(u64, u64)]) -> FeltMetrics {
    whole(Felt::of_answers(), keys)
}

fn whole(mut felt: Felt, messages: &[(u64, u64)]) -> FeltMetrics {
    let sojourn =
        |(written, available): &(u64, u64)| message_sample(*available as i64 - *written as i64);
    felt.sojourns = Distribution::of(messages.iter().map(sojourn).collect());
    let mut messages = messages.to_vec();
    messages.sort_unstable_by_key(|(written, available)| (*available, *written));
    for (written_ns, available_ns) in messages {
        felt.stall(written_ns, available_ns);
    }
    felt.whole()
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact by definition")]
mod tests {
    use super::{Felt, felt, felt_answers};

    const MS: u64 = 1_000_000;

    #[test]
    fn lateness_counts_from_the_fastest_message() {
        // Written every 20 ms; sojourns 50, 150, 150.000001, 460, 440.
        let told = felt(&[
            (0, 50 * MS),
            (20 * MS, 170 * MS),
            (40 * MS, 190 * MS + 1),
            (60 * MS, 520 * MS),
            (80 * MS, 520 * MS),
        ]);
        assert_eq!(told.messages, 5);
        assert_eq!(
            told.share_later_than_100_ms, 0.6,
            "exactly 100 ms is not later than 100 ms"
        );
        assert_eq!(told.share_later_than_50_ms, 0.8);
        assert_eq!(told.share_later_than_150_ms, 0.4);
        assert_eq!(told.share_later_than_400_ms, 0.2);
        assert!(
            (told.longest_stall_ms - 330.0).abs() < 1e-3,
            "{}",
            told.longest_stall_ms
        );
        assert_eq!(told.sojourn.expect("five samples").max_us, 460_000.0);
    }

    /// Another stream's message comes again a second later; meanwhile one comes every 20 ms.
    #[test]
    fn a_stall_is_a_time_without_any_message() {
        let mut available_ms = vec![50, 1070];
        available_ms.extend((90..1100).step_by(20));
        let messages: Vec<(u64, u64)> = (0..)
            .zip(available_ms)
            .map(|(number, at_ms)| (number * 20 * MS, at_ms * MS))
            .collect();
        let told = felt(&messages);
        assert_eq!(told.longest_stall_ms, 40.0, "from 50 to 90");
        assert_eq!(told.messages, messages.len() as u64);
    }

    /// Told in order of availability, the window is that of writing.
    #[test]
    fn what_overtakes_is_felt_while_it_happens() {
        let messages = [(20, 90), (40, 110), (0, 120), (60, 130)];
        let messages = messages.map(|(written, available)| (written * MS, available * MS));
        let mut live = Felt::default();
        for (written_ns, available_ns) in messages {
            live.push(written_ns, available_ns);
        }
        assert_eq!(live.whole(), felt(&messages));
        assert_eq!(live.since(0), felt(&messages));
        let recent = [messages[1], messages[3]];
        assert_eq!(live.since(40 * MS), felt(&recent));
        live.forget(40 * MS);
        assert_eq!(live.since(0), felt(&recent));
        assert_eq!(live.whole(), felt(&messages));
    }

    /// Keys and echoes in milliseconds, live and from the end.
    fn longest_wait_ms(keys: &[(u64, u64)]) -> f64 {
        let keys: Vec<(u64, u64)> = keys
            .iter()
            .map(|(key, echo)| (key * MS, echo * MS))
            .collect();
        let told = felt_answers(&keys);
        let mut live = Felt::of_answers();
        for (written_ns, shown_ns) in &keys {
            live.push(*written_ns, *shown_ns);
        }
        assert_eq!(live.whole(), told);
        assert_eq!(live.since(0), told);
        told.longest_stall_ms
    }

    #[test]
    fn a_typists_pause_is_no_stall() {
        let keys = [(0, 130), (200, 330), (5_200, 5_330)];
        assert_eq!(longest_wait_ms(&keys), 130.0);
    }

    /// A key every 150 ms, the third's packet again after two seconds: it and those behind
    /// it are answered together.
    #[test]
    fn a_stall_while_somebody_types_counts_from_the_last_echo() {
        let on_time = |number: u64| number * 150 + 130;
        let keys: Vec<(u64, u64)> = (0..40)
            .map(|number| {
                let held_up = if number >= 2 { 300 + 2_000 + 130 } else { 0 };
                (number * 150, on_time(number).max(held_up))
            })
            .collect();
        assert_eq!(
            longest_wait_ms(&keys),
            2_430.0 - 300.0,
            "the key came after the last echo"
        );
        // A key that was under way when the last echo came waits from there on.
        assert_eq!(longest_wait_ms(&[(0, 130), (50, 2_180)]), 2_050.0);
    }

    #[test]
    fn no_messages_are_no_trouble() {
        let told = felt(&[]);
        assert_eq!((told.messages, told.share_later_than_100_ms), (0, 0.0));
    }
}
