//! Messages between the sender and the receiver's ear: sent, and not yet
//! decoded.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

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
    pub fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    UnderWay,
    Skipped,
    ArrivedAt(i64),
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
}

impl UnderWay {
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
            fate: Fate::UnderWay,
        });
        number
    }

    pub fn arrive(&mut self, number: u64, at_ns: u64) -> Result<(), LiveError> {
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

    pub fn oldest(&self) -> Option<&Sent> {
        self.sent.front()
    }

    /// The oldest, if it was skipped or arrived by then.
    pub fn pop_settled(&mut self, now_ns: i64) -> Option<Sent> {
        match self.sent.front()?.fate {
            Fate::ArrivedAt(at_ns) if at_ns > now_ns => return None,
            Fate::UnderWay => return None,
            Fate::ArrivedAt(_) | Fate::Skipped => {}
        }
        self.first += 1;
        self.expected = self.expected.max(self.first);
        self.sent.pop_front()
    }

    pub fn len(&self) -> usize {
        self.sent.len()
    }

    fn message(&mut self, number: u64) -> Result<&mut Sent, LiveError> {
        let sent = self.next_number();
        number
            .checked_sub(self.first)
            .and_then(|index| self.sent.get_mut(index as usize))
            .ok_or(LiveError::NotSent { number, sent })
    }
}
