//! Messages that came late, by what let them through at last.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{LateMessages, Recovery};

use crate::message::MessageLatency;
use crate::ranges::DeliveredRange;
use crate::tracker::Way;

/// Application latencies of more than a round trip above the lowest. The round
/// trip is the lowest that the captures show, both ways added; nothing is late or in
/// time where they show no packet that arrived one way, as of datagrams that nobody answers.
///
/// A message may be late without a loss of its own: what counts is the packet
/// whose arrival made it available, and how the bytes that this packet brought
/// came to be in it.
pub(crate) fn late(
    messages: &[MessageLatency],
    ranges: &[DeliveredRange],
    [forward, backward]: [&Way; 2],
) -> Option<LateMessages> {
    let lowest_rtt_ns = lowest_delay_ns(forward)? + lowest_delay_ns(backward)?;
    let latencies = || messages.iter().filter_map(MessageLatency::application_ns);
    let limit_ns = latencies().min().unwrap_or(0) + lowest_rtt_ns;
    let late = messages
        .iter()
        .filter(|message| message.application_ns() > Some(limit_ns));
    let mut instants: Vec<i64> = late.filter_map(|message| message.available_ns).collect();
    instants.sort_unstable();
    let mut released = Released::at(&instants, ranges);
    for departure in forward.departures.iter() {
        let passage = departure.passage;
        let Some(at_ns) = passage.arrived_ns else {
            continue;
        };
        if let Some(key) = released.find(at_ns)
            && (passage.start..passage.end).contains(&key.offset)
        {
            key.by = Some(passage.recovery(key.offset));
        }
    }
    let whole = latencies().count().max(1) as f64;
    let share = |of| {
        let keys = released.keys.iter().filter(|key| key.by == Some(of));
        keys.map(|key| key.messages).sum::<u64>() as f64 / whole
    };
    Some(LateMessages {
        lowest_rtt_us: lowest_rtt_ns as f64 / 1e3,
        none_share: share(Recovery::None),
        bundle_share: share(Recovery::Bundle),
        fast_share: share(Recovery::Fast),
        timeout_share: share(Recovery::Timeout),
    })
}

/// The instants at which late messages became available, in order.
struct Released {
    keys: Vec<Key>,
    /// Where the last one was: departures arrive nearly in order.
    hint: usize,
}

/// An arrival that let messages through.
struct Key {
    at_ns: i64,
    /// The first of the bytes that it made available: the one that all behind it had
    /// waited for.
    offset: u64,
    messages: u64,
    by: Option<Recovery>,
}

impl Released {
    /// `instants` in order. One at which nothing arrived that became available at
    /// once is none.
    fn at(instants: &[i64], ranges: &[DeliveredRange]) -> Self {
        let keys: Vec<Key> = instants
            .chunk_by(|one, other| one == other)
            .map(|alike| Key {
                at_ns: alike[0],
                offset: u64::MAX,
                messages: alike.len() as u64,
                by: None,
            })
            .collect();
        let mut released = Self { keys, hint: 0 };
        for range in ranges {
            let Some(at_ns) = range
                .available_ns
                .filter(|_| range.arrived_ns == range.available_ns)
            else {
                continue;
            };
            if let Some(key) = released.find(at_ns) {
                key.offset = key.offset.min(range.start);
            }
        }
        released.keys.retain(|key| key.offset < u64::MAX);
        released.hint = 0;
        released
    }

    fn find(&mut self, at_ns: i64) -> Option<&mut Key> {
        let fits = |at: usize| {
            let before = at.checked_sub(1).and_then(|before| self.keys.get(before));
            let here = self.keys.get(at);
            before.is_none_or(|key| key.at_ns < at_ns) && here.is_none_or(|key| key.at_ns >= at_ns)
        };
        if !fits(self.hint) {
            self.hint = if fits(self.hint + 1) && self.hint < self.keys.len() {
                self.hint + 1
            } else {
                self.keys.partition_point(|key| key.at_ns < at_ns)
            };
        }
        let key = self.keys.get_mut(self.hint)?;
        (key.at_ns == at_ns).then_some(key)
    }
}

fn lowest_delay_ns(way: &Way) -> Option<i64> {
    let passages = way.departures.iter().map(|departure| departure.passage);
    let delays = passages.filter_map(|passage| Some(passage.arrived_ns? - passage.sent_ns));
    delays.min()
}
