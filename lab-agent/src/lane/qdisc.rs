//! Queueing disciplines of an interface, and what they count.
// SPDX-License-Identifier: Apache-2.0
use std::ops::Add;

use lab_proto::BitErrorCounts;
use netlink_packet_core::DefaultNla;
use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::tc::{TcAttribute, TcHandle, TcMessage, TcStats2, TcXstats};

use super::netlink::{Netlink, REPLACE};
use crate::fault::{Fault, Outcome};

/// Where a path names no limit.
pub const DEFAULT_QUEUE_PACKETS: u32 = 1000;
/// Of a full packet: a payload of 1500 bytes and the Ethernet header.
pub const FULL_PACKET_BYTES: u32 = 1514;

const TCA_OPTIONS: u16 = 2;

/// What a direction has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Packets thrown away: by the loss model or a full queue.
    pub dropped: u64,
    /// Packets inside, on their way.
    pub inside: u32,
    /// Packets that have left it.
    pub passed: u64,
    /// What a radio link did to them, where there has been one.
    pub bit_errors: Option<BitErrorCounts>,
}

/// Of one behind the other: what the second passed has left both.
impl Add for Queue {
    type Output = Self;

    fn add(self, behind: Self) -> Self {
        Self {
            dropped: self.dropped + behind.dropped,
            inside: self.inside + behind.inside,
            passed: behind.passed,
            bit_errors: behind.bit_errors,
        }
    }
}

/// Where a discipline is: its interface, below what, and its own handle.
#[derive(Clone, Copy)]
pub struct Place {
    /// Of the interface.
    pub index: u32,
    /// The class that it serves.
    pub parent: TcHandle,
    /// A second message with it changes the discipline in place.
    pub handle: TcHandle,
}

impl Place {
    /// All of an interface.
    pub fn root(index: u32) -> Self {
        Self {
            index,
            parent: TcHandle::ROOT,
            handle: handle(1, 0),
        }
    }

    /// A message about what is here.
    pub fn message(self, kind: &str, options: Vec<u8>) -> TcMessage {
        let mut message = TcMessage::with_index(self.index as i32);
        message.header.parent = self.parent;
        message.header.handle = self.handle;
        message.attributes = vec![
            TcAttribute::Kind(kind.into()),
            TcAttribute::Other(DefaultNla::new(TCA_OPTIONS, options)),
        ];
        message
    }
}

/// A discipline (minor 0) or a class in it.
pub fn handle(major: u16, minor: u16) -> TcHandle {
    TcHandle { major, minor }
}

/// Makes the discipline at a place, changes it, or puts it in place of another.
pub fn set(
    netlink: &mut Netlink,
    place: Place,
    kind: &str,
    options: Vec<u8>,
    what: &str,
) -> Outcome<()> {
    let message = RouteNetlinkMessage::NewQueueDiscipline(place.message(kind, options));
    netlink.change(message, REPLACE, what)
}

/// Reads the counters of the discipline of that kind on interface `index`.
pub fn read(netlink: &mut Netlink, index: u32, kind: &str) -> Outcome<Queue> {
    let mut found = None;
    netlink.dump(
        RouteNetlinkMessage::GetQueueDiscipline(TcMessage::with_index(index as i32)),
        "reading the emulator's counters",
        |answer| {
            if let RouteNetlinkMessage::NewQueueDiscipline(qdisc) = answer
                && qdisc.header.index == index as i32
                && is(&qdisc, kind)
            {
                found = queue(&qdisc);
            }
        },
    )?;
    found.ok_or_else(|| Fault::Failed(format!("the emulator's {kind} has no counters")))
}

fn is(qdisc: &TcMessage, wanted: &str) -> bool {
    qdisc
        .attributes
        .iter()
        .any(|a| matches!(a, TcAttribute::Kind(kind) if kind == wanted))
}

fn queue(qdisc: &TcMessage) -> Option<Queue> {
    qdisc.attributes.iter().find_map(|attribute| {
        let TcAttribute::Stats2(stats) = attribute else {
            return None;
        };
        let queue = stats.iter().find_map(|one| match one {
            TcStats2::Queue(queue) => Some(queue),
            _ => None,
        })?;
        let basic = stats.iter().find_map(|one| match one {
            TcStats2::Basic(basic) => Some(basic),
            _ => None,
        })?;
        Some(Queue {
            dropped: u64::from(queue.drops),
            inside: queue.qlen,
            passed: u64::from(basic.packets),
            bit_errors: stats.iter().find_map(|one| match one {
                TcStats2::App(TcXstats::Other(bytes)) => bit_errors(bytes),
                _ => None,
            }),
        })
    })
}

/// `struct tc_netem_xstats` of the kernel series (0301).
fn bit_errors(bytes: &[u8]) -> Option<BitErrorCounts> {
    let (numbers, _) = bytes.as_chunks();
    let numbers: Vec<_> = numbers.iter().map(|&one| u64::from_ne_bytes(one)).collect();
    let &[packets, exposed_packets, damaged_packets, ref by_state @ ..] = numbers.as_slice() else {
        return None;
    };
    let &[
        good_ns,
        bad_ns,
        good_bits,
        bad_bits,
        good_flipped_bits,
        bad_flipped_bits,
    ] = by_state
    else {
        return None;
    };
    Some(BitErrorCounts {
        packets,
        exposed_packets,
        damaged_packets,
        good_ns,
        bad_ns,
        good_bits,
        bad_bits,
        good_flipped_bits,
        bad_flipped_bits,
    })
}

/// Numbers as the kernel takes them.
pub fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// A netlink attribute; all payloads here are multiples of four bytes long.
pub fn attribute(kind: u16, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() + 4) as u16;
    let mut bytes = length.to_ne_bytes().to_vec();
    bytes.extend(kind.to_ne_bytes());
    bytes.extend(payload);
    bytes
}
