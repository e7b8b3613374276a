//! Messages while their bytes leave, arrive and become available.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use crate::error::AnalyzeError;
use crate::message::{MessageLatency, message};
use crate::ranges::Ranges;

/// Of datagrams, after so many messages behind it one that is missing is waited for no more.
const OVERTAKEN: usize = 64;

/// Messages so far, in order of the stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveMessages {
    list: VecDeque<LiveMessage>,
    /// Of the list, those that were announced or, of datagrams, are waited for no more.
    announced: usize,
    /// Whether none waits for one before it.
    is_of_datagrams: bool,
    /// How many there have been, forgotten ones too.
    count: u64,
    end: u64,
    /// An end that was none.
    pub wrong: Option<AnalyzeError>,
}

/// One message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiveMessage {
    pub number: u64,
    pub written_ns: Option<u64>,
    pub latency: MessageLatency,
    is_announced: bool,
}

/// A message's latency, before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageChange {
    pub before: MessageLatency,
    pub after: MessageLatency,
}

impl LiveMessages {
    /// Of datagrams: one that is missing holds up none behind it.
    pub(crate) fn of_datagrams() -> Self {
        Self {
            is_of_datagrams: true,
            ..Self::default()
        }
    }

    /// A message ends at `end`; by default it is numbered in turn.
    pub(crate) fn push(
        &mut self,
        number: Option<u64>,
        written_ns: Option<u64>,
        end: u64,
        ranges: &Ranges,
        changes: &mut Vec<MessageChange>,
    ) {
        if end <= self.end {
            self.wrong.get_or_insert(AnalyzeError::MessageEnds {
                index: self.count as usize,
                end,
                previous: self.end,
            });
            return;
        }
        let start = self.end;
        self.list.push_back(LiveMessage {
            number: number.unwrap_or(self.count),
            written_ns,
            latency: MessageLatency {
                start,
                end,
                sent_ns: None,
                arrived_ns: None,
                available_ns: None,
            },
            is_announced: false,
        });
        self.count += 1;
        self.end = end;
        self.touch(start, end, ranges, changes);
    }

    /// A packet's new bytes end at `end`, perhaps below those of one before it.
    pub(crate) fn packet(&mut self, end: u64, ranges: &Ranges, changes: &mut Vec<MessageChange>) {
        if end > self.end {
            self.push(None, None, end, ranges, changes);
            return;
        }
        let at = self
            .list
            .partition_point(|message| message.latency.end < end);
        let Some(whole) = self.list.get_mut(at).filter(|it| it.latency.end > end) else {
            return;
        };
        let head = MessageLatency {
            end,
            sent_ns: None,
            arrived_ns: None,
            available_ns: None,
            ..whole.latency
        };
        let (start, until) = (whole.latency.start, whole.latency.end);
        whole.latency.start = end;
        let first = LiveMessage {
            latency: head,
            ..*whole
        };
        self.list.insert(at, first);
        self.count += 1;
        self.touch(start, until, ranges, changes);
    }

    /// Something happened to `start..end` of the stream.
    pub(crate) fn touch(
        &mut self,
        start: u64,
        end: u64,
        ranges: &Ranges,
        changes: &mut Vec<MessageChange>,
    ) {
        let first = self
            .list
            .partition_point(|message| message.latency.end <= start);
        let touched = self.list.range_mut(first..);
        for touched in touched.take_while(|message| message.latency.start < end) {
            let before = touched.latency;
            let (start, end) = (before.start, before.end);
            let after = message(start, end, ranges.within(start, end));
            if after != before {
                touched.latency = after;
                changes.push(MessageChange { before, after });
            }
        }
    }

    /// The next message that is available and was not announced.
    pub(crate) fn next(&self) -> Option<&LiveMessage> {
        let waiting = self.list.range(self.announced..);
        let mut next = waiting.take(if self.is_of_datagrams { usize::MAX } else { 1 });
        next.find(|message| message.latency.available_ns.is_some() && !message.is_announced)
    }

    /// That was told which [`Self::next`] gave.
    pub(crate) fn announced(&mut self) {
        let next = self.next().map(|next| next.latency.end);
        let at = next.map(|end| self.list.partition_point(|it| it.latency.end < end));
        let Some(at) = at else {
            return;
        };
        self.list[at].is_announced = true;
        // One that so many have overtaken is lost, or is told of no more.
        let lost = (at + 1).saturating_sub(OVERTAKEN);
        while self.announced < lost
            || self
                .list
                .get(self.announced)
                .is_some_and(|it| it.is_announced)
        {
            self.announced += 1;
        }
    }

    /// Those not forgotten, in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &MessageLatency> + Clone {
        self.list.iter().map(|message| &message.latency)
    }

    /// Forgets what was announced and available before `at_ns`.
    pub(crate) fn forget(&mut self, at_ns: i64) {
        let of_datagrams = self.is_of_datagrams;
        let is_old = |first: &LiveMessage| match first.latency.available_ns {
            None => of_datagrams && first.latency.sent_ns.is_some_and(|ns| ns < at_ns),
            Some(available_ns) => available_ns < at_ns,
        };
        while self.announced > 0 && self.list.front().is_some_and(is_old) {
            self.list.pop_front();
            self.announced -= 1;
        }
    }
}
