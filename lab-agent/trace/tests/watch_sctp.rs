//! An association that is watched while it runs against its files: what is said in the end
//! is the same, in whichever order the ends are told.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap)]

mod telling;

use proptest::prelude::*;
use telling::{IN_STEP, Turn, captures, told_to_the_end, turns};
use telling::{expect_figures, expect_figures_since_ever, expect_stream};
use thinlab_trace::golden::Trace;
use thinlab_trace::golden::sctp::{Script, bulk, scenarios};
use thinlab_trace::{Flow, Messages, Options, Watch, WatchOptions, analyze};

/// What a take does not do: it has one stream in order, and a message fits its packet.
const OTHERWISE: [&str; 14] = [
    "streams do not wait for each other",
    "a stream waits for its own",
    "unordered messages wait for none",
    "a fragment is lost",
    "an unordered fragment is lost",
    "fragments between other messages",
    "a fragment of the last message never comes",
    "a packet of several streams is lost",
    "capture begins in mid-association",
    "I-DATA",
    "I-DATA, fragments interleave",
    "identical packets",
    "jitter",
    "microseconds",
];

fn of_takes() -> Vec<(&'static str, Script)> {
    let all = scenarios::all().into_iter();
    let kept = all.filter(|(name, script)| {
        // Packets that are alike are told apart by the whole trace, which nobody has yet.
        !OTHERWISE.contains(name) && script.wire.ip_ids && script.wire.sender.is_ipv4()
    });
    kept.collect()
}

fn watch(flow: Option<Flow>, forget_after_ns: Option<i64>) -> Watch {
    Watch::new(WatchOptions {
        flow,
        messages: Messages::Packets,
        forget_after_ns,
        ..WatchOptions::default()
    })
}

fn expect_as_of_files(name: &str, trace: &Trace, flow: Flow, turns: &[Turn]) {
    let [sender, receiver] = captures(trace);
    let options = Options {
        flow: Some(flow),
        ..Options::default()
    };
    let files = analyze(&sender, &receiver, &options).expect("an association in both");
    let mut watch = watch(Some(flow), None);
    let news = told_to_the_end(&mut watch, trace, turns);
    expect_figures(name, &watch, &files);
    expect_figures_since_ever(name, &watch, &files);
    let available = files.messages.iter();
    let available = available.filter(|message| message.available_ns.is_some());
    let told: usize = news.iter().map(|news| news.messages.len()).sum();
    assert_eq!(told, available.count(), "{name}");
    let live = watch.finish().expect("an association");
    expect_stream(name, &live, &files);
    assert_eq!(live.traffic, files.traffic, "{name}");
    assert_eq!(live.late, files.late, "{name}");
}

fn flow(script: &Script) -> Flow {
    Flow {
        sender: script.wire.sender,
        receiver: script.wire.receiver,
    }
}

#[test]
fn every_scenario_of_a_take_comes_out_as_of_files() {
    let all = of_takes();
    assert!(all.len() > 30, "{}", all.len());
    for (name, script) in all {
        expect_as_of_files(name, &script.run().trace, flow(&script), &[]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_ends_may_be_told_in_any_order(which in any::<prop::sample::Index>(), turns in turns()) {
        let all = of_takes();
        let (name, script) = which.get(&all);
        expect_as_of_files(name, &script.run().trace, flow(script), &turns);
    }
}

#[test]
fn the_first_association_that_opens_is_watched_and_what_is_old_forgotten() {
    const MS: i64 = 1_000_000;
    let script = Script::new();
    let trace = bulk(5_000);
    let [sender, receiver] = captures(&trace);
    let files = analyze(&sender, &receiver, &Options::default()).expect("an association");
    let mut watch = watch(Some(flow(&script)), Some(2_000 * MS));
    let news = told_to_the_end(&mut watch, &trace, &IN_STEP.repeat(5_000));
    assert_eq!(watch.figures().metrics, Some(files.summary.metrics));
    let messages: usize = news.iter().map(|news| news.messages.len()).sum();
    assert_eq!(messages, 5_000);
    let live = watch.finish().expect("an association");
    assert!(live.ranges.len() < 200, "{}", live.ranges.len());
}
