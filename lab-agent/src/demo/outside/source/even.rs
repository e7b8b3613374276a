//! Messages of one size at even times, both of which may be changed.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::DemoSynthetic;

use super::Due;
use crate::stream::random::SplitMix;

/// A synthetic stream.
pub struct Even {
    stream: DemoSynthetic,
    random: SplitMix,
    last_ns: Option<u64>,
    next_ns: u64,
}

impl Even {
    /// The first message is due at once.
    pub fn new(stream: DemoSynthetic, seed: u64) -> Self {
        Self {
            stream,
            random: SplitMix(seed),
            last_ns: None,
            next_ns: 0,
        }
    }

    /// What is due by then, in the stream's time.
    pub fn until(&mut self, until_ns: u64) -> Vec<Due> {
        let mut due = Vec::new();
        while self.next_ns <= until_ns {
            due.push(Due {
                at_ns: self.next_ns,
                bytes: self.random.bytes(self.stream.payload_bytes as usize),
            });
            self.last_ns = Some(self.next_ns);
            self.next_ns += self.stream.iat_us * 1000;
        }
        due
    }

    /// When the next message is due.
    pub fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// Goes on with another size and pace, from the last message on.
    pub fn set(&mut self, stream: DemoSynthetic, now_ns: u64) {
        self.stream = stream;
        if let Some(last_ns) = self.last_ns {
            self.next_ns = now_ns.max(last_ns + stream.iat_us * 1000);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn stream(payload_bytes: u32, iat_ms: u64) -> DemoSynthetic {
        DemoSynthetic {
            payload_bytes,
            iat_us: iat_ms * 1000,
        }
    }

    fn times(due: &[Due]) -> Vec<u64> {
        due.iter().map(|due| due.at_ns / MS).collect()
    }

    #[test]
    fn a_new_pace_counts_from_the_last_message() {
        let mut even = Even::new(stream(120, 100), 1);
        let first = even.until(250 * MS);
        assert_eq!(times(&first), [0, 100, 200]);
        even.set(stream(7, 20), 205 * MS);
        let second = even.until(260 * MS);
        assert_eq!(times(&second), [220, 240, 260]);
        assert!(first.iter().all(|due| due.bytes.len() == 120));
        assert!(second.iter().all(|due| due.bytes.len() == 7));
    }

    #[test]
    fn who_waited_long_is_not_made_up_for() {
        let mut even = Even::new(stream(120, 10_000), 1);
        assert_eq!(times(&even.until(0)), [0]);
        even.set(stream(120, 10), 5_000 * MS);
        assert_eq!(times(&even.until(5_015 * MS)), [5_000, 5_010]);
    }
}
