//! Messages that are not due yet, in order of time.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::sync::Arc;

use lab_proto::guest::DemoWrite;

use crate::fault::{Fault, Outcome};

/// Far more than comes in the time by which messages come ahead; a caller who
/// sends more waits.
const MOST_MESSAGES: usize = 4096;
const MOST_BYTES: usize = 4 << 20;

/// A message for every lane.
pub struct Due {
    pub number: u64,
    pub at_ns: u64,
    pub data: Arc<[u8]>,
}

/// See the module.
#[derive(Default)]
pub struct Schedule {
    waiting: VecDeque<Due>,
    bytes: usize,
    next: u64,
    newest_ns: u64,
}

impl Schedule {
    /// Whether one more may come.
    pub fn has_room(&self) -> bool {
        self.waiting.len() < MOST_MESSAGES && self.bytes < MOST_BYTES
    }

    /// Takes a message.
    ///
    /// # Errors
    /// `Invalid` when it is not the next one.
    pub fn push(&mut self, write: DemoWrite) -> Outcome<()> {
        if write.number != self.next {
            return invalid(format!(
                "write.number is {} and {} is next: numbers rise by one, from 0",
                write.number, self.next
            ));
        }
        if write.data.is_empty() {
            return invalid("write.data is empty: give a message of one byte at least".into());
        }
        self.next += 1;
        // Instants do not fall; one that does is due with the one before it.
        self.newest_ns = self.newest_ns.max(write.at_ns);
        self.bytes += write.data.len();
        self.waiting.push_back(Due {
            number: write.number,
            at_ns: self.newest_ns,
            data: write.data.into(),
        });
        Ok(())
    }

    /// When the next one is due.
    pub fn next_ns(&self) -> Option<u64> {
        Some(self.waiting.front()?.at_ns)
    }

    /// The next one, if it is due.
    pub fn pop(&mut self, now_ns: u64) -> Option<Due> {
        let due = self.waiting.pop_front_if(|due| due.at_ns <= now_ns)?;
        self.bytes -= due.data.len();
        Some(due)
    }

    /// Leaves out what is not due yet.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.bytes = 0;
    }
}

fn invalid(message: String) -> Outcome<()> {
    Err(Fault::Invalid(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(number: u64, at_ns: u64) -> DemoWrite {
        DemoWrite {
            number,
            at_ns,
            data: vec![7; 10],
        }
    }

    #[test]
    fn messages_come_out_in_order_when_they_are_due() {
        let mut schedule = Schedule::default();
        for (number, at_ns) in [(0, 100), (1, 50), (2, 200)] {
            schedule.push(write(number, at_ns)).unwrap();
        }
        assert_eq!(schedule.next_ns(), Some(100));
        assert!(schedule.pop(99).is_none());
        let due: Vec<u64> = std::iter::from_fn(|| schedule.pop(150))
            .map(|due| due.number)
            .collect();
        assert_eq!(due, [0, 1]);
        assert_eq!(schedule.next_ns(), Some(200));
    }

    #[test]
    fn a_number_that_is_not_the_next_is_refused() {
        let mut schedule = Schedule::default();
        schedule.push(write(0, 0)).unwrap();
        for number in [0, 2] {
            let fault = schedule.push(write(number, 0)).unwrap_err();
            fault.expect_invalid("write.number");
        }
    }

    #[test]
    fn a_caller_far_ahead_has_to_wait() {
        let mut schedule = Schedule::default();
        let mut number = 0;
        while schedule.has_room() {
            schedule.push(write(number, 5)).unwrap();
            number += 1;
        }
        assert_eq!(number, MOST_MESSAGES as u64);
        schedule.pop(5).unwrap();
        assert!(schedule.has_room());
    }
}
