//! A trace told to a watch, frame by frame, the two ends taking turns.
// SPDX-License-Identifier: Apache-2.0
// Each test file uses what it needs of it.
#![allow(dead_code)]

use proptest::prelude::*;
use thinlab_trace::golden::{self, FileFormat, Script, Trace};
use thinlab_trace::{
    Analysis, Capture, End, Flow, Messages, News, Watch, WatchOptions, read_capture,
};

/// What is told next: a frame of either end, or something of the applications.
#[derive(Clone, Copy, Debug)]
pub enum Turn {
    Sender,
    Receiver,
    News,
}

/// As the packets of a long stream pass, with a look at the news after each message.
pub const IN_STEP: [Turn; 5] = [
    Turn::Sender,
    Turn::Receiver,
    Turn::Receiver,
    Turn::Sender,
    Turn::News,
];

pub fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => Just(Turn::Sender),
        4 => Just(Turn::Receiver),
        1 => Just(Turn::News),
    ];
    proptest::collection::vec((turn, 1_usize..12), 1..80).prop_map(|runs| {
        runs.into_iter()
            .flat_map(|(turn, n)| vec![turn; n])
            .collect()
    })
}

pub fn captures(trace: &Trace) -> [Capture; 2] {
    let files = trace.files(&FileFormat::default());
    [&files.sender, &files.receiver].map(|file| read_capture(file).expect("a whole file"))
}

pub fn flow(script: &Script) -> Flow {
    Flow {
        sender: script.wire.sender,
        receiver: script.wire.receiver,
    }
}

pub fn options(script: &Script, messages: Messages) -> WatchOptions {
    WatchOptions {
        flow: Some(flow(script)),
        messages,
        ..WatchOptions::default()
    }
}

/// Tells all frames, the ends taking turns as said, and then the rest in order
/// of time.
pub fn told(watch: &mut Watch, trace: &Trace, turns: &[Turn], news: &mut Vec<News>) {
    let of = |end| {
        let frames = trace.frames.iter().filter(move |frame| frame.end == end);
        frames.peekable()
    };
    let mut sender = of(golden::End::Sender);
    let mut receiver = of(golden::End::Receiver);
    let mut turns = turns.iter();
    loop {
        let next = match turns.next() {
            Some(Turn::News) => {
                news.push(watch.news());
                continue;
            }
            Some(Turn::Sender) if sender.peek().is_some() => sender.next(),
            Some(Turn::Receiver) if receiver.peek().is_some() => receiver.next(),
            _ => match (sender.peek(), receiver.peek()) {
                (Some(here), Some(there)) if here.true_ns <= there.true_ns => sender.next(),
                (_, Some(_)) => receiver.next(),
                (_, None) => sender.next(),
            },
        };
        let Some(frame) = next else {
            break;
        };
        let end = match frame.end {
            golden::End::Sender => End::Sender,
            golden::End::Receiver => End::Receiver,
        };
        watch.saw(end, frame.stamp_ns as i64, &frame.ethernet());
    }
}

/// Tells all frames and that nothing more comes; returns all there was of news.
pub fn told_to_the_end(watch: &mut Watch, trace: &Trace, turns: &[Turn]) -> Vec<News> {
    let mut news = Vec::new();
    told(watch, trace, turns, &mut news);
    watch.end();
    news.push(watch.news());
    news
}

/// The figures of all of it are those of files.
pub fn expect_figures(name: &str, watch: &Watch, files: &Analysis) {
    let figures = watch.figures();
    assert_eq!(figures.metrics.as_ref(), Some(&files.metrics), "{name}");
    assert_eq!(figures.copies, Some(files.traffic.copies()), "{name}");
}

/// So are those since ever.
pub fn expect_figures_since_ever(name: &str, watch: &Watch, files: &Analysis) {
    let since = watch.figures_since(i64::MIN);
    let name = format!("{name}: since ever");
    assert_eq!(since.metrics.as_ref(), Some(&files.metrics), "{name}");
    assert_eq!(since.copies, Some(files.traffic.copies()), "{name}");
}

/// So is every byte, every message, and the count of packets both ways.
pub fn expect_stream(name: &str, live: &Analysis, files: &Analysis) {
    assert_eq!(live.ranges, files.ranges, "{name}");
    assert_eq!(live.messages, files.messages, "{name}");
    assert_eq!(live.forward, files.forward, "{name}: forward");
    assert_eq!(live.backward, files.backward, "{name}: backward");
}
