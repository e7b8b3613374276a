//! What a summary of two files takes, beside the files: it does not grow with them.
// SPDX-License-Identifier: Apache-2.0

use peak_alloc::PeakAlloc;
use thinlab_trace::golden::{Container, FileFormat, bulk};
use thinlab_trace::{Options, summarize};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The most that a summary of so many messages had in use at once.
fn most_bytes(messages: u64) -> usize {
    let format = FileFormat {
        container: Container::Pcap,
        ..FileFormat::default()
    };
    let files = bulk(messages).files(&format);
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let summary = summarize(&files.sender, &files.receiver, &Options::default());
    assert!(summary.is_some());
    ALLOCATED.peak_usage() - before
}

#[test]
fn it_is_bounded_by_what_is_under_way() {
    // Seven minutes and forty.
    let (short, long) = (most_bytes(20_000), most_bytes(120_000));
    println!("{short} bytes, {long} bytes");
    assert!(long < short + short / 10, "{short} bytes, then {long}");
    assert!(long < 8 << 20, "{long} bytes");
}
