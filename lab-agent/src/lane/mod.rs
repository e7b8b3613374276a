//! A lane: sender and receiver, and the emulator between them, each in network
//! namespaces of its own on one host.
//!
//! The emulator is a hop of its own: a capture at either end sees a packet
//! before the emulator has delayed or lost it, or after.
// SPDX-License-Identifier: Apache-2.0
pub mod baseline;
mod bottleneck;
mod calm;
pub mod check;
mod counters;
pub mod datagram;
mod emulator;
mod link;
pub mod mechanism;
mod namespace;
mod netem;
mod netlink;
mod offload;
mod places;
pub mod protocol;
mod qdisc;
mod randomness;
mod red;
mod route;
pub mod sack_delay;
mod settings;
pub mod sysctl;

use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;
use std::time::Duration;

use lab_proto::{Counter, LaneSpec, Path};
use rustix::net::sockopt;

use crate::fault::{Doing, Outcome, invalid};
pub use calm::calm;
use emulator::{Emulator, Hosts};
pub use link::switch_loopback_on;
pub use namespace::Namespace;
use places::Places;
pub use places::{END_INTERFACE, MOST_LANES};
use protocol::Protocol;
pub use qdisc::Queue;
use randomness::Direction;
pub use route::segment_bytes;
use route::{Mtus, Route};
use settings::Sysctls;
use sysctl::Setting;

/// The transport counters of a lane's ends that are not 0: the sender's, the receiver's.
pub type Counters = (Vec<Counter>, Vec<Counter>);

/// An open lane. Dropping it takes down everything that no socket holds.
pub struct Lane {
    hosts: Hosts,
    /// Which of a run's.
    number: usize,
    /// Of lanes that share one, the first has it.
    emulator: Option<Emulator>,
    /// Whether the path marks packets, be it another lane's.
    marked: bool,
    /// How long its packets may be, by another lane's path where that has the emulator.
    mtus: Mtus,
    /// What it was told last.
    spec: LaneSpec,
    /// What its hosts were told.
    told: Vec<Setting>,
    /// And the sender and the receiver, of the way between them.
    routes: [Route; 2],
    /// Both ends of the connection over it.
    connection: Vec<OwnedFd>,
    /// Whether they agreed on a checksum for headers, which stays.
    checks_headers: bool,
    /// The sender's and the receiver's, once they were read.
    sysctls: Option<[Sysctls; 2]>,
}

impl Lane {
    /// Makes the lane as `spec` wants it.
    ///
    /// # Errors
    /// `Unsupported` when the kernel lacks a mechanism or the baseline.
    pub fn open(spec: &LaneSpec) -> Outcome<Self> {
        Self::open_nth(spec, 0)
    }

    /// The same as the `number`th of a run, from 0; see [`addresses`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_nth(spec: &LaneSpec, number: usize) -> Outcome<Self> {
        let (hosts, emulator) = Emulator::of_one(number)?;
        Self::between(hosts, number, Some(emulator), spec, spec)
    }

    /// Makes lanes with one emulator, whose paths are the first one's.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_at_one_bottleneck(specs: &[&LaneSpec]) -> Outcome<Vec<Self>> {
        let (hosts, emulator) = Emulator::of_several(specs.len())?;
        let mut emulator = Some(emulator);
        let lanes = hosts.into_iter().zip(specs).enumerate();
        let lanes = lanes.map(|(number, (hosts, spec))| {
            Self::between(hosts, number, emulator.take(), spec, specs[0])
        });
        lanes.collect()
    }

    fn between(
        hosts: Hosts,
        number: usize,
        emulator: Option<Emulator>,
        spec: &LaneSpec,
        of_path: &LaneSpec,
    ) -> Outcome<Self> {
        let mut lane = Self {
            hosts,
            number,
            emulator,
            marked: marks(of_path),
            mtus: Mtus::of(of_path).unwrap_or_default(),
            spec: spec.clone(),
            told: mechanism::of_a_new_namespace(),
            routes: [Route::default(); 2],
            connection: Vec::new(),
            checks_headers: false,
            sysctls: None,
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
        sack_delay::change(&self.connection, &before, spec)?;
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
        let hosts = |spec: &LaneSpec| LaneSpec {
            forward: None,
            backward: None,
            seed: 0,
            ..spec.clone()
        };
        let of_hosts = |spec| (hosts(spec), marks(spec), Mtus::of(spec));
        // A trace of rates is a change every few milliseconds, and none of them is theirs.
        if before.map(of_hosts) != Some(of_hosts(spec)) {
            self.tell_hosts(spec)?;
        }
        self.tell_path(spec, before, Direction::Forward, nth)?;
        self.tell_path(spec, before, Direction::Backward, nth)
    }

    /// Tells both ends what is new: either may come to send. A setting costs a guest
    /// tens of microseconds, and a switch of one mechanism changes one of two dozen.
    fn tell_hosts(&mut self, spec: &LaneSpec) -> Outcome<()> {
        self.check(spec)?;
        let mut settings = mechanism::settings(spec);
        let is_marked = self.marked || marks(spec);
        settings.extend(baseline::settings(spec.baseline(), is_marked)?);
        // Nothing is known of the hosts until all of it is written.
        let told = std::mem::take(&mut self.told);
        for node in [&self.hosts.sender, &self.hosts.receiver] {
            node.run(|| {
                let mut new = settings.iter().filter(|one| !told.contains(one));
                new.try_for_each(Setting::write)
            })?;
        }
        self.told = settings;
        self.tell_routes(spec)
    }

    fn tell_routes(&mut self, spec: &LaneSpec) -> Outcome<()> {
        self.mtus = Mtus::of(spec).unwrap_or(self.mtus);
        let routes = Route::of_both(spec, self.mtus);
        for (end, node) in [&self.hosts.sender, &self.hosts.receiver]
            .into_iter()
            .enumerate()
        {
            if routes[end] != self.routes[end] {
                node.run(|| routes[end].write(self.number, end == 0))?;
                self.routes[end] = routes[end];
            }
        }
        Ok(())
    }

    /// The longest packet of either direction, IP header included.
    pub fn longest_packet_bytes(&self) -> u32 {
        self.mtus.longest()
    }

    /// Names both ends of a connection over the lane: a kernel tells a new
    /// baseline's congestion control only to those that are opened after it.
    pub fn connected(&mut self, ends: Vec<OwnedFd>) {
        self.checks_headers = mechanism::checks_headers(&self.spec);
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
        let has = &self.spec;
        (&has.forward, &has.backward, has.seed) == (&spec.forward, &spec.backward, spec.seed)
    }

    /// The delay of both directions together.
    pub fn round_trip(&self) -> Duration {
        let delay_us = |path: &Option<Path>| path.as_ref().map_or(0, |path| path.delay_us);
        Duration::from_micros(delay_us(&self.spec.forward) + delay_us(&self.spec.backward))
    }

    /// Whether the kernel can do all that `spec` wants.
    ///
    /// # Errors
    /// `Unsupported` when it lacks a mechanism or the baseline, `Invalid` when a connection is
    /// open whose protocol, or whose windows, it would change, or what its ends agreed on.
    pub fn check(&self, spec: &LaneSpec) -> Outcome<()> {
        let (before, after) = (Protocol::of_lane(&self.spec), Protocol::of_lane(spec));
        if before != after && !self.connection.is_empty() {
            return invalid(format!(
                "lane.baseline is of {}, and the connection that is open of {}: choose one of \
                 the same protocol, or open the lane again",
                after.name(),
                before.name()
            ));
        }
        if self.spec.tcp.unwrap_or_default() != spec.tcp.unwrap_or_default()
            && !self.connection.is_empty()
        {
            return invalid(
                "lane.tcp counts from a connection's beginning, and one is open: leave its \
                 settings as they are, or open the lane again",
            );
        }
        if !self.connection.is_empty()
            && mechanism::takes_damage(spec)
            && mechanism::checks_headers(spec) != self.checks_headers
        {
            let (has, remedy) = if self.checks_headers {
                ("was opened with it", "name it beside tcp_lite")
            } else {
                ("was opened without it", "leave it out")
            };
            return invalid(format!(
                "lane.mechanisms: header_checksum is agreed on when a connection is opened, and \
                 the one that is open {has}: {remedy}, or open the lane again"
            ));
        }
        self.sender().run(|| {
            mechanism::check(spec)?;
            baseline::check(spec.baseline())
        })
    }

    /// Tells one direction of the emulator what is new.
    fn tell_path(
        &mut self,
        spec: &LaneSpec,
        before: Option<&LaneSpec>,
        direction: Direction,
        nth: u64,
    ) -> Outcome<()> {
        let Some(emulator) = &mut self.emulator else {
            return Ok(());
        };
        let path = |spec: &LaneSpec| match direction {
            Direction::Forward => spec.forward.clone(),
            Direction::Backward => spec.backward.clone(),
        };
        let state = |spec: &LaneSpec| (path(spec).unwrap_or_default(), spec.seed);
        if before.map(state) == Some(state(spec)) {
            return Ok(());
        }
        let seed = randomness::seed(randomness::of_path(spec.seed, nth), direction);
        emulator.set(direction, &path(spec).unwrap_or_default(), seed)
    }

    /// The sender's namespace.
    pub fn sender(&self) -> &Namespace {
        &self.hosts.sender
    }

    /// The receiver's namespace.
    pub fn receiver(&self) -> &Namespace {
        &self.hosts.receiver
    }

    /// Which of a run's lanes it is.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The emulator's counters: forward, backward. Of lanes that share one, the
    /// first has them, and the others none.
    pub fn queues(&mut self) -> Outcome<(Queue, Queue)> {
        match &mut self.emulator {
            Some(emulator) => emulator.queues(),
            None => Ok(<(Queue, Queue)>::default()),
        }
    }

    /// Packets inside the emulator, both directions together.
    pub fn under_way(&mut self) -> Outcome<u32> {
        let (forward, backward) = self.queues()?;
        Ok(forward.inside + backward.inside)
    }

    /// What the kernel says that the lane is set to, as text: both ends' transport and queues,
    /// and the emulator's queues.
    ///
    /// # Errors
    /// `Failed` when the kernel does not tell.
    pub fn settings(&mut self) -> Outcome<String> {
        let open = || Sysctls::open(&self.spec);
        let sysctls = match self.sysctls.take() {
            Some(sysctls) => sysctls,
            None => [self.sender().run(open)?, self.receiver().run(open)?],
        };
        let end = |sysctls: &Sysctls| Ok(sysctls.read() + &settings::queueing_disciplines()?);
        let sender = self.sender().run(|| end(&sysctls[0]))?;
        let receiver = self.receiver().run(|| end(&sysctls[1]))?;
        self.sysctls = Some(sysctls);
        // Of lanes that share one, the first tells.
        let emulator = match &self.emulator {
            Some(emulator) => format!("[emulator]\n{}", emulator.settings()?),
            None => String::new(),
        };
        Ok(format!(
            "[sender]\n{sender}[receiver]\n{receiver}{emulator}"
        ))
    }

    /// The transport counters of both ends.
    pub fn counters(&self) -> Outcome<Counters> {
        let at_sender = self.sender().run(counters::read)?;
        Ok((at_sender, self.receiver().run(counters::read)?))
    }
}

/// Whether a path marks packets, in either direction.
fn marks(spec: &LaneSpec) -> bool {
    [&spec.forward, &spec.backward]
        .into_iter()
        .flatten()
        .any(|path| path.ecn)
}

/// Whether a path may damage packets, in either direction.
pub fn damages(spec: &LaneSpec) -> bool {
    [&spec.forward, &spec.backward]
        .into_iter()
        .flatten()
        .any(|path| path.corrupt_share > 0.0 || path.bit_errors.is_some())
}

/// Where the sender and the receiver of a run's `lane`th lane are.
pub fn addresses(lane: usize) -> (Ipv4Addr, Ipv4Addr) {
    let places = Places::of(lane);
    (places.at_sender.address, places.at_receiver.address)
}
