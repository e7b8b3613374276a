//! Which written message was read when.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{BTreeMap, VecDeque};

/// So many that were written and not read are kept where one behind the first of them was
/// read: datagrams may be lost, and are never read. At 20 ms that takes 80 s.
const MOST_UNREAD: usize = 4096;

/// Messages that were written, until they are read.
///
/// They are read in any order: streams and datagrams overtake each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread {
    written_ns: BTreeMap<u64, u64>,
    highest_written: Option<u64>,
    highest_read: Option<u64>,
    /// Of which it was not told yet that they were written, and what was read behind them:
    /// pairs are told in order of reading.
    read: VecDeque<(u64, u64)>,
}

impl Unread {
    /// A message was written. Numbers rise.
    pub fn wrote(&mut self, number: u64, at_ns: u64) {
        self.written_ns.insert(number, at_ns);
        self.highest_written = Some(number);
    }

    /// A message was read.
    pub fn read(&mut self, number: u64, at_ns: u64) {
        self.read.push_back((number, at_ns));
    }

    /// When the next message was written and when it was read, in order of reading.
    pub fn next(&mut self) -> Option<(u64, u64)> {
        let highest = self.highest_written;
        while let Some((number, read_ns)) = self
            .read
            .pop_front_if(|(number, _)| Some(*number) <= highest)
        {
            let written_ns = self.written_ns.remove(&number);
            self.highest_read = self.highest_read.max(Some(number));
            self.forget_lost();
            if let Some(written_ns) = written_ns {
                return Some((written_ns, read_ns));
            }
        }
        None
    }

    /// What was overtaken by very much will not come.
    fn forget_lost(&mut self) {
        while self.written_ns.len() > MOST_UNREAD
            && self.written_ns.first_key_value().map(|(first, _)| *first) < self.highest_read
        {
            self.written_ns.pop_first();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_UNREAD, Unread};

    const MOST: u64 = MOST_UNREAD as u64;

    #[test]
    fn what_waits_behind_nothing_is_kept_however_much_it_is() {
        let mut unread = Unread::default();
        (0..2 * MOST).for_each(|number| unread.wrote(number, number));
        for number in 0..2 * MOST {
            unread.read(number, number + 1);
            assert_eq!(unread.next(), Some((number, number + 1)));
        }
        assert!(unread.written_ns.is_empty());
    }

    #[test]
    fn of_lost_ones_the_oldest_are_forgotten() {
        let mut unread = Unread::default();
        for number in 0..4 * MOST {
            unread.wrote(number, number);
            if number % 2 == 1 {
                unread.read(number, number);
                assert_eq!(unread.next(), Some((number, number)));
            }
        }
        assert_eq!(unread.written_ns.len(), MOST_UNREAD);
        unread.read(0, 4 * MOST);
        unread.read(4 * MOST - 2, 4 * MOST);
        assert_eq!(unread.next(), Some((4 * MOST - 2, 4 * MOST)));
        assert_eq!(unread.next(), None);
    }
}
