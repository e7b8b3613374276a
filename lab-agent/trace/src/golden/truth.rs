//! The truth about a scripted connection, by brute force over single bytes.
//!
//! Nothing here knows sequence numbers, packets or intervals: the analyser and
//! the truth share no method, so that they cannot share a mistake.
// SPDX-License-Identifier: Apache-2.0

use super::receiver::{Receiver, Taken};
use super::script::{Fate, Intent, Send};

/// One byte of the stream, in true time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByteTruth {
    /// S: first transmission.
    pub sent_ns: Option<u64>,
    /// A: first arrival of any segment holding it.
    pub arrived_ns: Option<u64>,
    /// I: when it and all before it had arrived.
    pub available_ns: Option<u64>,
}

/// Packets of the connection in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionTruth {
    /// Put on the wire.
    pub sent: u64,
    /// Of those, never arrived.
    pub lost: u64,
    /// Copies the path made.
    pub duplicated: u64,
    /// Arrived with a wrong checksum, and was not taken.
    pub damaged: u64,
}

impl DirectionTruth {
    /// One more packet, to an end that takes damage from some byte on.
    pub(super) fn count(&mut self, fate: &Fate, takes_damage_from: Option<usize>) {
        self.sent += 1;
        self.lost += u64::from(*fate == Fate::Lost);
        self.duplicated += u64::from(matches!(fate, Fate::Twice { .. }));
        self.damaged += u64::from(fate.is_damage_refused(takes_damage_from));
    }
}

/// The sender's payload accounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrafficTruth {
    /// Packets that carry stream bytes (probes do not).
    pub data_packets: u64,
    /// Bytes in them, copies included.
    pub payload_bytes: u64,
    /// Packets with nothing but bytes sent before.
    pub retransmitted_packets: u64,
    /// Bytes in those.
    pub retransmitted_bytes: u64,
    /// Packets with new bytes along with old ones.
    pub bundle_packets: u64,
    /// The old bytes in those.
    pub bundled_bytes: u64,
    /// Of those, the ones whose first arrival was in the bundle.
    pub bundle_hit_bytes: u64,
    /// Retransmitted bytes of which an earlier copy did arrive.
    pub spurious_bytes: u64,
    /// Keepalives and window probes that carry a byte.
    pub probe_packets: u64,
}

/// What is true of the whole connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Every byte of the stream, from offset 0.
    pub bytes: Vec<ByteTruth>,
    /// What the sender sent.
    pub traffic: TrafficTruth,
    /// Sender to receiver.
    pub forward: DirectionTruth,
    /// Receiver to sender.
    pub backward: DirectionTruth,
}

pub(super) fn tell(
    sends: &[Send],
    forward: &[Fate],
    backward: &[Fate],
    receiver: &Receiver,
) -> Truth {
    let mut truth = Truth {
        bytes: bytes(sends, &receiver.taken),
        forward: direction(forward, receiver.takes_damage_from),
        backward: direction(backward, None),
        ..Truth::default()
    };
    let traffic = &mut truth.traffic;
    let mut in_order_of_sending: Vec<usize> = (0..sends.len()).collect();
    in_order_of_sending.sort_by_key(|index| sends[*index].at_ns);
    let mut ever_arrives = vec![false; truth.bytes.len()];
    for index in in_order_of_sending {
        let send = &sends[index];
        let span = || (0..send.length).filter_map(|i| usize::try_from(send.offset + i as i64).ok());
        if send.intent == Intent::Probe {
            traffic.probe_packets += u64::from(send.length > 0);
            continue;
        }
        traffic.data_packets += 1;
        traffic.payload_bytes += send.length;
        match send.intent {
            Intent::Retransmission => {
                traffic.retransmitted_packets += 1;
                traffic.retransmitted_bytes += send.length;
                traffic.spurious_bytes += span().filter(|byte| ever_arrives[*byte]).count() as u64;
            }
            Intent::Bundle { new_from } => {
                traffic.bundle_packets += 1;
                let old = || span().filter(|byte| (*byte as u64) < new_from);
                traffic.bundled_bytes += old().count() as u64;
                let hit = |byte: &usize| {
                    first_taken(sends, &receiver.taken, *byte).is_some_and(|t| t.send == index)
                };
                traffic.bundle_hit_bytes += old().filter(hit).count() as u64;
            }
            Intent::New | Intent::Probe => {}
        }
        if receiver.taken.iter().any(|taken| taken.send == index) {
            span().for_each(|byte| ever_arrives[byte] = true);
        }
    }
    truth
}

/// A script must mean what it declares: the shares are counted from it.
///
/// # Panics
/// When a transmission called new holds bytes sent before, and so on.
pub(super) fn check(sends: &[Send]) {
    let mut in_order: Vec<&Send> = sends
        .iter()
        .filter(|send| send.intent != Intent::Probe)
        .collect();
    in_order.sort_by_key(|send| send.at_ns);
    let mut sent = std::collections::HashSet::new();
    for send in in_order {
        assert!(
            send.length > 0 && send.offset >= 0,
            "{send:?} carries no stream bytes"
        );
        for byte in send.offset..send.offset + send.length as i64 {
            let is_old = match send.intent {
                Intent::New | Intent::Probe => false,
                Intent::Bundle { new_from } => byte < new_from as i64,
                Intent::Retransmission => true,
            };
            assert_eq!(
                sent.contains(&byte),
                is_old,
                "byte {byte} of {send:?} was sent before"
            );
        }
        if let Intent::Bundle { new_from } = send.intent {
            let new = send.offset + 1..send.offset + send.length as i64;
            assert!(
                new.contains(&(new_from as i64)),
                "{send:?} lacks old or new bytes"
            );
        }
        sent.extend(send.offset..send.offset + send.length as i64);
    }
}

fn bytes(sends: &[Send], taken: &[Taken]) -> Vec<ByteTruth> {
    let holds = |send: &Send, byte: usize| {
        let byte = byte as i64;
        send.offset <= byte && byte < send.offset + send.length as i64
    };
    let length = sends
        .iter()
        .map(|send| send.offset + send.length as i64)
        .max()
        .unwrap_or(0)
        .max(0);
    let mut all_so_far = Some(0);
    (0..length as usize)
        .map(|byte| {
            let data = sends.iter().filter(|send| send.intent != Intent::Probe);
            let sent_ns = data
                .filter(|send| holds(send, byte))
                .map(|send| send.at_ns)
                .min();
            let arrived_ns = first_taken(sends, taken, byte).map(|taken| taken.at_ns);
            all_so_far = all_so_far
                .zip(arrived_ns)
                .map(|(before, this): (u64, u64)| before.max(this));
            ByteTruth {
                sent_ns,
                arrived_ns,
                available_ns: all_so_far,
            }
        })
        .collect()
}

/// The copy that brought a byte first; of two at one instant, the one sent first.
fn first_taken(sends: &[Send], taken: &[Taken], byte: usize) -> Option<Taken> {
    let byte = byte as i64;
    let holds = |taken: &&Taken| {
        let send = &sends[taken.send];
        send.offset <= byte && byte < send.offset + send.length as i64
    };
    taken
        .iter()
        .filter(holds)
        .min_by_key(|taken| (taken.at_ns, sends[taken.send].at_ns))
        .copied()
}

fn direction(fates: &[Fate], takes_damage_from: Option<usize>) -> DirectionTruth {
    let mut direction = DirectionTruth::default();
    for fate in fates {
        direction.count(fate, takes_damage_from);
    }
    direction
}
