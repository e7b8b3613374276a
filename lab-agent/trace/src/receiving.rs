//! What comes to one end: which bytes are new there, which it throws away, and
//! what it says about them.
// SPDX-License-Identifier: Apache-2.0

use crate::capture::Packet;
use crate::coverage::{Coverage, Parts};
use crate::unwrap::Unwrap;

/// The other end's stream, as its packets come and this end acknowledges them,
/// in the order of its capture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Receiving {
    numbers: Option<Numbers>,
    arrived: Coverage,
    offer: Offer,
    /// The last acknowledgement that was not below one before it.
    said: Option<i64>,
}

#[derive(Clone, Debug)]
struct Numbers {
    offsets: Unwrap,
    acknowledgements: Unwrap,
}

/// The room a receiver has offered. A segment that begins beyond it (a probe of
/// a closed window) is thrown away on arrival.
#[derive(Clone, Debug, Default)]
struct Offer {
    shift: Option<u8>,
    edge: Option<i64>,
}

/// What an arrival turned out to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Whether it was taken into the stream.
    pub accepted: bool,
    /// Parts of the stream that were not there before.
    pub new: Parts,
}

/// What an acknowledgement says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub acknowledged: u64,
    /// The same as before, although bytes beyond it have come: a dupACK.
    pub duplicate: bool,
}

impl Receiving {
    /// `origin` is the sequence number of offset 0; by default it follows from
    /// the first SYN or, without one, the first data.
    pub(crate) fn new(origin: Option<u32>) -> Self {
        Self {
            numbers: origin.map(Numbers::new),
            ..Self::default()
        }
    }

    /// This end acknowledges.
    pub(crate) fn say(&mut self, packet: &Packet) -> Said {
        let Some(numbers) = &mut self.numbers else {
            return Said::default();
        };
        let offset = numbers.acknowledgements.offset(packet.ack);
        self.offer.hear(packet, offset);
        let is_pure = packet.payload_bytes == 0 && !packet.flags.syn() && !packet.flags.fin();
        self.says(offset, is_pure)
    }

    /// This end acknowledges all before `offset`; `is_pure`: and that is all it does.
    #[inline]
    pub(crate) fn says(&mut self, offset: i64, is_pure: bool) -> Said {
        let duplicate = is_pure && self.said == Some(offset) && self.arrived.end() as i64 > offset;
        self.said = self.said.max(Some(offset));
        Said {
            acknowledged: offset.max(0) as u64,
            duplicate,
        }
    }

    /// An undamaged packet comes: what it turns out to be is told to a place where nothing is
    /// yet.
    #[inline]
    pub(crate) fn take(&mut self, packet: &Packet, taken: &mut Taken) {
        let opens = packet.flags.syn();
        // A SYN takes a sequence number of its own in front of its data.
        let seq = packet.seq.wrapping_add(u32::from(opens));
        if opens || packet.payload_bytes > 0 {
            self.numbers.get_or_insert_with(|| Numbers::new(seq));
        }
        let Some(numbers) = &mut self.numbers else {
            return;
        };
        let start = numbers.offsets.offset(seq);
        let end = start + i64::from(packet.payload_bytes);
        if packet.payload_bytes == 0 || self.offer.edge.is_some_and(|edge| start >= edge) {
            return;
        }
        taken.accepted = true;
        let (start, end) = (start.max(0) as u64, end.max(0) as u64);
        self.arrived.insert_to(start, end, &mut taken.new);
    }

    /// Where in the stream a packet's bytes are that may be damaged: what it says teaches nothing.
    pub(crate) fn place(&self, packet: &Packet) -> Option<(u64, u64)> {
        let mut offsets = self.numbers.as_ref()?.offsets;
        let start = u64::try_from(offsets.offset(packet.seq)).ok()?;
        Some((start, start + u64::from(packet.payload_bytes)))
    }

    /// Up to where an acknowledgement goes that is about to be said.
    pub(crate) fn would_acknowledge(&self, packet: &Packet) -> u64 {
        let numbers = self.numbers.as_ref();
        let offset = numbers.map_or(0, |numbers| {
            let mut acknowledgements = numbers.acknowledgements;
            acknowledgements.offset(packet.ack)
        });
        offset.max(0) as u64
    }

    /// Whether some of these bytes have not come.
    pub(crate) fn lacks(&self, start: u64, end: u64) -> bool {
        let there = self.arrived.parts(start, end);
        there.map(|(start, end)| end - start).sum::<u64>() < end - start
    }

    /// Some parts of the stream come.
    pub(crate) fn take_parts(&mut self, parts: &[(u64, u64)], taken: &mut Taken) {
        for &(start, end) in parts {
            self.arrived.insert_to(start, end, &mut taken.new);
        }
        taken.accepted = !parts.is_empty();
    }

    /// The highest offset that this end acknowledged.
    pub(crate) fn acknowledged(&self) -> u64 {
        let by_numbers = self.numbers.as_ref();
        let by_numbers = by_numbers.map(|numbers| numbers.acknowledgements.highest());
        by_numbers.unwrap_or_else(|| self.said.map_or(0, |said| said.max(0) as u64))
    }
}

impl Numbers {
    fn new(origin: u32) -> Self {
        Self {
            offsets: Unwrap::new(origin),
            acknowledgements: Unwrap::new(origin),
        }
    }
}

impl Offer {
    fn hear(&mut self, packet: &Packet, acknowledged: i64) {
        let window = i64::from(packet.window);
        if packet.flags.syn() {
            // The window of a SYN is never shifted (RFC 7323, section 2.2).
            self.shift = Some(packet.window_shift.unwrap_or(0));
            self.edge = Some(acknowledged + window);
        } else if let (Some(shift), Some(edge)) = (self.shift, self.edge) {
            // A window never shrinks for a receiver that keeps its word.
            self.edge = Some(edge.max(acknowledged + (window << shift)));
        }
    }
}
