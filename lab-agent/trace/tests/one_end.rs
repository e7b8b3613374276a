//! One capture alone against the golden truth: what it can know is exact.
// SPDX-License-Identifier: Apache-2.0

use thinlab_trace::golden::{Fate, FileFormat, Intent, Script, scenarios};
use thinlab_trace::{Capture, Flow, Options, analyze, at_receiver, at_sender, read_capture};

const MS: u64 = 1_000_000;

fn capture(file: &[u8]) -> Capture {
    read_capture(file).expect("a file")
}

fn flow(script: &Script) -> Flow {
    Flow {
        sender: script.wire.sender,
        receiver: script.wire.receiver,
    }
}

#[test]
fn the_senders_capture_knows_what_left() {
    for (name, script) in scenarios::all() {
        let trace = script.run();
        let capture = capture(&trace.files(&FileFormat::default()).sender);
        let told = at_sender(&capture, Some(flow(&script))).expect("data");
        let (traffic, truth) = (&told.traffic, &trace.truth.traffic);
        assert_eq!(traffic.data_packets, truth.data_packets, "{name}");
        assert_eq!(traffic.payload_bytes, truth.payload_bytes, "{name}");
        assert_eq!(
            traffic.retransmitted_packets, truth.retransmitted_packets,
            "{name}"
        );
        assert_eq!(
            traffic.retransmitted_bytes, truth.retransmitted_bytes,
            "{name}"
        );
        assert_eq!(traffic.bundled_bytes, truth.bundled_bytes, "{name}");
        assert_eq!(traffic.probe_packets, truth.probe_packets, "{name}");
        assert_eq!(
            told.fast_packets + told.timeout_packets,
            truth.retransmitted_packets,
            "{name}"
        );
    }
}

#[test]
fn the_receivers_capture_knows_what_came_and_what_waited() {
    for (name, script) in scenarios::all() {
        let trace = script.run();
        let capture = capture(&trace.files(&FileFormat::default()).receiver);
        // Its first bytes may have been lost, and then nobody knows where it began.
        let told = at_receiver(&capture, Some(flow(&script))).expect("data");
        let arrived = trace
            .truth
            .bytes
            .iter()
            .filter(|byte| byte.arrived_ns.is_some());
        assert_eq!(told.unique_bytes, arrived.count() as u64, "{name}");
        let waits = trace
            .truth
            .bytes
            .iter()
            .filter_map(|byte| Some(byte.available_ns? - byte.arrived_ns?));
        let waits: Vec<u64> = waits.collect();
        assert_eq!(told.delivered_bytes, waits.len() as u64, "{name}");
        let longest_us = waits.iter().max().map_or(0, |ns| ns / 1_000) as f64;
        assert!(
            (told.waiting.max_us - longest_us).abs() <= 1.0,
            "{name}: {longest_us}"
        );
    }
}

#[test]
fn acknowledgements_take_a_round_trip() {
    let (_, script) = scenarios::all().swap_remove(0);
    let files = script.run().files(&FileFormat::default());
    let [sender, receiver] =
        [&files.sender, &files.receiver].map(|file| read_capture(file).unwrap());
    let told = at_sender(&sender, None).expect("data");
    let time = &told.time_to_ack;
    // 10 µs in the receiver.
    assert_eq!(
        (time.samples, time.min_us, time.max_us),
        (20, 130_010.0, 130_010.0)
    );
    assert_eq!(told.acknowledged_bytes, 20 * 120);
    let both = analyze(&sender, &receiver, &Options::default()).expect("one connection");
    assert_eq!(both.recoveries.time_to_ack, told.time_to_ack);
}

#[test]
fn each_retransmission_is_counted_by_what_it_brought() {
    let (name, script) = scenarios::all().swap_remove(10);
    assert_eq!(name, "timeout three times");
    let files = script.run().files(&FileFormat::default());
    let [sender, receiver] =
        [&files.sender, &files.receiver].map(|file| read_capture(file).unwrap());
    let told = analyze(&sender, &receiver, &Options::default()).expect("one connection");
    let brought: Vec<_> = told
        .recoveries
        .by_ordinal
        .iter()
        .map(|latency| (latency.samples, latency.max_us))
        .collect();
    assert_eq!(brought, [(0, 0.0), (0, 0.0), (120, 2_375_000.0)]);
    assert!((told.traffic.estimated_loss_share() - 3.0 / 10.0).abs() < 1e-12);
}

#[test]
fn a_bundle_is_no_retransmission_and_a_loss_it_heals_is_not_estimated() {
    let mut script = Script::new();
    script.data(1_000 * MS, Intent::New, 0..120, Fate::Lost);
    script.data(
        1_140 * MS,
        Intent::Bundle { new_from: 120 },
        0..240,
        Fate::arrives(65 * MS),
    );
    let files = script.run().files(&FileFormat::default());
    let [sender, receiver] =
        [&files.sender, &files.receiver].map(|file| read_capture(file).unwrap());
    let told = analyze(&sender, &receiver, &Options::default()).expect("one connection");
    assert!(told.recoveries.by_ordinal.is_empty());
    assert!(told.traffic.estimated_loss_share().abs() < 1e-12);
    assert_eq!(told.forward.lost, 1);
}
