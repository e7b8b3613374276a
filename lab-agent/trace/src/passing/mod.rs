//! Two captures to figures and curves while their packets pass: nothing is kept of a
//! packet for longer than its path may hold it, so that memory does not grow with the
//! files.
//!
//! What comes out is what [`analyze`](crate::analyze) says of the same files. Where only
//! whole captures tell (packets that are alike, two clocks, several connections), nothing
//! comes out.
// SPDX-License-Identifier: Apache-2.0

mod census;
mod connection;
mod crossing;
mod tally;

pub use self::census::{Census, Told};

use self::connection::{Opening, Passing};
use crate::analysis::{Clock, Options};
use crate::error::{Direction, End};
use crate::flow::{Flow, Role};
use crate::read::frame::{Frames, SeenPacket};
use crate::read::records::Records;
use crate::summary::Summary;

/// How long a path may hold a packet: TCP's maximum segment lifetime (RFC 9293,
/// section 3.4.1).
const HELD_NS: i64 = 120_000_000_000;
/// And how many of one direction's: 10 Gbit/s for 300 ms.
const MOST_HELD: usize = 1 << 18;

/// Only whole captures tell.
#[derive(Debug)]
struct Unclear;

/// The figures and curves of the connection that two files hold, in memory that grows
/// with what is under way and with how many latencies differ, not with the files.
///
/// None where that takes the captures in whole, or where they are refused: then
/// [`read_capture`](crate::read_capture) and [`analyze`](crate::analyze) say more.
pub fn summarize(sender: &[u8], receiver: &[u8], options: &Options) -> Option<Summary> {
    if options.clock == Clock::Separate {
        return None;
    }
    let pass = |flow| pass([sender, receiver], opening(sender, flow)?, flow, options);
    match pass(options.flow).ok()? {
        Passed::Whole(summary) => Some(*summary),
        Passed::Against(flow) => match pass(Some(flow.reversed())).ok()? {
            Passed::Whole(summary) => Some(*summary),
            Passed::Against(_) => None,
        },
    }
}

/// What came of going through both files.
enum Passed {
    Whole(Box<Summary>),
    /// Most went the other way, which only their end has shown.
    Against(Flow),
}

/// Where a flow begins, or the first one that the sender's capture holds.
fn opening(sender: &[u8], wanted: Option<Flow>) -> Result<Opening, Unclear> {
    let mut packets = Packets::of(sender)?;
    let mut known = wanted;
    while packets.pass()? {
        let packet = &packets.seen.packet;
        if packet.is_damaged() || packet.is_sctp() {
            return Err(Unclear);
        }
        let connection = packets.frames.connections[packet.connection as usize];
        let mut flow = Flow {
            sender: connection.first,
            receiver: connection.second,
        };
        if !packet.from_first {
            flow = flow.reversed();
        }
        let answers = packet.flags.syn() && packet.flags.ack();
        if known.is_none() && (packet.flags.syn() || packet.payload_bytes > 0) {
            known = Some(if answers { flow.reversed() } else { flow });
        }
        if known == Some(flow) && (packet.flags.syn() || packet.payload_bytes > 0) {
            let origin = packet.seq.wrapping_add(u32::from(packet.flags.syn()));
            return Ok(Opening { flow, origin });
        }
    }
    Err(Unclear)
}

/// Leads a connection through both files, the way that is `wanted` or, if none is, that
/// it began with.
fn pass(
    files: [&[u8]; 2],
    opening: Opening,
    wanted: Option<Flow>,
    options: &Options,
) -> Result<Passed, Unclear> {
    let ends = options.message_ends.as_deref();
    let rise = ends.is_none_or(|ends| ends.is_sorted_by(|one, next| one < next));
    if !rise || ends.is_some_and(|ends| ends.first() == Some(&0)) {
        return Err(Unclear);
    }
    let flow = opening.flow;
    let is_only = options.flow.is_none();
    let mut passing = Passing::new(opening, ends);
    let mut here = CapturedEnd::of(files[0], flow, is_only)?;
    let mut there = CapturedEnd::of(files[1], flow, is_only)?;
    here.pass()?;
    there.pass()?;
    loop {
        let is_here = match (here.direction, there.direction) {
            (Some(_), Some(_)) => here.packets.at_ns() <= there.packets.at_ns(),
            (here, _) => here.is_some(),
        };
        let (end, captured) = if is_here {
            (End::Sender, &mut here)
        } else {
            (End::Receiver, &mut there)
        };
        let Some(direction) = captured.direction else {
            break;
        };
        passing.saw(end, direction, &captured.packets.seen.packet)?;
        captured.pass()?;
    }
    if wanted.is_none() && passing.goes_back()? {
        return Ok(Passed::Against(flow));
    }
    let [here, there] = [here.packets, there.packets];
    let fragments = here.frames.skipped.fragments + there.frames.skipped.fragments;
    let slack_ns = i64::from(here.resolution_ns) + i64::from(there.resolution_ns);
    let summary = passing.finish(fragments, slack_ns)?.ok_or(Unclear)?;
    Ok(Passed::Whole(Box::new(summary)))
}

/// One end's packets of a flow.
struct CapturedEnd<'a> {
    packets: Packets<'a>,
    flow: Flow,
    /// Whether there is to be no other flow.
    is_only: bool,
    /// By connection.
    roles: Vec<Option<Role>>,
    /// Which way the packet at hand goes; none at the end.
    direction: Option<Direction>,
}

impl<'a> CapturedEnd<'a> {
    fn of(file: &'a [u8], flow: Flow, is_only: bool) -> Result<Self, Unclear> {
        Ok(Self {
            packets: Packets::of(file)?,
            flow,
            is_only,
            roles: Vec::new(),
            direction: None,
        })
    }

    /// On to the flow's next packet.
    fn pass(&mut self) -> Result<(), Unclear> {
        while self.packets.pass()? {
            let packet = &self.packets.seen.packet;
            if packet.is_sctp() {
                return Err(Unclear);
            }
            let connections = &self.packets.frames.connections;
            while let Some(connection) = connections.get(self.roles.len()) {
                self.roles.push(Role::of(connection, &self.flow));
            }
            let role = self.roles[packet.connection as usize];
            let Some(role) = role.filter(|role| role.exact) else {
                // It may have been the flow's before it was damaged.
                if self.is_only || role.is_some() && packet.is_damaged() {
                    return Err(Unclear);
                }
                continue;
            };
            self.direction = Some(if role.is_forward(packet) {
                Direction::Forward
            } else {
                Direction::Backward
            });
            return Ok(());
        }
        self.direction = None;
        Ok(())
    }
}

/// The packets of a file, in order of time. SCTP's are only known to be there.
struct Packets<'a> {
    records: Records<'a>,
    frames: Frames,
    resolution_ns: u32,
    /// The packet at hand, which stays where it is: it would be copied as often as it
    /// changes hands.
    seen: SeenPacket,
}

impl<'a> Packets<'a> {
    fn of(file: &'a [u8]) -> Result<Self, Unclear> {
        Ok(Self {
            records: Records::of(file).map_err(|_| Unclear)?,
            frames: Frames::of_all(),
            resolution_ns: 1,
            seen: SeenPacket::NONE,
        })
    }

    /// Of the packet at hand.
    fn at_ns(&self) -> i64 {
        self.seen.packet.at_ns
    }

    /// On to the next packet, if there is one.
    fn pass(&mut self) -> Result<bool, Unclear> {
        loop {
            // Looked at where it is, for the same reason.
            let next = self.records.next();
            let record = match &next {
                Ok(Some(record)) => record,
                Ok(None) => return Ok(false),
                Err(_) => return Err(Unclear),
            };
            self.resolution_ns = self.resolution_ns.max(record.resolution_ns);
            let last_ns = self.at_ns();
            self.frames.chunks.clear();
            if self.frames.see(record, &mut self.seen) {
                return if self.at_ns() < last_ns {
                    Err(Unclear)
                } else {
                    Ok(true)
                };
            }
        }
    }
}
