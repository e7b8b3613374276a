//! What a transfer's captures and instants say.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::SessionResult;
use lab_proto::guest::Transferred;
use thinlab_playout::{Arrival, Playout};
use thinlab_trace::{Options, analyze, felt};

use crate::boot::Sent;
use crate::engine::files::{analysing, packets};
use crate::fault::{Fault, Outcome};
use crate::source::Message;

/// Analyses both captures and what the application saw.
pub fn metrics(messages: &[Message], sent: &Sent) -> Outcome<SessionResult> {
    let (sender, receiver) = packets(&sent.captures)?;
    let mut end = 0;
    let ends = messages.iter().map(|message| {
        end += message.bytes.len() as u64;
        end
    });
    let options = Options {
        message_ends: Some(ends.collect()),
        ..Options::default()
    };
    let analysis = analyze(&sender, &receiver, &options).map_err(|error| analysing(&error))?;
    let transferred = &sent.transferred;
    Ok(SessionResult {
        check: transferred.check,
        metrics: Some(analysis.metrics),
        felt: Some(felt(&pairs(transferred))),
        playout: None,
        counters: transferred.counters.clone(),
        stream_ns: transferred.stream_ns,
        wall_ns: 0,
        tcp_info: transferred.tcp_info,
        receiver_counters: transferred.receiver_counters.clone(),
        copies: Some(analysis.traffic.copies()),
        playout_events: Vec::new(),
        late: Some(analysis.late),
    })
}

/// What a telephone at the receiver plays.
pub fn play_out(
    messages: Vec<Message>,
    transferred: &Transferred,
    length_samples: usize,
) -> Outcome<Playout> {
    let messages: Vec<_> = messages
        .into_iter()
        .map(|message| thinlab_playout::Message {
            at_ns: message.at_ns,
            bytes: message.bytes,
        })
        .collect();
    let arrivals: Vec<_> = transferred
        .available_ns
        .iter()
        .enumerate()
        .map(|(message, &at_ns)| Arrival { message, at_ns })
        .collect();
    let delays = pairs(transferred)
        .into_iter()
        .map(|(write, read)| read - write);
    let path_minimum_ns = delays.min().unwrap_or(0);
    thinlab_playout::play(&messages, &arrivals, path_minimum_ns, length_samples)
        .map_err(|error| Fault::Failed(format!("playing the stream out: {error}")))
}

/// When each message was written and when it could be read.
fn pairs(transferred: &Transferred) -> Vec<(u64, u64)> {
    let written = transferred.written_ns.iter().copied();
    written
        .zip(transferred.available_ns.iter().copied())
        .collect()
}
