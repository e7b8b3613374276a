//! A watch of what may come damaged or not at all, against files: datagrams, and TCP whose
//! receiver takes damage.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap)]

mod telling;

use proptest::prelude::*;
use telling::{Turn, captures, told, told_to_the_end, turns};
use telling::{expect_figures, expect_stream};
use thinlab_trace::golden::{End, Fate, Intent, Script, Trace, datagrams};
use thinlab_trace::{
    Flow, Messages, News, Options, Watch, WatchOptions, accept_damaged, analyze, packets,
};

const MS: u64 = 1_000_000;
const ONE_WAY: u64 = 65 * MS;
/// In the IP packet: TCP's sequence number, its window, something in the payload.
const SEQ: usize = 27;
const WINDOW: usize = 35;
const PAYLOAD: usize = 100;

fn expect_as_of_files(
    name: &str,
    (trace, flow): (&Trace, Flow),
    options: &WatchOptions,
    turns: &[Turn],
) {
    let [sender, mut receiver] = captures(trace);
    if options.takes_damage {
        accept_damaged(&sender, &mut receiver, Some(flow)).expect("the flow in both");
    }
    let of_files = Options {
        flow: Some(flow),
        ..Options::default()
    };
    let files = analyze(&sender, &receiver, &of_files).expect("the flow in both");
    let mut watch = Watch::new(WatchOptions {
        messages: Messages::Packets,
        ..options.clone()
    });
    let news = told_to_the_end(&mut watch, trace, turns);
    expect_figures(name, &watch, &files);
    let passages = packets(&sender, &receiver, Some(flow), &[]).expect("the flow in both");
    expect_fates(
        name,
        &news,
        passages.iter().map(|it| (it.sent_ns, it.arrived_ns)),
    );
    let available = files.messages.iter();
    let available: Vec<_> = available.filter_map(|it| it.available_ns).collect();
    let told = news.iter().flat_map(|news| &news.messages);
    let mut told: Vec<_> = told.map(|message| message.available_ns as i64).collect();
    if options.is_of_datagrams {
        told.sort_unstable();
    }
    let mut expected = available;
    expected.sort_unstable();
    assert_eq!(told, expected, "{name}");
    let live = watch.finish().expect("the flow");
    expect_stream(name, &live, &files);
}

/// What became of each packet in the end.
fn expect_fates(name: &str, news: &[News], files: impl Iterator<Item = (i64, Option<i64>)>) {
    let fate_of = |number| {
        let fates = news.iter().flat_map(|news| &news.fates);
        let last = fates.rev().find(|fate| fate.number == number);
        last.expect("each has one").arrived_ns.map(|ns| ns as i64)
    };
    let departures = news.iter().flat_map(|news| &news.departures);
    let mut live: Vec<_> = departures
        .map(|it| (it.sent_ns as i64, fate_of(it.number)))
        .collect();
    live.sort_unstable();
    let mut files: Vec<_> = files.collect();
    files.sort_unstable();
    assert_eq!(live, files, "{name}");
}

/// Packets that are alike are told apart by the whole trace, which nobody has yet.
fn of_datagrams() -> Vec<(&'static str, datagrams::Script)> {
    let all = datagrams::scenarios::all().into_iter();
    let kept = all.filter(|(name, script)| {
        !name.starts_with("all messages alike") && script.clocks.resolution_ns == 1
    });
    kept.collect()
}

fn datagrams(name: &str, script: &datagrams::Script, turns: &[Turn]) {
    let options = WatchOptions {
        is_of_datagrams: true,
        ..WatchOptions::default()
    };
    let flow = Flow {
        sender: script.wire.sender,
        receiver: script.wire.receiver,
    };
    for known in [None, Some(flow)] {
        let options = WatchOptions {
            flow: known,
            ..options.clone()
        };
        expect_as_of_files(name, (&script.run().trace, flow), &options, turns);
    }
}

/// Of messages of which some come damaged, and are taken where the header allows it.
fn damaged(fates: &[(u64, usize)]) -> Script {
    let mut script = Script::new();
    script.takes_damage_from = Some(WINDOW);
    for message in 0..20 {
        let at_byte = fates.iter().find(|(which, _)| *which == message);
        let fate = at_byte.map_or(Fate::arrives(ONE_WAY), |(_, at_byte)| Fate::Damaged {
            after_ns: ONE_WAY,
            at_byte: *at_byte,
        });
        let (at, bytes) = (
            1_000 * MS + message * 100 * MS,
            message * 120..message * 120 + 120,
        );
        script.data(at, Intent::New, bytes.clone(), fate);
        if at_byte.is_some_and(|(_, at_byte)| *at_byte < WINDOW) {
            let again = Fate::arrives(ONE_WAY);
            script.data(at + 250 * MS, Intent::Retransmission, bytes, again);
        }
    }
    script
}

fn over_tcp(name: &str, script: &Script, turns: &[Turn]) {
    let options = WatchOptions {
        takes_damage: true,
        ..WatchOptions::default()
    };
    let flow = Flow {
        sender: script.wire.sender,
        receiver: script.wire.receiver,
    };
    expect_as_of_files(name, (&script.run(), flow), &options, turns);
}

#[test]
fn datagrams_come_out_as_of_files() {
    let all = of_datagrams();
    assert!(all.len() > 15, "{}", all.len());
    for (name, script) in all {
        datagrams(name, &script, &[]);
    }
}

#[test]
fn what_a_receiver_took_damaged_has_arrived_when_it_came() {
    for fates in [
        &[][..],
        &[(2, PAYLOAD)],
        &[(2, PAYLOAD), (3, PAYLOAD), (9, PAYLOAD)],
        &[(2, WINDOW)],
        &[(5, SEQ), (11, PAYLOAD)],
    ] {
        let name = format!("{fates:?}");
        over_tcp(&name, &damaged(fates), &[]);
    }
}

#[test]
fn damaged_packets_count_as_such_unless_the_receiver_may_take_them() {
    let script = damaged(&[(2, PAYLOAD)]);
    let damaged_packets = |takes_damage| {
        let mut watch = Watch::new(WatchOptions {
            takes_damage,
            ..WatchOptions::default()
        });
        told(&mut watch, &script.run(), &[], &mut Vec::new());
        watch.end();
        let delivered_bytes = watch.figures().metrics.expect("metrics").delivered_bytes;
        let analysis = watch.finish().expect("the flow");
        (analysis.forward.damaged, delivered_bytes)
    };
    assert_eq!(damaged_packets(true), (0, 20 * 120));
    assert_eq!(damaged_packets(false), (1, 19 * 120));
}

#[test]
fn of_datagrams_too_what_is_old_is_forgotten_and_figures_stay_whole() {
    let mut script = datagrams::Script::new();
    for number in 0..500 {
        let fate = if number % 10 == 3 {
            Fate::Lost
        } else {
            Fate::arrives(ONE_WAY)
        };
        script.message(1_000 * MS + number * 100 * MS, 120, fate);
    }
    let trace = script.run().trace;
    let whole = |forget_after_ns| {
        let mut watch = Watch::new(WatchOptions {
            forget_after_ns,
            is_of_datagrams: true,
            messages: Messages::Packets,
            ..WatchOptions::default()
        });
        let mut frames: Vec<_> = trace.frames.iter().collect();
        frames.sort_by_key(|frame| frame.true_ns);
        let turns = frames.into_iter().flat_map(|frame| match frame.end {
            End::Sender => [Turn::Sender, Turn::News],
            End::Receiver => [Turn::Receiver, Turn::News],
        });
        let turns: Vec<_> = turns.collect();
        let news = told_to_the_end(&mut watch, &trace, &turns);
        let told: usize = news.iter().map(|news| news.messages.len()).sum();
        let metrics = watch.figures().metrics;
        let kept = watch.finish().expect("the flow").ranges.len();
        (metrics, told, kept)
    };
    let (all, forgetful) = (whole(None), whole(Some(2_000 * MS as i64)));
    assert_eq!((&all.0, all.1), (&forgetful.0, 450));
    assert_eq!((forgetful.1, all.2), (450, 500));
    assert!(forgetful.2 < 50, "{}", forgetful.2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn the_ends_may_be_told_in_any_order(
        which in any::<prop::sample::Index>(),
        fates in proptest::collection::btree_map(0_u64..20, prop_oneof![Just(SEQ), Just(WINDOW), Just(PAYLOAD)], 0..6),
        turns in turns(),
    ) {
        let all = of_datagrams();
        let (name, script) = which.get(&all);
        datagrams(name, script, &turns);
        // A receiver's packets are told after the sender's that they answer.
        let fates: Vec<_> = fates.into_iter().collect();
        let in_time: Vec<_> = std::iter::repeat_n(Turn::Sender, 60).chain(turns).collect();
        over_tcp(&format!("{fates:?}"), &damaged(&fates), &in_time);
    }
}
