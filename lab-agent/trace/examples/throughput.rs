//! How many captured packets a second are read and analysed, on one CPU:
//! `cargo run --release -p thinlab-trace --example throughput`.
// SPDX-License-Identifier: Apache-2.0

use std::time::Instant;

use thinlab_trace::golden::{FileFormat, Trace, bulk, sctp};
use thinlab_trace::{Analysis, Options, Summary, analyze, read_capture, summarize};

const MESSAGES: u64 = 500_000;

fn main() {
    let trace = bulk(MESSAGES);
    let payload_bytes = trace.truth.payload_bytes;
    let tcp = whole("TCP", &trace);
    assert_eq!(tcp.analysis.metrics.payload_bytes, payload_bytes);
    let pair = trace.files(&FileFormat::default());
    let start = Instant::now();
    let summary = summarize(&pair.sender, &pair.receiver, &Options::default());
    let passing = trace.frames.len() as f64 / start.elapsed().as_secs_f64();
    assert_eq!(summary, Some(Summary::from(&tcp.analysis)));
    println!("TCP, summarised: {passing:.0} packets/s");
    drop((trace, pair));
    let sctp = whole("SCTP", &sctp::bulk(MESSAGES));
    assert_eq!(sctp.analysis.metrics.payload_bytes, payload_bytes);
    println!(
        "SCTP: {:.2} of TCP with messages, {:.2} of TCP summarised",
        sctp.packets_per_second / tcp.packets_per_second,
        sctp.packets_per_second / passing
    );
}

struct Measured {
    analysis: Analysis,
    packets_per_second: f64,
}

/// With every message.
fn whole(name: &str, trace: &Trace) -> Measured {
    let pair = trace.files(&FileFormat::default());
    let start = Instant::now();
    let sender = read_capture(&pair.sender).expect("a capture of our own making");
    let receiver = read_capture(&pair.receiver).expect("a capture of our own making");
    let read = start.elapsed();
    let analysis = analyze(&sender, &receiver, &Options::default()).expect("one connection");
    let all = start.elapsed();
    let packets_per_second = trace.frames.len() as f64 / all.as_secs_f64();
    println!(
        "{name}, with messages: read {read:.2?}, analysed {:.2?}, {packets_per_second:.0} packets/s",
        all.saturating_sub(read)
    );
    Measured {
        analysis,
        packets_per_second,
    }
}
