//! Every packet of a connection, one by one: when it left, when it arrived if it
//! did, and what it carried.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::Recovery;

use crate::Capture;
use crate::capture::Packet;
use crate::error::AnalyzeError;
use crate::flow::{self, EndView, Flow};
use crate::steady::without_steps;
use crate::step::ClockStep;
use crate::traffic::Carried;
use crate::whole;

/// What a packet was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketKind {
    /// Opens or closes the connection.
    Control,
    /// Nothing but an acknowledgement; a probe of one byte too.
    Acknowledgement,
    /// New bytes alone.
    New,
    /// New bytes behind bytes sent before.
    Bundle,
    /// Only bytes sent before.
    Retransmission,
}

/// One packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketPassage {
    /// From the flow's sender to its receiver; else the way back.
    pub forward: bool,
    /// What it was for.
    pub kind: PacketKind,
    /// When it left.
    pub sent_ns: i64,
    /// When its first undamaged copy arrived; none: it was lost.
    pub arrived_ns: Option<i64>,
    /// Its bytes of its direction's stream; empty without payload.
    pub start: u64,
    /// Where they end.
    pub end: u64,
    /// Where those sent for the first time begin; `end` when there are none.
    pub new_from: u64,
    /// Up to where it acknowledges the other direction's stream.
    pub acknowledged: u64,
    /// Whether it only says so again, although bytes beyond that have come: a
    /// dupACK.
    pub duplicate: bool,
    /// Whether it acknowledges selectively what is beyond.
    pub selective: bool,
    /// Of a retransmission, whether acknowledgements called for it
    /// ([`Recovery::Fast`]) or the timer did ([`Recovery::Timeout`]); else
    /// unspecified.
    pub cause: Recovery,
}

/// All packets of a connection, both directions, in the order in which they
/// left; each capture by its own clock, from which `steps` are taken out.
///
/// # Errors
/// [`AnalyzeError`], when the captures do not belong together or hold several
/// flows.
pub fn packets(
    sender: &Capture,
    receiver: &Capture,
    flow: Option<Flow>,
    steps: &[ClockStep],
) -> Result<Vec<PacketPassage>, AnalyzeError> {
    let flow = flow::choose(sender, receiver, flow)?;
    let (here, there) = (EndView::new(sender, &flow), EndView::new(receiver, &flow));
    let tracker = without_steps((&here, &there), steps, |here, there| {
        whole::by_one_clock(here, there, &flow).map(|tracked| tracked.tracker)
    })?;
    let departures = tracker.forward.departures.iter();
    let mut found: Vec<PacketPassage> = departures
        .chain(tracker.backward.departures.iter())
        .map(|departure| departure.passage)
        .collect();
    found.sort_by_key(|passage| passage.sent_ns);
    Ok(found)
}

impl PacketKind {
    pub(crate) fn of(packet: &Packet, carried: Option<&Carried>) -> Self {
        match carried {
            Some(carried) if carried.is_bundle() => Self::Bundle,
            Some(carried) if carried.is_retransmission() => Self::Retransmission,
            Some(_) => Self::New,
            None if packet.flags.syn() || packet.flags.fin() => Self::Control,
            None => Self::Acknowledgement,
        }
    }
}
