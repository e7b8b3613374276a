//! The analyser against the golden traces of SCTP: every chunk's three instants, every
//! count, exact to the resolution of the stamps.
// SPDX-License-Identifier: Apache-2.0
#![allow(clippy::cast_possible_wrap)]

mod truth;

use lab_proto::Chunks;
use thinlab_trace::golden::sctp::{Played, Script, bulk, scenarios};
use thinlab_trace::golden::{self, FileFormat, Trace, scenarios as tcp, together};
use thinlab_trace::{
    Analysis, AnalyzeError, Checksum, ChunkKind, Connections, Flow, Options, Protocol, Warning,
    analyze, at_receiver, at_sender, conversations, packets, records, summarize,
};
use truth::{captures, expect_directions, expect_traffic, near, other_formats};

fn flow(script: &Script) -> Flow {
    Flow {
        sender: script.wire.sender,
        receiver: script.wire.receiver,
    }
}

fn options(script: &Script) -> Options {
    Options {
        flow: Some(flow(script)),
        ..Options::default()
    }
}

/// What the receiver sends.
fn back(script: &Script) -> Options {
    Options {
        flow: Some(Flow {
            sender: script.wire.receiver,
            receiver: script.wire.sender,
        }),
        ..Options::default()
    }
}

fn analysed(script: &Script, trace: &Trace, format: &FileFormat) -> Analysis {
    let [sender, receiver] = captures(trace, format);
    analyze(&sender, &receiver, &options(script)).expect("an association in both")
}

#[test]
fn every_scenario_comes_back_exactly() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        let analysis = analysed(&script, &played.trace, &FileFormat::default());
        expect(name, &script, &played, &analysis);
    }
}

#[test]
fn the_file_format_changes_nothing() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        for format in other_formats() {
            let analysis = analysed(&script, &played.trace, &format);
            expect(&format!("{name}, {format:?}"), &script, &played, &analysis);
        }
    }
}

/// Copies by how often the chunk had been sent before.
fn expect_ordinals(name: &str, chunks: &Chunks, again: &[[(u64, u64); 6]; 3]) {
    for (nth, (told, truth)) in [chunks.first, chunks.second, chunks.third]
        .into_iter()
        .zip(again)
        .enumerate()
    {
        let of = |kind: ChunkKind| truth[kind as usize];
        let along = [
            ChunkKind::Bundled,
            ChunkKind::WithFast,
            ChunkKind::WithTimeout,
        ]
        .map(of);
        let truth = [
            of(ChunkKind::Fast),
            of(ChunkKind::Timeout),
            along
                .iter()
                .fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1)),
        ];
        let told = told.unwrap_or_default();
        let told = [
            (told.fast, told.spurious_fast),
            (told.timeout, told.spurious_timeout),
            (told.bundled, told.spurious_bundled),
        ];
        assert_eq!(told, truth, "{name}: retransmission {}", nth + 1);
    }
}

fn expect(name: &str, script: &Script, played: &Played, analysis: &Analysis) {
    let truth = &played.truth;
    let near = near(&script.clocks, script.clocks.resolution_ns - 1);
    assert_eq!(analysis.ranges.len(), truth.chunks.len(), "{name}");
    let mut start = 0;
    let mut message_ends = Vec::new();
    for (range, chunk) in analysis.ranges.iter().zip(&truth.chunks) {
        assert_eq!(
            (range.start, range.end),
            (start, start + chunk.bytes),
            "{name}"
        );
        start = range.end;
        message_ends.extend(chunk.ends.then_some(start));
        let right = near(Some(range.sent_ns), chunk.sent_ns)
            && near(range.arrived_ns, chunk.arrived_ns)
            && near(range.available_ns, chunk.available_ns);
        assert!(right, "{name}: {range:?} is in truth {chunk:?}");
    }
    let ends: Vec<u64> = analysis.messages.iter().map(|it| it.end).collect();
    assert_eq!(ends, message_ends, "{name}: messages");
    let chunks = analysis.chunks.expect("chunks");
    let traffic = &analysis.traffic;
    let copies = [
        chunks.new,
        chunks.bundled,
        chunks.fast,
        chunks.timeout,
        chunks.bundled_with_fast,
        chunks.bundled_with_timeout,
    ];
    assert_eq!(
        copies, truth.copies,
        "{name}: new, bundled, fast, timeout, with either"
    );
    assert_eq!(chunks.sent, copies.iter().sum::<u64>(), "{name}");
    expect_ordinals(name, &chunks, &truth.again);
    expect_traffic(name, traffic, &truth.traffic);
    for (what, told, true_count) in [
        ("spurious", chunks.spurious, truth.spurious),
        ("in vain", chunks.bundled_in_vain, truth.bundled_in_vain),
        (
            "duplicate TSNs",
            chunks.duplicate_tsns,
            truth.duplicate_tsns,
        ),
        ("gap blocks", chunks.gap_blocks, truth.gap_blocks),
        ("SACKs", chunks.sacks, truth.sacks),
    ] {
        assert_eq!(told, true_count, "{name}: {what}");
    }
    assert_eq!(
        traffic.payload_bytes,
        traffic.unique_bytes + traffic.retransmitted_bytes + traffic.bundled_bytes,
        "{name}"
    );
    expect_directions(name, analysis, &truth.forward, &truth.backward);
    assert!(
        analysis.warnings.is_empty(),
        "{name}: {:?}",
        analysis.warnings
    );
}

#[test]
fn one_end_knows_what_it_can() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        let [sender, receiver] = captures(&played.trace, &FileFormat::default());
        let truth = &played.truth;
        let told = at_sender(&sender, Some(flow(&script))).expect("data");
        let chunks = told.chunks.expect("chunks");
        let (traffic, of_bytes) = (&told.traffic, &truth.traffic);
        assert_eq!(traffic.payload_bytes, of_bytes.payload_bytes, "{name}");
        assert_eq!(traffic.bundled_bytes, of_bytes.bundled_bytes, "{name}");
        assert_eq!(
            told.fast_packets + told.timeout_packets,
            of_bytes.retransmitted_packets,
            "{name}"
        );
        let copies = [chunks.new, chunks.bundled, chunks.fast, chunks.timeout];
        assert_eq!(copies, truth.copies[..4], "{name}");
        assert_eq!(chunks.spurious, 0, "{name}: nobody knows here");
        let told = at_receiver(&receiver, Some(flow(&script))).expect("data");
        let bytes = |has: fn(&golden::sctp::ChunkTruth) -> bool| -> u64 {
            let those = truth.chunks.iter().filter(|chunk| has(chunk));
            those.map(|chunk| chunk.bytes).sum()
        };
        let arrived = bytes(|chunk| chunk.arrived_ns.is_some());
        assert_eq!(told.unique_bytes, arrived, "{name}");
        let available = bytes(|chunk| chunk.available_ns.is_some());
        assert_eq!(told.delivered_bytes, available, "{name}");
    }
}

/// With ports and tags of its own.
fn numbered(mut script: Script, number: u16) -> Script {
    let wire = &mut script.wire;
    wire.sender.set_port(20_000 + number);
    wire.sender_tag ^= u32::from(number) << 8;
    wire.receiver_tag ^= u32::from(number) << 8;
    script
}

#[test]
fn many_associations_are_each_as_if_alone() {
    let scripts = scenarios::all().into_iter().enumerate();
    let scripts = scripts.map(|(at, (name, script))| (name, numbered(script, at as u16)));
    // A damaged address may be anyone's.
    let whole = scripts
        .filter(|(name, script)| !name.starts_with("damage") && script.clocks.resolution_ns == 1);
    let scripts: Vec<(&str, Script)> = whole.collect();
    let played: Vec<Played> = scripts.iter().map(|(_, script)| script.run()).collect();
    let tcp_script = tcp::two_losses();
    let mut traces: Vec<(u64, Trace)> = played.iter().map(|it| (0, it.trace.clone())).collect();
    traces.push((0, tcp_script.run()));
    let [first, second] = captures(&together(traces), &FileFormat::default());
    let connections = Connections::of(&first, &second);
    assert_eq!(connections.in_both.len(), scripts.len() + 1);
    for which in &connections.in_both {
        let told = connections.analyze_flow(which, which.first.flow, &Options::default());
        let told = told.expect("data");
        if which.first.protocol == Protocol::Tcp {
            assert_eq!(told.chunks, None);
            assert_eq!(told.traffic.bundle_packets, 1);
            continue;
        }
        let at = scripts
            .iter()
            .position(|(_, script)| flow(script) == which.first.flow);
        let at = at.expect("one of them");
        let (name, script) = &scripts[at];
        expect(name, script, &played[at], &told);
    }
}

/// Two connections between the same sockets, one of each protocol, are two.
#[test]
fn protocols_do_not_mix() {
    let script = Script::new();
    let (_, sctp) = scenarios::all().swap_remove(1);
    let tcp_script = tcp::two_losses();
    assert_eq!(script.wire.sender, tcp_script.wire.sender);
    let traces = [(0, sctp.run().trace), (7, tcp_script.run())];
    let [first, second] = captures(&together(traces), &FileFormat::default());
    let connections = Connections::of(&first, &second);
    let mut told: Vec<_> = connections
        .in_both
        .iter()
        .map(|which| {
            let told = connections
                .analyze(which, &Options::default())
                .expect("data");
            (which.first.protocol, told.traffic.data_packets)
        })
        .collect();
    told.sort_unstable();
    assert_eq!(told, [(Protocol::Tcp, 5), (Protocol::Sctp, 7)]);
    let conversations = conversations(&first);
    assert_eq!(conversations.len(), 1, "what was written is told of TCP");
}

/// The association after it, with the same ports and other tags, is another one.
#[test]
fn ports_used_again() {
    let (_, one) = scenarios::all().swap_remove(0);
    let mut next = one.clone();
    next.wire.sender_tag = 77;
    next.wire.receiver_tag = 78;
    next.wire.sender_tsn = 4_000_000_000;
    let traces = [(0, one.run().trace), (9_000_000_000, next.run().trace)];
    let [first, second] = captures(&together(traces), &FileFormat::default());
    let connections = Connections::of(&first, &second);
    assert_eq!(connections.in_both.len(), 2);
    for which in &connections.in_both {
        let told = connections
            .analyze(which, &Options::default())
            .expect("data");
        assert_eq!(told.traffic.data_packets, 10);
        assert_eq!(told.metrics.delivered_bytes, 1_200);
    }
}

#[test]
fn a_short_snapshot_holds_the_first_chunk() {
    let snapshot = |snapshot_bytes| FileFormat {
        snapshot_bytes,
        ..FileFormat::default()
    };
    let script = scripted("loss, repaired by timeout");
    let played = script.run();
    let analysis = analysed(&script, &played.trace, &snapshot(80));
    expect("80 bytes", &script, &played, &analysis);
    let script = scripted("several chunks in a packet");
    let analysis = analysed(&script, &script.run().trace, &snapshot(80));
    assert_eq!(analysis.warnings, [Warning::CutChunks { packets: 10 }]);
    let chunks = analysis.chunks.expect("chunks");
    assert_eq!(chunks.sent, 5, "the first of each");
}

/// What goes through both captures while packets pass knows TCP alone and leaves the rest
/// to whole captures.
#[test]
fn summaries_read_whole_captures() {
    let (_, script) = scenarios::all().swap_remove(0);
    let pair = script.run().trace.files(&FileFormat::default());
    assert_eq!(
        summarize(&pair.sender, &pair.receiver, &Options::default()),
        None
    );
}

#[test]
fn damage_is_told_by_the_checksum() {
    for (name, script) in scenarios::all() {
        let [_, receiver] = captures(&script.run().trace, &FileFormat::default());
        let wrong = receiver
            .packets
            .iter()
            .filter(|packet| packet.checksum == Checksum::Wrong)
            .count();
        assert_eq!(wrong, usize::from(name.starts_with("damage")), "{name}");
    }
}

#[test]
fn records_have_every_chunk() {
    for (name, script) in scenarios::all() {
        let played = script.run();
        let [sender, receiver] = captures(&played.trace, &FileFormat::default());
        let analysis = analyze(&sender, &receiver, &options(&script)).expect("data");
        let records = records(&sender, &receiver, &analysis).expect("records");
        let all = packets(&sender, &receiver, Some(flow(&script)), &[]).expect("packets");
        assert_eq!(records.packets.len(), all.len(), "{name}");
        let forward = records.packets.iter().filter(|it| it.passage.forward);
        let data = forward.flat_map(|record| records.chunks_of(record));
        let data = data.filter(|chunk| matches!(chunk, thinlab_trace::RecordedChunk::Data(_)));
        let sent = analysis.chunks.expect("chunks").sent;
        assert_eq!(data.count() as u64, sent, "{name}");
    }
}

/// Of 50 messages one takes 395 ms and holds up the 16 behind it, as with TCP.
#[test]
fn a_long_stream_comes_back_by_formula() {
    let [sender, receiver] = captures(&bulk(5_000), &FileFormat::default());
    let analysis = analyze(&sender, &receiver, &Options::default()).expect("data");
    let application = analysis
        .summary
        .metrics
        .application
        .and_then(|it| it.per_message);
    let points: Vec<_> = application
        .expect("messages")
        .cdf
        .iter()
        .map(|point| (point.latency_us, (point.share * 50.0).round()))
        .collect();
    assert_eq!((points[0], points.len()), ((65_000.0, 33.0), 18));
    assert_eq!(points[17], (395_000.0, 50.0));
    let chunks = analysis.summary.chunks.expect("chunks");
    assert_eq!(
        (chunks.sent, chunks.timeout, chunks.spurious),
        (5_100, 100, 0)
    );
}

#[test]
fn other_captures_are_refused_by_name() {
    let (_, script) = scenarios::all().swap_remove(0);
    let [sender, receiver] = captures(&script.run().trace, &FileFormat::default());
    let back = back(&script);
    let error = analyze(&receiver, &sender, &back).expect_err("nothing goes back");
    assert!(matches!(error, AnalyzeError::NoData { .. }), "{error}");
}

/// What goes back is analysed by itself, too: an end that accepts says where it begins.
#[test]
fn the_way_back_begins_where_the_answer_that_counts_says() {
    for name in ["both directions talk", "INIT ACKs lost twice"] {
        let script = scripted(name);
        let [sender, receiver] = captures(&script.run().trace, &FileFormat::default());
        let back = back(&script);
        let analysis = analyze(&receiver, &sender, &back).expect("it answers");
        let first = analysis.ranges.first().map(|range| range.start);
        assert_eq!(
            (first, analysis.traffic.payload_bytes % 52),
            (Some(0), 0),
            "{name}"
        );
    }
}

fn scripted(wanted: &str) -> Script {
    let mut all = scenarios::all().into_iter();
    all.find(|(name, _)| *name == wanted).expect("a name").1
}

fn named(wanted: &str) -> Analysis {
    let script = scripted(wanted);
    analysed(&script, &script.run().trace, &FileFormat::default())
}

/// What is shared with TCP is told of chunks, too.
#[test]
fn recoveries_late_messages_and_acknowledgements_are_told() {
    let quiet = named("nothing happens").summary.recoveries.time_to_ack;
    assert_eq!(quiet.samples, 10);
    assert!((quiet.max_us - 130_010.0).abs() < 1e-6, "{}", quiet.max_us);
    let third = named("timeout three times").summary.recoveries.by_ordinal;
    let bytes: Vec<u64> = third.iter().map(|latency| latency.samples).collect();
    assert_eq!(bytes, [0, 0, 120]);
    assert!((third[2].max_us - 7_065_000.0).abs() < 1e-6);
    // Chunk 2 leaves again after 191 ms: it and three behind it are late.
    let late = named("loss, repaired after gap reports").late.unwrap();
    assert!((late.fast_share - 4.0 / 14.0).abs() < 1e-9, "{late:?}");
    let late = named("streams do not wait for each other").late.unwrap();
    assert!((late.timeout_share - 1.0 / 8.0).abs() < 1e-9, "{late:?}");
}
