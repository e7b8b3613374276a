//! What the applications wrote, off one capture, wherever on the path it was taken:
//! what a replay sends.
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::net::SocketAddr;

use crate::capture::{Capture, Packet, Protocol};
use crate::unwrap::Unwrap;

/// Bytes that an application handed to its socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// When its first byte was first seen, since 1970.
    pub at_ns: i64,
    /// How many.
    pub bytes: u64,
}

/// A connection as its applications see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Who opened it; where that was not captured, who was seen first.
    pub client: SocketAddr,
    /// The other end.
    pub server: SocketAddr,
    /// From client to server, in order of time.
    pub there: Vec<Write>,
    /// From server to client.
    pub back: Vec<Write>,
}

/// Every connection that carried data, in the order of their first packets.
///
/// Bytes seen before (retransmissions, bundles, probes) and packets without data
/// are left out, and so are damaged packets. A write ends with a segment that says
/// so (PSH); segments without belong to the write of what follows.
pub fn conversations(capture: &Capture) -> Vec<Conversation> {
    let mut open: HashMap<u32, usize> = HashMap::new();
    let mut all: Vec<Following> = Vec::new();
    let protocol = |one: &Packet| capture.connections[one.connection as usize].protocol;
    let whole = |one: &&Packet| !one.is_damaged() && protocol(one) == Protocol::Tcp;
    for packet in capture.packets.iter().filter(whole) {
        let is_new = packet.flags.syn() && !packet.flags.ack();
        let place = open.get(&packet.connection).copied();
        // A SYN that is sent again is of the same connection: nothing was written yet.
        let place = place.filter(|&place| !is_new || !all[place].has_data());
        let place = place.unwrap_or_else(|| {
            all.push(Following::new(capture, packet));
            open.insert(packet.connection, all.len() - 1);
            all.len() - 1
        });
        all[place].take(packet);
    }
    let spoken = all.into_iter().filter(Following::has_data);
    spoken.map(|one| one.conversation).collect()
}

struct Following {
    conversation: Conversation,
    client_is_first: bool,
    there: Way,
    back: Way,
}

impl Following {
    fn new(capture: &Capture, packet: &Packet) -> Self {
        let connection = &capture.connections[packet.connection as usize];
        // A SYN-ACK comes from the other end.
        let answers = packet.flags.syn() && packet.flags.ack();
        let client_is_first = packet.from_first != answers;
        let (mut client, mut server) = (connection.first, connection.second);
        if !client_is_first {
            (client, server) = (server, client);
        }
        Self {
            conversation: Conversation {
                client,
                server,
                there: Vec::new(),
                back: Vec::new(),
            },
            client_is_first,
            there: Way::default(),
            back: Way::default(),
        }
    }

    fn has_data(&self) -> bool {
        !self.conversation.there.is_empty() || !self.conversation.back.is_empty()
    }

    fn take(&mut self, packet: &Packet) {
        if packet.from_first == self.client_is_first {
            self.there.take(packet, &mut self.conversation.there);
        } else {
            self.back.take(packet, &mut self.conversation.back);
        }
    }
}

/// One direction of a connection.
#[derive(Default)]
struct Way {
    numbers: Option<Unwrap>,
    /// Offset after the last byte seen.
    end: i64,
    /// Whether the last write goes on.
    goes_on: bool,
}

impl Way {
    fn take(&mut self, packet: &Packet, writes: &mut Vec<Write>) {
        // A SYN takes a number of its own, ahead of its data.
        let first = packet.seq.wrapping_add(u32::from(packet.flags.syn()));
        let numbers = self.numbers.get_or_insert_with(|| Unwrap::new(first));
        if packet.payload_bytes == 0 {
            return;
        }
        let end = numbers.offset(first) + i64::from(packet.payload_bytes);
        if end <= self.end {
            return;
        }
        // What the capture lacks in between was written, too.
        let bytes = (end - self.end) as u64;
        self.end = end;
        match writes.last_mut() {
            Some(write) if self.goes_on => write.bytes += bytes,
            _ => writes.push(Write {
                at_ns: packet.at_ns,
                bytes,
            }),
        }
        self.goes_on = !packet.flags.psh();
    }
}
