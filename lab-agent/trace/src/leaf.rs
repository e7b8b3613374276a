//! Where protocols differ: how a packet becomes what it carries of a stream, and what it
//! acknowledges. Everything behind that (what is new, why it left, what was needless, how
//! long it took) is the same for all, and written once.
// SPDX-License-Identifier: Apache-2.0

use crate::capture::Packet;
use crate::error::Direction;
use crate::receiving::{Receiving, Said, Taken};
use crate::sending::{Sending, Sent};

/// A protocol's reading of its packets, in the order of each capture. `way` is where the
/// packet goes.
pub(crate) trait Leaf {
    /// A packet leaves. What it turns out to be goes to where it stays, `sent`, where nothing
    /// is yet; so does what [`Leaf::take`] makes of one: a copy of what was just written has to
    /// wait until it is.
    fn depart(&mut self, way: Direction, sending: &mut Sending, packet: &Packet, sent: &mut Sent);
    /// It leaves with an acknowledgement of the other way's stream.
    fn say(&mut self, way: Direction, receiving: &mut Receiving, packet: &Packet) -> Said;
    /// An undamaged packet comes.
    fn take(
        &mut self,
        way: Direction,
        receiving: &mut Receiving,
        packet: &Packet,
        taken: &mut Taken,
    );
    /// It comes with an acknowledgement of the other way's stream.
    fn hear(&mut self, way: Direction, sending: &mut Sending, packet: &Packet);
}

/// One range of bytes a packet, by sequence number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tcp;

impl Leaf for Tcp {
    #[inline]
    fn depart(&mut self, _: Direction, sending: &mut Sending, packet: &Packet, sent: &mut Sent) {
        sending.depart(packet, sent);
    }

    #[inline]
    fn say(&mut self, _: Direction, receiving: &mut Receiving, packet: &Packet) -> Said {
        receiving.say(packet)
    }

    #[inline]
    fn take(
        &mut self,
        _: Direction,
        receiving: &mut Receiving,
        packet: &Packet,
        taken: &mut Taken,
    ) {
        receiving.take(packet, taken);
    }

    #[inline]
    fn hear(&mut self, _: Direction, sending: &mut Sending, packet: &Packet) {
        sending.hear(packet);
    }
}
