//! What a watch says while the connection runs: the application's messages, the
//! last part's figures, packets under way, and what it forgets.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap)]

mod random;
mod telling;

use lab_proto::{LatencyDistribution, PacketFate};
use proptest::prelude::*;
use random::{can_be_told, scripts};
use telling::{IN_STEP, Turn, captures, flow, options, turns};
use telling::{expect_figures, told, told_to_the_end};
use thinlab_trace::golden::{Fate, Intent, Script, bulk};
use thinlab_trace::{
    Analysis, Messages, News, Options, PacketKind, PacketPassage, Sample, Watch, analyze,
    distribution, felt, packets,
};

const MS: u64 = 1_000_000;

fn arrives() -> Fate {
    Fate::arrives(65 * MS)
}

fn analysed(script: &Script, message_ends: Option<Vec<u64>>) -> Analysis {
    let [sender, receiver] = captures(&script.run());
    let options = Options {
        flow: Some(flow(script)),
        message_ends,
        ..Options::default()
    };
    analyze(&sender, &receiver, &options).expect("a connection")
}

fn curve<T>(
    of: impl Iterator<Item = T>,
    sample: impl Fn(T) -> Option<(i64, u64)>,
) -> LatencyDistribution {
    let samples = of.filter_map(sample);
    let samples = samples.map(|(latency_ns, weight)| Sample { latency_ns, weight });
    distribution(samples.collect())
}

/// What was sent since an instant, counted anew from files.
fn expect_since(watch: &Watch, script: &Script, files: &Analysis, at_ns: i64) {
    let [sender, receiver] = captures(&script.run());
    let all = packets(&sender, &receiver, Some(flow(script)), &[]).expect("packets");
    let recent: Vec<&PacketPassage> = all.iter().filter(|it| it.sent_ns >= at_ns).collect();
    let data = recent.iter().filter(|it| it.forward && it.end > it.start);
    let metrics = watch.figures_since(at_ns).metrics.expect("metrics");
    assert_eq!(metrics.packets, data.clone().count() as u64);
    let bytes: u64 = data.clone().map(|it| it.end - it.start).sum();
    assert_eq!(metrics.payload_bytes, bytes);
    let again = data.filter(|it| it.kind == PacketKind::Retransmission);
    assert_eq!(metrics.retransmitted_packets, again.count() as u64);
    if files.forward.damaged + files.backward.damaged == 0 {
        let lost = |forward| {
            let missing = recent.iter().filter(|it| it.arrived_ns.is_none());
            missing.filter(|it| it.forward == forward).count() as u64
        };
        assert_eq!(metrics.lost_packets_forward, lost(true));
        assert_eq!(metrics.lost_packets_backward, lost(false));
    }
    let ranges = || files.ranges.iter().filter(|range| range.sent_ns >= at_ns);
    let messages = files.messages.iter();
    let messages = messages.filter(|message| message.sent_ns.is_some_and(|ns| ns >= at_ns));
    let application = metrics.application.expect("a curve");
    let by_byte = curve(ranges(), |range| {
        Some((range.available_ns? - range.sent_ns, range.end - range.start))
    });
    assert_eq!(application.per_byte, Some(by_byte));
    let by_message = curve(messages, |message| Some((message.application_ns()?, 1)));
    assert_eq!(application.per_message, Some(by_message));
    let transport = metrics.transport.expect("a curve").per_byte;
    let by_byte = curve(ranges(), |range| {
        Some((range.arrived_ns? - range.sent_ns, range.end - range.start))
    });
    assert_eq!(transport, Some(by_byte));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Messages of any size, written before they are sent, read when all of them
    /// is there, and told whenever.
    #[test]
    fn the_applications_messages_are_those_of_files(
        script in scripts(),
        turns in turns(),
        sizes in proptest::collection::vec(1_u64..400, 1..40),
        early in any::<bool>(),
    ) {
        let trace = script.run();
        prop_assume!(can_be_told(&trace));
        let mut end = 0;
        let ends: Vec<u64> = sizes.iter().map(|size| { end += size; end }).collect();
        let files = analysed(&script, Some(ends.clone()));
        let mut watch = Watch::new(options(&script, Messages::Written));
        let mut news = Vec::new();
        let wrote = |watch: &mut Watch| {
            for (number, end) in ends.iter().enumerate() {
                // Numbers of messages that were never written are left out.
                watch.wrote(number as u64 * 2, script.clocks.epoch_ns + number as u64, *end);
            }
        };
        if early {
            wrote(&mut watch);
        }
        told(&mut watch, &trace, &turns, &mut news);
        if !early {
            wrote(&mut watch);
        }
        news.push(watch.news());
        let mut pairs = Vec::new();
        for message in news.iter().flat_map(|news| &news.messages) {
            watch.read(message.number, message.available_ns + 7);
            pairs.push((message.written_ns, message.available_ns + 7));
            prop_assert_eq!(message.written_ns, script.clocks.epoch_ns + message.number / 2);
        }
        watch.end();
        prop_assert_eq!(watch.figures().felt, Some(felt(&pairs)));
        prop_assert_eq!(watch.figures_since(0).felt, Some(felt(&pairs)));
        let live = watch.finish().expect("a connection");
        prop_assert_eq!(live.messages, files.messages);
        prop_assert_eq!(live.summary.metrics, files.summary.metrics);
    }

    /// As streams of SCTP and datagrams do; and some never come.
    #[test]
    fn messages_that_overtake_each_other_are_felt(
        script in scripts(),
        order in Just((0_u64..20).collect::<Vec<u64>>()).prop_shuffle(),
        came in 1_usize..=20,
        before in 0_usize..20,
    ) {
        let trace = script.run();
        let mut watch = Watch::new(options(&script, Messages::Written));
        told(&mut watch, &trace, &[], &mut Vec::new());
        let written_ns = |number: u64| script.clocks.epoch_ns + number * 20 * MS;
        let reads: Vec<(u64, u64)> = (0..)
            .zip(&order[..came])
            .map(|(index, number)| (*number, written_ns(20) + index * index * MS))
            .collect();
        // Some are told to be read before any is told to be written.
        let (early, later) = reads.split_at(before.min(came));
        for (number, at_ns) in early {
            watch.read(*number, *at_ns);
        }
        for number in 0..20 {
            watch.wrote(number, written_ns(number), number + 1);
        }
        for (number, at_ns) in later {
            watch.read(*number, *at_ns);
        }
        let pairs: Vec<(u64, u64)> = reads
            .iter()
            .map(|(number, read_ns)| (written_ns(*number), *read_ns))
            .collect();
        prop_assert_eq!(watch.figures().felt, Some(felt(&pairs)));
    }

    #[test]
    fn the_last_part_is_what_was_sent_in_it(script in scripts(), turns in turns(), at_ms in 4_000_u64..12_000) {
        let trace = script.run();
        prop_assume!(can_be_told(&trace));
        let files = analysed(&script, None);
        let mut watch = Watch::new(options(&script, Messages::Packets));
        told(&mut watch, &trace, &turns, &mut Vec::new());
        watch.end();
        expect_since(&watch, &script, &files, (script.clocks.epoch_ns + at_ms * MS) as i64);
    }
}

/// Nothing is said of packets under way until something tells.
#[test]
fn a_packet_under_way_is_not_lost() {
    let mut script = Script::new();
    for n in 0..10 {
        script.data(
            (1_000 + 20 * n) * MS,
            Intent::New,
            n * 100..n * 100 + 100,
            arrives(),
        );
    }
    let mut trace = script.run();
    // When the seventh has arrived and the last three are under way.
    let until_ns = (1_000 + 20 * 6 + 66) * MS;
    trace.frames.retain(|frame| frame.true_ns <= until_ns);
    let mut watch = Watch::new(options(&script, Messages::Packets));
    told(&mut watch, &trace, &[], &mut Vec::new());
    let lost = |watch: &Watch| {
        let metrics = watch.figures().metrics.expect("metrics");
        let since = watch.figures_since(0).metrics.expect("metrics");
        assert_eq!(metrics, since);
        (metrics.lost_packets_forward, metrics.lost_packets_backward)
    };
    assert_eq!(lost(&watch), (0, 0));
    let news = watch.news();
    // SYN, ACK and seven messages; SYN-ACK and three acknowledgements.
    assert_eq!(news.fates.len(), 9 + 4, "{news:#?}");
    assert!(news.fates.iter().all(|fate| fate.arrived_ns.is_some()));
    watch.end();
    assert_eq!(lost(&watch), (3, 4), "as of files that end here");
    assert!(
        watch
            .news()
            .fates
            .iter()
            .all(|fate| fate.arrived_ns.is_none())
    );
}

/// Two messages come 100 ms late, one after the other: the first is taken for
/// lost until it comes, the second one is waited for.
#[test]
fn a_path_that_reorders_is_learnt() {
    let mut script = Script::new();
    for n in 0..20 {
        let fate = if n == 3 || n == 12 {
            Fate::arrives(165 * MS)
        } else {
            arrives()
        };
        script.data(
            (1_000 + 20 * n) * MS,
            Intent::New,
            n * 100..n * 100 + 100,
            fate,
        );
    }
    let mut watch = Watch::new(options(&script, Messages::Packets));
    let mut news = Vec::new();
    told(&mut watch, &script.run(), &[], &mut news);
    let News {
        departures, fates, ..
    } = watch.news();
    let of = |start: u64| -> Vec<Option<u64>> {
        let number = departures
            .iter()
            .find(|it| it.forward && it.start == start && it.end > start);
        let number = number.expect("the message").number;
        let fates = fates
            .iter()
            .filter(|fate: &&PacketFate| fate.number == number);
        fates
            .map(|fate| fate.arrived_ns.map(|ns| (ns - script.clocks.epoch_ns) / MS))
            .collect()
    };
    assert_eq!(of(300), [None, Some(1_000 + 60 + 165)]);
    assert_eq!(of(1_200), [Some(1_000 + 240 + 165)]);
}

/// A hundred seconds of which two are remembered.
#[test]
fn what_is_forgotten_stays_in_the_figures() {
    let trace = bulk(5_000);
    let [sender, receiver] = captures(&trace);
    let files = analyze(&sender, &receiver, &Options::default()).expect("a connection");
    let mut options = options(&Script::new(), Messages::Packets);
    options.forget_after_ns = Some(2_000 * MS as i64);
    let mut watch = Watch::new(options);
    let news = told_to_the_end(&mut watch, &trace, &IN_STEP.repeat(5_000));
    expect_figures("bulk", &watch, &files);
    let messages: usize = news.iter().map(|news| news.messages.len()).sum();
    assert_eq!(messages, 5_000);
    let live = watch.finish().expect("a connection");
    assert_eq!(
        (live.forward, live.backward),
        (files.forward, files.backward)
    );
    assert!(
        (100..200).contains(&live.ranges.len()),
        "{}",
        live.ranges.len()
    );
    assert!(
        (100..200).contains(&live.messages.len()),
        "{}",
        live.messages.len()
    );
}

/// Between the ends anything may be told first, but nothing is before the SYN.
#[test]
fn the_first_connection_that_opens_is_watched() {
    let mut script = Script::new();
    script.data(1_000 * MS, Intent::New, 0..100, arrives());
    let mut options = options(&script, Messages::Packets);
    options.flow = None;
    let mut watch = Watch::new(options);
    assert_eq!(watch.figures().metrics.expect("metrics").packets, 0);
    told(
        &mut watch,
        &script.run(),
        &[Turn::Receiver; 4],
        &mut Vec::new(),
    );
    let live = watch.finish().expect("a connection");
    assert_eq!(live.flow, flow(&script));
    assert_eq!(live.metrics, analysed(&script, None).metrics);
}
