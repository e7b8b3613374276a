//! What ten thousand connections side by side take, beside the files.
// SPDX-License-Identifier: Apache-2.0

use std::net::SocketAddr;

use peak_alloc::PeakAlloc;
use thinlab_trace::golden::{Container, Fate, FileFormat, Intent, Script, together};
use thinlab_trace::{Census, Told};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const MS: u64 = 1_000_000;
const CONNECTIONS: usize = 10_000;

/// Messages of 120 bytes, a second apart.
fn stream(number: usize, messages: u64) -> Script {
    let mut script = Script::new();
    let [high, low] = (number as u16).to_be_bytes();
    script.wire.sender = SocketAddr::from(([10, 1, high, low], 40_000));
    for n in 0..messages {
        let bytes = n * 120..(n + 1) * 120;
        script.data(
            (n + 1) * 1_000 * MS,
            Intent::New,
            bytes,
            Fate::arrives(65 * MS),
        );
    }
    script
}

/// The most that all of them had in use at once, all of them open to the end.
fn most_bytes(messages: u64) -> usize {
    let all = (0..CONNECTIONS).map(|number| {
        let begin_ns = number as u64 * MS / 10;
        (begin_ns, stream(number, messages).run())
    });
    let format = FileFormat {
        container: Container::Pcap,
        ..FileFormat::default()
    };
    let files = together(all).files(&format);
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let census = Census::of(&files.sender, &files.receiver).expect("many connections");
    let mut told = 0;
    census.summarize(|_, what| told += usize::from(matches!(what, Told::Summary(_))));
    assert_eq!(told, CONNECTIONS);
    ALLOCATED.peak_usage() - before
}

#[test]
fn it_is_bounded_by_their_number() {
    let (short, long) = (most_bytes(4), most_bytes(16));
    println!("{short} bytes, {long} bytes");
    // What is known of each, and of its packets as long as the path may hold them.
    assert!(short / CONNECTIONS < 10 << 10, "{short} bytes");
    assert!(long / CONNECTIONS < 16 << 10, "{long} bytes");
}
