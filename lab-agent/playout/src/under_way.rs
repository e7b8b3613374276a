//! Messages between the sender and the receiver's ear: sent, and not yet
//! decoded.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{BTreeMap, VecDeque};

/// Whether one that comes after its place counts for the delay that is aimed at: some seconds.
const MOST_GIVEN_UP: usize = 128;

/// Why the playout cannot go on as told.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LiveError {
    /// Nothing is known of a message that was not sent.
    #[error("message {number} was not sent: {sent} were, from 0 on")]
    NotSent {
        /// As given.
        number: u64,
        /// How many were sent.
        sent: u64,
    },
    /// TCP delivers in order, and once.
    #[error("message {number} cannot arrive: it was skipped, or one behind it was there before")]
    Order {
        /// As given.
        number: u64,
    },
    /// An arrival before the one before it.
    #[error("message {number}: at_ns is {at_ns}, it cannot be before {earliest_ns}")]
    Instant {
        /// As given.
        number: u64,
        /// As given.
        at_ns: u64,
        /// When the message before it arrived.
        earliest_ns: u64,
    },
}

/// A message, and what is known of its way.
pub(crate) struct Sent {
    pub number: u64,
    pub bytes: Vec<u8>,
    pub samples: usize,
    /// When its last sample is captured.
    pub captured_ns: i64,
    /// How much of its sound came damaged.
    pub damaged_ms: f64,
    pub fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    UnderWay,
    Skipped,
    ArrivedAt(i64),
    /// Will not be heard, and what comes behind it waits until its place is over.
    Lost,
}

/// The oldest first.
#[derive(Default)]
pub(crate) struct UnderWay {
    sent: VecDeque<Sent>,
    /// Number of the oldest.
    first: u64,
    /// Number of the first that may arrive.
    expected: u64,
    arrived_ns: u64,
    /// Whether messages are datagrams: any may come, at any time, or never.
    is_lossy: bool,
    /// Of datagrams that were given up of late, when each was captured.
    given_up: BTreeMap<u64, i64>,
}

impl UnderWay {
    /// Of messages that are datagrams.
    pub fn of_datagrams() -> Self {
        Self {
            is_lossy: true,
            ..Self::default()
        }
    }

    /// Whether a message may be missing although others behind it are there.
    pub fn is_lossy(&self) -> bool {
        self.is_lossy
    }

    /// The number of the next message.
    pub fn next_number(&self) -> u64 {
        self.first + self.sent.len() as u64
    }

    pub fn send(&mut self, bytes: &[u8], samples: usize, captured_ns: i64) -> u64 {
        let number = self.next_number();
        self.sent.push_back(Sent {
            number,
            bytes: bytes.to_vec(),
            samples,
            captured_ns,
            damaged_ms: 0.0,
            fate: Fate::UnderWay,
        });
        number
    }

    /// A message came, for the first time; what of it was read changed is told by
    /// [`Self::message`].
    pub fn arrive(&mut self, number: u64, at_ns: u64) -> Result<(), LiveError> {
        if self.is_lossy {
            self.message(number)?.fate = Fate::ArrivedAt(at_ns.cast_signed());
            return Ok(());
        }
        if at_ns < self.arrived_ns {
            return Err(LiveError::Instant {
                number,
                at_ns,
                earliest_ns: self.arrived_ns,
            });
        }
        if number < self.expected || self.message(number)?.fate != Fate::UnderWay {
            return Err(LiveError::Order { number });
        }
        for before in self.expected..number {
            self.message(before)?.fate = Fate::Skipped;
        }
        self.message(number)?.fate = Fate::ArrivedAt(at_ns.cast_signed());
        self.expected = number + 1;
        self.arrived_ns = at_ns;
        Ok(())
    }

    pub fn skip(&mut self, number: u64) -> Result<(), LiveError> {
        if number >= self.expected {
            self.message(number)?.fate = Fate::Skipped;
        }
        Ok(())
    }

    /// Whether a datagram comes after its place.
    pub fn is_over(&self, number: u64) -> bool {
        self.is_lossy && number < self.first
    }

    /// When one was captured that was given up of late.
    pub fn late(&mut self, number: u64) -> Option<i64> {
        self.given_up.remove(&number)
    }

    /// Of the oldest messages, how many have to be given up before one can be heard that is there
    /// by then, and their samples; none while something may fill their places.
    pub fn hole(&self, now_ns: i64) -> Option<(usize, usize)> {
        let is_there = |sent: &Sent| match sent.fate {
            Fate::ArrivedAt(at_ns) => at_ns <= now_ns,
            Fate::Skipped => true,
            Fate::UnderWay | Fate::Lost => false,
        };
        let missing = self.sent.iter().take_while(|sent| !is_there(sent));
        let found = missing.clone().count();
        // Where nothing is there behind them, only those that are known to be lost.
        let missing: Vec<&Sent> = if found < self.sent.len() && self.is_lossy {
            missing.collect()
        } else {
            missing.take_while(|it| it.fate == Fate::Lost).collect()
        };
        let samples = missing.iter().map(|sent| sent.samples).sum();
        (!missing.is_empty()).then_some((missing.len(), samples))
    }

    /// Lets go of the oldest messages.
    pub fn give_up(&mut self, count: usize) {
        for sent in self.sent.drain(..count) {
            if self.is_lossy && sent.fate == Fate::UnderWay {
                self.given_up.insert(sent.number, sent.captured_ns);
            }
        }
        while self.given_up.len() > MOST_GIVEN_UP {
            self.given_up.pop_first();
        }
        self.first += count as u64;
        self.expected = self.expected.max(self.first);
    }

    pub fn oldest(&self) -> Option<&Sent> {
        self.sent.front()
    }

    /// The oldest, if it was skipped or arrived by then.
    pub fn pop_settled(&mut self, now_ns: i64) -> Option<Sent> {
        match self.sent.front()?.fate {
            Fate::ArrivedAt(at_ns) if at_ns > now_ns => return None,
            Fate::UnderWay | Fate::Lost => return None,
            Fate::ArrivedAt(_) | Fate::Skipped => {}
        }
        self.first += 1;
        self.expected = self.expected.max(self.first);
        self.sent.pop_front()
    }

    pub fn len(&self) -> usize {
        self.sent.len()
    }

    /// One that is not settled, by its number.
    pub fn message(&mut self, number: u64) -> Result<&mut Sent, LiveError> {
        let sent = self.next_number();
        number
            .checked_sub(self.first)
            .and_then(|index| self.sent.get_mut(index as usize))
            .ok_or(LiveError::NotSent { number, sent })
    }
}
