//! The emulator: the hop between sender and receiver that delays, loses and
//! damages.
//!
//! ```text
//! sender           emulator                     receiver
//! lane0 ────────── to-sender   to-receiver ──── lane0
//!                  (netem:     (netem:
//!                   backward)   forward)
//! ```
//!
//! Where a path asks for a queue of its own before its rate, that stands in front
//! of netem: [`super::bottleneck`].
//!
//! Lanes that share a bottleneck share two hops with one link between them, and
//! every packet waits in a queue of that link:
//!
//! ```text
//! senders          near hop                     far hop          receivers
//! lane0 ────────── to-sender    bottleneck ──── bottleneck       ──── lane0
//! lane0 ────────── to-sender-1  (netem:         (netem:          ──── lane0
//!                                forward)        backward)
//! ```
// SPDX-License-Identifier: Apache-2.0
use lab_proto::Path;

use super::bottleneck::{self, Bottleneck};
use super::link::{self, End};
use super::namespace::Namespace;
use super::netem;
use super::netlink::Netlink;
use super::places::{BOTTLENECK, Places};
use super::qdisc::Queue;
use super::randomness::Direction;
use super::{offload, settings, sysctl};
use crate::fault::Outcome;

/// See the module. Dropping it takes its links down.
pub struct Emulator {
    forward: Way,
    backward: Way,
    hops: Vec<Namespace>,
}

/// The interface that packets of one direction leave through, and the queue before
/// it if a path has asked for one.
struct Way {
    netlink: Netlink,
    index: u32,
    /// Whether packets can be led around by a queue.
    is_prepared: bool,
    queue: Option<Bottleneck>,
}

/// The two hosts of a lane.
pub struct Hosts {
    /// The one that is called the sender.
    pub sender: Namespace,
    /// The other one.
    pub receiver: Namespace,
}

impl Emulator {
    /// Makes the hosts of a run's `lane`th lane and an emulator of their own between
    /// them.
    pub fn of_one(lane: usize) -> Outcome<(Hosts, Self)> {
        let sender = Namespace::create()?;
        let hop = Namespace::create()?;
        let receiver = Namespace::create()?;
        let hosts = Hosts { sender, receiver };
        let places = Places::of(lane);
        let (sender, receiver) = (places.at_sender, places.at_receiver);
        let backward = places
            .to_sender
            .connect_host(&hop, sender, &hosts.sender, receiver)?;
        let forward = places
            .to_receiver
            .connect_host(&hop, receiver, &hosts.receiver, sender)?;
        hop.run(|| sysctl::write("net.ipv4.ip_forward", "1"))?;
        let emulator = Self {
            forward,
            backward,
            hops: vec![hop],
        };
        Ok((hosts, emulator))
    }

    /// Makes the hosts of so many lanes and one emulator between all of them.
    pub fn of_several(lanes: usize) -> Outcome<(Vec<Hosts>, Self)> {
        let (near, far) = (Namespace::create()?, Namespace::create()?);
        let mut forward = BOTTLENECK.0.connect(&near, BOTTLENECK.1, &far, None)?;
        let netlink = far.run(Netlink::open)?;
        let index = netlink.index(BOTTLENECK.1.name)?;
        let gateway = BOTTLENECK.1.address;
        link::add_route(&mut forward.netlink, forward.index, None, gateway)?;
        for hop in [&near, &far] {
            hop.run(|| sysctl::write("net.ipv4.ip_forward", "1"))?;
        }
        let hosts = (0..lanes).map(|lane| {
            let places = Places::of(lane);
            let (sender, receiver) = (Namespace::create()?, Namespace::create()?);
            let (at_sender, at_receiver) = (places.at_sender, places.at_receiver);
            places
                .to_sender
                .connect_host(&near, at_sender, &sender, at_receiver)?;
            places
                .to_receiver
                .connect_host(&far, at_receiver, &receiver, at_sender)?;
            Ok(Hosts { sender, receiver })
        });
        let hosts = hosts.collect::<Outcome<_>>()?;
        let emulator = Self {
            forward,
            backward: Way {
                netlink,
                index,
                is_prepared: false,
                queue: None,
            },
            hops: vec![near, far],
        };
        Ok((hosts, emulator))
    }

    /// Gives one direction a path. Told the same again, it would start its
    /// randomness over.
    pub fn set(&mut self, direction: Direction, path: &Path, seed: u64) -> Outcome<()> {
        let (way, queue) = match direction {
            Direction::Forward => (&mut self.forward, "queue-forward"),
            Direction::Backward => (&mut self.backward, "queue-backward"),
        };
        let (netlink, index) = (&mut way.netlink, way.index);
        netem::set(netlink, index, path, seed)?;
        if !way.is_prepared {
            bottleneck::prepare(netlink, index)?;
            way.is_prepared = true;
        }
        match &mut way.queue {
            Some(made) => made.change(netlink, path),
            None if bottleneck::has_own_queue(path) => {
                way.queue = Some(Bottleneck::make(netlink, index, queue, path)?);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The queueing disciplines of its hops, as text.
    pub fn settings(&self) -> Outcome<String> {
        let hops = self.hops.iter();
        let told = hops.map(|hop| hop.run(settings::queueing_disciplines));
        Ok(told.collect::<Outcome<Vec<_>>>()?.concat())
    }

    /// The queues' counters: forward, backward.
    pub fn queues(&mut self) -> Outcome<(Queue, Queue)> {
        let read = |way: &mut Way| -> Outcome<Queue> {
            let on_its_way = netem::read(&mut way.netlink, way.index)?;
            match &way.queue {
                Some(queue) => Ok(queue.read(&mut way.netlink)? + on_its_way),
                None => Ok(on_its_way),
            }
        };
        Ok((read(&mut self.forward)?, read(&mut self.backward)?))
    }
}

impl End {
    /// As [`connect`](Self::connect), of a host that reaches `peer` and nothing else.
    ///
    /// Bits that flip can leave IP's checksum right and its source wrong. A host that
    /// had a way there would answer, if only that it knows no such protocol, and the
    /// answer would be sent and never arrive.
    fn connect_host(
        self,
        hop: &Namespace,
        far: Self,
        host: &Namespace,
        peer: Self,
    ) -> Outcome<Way> {
        self.connect(hop, far, host, Some(peer))
    }

    /// Links `hop` to `node`, with this end in the hop and `far` in the node, and
    /// configures both; gives the hop's interface. Through it the node reaches
    /// `beyond`, or everything.
    fn connect(
        self,
        hop: &Namespace,
        far: Self,
        node: &Namespace,
        beyond: Option<Self>,
    ) -> Outcome<Way> {
        let mut netlink = hop.run(Netlink::open)?;
        link::make_pair(&mut netlink, self, far, node.raw())?;
        let index = netlink.index(self.name)?;
        configure(&mut netlink, index, self, far)?;
        hop.run(|| offload::switch_off(self.name))?;
        node.run(|| {
            link::switch_loopback_on()?;
            let mut netlink = Netlink::open()?;
            let index = netlink.index(far.name)?;
            configure(&mut netlink, index, far, self)?;
            let to = beyond.map(|end| end.address);
            link::add_route(&mut netlink, index, to, self.address)?;
            offload::switch_off(far.name)
        })?;
        Ok(Way {
            netlink,
            index,
            is_prepared: false,
            queue: None,
        })
    }
}

fn configure(netlink: &mut Netlink, index: u32, own: End, other: End) -> Outcome<()> {
    link::add_address(netlink, index, own.address, other.address)?;
    link::up(netlink, index)?;
    link::add_neighbour(netlink, index, other)
}
