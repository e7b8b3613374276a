//! The analyser against the golden traces of UDP and UDP-Lite: every message's instants, every
//! count, exact to the resolution of the stamps.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap)]

mod truth;

use thinlab_trace::golden::datagrams::{Played, Script, scenarios};
use thinlab_trace::golden::{Fate, FileFormat, Trace, scenarios as tcp, together};
use thinlab_trace::{
    Analysis, Checksum, Flow, Options, Protocol, analyze, at_receiver, at_sender, conversations,
    records, summarize,
};
use truth::{captures, expect_directions, near, other_formats};

fn options(script: &Script) -> Options {
    Options {
        flow: Some(Flow {
            sender: script.wire.sender,
            receiver: script.wire.receiver,
        }),
        ..Options::default()
    }
}

fn analysed(script: &Script, trace: &Trace, format: &FileFormat) -> Analysis {
    let [sender, receiver] = captures(trace, format);
    analyze(&sender, &receiver, &options(script)).expect("a flow in both")
}

fn expect(name: &str, script: &Script, played: &Played, analysis: &Analysis) {
    let truth = &played.truth;
    let near = near(&script.clocks, script.clocks.resolution_ns - 1);
    let messages = truth.messages.iter().filter(|message| message.bytes > 0);
    let messages: Vec<_> = messages.collect();
    assert_eq!(analysis.messages.len(), messages.len(), "{name}");
    let mut start = 0;
    for (told, message) in analysis.messages.iter().zip(&messages) {
        assert_eq!((told.start, told.end), (start, start + message.bytes));
        start = told.end;
        let right = near(told.sent_ns, Some(message.sent_ns))
            && near(told.arrived_ns, message.arrived_ns)
            && near(told.available_ns, message.arrived_ns);
        assert!(right, "{name}: {told:?} is in truth {message:?}");
    }
    let bytes = |has: fn(Option<u64>) -> bool| -> u64 {
        let those = messages.iter().filter(|message| has(message.arrived_ns));
        those.map(|message| message.bytes).sum()
    };
    let metrics = &analysis.metrics;
    assert_eq!(metrics.unique_bytes, bytes(|_| true), "{name}");
    assert_eq!(metrics.payload_bytes, metrics.unique_bytes, "{name}");
    assert_eq!(metrics.delivered_bytes, bytes(|at| at.is_some()), "{name}");
    assert_eq!(metrics.packets, messages.len() as u64, "{name}");
    assert_eq!(metrics.retransmitted_packets, 0, "{name}");
    assert!(metrics.redundancy_share.abs() < 1e-12, "{name}");
    expect_directions(name, analysis, &truth.forward, &truth.backward);
    assert!(
        analysis.warnings.is_empty(),
        "{name}: {:?}",
        analysis.warnings
    );
}

#[test]
fn every_scenario_comes_back_exactly() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        let analysis = analysed(&script, &played.trace, &FileFormat::default());
        expect(name, &script, &played, &analysis);
    }
}

#[test]
fn the_file_format_changes_nothing() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        for format in other_formats() {
            let analysis = analysed(&script, &played.trace, &format);
            expect(&format!("{name}, {format:?}"), &script, &played, &analysis);
        }
    }
}

/// Half a round trip is none.
#[test]
fn late_is_told_where_packets_arrived_both_ways() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        let analysis = analysed(&script, &played.trace, &FileFormat::default());
        let is_answered = played.truth.backward.sent > played.truth.backward.lost;
        assert_eq!(analysis.late.is_some(), is_answered, "{name}");
        if name == "two-way" {
            assert!(is_answered);
            assert_eq!(
                analysis.late.map(|late| late.lowest_rtt_us),
                Some(130_000.0)
            );
        }
    }
}

/// Losses, copies and lateness at random.
#[test]
fn random_scripts_come_back_exactly() {
    let mut state = 7_u64;
    let mut random = move |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    for number in 0..40 {
        let mut script = Script::new();
        script.wire.coverage_bytes = [None, Some(0), Some(8)][number % 3];
        for message in 0..200_u64 {
            let after_ns = 10_000_000 + random(60_000_000);
            let fate = match random(10) {
                0 | 1 => Fate::Lost,
                2 => Fate::Twice {
                    after_ns,
                    again_after_ns: after_ns + random(30_000_000),
                },
                3 => Fate::Damaged {
                    after_ns,
                    at_byte: 28 + random(20) as usize,
                },
                _ => Fate::arrives(after_ns),
            };
            let at_ns = message * 7_000_000 + random(7_000_000);
            script.message(at_ns, 1 + random(1_400), fate);
        }
        let played = script.run();
        let analysis = analysed(&script, &played.trace, &FileFormat::default());
        expect(&format!("random {number}"), &script, &played, &analysis);
    }
}

#[test]
fn one_end_knows_what_it_can() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        let [sender, receiver] = captures(&played.trace, &FileFormat::default());
        let flow = options(&script).flow;
        let messages = || played.truth.messages.iter();
        let told = at_sender(&sender, flow).expect("data");
        let sent: u64 = messages().map(|message| message.bytes).sum();
        assert_eq!(told.traffic.payload_bytes, sent, "{name}");
        assert_eq!((told.fast_packets, told.timeout_packets), (0, 0), "{name}");
        let told = at_receiver(&receiver, flow).expect("data");
        let arrived = messages().filter(|message| message.arrived_ns.is_some());
        let arrived: u64 = arrived.map(|message| message.bytes).sum();
        if !name.contains("no identifications") {
            assert_eq!(told.unique_bytes, arrived, "{name}");
            assert_eq!(told.delivered_bytes, arrived, "{name}");
        }
    }
}

#[test]
fn packets_are_told_of_one_by_one() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        let [sender, receiver] = captures(&played.trace, &FileFormat::default());
        let analysis = analyze(&sender, &receiver, &options(&script)).expect("a flow");
        let told = records(&sender, &receiver, &analysis).expect("the same captures");
        let forward = told.packets.iter().filter(|one| one.passage.forward);
        let arrived: Vec<bool> = forward.map(|one| one.arrived_frame.is_some()).collect();
        let truth = played.truth.messages.iter();
        let truth: Vec<bool> = truth.map(|it| it.arrived_ns.is_some()).collect();
        assert_eq!(arrived, truth, "{name}");
    }
}

/// Beside connections datagrams are other programs', and figures are of whole captures.
#[test]
fn datagrams_are_read_where_nothing_else_is() {
    let (_, script) = scenarios::all().remove(1);
    let alone = script.run().trace;
    let [capture, _] = captures(&alone, &FileFormat::default());
    assert_eq!(capture.connections[0].protocol, Protocol::Udp);
    assert!(
        capture
            .packets
            .iter()
            .all(|it| it.checksum == Checksum::Right)
    );
    assert_eq!(conversations(&capture), []);
    let files = alone.files(&FileFormat::default());
    assert!(summarize(&files.sender, &files.receiver, &options(&script)).is_none());
    let (_, connection) = tcp::all().remove(0);
    let [capture, _] = captures(
        &together([(0, alone), (0, connection.run())]),
        &FileFormat::default(),
    );
    assert_eq!(capture.connections.len(), 1);
    assert_eq!(capture.connections[0].protocol, Protocol::Tcp);
}
