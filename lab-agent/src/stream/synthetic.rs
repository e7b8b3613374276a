//! Messages of one size at (nearly) even times.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::SyntheticStream;

use super::{Message, Stream};
use crate::fault::{Fault, Outcome};

const LARGEST_MESSAGE_BYTES: u32 = 1 << 20;
const MOST_MESSAGES: u32 = 1_000_000;

impl Stream for SyntheticStream {
    fn messages(&self, seed: u64) -> Outcome<Vec<Message>> {
        check(self)?;
        let mut random = SplitMix(seed);
        // The k-th message is due at k · IAT plus a spread of its own, so that
        // spreads do not add up; the first one's keeps the rest non-negative.
        let spread_ns = self.iat_spread_us * 1000;
        let mut messages = Vec::with_capacity(self.messages as usize);
        for index in 0..u64::from(self.messages) {
            let offset_ns = match spread_ns {
                0 => 0,
                spread => random.next() % (2 * spread + 1),
            };
            let mut bytes = Vec::with_capacity(self.payload_bytes as usize + 8);
            while bytes.len() < self.payload_bytes as usize {
                bytes.extend(random.next().to_le_bytes());
            }
            bytes.truncate(self.payload_bytes as usize);
            messages.push(Message {
                at_ns: index * self.iat_us * 1000 + offset_ns,
                bytes,
            });
        }
        Ok(messages)
    }
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
    )
}

/// Sebastiano Vigna's `SplitMix64`: small, well distributed, and ours to keep the
/// same for ever, which a library's generator need not be.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: SyntheticStream = SyntheticStream {
        payload_bytes: 13,
        iat_us: 140_000,
        iat_spread_us: 70_000,
        messages: 500,
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
}
