//! Addresses that a NAT between the captures rewrites, as the user gives them.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use crate::capture::{Capture, Connection, Protocol};
use crate::flow::Flow;

/// An address behind a NAT, and what the far capture shows instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nat {
    inside: Address,
    outside: Address,
}

/// With a port, where only that one is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Address {
    ip: IpAddr,
    port: Option<u16>,
}

/// A translation that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "translation {0:?}: expected INSIDE=OUTSIDE, each an address or, both alike, an address and port, \
     such as 10.0.1.1=203.0.113.7 or 10.0.1.1:40000=203.0.113.7:61000"
)]
pub struct NatSyntax(String);

impl FromStr for Nat {
    type Err = NatSyntax;

    fn from_str(text: &str) -> Result<Self, NatSyntax> {
        let address = |text: &str| {
            let socket = text.parse::<SocketAddr>().map(|socket| Address {
                ip: socket.ip(),
                port: Some(socket.port()),
            });
            let alone = || text.parse().map(|ip| Address { ip, port: None });
            socket.or_else(|_| alone()).ok()
        };
        let parse = || {
            let (inside, outside) = text.split_once('=')?;
            let nat = Self {
                inside: address(inside)?,
                outside: address(outside)?,
            };
            (nat.inside.port.is_some() == nat.outside.port.is_some()).then_some(nat)
        };
        parse().ok_or_else(|| NatSyntax(text.into()))
    }
}

impl Nat {
    fn inside(&self, seen: SocketAddr) -> Option<SocketAddr> {
        let fits = seen.ip() == self.outside.ip
            && self.outside.port.is_none_or(|port| port == seen.port());
        fits.then(|| SocketAddr::new(self.inside.ip, self.inside.port.unwrap_or(seen.port())))
    }
}

impl Capture {
    /// This capture, taken beyond a NAT, with the addresses of one taken behind it.
    ///
    /// Where the NAT chose ports of its own, a connection is known by what no NAT
    /// rewrites: its initial sequence number.
    #[must_use]
    pub fn behind(self, nats: &[Nat], inside: &Self) -> Self {
        let translated = |socket| nats.iter().find_map(|nat| nat.inside(socket));
        let known: HashSet<_> = inside
            .connections
            .iter()
            .map(|connection| (connection.protocol, connection.flow().ends()))
            .collect();
        let opened = inside.opened();
        let opened_here = self.opened();
        let renamed = self.connections.iter().enumerate().map(|(at, seen)| {
            let (first, second) = (translated(seen.first), translated(seen.second));
            let name = Connection {
                first: first.unwrap_or(seen.first),
                second: second.unwrap_or(seen.second),
                protocol: seen.protocol,
            };
            if first.or(second).is_none() || known.contains(&(name.protocol, name.flow().ends())) {
                return name;
            }
            let same = opened_here
                .by_connection
                .get(&at)
                .and_then(|(isn, first_opens)| {
                    let opened = opened.by_isn.get(&(seen.protocol, *isn))?;
                    let (first, second) = if *first_opens {
                        (opened.sender, opened.receiver)
                    } else {
                        (opened.receiver, opened.sender)
                    };
                    let same = first.ip() == name.first.ip() && second.ip() == name.second.ip();
                    same.then_some(Connection {
                        first,
                        second,
                        protocol: seen.protocol,
                    })
                });
            same.unwrap_or(name)
        });
        let renamed: Vec<Connection> = renamed.collect();
        self.with_names(&renamed)
    }

    /// Connection, initial sequence number, and whether it comes from the first end.
    fn syns(&self) -> impl Iterator<Item = (usize, u32, bool)> + '_ {
        let syns = self
            .packets
            .iter()
            .filter(|packet| packet.flags.syn() && !packet.flags.ack() && !packet.is_damaged());
        syns.map(|packet| (packet.connection as usize, packet.seq, packet.from_first))
    }

    fn opened(&self) -> Opened {
        let mut opened = Opened::default();
        for (connection, isn, from_first) in self.syns() {
            opened
                .by_connection
                .entry(connection)
                .or_insert((isn, from_first));
            let protocol = self.connections[connection].protocol;
            let flow = self.connections[connection].flow();
            let flow = if from_first { flow } else { flow.reversed() };
            opened.by_isn.entry((protocol, isn)).or_insert(flow);
        }
        opened
    }

    /// Connections that get one name become one.
    fn with_names(mut self, names: &[Connection]) -> Self {
        let mut connections: Vec<Connection> = Vec::new();
        let mut numbers = HashMap::new();
        let places: Vec<(u32, bool)> = names
            .iter()
            .map(|name| {
                let which = (name.protocol, name.flow().ends());
                let number = *numbers.entry(which).or_insert_with(|| {
                    connections.push(*name);
                    connections.len() as u32 - 1
                });
                (number, connections[number as usize].first == name.first)
            })
            .collect();
        for packet in &mut self.packets {
            let (number, same_way) = places[packet.connection as usize];
            packet.connection = number;
            packet.from_first = packet.from_first == same_way;
        }
        self.connections = connections;
        self
    }
}

/// The connections that a capture saw being opened.
#[derive(Default)]
struct Opened {
    /// The first number, and whether the first end is the opener.
    by_connection: HashMap<usize, (u32, bool)>,
    by_isn: HashMap<(Protocol, u32), Flow>,
}

impl Connection {
    fn flow(&self) -> Flow {
        Flow {
            sender: self.first,
            receiver: self.second,
        }
    }
}
