//! Links, addresses, routes and neighbours of a lane's three nodes.
// SPDX-License-Identifier: Apache-2.0
use std::net::{IpAddr, Ipv4Addr};
use std::os::fd::RawFd;

use netlink_packet_core::{NLM_F_CREATE, NLM_F_REPLACE};
use netlink_packet_route::address::{AddressAttribute, AddressMessage};
use netlink_packet_route::link::{
    InfoData, InfoKind, InfoVeth, LinkAttribute, LinkFlags, LinkInfo, LinkMessage,
};
use netlink_packet_route::neighbour::{
    NeighbourAddress, NeighbourAttribute, NeighbourMessage, NeighbourState,
};
use netlink_packet_route::route::{
    RouteAddress, RouteAttribute, RouteHeader, RouteMessage, RouteMetric, RouteProtocol,
    RouteScope, RouteType,
};
use netlink_packet_route::{AddressFamily, RouteNetlinkMessage};

use super::netlink::Netlink;
use crate::fault::Outcome;

/// One end of a link: everything about it is given, so that every lane, and
/// every run, has the same bytes in its packets.
#[derive(Clone, Copy)]
pub struct End {
    /// Interface name.
    pub name: &'static str,
    /// Hardware address, locally administered.
    pub mac: [u8; 6],
    /// Its address in a /24.
    pub address: Ipv4Addr,
}

/// Makes a pair of virtual Ethernet interfaces: `near` in the socket's own
/// namespace, `far` in the one that `far_namespace` names.
pub fn make_pair(netlink: &mut Netlink, near: End, far: End, far_namespace: RawFd) -> Outcome<()> {
    let mut peer = LinkMessage::default();
    peer.attributes = vec![
        LinkAttribute::IfName(far.name.into()),
        LinkAttribute::Address(far.mac.to_vec()),
        LinkAttribute::NetNsFd(far_namespace),
    ];
    let mut link = LinkMessage::default();
    link.attributes = vec![
        LinkAttribute::IfName(near.name.into()),
        LinkAttribute::Address(near.mac.to_vec()),
        LinkAttribute::LinkInfo(vec![
            LinkInfo::Kind(InfoKind::Veth),
            LinkInfo::Data(InfoData::Veth(InfoVeth::Peer(peer))),
        ]),
    ];
    netlink.create(
        RouteNetlinkMessage::NewLink(link),
        "making a pair of virtual links",
    )
}

/// Every interface of the socket's namespace, by index.
pub fn names(netlink: &mut Netlink) -> Outcome<Vec<(u32, String)>> {
    let mut found = Vec::new();
    netlink.dump(
        RouteNetlinkMessage::GetLink(LinkMessage::default()),
        "listing links",
        |message| {
            if let RouteNetlinkMessage::NewLink(link) = message {
                let names = link.attributes.iter().filter_map(|one| match one {
                    LinkAttribute::IfName(name) => Some((link.header.index, name.clone())),
                    _ => None,
                });
                found.extend(names);
            }
        },
    )?;
    Ok(found)
}

/// Switches an interface on.
pub fn up(netlink: &mut Netlink, index: u32) -> Outcome<()> {
    let mut link = LinkMessage::default();
    link.header.index = index;
    link.header.flags = LinkFlags::Up;
    link.header.change_mask = LinkFlags::Up;
    netlink.change(RouteNetlinkMessage::SetLink(link), 0, "switching a link on")
}

/// Gives an interface its address, and a route to the other end of its link, and
/// to nothing else.
pub fn add_address(
    netlink: &mut Netlink,
    index: u32,
    own: Ipv4Addr,
    other: Ipv4Addr,
) -> Outcome<()> {
    let mut message = AddressMessage::default();
    message.header.family = AddressFamily::Inet;
    message.header.prefix_len = 32;
    message.header.index = index;
    message.attributes = vec![
        AddressAttribute::Local(IpAddr::V4(own)),
        AddressAttribute::Address(IpAddr::V4(other)),
    ];
    netlink.create(
        RouteNetlinkMessage::NewAddress(message),
        "adding an address",
    )
}

/// Sends what is for `to`, or everything, through `gateway`.
pub fn add_route(
    netlink: &mut Netlink,
    index: u32,
    to: Option<Ipv4Addr>,
    gateway: Ipv4Addr,
) -> Outcome<()> {
    let route = route(index, to, gateway, Vec::new());
    netlink.create(RouteNetlinkMessage::NewRoute(route), "adding a route")
}

/// Says anew what is known of the way to `to`.
pub fn set_route(
    netlink: &mut Netlink,
    index: u32,
    to: Ipv4Addr,
    gateway: Ipv4Addr,
    metrics: Vec<RouteMetric>,
) -> Outcome<()> {
    let route = route(index, Some(to), gateway, metrics);
    netlink.change(
        RouteNetlinkMessage::NewRoute(route),
        NLM_F_CREATE | NLM_F_REPLACE,
        "setting a route's MTU and initial window",
    )
}

fn route(
    index: u32,
    to: Option<Ipv4Addr>,
    gateway: Ipv4Addr,
    metrics: Vec<RouteMetric>,
) -> RouteMessage {
    let mut message = RouteMessage::default();
    message.header.address_family = AddressFamily::Inet;
    message.header.table = RouteHeader::RT_TABLE_MAIN;
    message.header.protocol = RouteProtocol::Static;
    message.header.scope = RouteScope::Universe;
    message.header.kind = RouteType::Unicast;
    message.attributes = vec![
        RouteAttribute::Gateway(RouteAddress::Inet(gateway)),
        RouteAttribute::Oif(index),
    ];
    if let Some(to) = to {
        message.header.destination_prefix_length = 32;
        let destination = RouteAttribute::Destination(RouteAddress::Inet(to));
        message.attributes.push(destination);
    }
    if !metrics.is_empty() {
        message.attributes.push(RouteAttribute::Metrics(metrics));
    }
    message
}

/// Makes a neighbour known for good: no ARP packet ever enters a trace.
pub fn add_neighbour(netlink: &mut Netlink, index: u32, neighbour: End) -> Outcome<()> {
    let mut message = NeighbourMessage::default();
    message.header.family = AddressFamily::Inet;
    message.header.ifindex = index;
    message.header.state = NeighbourState::Permanent;
    message.attributes = vec![
        NeighbourAttribute::Destination(NeighbourAddress::Inet(neighbour.address)),
        NeighbourAttribute::LinkLayerAddress(neighbour.mac.to_vec()),
    ];
    netlink.create(
        RouteNetlinkMessage::NewNeighbour(message),
        "adding a neighbour",
    )
}

/// Switches on what the calling thread's namespace has to speak with itself.
pub fn switch_loopback_on() -> Outcome<()> {
    let mut netlink = Netlink::open()?;
    let loopback = netlink.index("lo")?;
    up(&mut netlink, loopback)
}
