//! The stream's ranges to curves, in order, as soon as nothing about them can change.
// SPDX-License-Identifier: Apache-2.0

use std::collections::VecDeque;

use lab_proto::{LateMessages, Recovery};

use super::Unclear;
use crate::curve::Curve;
use crate::distribution::Distribution;
use crate::message::Parts;
use crate::metrics::{Latencies, latency, message_sample};
use crate::packets::PacketPassage;
use crate::ranges::DeliveredRange;

/// Whatever a [`Recovery`] may be.
const RECOVERIES: usize = Recovery::Never as usize + 1;

/// The curves so far, and the messages that are not whole yet.
#[derive(Debug)]
pub(super) struct Tally {
    transport_bytes: Curve,
    application_bytes: Curve,
    transport_messages: Curve,
    /// By what let the messages through.
    application_messages: [Curve; RECOVERIES],
    pub delivered_bytes: u64,
    /// Of what was seen leaving.
    pub arrived_bytes: u64,
    /// Acknowledged, and yet not in the receiver's capture.
    pub missing_bytes: u64,
    /// Up to where ranges were taken.
    pub until: u64,
    /// Where messages end that are not told yet.
    ends: VecDeque<u64>,
    message: Parts,
    release: Release,
}

/// An instant at which bytes became available, and the messages with them.
#[derive(Debug, Default)]
struct Release {
    at_ns: Option<i64>,
    /// The first of the bytes that came just then: all behind it had waited for it.
    offset: Option<u64>,
    latencies_ns: Vec<i64>,
    /// Packets that arrived since the instant before.
    arrivals: VecDeque<Arrival>,
}

#[derive(Debug)]
struct Arrival {
    at_ns: i64,
    departure: u64,
    passage: PacketPassage,
}

impl Tally {
    /// Messages end at `ends` or, if there are none, where packets say.
    pub fn new(ends: &[u64]) -> Self {
        Self {
            transport_bytes: Curve::default(),
            application_bytes: Curve::default(),
            transport_messages: Curve::default(),
            application_messages: Default::default(),
            delivered_bytes: 0,
            arrived_bytes: 0,
            missing_bytes: 0,
            until: 0,
            ends: ends.iter().copied().collect(),
            message: Parts::new(0),
            release: Release::default(),
        }
    }

    /// A packet's new bytes end here, behind all that was taken.
    pub fn end(&mut self, end: u64) {
        if self.ends.back().is_none_or(|last| *last <= end) {
            self.ends.push_back(end);
        } else {
            let at = self.ends.partition_point(|other| *other <= end);
            self.ends.insert(at, end);
        }
    }

    /// A packet of the stream arrives for the first time.
    pub fn arrive(&mut self, at_ns: i64, departure: u64, passage: PacketPassage) {
        self.release.arrivals.push_back(Arrival {
            at_ns,
            departure,
            passage,
        });
    }

    /// The stream's next range, as it will stay; `acknowledged` is how far the receiver
    /// has said that it has everything.
    pub fn take(&mut self, range: &DeliveredRange, acknowledged: u64) -> Result<(), Unclear> {
        self.until = range.end;
        match range.sample(range.arrived_ns) {
            Some(sample) if sample.latency_ns < 0 => return Err(Unclear),
            Some(sample) => {
                self.arrived_bytes += sample.weight;
                self.transport_bytes.add(sample);
            }
            None if range.end <= acknowledged => self.missing_bytes += range.bytes(),
            None => {}
        }
        if let Some(sample) = range.sample(range.available_ns) {
            self.delivered_bytes += sample.weight;
            self.application_bytes.add(sample);
        }
        if let Some(at_ns) = range.available_ns {
            if self.release.at_ns != Some(at_ns) {
                self.close();
                self.release.at_ns = Some(at_ns);
            }
            if range.arrived_ns == Some(at_ns) {
                self.release.offset.get_or_insert(range.start);
            }
        }
        while let Some(&end) = self.ends.front() {
            if range.start < end {
                self.message.add(range, end);
            }
            if range.end < end {
                break;
            }
            self.message(end);
            if range.end == end {
                break;
            }
        }
        Ok(())
    }

    /// The next message ends here.
    fn message(&mut self, end: u64) {
        self.ends.pop_front();
        let message = std::mem::replace(&mut self.message, Parts::new(end)).message(end);
        if let Some(latency_ns) = message.transport_ns() {
            self.transport_messages.add(message_sample(latency_ns));
        }
        if let Some(latency_ns) = message.application_ns() {
            self.release.latencies_ns.push(latency_ns);
        }
    }

    /// All that became available at an instant was told: what brought it?
    fn close(&mut self) {
        let release = &mut self.release;
        let Some(at_ns) = release.at_ns.take() else {
            return;
        };
        let offset = release.offset.take();
        let arrivals = &mut release.arrivals;
        while arrivals.pop_front_if(|it| it.at_ns < at_ns).is_some() {}
        let brought = offset.and_then(|offset| {
            let then = arrivals.iter().take_while(|it| it.at_ns == at_ns);
            let carriers = then.filter(|it| (it.passage.start..it.passage.end).contains(&offset));
            let last = carriers.max_by_key(|it| it.departure)?;
            Some(last.passage.recovery(offset))
        });
        let by = brought.unwrap_or(Recovery::Unspecified) as usize;
        for latency_ns in release.latencies_ns.drain(..) {
            self.application_messages[by].add(message_sample(latency_ns));
        }
    }

    /// All ranges were told. `lowest_rtt_ns` is what [`LateMessages`] knows of the path.
    pub fn told(mut self, lowest_rtt_ns: Option<i64>) -> (Latencies, Option<LateMessages>) {
        self.close();
        let by_recovery = self.application_messages.map(Curve::whole);
        let lowest_ns = by_recovery.iter().filter_map(Distribution::minimum_ns);
        let lowest_ns = lowest_ns.min().unwrap_or(0);
        let messages: u64 = by_recovery.iter().map(Distribution::total).sum();
        let late = lowest_rtt_ns.map(|lowest_rtt_ns| {
            let limit_ns = lowest_ns + lowest_rtt_ns;
            let share = |by: Recovery| {
                by_recovery[by as usize].above(limit_ns) as f64 / messages.max(1) as f64
            };
            LateMessages {
                lowest_rtt_us: lowest_rtt_ns as f64 / 1e3,
                none_share: share(Recovery::None),
                bundle_share: share(Recovery::Bundle),
                fast_share: share(Recovery::Fast),
                timeout_share: share(Recovery::Timeout),
            }
        });
        let messages = by_recovery
            .into_iter()
            .fold(Distribution::default(), Distribution::with);
        let latencies = Latencies {
            transport: latency(
                self.transport_bytes.whole().told(),
                self.transport_messages.whole().told(),
            ),
            application: latency(self.application_bytes.whole().told(), messages.told()),
        };
        (latencies, late)
    }
}
