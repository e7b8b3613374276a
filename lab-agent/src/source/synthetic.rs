//! Messages of one size at (nearly) even times, or at those of a Poisson process.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{IatDistribution, SyntheticStream};

use super::{MOST_MESSAGES, Message, Stream};
use crate::fault::{Outcome, invalid};
use crate::random::SplitMix;

const LARGEST_MESSAGE_BYTES: u32 = 1 << 20;
/// What fits into one packet of a lane: a thin stream's messages do.
const LARGEST_WATCHED_BYTES: u32 = 1400;
/// Above this rate the packets' copies at every end fill the serial line.
const SHORTEST_WATCHED_IAT_US: u64 = 10_000;
const LONGEST_WATCHED_IAT_US: u64 = 10_000_000;

impl Stream for SyntheticStream {
    fn messages(&self, seed: u64) -> Outcome<Vec<Message>> {
        check(self)?;
        let mut maker = Maker::new(*self, seed);
        let messages = (0..self.messages).map(|_| maker.make());
        Ok(messages.collect())
    }
}

/// Makes the messages one after the other.
struct Maker {
    stream: SyntheticStream,
    random: SplitMix,
    /// When the next message is due, but for its spread.
    next_ns: u64,
}

impl Maker {
    /// The first message is due at once.
    fn new(stream: SyntheticStream, seed: u64) -> Self {
        Self {
            stream,
            random: SplitMix(seed),
            next_ns: 0,
        }
    }

    fn make(&mut self) -> Message {
        // A spread of each message's own, so that spreads do not add up; the
        // first one's keeps the rest non-negative.
        let spread_ns = match self.stream.iat_spread_us * 1000 {
            0 => 0,
            spread_ns => self.random.next() % (2 * spread_ns + 1),
        };
        let message = Message {
            at_ns: self.next_ns + spread_ns,
            bytes: self.random.bytes(self.stream.payload_bytes as usize),
        };
        let iat_ns = self.stream.iat_us * 1000;
        self.next_ns += match self.stream.iat_distribution() {
            IatDistribution::Exponential => self.random.exponential(iat_ns as f64).round() as u64,
            IatDistribution::Even | IatDistribution::Unspecified => iat_ns,
        };
        message
    }
}

/// Messages without end, whose size and pace may be changed.
pub struct Endless {
    maker: Maker,
    last_ns: Option<u64>,
}

impl Endless {
    /// The first message is due at once.
    pub fn new(stream: SyntheticStream, seed: u64) -> Self {
        Self {
            maker: Maker::new(stream, seed),
            last_ns: None,
        }
    }

    /// What is due by then, in the stream's time.
    pub fn until(&mut self, until_ns: u64) -> Vec<Message> {
        let mut due = Vec::new();
        while self.maker.next_ns <= until_ns {
            self.last_ns = Some(self.maker.next_ns);
            due.push(self.maker.make());
        }
        due
    }

    /// When the next message is due.
    pub fn next_ns(&self) -> u64 {
        self.maker.next_ns
    }

    /// Goes on with another size and pace, from the last message on.
    pub fn set(&mut self, stream: SyntheticStream, now_ns: u64) {
        self.maker.stream = stream;
        if let Some(last_ns) = self.last_ns {
            self.maker.next_ns = now_ns.max(last_ns + stream.iat_us * 1000);
        }
    }
}

fn check(stream: &SyntheticStream) -> Outcome<()> {
    field(
        (1..=LARGEST_MESSAGE_BYTES).contains(&stream.payload_bytes),
        "payload_bytes must be 1 to 1048576",
    )?;
    field(
        (1..=MOST_MESSAGES).contains(&(stream.messages as usize)),
        "messages must be 1 to 1000000",
    )?;
    field(
        (1..=86_400_000_000).contains(&stream.iat_us),
        "iat_us must be at least 1 and at most a day",
    )?;
    check_times(stream)
}

/// Checks a stream without end: people watch it, and each of its messages is to
/// fit into one packet.
pub fn check_endless(stream: &SyntheticStream) -> Outcome<()> {
    field(
        (1..=LARGEST_WATCHED_BYTES).contains(&stream.payload_bytes),
        "payload_bytes must be 1 to 1400 in a demo",
    )?;
    field(
        (SHORTEST_WATCHED_IAT_US..=LONGEST_WATCHED_IAT_US).contains(&stream.iat_us),
        "iat_us must be 10000 to 10000000 (10 ms to 10 s) in a demo",
    )?;
    field(
        stream.messages == 0,
        "messages: a demo goes on without end; leave it 0",
    )?;
    check_times(stream)
}

fn check_times(stream: &SyntheticStream) -> Outcome<()> {
    field(
        stream.iat_spread_us.saturating_mul(2) <= stream.iat_us,
        "iat_spread_us must be at most half of iat_us, or messages would overtake each other",
    )?;
    let distribution = IatDistribution::try_from(stream.iat_distribution);
    field(
        distribution.is_ok(),
        "iat_distribution must be even (1) or exponential (2)",
    )?;
    field(
        stream.iat_spread_us == 0 || distribution != Ok(IatDistribution::Exponential),
        "iat_spread_us belongs to even times: leave it 0 beside an exponential distribution",
    )
}

fn field(ok: bool, what: &str) -> Outcome<()> {
    if ok {
        return Ok(());
    }
    invalid(format!("synthetic.{what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: SyntheticStream = SyntheticStream {
        payload_bytes: 13,
        iat_us: 140_000,
        iat_spread_us: 70_000,
        messages: 500,
        iat_distribution: IatDistribution::Even as i32,
    };

    #[test]
    fn messages_are_in_order_and_the_seed_decides_everything() {
        let once = STREAM.messages(3).unwrap();
        let again = STREAM.messages(3).unwrap();
        let other = STREAM.messages(4).unwrap();
        assert_eq!(once.len(), 500);
        assert!(once.iter().all(|m| m.bytes.len() == 13));
        assert!(once.is_sorted_by_key(|m| m.at_ns));
        let same = |a: &[Message], b: &[Message]| {
            a.iter()
                .zip(b)
                .all(|(a, b)| a.at_ns == b.at_ns && a.bytes == b.bytes)
        };
        assert!(same(&once, &again));
        assert!(!same(&once, &other));
    }

    #[test]
    fn without_spread_the_times_are_even() {
        let even = SyntheticStream {
            iat_spread_us: 0,
            ..STREAM
        };
        let messages = even.messages(1).unwrap();
        assert_eq!(messages[7].at_ns, 7 * 140_000_000);
    }

    #[test]
    fn a_spread_that_would_reorder_names_its_field() {
        let wide = SyntheticStream {
            iat_spread_us: 70_001,
            ..STREAM
        };
        let fault = wide.messages(1).err().unwrap().to_string();
        assert!(fault.contains("synthetic.iat_spread_us"), "{fault}");
    }

    #[test]
    fn exponential_times_begin_at_once_and_have_the_mean() {
        let poisson = SyntheticStream {
            iat_spread_us: 0,
            messages: 10_000,
            iat_distribution: IatDistribution::Exponential as i32,
            ..STREAM
        };
        let messages = poisson.messages(1).unwrap();
        assert_eq!(messages[0].at_ns, 0);
        assert!(messages.is_sorted_by_key(|m| m.at_ns));
        // Five standard deviations of a mean of 9999.
        let mean_us = messages[9_999].at_ns as f64 / 1000.0 / 9_999.0;
        assert!((mean_us - 140_000.0).abs() < 7_000.0, "{mean_us}");
        let spread = SyntheticStream {
            iat_spread_us: 1,
            ..poisson
        };
        let fault = spread.messages(1).err().unwrap().to_string();
        assert!(fault.contains("synthetic.iat_spread_us"), "{fault}");
    }

    const MS: u64 = 1_000_000;

    fn paced(payload_bytes: u32, iat_ms: u64) -> SyntheticStream {
        SyntheticStream::endless(payload_bytes, iat_ms * 1000)
    }

    fn times(due: &[Message]) -> Vec<u64> {
        due.iter().map(|due| due.at_ns / MS).collect()
    }

    #[test]
    fn a_new_pace_counts_from_the_last_message() {
        let mut even = Endless::new(paced(120, 100), 1);
        let first = even.until(250 * MS);
        assert_eq!(times(&first), [0, 100, 200]);
        even.set(paced(7, 20), 205 * MS);
        let second = even.until(260 * MS);
        assert_eq!(times(&second), [220, 240, 260]);
        assert!(first.iter().all(|due| due.bytes.len() == 120));
        assert!(second.iter().all(|due| due.bytes.len() == 7));
    }

    #[test]
    fn who_waited_long_is_not_made_up_for() {
        let mut even = Endless::new(paced(120, 10_000), 1);
        assert_eq!(times(&even.until(0)), [0]);
        even.set(paced(120, 10), 5_000 * MS);
        assert_eq!(times(&even.until(5_015 * MS)), [5_000, 5_010]);
    }
}
