//! Where the one clock that stamps at both ends was set back.
//!
//! Stamps in another order than the file's may come from several queues of a network
//! card. But no host takes an acknowledgement back, or sends new data before what is in
//! front of them: if the order of stamps would have it so and the file's not, the clock
//! was set. What was under way then seems to arrive too early, and that tells by how much.
// SPDX-License-Identifier: Apache-2.0

use crate::capture::Packet;
use crate::flow::EndView;
use crate::step::{ClockStep, SetClock};
use crate::whole::Paired;

/// A capture's packets as the file has them, and where it goes back in time.
struct Filed<'a> {
    packets: Vec<&'a Packet>,
    /// Among all, the first packet after the step; 0: there is none.
    cut: usize,
    back_ns: i64,
}

impl<'a> Filed<'a> {
    fn of(view: &EndView<'a>) -> Self {
        let mut packets: Vec<_> = view.in_order().map(|(_, packet)| packet).collect();
        packets.sort_by_key(|packet| packet.frame);
        let backs = packets
            .windows(2)
            .map(|pair| pair[0].at_ns.saturating_sub(pair[1].at_ns));
        let (cut, back_ns) = backs
            .enumerate()
            .max_by_key(|(_, back_ns)| *back_ns)
            .filter(|(_, back_ns)| *back_ns > 0)
            .map_or((0, 0), |(at, back_ns)| (at + 1, back_ns));
        Self {
            packets,
            cut,
            back_ns,
        }
    }

    /// The first frame after the step.
    fn frame(&self) -> Option<u32> {
        (self.cut > 0).then(|| self.packets[self.cut].frame)
    }

    /// The step was behind a frame.
    fn cut_behind(&mut self, frame: u32) {
        let at = self.packets.partition_point(|packet| packet.frame <= frame);
        self.cut = if at < self.packets.len() { at } else { 0 };
    }
}

/// The largest step backwards, if stamps in order contradict the packets.
pub(crate) fn find(
    here: &EndView,
    there: &EndView,
    forward: &Paired,
    backward: &Paired,
) -> Option<ClockStep> {
    if !is_out_of_order(&here.forward) && !is_out_of_order(&there.backward) {
        return None;
    }
    let (mut sender, mut receiver) = (Filed::of(here), Filed::of(there));
    let forward = Crossings(forward, &here.forward, &there.forward);
    let backward = Crossings(backward, &there.backward, &here.backward);
    if let Some(frame) = receiver.frame().filter(|_| sender.cut == 0) {
        sender.cut_behind(forward.left_before(frame, receiver.back_ns));
    } else if let Some(frame) = sender.frame().filter(|_| receiver.cut == 0) {
        receiver.cut_behind(backward.left_before(frame, sender.back_ns));
    }
    let frames = [sender.frame(), receiver.frame()];
    let [here_cut, there_cut] = frames.map(|frame| frame.unwrap_or(u32::MAX));
    let early_ns = [
        forward.too_early_ns(here_cut, there_cut),
        backward.too_early_ns(there_cut, here_cut),
    ];
    let back_ns = sender.back_ns.max(receiver.back_ns);
    let mut after = [&sender, &receiver]
        .into_iter()
        .filter(|filed| filed.cut > 0);
    let first = after.next()?;
    Some(ClockStep {
        clock: SetClock::Shared,
        sender_frame: frames[0],
        receiver_frame: frames[1],
        at_ns: first.packets[first.cut].at_ns,
        by_ns: -back_ns.max(early_ns[0]).max(early_ns[1]),
        uncertainty_ns: None,
    })
}

/// Whether stamps put what a host sent into an order in which hosts do not send, and the
/// file less so.
fn is_out_of_order(sent: &[&Packet]) -> bool {
    let by_stamps = contradictions(sent);
    if by_stamps == 0 {
        return false;
    }
    let mut filed = sent.to_vec();
    filed.sort_by_key(|packet| packet.frame);
    contradictions(&filed) < by_stamps
}

/// How often a host, by this order, takes an acknowledgement back or leaves out data.
fn contradictions(sent: &[&Packet]) -> usize {
    let is_before = |one: u32, other: u32| (one.wrapping_sub(other) as i32) < 0;
    let mut last_ack = None;
    let mut next_seq = None;
    let mut count = 0;
    for packet in sent {
        if packet.flags.ack() {
            count += usize::from(last_ack.is_some_and(|last| is_before(packet.ack, last)));
            last_ack = Some(packet.ack);
        }
        count += usize::from(next_seq.is_some_and(|next| is_before(next, packet.seq)));
        let controls = u32::from(packet.flags.syn()) + u32::from(packet.flags.fin());
        let end = packet
            .seq
            .wrapping_add(packet.payload_bytes)
            .wrapping_add(controls);
        if next_seq.is_none_or(|next| is_before(next, end)) {
            next_seq = Some(end);
        }
    }
    count
}

/// Packets of one direction at both ends: which is which, departures, arrivals.
struct Crossings<'a>(&'a Paired, &'a [&'a Packet], &'a [&'a Packet]);

impl Crossings<'_> {
    fn pairs(&self) -> impl Iterator<Item = (&Packet, &Packet)> {
        let Self(paired, departures, arrivals) = self;
        let pairs = paired.pairs();
        pairs.map(|(departure, arrival)| (departures[departure], arrivals[arrival]))
    }

    /// By how much what was under way, having left before a frame and come from another
    /// on, is faster than everything else.
    fn too_early_ns(&self, left_before: u32, came_from: u32) -> i64 {
        let is_between =
            |left: &Packet, came: &Packet| left.frame < left_before && came.frame >= came_from;
        let lowest_ns = |between: bool| {
            let pairs = self.pairs();
            let those = pairs.filter(|(left, came)| is_between(left, came) == between);
            those
                .map(|(left, came)| came.at_ns.saturating_sub(left.at_ns))
                .min()
        };
        let early_ns = lowest_ns(false).zip(lowest_ns(true));
        early_ns.map_or(0, |(usual_ns, early_ns)| usual_ns.saturating_sub(early_ns))
    }

    /// The last departure before the clock was set back, which it was at the other end
    /// before a frame: what came earlier, or came too early.
    fn left_before(&self, came_from: u32, back_ns: i64) -> u32 {
        let before = self.pairs().filter(|(_, came)| came.frame < came_from);
        let usual_ns = before
            .map(|(left, came)| came.at_ns.saturating_sub(left.at_ns))
            .min();
        let early_ns = usual_ns.map_or(i64::MIN, |usual_ns| usual_ns - back_ns / 2);
        let before = self.pairs().filter(|(left, came)| {
            came.frame < came_from || came.at_ns.saturating_sub(left.at_ns) < early_ns
        });
        before.map(|(left, _)| left.frame).max().unwrap_or(0)
    }
}
