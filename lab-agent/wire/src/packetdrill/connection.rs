//! One connection: how the script's numbers become those on the wire, and back.
//!
//! A script counts bytes from the first sequence numbers, which the kernel
//! chooses by itself, and so it does with its timestamps. Those of a SYN are not
//! counted from anything.
// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

use anyhow::{Context, Result, bail};

use super::model::{Ecn, Packet};
use super::options::{self, TcpOption};
use crate::packet::{Segment, ecn, flag};
use crate::stream;

/// See the module.
#[derive(Debug, Default)]
pub struct Connection {
    /// Of the socket under test.
    pub kernel_port: u16,
    /// Of the script's side.
    pub peer_port: u16,
    /// The kernel's first sequence number, once it has sent its SYN.
    kernel_first: Option<u32>,
    /// The same as the script has it.
    kernel_first_in_script: u32,
    /// The peer's, which is the script's own.
    peer_first: Option<u32>,
    /// The kernel's timestamps, by the script's.
    timestamps: HashMap<u32, u32>,
    /// The first of them, the script's and the kernel's.
    first_timestamp: Option<(u32, u32)>,
    /// Whether the kernel's SYN, and the peer's, spoke of ECN.
    kernel_knows_ecn: bool,
    peer_knows_ecn: bool,
}

impl Connection {
    /// Between two ports.
    pub fn new(kernel_port: u16, peer_port: u16) -> Self {
        Self {
            kernel_port,
            peer_port,
            ..Self::default()
        }
    }

    /// Whether its opening could begin with this SYN of the peer: it has sent
    /// none, or just this one.
    pub fn may_open_with(&self, sequence: u32) -> bool {
        self.peer_first.is_none_or(|first| first == sequence)
    }

    /// The kernel has sent a segment.
    pub fn hear(&mut self, segment: &Segment) {
        if segment.has(flag::SYN) {
            self.kernel_first = Some(segment.sequence);
            self.kernel_knows_ecn = segment.flags & (flag::ECE | flag::CWR) != 0;
        }
    }

    /// The script expects a packet.
    pub fn expect(&mut self, packet: &Packet) {
        if packet.flags & flag::SYN != 0 {
            self.kernel_first_in_script = packet.sequence;
        }
    }

    /// A packet of the script's peer as it arrives: the segment and its options.
    pub fn send(&mut self, packet: &Packet) -> Result<(Segment, Vec<u8>)> {
        let syn = packet.flags & flag::SYN != 0;
        if syn {
            self.peer_first = Some(packet.sequence);
            self.peer_knows_ecn = packet.flags & (flag::ECE | flag::CWR) != 0;
        }
        let peer_first = match self.peer_first {
            Some(first) => first,
            // A peer without a handshake: its numbers are as good as any.
            None => *self.peer_first.insert(0),
        };
        let kernel_first = self.kernel_first.unwrap_or_default();
        let first_in_script = if syn { self.kernel_first_in_script } else { 0 };
        let kernel_offset = kernel_first.wrapping_sub(first_in_script);
        let has_ack = packet.flags & flag::ACK != 0;
        let mut live_options = packet.options.clone().unwrap_or_default();
        for option in &mut live_options {
            match option {
                TcpOption::Sack(blocks) => shift(blocks, kernel_offset),
                TcpOption::Timestamps(_, echo) if has_ack => {
                    *echo = *self.timestamps.get(echo).with_context(|| {
                        format!("no packet of the kernel before this one has `TS val {echo}`")
                    })?;
                }
                _ => {}
            }
        }
        // The stream begins behind the SYN.
        let place = if syn {
            0
        } else {
            packet.sequence.wrapping_sub(1)
        };
        let ecn_bits = match packet.ecn {
            None => ecn::NOT_ECT,
            Some(Ecn::Exactly(bits)) => bits,
            Some(Ecn::Capable) => bail!("a packet that arrives has ECN bits: [ect0] or [ect1]"),
        };
        let segment = Segment {
            from_port: self.peer_port,
            to_port: self.kernel_port,
            sequence: if syn {
                packet.sequence
            } else {
                packet.sequence.wrapping_add(peer_first)
            },
            acknowledgement: if has_ack {
                packet.acknowledgement.wrapping_add(kernel_offset)
            } else {
                0
            },
            flags: packet.flags,
            window: packet.window.unwrap_or_default(),
            urgent: packet.urgent,
            ecn: ecn_bits,
            payload: stream::bytes_at(u64::from(place), packet.length as usize),
            ..Segment::default()
        };
        Ok((segment, options::encode(&live_options)))
    }

    /// What the kernel has sent, in the script's numbers.
    pub fn in_script(&self, segment: &Segment, mut options: Vec<TcpOption>) -> Packet {
        let syn = segment.has(flag::SYN);
        let kernel_first = self.kernel_first.unwrap_or_default();
        let first_in_script = if syn { self.kernel_first_in_script } else { 0 };
        // The peer's first number is the script's: a SYN's needs no offset.
        let peer_offset = if syn {
            0
        } else {
            self.peer_first.unwrap_or_default()
        };
        for option in &mut options {
            if let TcpOption::Sack(blocks) = option {
                shift(blocks, peer_offset.wrapping_neg());
            }
        }
        Packet {
            ecn: Some(Ecn::Exactly(segment.ecn)),
            flags: segment.flags,
            sequence: segment
                .sequence
                .wrapping_sub(kernel_first)
                .wrapping_add(first_in_script),
            length: segment.payload.len() as u32,
            acknowledgement: if segment.has(flag::ACK) {
                segment.acknowledgement.wrapping_sub(peer_offset)
            } else {
                0
            },
            window: Some(segment.window),
            urgent: segment.urgent,
            options: Some(options),
        }
    }

    /// Whether a segment is ECN-capable that may not be: both have to have agreed.
    pub fn is_too_capable(&self, segment: &Segment) -> bool {
        let agreed = self.kernel_knows_ecn && self.peer_knows_ecn;
        segment.ecn != ecn::NOT_ECT && !agreed
    }

    /// The first byte of a segment's data that is not what was written there.
    pub fn first_wrong_byte(&self, segment: &Segment) -> Option<u64> {
        let first = self.kernel_first?.wrapping_add(1);
        let sequence = segment
            .sequence
            .wrapping_add(u32::from(segment.has(flag::SYN)));
        let place = u64::from(sequence.wrapping_sub(first));
        stream::first_difference(place, &segment.payload)
    }

    /// Remembers which timestamp of the kernel's is the script's. How far it is
    /// from where the script has it, in ticks.
    pub fn learn_timestamp(&mut self, expected: &Packet, came: &Packet) -> Option<i64> {
        let script = timestamp(expected)?;
        let live = timestamp(came)?;
        self.timestamps.insert(script, live);
        let (first_script, first_live) = *self.first_timestamp.get_or_insert((script, live));
        let expected = script.wrapping_sub(first_script) as i32;
        let came = live.wrapping_sub(first_live) as i32;
        Some(i64::from(came) - i64::from(expected))
    }
}

fn timestamp(packet: &Packet) -> Option<u32> {
    packet
        .options
        .iter()
        .flatten()
        .find_map(|option| match option {
            TcpOption::Timestamps(value, _) => Some(*value),
            _ => None,
        })
}

fn shift(blocks: &mut [(u32, u32)], by: u32) {
    for (from, to) in blocks {
        *from = from.wrapping_add(by);
        *to = to.wrapping_add(by);
    }
}

#[cfg(test)]
mod tests {
    use super::super::packets;
    use super::super::scan::Scanner;
    use super::*;

    fn packet(text: &str) -> Packet {
        packets::parse(&mut Scanner::new(text), false).unwrap()
    }

    /// The kernel's numbers begin at 5000 and its clock at 70, where the script
    /// has 0 and 100; the peer's begin at 123.
    fn opened() -> Connection {
        let mut connection = Connection::new(1, 2);
        let syn = packet("S 0:0(0) <nop,nop,TS val 100 ecr 0>");
        connection.expect(&syn);
        let live = Segment {
            sequence: 5000,
            flags: flag::SYN,
            ..Segment::default()
        };
        connection.hear(&live);
        let came = connection.in_script(&live, vec![TcpOption::Timestamps(70, 0)]);
        assert_eq!(connection.learn_timestamp(&syn, &came), Some(0));
        let answer = packet("S. 123:123(0) ack 1 win 9 <nop,nop,TS val 8 ecr 100>");
        let (answer, options) = connection.send(&answer).unwrap();
        assert_eq!((answer.sequence, answer.acknowledgement), (123, 5001));
        assert_eq!(
            options::decode(&options)[2],
            TcpOption::Timestamps(8, 70),
            "echoes the kernel's"
        );
        connection
    }

    #[test]
    fn numbers_behind_the_handshake_count_from_its_own() {
        let mut connection = opened();
        let ack = packet(". 1:11(10) ack 101 win 9 <nop,nop,sack 201:301>");
        let (ack, options) = connection.send(&ack).unwrap();
        assert_eq!((ack.sequence, ack.acknowledgement), (124, 5101));
        assert_eq!(
            options::decode(&options)[2],
            TcpOption::Sack(vec![(5201, 5301)])
        );
        assert_eq!(ack.payload, stream::bytes_at(0, 10));
        let live = Segment {
            sequence: 5101,
            acknowledgement: 134,
            flags: flag::ACK | flag::PSH,
            payload: stream::bytes_at(100, 3),
            window: 7,
            ..Segment::default()
        };
        let blocks = vec![
            TcpOption::Nop,
            TcpOption::Nop,
            TcpOption::Sack(vec![(143, 153)]),
        ];
        assert_eq!(
            connection.in_script(&live, blocks).to_string(),
            "[noecn] P. 101:104(3) ack 11 win 7 <nop,nop,sack 20:30>"
        );
        assert_eq!(connection.first_wrong_byte(&live), None);
    }

    #[test]
    fn only_those_who_agreed_send_ecn_capable_packets() {
        let capable = Segment {
            ecn: ecn::ECT0,
            flags: flag::ACK,
            ..Segment::default()
        };
        assert!(opened().is_too_capable(&capable));
        for (asks, answer, fits) in [
            (flag::ECE | flag::CWR, "SE. 0:0(0) ack 1 win 9", true),
            (flag::ECE | flag::CWR, "S. 0:0(0) ack 1 win 9", false),
            (0, "SE. 0:0(0) ack 1 win 9", false),
        ] {
            let mut connection = Connection::new(1, 2);
            connection.hear(&Segment {
                flags: flag::SYN | asks,
                ..Segment::default()
            });
            connection.send(&packet(answer)).unwrap();
            assert_eq!(
                !connection.is_too_capable(&capable),
                fits,
                "{asks} {answer}"
            );
        }
    }

    #[test]
    fn a_timestamp_that_was_never_sent_cannot_be_echoed() {
        let ack = packet(". 1:1(0) ack 1 win 9 <nop,nop,TS val 9 ecr 101>");
        let error = opened().send(&ack).unwrap_err();
        assert!(error.to_string().contains("`TS val 101`"), "{error}");
    }
}
