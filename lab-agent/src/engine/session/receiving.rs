//! The reading half of a flow: which messages are whole, and since when. It knows
//! what has to come, and nothing of the half that writes.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use lab_proto::guest::TransferFlow;

use crate::engine::arrivals::Arrivals;
use crate::fault::Outcome;

/// What is still to be read of a flow, and when the rest was.
pub struct Receiving<'a> {
    /// The messages as they come where each follows the one before it.
    arrivals: Arrivals<&'a [u8]>,
    flow: &'a TransferFlow,
    /// Bytes of each message that have not come; of a flow whose pieces say where they belong.
    missing: Vec<u32>,
    /// Where each message ends; likewise.
    ends: Vec<u64>,
    /// When messages were whole that have another before them which is not.
    early_ns: BTreeMap<usize, u64>,
    total_bytes: u64,
    /// Whether messages may be lost: each is whole or nothing, and waits for none.
    is_lossy: bool,
    /// When each message could be read whole, as far as all before it are; where messages may
    /// be lost, of those that came.
    pub available_ns: Vec<u64>,
    /// Where messages may be lost: which of them came, rising.
    pub came: Vec<u32>,
}

impl<'a> Receiving<'a> {
    /// All of it is to be read.
    pub fn new(flow: &'a TransferFlow) -> Self {
        let mut arrivals = Arrivals::default();
        let mut rest = &flow.stream[..];
        for (number, &length) in flow.message_bytes.iter().enumerate() {
            let (message, after) = rest.split_at(length as usize);
            arrivals.expect(number as u64, message);
            rest = after;
        }
        Self {
            arrivals,
            flow,
            missing: Vec::new(),
            ends: Vec::new(),
            early_ns: BTreeMap::new(),
            total_bytes: flow.stream.len() as u64,
            is_lossy: false,
            available_ns: Vec::with_capacity(flow.message_bytes.len()),
            came: Vec::new(),
        }
    }

    /// As much of it is to be read as comes, message by message, in any order.
    pub fn of_datagrams(flow: &'a TransferFlow) -> Self {
        Self {
            is_lossy: true,
            ..Self::new(flow)
        }
    }

    /// Takes what was read at `now`: at its place in the stream, or after what was read before.
    pub fn take(&mut self, offset: Option<u32>, bytes: &[u8], now: u64) {
        if let Some(offset) = offset {
            self.take_at(offset as usize, bytes, now);
            return;
        }
        let available_ns = &mut self.available_ns;
        self.arrivals.take(bytes, |_| available_ns.push(now));
    }

    /// A piece is of one message.
    fn take_at(&mut self, offset: usize, bytes: &[u8], now: u64) {
        if self.missing.is_empty() {
            self.missing.clone_from(&self.flow.message_bytes);
            let lengths = self.flow.message_bytes.iter();
            let ends = lengths.scan(0, |end, &length| {
                *end += u64::from(length);
                Some(*end)
            });
            self.ends = ends.collect();
        }
        let message = self.ends.partition_point(|&end| end <= offset as u64);
        if self.is_lossy && !self.is_one(message, offset, bytes.len()) {
            self.arrivals.compare(offset as u64, &[], bytes);
            return;
        }
        if self.is_lossy && !self.comes(message, now) {
            return;
        }
        let sent = self.flow.stream.get(offset..offset + bytes.len());
        self.arrivals
            .compare(offset as u64, sent.unwrap_or_default(), bytes);
        if self.is_lossy {
            return;
        }
        let Some(missing) = self.missing.get_mut(message) else {
            return;
        };
        *missing = missing.saturating_sub(bytes.len() as u32);
        if *missing == 0 {
            self.early_ns.insert(message, now);
        }
        while let Some(at_ns) = self.early_ns.remove(&self.available_ns.len()) {
            self.available_ns.push(at_ns);
        }
    }

    /// Whether a message begins there and is as long: damage that a checksum lets through may
    /// say otherwise.
    fn is_one(&self, message: usize, offset: usize, length: usize) -> bool {
        let there = self
            .ends
            .get(message)
            .zip(self.flow.message_bytes.get(message));
        there.is_some_and(|(&end, &bytes)| {
            length == bytes as usize && offset as u64 + length as u64 == end
        })
    }

    /// A message comes that waits for no other; whether it does for the first time.
    fn comes(&mut self, message: usize, now: u64) -> bool {
        let number = message as u32;
        let Err(place) = self.came.binary_search(&number) else {
            return false;
        };
        self.came.insert(place, number);
        self.available_ns.insert(place, now);
        true
    }

    /// Bytes that have to come yet.
    pub fn missing_bytes(&self) -> u64 {
        self.total_bytes.saturating_sub(self.read_bytes())
    }

    /// Bytes that were read so far.
    pub fn read_bytes(&self) -> u64 {
        self.arrivals.read_bytes()
    }

    /// Bytes that were read otherwise than they were sent.
    pub fn changed_bytes(&self) -> u64 {
        self.arrivals.changed_bytes()
    }

    /// See [`Arrivals::changed`].
    pub fn changed(&self) -> &[(u64, u8)] {
        self.arrivals.changed()
    }

    /// See [`Arrivals::want_unchanged`].
    pub fn want_unchanged(&self, place: impl FnOnce() -> String) -> Outcome<()> {
        self.arrivals.want_unchanged(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(messages: &[&str]) -> TransferFlow {
        TransferFlow {
            message_bytes: messages.iter().map(|one| one.len() as u32).collect(),
            stream: messages.concat().into_bytes().into(),
            ..TransferFlow::default()
        }
    }

    #[test]
    fn pieces_that_say_where_they_belong_come_in_any_order() {
        let flow = flow(&["one", "two", "three"]);
        let mut receiving = Receiving::new(&flow);
        receiving.take(Some(3), b"two", 10);
        assert_eq!(receiving.available_ns, [0_u64; 0]);
        receiving.take(Some(8), b"ree", 20);
        receiving.take(Some(0), b"one", 30);
        // The second was there before the first.
        assert_eq!(receiving.available_ns, [30, 10]);
        assert_eq!(receiving.missing_bytes(), 2);
        receiving.take(Some(6), b"th", 40);
        assert_eq!(receiving.available_ns, [30, 10, 40]);
        assert_eq!(
            (receiving.missing_bytes(), receiving.changed_bytes()),
            (0, 0)
        );
    }

    #[test]
    fn datagrams_come_in_any_order_or_twice_or_never() {
        let flow = flow(&["one", "two", "three", "four"]);
        let mut receiving = Receiving::of_datagrams(&flow);
        for (offset, bytes, now) in [
            (6, "three", 10),
            (0, "one", 20),
            (6, "three", 30),
            (11, "fxur", 40),
        ] {
            receiving.take(Some(offset), bytes.as_bytes(), now);
        }
        assert_eq!(receiving.came, [0, 2, 3]);
        assert_eq!(receiving.available_ns, [20, 10, 40]);
        assert_eq!(receiving.missing_bytes(), 3);
        assert_eq!(receiving.changed_bytes(), 1);
        // Nothing begins there.
        receiving.take(Some(4), b"wo", 50);
        assert_eq!((receiving.came.len(), receiving.changed_bytes()), (3, 3));
    }

    #[test]
    fn a_piece_with_other_bytes_or_of_no_message_counts_as_changed() {
        let flow = flow(&["one", "two"]);
        let mut receiving = Receiving::new(&flow);
        receiving.take(Some(3), b"twx", 1);
        assert_eq!(receiving.changed_bytes(), 1);
        receiving.take(Some(6), b"more", 2);
        assert_eq!(receiving.changed_bytes(), 5);
        assert!(receiving.want_unchanged(String::new).is_err());
    }
}
