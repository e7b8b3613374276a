//! What an analysis tells against what a golden trace knows to be true.
// SPDX-License-Identifier: Apache-2.0
// Each test file uses what it needs of it.
#![allow(dead_code)]

use thinlab_trace::golden::{
    Clocks, Container, DirectionTruth, FileFormat, Link, Trace, TrafficTruth,
};
use thinlab_trace::{Analysis, Capture, Traffic, read_capture};

/// The sender's capture and the receiver's, by way of files.
pub fn captures(trace: &Trace, format: &FileFormat) -> [Capture; 2] {
    let pair = trace.files(format);
    [&pair.sender, &pair.receiver].map(|file| read_capture(file).expect("a capture"))
}

/// Files of both kinds, of links other than the usual one.
pub fn other_formats() -> Vec<FileFormat> {
    let mut formats = Vec::new();
    for container in [Container::Pcap, Container::Pcapng] {
        for link in [Link::Vlan, Link::RawIp, Link::Cooked, Link::Cooked2] {
            formats.push(FileFormat {
                container,
                link,
                ..FileFormat::default()
            });
        }
    }
    formats
}

/// Whether an instant is the true one, as the sender's clock has it, but for so much.
pub fn near(clocks: &Clocks, slack_ns: u64) -> impl Fn(Option<i64>, Option<u64>) -> bool + use<> {
    let epoch = clocks.epoch_ns as i64;
    move |told, truth| match (told, truth) {
        (Some(told), Some(truth)) => (told - epoch).abs_diff(truth as i64) <= slack_ns,
        (told, truth) => told.is_none() && truth.is_none(),
    }
}

/// Each packet is counted, both ways.
pub fn expect_directions(
    name: &str,
    analysis: &Analysis,
    forward: &DirectionTruth,
    backward: &DirectionTruth,
) {
    for (way, told, truth) in [
        ("forward", &analysis.forward, forward),
        ("backward", &analysis.backward, backward),
    ] {
        let told = DirectionTruth {
            sent: told.sent,
            lost: told.lost,
            duplicated: told.duplicated,
            damaged: told.damaged,
        };
        assert_eq!(&told, truth, "{name}: {way}");
    }
}

/// So are the sender's bytes.
pub fn expect_traffic(name: &str, traffic: &Traffic, truth: &TrafficTruth) {
    let told = TrafficTruth {
        data_packets: traffic.data_packets,
        payload_bytes: traffic.payload_bytes,
        retransmitted_packets: traffic.retransmitted_packets,
        retransmitted_bytes: traffic.retransmitted_bytes,
        bundle_packets: traffic.bundle_packets,
        bundled_bytes: traffic.bundled_bytes,
        bundle_hit_bytes: traffic.bundle_hit_bytes,
        spurious_bytes: traffic.spurious_bytes,
        probe_packets: traffic.probe_packets,
    };
    assert_eq!(&told, truth, "{name}");
}
