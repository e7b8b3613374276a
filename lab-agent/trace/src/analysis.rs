//! Two captures of one connection to its latencies, shares and losses.
// SPDX-License-Identifier: Apache-2.0

use std::ops::Deref;

use crate::capture::{Capture, Packet};
use crate::clock::{self, ClockRelation, Crossing};
use crate::datagrams;
use crate::error::{AnalyzeError, Direction, End};
use crate::flow::{self, EndView, Flow};
use crate::late;
use crate::message::{self, MessageLatency};
use crate::metrics::{Latencies, metrics};
use crate::pairing::DirectionCount;
use crate::ranges::DeliveredRange;
use crate::sctp::Association;
use crate::set_back;
use crate::steady::without_steps;
use crate::stepping::{self, Found};
use crate::summary::Summary;
use crate::tracker::Tracker;
use crate::warning::{self, Suspicions, Warning};
use crate::whole::{self, Ends, Paired, Relation, Tracked};

/// No more steps backwards are looked for.
const MOST_SET_BACK: usize = 8;

/// How the two captures' clocks relate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// One clock stamped both: an embedded host, or one machine.
    #[default]
    Shared,
    /// Two clocks: offset and drift are fitted and removed. Latencies then are
    /// sure above the lowest; the lowest itself is half the smallest round trip.
    Separate,
}

/// What to analyse, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which connection, in which direction; needed where both captures hold
    /// several. By default the stream goes the way the SYN went.
    pub flow: Option<Flow>,
    /// How the clocks relate.
    pub clock: Clock,
    /// Stream offsets where messages end, rising. Without them each packet's
    /// new bytes are a message.
    pub message_ends: Option<Vec<u64>>,
}

/// All that two captures tell about a stream.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Its figures and curves, which may also be asked of the analysis itself.
    pub summary: Summary,
    /// Message by message.
    pub messages: Vec<MessageLatency>,
    /// Every byte that was sent, range by range, in order of the stream.
    pub ranges: Vec<DeliveredRange>,
}

impl Deref for Analysis {
    type Target = Summary;

    fn deref(&self) -> &Summary {
        &self.summary
    }
}

/// Analyses the connection that two captures have in common.
///
/// # Errors
/// [`AnalyzeError`], when they do not belong together or leave a choice open.
pub fn analyze(
    sender: &Capture,
    receiver: &Capture,
    options: &Options,
) -> Result<Analysis, AnalyzeError> {
    let flow = flow::choose(sender, receiver, options.flow)?;
    let (here, there) = (EndView::new(sender, &flow), EndView::new(receiver, &flow));
    analyze_views([sender, receiver], (&here, &there), flow, options)
}

/// Analyses a connection whose packets have been found in both captures.
pub(crate) fn analyze_views(
    captures: [&Capture; 2],
    (here, there): (&EndView, &EndView),
    flow: Flow,
    options: &Options,
) -> Result<Analysis, AnalyzeError> {
    let pairs = Pairs::of(here, there);
    let found = match options.clock {
        Clock::Shared => set_back(here, there, &pairs),
        Clock::Separate => {
            let [forward, backward] = pairs.crossings(here, there);
            stepping::find(&forward, &backward, slack_ns(captures))
        }
    };
    if found.steps.is_empty() {
        return analyze_steady(captures, (here, there), pairs, flow, options, found);
    }
    let steps = found.steps.clone();
    without_steps((here, there), &steps, |here, there| {
        let pairs = Pairs::of(here, there);
        analyze_steady(captures, (here, there), pairs, flow, options, found)
    })
}

/// Both directions' packets at both ends.
struct Pairs {
    forward: Paired,
    backward: Paired,
}

impl Pairs {
    fn of(here: &EndView, there: &EndView) -> Self {
        Self {
            forward: whole::pair(&here.forward, &there.forward),
            backward: whole::pair(&there.backward, &here.backward),
        }
    }

    /// Forward and backward.
    fn crossings(&self, here: &EndView, there: &EndView) -> [Vec<Crossing>; 2] {
        let crossing = |here: &Packet, there: &Packet| Crossing {
            senders_clock_ns: here.at_ns,
            receivers_clock_ns: there.at_ns,
            frames: [here.frame, there.frame],
        };
        let forward = self.forward.pairs();
        let backward = self.backward.pairs();
        [
            forward
                .map(|(departure, arrival)| {
                    crossing(here.forward[departure], there.forward[arrival])
                })
                .collect(),
            backward
                .map(|(departure, arrival)| {
                    crossing(here.backward[arrival], there.backward[departure])
                })
                .collect(),
        ]
    }
}

/// The steps backwards of the one clock, one after the other.
fn set_back(here: &EndView, there: &EndView, pairs: &Pairs) -> Found {
    let mut found = Found::default();
    let mut step = set_back::find(here, there, &pairs.forward, &pairs.backward);
    while let Some(known) = step {
        found.steps.push(known);
        step = without_steps((here, there), &found.steps, |here, there| {
            let pairs = Pairs::of(here, there);
            set_back::find(here, there, &pairs.forward, &pairs.backward)
        })
        .filter(|_| found.steps.len() < MOST_SET_BACK);
    }
    found
}

/// How much too short a delay may look, by the rounding of its stamps.
fn slack_ns([sender, receiver]: [&Capture; 2]) -> i64 {
    i64::from(sender.resolution_ns) + i64::from(receiver.resolution_ns)
}

/// Analyses a connection whose clocks run without steps.
fn analyze_steady(
    captures: [&Capture; 2],
    (here, there): (&EndView, &EndView),
    mut pairs: Pairs,
    flow: Flow,
    options: &Options,
    found: Found,
) -> Result<Analysis, AnalyzeError> {
    let origin = flow::origin(here, there, &flow)?;
    let carries_data = |packets: &[&Packet]| packets.iter().any(|packet| packet.payload_bytes > 0);
    if !carries_data(&here.forward) {
        return Err(AnalyzeError::NoData { flow });
    }
    if carries_data(&there.forward) && pairs.forward.is_empty() {
        return Err(AnalyzeError::DifferentConnections { flow });
    }
    let relation = match options.clock {
        Clock::Shared => None,
        Clock::Separate => {
            let [forward, backward] = pairs.crossings(here, there);
            Some(clock::fit(&forward, &backward)?)
        }
    };
    let slack_ns = slack_ns(captures);
    let receivers = relation.unwrap_or_default();
    settle(here, there, receivers, slack_ns, &mut pairs);
    let origins = (Some(origin), None);
    let Pairs { forward, backward } = pairs;
    let pairs = (&forward, &backward);
    let Tracked {
        tracker,
        association,
    } = whole::track((here, there), origins, receivers, pairs);
    if tracker.forward.traffic.data_packets == 0 {
        return Err(AnalyzeError::NoData { flow });
    }
    let mut suspicions = suspicions(here, there);
    let [sender, receiver] = captures;
    suspicions.fragments = sender.skipped.fragments + receiver.skipped.fragments;
    let chunks = association.as_ref().map(|association| {
        suspicions.cut_chunks = sender.skipped.cut_chunks + receiver.skipped.cut_chunks;
        let departures = tracker.forward.departures.iter();
        association.accounts(
            &here.forward,
            departures.map(|departure| departure.passage.arrived_ns.is_some()),
            there
                .backward
                .iter()
                .map(|answer| answer.chunks_in(there.chunks)),
        )
    });
    let mut analysis = conclude(
        flow,
        tracker,
        [forward.count, backward.count],
        &Conclusion {
            slack_ns,
            clock: relation,
            message_ends: options.message_ends.as_deref(),
            suspicions,
            association: association.as_ref(),
            is_of_datagrams: here.protocol.is_of_datagrams(),
        },
    )?;
    let summary = &mut analysis.summary;
    summary.chunks = chunks;
    let set = found.steps.iter().copied().map(Warning::ClockSet);
    let unclear = found.unclear.into_iter().map(Warning::ClockUnclear);
    summary.warnings.extend(set.chain(unclear));
    summary.clock_steps = found.steps;
    Ok(analysis)
}

/// What the tracker does not know.
pub(crate) struct Conclusion<'a> {
    pub slack_ns: i64,
    pub clock: Option<ClockRelation>,
    pub message_ends: Option<&'a [u64]>,
    pub suspicions: Suspicions,
    pub association: Option<&'a Association<'a>>,
    pub is_of_datagrams: bool,
}

/// All there is to tell of a connection that was tracked to its end.
pub(crate) fn conclude(
    flow: Flow,
    tracker: Tracker,
    counts: [DirectionCount; 2],
    rest: &Conclusion,
) -> Result<Analysis, AnalyzeError> {
    let acknowledged = tracker.forward.receiving.acknowledged();
    let arrived_bytes = tracker.ranges.arrived_bytes();
    let traffic = tracker.forward.traffic;
    let mut ranges = tracker.ranges.into_sent();
    let mut packet_ends = tracker.packet_ends;
    if let Some(association) = rest.association {
        association.deliver(&mut ranges, acknowledged);
        packet_ends = association.message_ends(&ranges);
    }
    if rest.is_of_datagrams {
        datagrams::deliver(&mut ranges);
    }
    expect_causality(&ranges, rest.slack_ns)?;
    let recoveries = tracker.forward.own(&ranges);
    let ends = rest.message_ends.unwrap_or(&packet_ends);
    let messages = message::messages(&ranges, ends)?;
    let late = late::late(&messages, &ranges, [&tracker.forward, &tracker.backward]);
    let delivered = ranges.iter().filter(|range| range.available_ns.is_some());
    let delivered_bytes = delivered.map(DeliveredRange::bytes).sum();
    let latencies = Latencies::of(&ranges.iter(), &messages.iter());
    let arrived = ranges.iter().filter(|range| range.arrived_ns.is_some());
    let known_bytes: u64 = arrived.map(DeliveredRange::bytes).sum();
    let missing = [
        warning::missing_bytes(&ranges, acknowledged),
        arrived_bytes - known_bytes,
    ];
    let warnings = rest.suspicions.warnings(missing, counts);
    let metrics = metrics(&traffic, counts, delivered_bytes, latencies);
    let mut summary = Summary::new(flow, metrics, (traffic, counts), late, warnings);
    summary.recoveries = recoveries;
    summary.clock = rest.clock;
    Ok(Analysis {
        summary,
        messages,
        ranges,
    })
}

fn suspicions(here: &EndView, there: &EndView) -> Suspicions {
    let mut suspicions = Suspicions::default();
    for (end, view) in [(End::Sender, here), (End::Receiver, there)] {
        for packet in &view.forward {
            suspicions.hear(end, Direction::Forward, packet);
        }
        for packet in &view.backward {
            suspicions.hear(end, Direction::Backward, packet);
        }
    }
    suspicions
}

/// Settles what only time can tell of the pairing, both ways.
fn settle(
    here: &EndView,
    there: &EndView,
    receivers: ClockRelation,
    slack_ns: i64,
    Pairs { forward, backward }: &mut Pairs,
) {
    let senders = ClockRelation::default();
    let onward = Relation {
        departures: senders,
        arrivals: receivers,
    };
    let back = Relation {
        departures: receivers,
        arrivals: senders,
    };
    forward.resolve(
        &Ends::new(&here.forward, &there.forward, onward, slack_ns),
        &damaged_ns(&there.forward, &there.stray_forward, receivers),
    );
    backward.resolve(
        &Ends::new(&there.backward, &here.backward, back, slack_ns),
        &damaged_ns(&here.backward, &here.stray_backward, senders),
    );
}

/// When the damaged among some arrivals and strays came, in order.
fn damaged_ns(arrivals: &[&Packet], strays: &[&Packet], relation: ClockRelation) -> Vec<i64> {
    let all = arrivals.iter().chain(strays);
    let mut damaged_ns: Vec<i64> = all
        .filter(|packet| packet.is_damaged())
        .map(|packet| relation.on_senders_clock(packet.at_ns))
        .collect();
    damaged_ns.sort_unstable();
    damaged_ns
}

fn expect_causality(ranges: &[DeliveredRange], slack_ns: i64) -> Result<(), AnalyzeError> {
    let early = |range: &DeliveredRange| range.sent_ns - range.arrived_ns.unwrap_or(i64::MAX);
    match ranges.iter().max_by_key(|range| early(range)) {
        Some(range) if early(range) > slack_ns => Err(AnalyzeError::ArrivedBeforeSent {
            offset: range.start,
            by_ns: early(range),
        }),
        _ => Ok(()),
    }
}
