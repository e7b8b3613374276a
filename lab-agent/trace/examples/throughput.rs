//! How many captured packets are read and analysed in a second of one CPU, whatever else
//! runs on it: `cargo run --release -p thinlab-trace --example throughput`.
// SPDX-License-Identifier: Apache-2.0

use thinlab_trace::golden::{FileFormat, Trace, bulk, sctp};
use thinlab_trace::{Analysis, Options, analyze, read_capture, summarize};

const MESSAGES: u64 = 500_000;

fn main() {
    let trace = bulk(MESSAGES);
    let payload_bytes = trace.truth.traffic.payload_bytes;
    let tcp = whole("TCP", &trace);
    assert_eq!(tcp.analysis.metrics.payload_bytes, payload_bytes);
    let pair = trace.files(&FileFormat::default());
    let start_s = on_cpu_s();
    let summary = summarize(&pair.sender, &pair.receiver, &Options::default());
    let passing = trace.frames.len() as f64 / (on_cpu_s() - start_s);
    assert_eq!(summary.as_ref(), Some(&tcp.analysis.summary));
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
    let start_s = on_cpu_s();
    let sender = read_capture(&pair.sender).expect("a capture of our own making");
    let receiver = read_capture(&pair.receiver).expect("a capture of our own making");
    let read_s = on_cpu_s() - start_s;
    let analysis = analyze(&sender, &receiver, &Options::default()).expect("one connection");
    let all_s = on_cpu_s() - start_s;
    let packets_per_second = trace.frames.len() as f64 / all_s;
    println!(
        "{name}, with messages: read {read_s:.2} s, analysed {:.2} s, {packets_per_second:.0} packets/s",
        all_s - read_s
    );
    Measured {
        analysis,
        packets_per_second,
    }
}

/// How long this thread has been running, as Linux counts.
fn on_cpu_s() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let first = told.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
    first.expect("time on the CPU in ns") / 1e9
}
