//! Messages that came late, by what let them through at last.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;

use lab_proto::{LateMessages, Recovery};

use crate::copies::delays_ns;
use crate::message::MessageLatency;
use crate::ranges::DeliveredRange;
use crate::tracker::Way;

/// Application latencies of more than a round trip above the lowest. The round
/// trip is the lowest that the captures show, both ways added.
///
/// A message may be late without a loss of its own: what counts is the packet
/// whose arrival made it available, and how the bytes that this packet brought
/// came to be in it.
pub(crate) fn late(
    messages: &[MessageLatency],
    ranges: &[DeliveredRange],
    [forward, backward]: [&Way; 2],
) -> LateMessages {
    let lowest_rtt_ns = lowest_delay_ns(forward) + lowest_delay_ns(backward);
    let latencies = || messages.iter().filter_map(MessageLatency::application_ns);
    let limit_ns = latencies().min().unwrap_or(0) + lowest_rtt_ns;
    let keys = keys(ranges);
    let mut bringers: HashMap<i64, Recovery> = HashMap::new();
    for departure in forward.departures.iter() {
        let passage = departure.passage;
        let Some(at_ns) = passage.arrived_ns else {
            continue;
        };
        if let Some(offset) = keys.get(&at_ns)
            && (passage.start..passage.end).contains(offset)
        {
            bringers.insert(at_ns, passage.recovery(*offset));
        }
    }
    let late = messages
        .iter()
        .filter(|message| message.application_ns() > Some(limit_ns));
    let released: Vec<Recovery> = late
        .filter_map(|message| bringers.get(&message.available_ns?).copied())
        .collect();
    let whole = latencies().count().max(1) as f64;
    let share = |of| released.iter().filter(|one| **one == of).count() as f64 / whole;
    LateMessages {
        lowest_rtt_us: lowest_rtt_ns as f64 / 1e3,
        none_share: share(Recovery::None),
        bundle_share: share(Recovery::Bundle),
        fast_share: share(Recovery::Fast),
        timeout_share: share(Recovery::Timeout),
    }
}

/// For each instant at which bytes became available as they arrived, the first of
/// those bytes: the one that all behind it had waited for.
fn keys(ranges: &[DeliveredRange]) -> HashMap<i64, u64> {
    let mut keys = HashMap::new();
    for range in ranges {
        if let Some(at_ns) = range.available_ns
            && range.arrived_ns == Some(at_ns)
        {
            keys.entry(at_ns).or_insert(range.start);
        }
    }
    keys
}

/// 0 where nothing arrived.
fn lowest_delay_ns(way: &Way) -> i64 {
    let delays = delays_ns(way).into_iter().map(|(_, delay_ns)| delay_ns);
    delays.min().unwrap_or(0)
}
