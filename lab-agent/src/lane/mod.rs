//! A lane: sender, emulator and receiver, three namespaces on one host.
//!
//! ```text
//! sender           emulator                     receiver
//! lane0 ────────── to-sender   to-receiver ──── lane0
//!                  (netem:     (netem:
//!                   backward)   forward)
//! ```
//!
//! The emulator is a hop of its own: a capture at either end sees a packet
//! before the emulator has delayed or lost it, or after.
// SPDX-License-Identifier: Apache-2.0
pub mod baseline;
mod calm;
pub mod check;
mod counters;
mod link;
pub mod mechanism;
mod namespace;
mod netem;
mod netlink;
mod offload;
mod randomness;
pub mod sysctl;

use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;
use std::time::Duration;

use lab_proto::{Counter, LaneSpec, Path};
use rustix::net::sockopt;

use crate::fault::{Doing, Outcome};
pub use calm::calm;
use link::End;
pub use namespace::Namespace;
pub use netem::Queue;
use netlink::Netlink;
use randomness::Direction;

/// The interface that a capture listens on, at both ends.
pub const END_INTERFACE: &str = "lane0";
/// The sender's address.
pub const SENDER: Ipv4Addr = Ipv4Addr::new(10, 9, 1, 1);
/// The receiver's address.
pub const RECEIVER: Ipv4Addr = Ipv4Addr::new(10, 9, 2, 1);

const AT_SENDER: End = End {
    name: END_INTERFACE,
    mac: [2, 0, 0, 0, 1, 1],
    address: SENDER,
};
const TO_SENDER: End = End {
    name: "to-sender",
    mac: [2, 0, 0, 0, 1, 2],
    address: Ipv4Addr::new(10, 9, 1, 2),
};
const TO_RECEIVER: End = End {
    name: "to-receiver",
    mac: [2, 0, 0, 0, 2, 2],
    address: Ipv4Addr::new(10, 9, 2, 2),
};
const AT_RECEIVER: End = End {
    name: END_INTERFACE,
    mac: [2, 0, 0, 0, 2, 1],
    address: RECEIVER,
};

/// The TCP counters of a lane's ends that are not 0: the sender's, the receiver's.
pub type Counters = (Vec<Counter>, Vec<Counter>);

/// An open lane. Dropping it takes down everything that no socket holds.
pub struct Lane {
    sender: Namespace,
    receiver: Namespace,
    _emulator: Namespace,
    emulator_netlink: Netlink,
    forward_index: u32,
    backward_index: u32,
    /// What it was told last.
    spec: LaneSpec,
    /// Both ends of the connection over it.
    connection: Vec<OwnedFd>,
}

impl Lane {
    /// Makes the lane as `spec` wants it.
    ///
    /// # Errors
    /// `Unsupported` when the kernel lacks a mechanism or the baseline.
    pub fn open(spec: &LaneSpec) -> Outcome<Self> {
        let sender = Namespace::create()?;
        let emulator = Namespace::create()?;
        let receiver = Namespace::create()?;
        let mut emulator_netlink = emulator.run(Netlink::open)?;
        let backward_index = connect(
            &mut emulator_netlink,
            &emulator,
            TO_SENDER,
            AT_SENDER,
            &sender,
        )?;
        let forward_index = connect(
            &mut emulator_netlink,
            &emulator,
            TO_RECEIVER,
            AT_RECEIVER,
            &receiver,
        )?;
        emulator.run(|| sysctl::write("net.ipv4.ip_forward", "1"))?;
        let mut lane = Self {
            sender,
            receiver,
            _emulator: emulator,
            emulator_netlink,
            forward_index,
            backward_index,
            spec: spec.clone(),
            connection: Vec::new(),
        };
        lane.tell(spec, None, 0)?;
        Ok(lane)
    }

    /// Brings the lane to the state `spec`; running connections follow.
    ///
    /// # Errors
    /// `Unsupported` when the kernel lacks a mechanism or the baseline; the lane
    /// is then as it was.
    pub fn change(&mut self, spec: &LaneSpec) -> Outcome<()> {
        self.change_to_path(spec, 0)
    }

    /// The same where randomness has begun: if the path is a new one, it is the
    /// `nth` of this lane's and has a randomness of its own.
    pub fn change_to_path(&mut self, spec: &LaneSpec, nth: u64) -> Outcome<()> {
        let before = self.spec.clone();
        self.tell(spec, Some(&before), nth)?;
        self.spec = spec.clone();
        if before.baseline == spec.baseline {
            return Ok(());
        }
        let name = baseline::congestion_control(spec.baseline())?;
        self.connection.iter().try_for_each(|end| {
            sockopt::set_tcp_congestion(end, name).doing(format!(
                "changing a connection's congestion control to {name}"
            ))
        })
    }

    /// Tells the kernel all of `spec`, and the emulator what is new since `before`.
    fn tell(&mut self, spec: &LaneSpec, before: Option<&LaneSpec>, nth: u64) -> Outcome<()> {
        self.check(spec)?;
        // Either end may come to send.
        for node in [&self.sender, &self.receiver] {
            node.run(|| {
                mechanism::set(spec)?;
                baseline::set(spec.baseline())
            })?;
        }
        self.tell_path(spec, before, Direction::Forward, nth)?;
        self.tell_path(spec, before, Direction::Backward, nth)
    }

    /// Names both ends of a connection over the lane: a kernel tells a new
    /// baseline's congestion control only to those that are opened after it.
    pub fn connected(&mut self, ends: Vec<OwnedFd>) {
        self.connection = ends;
    }

    /// Lets go of the connection, so that it can be closed.
    pub fn disconnect(&mut self) {
        self.connection.clear();
    }

    /// The state it was brought to last.
    pub fn spec(&self) -> &LaneSpec {
        &self.spec
    }

    /// Whether `spec` wants the path that it has.
    pub fn has_path(&self, spec: &LaneSpec) -> bool {
        let path = |spec: &LaneSpec| (spec.forward, spec.backward, spec.seed);
        path(&self.spec) == path(spec)
    }

    /// The delay of both directions together.
    pub fn round_trip(&self) -> Duration {
        let delay_us = |path: Option<Path>| path.map_or(0, |path| path.delay_us);
        Duration::from_micros(delay_us(self.spec.forward) + delay_us(self.spec.backward))
    }

    /// Whether the kernel can do all that `spec` wants.
    ///
    /// # Errors
    /// `Unsupported` when it lacks a mechanism or the baseline.
    pub fn check(&self, spec: &LaneSpec) -> Outcome<()> {
        self.sender.run(|| {
            mechanism::check(spec)?;
            baseline::check(spec.baseline())
        })
    }

    /// Tells one direction of the emulator what is new. Told the same again, it
    /// would start its randomness over.
    fn tell_path(
        &mut self,
        spec: &LaneSpec,
        before: Option<&LaneSpec>,
        direction: Direction,
        nth: u64,
    ) -> Outcome<()> {
        let path = |spec: &LaneSpec| match direction {
            Direction::Forward => spec.forward,
            Direction::Backward => spec.backward,
        };
        let state = |spec: &LaneSpec| (path(spec).unwrap_or_default(), spec.seed);
        if before.map(state) == Some(state(spec)) {
            return Ok(());
        }
        let index = match direction {
            Direction::Forward => self.forward_index,
            Direction::Backward => self.backward_index,
        };
        netem::set(
            &mut self.emulator_netlink,
            index,
            &path(spec).unwrap_or_default(),
            randomness::seed(randomness::of_path(spec.seed, nth), direction),
        )
    }

    /// The sender's namespace.
    pub fn sender(&self) -> &Namespace {
        &self.sender
    }

    /// The receiver's namespace.
    pub fn receiver(&self) -> &Namespace {
        &self.receiver
    }

    /// The emulator's counters: forward, backward.
    pub fn queues(&mut self) -> Outcome<(Queue, Queue)> {
        Ok((
            netem::read(&mut self.emulator_netlink, self.forward_index)?,
            netem::read(&mut self.emulator_netlink, self.backward_index)?,
        ))
    }

    /// Packets inside the emulator, both directions together.
    pub fn under_way(&mut self) -> Outcome<u32> {
        let (forward, backward) = self.queues()?;
        Ok(forward.inside + backward.inside)
    }

    /// The TCP counters of both ends.
    pub fn counters(&self) -> Outcome<Counters> {
        let at_sender = self.sender.run(counters::read)?;
        Ok((at_sender, self.receiver.run(counters::read)?))
    }
}

/// Switches on what the calling thread's namespace has to speak with itself.
pub fn switch_loopback_on() -> Outcome<()> {
    let mut netlink = Netlink::open()?;
    let loopback = link::index(&mut netlink, "lo")?;
    link::up(&mut netlink, loopback)
}

/// Links the emulator to one end and configures both; gives the index of the
/// emulator's interface.
fn connect(
    netlink: &mut Netlink,
    emulator: &Namespace,
    near: End,
    far: End,
    node: &Namespace,
) -> Outcome<u32> {
    link::make_pair(netlink, near, far, node.raw())?;
    let near_index = link::index(netlink, near.name)?;
    configure(netlink, near_index, near, far)?;
    emulator.run(|| offload::switch_off(near.name))?;
    node.run(|| {
        switch_loopback_on()?;
        let mut netlink = Netlink::open()?;
        let index = link::index(&mut netlink, far.name)?;
        configure(&mut netlink, index, far, near)?;
        link::add_default_route(&mut netlink, index, near.address)?;
        offload::switch_off(far.name)
    })?;
    Ok(near_index)
}

fn configure(netlink: &mut Netlink, index: u32, own: End, other: End) -> Outcome<()> {
    link::add_address(netlink, index, own.address)?;
    link::up(netlink, index)?;
    link::add_neighbour(netlink, index, other)
}
