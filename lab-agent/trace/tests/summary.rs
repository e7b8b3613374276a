//! Figures and curves told while packets pass against those of whole captures: the same,
//! or none.
// SPDX-License-Identifier: Apache-2.0

mod random;

use proptest::prelude::*;
use random::{can_be_told, scripts};
use thinlab_trace::golden::{Container, FileFormat, Link, Pair, bulk, scenarios};
use thinlab_trace::{Clock, Flow, Options, Summary, analyze, read_capture, summarize};

/// What whole captures say.
fn whole(pair: &Pair, options: &Options) -> Option<Summary> {
    let sender = read_capture(&pair.sender).ok()?;
    let receiver = read_capture(&pair.receiver).ok()?;
    let analysis = analyze(&sender, &receiver, options).ok()?;
    Some(analysis.summary)
}

fn summary(pair: &Pair, options: &Options) -> Option<Summary> {
    summarize(&pair.sender, &pair.receiver, options)
}

/// Whether there was one.
fn expect_same(name: &str, pair: &Pair, options: &Options) -> bool {
    let told = summary(pair, options);
    if let Some(told) = &told {
        assert_eq!(Some(told), whole(pair, options).as_ref(), "{name}");
    }
    told.is_some()
}

#[test]
fn scenarios_come_out_as_of_whole_captures() {
    let mut without = Vec::new();
    for (name, script) in scenarios::all() {
        let files = script.run().files(&FileFormat::default());
        if !expect_same(name, &files, &Options::default()) {
            without.push(name);
        }
    }
    let expected = [
        // Whose was it?
        "damage in the ports",
        "damage in the IP header: addresses",
        "foreign traffic",
        // Which was it?
        "identical copies, first one lost",
        "identical copies, both arrive",
        "IPv6 without timestamps",
    ];
    assert_eq!(without, expected);
}

#[test]
fn so_do_they_from_any_file() {
    for container in [Container::Pcap, Container::Pcapng] {
        for link in [Link::Ethernet, Link::RawIp] {
            let format = FileFormat {
                container,
                link,
                ..FileFormat::default()
            };
            let files = bulk(500).files(&format);
            assert!(expect_same("bulk", &files, &Options::default()));
        }
    }
}

#[test]
fn messages_may_end_anywhere() {
    for step in [7, 120, 150, 1_000] {
        let options = Options {
            message_ends: Some((1..80).map(|n| n * step).collect()),
            ..Options::default()
        };
        let files = bulk(100).files(&FileFormat::default());
        assert!(expect_same("bulk", &files, &options), "{step}");
        for (name, script) in scenarios::all() {
            expect_same(name, &script.run().files(&FileFormat::default()), &options);
        }
    }
}

#[test]
fn a_flow_that_is_asked_for_goes_as_asked() {
    for (name, script) in scenarios::all() {
        let flow = Flow {
            sender: script.wire.sender,
            receiver: script.wire.receiver,
        };
        let options = Options {
            flow: Some(flow),
            ..Options::default()
        };
        expect_same(name, &script.run().files(&FileFormat::default()), &options);
    }
}

/// Hours, most of which are forgotten meanwhile.
#[test]
fn what_is_forgotten_was_counted() {
    let files = bulk(50_000).files(&FileFormat::default());
    assert!(expect_same("bulk", &files, &Options::default()));
}

#[test]
fn whoever_needs_whole_captures_gets_nothing() {
    let pair = bulk(100).files(&FileFormat::default());
    let separate = Options {
        clock: Clock::Separate,
        ..Options::default()
    };
    assert_eq!(summary(&pair, &separate), None);
    let cut = &pair.sender[..pair.sender.len() - 1];
    assert_eq!(summarize(cut, &pair.receiver, &Options::default()), None);
    assert_eq!(summarize(&[], &[], &Options::default()), None);
    let other = scenarios::all().swap_remove(0).1.run();
    let foreign = other.files(&FileFormat::default());
    assert_eq!(
        summarize(&pair.sender, &foreign.receiver, &Options::default()),
        None
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn random_scripts_come_out_as_of_whole_captures(script in scripts()) {
        let trace = script.run();
        let files = trace.files(&FileFormat::default());
        let told = expect_same("random", &files, &Options::default());
        // A damaged address may be anybody's.
        let damaged = trace.truth.forward.damaged + trace.truth.backward.damaged;
        prop_assert!(told || damaged > 0 || !can_be_told(&trace));
    }
}
