//! Packets with their places in both captures, on scripted connections.
// SPDX-License-Identifier: Apache-2.0
mod captured;

use captured::captured;
use thinlab_trace::golden::scenarios;
use thinlab_trace::{
    Analysis, Capture, Clock, End, Options, PacketKind, Records, StrayKind, analyze, packets,
    records,
};

/// What the captures of every scenario tell.
fn each(test: impl Fn(&str, [&Capture; 2], &Analysis, &Records)) {
    for (name, script) in scenarios::all() {
        let ([sender, receiver], flow) = captured(&script);
        let options = Options {
            flow: Some(flow),
            ..Options::default()
        };
        let analysis = analyze(&sender, &receiver, &options).unwrap();
        let records = records(&sender, &receiver, &analysis).unwrap();
        test(name, [&sender, &receiver], &analysis, &records);
    }
}

#[test]
fn records_are_the_packets_in_the_same_order() {
    each(|name, [sender, receiver], analysis, records| {
        let passages = packets(sender, receiver, Some(analysis.flow), &[]).unwrap();
        let told: Vec<_> = records.packets.iter().map(|it| it.passage).collect();
        assert_eq!(told, passages, "{name}");
    });
}

#[test]
fn frames_are_there_at_the_instants_told() {
    each(|name, [sender, receiver], _, records| {
        let at_ns = |capture: &Capture, frame| {
            let packet = capture.packets.iter().find(|packet| packet.frame == frame);
            packet.map(|packet| packet.at_ns)
        };
        for record in &records.packets {
            let (from, to) = if record.passage.forward {
                (sender, receiver)
            } else {
                (receiver, sender)
            };
            let (sent_ns, arrived_ns) = (record.passage.sent_ns, record.passage.arrived_ns);
            assert_eq!(at_ns(from, record.sent_frame), Some(sent_ns), "{name}");
            let arrival_ns = record.arrived_frame.and_then(|frame| at_ns(to, frame));
            assert_eq!(arrival_ns, arrived_ns, "{name}: {record:?}");
        }
    });
}

#[test]
fn every_frame_of_the_connection_is_told_once() {
    each(|name, [sender, receiver], analysis, records| {
        for (end, capture) in [(End::Sender, sender), (End::Receiver, receiver)] {
            let mut told: Vec<u32> = Vec::new();
            for record in &records.packets {
                if record.passage.forward == (end == End::Sender) {
                    told.push(record.sent_frame);
                } else {
                    told.extend(record.arrived_frame);
                }
            }
            let strays = records.strays.iter().filter(|stray| stray.end == end);
            told.extend(strays.map(|stray| stray.frame));
            told.sort_unstable();
            let ends = [analysis.flow.sender, analysis.flow.receiver];
            let of_flow = |frame: &u32| {
                let packet = capture.packets.iter().find(|it| it.frame == *frame);
                let connection = capture.connections[packet.unwrap().connection as usize];
                ends.contains(&connection.first) && ends.contains(&connection.second)
            };
            let mut all: Vec<u32> = capture.packets.iter().map(|it| it.frame).collect();
            all.retain(of_flow);
            all.sort_unstable();
            assert_eq!(told, all, "{name}: {end}");
        }
    });
}

#[test]
fn what_repeats_in_vain_and_what_is_no_packet_of_its_own_add_up() {
    each(|name, _, analysis, records| {
        let forward = || records.packets.iter().filter(|it| it.passage.forward);
        let spurious: u64 = forward().map(|it| it.spurious_bytes).sum();
        assert_eq!(spurious, analysis.traffic.spurious_bytes, "{name}");
        let needless = forward().filter(|it| it.is_spurious()).count() as u64;
        assert_eq!(needless, analysis.traffic.spurious_packets, "{name}");
        let hits: u64 = forward().map(|it| it.hit_bytes).sum();
        assert_eq!(hits, analysis.traffic.bundle_hit_bytes, "{name}");
        let of = |end, kind| {
            let such = |stray: &&thinlab_trace::Stray| stray.end == end && stray.kind == kind;
            records.strays.iter().filter(such).count() as u64
        };
        let copies = of(End::Receiver, StrayKind::Copy);
        assert_eq!(copies, analysis.forward.duplicated, "{name}");
        let unsent = of(End::Receiver, StrayKind::Unsent);
        assert_eq!(unsent, analysis.forward.unsent, "{name}");
        let retransmitted = forward().filter(|it| it.passage.kind == PacketKind::Retransmission);
        assert!(retransmitted.count() as u64 == analysis.metrics.retransmitted_packets);
    });
}

#[test]
fn two_clocks_become_the_senders() {
    for (name, script) in scenarios::separate_clocks() {
        let ([sender, receiver], _) = captured(&script);
        let options = Options {
            clock: Clock::Separate,
            ..Options::default()
        };
        let analysis = analyze(&sender, &receiver, &options).unwrap();
        let records = records(&sender, &receiver, &analysis).unwrap();
        assert!(records.packets.is_sorted_by_key(|it| it.passage.sent_ns));
        for record in &records.packets {
            let passage = record.passage;
            let delay_ns = passage.arrived_ns.map(|at_ns| at_ns - passage.sent_ns);
            let fits =
                delay_ns.is_none_or(|delay_ns| (1_000_000..3_000_000_000).contains(&delay_ns));
            assert!(fits, "{name}: {passage:?}");
        }
    }
}
