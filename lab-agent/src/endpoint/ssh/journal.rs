//! What the relays noted: every write to a lane's socket, and every delivery
//! from one.
// SPDX-License-Identifier: Apache-2.0
use std::sync::{Mutex, MutexGuard};

use thinlab_trace::keystroke::Passage;

/// One end of the connection.
#[derive(Default)]
pub struct EndJournal {
    /// What this end wrote.
    pub written: Vec<Passage>,
    /// What arrived here.
    pub delivered: Vec<Passage>,
}

/// Both ends of a session's connection.
#[derive(Default)]
pub struct Journal {
    /// The client's.
    pub sender: EndJournal,
    /// The server's.
    pub receiver: EndJournal,
}

/// Which end.
#[derive(Clone, Copy)]
pub enum End {
    /// The client's.
    Sender,
    /// The server's.
    Receiver,
}

impl Journal {
    /// One end's.
    pub fn end(&mut self, end: End) -> &mut EndJournal {
        match end {
            End::Sender => &mut self.sender,
            End::Receiver => &mut self.receiver,
        }
    }

    /// Whether nothing is under way.
    pub fn all_arrived(&self) -> bool {
        let end = |passages: &[Passage]| passages.last().map(|passage| passage.offset_end);
        end(&self.sender.written) == end(&self.receiver.delivered)
            && end(&self.receiver.written) == end(&self.sender.delivered)
    }
}

/// Opens a journal.
pub fn open(journal: &Mutex<Journal>) -> MutexGuard<'_, Journal> {
    journal.lock().expect("nothing panics while holding it")
}

/// Adds `bytes` that passed at `at_ns`.
pub fn note(passages: &mut Vec<Passage>, bytes: usize, at_ns: u64) {
    let before = passages.last().map_or(0, |passage| passage.offset_end);
    passages.push(Passage {
        offset_end: before + bytes as u64,
        at_ns,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_add_up() {
        let mut passages = Vec::new();
        note(&mut passages, 3, 10);
        note(&mut passages, 4, 20);
        let ends: Vec<u64> = passages.iter().map(|p| p.offset_end).collect();
        assert_eq!(ends, [3, 7]);
    }

    #[test]
    fn what_was_written_is_under_way_until_it_is_delivered() {
        let mut journal = Journal::default();
        assert!(journal.all_arrived());
        note(&mut journal.sender.written, 5, 10);
        assert!(!journal.all_arrived());
        note(&mut journal.receiver.delivered, 4, 20);
        assert!(!journal.all_arrived());
        note(&mut journal.receiver.delivered, 1, 30);
        assert!(journal.all_arrived());
    }
}
