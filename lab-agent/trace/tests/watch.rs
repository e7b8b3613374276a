//! The analysis of a running connection against that of its files: whatever is
//! told in whichever order, what is said in the end is the same, field by field.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap)]

mod random;
mod telling;

use std::collections::BTreeMap;

use lab_proto::{PacketDeparture, Recovery};
use proptest::prelude::*;
use random::{can_be_told, scripts};
use telling::{Turn, captures, flow, options, told_to_the_end, turns};
use telling::{expect_figures, expect_figures_since_ever, expect_stream};
use thinlab_trace::golden::{IpIds, Script, Trace, bulk, scenarios};
use thinlab_trace::{
    Analysis, AnalyzeError, Capture, Departures, Flow, Messages, News, Options, Watch, analyze,
    packets,
};

fn expect_equal(name: &str, live: &Analysis, files: &Analysis) {
    assert_eq!(live.flow, files.flow, "{name}");
    expect_stream(name, live, files);
    assert_eq!(live.traffic, files.traffic, "{name}");
    assert_eq!(live.check, files.check, "{name}");
    assert_eq!(live.metrics, files.metrics, "{name}");
    assert_eq!(live.clock, files.clock, "{name}");
    assert_eq!(live.warnings, files.warnings, "{name}");
}

fn expect_same(
    name: &str,
    live: Result<Analysis, AnalyzeError>,
    files: Result<Analysis, AnalyzeError>,
) {
    match (live, files) {
        (Ok(live), Ok(files)) => expect_equal(name, &live, &files),
        (live, files) => assert_eq!(live.err(), files.err(), "{name}"),
    }
}

/// All news together against all packets of the files.
fn expect_packets(name: &str, news: &[News], captures: &[Capture; 2], flow: Flow) {
    let mut departures: Vec<PacketDeparture> = news
        .iter()
        .flat_map(|news| news.departures.clone())
        .collect();
    let numbers: Vec<u64> = departures
        .iter()
        .map(|departure| departure.number)
        .collect();
    assert_eq!(
        numbers,
        (0..numbers.len() as u64).collect::<Vec<_>>(),
        "{name}"
    );
    let mut arrivals = BTreeMap::new();
    for fate in news.iter().flat_map(|news| &news.fates) {
        let known = arrivals.insert(fate.number, fate.arrived_ns);
        let taken_back = known == Some(None) && fate.arrived_ns.is_some();
        assert!(
            known.is_none() || taken_back,
            "{name}: {fate:?} after {known:?}"
        );
    }
    assert_eq!(arrivals.len(), departures.len(), "{name}: each has a fate");
    departures.sort_by_key(|departure| (departure.sent_ns, !departure.forward));
    let mut passages = packets(&captures[0], &captures[1], Some(flow), &[]).expect("both captures");
    passages.sort_by_key(|passage| (passage.sent_ns, !passage.forward));
    assert_eq!(departures.len(), passages.len(), "{name}");
    for (departure, passage) in departures.iter().zip(&passages) {
        assert_eq!(*departure, passage.told(departure.number), "{name}");
        let arrived_ns = passage.arrived_ns.map(|at_ns| at_ns as u64);
        assert_eq!(
            arrivals[&departure.number], arrived_ns,
            "{name}: {passage:?}"
        );
    }
}

/// All messages told against those of the files, each once, in order.
fn expect_messages(name: &str, news: &[News], files: &Analysis, departures: &Departures) {
    let available = files.messages.iter().enumerate();
    let available: Vec<_> = available
        .filter(|(_, message)| message.available_ns.is_some())
        .collect();
    let told: Vec<_> = news.iter().flat_map(|news| &news.messages).collect();
    assert_eq!(told.len(), available.len(), "{name}");
    for (told, (number, message)) in told.into_iter().zip(available) {
        assert_eq!(told.number, number as u64, "{name}");
        let instants = [
            Some(told.sent_ns),
            Some(told.arrived_ns),
            Some(told.available_ns),
        ];
        let truth = [message.sent_ns, message.arrived_ns, message.available_ns];
        assert_eq!(
            instants,
            truth.map(|at_ns| at_ns.map(|at_ns| at_ns as u64)),
            "{name}"
        );
        let last = files
            .ranges
            .iter()
            .find(|range| {
                range.end > message.start
                    && range.start < message.end
                    && range.arrived_ns == message.arrived_ns
            })
            .expect("what arrived last");
        let (_, recovery) = departures.of(last.start.max(message.start));
        assert_eq!(
            Recovery::try_from(told.recovery),
            Ok(recovery),
            "{name}: {told:?}"
        );
    }
}

/// The whole of what is promised, of one trace told in one way.
fn expect_exact(name: &str, script: &Script, trace: &Trace, turns: &[Turn]) {
    let captures = captures(trace);
    let [sender, receiver] = &captures;
    let files = analyze(
        sender,
        receiver,
        &Options {
            flow: Some(flow(script)),
            ..Options::default()
        },
    );
    let mut watch = Watch::new(options(script, Messages::Packets));
    let news = told_to_the_end(&mut watch, trace, turns);
    if let Ok(files) = &files {
        expect_packets(name, &news, &captures, flow(script));
        let departures = Departures::read(sender, receiver, Some(flow(script))).expect("the flow");
        expect_messages(name, &news, files, &departures);
        expect_figures(name, &watch, files);
        expect_figures_since_ever(name, &watch, files);
    }
    expect_same(name, watch.finish(), files);
}

/// Packets alike in all that a path leaves alone are told apart by the whole
/// trace, which nobody has while it grows.
fn tells_packets_apart(script: &Script) -> bool {
    script.wire.ip_ids == IpIds::Counting && script.wire.sender.is_ipv4()
}

#[test]
fn every_scenario_comes_out_as_of_files() {
    for (name, script) in scenarios::all() {
        if tells_packets_apart(&script) {
            expect_exact(name, &script, &script.run(), &[]);
        }
    }
}

#[test]
fn a_long_stream_comes_out_as_of_files() {
    let trace = bulk(5_000);
    expect_exact("bulk", &Script::new(), &trace, &[]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn scenarios_may_be_told_in_any_order(which in any::<prop::sample::Index>(), turns in turns()) {
        let all = scenarios::all();
        let (name, script) = which.get(&all);
        prop_assume!(tells_packets_apart(script));
        expect_exact(name, script, &script.run(), &turns);
    }

    #[test]
    fn random_scripts_may_be_told_in_any_order(script in scripts(), turns in turns()) {
        let trace = script.run();
        prop_assume!(can_be_told(&trace));
        expect_exact("random", &script, &trace, &turns);
    }
}
