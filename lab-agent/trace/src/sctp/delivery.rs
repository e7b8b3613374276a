//! When the application can have a chunk's bytes: when the whole message is there and,
//! where it is ordered, all before it in its stream. Other streams hold nothing up
//! (RFC 9260, section 6.6).
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;

use super::association::Association;
use super::tsns::Known;
use crate::error::Direction;
use crate::ranges::DeliveredRange;

/// A message on its way: which chunks, so far.
#[derive(Default)]
struct Message {
    ranges: Vec<usize>,
    /// When all of them had arrived; none when one never did.
    whole_ns: Option<i64>,
    has_begun: bool,
}

/// Messages that fragments interleave with have a number of their own (RFC 8260); others
/// are contiguous.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Which {
    Open,
    Numbered {
        stream: u16,
        is_unordered: bool,
        message: u32,
    },
}

impl Which {
    fn of(known: &Known) -> Self {
        let data = &known.data;
        if data.is_numbered() {
            Self::Numbered {
                stream: data.stream,
                is_unordered: data.is_unordered(),
                message: data.message,
            }
        } else {
            Self::Open
        }
    }
}

impl Association<'_> {
    /// Stream offsets where messages end, rising.
    pub(crate) fn message_ends(&self, sent: &[DeliveredRange]) -> Vec<u64> {
        let until = sent.last().map_or(0, |range| range.end);
        let known = self.tsns(Direction::Forward).all().iter();
        let ends = known.filter(|known| known.data.ends() && known.data.bytes > 0);
        ends.map(Known::end).filter(|end| *end <= until).collect()
    }

    /// Sets since when each range, which is a chunk, could be read. What the receiver has
    /// acknowledged though its capture lacks it holds nothing up.
    pub(crate) fn deliver(&self, ranges: &mut [DeliveredRange], acknowledged: u64) {
        for range in ranges.iter_mut() {
            range.available_ns = None;
        }
        let mut open: HashMap<Which, Message> = HashMap::new();
        // Of each stream's ordered messages: since when all so far were there.
        let mut streams: HashMap<u16, Option<i64>> = HashMap::new();
        let mut at = 0;
        let mut last_number = None;
        for known in self.tsns(Direction::Forward).all() {
            let which = Which::of(known);
            let goes_on = last_number == Some(known.number.wrapping_sub(1));
            last_number = Some(known.number);
            if which == Which::Open && (known.data.begins() || !goes_on) {
                open.remove(&which);
            }
            let message = open.entry(which).or_insert_with(|| Message {
                whole_ns: Some(i64::MIN),
                ..Message::default()
            });
            message.has_begun |= known.data.begins();
            while ranges.get(at).is_some_and(|range| range.end <= known.start) {
                at += 1;
            }
            let mut pieces = at..at;
            while ranges
                .get(pieces.end)
                .is_some_and(|range| range.start < known.end())
            {
                pieces.end += 1;
            }
            for piece in pieces {
                let range = &ranges[piece];
                message.ranges.push(piece);
                if range.arrived_ns.is_some() || range.end > acknowledged {
                    let until = message.whole_ns.zip(range.arrived_ns);
                    message.whole_ns = until.map(|(one, other)| one.max(other));
                }
            }
            if !known.data.ends() {
                continue;
            }
            let Some(message) = open.remove(&which) else {
                continue;
            };
            // Of one whose beginning no capture has, nobody knows.
            let mut available_ns = message.whole_ns.filter(|_| message.has_begun);
            if !known.data.is_unordered() {
                let before = streams.entry(known.data.stream).or_insert(Some(i64::MIN));
                available_ns = available_ns.zip(*before).map(|(own, all)| own.max(all));
                *before = if message.has_begun {
                    available_ns
                } else {
                    *before
                };
            }
            for piece in message.ranges {
                let range = &mut ranges[piece];
                range.available_ns = available_ns.filter(|_| range.arrived_ns.is_some());
            }
        }
    }
}
