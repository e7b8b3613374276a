//! What a transfer's captures and instants say.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::SessionResult;
use lab_proto::guest::{TransferredFlow, TransferredLane};
use thinlab_playout::{Arrival, Codec, Playout};
use thinlab_trace::{Capture, Flow, Options, analyze, felt};

use crate::engine::files::analysing;
use crate::fault::{Fault, Outcome};
use crate::source::Message;

/// Analyses both captures, the writer's and the reader's, and what the
/// application saw.
pub fn metrics(
    message_ends: Option<Vec<u64>>,
    which: Flow,
    captures: (&Capture, &Capture),
    lane: &TransferredLane,
    flow: &TransferredFlow,
) -> Outcome<SessionResult> {
    let options = Options {
        flow: Some(which),
        message_ends,
        ..Options::default()
    };
    let analysis = analyze(captures.0, captures.1, &options).map_err(|error| analysing(&error))?;
    Ok(SessionResult {
        check: lane.check,
        metrics: Some(analysis.metrics),
        felt: Some(felt(&pairs(flow))),
        playout: None,
        counters: lane.counters.clone(),
        stream_ns: flow.stream_ns,
        wall_ns: 0,
        tcp_info: flow.tcp_info,
        receiver_counters: lane.receiver_counters.clone(),
        copies: Some(analysis.traffic.copies()),
        playout_events: Vec::new(),
        chunks: analysis.chunks,
        late: Some(analysis.late),
        changed_bytes: flow.changed_bytes,
    })
}

/// Where messages end in their stream.
pub fn ends(messages: &[Message]) -> Vec<u64> {
    let mut end = 0;
    let ends = messages.iter().map(|message| {
        end += message.bytes.len() as u64;
        end
    });
    ends.collect()
}

/// What a telephone at the receiver plays.
///
/// # Errors
/// `Failed` when bytes arrived changed: the codec is given what was sent.
pub fn play_out(
    codec: Codec,
    messages: Vec<Message>,
    flow: &TransferredFlow,
    is_of_datagrams: bool,
    length_samples: usize,
) -> Outcome<Playout> {
    if flow.changed_bytes > 0 {
        return Err(Fault::Failed(format!(
            "{} bytes of the sound arrived changed: lower corrupt_share or the bit errors, or choose \
             another seed",
            flow.changed_bytes
        )));
    }
    let messages: Vec<_> = messages
        .into_iter()
        .map(|message| thinlab_playout::Message {
            at_ns: message.at_ns,
            bytes: message.bytes,
        })
        .collect();
    let arrivals = came(flow).zip(&flow.available_ns);
    let arrivals: Vec<_> = arrivals
        .map(|(message, &at_ns)| Arrival { message, at_ns })
        .collect();
    let delays = pairs(flow).into_iter().map(|(write, read)| read - write);
    let path_minimum_ns = delays.min().unwrap_or(0);
    let play = if is_of_datagrams {
        thinlab_playout::play_datagrams
    } else {
        thinlab_playout::play
    };
    play(codec, &messages, &arrivals, path_minimum_ns, length_samples)
        .map_err(|error| Fault::Failed(format!("playing the stream out: {error}")))
}

/// When each message that came was written and when it could be read.
fn pairs(flow: &TransferredFlow) -> Vec<(u64, u64)> {
    let written = came(flow).map(|message| flow.written_ns[message]);
    written.zip(flow.available_ns.iter().copied()).collect()
}

/// Which messages came, rising.
fn came(flow: &TransferredFlow) -> Box<dyn Iterator<Item = usize> + '_> {
    if flow.came.is_empty() {
        return Box::new(0..flow.available_ns.len());
    }
    Box::new(flow.came.iter().map(|&message| message as usize))
}
