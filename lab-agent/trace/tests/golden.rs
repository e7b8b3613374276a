//! The analyser against the golden traces: every byte's S, A and I, every
//! count, exact to the resolution of the stamps.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap, clippy::float_cmp)]

mod truth;

use thinlab_trace::golden::{
    ByteOrder, Container, FileFormat, Link, Script, Trace, bulk, scenarios,
};
use thinlab_trace::{Analysis, Clock, DeliveredRange, Options, analyze};
use truth::{captures, expect_directions, expect_traffic, near};

#[test]
fn every_scenario_comes_back_exactly() {
    for (name, script) in scenarios::all() {
        let trace = script.run();
        let analysis = analysed(&trace, &FileFormat::default(), &Options::default());
        expect_bytes(name, &script, &trace, &analysis, trace.resolution_ns - 1);
        expect_counts(name, &trace, &analysis);
    }
}

/// A long stream: everything in it follows from its rule.
#[test]
fn a_long_stream_comes_back_by_formula() {
    let trace = bulk(20_000);
    let analysis = analysed(&trace, &FileFormat::default(), &Options::default());
    let metrics = &analysis.metrics;
    let truth = &trace.truth;
    let traffic = &truth.traffic;
    assert_eq!(metrics.retransmitted_bytes, traffic.retransmitted_bytes);
    assert_eq!(metrics.payload_bytes, traffic.payload_bytes);
    expect_directions("bulk", &analysis, &truth.forward, &truth.backward);
    // Of 50 messages one takes 395 ms and holds up the 16 behind it, which
    // would have arrived within 330 ms.
    let curve = |latency: &Option<lab_proto::Latency>| {
        let by_message = latency.clone().and_then(|latency| latency.per_message);
        let points = by_message.expect("messages").cdf;
        points
            .iter()
            .map(|point| (point.latency_us, (point.share * 50.0).round()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        curve(&metrics.transport),
        [(65_000.0, 49.0), (395_000.0, 50.0)]
    );
    let application = curve(&metrics.application);
    assert_eq!((application[0], application.len()), ((65_000.0, 33.0), 18));
    assert_eq!(application[1..3], [(75_000.0, 34.0), (95_000.0, 35.0)]);
    assert_eq!(application[17], (395_000.0, 50.0));
}

/// Offset and drift are removed; what remains is the rounding of the stamps,
/// of which a latency has two.
#[test]
fn separate_clocks_come_back_to_the_resolution() {
    for (name, script) in scenarios::separate_clocks() {
        let trace = script.run();
        let options = Options {
            clock: Clock::Separate,
            ..Options::default()
        };
        let analysis = analysed(&trace, &FileFormat::default(), &options);
        expect_bytes(name, &script, &trace, &analysis, 2 * trace.resolution_ns);
        expect_counts(name, &trace, &analysis);
    }
}

/// The same connection in every container, byte order, link type and with the
/// payload cut off.
#[test]
fn the_file_format_changes_nothing() {
    let formats = formats();
    for (name, script) in scenarios::all() {
        let trace = script.run();
        for format in &formats {
            // A cut packet's checksum cannot be checked, and raw IP has no ARP.
            let damaged = name.starts_with("damage") && format.snapshot_bytes == 120;
            if damaged || (name == "foreign traffic" && format.link == Link::RawIp) {
                continue;
            }
            let name = format!("{name}, {format:?}");
            let analysis = analysed(&trace, format, &Options::default());
            expect_bytes(&name, &script, &trace, &analysis, trace.resolution_ns - 1);
            expect_counts(&name, &trace, &analysis);
        }
    }
}

fn formats() -> Vec<FileFormat> {
    let mut formats = Vec::new();
    for container in [Container::Pcap, Container::Pcapng] {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for link in [
                Link::Ethernet,
                Link::Vlan,
                Link::RawIp,
                Link::Cooked,
                Link::Cooked2,
            ] {
                for snapshot_bytes in [120, 262_144] {
                    formats.push(FileFormat {
                        container,
                        order,
                        link,
                        snapshot_bytes,
                    });
                }
            }
        }
    }
    formats
}

fn analysed(trace: &Trace, format: &FileFormat, options: &Options) -> Analysis {
    let [sender, receiver] = captures(trace, format);
    analyze(&sender, &receiver, options).expect("a connection in both")
}

/// Compares the three instants of every byte; `slack_ns` allows for rounding.
fn expect_bytes(name: &str, script: &Script, trace: &Trace, analysis: &Analysis, slack_ns: u64) {
    let near = near(&script.clocks, slack_ns);
    let mut covered = 0;
    for range in &analysis.ranges {
        let DeliveredRange {
            start,
            end,
            sent_ns,
            arrived_ns,
            available_ns,
        } = *range;
        assert_eq!(start, covered, "{name}: ranges leave no gap");
        covered = end;
        for byte in start..end {
            let truth = trace.truth.bytes[byte as usize];
            let right = near(Some(sent_ns), truth.sent_ns)
                && near(arrived_ns, truth.arrived_ns)
                && near(available_ns, truth.available_ns);
            assert!(
                right,
                "{name}: byte {byte} of {range:?} is in truth {truth:?}"
            );
        }
    }
    assert_eq!(
        covered,
        trace.truth.bytes.len() as u64,
        "{name}: all bytes told"
    );
}

fn expect_counts(name: &str, trace: &Trace, analysis: &Analysis) {
    let truth = &trace.truth;
    let metrics = &analysis.metrics;
    let unique = truth
        .bytes
        .iter()
        .filter(|byte| byte.sent_ns.is_some())
        .count() as u64;
    let delivered = truth
        .bytes
        .iter()
        .filter(|byte| byte.available_ns.is_some())
        .count() as u64;
    let traffic = &truth.traffic;
    expect_traffic(name, &analysis.traffic, traffic);
    for (what, told, true_count) in [
        ("data packets", metrics.packets, traffic.data_packets),
        ("payload", metrics.payload_bytes, traffic.payload_bytes),
        ("unique bytes", metrics.unique_bytes, unique),
        ("delivered bytes", metrics.delivered_bytes, delivered),
        (
            "retransmissions",
            metrics.retransmitted_packets,
            traffic.retransmitted_packets,
        ),
        (
            "retransmitted bytes",
            metrics.retransmitted_bytes,
            traffic.retransmitted_bytes,
        ),
        (
            "lost forward",
            metrics.lost_packets_forward,
            truth.forward.lost,
        ),
        (
            "lost backward",
            metrics.lost_packets_backward,
            truth.backward.lost,
        ),
    ] {
        assert_eq!(told, true_count, "{name}: {what}");
    }
    expect_directions(name, analysis, &truth.forward, &truth.backward);
}
