//! A lane's keys and their echoes.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use lab_proto::guest::{EchoRead, KeyWrite};
use lab_proto::{EchoPassage, FeltMetrics};
use thinlab_trace::Felt;

use super::take_clock::TakeClock;

/// What is known of them.
pub struct Echoes {
    /// Of keys that were not answered yet.
    written_ns: BTreeMap<u32, u64>,
    felt: Felt,
    news: Vec<EchoPassage>,
}

impl Default for Echoes {
    fn default() -> Self {
        Self {
            written_ns: BTreeMap::new(),
            felt: Felt::of_answers(),
            news: Vec::new(),
        }
    }
}

impl Echoes {
    /// A key went into its socket.
    pub fn wrote(&mut self, key: &KeyWrite, clock: &TakeClock) {
        self.written_ns
            .insert(key.number, clock.of_guest(key.at_ns));
    }

    /// An echo came out of the client's terminal.
    pub fn showed(&mut self, echo: &EchoRead, clock: &TakeClock) {
        let shown_ns = clock.of_guest(echo.at_ns);
        let Some(written_ns) = self.written_ns.remove(&echo.key) else {
            return;
        };
        // Numbers rise: what was passed over has no echo of its own.
        self.written_ns = self.written_ns.split_off(&echo.key);
        self.felt.push(written_ns, shown_ns);
        self.news.push(EchoPassage {
            number: echo.key,
            written_ns,
            shown_ns,
        });
    }

    /// Those since the last call.
    pub fn news(&mut self) -> Vec<EchoPassage> {
        std::mem::take(&mut self.news)
    }

    /// What a person felt of all keys.
    pub fn felt(&self) -> FeltMetrics {
        self.felt.whole()
    }

    /// The same of those written since then; nobody will ask for earlier ones.
    pub fn felt_since(&mut self, at_ns: u64) -> FeltMetrics {
        self.felt.forget(at_ns);
        self.felt.since(at_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boot::Comparison;

    #[test]
    fn echoes_are_paired_with_their_keys() {
        let clock = TakeClock::new(Comparison {
            offset_ns: 5,
            round_trip_ns: 1,
        });
        let mut echoes = Echoes::default();
        for (number, at_ns) in [(1, 105), (2, 205), (3, 305)] {
            echoes.wrote(&KeyWrite { number, at_ns }, &clock);
        }
        echoes.showed(
            &EchoRead {
                key: 2,
                at_ns: 1_305,
            },
            &clock,
        );
        let passage = EchoPassage {
            number: 2,
            written_ns: 200,
            shown_ns: 1_300,
        };
        assert_eq!(echoes.news(), [passage]);
        assert!(echoes.news().is_empty());
        assert!(echoes.written_ns.keys().eq(&[3]), "the third may come yet");
        assert_eq!(echoes.felt_since(200).messages, 1);
        assert_eq!(echoes.felt_since(201).messages, 0);
        assert_eq!(echoes.felt().messages, 1);
        // After a pause.
        echoes.wrote(
            &KeyWrite {
                number: 4,
                at_ns: 9_000_005,
            },
            &clock,
        );
        echoes.showed(
            &EchoRead {
                key: 4,
                at_ns: 9_002_005,
            },
            &clock,
        );
        assert!((echoes.felt().longest_stall_ms - 0.002).abs() < 1e-9);
    }
}
