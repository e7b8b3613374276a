//! How many captured packets a second are read and analysed, on one CPU:
//! `cargo run --release -p thinlab-trace --example throughput`.
// SPDX-License-Identifier: Apache-2.0

use std::time::Instant;

use thinlab_trace::golden::{FileFormat, bulk};
use thinlab_trace::{Options, Summary, analyze, read_capture, summarize};

const MESSAGES: u64 = 500_000;

fn main() {
    let trace = bulk(MESSAGES);
    let packets = trace.frames.len();
    let pair = trace.files(&FileFormat::default());
    let start = Instant::now();
    let sender = read_capture(&pair.sender).expect("a capture of our own making");
    let receiver = read_capture(&pair.receiver).expect("a capture of our own making");
    let read = start.elapsed();
    let analysis = analyze(&sender, &receiver, &Options::default()).expect("one connection");
    let whole = start.elapsed();
    assert_eq!(analysis.metrics.payload_bytes, trace.truth.payload_bytes);
    let start = Instant::now();
    let summary = summarize(&pair.sender, &pair.receiver, &Options::default());
    let passing = start.elapsed();
    assert_eq!(summary, Some(Summary::from(&analysis)));
    println!(
        "{packets} packets in two captures: summarised in {passing:.2?}, {:.0} packets/s",
        packets as f64 / passing.as_secs_f64()
    );
    println!(
        "with messages: read {read:.2?}, analysed {:.2?}, {:.0} packets/s",
        whole.saturating_sub(read),
        packets as f64 / whole.as_secs_f64()
    );
}
