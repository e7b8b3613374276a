//! What a host is told of the way to the other: how long a packet may be in either direction,
//! and how many may leave before the first is acknowledged. The kernel keeps that with the
//! route, and running connections follow a change of lengths.
// SPDX-License-Identifier: Apache-2.0
use std::net::Ipv4Addr;

use lab_proto::{LaneSpec, Path};
use netlink_packet_route::route::RouteMetric;

use super::link;
use super::netlink::Netlink;
use super::places::{END_INTERFACE, Places};
use crate::fault::Outcome;

/// Of the links, and so of a path that names none.
pub const MTU_BYTES: u32 = 1500;
/// IP's and TCP's, without options.
const HEADER_BYTES: u32 = 40;

/// The longest packets, 0 being the links' own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mtus {
    /// From sender to receiver.
    forward: u32,
    /// From receiver to sender.
    backward: u32,
}

/// What one host is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Route {
    own_mtu: u32,
    others_mtu: u32,
    initial_window_packets: u32,
}

impl Mtus {
    /// Of a lane's paths; none of one that has none of its own.
    pub fn of(spec: &LaneSpec) -> Option<Self> {
        let of = |path: &Path| path.mtu_bytes;
        Some(Self {
            forward: spec.forward.as_ref().map(of)?,
            backward: spec.backward.as_ref().map(of)?,
        })
    }

    /// The longest packet of either direction.
    pub fn longest(self) -> u32 {
        named(self.forward).max(named(self.backward))
    }
}

impl Route {
    /// The sender's and the receiver's.
    pub fn of_both(spec: &LaneSpec, mtus: Mtus) -> [Self; 2] {
        let settings = spec.tcp.unwrap_or_default();
        let one = |own_mtu, others_mtu| Self {
            own_mtu,
            others_mtu,
            initial_window_packets: settings.initial_window_packets,
        };
        [
            one(mtus.forward, mtus.backward),
            one(mtus.backward, mtus.forward),
        ]
    }

    /// Tells the calling thread's namespace, which has the sender's or the receiver's end of a
    /// run's `lane`th lane.
    pub fn write(self, lane: usize, is_sender: bool) -> Outcome<()> {
        let mut netlink = Netlink::open()?;
        let index = netlink.index(END_INTERFACE)?;
        let (peer, gateway) = way(lane, is_sender);
        link::set_route(&mut netlink, index, peer, gateway, self.metrics())
    }

    fn metrics(self) -> Vec<RouteMetric> {
        let mut metrics = Vec::new();
        if self.own_mtu > 0 {
            metrics.push(RouteMetric::Mtu(self.own_mtu));
        }
        // What it says in its SYN is what the other may send: without it the kernel would
        // take its own direction's.
        if self.own_mtu > 0 || self.others_mtu > 0 {
            let segment = segment_bytes(named(self.others_mtu));
            metrics.push(RouteMetric::Advmss(segment));
        }
        if self.initial_window_packets > 0 {
            metrics.push(RouteMetric::InitCwnd(self.initial_window_packets));
        }
        metrics
    }
}

/// The most that TCP puts in a packet of so many bytes.
pub fn segment_bytes(mtu: u32) -> u32 {
    mtu - HEADER_BYTES
}

fn named(mtu: u32) -> u32 {
    if mtu == 0 { MTU_BYTES } else { mtu }
}

/// Whom a host reaches, and through whom.
fn way(lane: usize, is_sender: bool) -> (Ipv4Addr, Ipv4Addr) {
    let places = Places::of(lane);
    let (peer, gateway) = if is_sender {
        (places.at_receiver, places.to_sender)
    } else {
        (places.at_sender, places.to_receiver)
    };
    (peer.address, gateway.address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab_proto::Tcp;

    #[test]
    fn each_host_is_told_its_own_length_and_asks_for_the_others() {
        let spec = LaneSpec {
            forward: Some(Path {
                mtu_bytes: 576,
                ..Path::default()
            }),
            backward: Some(Path::default()),
            tcp: Some(Tcp {
                initial_window_packets: 2,
                ..Tcp::default()
            }),
            ..LaneSpec::default()
        };
        let mtus = Mtus::of(&spec).unwrap();
        assert_eq!(mtus.longest(), 1500);
        let [sender, receiver] = Route::of_both(&spec, mtus).map(Route::metrics);
        assert_eq!(
            sender,
            [
                RouteMetric::Mtu(576),
                RouteMetric::Advmss(1460),
                RouteMetric::InitCwnd(2)
            ]
        );
        assert_eq!(
            receiver,
            [RouteMetric::Advmss(536), RouteMetric::InitCwnd(2)]
        );
    }

    #[test]
    fn a_lane_that_says_nothing_leaves_its_routes_as_they_are() {
        let spec = LaneSpec::both_ways(Path::default());
        let routes = Route::of_both(&spec, Mtus::of(&spec).unwrap());
        assert_eq!(routes, [Route::default(); 2]);
        assert!(Route::default().metrics().is_empty());
        assert_eq!(Mtus::of(&LaneSpec::default()), None);
    }
}
