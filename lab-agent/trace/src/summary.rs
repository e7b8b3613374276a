//! What is said of a stream as a whole, without its single messages and bytes.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{Chunks, LaneCheck, LateMessages, TraceMetrics};

use crate::clock::ClockRelation;
use crate::flow::Flow;
use crate::metrics::check;
use crate::pairing::DirectionCount;
use crate::recoveries::Recoveries;
use crate::step::ClockStep;
use crate::traffic::Traffic;
use crate::warning::Warning;

/// The figures and curves of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Which flow it is about.
    pub flow: Flow,
    /// The figures of the contract.
    pub metrics: TraceMetrics,
    /// Sent, arrived and missing packets of the connection; whoever has the
    /// emulator's counters compares `dropped_packets` with them.
    pub check: LaneCheck,
    /// Messages later than a round trip, by what let them through; none where no packet
    /// arrived one way.
    pub late: Option<LateMessages>,
    /// The sender's payload accounts.
    pub traffic: Traffic,
    /// The sender's accounts of chunks, if it is SCTP's.
    pub chunks: Option<Chunks>,
    /// Packets from sender to receiver.
    pub forward: DirectionCount,
    /// Packets from receiver to sender.
    pub backward: DirectionCount,
    /// How long acknowledgements and retransmissions took; of files only.
    pub recoveries: Recoveries,
    /// The receiver's clock against the sender's, where they were separate.
    pub clock: Option<ClockRelation>,
    /// Steps of clocks that were set meanwhile. All instants are without them.
    pub clock_steps: Vec<ClockStep>,
    /// What to look at before trusting the result.
    pub warnings: Vec<Warning>,
}

impl Summary {
    /// Of TCP by one steady clock, recoveries left out.
    pub(crate) fn new(
        flow: Flow,
        metrics: TraceMetrics,
        (traffic, counts): (Traffic, [DirectionCount; 2]),
        late: Option<LateMessages>,
        warnings: Vec<Warning>,
    ) -> Self {
        let [forward, backward] = counts;
        Self {
            flow,
            metrics,
            check: check(counts),
            late,
            traffic,
            chunks: None,
            forward,
            backward,
            recoveries: Recoveries::default(),
            clock: None,
            clock_steps: Vec::new(),
            warnings,
        }
    }
}
