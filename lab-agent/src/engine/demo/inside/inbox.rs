//! What a lane's receiver reads, held against what was sent: which messages are there, and what
//! of them was read otherwise than it was written.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use crate::engine::arrivals::Arrivals;
use crate::fault::Outcome;

/// Datagrams that may still come; far more than any path of a demo holds back.
const MOST_WAITING: usize = 4096;

/// A message that came, and where in it what was read that had changed.
#[derive(Debug, PartialEq, Eq)]
pub struct Came {
    pub number: u64,
    pub changed: Vec<(u32, u8)>,
}

/// See the module.
pub enum Inbox {
    InOrder(InOrder),
    Datagrams(Datagrams),
}

/// Each message follows the one before it.
#[derive(Default)]
pub struct InOrder {
    arrivals: Arrivals<Arc<[u8]>>,
    /// Of those that were not read wholly, where each begins.
    starts: VecDeque<u64>,
    sent_bytes: u64,
    /// Of them, what was read that had changed: places in the stream.
    changed: VecDeque<(u64, u8)>,
}

/// Each message says where in the stream it belongs, and comes or does not.
#[derive(Default)]
pub struct Datagrams {
    waiting: VecDeque<Datagram>,
    sent_bytes: u64,
}

struct Datagram {
    number: u64,
    start: u64,
    bytes: Arc<[u8]>,
    came: bool,
}

impl Inbox {
    /// Of what goes in order, or as datagrams.
    pub fn new(of_datagrams: bool) -> Self {
        if of_datagrams {
            Self::Datagrams(Datagrams::default())
        } else {
            Self::InOrder(InOrder::default())
        }
    }

    /// A message is sent.
    pub fn expect(&mut self, number: u64, bytes: Arc<[u8]>) {
        match self {
            Self::InOrder(it) => it.expect(number, bytes),
            Self::Datagrams(it) => it.expect(number, bytes),
        }
    }

    /// These bytes were read, at a place in the stream if they say so, of which the socket called
    /// some damaged; tells which messages are there with them. Returns how many had changed of
    /// which it said nothing.
    pub fn take(
        &mut self,
        (offset, bytes): (Option<u32>, &[u8]),
        told: &[Range<usize>],
        mut came: impl FnMut(Came),
    ) -> u64 {
        match self {
            Self::InOrder(it) => it.take(bytes, told, came),
            Self::Datagrams(it) => {
                let whole = offset.and_then(|offset| it.take(offset, bytes));
                whole.map_or(0, |whole| {
                    let changed = whole.changed.len() as u64;
                    came(whole);
                    changed
                })
            }
        }
    }

    /// See [`Arrivals::want_unchanged`]: of a path that has damaged nothing.
    pub fn want_unchanged(&self) -> Outcome<()> {
        match self {
            Self::InOrder(it) => it.arrivals.want_unchanged(String::new),
            // What changed is no message, or one that tells.
            Self::Datagrams(_) => Ok(()),
        }
    }

    /// Where in the stream of all that was read the next byte belongs.
    pub fn read_bytes(&self) -> u64 {
        match self {
            Self::InOrder(it) => it.arrivals.read_bytes(),
            Self::Datagrams(_) => 0,
        }
    }
}

impl InOrder {
    fn expect(&mut self, number: u64, bytes: Arc<[u8]>) {
        self.starts.push_back(self.sent_bytes);
        self.sent_bytes += bytes.len() as u64;
        self.arrivals.expect(number, bytes);
    }

    fn take(&mut self, bytes: &[u8], told: &[Range<usize>], mut came: impl FnMut(Came)) -> u64 {
        let before = self.arrivals.read_bytes();
        let mut whole = Vec::new();
        self.arrivals.take(bytes, |number| whole.push(number));
        let changed = self.arrivals.take_changed();
        let is_told = |at: u64| {
            let at = (at - before) as usize;
            told.iter().any(|range| range.contains(&at))
        };
        let untold = changed.iter().filter(|(at, _)| !is_told(*at)).count() as u64;
        self.changed.extend(changed);
        for number in whole {
            let start = self.starts.pop_front().unwrap_or(self.sent_bytes);
            let end = self.starts.front().copied().unwrap_or(self.sent_bytes);
            let mut changed = Vec::new();
            while let Some((at, to)) = self.changed.pop_front_if(|(at, _)| *at < end) {
                changed.push(((at - start) as u32, to));
            }
            came(Came { number, changed });
        }
        untold
    }
}

impl Datagrams {
    fn expect(&mut self, number: u64, bytes: Arc<[u8]>) {
        let start = self.sent_bytes;
        self.sent_bytes += bytes.len() as u64;
        self.waiting.push_back(Datagram {
            number,
            start,
            bytes,
            came: false,
        });
        while self.waiting.len() > MOST_WAITING {
            self.waiting.pop_front();
        }
    }

    /// None for one that came before, came too late, or is no message: damage that a checksum
    /// lets through may make one of those.
    fn take(&mut self, offset: u32, read: &[u8]) -> Option<Came> {
        let first = self.waiting.front()?.start;
        let start = first + u64::from(offset.wrapping_sub(first as u32));
        let at = self.waiting.binary_search_by_key(&start, |it| it.start);
        let datagram = self.waiting.get_mut(at.ok()?)?;
        if datagram.came || datagram.bytes.len() != read.len() {
            return None;
        }
        datagram.came = true;
        let pairs = (0..).zip(datagram.bytes.iter().zip(read));
        let changed = pairs.filter(|(_, (sent, read))| sent != read);
        let came = Came {
            number: datagram.number,
            changed: changed.map(|(at, (_, read))| (at, *read)).collect(),
        };
        while self.waiting.pop_front_if(|it| it.came).is_some() {}
        Some(came)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expecting(of_datagrams: bool, messages: &[&str]) -> Inbox {
        let mut inbox = Inbox::new(of_datagrams);
        for (number, message) in messages.iter().enumerate() {
            // Numbers of messages that were never written are left out.
            inbox.expect(number as u64 * 2, message.as_bytes().into());
        }
        inbox
    }

    fn came(inbox: &mut Inbox, offset: Option<u32>, read: &str) -> Vec<(u64, Vec<(u32, u8)>)> {
        let mut all = Vec::new();
        inbox.take((offset, read.as_bytes()), &[], |it| {
            all.push((it.number, it.changed));
        });
        all
    }

    #[test]
    fn in_order_what_changed_is_told_with_its_message() {
        let mut inbox = expecting(false, &["one", "two", "three"]);
        assert_eq!(came(&mut inbox, None, "oXet"), [(0, vec![(1, b'X')])]);
        assert_eq!(came(&mut inbox, None, "wYt"), [(2, vec![(2, b'Y')])]);
        assert_eq!(came(&mut inbox, None, "hree"), [(4, vec![])]);
        assert!(inbox.want_unchanged().is_err());
        assert_eq!(inbox.read_bytes(), 11);
    }

    #[test]
    fn what_the_socket_did_not_tell_of_is_counted() {
        let mut inbox = expecting(false, &["one", "two", "three"]);
        let mut take = |read: &str, told| inbox.take((None, read.as_bytes()), told, |_| {});
        assert_eq!(take("oXet", &[]), 1);
        assert_eq!(take("Xothr", &[0..2, 3..4]), 0);
        assert_eq!(take("eX", &[]), 1);
    }

    #[test]
    fn datagrams_come_in_any_order_once_or_never() {
        let mut inbox = expecting(true, &["one", "two", "three", "four"]);
        assert_eq!(came(&mut inbox, Some(6), "thrXe"), [(4, vec![(3, b'X')])]);
        assert_eq!(came(&mut inbox, Some(0), "one"), [(0, vec![])]);
        // Twice; at no message's place; of another length.
        for (offset, read) in [(6, "three"), (0, "one"), (4, "wo"), (3, "tw")] {
            assert_eq!(came(&mut inbox, Some(offset), read), [], "{read}");
        }
        assert_eq!(came(&mut inbox, Some(11), "four"), [(6, vec![])]);
        assert_eq!(came(&mut inbox, Some(3), "two"), [(2, vec![])]);
    }

    #[test]
    fn places_count_beyond_32_bits_and_what_never_comes_is_forgotten() {
        let message: Arc<[u8]> = vec![7; 1 << 20].into();
        let mut inbox = Datagrams::default();
        for number in 0..=2 * MOST_WAITING as u64 {
            inbox.expect(number, Arc::clone(&message));
        }
        assert_eq!(inbox.waiting.len(), MOST_WAITING);
        // The last begins at 2^33.
        assert_eq!(inbox.take(0, &message[1..]), None);
        let last = 2 * MOST_WAITING as u64;
        let came = inbox.take(0, &message).map(|it| it.number);
        assert_eq!(came, Some(last));
    }
}
