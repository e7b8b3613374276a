//! Every packet of a connection, one by one: when it left, when it arrived if it
//! did, and what it carried.
// SPDX-License-Identifier: Apache-2.0

use crate::Capture;
use crate::capture::Packet;
use crate::copies::pair;
use crate::error::AnalyzeError;
use crate::flow::{self, EndView, Flow};
use crate::traffic::{self, DataPacket};

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
}

/// All packets of a connection, both directions, in the order in which they
/// left; both captures by one clock.
///
/// # Errors
/// [`AnalyzeError`], when the captures do not belong together or hold several
/// flows.
pub fn packets(
    sender: &Capture,
    receiver: &Capture,
    flow: Option<Flow>,
) -> Result<Vec<PacketPassage>, AnalyzeError> {
    let flow = flow::choose(sender, receiver, flow)?;
    let mut found = one_way(sender, receiver, &flow, true)?;
    found.extend(one_way(receiver, sender, &flow.reversed(), false)?);
    found.sort_by_key(|passage| passage.sent_ns);
    Ok(found)
}

fn one_way(
    from: &Capture,
    to: &Capture,
    flow: &Flow,
    forward: bool,
) -> Result<Vec<PacketPassage>, AnalyzeError> {
    let (here, there) = (EndView::new(from, flow), EndView::new(to, flow));
    let data = match flow::origin(&here, &there, flow) {
        Ok(origin) => traffic::read(&here, origin).data,
        // A direction in which nothing but acknowledgements went.
        Err(AnalyzeError::NoData { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    let mut data_of: Vec<Option<DataPacket>> = vec![None; here.forward.len()];
    for packet in data {
        data_of[packet.packet] = Some(packet);
    }
    let pairing = pair(&here.forward, &there.forward);
    let departures = here.forward.iter().zip(data_of).enumerate();
    let passage = |(index, (packet, data)): (usize, (&&Packet, Option<DataPacket>))| {
        let (start, end, new_from) = data.map_or((0, 0, 0), |it| (it.start, it.end, it.new_from));
        PacketPassage {
            forward,
            kind: kind(packet, data.as_ref()),
            sent_ns: packet.at_ns,
            arrived_ns: pairing.arrival_of[index].map(|arrival| there.forward[arrival].at_ns),
            start,
            end,
            new_from,
        }
    };
    Ok(departures.map(passage).collect())
}

fn kind(packet: &Packet, data: Option<&DataPacket>) -> PacketKind {
    match data {
        Some(data) if data.is_bundle() => PacketKind::Bundle,
        Some(data) if data.is_retransmission() => PacketKind::Retransmission,
        Some(_) => PacketKind::New,
        None if packet.flags.syn() || packet.flags.fin() => PacketKind::Control,
        None => PacketKind::Acknowledgement,
    }
}
