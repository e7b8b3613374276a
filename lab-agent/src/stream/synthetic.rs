//! Messages of one size at (nearly) even times, or at those of a Poisson process.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{IatDistribution, SyntheticStream};

use super::random::SplitMix;
use super::{Message, Stream};
use crate::fault::{Fault, Outcome};

const LARGEST_MESSAGE_BYTES: u32 = 1 << 20;
const MOST_MESSAGES: u32 = 1_000_000;

impl Stream for SyntheticStream {
    fn messages(&self, seed: u64) -> Outcome<Vec<Message>> {
        check(self)?;
        let mut random = SplitMix(seed);
        let messages = (0..u64::from(self.messages)).scan(0, |next_ns, index| {
            let at_ns = match self.iat_distribution() {
                IatDistribution::Exponential => *next_ns,
                IatDistribution::Even | IatDistribution::Unspecified => {
                    even_ns(self, index, &mut random)
                }
            };
            let bytes = random.bytes(self.payload_bytes as usize);
            if self.iat_distribution() == IatDistribution::Exponential {
                let iat_ns = random.exponential(self.iat_us as f64 * 1000.0);
                *next_ns += iat_ns.round() as u64;
            }
            Some(Message { at_ns, bytes })
        });
        Ok(messages.collect())
    }
}

/// The k-th message is due at k · IAT plus a spread of its own, so that spreads
/// do not add up; the first one's keeps the rest non-negative.
fn even_ns(stream: &SyntheticStream, index: u64, random: &mut SplitMix) -> u64 {
    let offset_ns = match stream.iat_spread_us * 1000 {
        0 => 0,
        spread => random.next() % (2 * spread + 1),
    };
    index * stream.iat_us * 1000 + offset_ns
}

fn check(stream: &SyntheticStream) -> Outcome<()> {
    let field = |ok: bool, what: &str| {
        if ok {
            return Ok(());
        }
        Err(Fault::Invalid(format!("synthetic.{what}")))
    };
    field(
        (1..=LARGEST_MESSAGE_BYTES).contains(&stream.payload_bytes),
        "payload_bytes must be 1 to 1048576",
    )?;
    field(
        (1..=MOST_MESSAGES).contains(&stream.messages),
        "messages must be 1 to 1000000",
    )?;
    field(
        (1..=86_400_000_000).contains(&stream.iat_us),
        "iat_us must be at least 1 and at most a day",
    )?;
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
}
