//! A session: streams over lanes of their own, from the request to the metrics.
//!
//! request → messages → guest → captures and instants → metrics, recordings.
//! Only the guest's part needs a host; the rest is pure and runs here.
// SPDX-License-Identifier: Apache-2.0
mod check;
pub mod events;
mod flow;
mod measure;
mod receiving;
mod sending;
pub mod transfer;
mod waiting;

use std::net::SocketAddrV4;

use lab_proto::guest::{Transfer, TransferFlow, TransferLane};
use lab_proto::stream::Kind;
use lab_proto::{Flow as FlowSpec, LaneSpec, SessionResult, SessionSpec};
use thinlab_trace::{Flow as Addresses, accept_damaged};

use crate::boot::{CaptureFiles, Host, Sent};
use crate::endpoint::connection::Which;
use crate::engine::files::{analysing, packets};
use crate::fault::{Outcome, invalid};
use crate::lane::mechanism;
use crate::lane::protocol::Protocol;
use crate::punctual::at_leisure;
use crate::random::SplitMix;
use crate::source::{self, Message, audio};

/// What a session is doing; the names are the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Encoding the source and starting a guest.
    Boot,
    /// The stream is on its way.
    Send,
    /// Matching the captures.
    Analyse,
    /// Making the recording.
    PlayOut,
}

impl Stage {
    /// As in `SessionProgress.stage`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boot => "boot",
            Self::Send => "send",
            Self::Analyse => "analyse",
            Self::PlayOut => "play out",
        }
    }
}

/// A finished session, lane by lane.
pub struct Session(pub Vec<FinishedLane>);

/// What became of a lane.
pub struct FinishedLane {
    /// What both ends saw.
    pub captures: CaptureFiles,
    /// What the kernel said that it was set to, as text.
    pub settings: String,
    /// What became of its flows.
    pub flows: Vec<FinishedFlow>,
}

/// What became of a flow.
pub struct FinishedFlow {
    /// Metrics and checks.
    pub result: SessionResult,
    /// 48 kHz mono; audio streams only.
    pub recording: Option<Vec<i16>>,
}

/// A session that can be sent: what was asked for, and each flow's messages.
struct Prepared {
    spec: SessionSpec,
    messages: Vec<Vec<Vec<Message>>>,
}

/// Runs a session. `progress` hears of every stage that begins.
pub async fn run(
    host: &Host,
    spec: SessionSpec,
    progress: impl Fn(Stage) + Clone + Send + 'static,
) -> Outcome<Session> {
    progress(Stage::Boot);
    check::session(host.description(), &spec)?;
    let (prepared, transfer) = at_leisure(move || prepare(spec)).await?;
    let booted = progress.clone();
    let sent = host.transfer(transfer, move || booted(Stage::Send)).await?;
    at_leisure(move || finish(prepared, sent, progress)).await
}

/// One flow over one lane, with its messages.
pub fn transfer(lane: LaneSpec, messages: &[Message]) -> Transfer {
    Transfer {
        lanes: vec![TransferLane {
            lane: Some(lane),
            flows: vec![transfer_flow(messages, false)],
            ..TransferLane::default()
        }],
        ..Transfer::default()
    }
}

fn transfer_flow(messages: &[Message], backward: bool) -> TransferFlow {
    TransferFlow {
        at_ns: messages.iter().map(|message| message.at_ns).collect(),
        message_bytes: messages.iter().map(|m| m.bytes.len() as u32).collect(),
        stream: messages.iter().flat_map(|m| &m.bytes).copied().collect(),
        backward,
        ..TransferFlow::default()
    }
}

/// As [`transfer_flow`]; of a flow that answers, the times between its messages.
fn transfer_flow_of(flow: &FlowSpec, messages: &[Message]) -> TransferFlow {
    let mut transfer = transfer_flow(messages, flow.backward);
    transfer.same_connection = flow.same_connection;
    transfer.answers = flow.answers;
    if flow.answers {
        let mut earlier_ns = 0;
        for at_ns in &mut transfer.at_ns {
            (*at_ns, earlier_ns) = (*at_ns - earlier_ns, *at_ns);
        }
    }
    transfer
}

/// Works out what is sent.
fn prepare(spec: SessionSpec) -> Outcome<(Prepared, Transfer)> {
    let seed = |at: usize| spec.lanes[at].lane.as_ref().map_or(0, |lane| lane.seed);
    let mut messages = Vec::new();
    let mut transfer = Transfer {
        shared_bottleneck: spec.shared_bottleneck,
        ..Transfer::default()
    };
    let mut flows_before = 0;
    for (at, lane) in spec.lanes.iter().enumerate() {
        // Lanes side by side send the same, so that they can be compared; lanes that
        // compete do not.
        let (seed, first) = if spec.shared_bottleneck {
            (seed(0), flows_before)
        } else {
            (seed(at), 0)
        };
        flows_before += lane.flows.len();
        let mut of_lane: Vec<Vec<Message>> = Vec::new();
        for (nth, flow) in lane.flows.iter().enumerate() {
            let seed = of_flow(seed, (first + nth) as u64);
            let sent = match of_lane.last() {
                Some(questions) if flow.answers => answers(flow, questions.len(), seed),
                _ => messages_of(flow, seed),
            };
            let place = format!("lanes[{at}].flows[{nth}].");
            let sent = sent.map_err(|fault| fault.below(&place))?;
            check::messages(lane.lane.as_ref(), &sent).map_err(|fault| fault.below(&place))?;
            of_lane.push(sent);
        }
        let flows = lane.flows.iter().zip(&of_lane);
        transfer.lanes.push(TransferLane {
            lane: lane.lane.clone(),
            flows: flows
                .map(|(flow, sent)| transfer_flow_of(flow, sent))
                .collect(),
            changes: lane.changes.clone(),
            changes_may_remain: lane.changes_may_remain,
        });
        messages.push(of_lane);
    }
    check::size(&transfer)?;
    Ok((Prepared { spec, messages }, transfer))
}

/// The seed of the `number`th flow. The first one's is the lane's own.
fn of_flow(seed: u64, number: u64) -> u64 {
    if number == 0 {
        return seed;
    }
    SplitMix(seed ^ number.rotate_left(40)).next()
}

fn kind_of(flow: &FlowSpec) -> Option<&Kind> {
    flow.stream.as_ref()?.kind.as_ref()
}

fn messages_of(flow: &FlowSpec, seed: u64) -> Outcome<Vec<Message>> {
    let mut messages = source::messages(kind_of(flow), seed)?;
    let lasts_ns = messages.last().map_or(0, |message| message.at_ns);
    if flow.begins_ns > source::LONGEST_STREAM_NS.saturating_sub(lasts_ns) {
        return invalid(
            "begins_ns lets the flow end more than a day after the session began: let it begin \
             earlier",
        );
    }
    for message in &mut messages {
        message.at_ns += flow.begins_ns;
    }
    Ok(messages)
}

/// The messages of a flow that answers so many of another.
fn answers(flow: &FlowSpec, questions: usize, seed: u64) -> Outcome<Vec<Message>> {
    let Some(Kind::Drawn(drawn)) = kind_of(flow) else {
        return invalid("answers needs a drawn stream: give drawn, or leave answers out");
    };
    if (drawn.messages, drawn.lasts_us) != (0, 0) {
        return invalid(
            "answers end with what they answer: leave drawn.messages and drawn.lasts_us out",
        );
    }
    if flow.begins_ns > 0 {
        return invalid("answers begin with what they answer: leave begins_ns out");
    }
    let mut drawn = drawn.clone();
    drawn.messages = questions as u32;
    source::messages(Some(&Kind::Drawn(drawn)), seed)
}

/// Where the lane's `nth` flow is written and read.
fn addresses(lane: usize, nth: usize, flow: &FlowSpec) -> (SocketAddrV4, SocketAddrV4) {
    let which = |number: usize, backward| Which {
        number: number as u16,
        backward,
    };
    if flow.same_connection {
        let (reader, writer) = which(nth - 1, !flow.backward).addresses(lane);
        return (writer, reader);
    }
    which(nth, flow.backward).addresses(lane)
}

fn is_of_datagrams(lane: &LaneSpec) -> bool {
    Protocol::of_lane(lane).is_of_datagrams()
}

fn finish(prepared: Prepared, sent: Sent, progress: impl Fn(Stage)) -> Outcome<Session> {
    let start = std::time::Instant::now();
    progress(Stage::Analyse);
    let mut lanes = Vec::new();
    let asked = prepared.spec.lanes.iter().zip(prepared.messages);
    let came = sent.transferred.lanes.iter().zip(sent.captures);
    for (number, ((lane, messages), (transferred, captures))) in asked.zip(came).enumerate() {
        let (mut sender, mut receiver) = packets(&captures)?;
        let takes_damage = lane.lane.as_ref().is_some_and(mechanism::takes_damage);
        let mut flows = Vec::new();
        let of_lane = lane.flows.iter().zip(messages).zip(&transferred.flows);
        for (nth, ((flow, messages), came)) in of_lane.enumerate() {
            let (writer, reader) = addresses(number, nth, flow);
            let which = Addresses {
                sender: writer.into(),
                receiver: reader.into(),
            };
            let (writers, readers) = if flow.backward {
                (&receiver, &mut sender)
            } else {
                (&sender, &mut receiver)
            };
            if takes_damage {
                accept_damaged(writers, readers, Some(which)).map_err(|error| analysing(&error))?;
            }
            let captures = (writers, &*readers);
            let is_of_datagrams = lane.lane.as_ref().is_some_and(is_of_datagrams);
            let ends = measure::ends(&messages);
            let mut result =
                measure::metrics(&ends, is_of_datagrams, which, captures, transferred, came)?;
            let recording = match kind_of(flow) {
                Some(Kind::Audio(audio)) => {
                    progress(Stage::PlayOut);
                    let length = audio::samples(audio)?.len();
                    let codec = audio::codec(audio.codec)?;
                    let playout =
                        measure::play_out(codec, messages, came, is_of_datagrams, length)?;
                    result.playout = Some(playout.facts);
                    result.playout_events = playout.events;
                    Some(playout.samples)
                }
                _ => None,
            };
            flows.push(FinishedFlow { result, recording });
        }
        lanes.push(FinishedLane {
            captures,
            settings: transferred.settings.clone(),
            flows,
        });
    }
    let wall_ns = sent.wall_ns + start.elapsed().as_nanos() as u64;
    for flow in lanes.iter_mut().flat_map(|lane| &mut lane.flows) {
        flow.result.wall_ns = wall_ns;
    }
    Ok(Session(lanes))
}
