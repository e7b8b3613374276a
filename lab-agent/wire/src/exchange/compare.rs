//! What the kernel sent, held against the line that expects it.
// SPDX-License-Identifier: Apache-2.0
use super::link::Came;
use super::peer::{Peer, offset_of_peer};
use crate::packet::flag;
use crate::script::{Event, Expected};

const COMPARED: u8 = flag::FIN | flag::SYN | flag::RST | flag::URG | flag::ECE | flag::CWR;

/// What is wrong with what came, the first thing, if anything is. It may come
/// early by `tolerance_ns`.
pub fn fault(
    event: &Event,
    expected: &Expected,
    came: &Came,
    peer: &Peer<'_>,
    tolerance_ns: i64,
) -> Option<&'static str> {
    let segment = &came.segment;
    let from = peer.offset_of_kernel(segment.sequence);
    let sack = segment.options.sack.iter();
    let sack = sack.map(|&(from, to)| (offset_of_peer(from), offset_of_peer(to)));
    let acknowledgement = offset_of_peer(segment.acknowledgement);
    let has_timestamps = segment.options.timestamps.is_some();
    let faults = [
        (
            (from, from + segment.payload.len() as i64) != (expected.from, expected.to),
            "other bytes",
        ),
        (came.at < event.from - tolerance_ns, "too early"),
        (segment.flags & COMPARED != expected.flags, "other flags"),
        (
            expected
                .push
                .is_some_and(|push| push != segment.has(flag::PSH)),
            "PSH is wrong",
        ),
        (
            segment.ecn != expected.ecn,
            "the IP header's ECN bits are wrong",
        ),
        (
            acknowledgement != peer.acknowledgement_of(expected),
            "another acknowledgement",
        ),
        (
            expected
                .sack
                .as_ref()
                .is_some_and(|blocks| !sack.eq(blocks.iter().copied())),
            "other SACK blocks",
        ),
        (
            peer.uses_timestamps() != has_timestamps,
            "timestamps were agreed on in the handshake otherwise",
        ),
    ];
    let fault = faults.into_iter().find(|(is_so, _)| *is_so);
    fault.map(|(_, what)| what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{Options, Segment, ecn};
    use crate::script::{self, Kind};

    const MS_NS: i64 = 1_000_000;

    fn expected() -> Expected {
        Expected {
            from: 100,
            to: 103,
            push: Some(true),
            sack: Some(vec![(5, 7)]),
            ..Expected::default()
        }
    }

    /// What is wrong after `change` with what is as it should be before.
    fn found(change: impl FnOnce(&mut Came)) -> Option<&'static str> {
        let presented = script::Peer::default();
        let peer = Peer::new(&presented);
        let in_peer = |offset| peer.segment(0, offset, 0).sequence;
        let mut came = Came {
            at: 20 * MS_NS,
            segment: Segment {
                sequence: peer.in_kernel_stream(100),
                acknowledgement: in_peer(0),
                flags: flag::ACK | flag::PSH,
                options: Options {
                    sack: vec![(in_peer(5), in_peer(7))],
                    ..Options::default()
                },
                payload: vec![1, 2, 3],
                ..Segment::default()
            },
        };
        change(&mut came);
        let event = Event {
            line: 1,
            from: 20 * MS_NS,
            to: 20 * MS_NS,
            kind: Kind::Quiet,
        };
        fault(&event, &expected(), &came, &peer, MS_NS)
    }

    #[test]
    fn what_a_line_says_is_right() {
        assert_eq!(found(|_| {}), None);
        assert_eq!(found(|came| came.at -= MS_NS), None);
    }

    #[test]
    fn whatever_is_otherwise_is_named() {
        let faults = [
            found(|came| came.segment.sequence += 1),
            found(|came| came.segment.payload.truncate(2)),
            found(|came| came.at -= MS_NS + 1),
            found(|came| came.segment.flags |= flag::FIN),
            found(|came| came.segment.flags = flag::ACK),
            found(|came| came.segment.ecn = ecn::ECT0),
            found(|came| came.segment.acknowledgement += 1),
            found(|came| came.segment.options.sack[0].1 += 1),
            found(|came| came.segment.options.sack.clear()),
            found(|came| came.segment.options.timestamps = Some((1, 1))),
        ];
        assert_eq!(
            faults.map(|fault| fault.expect("something is otherwise")),
            [
                "other bytes",
                "other bytes",
                "too early",
                "other flags",
                "PSH is wrong",
                "the IP header's ECN bits are wrong",
                "another acknowledgement",
                "other SACK blocks",
                "other SACK blocks",
                "timestamps were agreed on in the handshake otherwise",
            ]
        );
    }
}
