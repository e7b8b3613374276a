//! What a flow's sender has still to hand to its socket, message by message.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use crate::fault::Outcome;

/// A message that may not have left wholly.
#[derive(Debug)]
struct Message<B> {
    at_ns: u64,
    /// Offset in the stream after its last byte.
    end: u64,
    bytes: B,
}

/// The messages of a stream that are due, as far as the socket took them.
#[derive(Debug)]
pub struct Departures<B> {
    waiting: VecDeque<Message<B>>,
    due_bytes: u64,
    written_bytes: u64,
}

impl<B> Default for Departures<B> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            due_bytes: 0,
            written_bytes: 0,
        }
    }
}

impl<B: AsRef<[u8]>> Departures<B> {
    /// A message is due.
    pub fn push(&mut self, at_ns: u64, bytes: B) {
        self.due_bytes += bytes.as_ref().len() as u64;
        self.waiting.push_back(Message {
            at_ns,
            end: self.due_bytes,
            bytes,
        });
    }

    /// Offset in the stream after the last message that is due.
    pub fn due_bytes(&self) -> u64 {
        self.due_bytes
    }

    /// Bytes that are due and that the socket has not taken.
    pub fn unwritten_bytes(&self) -> u64 {
        self.due_bytes - self.written_bytes
    }

    /// Writes what is due, one message at a time, as far as `write` takes it: it
    /// tells how many bytes that were.
    pub fn write(&mut self, mut write: impl FnMut(&[u8]) -> Outcome<usize>) -> Outcome<()> {
        while self.unwritten_bytes() > 0 {
            let at = self.first_after(self.written_bytes);
            let message = &self.waiting[at];
            let bytes = message.bytes.as_ref();
            let begun = bytes.len() - (message.end - self.written_bytes) as usize;
            let rest = &bytes[begun..];
            let (length, taken) = (rest.len(), write(rest)?);
            self.written_bytes += taken as u64;
            if taken < length {
                break;
            }
        }
        Ok(())
    }

    /// Lets go of the messages before the oldest that has not left the socket,
    /// and gives the instant at which that one was due; `unsent` asks for the
    /// bytes that are still in the socket, and is asked only when the answer may
    /// be older than `since_ns`.
    pub fn oldest_ns(
        &mut self,
        since_ns: u64,
        unsent: impl FnOnce() -> Outcome<usize>,
    ) -> Outcome<Option<u64>> {
        let is_old = |message: &Message<B>| message.at_ns < since_ns;
        if self.waiting.front().is_some_and(is_old) {
            let left = self.written_bytes - unsent()? as u64;
            self.waiting.drain(..self.first_after(left));
        }
        Ok(self.waiting.front().map(|message| message.at_ns))
    }

    /// Lets go of the messages that the socket has taken wholly.
    pub fn forget_written(&mut self) {
        self.waiting.drain(..self.first_after(self.written_bytes));
    }

    /// The first message that has bytes after `offset` of the stream.
    fn first_after(&self, offset: u64) -> usize {
        self.waiting
            .partition_point(|message| message.end <= offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A socket with room for so many bytes.
    fn socket(room: usize, taken: &mut Vec<String>) -> impl FnMut(&[u8]) -> Outcome<usize> {
        let mut room = room;
        move |bytes| {
            let length = bytes.len().min(room);
            room -= length;
            taken.push(String::from_utf8_lossy(&bytes[..length]).into_owned());
            Ok(length)
        }
    }

    #[test]
    fn messages_are_written_one_by_one_and_go_on_where_the_socket_stopped() {
        let mut departures = Departures::default();
        for (at_ns, bytes) in [(1, "one"), (2, "two"), (3, "three")] {
            departures.push(at_ns, bytes);
        }
        let mut taken = Vec::new();
        departures.write(socket(5, &mut taken)).unwrap();
        assert_eq!(taken, ["one", "tw"]);
        assert_eq!(
            (departures.due_bytes(), departures.unwritten_bytes()),
            (11, 6)
        );
        departures.forget_written();
        departures.write(socket(100, &mut taken)).unwrap();
        assert_eq!(taken[2..], ["o", "three"]);
        assert_eq!(departures.unwritten_bytes(), 0);
    }

    #[test]
    fn the_oldest_message_is_one_that_has_not_left_the_socket() {
        let mut departures = Departures::default();
        for (at_ns, bytes) in [(10, "one"), (20, "two"), (30, "three")] {
            departures.push(at_ns, bytes);
        }
        departures.write(socket(8, &mut Vec::new())).unwrap();
        let young = departures.oldest_ns(10, || panic!("nothing is old"));
        assert_eq!(young.unwrap(), Some(10));
        assert_eq!(departures.oldest_ns(11, || Ok(4)).unwrap(), Some(20));
        assert_eq!(departures.oldest_ns(31, || Ok(0)).unwrap(), Some(30));
    }
}
