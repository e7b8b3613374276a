//! What a transfer's captures and instants say.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use lab_proto::guest::{TransferredFlow, TransferredLane};
use lab_proto::{Damage, SessionResult};
use thinlab_playout::{Arrival, Codec, Playout};
use thinlab_trace::{Analysis, Capture, Flow, Options, analyze, felt, throughput};

use crate::engine::damage::Runs;
use crate::engine::files::analysing;
use crate::fault::{Fault, Outcome};
use crate::source::Message;

/// Analyses both captures, the writer's and the reader's, and what the
/// application saw.
pub fn metrics(
    ends_of_messages: &[u64],
    is_of_datagrams: bool,
    which: Flow,
    captures: (&Capture, &Capture),
    lane: &TransferredLane,
    flow: &TransferredFlow,
) -> Outcome<SessionResult> {
    let options = Options {
        flow: Some(which),
        // A datagram is a message, and has more in it than that.
        message_ends: (!is_of_datagrams).then(|| ends_of_messages.to_vec()),
        ..Options::default()
    };
    let analysed = analyze(captures.0, captures.1, &options);
    let Analysis {
        summary, ranges, ..
    } = analysed.map_err(|error| analysing(&error))?;
    Ok(SessionResult {
        check: lane.check,
        metrics: Some(summary.metrics),
        felt: Some(felt(&pairs(flow))),
        playout: None,
        counters: lane.counters.clone(),
        stream_ns: flow.stream_ns,
        wall_ns: 0,
        tcp_info: flow.tcp_info,
        receiver_counters: lane.receiver_counters.clone(),
        copies: Some(summary.traffic.copies()),
        playout_events: Vec::new(),
        chunks: summary.chunks,
        late: summary.late,
        changed_bytes: flow.changed_bytes,
        damage: damage(flow, ends_of_messages),
        retransmission_latency: Some(summary.recoveries.told()),
        throughput: Some(throughput(&ranges)),
        sctp_info: flow.sctp_info,
    })
}

/// What was read otherwise than it was written; nothing where nothing was.
fn damage(flow: &TransferredFlow, ends: &[u64]) -> Option<Damage> {
    if flow.changed_bytes == 0 && flow.told_bytes == 0 {
        return None;
    }
    let mut runs = Runs::default();
    flow.changed_at.iter().for_each(|&at| runs.push(at));
    let message_of = |at: &u64| ends.partition_point(|end| end <= at);
    let mut messages: Vec<_> = flow.changed_at.iter().map(message_of).collect();
    messages.dedup();
    let lengths = ends.iter().zip(std::iter::once(&0).chain(ends));
    let lengths: Vec<u64> = lengths.map(|(end, start)| end - start).collect();
    let read_bytes: u64 = came(flow).map(|message| lengths[message]).sum();
    Some(Damage {
        changed_share: flow.changed_bytes as f64 / read_bytes.max(1) as f64,
        runs: runs.count,
        longest_run_bytes: runs.longest_bytes,
        changed_messages: messages.len() as u64,
        told_bytes: flow.told_bytes,
        untold_bytes: flow.untold_bytes,
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

/// What a telephone at the receiver plays: with what arrived changed, or without it where the
/// codec cannot make anything of that.
///
/// # Errors
/// `Failed` when what came cannot be played.
pub fn play_out(
    codec: Codec,
    messages: Vec<Message>,
    flow: &TransferredFlow,
    is_of_datagrams: bool,
    length_samples: usize,
) -> Outcome<Playout> {
    let changed = changed_by_message(&messages, flow);
    let mut messages: Vec<_> = messages
        .into_iter()
        .map(|message| thinlab_playout::Message {
            at_ns: message.at_ns,
            bytes: message.bytes,
        })
        .collect();
    let mut damaged_ms = 0.0;
    let mut is_thrown_away = vec![false; messages.len()];
    for (&number, bytes) in &changed {
        let length_ms = length_ms(&messages, number);
        let damage = thinlab_playout::damage(codec, &mut messages[number].bytes, bytes);
        damaged_ms += length_ms * damage.share;
        is_thrown_away[number] = !damage.is_heard;
    }
    let is_lossy = is_of_datagrams || is_thrown_away.contains(&true);
    let arrivals = came(flow).zip(&flow.available_ns);
    let arrivals: Vec<_> = arrivals
        .filter(|(message, _)| !is_thrown_away[*message])
        .map(|(message, &at_ns)| Arrival { message, at_ns })
        .collect();
    let delays = pairs(flow).into_iter().map(|(write, read)| read - write);
    let path_minimum_ns = delays.min().unwrap_or(0);
    let play = if is_lossy {
        thinlab_playout::play_datagrams
    } else {
        thinlab_playout::play
    };
    let mut playout = play(codec, &messages, &arrivals, path_minimum_ns, length_samples)
        .map_err(|error| Fault::Failed(format!("playing the stream out: {error}")))?;
    playout.facts.damaged_ms = (!changed.is_empty()).then_some(damaged_ms);
    Ok(playout)
}

/// Of each message that was read changed: where in it, and what.
fn changed_by_message(
    messages: &[Message],
    flow: &TransferredFlow,
) -> BTreeMap<usize, Vec<(usize, u8)>> {
    let ends = ends(messages);
    let mut changed: BTreeMap<usize, Vec<(usize, u8)>> = BTreeMap::new();
    for (&at, &to) in flow.changed_at.iter().zip(&flow.changed_to) {
        let message = ends.partition_point(|&end| end <= at);
        let start = message.checked_sub(1).map_or(0, |before| ends[before]);
        let of_message = changed.entry(message).or_default();
        of_message.push(((at - start) as usize, to));
    }
    changed
}

/// How long a message's sound is: until then from when the one before it was captured.
fn length_ms(messages: &[thinlab_playout::Message], number: usize) -> f64 {
    let before = number.checked_sub(1);
    let began_ns = before.map_or(0, |before| messages[before].at_ns);
    (messages[number].at_ns - began_ns) as f64 / 1e6
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
