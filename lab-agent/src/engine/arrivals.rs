//! What a flow's receiver reads, held against what was sent: which messages are
//! whole, and whether their bytes are the same.
//!
//! It knows the messages from their source and not from the sender, which may be
//! anywhere. What arrived changed is counted; whether that is a failure is the
//! condition's to say.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

use crate::fault::{Fault, Outcome};

/// The messages of a stream that have not been read wholly, and what was.
#[derive(Debug)]
pub struct Arrivals<B> {
    expected: VecDeque<(u64, B)>,
    /// Bytes of the first of them that were read.
    begun: usize,
    read_bytes: u64,
    changed_bytes: u64,
    /// Of changed bytes that have a place in the stream: the place, and what was read there.
    changed: Vec<(u64, u8)>,
}

impl<B> Default for Arrivals<B> {
    fn default() -> Self {
        Self {
            expected: VecDeque::new(),
            begun: 0,
            read_bytes: 0,
            changed_bytes: 0,
            changed: Vec::new(),
        }
    }
}

impl<B: AsRef<[u8]>> Arrivals<B> {
    /// A message comes, behind those before it.
    pub fn expect(&mut self, number: u64, bytes: B) {
        self.expected.push_back((number, bytes));
    }

    /// The receiver read `bytes`; tells the number of each message that is whole
    /// with them. Bytes of which there was no message count as changed.
    pub fn take(&mut self, mut bytes: &[u8], mut whole: impl FnMut(u64)) {
        let mut offset = self.read_bytes;
        self.read_bytes += bytes.len() as u64;
        while let Some((number, message)) = self.expected.front() {
            let rest = &message.as_ref()[self.begun..];
            let length = rest.len().min(bytes.len());
            let changed = &mut self.changed;
            self.changed_bytes += differing(offset, &rest[..length], &bytes[..length], changed);
            offset += length as u64;
            bytes = &bytes[length..];
            if length < rest.len() {
                self.begun += length;
                return;
            }
            whole(*number);
            self.expected.pop_front();
            self.begun = 0;
            if bytes.is_empty() {
                return;
            }
        }
        self.changed_bytes += bytes.len() as u64;
    }

    /// The receiver read `read` where `sent` was sent, at this offset of the stream, whatever
    /// came before: of who knows by other means which messages are whole. Bytes beyond what was
    /// sent count as changed.
    pub fn compare(&mut self, offset: u64, sent: &[u8], read: &[u8]) {
        self.read_bytes += read.len() as u64;
        let beyond = read.len().saturating_sub(sent.len()) as u64;
        self.changed_bytes += differing(offset, sent, read, &mut self.changed) + beyond;
    }

    /// Bytes that were read so far.
    pub fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// Bytes that were read otherwise than they were sent.
    pub fn changed_bytes(&self) -> u64 {
        self.changed_bytes
    }

    /// Where in the stream, as far as they have a place, and what was read; in order of reading.
    pub fn changed(&self) -> &[(u64, u8)] {
        &self.changed
    }

    /// The same, and no longer kept here: of who goes on reading.
    pub fn take_changed(&mut self) -> Vec<(u64, u8)> {
        std::mem::take(&mut self.changed)
    }

    /// For a transport that promises to deliver nothing changed.
    ///
    /// # Errors
    /// `Failed` once something arrived changed; `where` says where in the stream.
    pub fn want_unchanged(&self, place: impl FnOnce() -> String) -> Outcome<()> {
        if self.changed_bytes == 0 {
            return Ok(());
        }
        Err(Fault::Failed(format!(
            "bytes arrived changed{}: a damaged packet passed its checksum; lower corrupt_share \
             or the bit errors, or choose another seed",
            place()
        )))
    }
}

/// How many bytes differ; they are added to `changed`.
fn differing(offset: u64, sent: &[u8], read: &[u8], changed: &mut Vec<(u64, u8)>) -> u64 {
    if sent == read {
        return 0;
    }
    let before = changed.len();
    let pairs = sent.iter().zip(read).zip(offset..);
    let differ = pairs.filter(|((sent, read), _)| sent != read);
    changed.extend(differ.map(|((_, read), at)| (at, *read)));
    (changed.len() - before) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expecting(messages: &[&'static str]) -> Arrivals<&'static str> {
        let mut arrivals = Arrivals::default();
        for (number, message) in messages.iter().enumerate() {
            arrivals.expect(number as u64, *message);
        }
        arrivals
    }

    /// The numbers that become whole with each piece.
    fn whole(arrivals: &mut Arrivals<&'static str>, pieces: &[&str]) -> Vec<Vec<u64>> {
        let pieces = pieces.iter().map(|piece| {
            let mut numbers = Vec::new();
            arrivals.take(piece.as_bytes(), |number| numbers.push(number));
            numbers
        });
        pieces.collect()
    }

    #[test]
    fn a_message_is_whole_with_its_last_byte_however_the_stream_is_cut() {
        let mut arrivals = expecting(&["one", "two", "three"]);
        let told = whole(&mut arrivals, &["o", "netw", "othre", "", "e"]);
        assert_eq!(told, [vec![], vec![0], vec![1], vec![], vec![2]]);
        assert_eq!(arrivals.read_bytes(), 11);
        assert!(arrivals.want_unchanged(String::new).is_ok());
    }

    #[test]
    fn what_arrives_changed_is_counted_and_delivered_all_the_same() {
        let mut arrivals = expecting(&["one", "two"]);
        assert_eq!(whole(&mut arrivals, &["oxetwy"]), [vec![0, 1]]);
        assert_eq!(arrivals.changed_bytes, 2);
        assert_eq!(arrivals.changed(), [(1, b'x'), (5, b'y')]);
        let fault = arrivals.want_unchanged(|| " here".into()).unwrap_err();
        let said = fault.to_string();
        assert!(said.starts_with("bytes arrived changed here"), "{said}");
    }

    #[test]
    fn what_nobody_sent_counts_as_changed() {
        let mut arrivals = expecting(&["one"]);
        assert_eq!(whole(&mut arrivals, &["one!"]), [vec![0]]);
        assert_eq!(arrivals.changed_bytes, 1);
    }
}
