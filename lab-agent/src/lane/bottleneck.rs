//! The queue before a direction's rate, where a path asks for one of its own.
//!
//! netem's own queue holds the packets that are delayed as well, and counts
//! nothing but packets. A queue with a discipline stands before netem, on an
//! interface of its own that the packets are sent around by:
//!
//! ```text
//!              to-receiver
//! packets ──── clsact          netem: loss, rate, delay, … ────
//!                │               │
//!              queue-forward ────┘
//!              FIFO, CoDel, FQ-CoDel or RED, served by HTB at the rate
//! ```
//!
//! HTB lets a packet go as soon as the one before has had its time at the rate,
//! and netem then takes the packet's own time: it never has to wait there, so
//! all that waits is under the discipline, and nothing is early.
//!
//! Attribute numbers and layouts: `linux/pkt_sched.h`, `linux/pkt_cls.h`.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Path, QueueDiscipline};
use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::link::{InfoKind, LinkAttribute, LinkInfo, LinkMessage};
use netlink_packet_route::tc::{
    TcAction, TcActionAttribute, TcActionGeneric, TcActionMirrorOption, TcActionOption,
    TcActionType, TcAttribute, TcFilterMatchAllOption, TcHandle, TcMessage, TcMirror,
    TcMirrorActionType, TcOption,
};

use super::netlink::{Netlink, REPLACE};
use super::qdisc::{
    self, DEFAULT_QUEUE_PACKETS, FULL_PACKET_BYTES, Place, Queue, attribute, handle, words,
};
use super::{link, red};
use crate::fault::Outcome;

const HTB: &str = "htb";
const HTB_PARMS: u16 = 1;
const HTB_INIT: u16 = 2;
const HTB_RATE64: u16 = 6;
const HTB_CEIL64: u16 = 7;
const HTB_VERSION: u32 = 3;
const CODEL_TARGET: u16 = 1;
const CODEL_LIMIT: u16 = 2;
const CODEL_INTERVAL: u16 = 3;
const CODEL_ECN: u16 = 4;
const FQ_CODEL_MEMORY_LIMIT: u16 = 9;
const ETHERNET: u8 = 1;
const ETH_P_ALL: u16 = 3;

/// A full packet takes 12 ns: for a queue that has come to have no rate.
const UNLIMITED_BYTE_PER_S: u64 = 125_000_000_000;

/// RFC 8289, section 4: what CoDel lets stand, and for how long.
const TARGET_US: u32 = 5_000;
const INTERVAL_US: u32 = 100_000;

/// Whether a path's packets wait for its rate in a queue of their own.
pub fn has_own_queue(path: &Path) -> bool {
    discipline(path).is_some()
}

fn discipline(path: &Path) -> Option<QueueDiscipline> {
    match path.queue_discipline() {
        QueueDiscipline::Unspecified if path.queue_bytes > 0 => Some(QueueDiscipline::Fifo),
        QueueDiscipline::Unspecified => None,
        named => Some(named),
    }
}

/// One direction's queue. Once there it stays for as long as its hop, as a FIFO where
/// a path asks for none: what waits in it could not be left behind.
pub struct Bottleneck {
    index: u32,
    waiting: Waiting,
}

/// How packets wait.
#[derive(Clone, Copy, PartialEq)]
struct Waiting {
    discipline: QueueDiscipline,
    most: Most,
    ecn: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Most {
    Packets(u32),
    Bytes(u32),
}

impl Bottleneck {
    /// Makes the queue that `path` asks for, for what leaves by interface `index`,
    /// on a new interface called `name`.
    pub fn make(netlink: &mut Netlink, index: u32, name: &str, path: &Path) -> Outcome<Self> {
        let mut message = LinkMessage::default();
        message.attributes = vec![
            LinkAttribute::IfName(name.into()),
            LinkAttribute::LinkInfo(vec![LinkInfo::Kind(InfoKind::Ifb)]),
        ];
        netlink.create(
            RouteNetlinkMessage::NewLink(message),
            "making the interface of a bottleneck's queue (ifb)",
        )?;
        let own = netlink.index(name)?;
        link::up(netlink, own)?;
        // Version, quantum per rate, default class, debugging, packets without a class.
        let whole = attribute(HTB_INIT, &words(&[HTB_VERSION, 10, 1, 0, 0]));
        let what = "making a bottleneck (HTB)";
        qdisc::set(netlink, Place::root(own), HTB, whole, what)?;
        let waiting = Waiting::of(path);
        serve(netlink, own, path)?;
        waiting.tell(netlink, own, path.rate_bit_per_s)?;
        let made = Self {
            index: own,
            waiting,
        };
        made.lead_around(netlink, index)?;
        Ok(made)
    }

    /// Brings the queue to what `path` asks for; packets that wait stay in it, unless
    /// the discipline is another one: they are then dropped, and counted.
    pub fn change(&mut self, netlink: &mut Netlink, path: &Path) -> Outcome<()> {
        serve(netlink, self.index, path)?;
        let waiting = Waiting::of(path);
        // RED begins with an empty queue whenever it is told anything.
        if waiting != self.waiting {
            waiting.tell(netlink, self.index, path.rate_bit_per_s)?;
            self.waiting = waiting;
        }
        Ok(())
    }

    /// Its counters.
    pub fn read(&self, netlink: &mut Netlink) -> Outcome<Queue> {
        qdisc::read(netlink, self.index, HTB)
    }

    /// Sends what would leave by interface `index` through this queue first.
    fn lead_around(&self, netlink: &mut Netlink, index: u32) -> Outcome<()> {
        let mut filter = every_packet(index);
        filter
            .attributes
            .push(TcAttribute::Options(vec![TcOption::MatchAll(
                TcFilterMatchAllOption::Action(vec![redirect(self.index)]),
            )]));
        netlink.create(
            RouteNetlinkMessage::NewTrafficFilter(filter),
            "leading packets through a bottleneck's queue (matchall, mirred)",
        )
    }
}

/// Makes the place where packets can be led around by a queue, before there are any:
/// the kernel empties all queues of an interface whose clsact comes or goes, and tells
/// nobody of what was in them.
pub fn prepare(netlink: &mut Netlink, index: u32) -> Outcome<()> {
    netlink.create(
        RouteNetlinkMessage::NewQueueDiscipline(at_egress(index, "clsact")),
        "making the place before an emulator's queue (clsact)",
    )
}

/// The filter that takes every packet at the egress of interface `index`.
fn every_packet(index: u32) -> TcMessage {
    let mut filter = at_egress(index, "matchall");
    filter.header.parent = handle(TcHandle::CLSACT.major, TcHandle::MIN_EGRESS);
    filter.header.handle = TcHandle::UNSPEC;
    // The first priority, for every protocol.
    filter.header.info = 1 << 16 | u32::from(ETH_P_ALL.to_be());
    filter
}

fn at_egress(index: u32, kind: &str) -> TcMessage {
    let mut message = TcMessage::with_index(index as i32);
    message.header.parent = TcHandle::CLSACT;
    message.header.handle = handle(TcHandle::CLSACT.major, 0);
    message.attributes = vec![TcAttribute::Kind(kind.into())];
    message
}

fn redirect(index: u32) -> TcAction {
    let mut generic = TcActionGeneric::default();
    generic.action = TcActionType::Stolen;
    let mut mirror = TcMirror::default();
    mirror.generic = generic;
    mirror.eaction = TcMirrorActionType::EgressRedir;
    mirror.ifindex = index;
    let mut action = TcAction::default();
    action.attributes = vec![
        TcActionAttribute::Kind("mirred".into()),
        TcActionAttribute::Options(vec![TcActionOption::Mirror(TcActionMirrorOption::Parms(
            mirror,
        ))]),
    ];
    action
}

/// Has the queue served at the path's rate.
fn serve(netlink: &mut Netlink, index: u32, path: &Path) -> Outcome<()> {
    let rate_byte_per_s = match path.rate_bit_per_s {
        0 => UNLIMITED_BYTE_PER_S,
        limited => limited.div_ceil(8),
    };
    let rate_32 = u32::try_from(rate_byte_per_s).unwrap_or(u32::MAX);
    // struct tc_ratespec: cell, link layer, overhead, alignment, least size, rate.
    let mut rate = vec![0, ETHERNET, 0, 0, 0, 0, 0, 0];
    rate.extend(rate_32.to_ne_bytes());
    // struct tc_htb_opt: rate, ceiling, two buffers, quantum, level, priority. Without a
    // buffer nothing is saved up while nothing is sent.
    let mut bytes = [rate.clone(), rate].concat();
    bytes.extend(words(&[0, 0, FULL_PACKET_BYTES, 0, 0]));
    let mut options = attribute(HTB_PARMS, &bytes);
    if rate_byte_per_s > u64::from(u32::MAX) {
        options.extend(attribute(HTB_RATE64, &rate_byte_per_s.to_ne_bytes()));
        options.extend(attribute(HTB_CEIL64, &rate_byte_per_s.to_ne_bytes()));
    }
    let class = Place {
        index,
        parent: handle(1, 0),
        handle: handle(1, 1),
    };
    netlink.change(
        RouteNetlinkMessage::NewTrafficClass(class.message(HTB, options)),
        REPLACE,
        "setting a bottleneck's rate (HTB)",
    )
}

impl Waiting {
    fn of(path: &Path) -> Self {
        let most = match (path.queue_bytes, path.queue_packets) {
            (0, 0) => Most::Packets(DEFAULT_QUEUE_PACKETS),
            (0, packets) => Most::Packets(packets),
            (bytes, _) => Most::Bytes(bytes),
        };
        Self {
            discipline: discipline(path).unwrap_or(QueueDiscipline::Fifo),
            most,
            ecn: path.ecn,
        }
    }

    fn tell(self, netlink: &mut Netlink, index: u32, rate_bit_per_s: u64) -> Outcome<()> {
        let (Most::Packets(most) | Most::Bytes(most)) = self.most;
        let in_bytes = matches!(self.most, Most::Bytes(_));
        // The major number of a handle names one kind: the kernel puts another in its place.
        let (major, kind, options) = match self.discipline {
            QueueDiscipline::Codel => (2, "codel", self.codel(most)),
            QueueDiscipline::FqCodel => {
                let memory = attribute(FQ_CODEL_MEMORY_LIMIT, &words(&[u32::MAX]));
                (3, "fq_codel", [self.codel(most), memory].concat())
            }
            QueueDiscipline::Red => {
                let bytes = match self.most {
                    Most::Packets(packets) => packets.saturating_mul(FULL_PACKET_BYTES),
                    Most::Bytes(bytes) => bytes,
                };
                (4, "red", red::options(bytes, rate_bit_per_s, self.ecn))
            }
            _ if in_bytes => (5, "bfifo", words(&[most])),
            _ => (6, "pfifo", words(&[most])),
        };
        let place = Place {
            index,
            parent: handle(1, 1),
            handle: handle(major, 0),
        };
        let what = format!("setting a bottleneck's queue ({kind})");
        qdisc::set(netlink, place, kind, options, &what)
    }

    /// What CoDel and FQ-CoDel are told alike.
    fn codel(self, packets: u32) -> Vec<u8> {
        [
            attribute(CODEL_TARGET, &words(&[TARGET_US])),
            attribute(CODEL_LIMIT, &words(&[packets])),
            attribute(CODEL_INTERVAL, &words(&[INTERVAL_US])),
            attribute(CODEL_ECN, &words(&[u32::from(self.ecn)])),
        ]
        .concat()
    }
}
