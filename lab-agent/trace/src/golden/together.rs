//! Several connections in one pair of captures.
// SPDX-License-Identifier: Apache-2.0

use super::script::Trace;
use super::truth::Truth;

/// What both ends capture when each connection begins at its instant. The truths stay
/// with the connections: the whole has none.
///
/// # Panics
/// When their stamps have different resolutions.
pub fn together(traces: impl IntoIterator<Item = (u64, Trace)>) -> Trace {
    let mut whole = Trace {
        frames: Vec::new(),
        resolution_ns: 0,
        truth: Truth::default(),
    };
    for (begin_ns, trace) in traces {
        let alike = whole.frames.is_empty() || whole.resolution_ns == trace.resolution_ns;
        assert!(alike, "one file has stamps of one resolution");
        whole.resolution_ns = trace.resolution_ns;
        whole
            .frames
            .extend(trace.frames.into_iter().map(|mut frame| {
                frame.true_ns += begin_ns;
                frame.stamp_ns += begin_ns;
                frame
            }));
    }
    whole.frames.sort_by_key(|frame| frame.true_ns);
    whole
}
