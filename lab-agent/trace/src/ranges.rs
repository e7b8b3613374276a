//! Ranges of the stream with their three instants, as they leave, arrive and
//! become available in order.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{BTreeMap, VecDeque};

/// A range of the stream whose bytes share their history: first transmission
/// (S), first arrival of any segment holding them (A), availability in order
/// (I). On the sender's clock, since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveredRange {
    /// Stream offset of the first byte.
    pub start: u64,
    /// Stream offset after the last byte.
    pub end: u64,
    /// S.
    pub sent_ns: i64,
    /// A; none when no copy arrived.
    pub arrived_ns: Option<i64>,
    /// I; none when it or a byte before it never arrived.
    pub available_ns: Option<i64>,
}

/// A range whose history went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub range: DeliveredRange,
    /// What was known of it.
    pub before: (Option<i64>, Option<i64>),
}

/// The stream so far. Departures and arrivals may be told in any order between
/// each other: what becomes of it is the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    /// What was sent, in order of the stream.
    sent: VecDeque<DeliveredRange>,
    /// What arrived before it was told that it was sent.
    early: BTreeMap<u64, Arrived>,
    available: Availability,
    /// Where the next arrival is looked for first.
    hint: usize,
    /// What happened since the last look; none when nobody looks.
    changes: Option<Vec<Change>>,
    arrived_bytes: u64,
    /// Whether nothing waits for what is before it.
    is_of_datagrams: bool,
}

#[derive(Clone, Copy, Debug)]
struct Arrived {
    end: u64,
    at_ns: i64,
    available_ns: Option<i64>,
}

/// How far the stream is there in order, and since when.
#[derive(Clone, Debug, Default)]
struct Availability {
    next: u64,
    at_ns: Option<i64>,
    /// Arrivals behind a gap.
    waiting: BTreeMap<u64, (u64, i64)>,
    /// Bytes that the receiver acknowledged although its capture lacks them do
    /// not hold up what follows.
    acknowledged: u64,
}

impl Ranges {
    /// With a list of changes, for whoever follows the stream while it grows.
    pub(crate) fn followed() -> Self {
        Self {
            changes: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// The same of messages that wait for none before them.
    pub(crate) fn followed_datagrams() -> Self {
        Self {
            is_of_datagrams: true,
            ..Self::followed()
        }
    }

    pub(crate) fn take_changes(&mut self) -> Vec<Change> {
        self.changes
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// What was sent so far, in order of the stream.
    pub(crate) fn sent(&self) -> &VecDeque<DeliveredRange> {
        &self.sent
    }

    pub(crate) fn into_sent(self) -> Vec<DeliveredRange> {
        self.sent.into()
    }

    /// The ranges that hold bytes of `start..end`.
    pub(crate) fn within(
        &self,
        start: u64,
        end: u64,
    ) -> impl Iterator<Item = &DeliveredRange> + Clone {
        let first = self.sent.partition_point(|range| range.end <= start);
        let inside = self.sent.range(first..);
        inside.take_while(move |range| range.start < end)
    }

    /// Forgets what was available before `at_ns`, from the stream's beginning up
    /// to what was not.
    pub(crate) fn forget(&mut self, at_ns: i64) {
        let of_datagrams = self.is_of_datagrams;
        let available = |range: &DeliveredRange| match range.available_ns {
            None => of_datagrams && range.sent_ns < at_ns,
            Some(available_ns) => available_ns < at_ns,
        };
        while self.sent.front().is_some_and(available) {
            self.sent.pop_front();
            self.hint = self.hint.saturating_sub(1);
        }
    }

    /// Takes the first range away, when it is available or has left before `at_ns` and
    /// holds nothing up (its capture lacks it, but it was acknowledged).
    pub(crate) fn take_first(&mut self, at_ns: i64) -> Option<DeliveredRange> {
        let first = self.sent.front()?;
        let given_up = first.end <= self.available.next && first.sent_ns < at_ns;
        if first.available_ns.is_none() && !given_up {
            return None;
        }
        self.hint = self.hint.saturating_sub(1);
        self.sent.pop_front()
    }

    /// Takes the first range away, whatever is known of it.
    pub(crate) fn take_any(&mut self) -> Option<DeliveredRange> {
        self.sent.pop_front()
    }

    /// Forgets arrivals before `at_ns` that were not seen leaving.
    pub(crate) fn forget_unsent(&mut self, at_ns: i64) {
        self.early.retain(|_, arrived| arrived.at_ns >= at_ns);
    }

    /// Distinct bytes that arrived, whether or not they were seen leaving.
    pub(crate) fn arrived_bytes(&self) -> u64 {
        self.arrived_bytes
    }

    /// `start..end` leaves for the first time.
    pub(crate) fn depart(&mut self, start: u64, end: u64, sent_ns: i64) {
        let mut at = match self.sent.back() {
            Some(last) if last.end > start => {
                self.sent.partition_point(|range| range.start < start)
            }
            _ => self.sent.len(),
        };
        let mut cursor = start;
        while cursor < end {
            let (until, arrived) = self.take_early(cursor, end);
            let range = DeliveredRange {
                start: cursor,
                end: until,
                sent_ns,
                arrived_ns: arrived.map(|arrived| arrived.at_ns),
                available_ns: arrived.and_then(|arrived| arrived.available_ns),
            };
            if at == self.sent.len() {
                self.sent.push_back(range);
            } else {
                self.sent.insert(at, range);
            }
            note(&mut self.changes, &range, (None, None));
            at += 1;
            cursor = until;
        }
    }

    /// Up to where `cursor..` shares what is known of its arrival.
    fn take_early(&mut self, cursor: u64, end: u64) -> (u64, Option<Arrived>) {
        if self.early.is_empty() {
            return (end, None);
        }
        let before = self.early.range(..=cursor).next_back();
        if let Some((&start, &arrived)) = before.filter(|(_, arrived)| arrived.end > cursor) {
            self.early.remove(&start);
            if start < cursor {
                let head = Arrived {
                    end: cursor,
                    ..arrived
                };
                self.early.insert(start, head);
            }
            if arrived.end > end {
                self.early.insert(end, arrived);
            }
            return (arrived.end.min(end), Some(arrived));
        }
        let next = self.early.range(cursor..end).next();
        (next.map_or(end, |(start, _)| *start), None)
    }

    /// `start..end` arrives for the first time.
    pub(crate) fn arrive(&mut self, start: u64, end: u64, at_ns: i64) {
        self.arrived_bytes += end - start;
        if self.is_of_datagrams {
            self.mark(start, end, |range| {
                range.arrived_ns = Some(at_ns);
                range.available_ns = Some(at_ns);
            });
            return;
        }
        if start < self.available.next {
            self.fill(start, end, at_ns);
            return;
        }
        let available_ns = self.available.reach(start, end, at_ns);
        self.mark(start, end, |range| {
            range.arrived_ns = Some(at_ns);
            range.available_ns = available_ns;
        });
        self.release();
    }

    /// The receiver acknowledged all before `offset`.
    pub(crate) fn acknowledge(&mut self, offset: u64) {
        if offset > self.available.acknowledged {
            self.available.acknowledged = offset;
            self.release();
        }
    }

    /// What waited behind a gap that is none any more becomes available.
    #[inline]
    fn release(&mut self) {
        while let Some((start, end, available_ns)) = self.available.release() {
            self.mark(start, end, |range| range.available_ns = Some(available_ns));
        }
    }

    /// A gap that the receiver had acknowledged is filled after all: nothing
    /// behind it was there earlier.
    fn fill(&mut self, start: u64, end: u64, at_ns: i64) {
        let before = self.sent.iter().take_while(|range| range.start < start);
        let before_ns = before.filter_map(|range| range.available_ns).max();
        let available_ns = before_ns.max(Some(at_ns));
        self.mark(start, end, |range| {
            range.arrived_ns = Some(at_ns);
            range.available_ns = available_ns;
        });
        let next = self.available.next;
        self.available.at_ns = self.available.at_ns.max(available_ns);
        if end < next {
            self.mark(end, next, |range| {
                if range.available_ns.is_some() {
                    range.available_ns = range.available_ns.max(available_ns);
                }
            });
        }
    }

    /// Changes what is known of `start..end`, whether or not it was seen leaving.
    fn mark(&mut self, start: u64, end: u64, change: impl Fn(&mut DeliveredRange)) {
        let mut at = self.first_at(start);
        let mut cursor = start;
        while cursor < end {
            match self.sent.get(at).map(|range| (range.start, range.end)) {
                Some((whole_start, whole_end)) if whole_start <= cursor => {
                    let until = whole_end.min(end);
                    if whole_start < cursor || until < whole_end {
                        at = self.cut(at, cursor, until);
                    }
                    let range = &mut self.sent[at];
                    let before = (range.arrived_ns, range.available_ns);
                    change(range);
                    note(&mut self.changes, range, before);
                    cursor = until;
                    at += 1;
                }
                later => {
                    let until = later.map_or(end, |(start, _)| start.min(end));
                    self.mark_early(cursor, until, &change);
                    cursor = until;
                }
            }
        }
        self.hint = at;
    }

    /// The first range that ends after `start`.
    fn first_at(&self, start: u64) -> usize {
        let fits = |at: usize| {
            let here = self.sent.get(at).is_none_or(|range| range.end > start);
            here && (at == 0 || self.sent[at - 1].end <= start)
        };
        if self.hint <= self.sent.len() && fits(self.hint) {
            return self.hint;
        }
        self.sent.partition_point(|range| range.end <= start)
    }

    /// Cuts a range so that `start..end` is one of its own; returns where it is.
    fn cut(&mut self, at: usize, start: u64, end: u64) -> usize {
        let whole = self.sent[at];
        let mut at = at;
        if whole.start < start {
            self.sent[at].end = start;
            at += 1;
            self.sent.insert(at, DeliveredRange { start, ..whole });
        }
        if end < whole.end {
            self.sent[at].end = end;
            let rest = DeliveredRange {
                start: end,
                ..whole
            };
            self.sent.insert(at + 1, rest);
        }
        at
    }

    fn mark_early(&mut self, start: u64, end: u64, change: &impl Fn(&mut DeliveredRange)) {
        let known: Vec<(u64, Arrived)> = self
            .early
            .range(..end)
            .rev()
            .take_while(|(_, arrived)| arrived.end > start)
            .map(|(start, arrived)| (*start, *arrived))
            .collect();
        let entry = |start, end, arrived: Option<Arrived>| {
            let mut range = DeliveredRange {
                start,
                end,
                sent_ns: 0,
                arrived_ns: arrived.map(|arrived| arrived.at_ns),
                available_ns: arrived.and_then(|arrived| arrived.available_ns),
            };
            change(&mut range);
            let at_ns = range.arrived_ns?;
            Some(Arrived {
                end,
                at_ns,
                available_ns: range.available_ns,
            })
        };
        if known.is_empty() {
            self.early
                .extend(entry(start, end, None).map(|arrived| (start, arrived)));
        }
        // Pieces arrive whole: none begins before `start` or ends after `end`
        // but where a departure has cut it, and then it is marked piece by piece.
        for (start, arrived) in known {
            let changed = entry(start, arrived.end, Some(arrived));
            self.early.extend(changed.map(|arrived| (start, arrived)));
        }
    }
}

fn note(
    changes: &mut Option<Vec<Change>>,
    range: &DeliveredRange,
    before: (Option<i64>, Option<i64>),
) {
    if let Some(changes) = changes {
        changes.push(Change {
            range: *range,
            before,
        });
    }
}

impl Availability {
    /// A piece at or beyond the front: since when it is available, if it is.
    fn reach(&mut self, start: u64, end: u64, at_ns: i64) -> Option<i64> {
        if start > self.next && self.acknowledged < start {
            self.waiting.insert(start, (end, at_ns));
            return None;
        }
        // Pieces that waited for the same gap come first.
        if let Some((first, _)) = self.waiting.first_key_value()
            && *first < start
        {
            self.waiting.insert(start, (end, at_ns));
            return None;
        }
        self.next = end;
        self.at_ns = self.at_ns.max(Some(at_ns));
        self.at_ns
    }

    /// The next piece that nothing holds up any more.
    #[inline]
    fn release(&mut self) -> Option<(u64, u64, i64)> {
        let (&start, &(end, at_ns)) = self.waiting.first_key_value()?;
        if start > self.next && self.acknowledged < start {
            return None;
        }
        self.waiting.remove(&start);
        self.next = end;
        self.at_ns = self.at_ns.max(Some(at_ns));
        Some((start, end, self.at_ns.unwrap_or(at_ns)))
    }
}
