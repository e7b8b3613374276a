//! What it costs to watch a demo's packets: after a minute, and after an hour.
// SPDX-License-Identifier: Apache-2.0
use rustix::thread::ClockId;
use thinlab_trace::golden::{self, Frame, bulk};
use thinlab_trace::{End, Flow, Messages, Watch, WatchOptions};

use super::figure::Figure;
use crate::random::SplitMix;

const LANES: u64 = 2;
/// An hour of messages as [`bulk`] makes them: 120 bytes every 20 ms.
const MESSAGES: u64 = 180_000;
const MESSAGE_BYTES: u64 = 120;
const IAT_NS: u64 = 20_000_000;
const MOMENT_NS: u64 = 100_000_000;
const MOMENTS_A_SECOND: u64 = 10;
const MINUTE_NS: u64 = 60_000_000_000;
const FORGET_AFTER_NS: i64 = 300_000_000_000;
/// No two latencies of a real path are alike.
const JITTER_NS: u64 = 400_000;

/// The share of one core that two lanes take.
pub fn figures() -> Vec<Figure> {
    let frames = frames(MESSAGES);
    let spent_ns = follow(&frames);
    let percent = |minute: usize| 100.0 * (LANES * spent_ns[minute]) as f64 / MINUTE_NS as f64;
    let what = "of one core, for the packets of two lanes of 50 messages a second at 2 % loss, \
                news ten times and all figures once a second; CPU time";
    vec![
        Figure {
            name: "demo_analysis_cpu_percent",
            value: percent(1),
            unit: "%",
            how: format!("{what} of the second minute"),
        },
        Figure {
            name: "demo_analysis_hour_cpu_percent",
            value: percent(59),
            unit: "%",
            how: format!("{what} of the sixtieth minute"),
        },
    ]
}

/// Tells a watch all frames: what each minute of them took.
fn follow(frames: &[Frame]) -> Vec<u64> {
    let mut spent_ns = Vec::new();
    // A long stream without its handshake.
    let wire = golden::Wire::default();
    let mut watch = Watch::new(WatchOptions {
        messages: Messages::Written,
        flow: Some(Flow {
            sender: wire.sender,
            receiver: wire.receiver,
        }),
        forget_after_ns: Some(FORGET_AFTER_NS),
        takes_damage: true,
        ..WatchOptions::default()
    });
    let begin_ns = frames.first().map_or(0, |frame| frame.stamp_ns);
    let (mut told, mut written) = (0, 0);
    while told < frames.len() {
        let mut minute_ns = 0;
        for moment in 0..60 * MOMENTS_A_SECOND {
            let now_ns = begin_ns + spent_ns.len() as u64 * MINUTE_NS + (moment + 1) * MOMENT_NS;
            let count = frames[told..].partition_point(|frame| frame.stamp_ns < now_ns);
            let next: Vec<_> = frames[told..told + count]
                .iter()
                .map(|frame| (end(frame), frame.stamp_ns as i64, frame.ethernet()))
                .collect();
            told += count;
            let start_ns = cpu_ns();
            while written < MESSAGES && begin_ns + written * IAT_NS < now_ns {
                let at_ns = begin_ns + written * IAT_NS;
                written += 1;
                watch.wrote(written - 1, at_ns, written * MESSAGE_BYTES);
            }
            for (end, at_ns, frame) in &next {
                watch.saw(*end, *at_ns, frame);
            }
            for message in watch.news().messages {
                watch.read(message.number, message.available_ns);
            }
            if moment % MOMENTS_A_SECOND == 0 {
                std::hint::black_box(watch.figures());
                std::hint::black_box(watch.figures_since((now_ns - MINUTE_NS) as i64));
            }
            minute_ns += cpu_ns() - start_ns;
        }
        spent_ns.push(minute_ns);
    }
    spent_ns
}

fn end(frame: &Frame) -> End {
    match frame.end {
        golden::End::Sender => End::Sender,
        golden::End::Receiver => End::Receiver,
    }
}

/// So many messages on a lane, in order of time.
pub fn frames(messages: u64) -> Vec<Frame> {
    let mut frames = bulk(messages).frames;
    for end in [golden::End::Sender, golden::End::Receiver] {
        let (mut last_ns, mut random) = (0, SplitMix(end as u64));
        for frame in frames.iter_mut().filter(|frame| frame.end == end) {
            last_ns = (frame.stamp_ns + random.next() % JITTER_NS).max(last_ns + 1);
            frame.stamp_ns = last_ns;
        }
    }
    frames.sort_by_key(|frame| frame.stamp_ns);
    frames
}

fn cpu_ns() -> u64 {
    let spent = rustix::time::clock_gettime(ClockId::ThreadCPUTime);
    spent.tv_sec as u64 * 1_000_000_000 + spent.tv_nsec as u64
}
