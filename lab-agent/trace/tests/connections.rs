//! Captures of many connections: each comes out as if it were alone.
// SPDX-License-Identifier: Apache-2.0

use std::net::SocketAddr;

use thinlab_trace::golden::{
    Container, End, Fate, FileFormat, Intent, Script, Trace, scenarios, together,
};
use thinlab_trace::{
    Analysis, AnalyzeError, Capture, Census, Clock, Connections, Flow, Nat, Options, Reading, Told,
    analyze, read_capture, read_capture_as,
};

const MS: u64 = 1_000_000;
const THERE: Fate = Fate::Arrives { after_ns: 65 * MS };

fn captures(trace: &Trace) -> [Capture; 2] {
    captures_as(trace, Reading::default())
}

fn captures_as(trace: &Trace, reading: Reading) -> [Capture; 2] {
    let files = trace.files(&FileFormat::default());
    [files.sender, files.receiver].map(|file| {
        read_capture_as(&file, reading)
            .expect("a whole file")
            .capture
    })
}

fn alone(trace: &Trace) -> Analysis {
    let [sender, receiver] = captures(trace);
    analyze(&sender, &receiver, &Options::default()).expect("one connection")
}

fn expect_alike(name: &str, told: &Analysis, alone: &Analysis) {
    assert_eq!(told.metrics, alone.metrics, "{name}");
    assert_eq!(told.traffic, alone.traffic, "{name}");
    assert_eq!(told.forward, alone.forward, "{name}: forward");
    assert_eq!(told.backward, alone.backward, "{name}: backward");
    assert_eq!(told.late, alone.late, "{name}");
    assert_eq!(told.recoveries, alone.recoveries, "{name}");
    assert_eq!(told.messages.len(), alone.messages.len(), "{name}");
}

/// A census of the files says what whole captures do; returns how many connections take
/// whole captures.
fn expect_census(trace: &Trace) -> usize {
    let files = trace.files(&FileFormat::default());
    let [first, second] = captures(trace);
    let whole = Connections::of(&first, &second);
    let census = Census::of(&files.sender, &files.receiver).expect("two whole files");
    assert_eq!(census.in_both, whole.in_both);
    assert_eq!(census.in_one, whole.in_one);
    let mut told = Vec::new();
    census.summarize(|which, summary| told.push((*which, summary)));
    assert!(told.iter().map(|(which, _)| which).eq(&whole.in_both));
    let mut unclear = 0;
    for (which, summary) in told {
        let whole = whole.analyze(&which, &Options::default());
        match summary {
            Told::Summary(summary) => {
                assert_eq!(whole.map(|told| told.summary), Ok(*summary));
            }
            Told::NoData => assert!(matches!(whole, Err(AnalyzeError::NoData { .. }))),
            Told::Unclear => unclear += 1,
        }
    }
    unclear
}

/// A short connection of its own: the third of four messages is lost, and comes again
/// after the timer.
fn short(number: u32) -> Script {
    let mut script = Script::new();
    let [high, low] = (number as u16).to_be_bytes();
    script.wire.sender = SocketAddr::from(([10, 1, high, low], 1_024 + (number % 7) as u16));
    script.wire.sender_isn = number.wrapping_mul(0x9e37_79b9);
    let bytes = u64::from(40 + number % 50);
    for n in 0..4 {
        let fate = if n == 2 { Fate::Lost } else { THERE };
        script.data(
            (200 + n * 100) * MS,
            Intent::New,
            n * bytes..(n + 1) * bytes,
            fate,
        );
    }
    script.data(
        730 * MS,
        Intent::Retransmission,
        2 * bytes..3 * bytes,
        THERE,
    );
    script
}

#[test]
fn ten_thousand_connections_are_told_apart() {
    const COUNT: u32 = 10_000;
    let trace = together((0..COUNT).map(|number| (u64::from(number) * MS, short(number).run())));
    assert_eq!(expect_census(&trace), 0);
    let [first, second] = captures(&trace);
    let connections = Connections::of(&first, &second);
    assert_eq!(connections.in_both.len(), COUNT as usize);
    assert!(connections.in_one.iter().all(Vec::is_empty));
    for (number, which) in (0..).zip(&connections.in_both) {
        let script = short(number);
        let told = connections
            .analyze(which, &Options::default())
            .expect("data");
        assert_eq!(told.flow.sender, script.wire.sender);
        let bytes = u64::from(40 + number % 50);
        assert_eq!(told.metrics.unique_bytes, 4 * bytes);
        assert_eq!(told.metrics.retransmitted_bytes, bytes);
        assert_eq!((told.forward.lost, told.backward.lost), (1, 0));
        // Sent at 400 ms, there at 795.
        let application = told.summary.metrics.application.and_then(|it| it.per_byte);
        assert_eq!(application.map(|it| it.max_us), Some(395_000.0));
        assert!(
            told.summary.warnings.is_empty(),
            "{:?}",
            told.summary.warnings
        );
    }
}

/// Every scenario beside every other one, each with an address of its own.
#[test]
fn scenarios_side_by_side_are_what_they_are_alone() {
    let scripts: Vec<_> = scenarios::all()
        .into_iter()
        // Nobody knows whose a packet with a damaged address is, and microseconds need a
        // file of their own.
        .filter(|(name, script)| !name.starts_with("damage") && script.clocks.resolution_ns == 1)
        .enumerate()
        .map(|(number, (name, mut script))| {
            let ip = script.wire.sender.ip();
            script.wire.sender = SocketAddr::new(ip, 20_000 + number as u16);
            (name, script.run())
        })
        .collect();
    let traces = scripts
        .iter()
        .zip(0..)
        .map(|((_, trace), at)| (at * 77 * MS, trace.clone()));
    let whole = together(traces);
    assert_eq!(
        expect_census(&whole),
        3,
        "those with packets that are alike"
    );
    let [first, second] = captures(&whole);
    let connections = Connections::of(&first, &second);
    for (name, trace) in &scripts {
        let alone = alone(trace);
        let which = connections.find(&alone.flow, 1).expect("it is in both");
        let told = connections.analyze_flow(which, alone.flow, &Options::default());
        expect_alike(name, &told.expect("one connection"), &alone);
    }
}

#[test]
fn ports_used_again_are_another_connection() {
    let one = Script::new();
    let mut scripts = Vec::new();
    for n in 0..3_u32 {
        let mut script = one.clone();
        script.wire.sender_isn = 5_000_000 * (n + 1);
        script.wire.receiver_isn = 77 * (n + 1);
        let bytes = u64::from(100 + n);
        script.data(1_000 * MS, Intent::New, 0..bytes, Fate::Lost);
        script.data(1_400 * MS, Intent::Retransmission, 0..bytes, THERE);
        scripts.push(script);
    }
    let begin_ns = [0, 20_000 * MS, 40_000 * MS];
    let trace = together(begin_ns.into_iter().zip(scripts.iter().map(Script::run)));
    assert_eq!(expect_census(&trace), 0);
    let [first, second] = captures(&trace);
    let refused = analyze(&first, &second, &Options::default()).expect_err("which of them?");
    assert!(refused.to_string().contains("#1"), "{refused}");
    let connections = Connections::of(&first, &second);
    let numbers: Vec<u32> = connections
        .in_both
        .iter()
        .map(|it| it.first.number)
        .collect();
    assert_eq!(numbers, [1, 2, 3]);
    for (which, script) in connections.in_both.iter().zip(&scripts) {
        let told = connections
            .analyze(which, &Options::default())
            .expect("data");
        expect_alike("again", &told, &alone(&script.run()));
    }
}

/// The second host opens a connection of its own, and each sends what it has.
#[test]
fn either_end_may_open_and_either_may_send() {
    let theirs = short(1);
    let mut trace = theirs.run();
    for frame in &mut trace.frames {
        frame.end = match frame.end {
            End::Sender => End::Receiver,
            End::Receiver => End::Sender,
        };
    }
    let mut download = Script::new();
    download.echo(1_000 * MS, 0..500, THERE);
    download.data(900 * MS, Intent::New, 0..20, THERE);
    let whole = together([(0, trace), (MS, short(2).run()), (2 * MS, download.run())]);
    assert_eq!(expect_census(&whole), 0);
    let [first, second] = captures(&whole);
    let connections = Connections::of(&first, &second);
    assert_eq!(connections.in_both.len(), 3);
    let told = |script: &Script| {
        let flow = Flow {
            sender: script.wire.sender,
            receiver: script.wire.receiver,
        };
        let which = connections.find(&flow, 1).expect("it is in both");
        connections
            .analyze(which, &Options::default())
            .expect("data")
    };
    expect_alike("theirs", &told(&theirs), &alone(&theirs.run()));
    expect_alike("ours", &told(&short(2)), &alone(&short(2).run()));
    let download_told = told(&download);
    assert_eq!(download_told.flow.sender, download.wire.receiver);
    assert_eq!(download_told.metrics.delivered_bytes, 500);
}

#[test]
fn what_one_capture_lacks_is_listed() {
    let mut trace = together([(0, short(1).run()), (0, short(2).run())]);
    let theirs = short(2).wire.sender;
    let of_second = |packet: &[u8]| match theirs {
        SocketAddr::V4(socket) => {
            let octets = socket.ip().octets();
            packet[12..16] == octets || packet[16..20] == octets
        }
        SocketAddr::V6(_) => false,
    };
    trace
        .frames
        .retain(|frame| frame.end == End::Sender || !of_second(&frame.packet));
    assert_eq!(expect_census(&trace), 0);
    let [first, second] = captures(&trace);
    let connections = Connections::of(&first, &second);
    assert_eq!(connections.in_both.len(), 1);
    assert_eq!(connections.in_one[0][0].flow.sender, theirs);
    assert!(connections.in_one[1].is_empty());
}

/// A NAT gives the sender another address, and a port of its own choice.
#[test]
fn a_nat_in_between_is_translated_back() {
    let script = short(3);
    let mut trace = script.run();
    for frame in trace
        .frames
        .iter_mut()
        .filter(|frame| frame.end == End::Receiver)
    {
        let (address, port) = if frame.outgoing { (16, 22) } else { (12, 20) };
        frame.packet[address..address + 4].copy_from_slice(&[203, 0, 113, 7]);
        frame.packet[port..port + 2].copy_from_slice(&61_000_u16.to_be_bytes());
        // As if the card were to fill them in.
        frame.packet[10..12].fill(0);
        frame.packet[36..38].fill(0);
    }
    let inside = script.wire.sender;
    for text in [
        format!("{}=203.0.113.7", inside.ip()),
        format!("{inside}=203.0.113.7:61000"),
    ] {
        let [sender, receiver] = captures(&trace);
        let nat: Nat = text.parse().expect("a translation");
        let receiver = receiver.behind(&[nat], &sender);
        let told = analyze(&sender, &receiver, &Options::default()).expect("one connection");
        expect_alike(&text, &told, &alone(&script.run()));
    }
    let [sender, receiver] = captures(&trace);
    assert!(analyze(&sender, &receiver, &Options::default()).is_err());
    for text in ["10.0.0.1", "10.0.0.1=x", "10.0.0.1:5=10.0.0.2"] {
        assert!(text.parse::<Nat>().is_err(), "{text}");
    }
}

/// Bursts of segments that leave at once; the fifth is lost and comes again.
fn bursts() -> Script {
    const SEGMENT: u64 = 1_448;
    let mut script = Script::new();
    script.wire.pushes = false;
    for n in 0..9 {
        let fate = if n == 4 { Fate::Lost } else { THERE };
        let at_ns = (1_000 + n / 3 * 200) * MS;
        script.data(at_ns, Intent::New, n * SEGMENT..(n + 1) * SEGMENT, fate);
    }
    script.data(
        1_800 * MS,
        Intent::Retransmission,
        4 * SEGMENT..5 * SEGMENT,
        THERE,
    );
    script
}

#[test]
fn segments_are_cut_apart_as_the_card_does() {
    let reading = Reading {
        mss_bytes: Some(1_460),
    };
    let truth = alone(&bursts().run());
    assert_eq!((truth.forward.sent, truth.forward.lost), (12, 1));
    let at_sender = bursts().run().offloaded_at(End::Sender);
    let at_both = at_sender.clone().offloaded_at(End::Receiver);
    for (name, trace) in [("at the sender", at_sender), ("at both", at_both)] {
        let [sender, receiver] = captures_as(&trace, reading);
        let told = analyze(&sender, &receiver, &Options::default()).expect("one connection");
        expect_alike(name, &told, &truth);
        assert!(told.warnings.is_empty(), "{name}: {:?}", told.warnings);
        let [sender, receiver] = captures(&trace);
        let whole = analyze(&sender, &receiver, &Options::default()).expect("one connection");
        assert!(
            whole.forward.sent < 12,
            "{name}: there is something to cut apart"
        );
    }
}

/// The receiver's capture ends inside the options.
#[test]
fn a_snapshot_inside_the_options_is_enough() {
    let (_, script) = scenarios::all().swap_remove(1);
    let trace = script.run();
    let short = FileFormat {
        snapshot_bytes: 14 + 20 + 20 + 4,
        container: Container::Pcap,
        ..FileFormat::default()
    };
    let sender = read_capture(&trace.files(&FileFormat::default()).sender).expect("a file");
    let receiver = read_capture(&trace.files(&short).receiver).expect("a file");
    let told = analyze(&sender, &receiver, &Options::default()).expect("one connection");
    let truth = alone(&trace);
    assert_eq!(told.metrics, truth.metrics);
    assert_eq!(told.forward, truth.forward);
}

#[test]
fn clocks_of_many_connections_are_fitted_one_by_one() {
    let (_, script) = scenarios::separate_clocks().swap_remove(3);
    let mut other = script.clone();
    other.wire.sender.set_port(41_000);
    let trace = together([(0, script.run()), (0, other.run())]);
    let [first, second] = captures(&trace);
    let connections = Connections::of(&first, &second);
    let options = Options {
        clock: Clock::Separate,
        ..Options::default()
    };
    let told: Vec<_> = connections
        .in_both
        .iter()
        .map(|which| connections.analyze(which, &options).expect("both ways"))
        .collect();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0].metrics, told[1].metrics);
    let flow: Flow = told[1].flow;
    assert_eq!(flow.sender.port(), 41_000);
}
