//! Damaged arrivals that their receiver took nevertheless, as TCP Lite does: of each, the
//! header tells which packet it is.
//!
//! The analysis takes every damaged arrival for thrown away. Here those that were not become
//! the packets that they were when they left, so that everything behind this, the records and
//! the pictures too, counts them as arrived, without knowing of damage that is taken.
// SPDX-License-Identifier: Apache-2.0

use std::collections::{BTreeMap, HashMap};

use crate::capture::{Capture, Checksum, Flags, Packet, Protocol};
use crate::coverage::Coverage;
use crate::error::AnalyzeError;
use crate::flow::{self, EndView, Flow};
use crate::unwrap::Unwrap;
use crate::whole::{self, Ends, Relation};

/// Makes the damaged arrivals that the receiver of a flow took whole ones; returns how many.
///
/// Each is the packet that left with the same sequence and acknowledgement number, flags and
/// length, and of which no whole copy arrived: of several the one with the same IPv4
/// identification, if there is one. It keeps its own time and frame.
/// One that is no such packet stays damaged, and so does one whose bytes the receiver lacks by
/// its own acknowledgements. Where these say nothing, the rest of the header has to be that
/// packet's as well.
///
/// Of use only where the receiver takes damage: where it does not, and says nothing either, its
/// loss would count as an arrival. For the stream that goes the other way, exchange the captures
/// and turn the flow around.
///
/// # Errors
/// [`AnalyzeError`], when the captures do not belong together or hold several flows.
pub fn accept_damaged(
    sender: &Capture,
    receiver: &mut Capture,
    flow: Option<Flow>,
) -> Result<u64, AnalyzeError> {
    let flow = flow::choose(sender, receiver, flow)?;
    if !receiver.packets.iter().any(Packet::is_damaged) {
        return Ok(0);
    }
    let slack_ns = i64::from(sender.resolution_ns) + i64::from(receiver.resolution_ns);
    let (here, there) = (EndView::new(sender, &flow), EndView::new(receiver, &flow));
    if here.protocol != Protocol::Tcp {
        return Ok(0);
    }
    let accepted = accepted(&here, &there, slack_ns);
    // A frame that was cut apart into several packets is none of the damaged.
    let damaged = receiver.packets.iter_mut().filter(|it| it.is_damaged());
    let mut count = 0;
    for arrival in damaged {
        let Some(departure) = accepted.get(&arrival.frame) else {
            continue;
        };
        *arrival = Packet {
            at_ns: arrival.at_ns,
            frame: arrival.frame,
            connection: arrival.connection,
            from_first: arrival.from_first,
            ..*departure
        };
        count += 1;
    }
    Ok(count)
}

/// What tells which packet it is, although some of it is damaged.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Header {
    seq: u32,
    ack: u32,
    flags: u8,
    payload_bytes: u32,
}

impl Header {
    /// None: no receiver takes such a packet when it is damaged.
    fn of(packet: &Packet) -> Option<Self> {
        const RST: u8 = 1 << 2;
        const URG: u8 = 1 << 5;
        let flags = packet.flags.0 & (Flags::SYN | Flags::ACK | RST | URG);
        let can_be_taken = packet.payload_bytes > 0 && flags == Flags::ACK;
        can_be_taken.then_some(Self {
            seq: packet.seq,
            ack: packet.ack,
            // Receivers look at PSH in no segment, and so in none that is damaged.
            flags: packet.flags.0 & !Flags::PSH,
            payload_bytes: packet.payload_bytes,
        })
    }
}

/// Of the receiver's frames, those that it took although damaged, and what they were.
fn accepted(here: &EndView, there: &EndView, slack_ns: i64) -> HashMap<u32, Packet> {
    let Some(first) = here.forward.first() else {
        return HashMap::new();
    };
    let seen: Vec<(bool, &Packet)> = there.in_order().collect();
    let same = recognised(here, there, &seen, slack_ns);
    let said = said(&seen, &same, first.seq);
    let is_accepted = |(at, departure): &(&usize, &&Packet)| match said.get(*at) {
        Some(Said::Took) => true,
        Some(Said::Lacks) => false,
        None => seen[**at].1.identity == departure.identity,
    };
    let accepted = same.iter().filter(is_accepted);
    accepted
        .map(|(at, departure)| (seen[*at].1.frame, **departure))
        .collect()
}

/// Of the damaged packets among those that the receiver saw, by their places, what they were
/// when they left.
fn recognised<'a>(
    here: &EndView<'a>,
    there: &EndView,
    seen: &[(bool, &Packet)],
    slack_ns: i64,
) -> BTreeMap<usize, &'a Packet> {
    let mut paired = whole::pair(&here.forward, &there.forward);
    let ends = Ends::new(&here.forward, &there.forward, Relation::default(), slack_ns);
    paired.resolve(&ends, &[]);
    let delays = paired
        .pairs()
        .map(|(departure, arrival)| there.forward[arrival].at_ns - here.forward[departure].at_ns);
    // Of two clocks, one may be behind by more than a packet takes.
    let early_ns = (slack_ns - delays.min().unwrap_or(0)).max(0);
    let mut missing: HashMap<Header, Vec<&Packet>> = HashMap::new();
    for (departure, arrival) in here.forward.iter().zip(&paired.arrival_of) {
        if let (None, Some(header)) = (arrival, Header::of(departure)) {
            missing.entry(header).or_default().push(departure);
        }
    }
    let mut same = BTreeMap::new();
    // By its identification first, which most have kept. Where that changed, and IP's checksum with
    // it so that IP passed it on, receivers took the segment all the same: they look at none.
    for is_identified in [true, false] {
        // The last arrival first, each the last that left before it: so all stay in order, and
        // none takes longer than it must. But one that is the same in all of its header is it.
        for (at, (is_forward, arrival)) in seen.iter().enumerate().rev() {
            // What is damaged below TCP never comes to it.
            let is_damaged = arrival.checksum == Checksum::Wrong;
            if !is_forward || !is_damaged || same.contains_key(&at) {
                continue;
            }
            let alike = Header::of(arrival).and_then(|header| missing.get_mut(&header));
            let Some(alike) = alike else {
                continue;
            };
            let can_be = |it: &&Packet| {
                let had_left = it.at_ns <= arrival.at_ns + early_ns;
                had_left && (!is_identified || it.ip_id == arrival.ip_id)
            };
            let is_it = |it: &&Packet| it.identity == arrival.identity && can_be(it);
            let last = alike.iter().rposition(is_it);
            if let Some(last) = last.or_else(|| alike.iter().rposition(can_be)) {
                same.insert(at, alike.remove(last));
            }
        }
    }
    same
}

/// What a receiver's acknowledgements say of a damaged packet's bytes.
enum Said {
    /// It has them, and nothing else brought them all.
    Took,
    /// It has all before some of them, and not these.
    Lacks,
}

/// What they say of those that were recognised, by their places. Of the others they say nothing:
/// something before them is missing, the receiver had them already, or they came again before
/// it acknowledged any.
fn said(
    seen: &[(bool, &Packet)],
    same: &BTreeMap<usize, &Packet>,
    origin: u32,
) -> BTreeMap<usize, Said> {
    let (mut numbers, mut acknowledgements) = (Unwrap::new(origin), Unwrap::new(origin));
    let mut held = Coverage::default();
    let mut open: Vec<(usize, u64, u64)> = Vec::new();
    let mut said = BTreeMap::new();
    for (at, (is_forward, packet)) in seen.iter().enumerate() {
        let is_recognised = same.contains_key(&at);
        if *is_forward && (is_recognised || !packet.is_damaged()) {
            let start = numbers.offset(packet.seq);
            let end = (start + i64::from(packet.payload_bytes)).max(0) as u64;
            let start = start.max(0) as u64;
            if is_recognised {
                open.push((at, start, end));
            } else {
                held.insert(start, end);
            }
        }
        if *is_forward || !packet.flags.ack() {
            continue;
        }
        let acknowledged = acknowledgements.offset(packet.ack).max(0) as u64;
        // Of several that may have brought something, it was the last: before that one came,
        // the receiver would have acknowledged it.
        for (at, start, end) in open.iter().rev() {
            if *end <= acknowledged {
                if !held.insert(*start, *end).is_empty() {
                    // Whatever was said before was on its way out when the packet came.
                    said.insert(*at, Said::Took);
                }
            } else if *start <= acknowledged {
                said.insert(*at, Said::Lacks);
            }
        }
        open.retain(|(.., end)| *end > acknowledged);
        // The capture may have begun later, or lack some.
        held.insert(0, acknowledged);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::accept_damaged;
    use crate::capture::Flags;
    use crate::golden::{Clocks, Fate, FileFormat, Intent, IpIds, Script, Trace};
    use crate::{
        Analysis, Capture, Checksum, Clock, Flow, Options, PacketKind, StrayKind, analyze, packets,
        read_capture, records,
    };

    const MS: u64 = 1_000_000;
    const ONE_WAY: u64 = 65 * MS;
    /// In the IP packet: IP's time to live, TCP's sequence number, its window, its value of the
    /// time stamp, and something in the payload.
    const TTL: usize = 8;
    const SEQ: usize = 27;
    const WINDOW: usize = 35;
    const TIME: usize = 47;
    const PAYLOAD: usize = 100;

    fn damaged(at_byte: usize) -> Fate {
        Fate::Damaged {
            after_ns: ONE_WAY,
            at_byte,
        }
    }

    fn at(message: u64) -> u64 {
        1_000 * MS + message * 100 * MS
    }

    fn bytes(message: u64) -> std::ops::Range<u64> {
        message * 120..message * 120 + 120
    }

    /// Five messages to a receiver that takes damaged payload, of which the third meets a fate.
    fn third(fate: &Fate) -> Script {
        let mut script = Script::new();
        script.takes_damage_from = Some(52);
        for message in 0..5 {
            let fate = match message {
                2 => fate.clone(),
                _ => Fate::arrives(ONE_WAY),
            };
            script.data(at(message), Intent::New, bytes(message), fate);
        }
        script
    }

    fn captures(trace: &Trace) -> [Capture; 2] {
        let files = trace.files(&FileFormat::default());
        [&files.sender, &files.receiver].map(|file| read_capture(file).expect("a whole file"))
    }

    fn analysed([sender, receiver]: &[Capture; 2]) -> Analysis {
        analyze(sender, receiver, &Options::default()).expect("a connection in both")
    }

    /// How many are accepted, and what is left.
    fn accepted(trace: &Trace) -> (u64, [Capture; 2]) {
        let [sender, mut receiver] = captures(trace);
        let count = accept_damaged(&sender, &mut receiver, None).expect("a connection in both");
        (count, [sender, receiver])
    }

    fn damaged_of(capture: &Capture) -> usize {
        let packets = capture.packets.iter();
        packets.filter(|packet| packet.is_damaged()).count()
    }

    /// When the third message arrived and could be had, from when it left.
    fn third_ms(analysis: &Analysis) -> [Option<u64>; 2] {
        let ranges = &analysis.ranges;
        let range = ranges.iter().find(|range| range.end == bytes(2).end);
        let range = range.expect("it was sent");
        let since_ms = |at_ns: i64| (at_ns - range.sent_ns) as u64 / MS;
        [range.arrived_ns, range.available_ns].map(|at_ns| at_ns.map(since_ms))
    }

    #[test]
    fn damaged_payload_arrives_when_it_came() {
        let trace = third(&damaged(PAYLOAD)).run();
        let before = analysed(&captures(&trace));
        assert_eq!(third_ms(&before), [None, None]);
        assert_eq!((before.forward.damaged, before.forward.lost), (1, 0));
        assert_eq!(before.metrics.delivered_bytes, 480);
        assert!(!before.warnings.is_empty(), "it was acknowledged");

        let (count, captures) = accepted(&trace);
        assert_eq!(count, 1);
        let after = analysed(&captures);
        assert_eq!(third_ms(&after), [Some(65), Some(65)]);
        assert_eq!((after.forward.damaged, after.forward.lost), (0, 0));
        assert_eq!(after.forward.arrived, after.forward.sent);
        assert_eq!(after.metrics.delivered_bytes, 600);
        assert_eq!(after.metrics.retransmitted_packets, 0);
        assert_eq!(after.warnings, []);

        let [sender, receiver] = &captures;
        let passages = packets(sender, receiver, None, &[]).expect("the same connection");
        let new = |it: &&crate::PacketPassage| it.kind == PacketKind::New;
        let mut new = passages.iter().filter(new);
        assert!(new.all(|it| it.arrived_ns == Some(it.sent_ns + ONE_WAY as i64)));
        let records = records(sender, receiver, &after).expect("the same connection");
        assert_eq!(records.strays, []);
    }

    #[test]
    fn a_damaged_header_is_not_accepted() {
        for at_byte in [SEQ, TTL, TIME] {
            let mut script = third(&damaged(at_byte));
            script.data(
                at(3) + 50 * MS,
                Intent::Retransmission,
                bytes(2),
                damaged(PAYLOAD),
            );
            let trace = script.run();
            let (count, captures) = accepted(&trace);
            assert_eq!((count, damaged_of(&captures[1])), (1, 1), "byte {at_byte}");
            let analysis = analysed(&captures);
            assert_eq!(third_ms(&analysis), [Some(215), Some(215)]);
            let records = records(&captures[0], &captures[1], &analysis).expect("the same");
            assert_eq!(records.strays.len(), 1);
            assert_eq!(records.strays[0].kind, StrayKind::Damaged);
        }
    }

    #[test]
    fn a_segment_of_which_psh_changed_as_well_is_accepted() {
        let [sender, mut receiver] = captures(&third(&damaged(PAYLOAD)).run());
        let packets = receiver.packets.iter_mut();
        for packet in packets.filter(|packet| packet.is_damaged()) {
            packet.flags.0 ^= Flags::PSH;
        }
        let count = accept_damaged(&sender, &mut receiver, None).expect("a connection in both");
        assert_eq!((count, damaged_of(&receiver)), (1, 0));
    }

    /// Two flips of which one was in IP's checksum: IP passed it on, and TCP does not look at it.
    #[test]
    fn a_segment_of_which_the_identification_changed_is_known_by_the_rest() {
        let [sender, mut receiver] = captures(&third(&damaged(PAYLOAD)).run());
        let packets = receiver.packets.iter_mut();
        for packet in packets.filter(|packet| packet.is_damaged()) {
            packet.ip_id = packet.ip_id.map(|id| id ^ 0x10);
        }
        let count = accept_damaged(&sender, &mut receiver, None).expect("a connection in both");
        assert_eq!((count, damaged_of(&receiver)), (1, 0));
        assert_eq!(third_ms(&analysed(&[sender, receiver])), [Some(65); 2]);
    }

    /// Behind a hole, no acknowledgement tells whether it was taken.
    #[test]
    fn where_the_receiver_says_nothing_the_whole_header_counts() {
        for (at_byte, expected) in [(SEQ, 0), (TTL, 0), (WINDOW, 0), (TIME, 0), (PAYLOAD, 1)] {
            let mut script = third(&Fate::Lost);
            script.data(at(5), Intent::New, bytes(5), damaged(at_byte));
            let (count, captures) = accepted(&script.run());
            assert_eq!(count, expected, "byte {at_byte}");
            assert_eq!(damaged_of(&captures[1]) as u64, 1 - expected);
        }
    }

    /// Whoever asks may be wrong about the receiver, which knows what it has.
    #[test]
    fn what_the_receiver_says_it_lacks_is_not_accepted() {
        let mut script = third(&damaged(PAYLOAD));
        script.takes_damage_from = None;
        script.data(
            at(5),
            Intent::Retransmission,
            bytes(2),
            Fate::arrives(ONE_WAY),
        );
        let trace = script.run();
        let (count, captures) = accepted(&trace);
        assert_eq!((count, damaged_of(&captures[1])), (0, 1));
        assert_eq!(third_ms(&analysed(&captures)), [Some(365), Some(365)]);
    }

    /// The next bundle begins behind what the damaged one began with, and brings all that was new.
    #[test]
    fn what_other_packets_brought_is_no_sign() {
        for (at_byte, expected) in [(TIME, 0), (PAYLOAD, 1)] {
            let mut script = third(&Fate::arrives(ONE_WAY));
            let bundle = |from, until| {
                (
                    Intent::Bundle {
                        new_from: until - 120,
                    },
                    from..until,
                )
            };
            let (intent, bytes) = bundle(360, 720);
            script.data(at(5), intent, bytes, damaged(at_byte));
            let (intent, bytes) = bundle(600, 840);
            script.data(at(5) + 10 * MS, intent, bytes, Fate::arrives(ONE_WAY));
            assert_eq!(accepted(&script.run()).0, expected, "byte {at_byte}");
        }
    }

    #[test]
    fn what_was_acknowledged_before_is_no_sign() {
        let mut script = third(&Fate::arrives(ONE_WAY));
        let again_ns = at(3) + 50 * MS;
        script.data(again_ns, Intent::Retransmission, bytes(2), damaged(TIME));
        let [sender, mut receiver] = captures(&script.run());
        let seq = script.wire.sender_isn + 1 + 240;
        let is_third = |it: &crate::Packet| it.from_first && it.seq == seq && !it.is_damaged();
        receiver.packets.retain(|packet| !is_third(packet));
        assert_eq!(accept_damaged(&sender, &mut receiver, None), Ok(0));
        assert_eq!(damaged_of(&receiver), 1);
    }

    /// An answer that was on its way out when the packet came says nothing of it.
    #[test]
    fn an_answer_to_the_packet_before_it_is_none_to_it() {
        let mut script = third(&Fate::Lost);
        let just_before = Fate::Damaged {
            // The answer to the fourth leaves 10 µs after it came.
            after_ns: ONE_WAY + 5_000,
            at_byte: PAYLOAD,
        };
        script.data(at(3), Intent::Retransmission, bytes(2), just_before);
        let (count, captures) = accepted(&script.run());
        assert_eq!(count, 1);
        assert_eq!(third_ms(&analysed(&captures)), [Some(165), Some(165)]);
    }

    /// One of two departures with the same bytes arrives, damaged.
    #[test]
    fn a_copy_is_the_one_with_its_identification() {
        for is_first in [true, false] {
            let (first, second) = if is_first {
                (damaged(PAYLOAD), Fate::Lost)
            } else {
                (Fate::Lost, damaged(PAYLOAD))
            };
            // Both have left when the first comes; nothing but the identification differs.
            let mut script = third(&first);
            script.wire.timestamps = false;
            script.takes_damage_from = Some(40);
            script.data(at(2) + 20 * MS, Intent::Retransmission, bytes(2), second);
            let (count, captures) = accepted(&script.run());
            assert_eq!(count, 1);
            let analysis = analysed(&captures);
            assert_eq!((analysis.forward.damaged, analysis.forward.lost), (0, 1));
            let [sender, receiver] = &captures;
            let passages = packets(sender, receiver, None, &[]).expect("the same connection");
            let of_third = passages.iter().filter(|it| it.end == bytes(2).end);
            let arrived: Vec<bool> = of_third.map(|it| it.arrived_ns.is_some()).collect();
            assert_eq!(arrived, [is_first, !is_first]);
            assert_eq!(third_ms(&analysis)[0], Some(if is_first { 65 } else { 85 }));
        }
    }

    /// Without identifications, the rest of the header tells copies apart or, where that is
    /// damaged, time does.
    #[test]
    fn copies_without_identifications_are_told_apart() {
        let soon = at(2) + 20 * MS;
        for (at_byte, again_ns, again, second) in [
            (PAYLOAD, soon, Fate::Lost, None),
            (PAYLOAD, soon, damaged(PAYLOAD), Some(ONE_WAY as i64)),
            (WINDOW, soon, damaged(WINDOW), None),
            (WINDOW, at(5), Fate::Lost, None),
        ] {
            let mut script = third(&damaged(at_byte));
            script.wire.ip_ids = IpIds::Zero;
            script.takes_damage_from = Some(WINDOW);
            script.data(again_ns, Intent::Retransmission, bytes(2), again);
            let (count, [sender, receiver]) = accepted(&script.run());
            assert_eq!(count, 1 + u64::from(second.is_some()));
            let passages = packets(&sender, &receiver, None, &[]).expect("the same connection");
            let of_third = passages.iter().filter(|it| it.end == bytes(2).end);
            let took = of_third.map(|it| it.arrived_ns.map(|at_ns| at_ns - it.sent_ns));
            let took: Vec<Option<i64>> = took.collect();
            assert_eq!(took, [Some(ONE_WAY as i64), second], "byte {at_byte}");
        }
    }

    #[test]
    fn a_damaged_copy_of_what_came_whole_stays_damaged() {
        let twice = Fate::Twice {
            after_ns: ONE_WAY,
            again_after_ns: ONE_WAY + MS,
        };
        let script = third(&twice);
        let [sender, mut receiver] = captures(&script.run());
        let seq = script.wire.sender_isn + 1 + 240;
        let message = |packet: &&mut crate::Packet| packet.from_first && packet.seq == seq;
        let copies = receiver.packets.iter_mut().filter(message);
        copies.last().expect("the second copy").checksum = Checksum::Wrong;
        assert_eq!(accept_damaged(&sender, &mut receiver, None), Ok(0));
        assert_eq!(damaged_of(&receiver), 1);
    }

    #[test]
    fn acknowledgements_stay_as_they_are() {
        let mut script = third(&Fate::arrives(ONE_WAY));
        // In the checksum itself: all the rest is as it left.
        script.acknowledgement(2, damaged(36));
        let [mut sender, receiver] = captures(&script.run());
        let flow = Flow {
            sender: script.wire.receiver,
            receiver: script.wire.sender,
        };
        assert_eq!(accept_damaged(&receiver, &mut sender, Some(flow)), Ok(0));
        assert_eq!(damaged_of(&sender), 1);
    }

    #[test]
    fn the_other_direction_is_the_other_way_round() {
        let mut script = third(&Fate::arrives(ONE_WAY));
        script.echo(at(2) + 10 * MS, 0..50, damaged(70));
        let [mut sender, receiver] = captures(&script.run());
        let flow = Flow {
            sender: script.wire.receiver,
            receiver: script.wire.sender,
        };
        assert_eq!(damaged_of(&sender), 1);
        assert_eq!(accept_damaged(&receiver, &mut sender, Some(flow)), Ok(1));
        assert_eq!(damaged_of(&sender), 0);
    }

    #[test]
    fn two_clocks_do_not_matter() {
        for receiver_offset_ns in [-7_777_777_777, 3_600_000_000_000] {
            let mut script = third(&damaged(PAYLOAD));
            script.clocks = Clocks {
                receiver_offset_ns,
                ..Clocks::default()
            };
            let (count, [sender, receiver]) = accepted(&script.run());
            assert_eq!(count, 1);
            let options = Options {
                clock: Clock::Separate,
                ..Options::default()
            };
            let analysis = analyze(&sender, &receiver, &options).expect("a connection in both");
            assert_eq!(third_ms(&analysis), [Some(65), Some(65)]);
        }
    }
}
