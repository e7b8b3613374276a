//! What one end puts on the wire: new bytes, retransmissions, bundles, probes;
//! and which acknowledgements made it send again.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use lab_proto::Recovery;

use crate::capture::Packet;
use crate::coverage::{Coverage, Parts};
use crate::traffic::Carried;
use crate::unwrap::Unwrap;

/// A retransmission that leaves so soon after an acknowledgement came was made
/// by it; a timer's falls there by chance only.
const AT_ONCE_NS: i64 = 2_000_000;

/// One end's own stream, as its packets leave and acknowledgements come to it,
/// in the order of its capture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sending {
    numbers: Option<Numbers>,
    sent: Coverage,
    highest: i64,
    /// The highest offset that an acknowledgement named.
    acknowledged: i64,
    /// First transmissions that no acknowledgement has covered.
    outstanding: VecDeque<FirstSent>,
    /// Acknowledgements since the first of those: when they came, and how far
    /// what they acknowledge selectively reaches.
    heard: VecDeque<(i64, Option<u64>)>,
    opened_ns: Option<i64>,
    /// The smallest round trip so far.
    round_trip_ns: Option<i64>,
    /// From each first transmission to the acknowledgement that covered it; none when
    /// nobody asks.
    to_acks_ns: Option<Vec<i64>>,
}

#[derive(Clone, Debug)]
struct Numbers {
    offsets: Unwrap,
    acknowledgements: Unwrap,
}

#[derive(Clone, Copy, Debug)]
struct FirstSent {
    start: u64,
    end: u64,
    at_ns: i64,
}

/// What a departure turned out to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent {
    /// None without stream bytes.
    pub carried: Option<Carried>,
    /// Parts of the stream that left for the first time.
    pub new: Parts,
    /// Of a retransmission: what made it.
    pub cause: Recovery,
    pub is_probe: bool,
    /// The parts of the stream in it, where they are not one.
    pub pieces: Option<Box<Parts>>,
}

impl Sending {
    /// `origin` is the sequence number of offset 0; by default it follows from
    /// the first SYN or, without one, the first data.
    pub(crate) fn new(origin: Option<u32>) -> Self {
        Self {
            numbers: origin.map(Numbers::new),
            ..Self::default()
        }
    }

    /// Remembers how long every acknowledgement took.
    pub(crate) fn measure_acks(&mut self) {
        self.to_acks_ns = Some(Vec::new());
    }

    /// From each first transmission to its acknowledgement, at this end.
    pub(crate) fn to_acks_ns(&self) -> &[i64] {
        self.to_acks_ns.as_deref().unwrap_or_default()
    }

    /// The same of what was acknowledged since the last time.
    pub(crate) fn take_to_acks_ns(&mut self) -> impl Iterator<Item = i64> + '_ {
        self.to_acks_ns.iter_mut().flat_map(|all| all.drain(..))
    }

    /// How much was acknowledged.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged.max(0) as u64
    }

    /// An acknowledgement came.
    pub(crate) fn hear(&mut self, packet: &Packet) {
        let Some(numbers) = &mut self.numbers else {
            return;
        };
        let offset = numbers.acknowledgements.offset(packet.ack);
        let reach = packet
            .sacked_bytes
            .map(|above| (offset + i64::from(above)).max(0) as u64);
        self.heard(packet.at_ns, offset, reach);
    }

    /// An acknowledgement of all before `offset` came and, selectively, of something up to
    /// `reach`.
    #[inline]
    pub(crate) fn heard(&mut self, at_ns: i64, offset: i64, reach: Option<u64>) {
        self.acknowledged = self.acknowledged.max(offset);
        let mut sent_ns = self.opened_ns.take();
        while let Some(first) = self.outstanding.front()
            && first.end as i64 <= self.acknowledged
        {
            sent_ns = Some(first.at_ns);
            if let Some(to_acks_ns) = &mut self.to_acks_ns {
                to_acks_ns.push(at_ns - first.at_ns);
            }
            self.outstanding.pop_front();
        }
        // From the first transmission: never shorter than the path.
        if let Some(sent_ns) = sent_ns {
            let round_trip_ns = at_ns - sent_ns;
            let least = self.round_trip_ns.unwrap_or(round_trip_ns);
            self.round_trip_ns = Some(least.min(round_trip_ns));
        }
        match self.outstanding.front() {
            Some(first) => {
                while self.heard.front().is_some_and(|(at, _)| *at <= first.at_ns) {
                    self.heard.pop_front();
                }
                self.heard.push_back((at_ns, reach));
            }
            None => self.heard.clear(),
        }
    }

    /// A packet leaves: what it turns out to be is told to a place where nothing is yet.
    #[inline]
    pub(crate) fn depart(&mut self, packet: &Packet, sent: &mut Sent) {
        let opens = packet.flags.syn();
        if opens {
            self.opened_ns = self.opened_ns.or(Some(packet.at_ns));
        }
        // A SYN takes a sequence number of its own in front of its data.
        let seq = packet.seq.wrapping_add(u32::from(opens));
        if opens || packet.payload_bytes > 0 {
            self.numbers.get_or_insert_with(|| Numbers::new(seq));
        }
        let (Some(numbers), true) = (&mut self.numbers, packet.payload_bytes > 0) else {
            return;
        };
        let start = numbers.offsets.offset(seq);
        let end = start + i64::from(packet.payload_bytes);
        if packet.payload_bytes == 1 && end == self.highest && end <= self.acknowledged {
            sent.is_probe = true;
            return;
        }
        let (start, end) = (start.max(0) as u64, end.max(0) as u64);
        self.highest = self.highest.max(end as i64);
        self.sent.insert_to(start, end, &mut sent.new);
        let new = &sent.new;
        let new_bytes: u64 = new.iter().map(|(start, end)| end - start).sum();
        let carried = Carried {
            start,
            end,
            new_from: new.first().map_or(end, |(first, _)| *first),
            bytes: end - start,
            old_bytes: end - start - new_bytes,
            is_again: new.is_empty(),
        };
        if carried.is_retransmission() {
            let patience_ns = self.round_trip_ns.unwrap_or(0) / 4 + AT_ONCE_NS;
            sent.cause = self.cause(start, packet.at_ns, patience_ns);
        }
        let at_ns = packet.at_ns;
        if new_bytes > 0 && carried.old_bytes == 0 {
            // What is at hand need not be fetched from where it was just written to.
            self.outstanding.push_back(FirstSent { start, end, at_ns });
        } else {
            for &(start, end) in new {
                self.outstanding.push_back(FirstSent { start, end, at_ns });
            }
        }
        sent.carried = Some(carried);
    }

    /// Some parts of the stream leave in one packet, in order. Where the first of them was
    /// sent before and acknowledgements called for it, the packet is a retransmission,
    /// whatever else is in it. `each` is told of every part whether it is new and, if it is
    /// not, whether acknowledgements had reported it missing.
    pub(crate) fn depart_parts(
        &mut self,
        at_ns: i64,
        parts: &[(u64, u64)],
        sent: &mut Sent,
        mut each: impl FnMut(bool, bool),
    ) {
        let (Some(&(start, _)), Some(&(_, end))) = (parts.first(), parts.last()) else {
            return;
        };
        let (mut bytes, mut old_bytes) = (0, 0);
        let mut cause = Recovery::Unspecified;
        for &(start, end) in parts {
            let before = sent.new.len();
            self.sent.insert_to(start, end, &mut sent.new);
            let fresh = &sent.new[before..];
            let fresh_bytes: u64 = fresh.iter().map(|(start, end)| end - start).sum();
            bytes += end - start;
            old_bytes += end - start - fresh_bytes;
            let is_old = fresh.is_empty();
            let called_for = if is_old {
                // Without RACK, nothing waits for reordered packets.
                self.cause(start, at_ns, 0)
            } else {
                Recovery::Unspecified
            };
            each(!is_old, called_for == Recovery::Fast);
            // What a packet begins with is what it was sent for.
            if is_old && cause == Recovery::Unspecified && before == 0 {
                cause = called_for;
            }
        }
        let new = &sent.new;
        for &(start, end) in new {
            self.outstanding.push_back(FirstSent { start, end, at_ns });
        }
        self.highest = self.highest.max(end as i64);
        let is_again = new.is_empty() || cause == Recovery::Fast;
        let is_one = parts.windows(2).all(|pair| pair[0].1 == pair[1].0);
        sent.carried = Some(Carried {
            start,
            end,
            new_from: new.first().map_or(end, |(first, _)| *first),
            bytes,
            old_bytes,
            is_again,
        });
        if is_again {
            sent.cause = cause;
        }
        sent.pieces = (!is_one).then(|| Box::new(parts.iter().copied().collect()));
    }

    /// Whether the sender had been told that something after the lost bytes at
    /// `start` arrived, and sends them again because of it: at once, or so long after
    /// the first report as it is patient. RACK waits a quarter of the round trip for
    /// reordered packets.
    fn cause(&self, start: u64, at_ns: i64, patience_ns: i64) -> Recovery {
        let lost = self
            .outstanding
            .iter()
            .find(|first| (first.start..first.end).contains(&start));
        let told = lost.and_then(|lost| {
            self.heard.iter().find(|(heard_ns, reach)| {
                *heard_ns > lost.at_ns && reach.is_some_and(|reach| reach > lost.end)
            })
        });
        let (Some((told_ns, _)), Some((last_ns, _))) = (told, self.heard.back()) else {
            return Recovery::Timeout;
        };
        if at_ns - last_ns <= AT_ONCE_NS || at_ns - told_ns <= patience_ns {
            Recovery::Fast
        } else {
            Recovery::Timeout
        }
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
