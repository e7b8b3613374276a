//! An analysis without what it says of single messages and bytes.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::{Chunks, LaneCheck, LateMessages, TraceMetrics};

use crate::analysis::Analysis;
use crate::clock::ClockRelation;
use crate::flow::Flow;
use crate::pairing::DirectionCount;
use crate::recoveries::Recoveries;
use crate::step::ClockStep;
use crate::traffic::Traffic;
use crate::warning::Warning;

/// The figures and curves of a stream. Each is what [`Analysis`] has by its name.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "an analysis's")]
pub struct Summary {
    pub flow: Flow,
    pub metrics: TraceMetrics,
    pub check: LaneCheck,
    pub late: LateMessages,
    pub traffic: Traffic,
    pub chunks: Option<Chunks>,
    pub forward: DirectionCount,
    pub backward: DirectionCount,
    pub recoveries: Recoveries,
    pub clock: Option<ClockRelation>,
    pub clock_steps: Vec<ClockStep>,
    pub warnings: Vec<Warning>,
}

impl From<&Analysis> for Summary {
    fn from(analysis: &Analysis) -> Self {
        Self {
            flow: analysis.flow,
            metrics: analysis.metrics.clone(),
            check: analysis.check,
            late: analysis.late,
            traffic: analysis.traffic,
            chunks: analysis.chunks,
            forward: analysis.forward,
            backward: analysis.backward,
            recoveries: analysis.recoveries.clone(),
            clock: analysis.clock,
            clock_steps: analysis.clock_steps.clone(),
            warnings: analysis.warnings.clone(),
        }
    }
}
