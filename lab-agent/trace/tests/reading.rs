//! Files that are cut, foreign or damaged, and captures that do not belong
//! together: each is refused with a reason and a remedy.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::Latency;
use thinlab_trace::golden::{
    ByteOrder, Container, End, Fate, FileFormat, Intent, Noise, Pair, Script, scenarios,
};
use thinlab_trace::{
    AnalyzeError, Clock, Flow, Options, ReadError, Warning, analyze, read_capture, read_cut_capture,
};

const MS: u64 = 1_000_000;

fn script() -> Script {
    let mut script = Script::new();
    for n in 0..5 {
        script.data(
            1_000 * MS + n * 140 * MS,
            Intent::New,
            n * 120..n * 120 + 120,
            Fate::arrives(65 * MS),
        );
    }
    script
}

fn files(script: &Script) -> Pair {
    script.run().files(&FileFormat::default())
}

fn analysed(pair: &Pair, options: &Options) -> Result<thinlab_trace::Analysis, AnalyzeError> {
    let sender = read_capture(&pair.sender).expect("the sender's capture");
    let receiver = read_capture(&pair.receiver).expect("the receiver's capture");
    analyze(&sender, &receiver, options)
}

/// Cut anywhere, a file is refused, or was cut between two records.
#[test]
fn a_cut_file_says_where() {
    for container in [Container::Pcap, Container::Pcapng] {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let format = FileFormat {
                container,
                order,
                ..FileFormat::default()
            };
            let whole = script().run().files(&format).sender;
            let frames = read_capture(&whole).expect("the whole file").frames;
            let mut clean_cuts = 0;
            for length in 0..whole.len() {
                match read_capture(&whole[..length]) {
                    Ok(capture) => {
                        clean_cuts += 1;
                        assert!(capture.frames < frames);
                    }
                    Err(ReadError::Empty) => assert_eq!(length, 0),
                    Err(ReadError::CutHeader {
                        offset: 0,
                        have_bytes,
                        ..
                    }) => {
                        assert_eq!(have_bytes, length as u64);
                    }
                    Err(ReadError::CutRecord {
                        offset,
                        have_bytes,
                        expected_bytes,
                        frames: kept,
                        ..
                    }) => {
                        assert_eq!(offset + have_bytes, length as u64);
                        assert!(have_bytes < expected_bytes);
                        let read = read_cut_capture(&whole[..length]).expect("up to the cut");
                        assert_eq!((read.capture.frames, read.cut.is_some()), (kept, true));
                    }
                    Err(other) => panic!("cut at {length}: {other}"),
                }
            }
            let after_header = u64::from(container == Container::Pcapng);
            assert_eq!(clean_cuts, frames + after_header, "between any two records");
        }
    }
}

#[test]
fn a_foreign_file_is_named() {
    for (bytes, kind) in [
        (&b"\x1f\x8b\x08\x00 and so on"[..], "gzip"),
        (b"snoop\0\0\0", "snoop"),
        (b"\x34\xcd\xb2\xa1 and so on", "modified pcap"),
        (b"root:x:0:0:root:/root:/bin/bash", "unknown"),
    ] {
        let Err(ReadError::Foreign { found, .. }) = read_capture(bytes) else {
            panic!("{kind}")
        };
        assert!(found.contains(kind), "{found}");
    }
    assert_eq!(read_capture(b"").err(), Some(ReadError::Empty));
}

#[test]
fn damage_inside_a_file_is_found_where_it_is() {
    let pcap = FileFormat {
        container: Container::Pcap,
        ..FileFormat::default()
    };
    let mut file = script().run().files(&pcap).sender;
    // The captured length of the first record, after a 24-byte file header.
    file[24 + 8 + 3] = 0x7f;
    let Err(ReadError::BadRecord {
        offset: 24,
        record: 1,
        problem,
    }) = read_capture(&file)
    else {
        panic!("a record of two gigabytes")
    };
    assert!(problem.contains("262144"), "{problem}");

    let mut file = files(&script()).sender;
    let first_block = u32::from_le_bytes(file[4..8].try_into().expect("four bytes")) as usize;
    file[first_block + 4] = 13;
    let error = read_capture(&file).expect_err("a block of 13 bytes");
    assert!(
        matches!(error, ReadError::BadRecord { offset, record: 2, .. } if offset == first_block as u64)
    );

    let mut file = files(&script()).sender;
    file[first_block + 8] = 105; // 802.11
    let error = read_capture(&file).expect_err("a radio capture");
    assert_eq!(
        error,
        ReadError::UnknownLink {
            offset: first_block as u64,
            link_type: 105
        }
    );
}

/// Every message says what to do.
#[test]
fn captures_of_different_connections_are_told_apart() {
    let mut other = script();
    other.wire.sender.set_port(40_001);
    let mixed = Pair {
        sender: files(&script()).sender,
        receiver: files(&other).receiver,
    };
    let error = analysed(&mixed, &Options::default()).expect_err("no common connection");
    assert!(matches!(error, AnalyzeError::NoCommonConnection { .. }));
    let text = error.to_string();
    assert!(
        text.contains("10.0.1.1:40000-10.0.2.2:5000") && text.contains("10.0.1.1:40001-"),
        "{text}"
    );

    // The same ports, another time.
    let mut later = script();
    later.wire.sender_isn += 5_000_000;
    let mixed = Pair {
        sender: files(&script()).sender,
        receiver: files(&later).receiver,
    };
    let error = analysed(&mixed, &Options::default()).expect_err("another connection");
    assert!(matches!(error, AnalyzeError::DifferentConnections { .. }));
    later.without_handshake = true;
    let mixed = Pair {
        sender: files(&script()).sender,
        receiver: files(&later).receiver,
    };
    let error = analysed(&mixed, &Options::default()).expect_err("no packet in common");
    assert!(matches!(error, AnalyzeError::DifferentConnections { .. }));
}

/// Of the captures' flows this one.
fn only(flow: Flow) -> Options {
    Options {
        flow: Some(flow),
        ..Options::default()
    }
}

#[test]
fn of_several_connections_one_must_be_picked() {
    let mut script = script();
    script.noise(1_200 * MS, End::Sender, Noise::OtherConnection);
    script.noise(1_265 * MS, End::Receiver, Noise::OtherConnection);
    let pair = files(&script);
    let error = analysed(&pair, &Options::default()).expect_err("two connections");
    let AnalyzeError::SeveralFlows { flows } = &error else {
        panic!("{error}")
    };
    assert_eq!(flows.len(), 2);
    assert!(error.to_string().contains("--flow"), "{error}");
    for summary in flows {
        let picked = analysed(&pair, &only(summary.flow)).expect("the one picked");
        assert_eq!(picked.flow, summary.flow);
    }
    let absent: Flow = "10.0.1.1:1-10.0.2.2:2".parse().expect("a flow");
    let error = analysed(&pair, &only(absent)).expect_err("absent");
    assert!(
        matches!(
            error,
            AnalyzeError::FlowAbsent {
                end: thinlab_trace::End::Sender,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_flow_is_written_as_two_sockets() {
    for text in [
        "10.0.1.1:40000-10.0.2.2:5000",
        "[2001:db8::1]:4-[2001:db8::2]:5",
    ] {
        assert_eq!(text.parse::<Flow>().expect("a flow").to_string(), text);
    }
    let error = "10.0.1.1-10.0.2.2".parse::<Flow>().expect_err("no ports");
    assert!(
        error.to_string().contains("SENDER:PORT-RECEIVER:PORT"),
        "{error}"
    );
}

/// The longest latency of a byte.
fn longest_us(latency: Option<Latency>) -> Option<f64> {
    latency?.per_byte.map(|bytes| bytes.max_us)
}

#[test]
fn the_other_direction_can_be_asked_for() {
    let mut script = script();
    script.echo(2_000 * MS, 0..40, Fate::arrives(65 * MS));
    let pair = files(&script);
    let forward = analysed(&pair, &Options::default()).expect("the SYN's way");
    let back = Flow {
        sender: forward.flow.receiver,
        receiver: forward.flow.sender,
    };
    // The echo's sender is the script's receiver: the captures change places.
    let swapped = Pair {
        sender: pair.receiver,
        receiver: pair.sender,
    };
    let analysis = analysed(&swapped, &only(back)).expect("the echo's way");
    assert_eq!(
        (
            analysis.metrics.unique_bytes,
            analysis.metrics.delivered_bytes
        ),
        (40, 40)
    );
    assert_eq!(
        longest_us(analysis.summary.metrics.transport),
        Some(65_000.0)
    );
}

#[test]
fn wrong_clocks_and_swapped_files_are_noticed() {
    let (_, skewed) = scenarios::separate_clocks().swap_remove(1);
    let error = analysed(&files(&skewed), &Options::default()).expect_err("7 s behind");
    assert!(
        matches!(error, AnalyzeError::ArrivedBeforeSent { .. }),
        "{error}"
    );
    let pair = files(&script());
    let swapped = Pair {
        sender: pair.receiver,
        receiver: pair.sender,
    };
    let error = analysed(&swapped, &Options::default()).expect_err("swapped");
    assert!(
        matches!(error, AnalyzeError::ArrivedBeforeSent { .. }),
        "{error}"
    );
}

#[test]
fn two_clocks_need_packets_both_ways() {
    let mut script = script();
    script.without_handshake = true;
    for ordinal in 0..5 {
        script.acknowledgement(ordinal, Fate::Lost);
    }
    let options = Options {
        clock: Clock::Separate,
        ..Options::default()
    };
    let error = analysed(&files(&script), &options).expect_err("nothing comes back");
    assert!(
        matches!(error, AnalyzeError::ClockUnobservable { .. }),
        "{error}"
    );
}

#[test]
fn a_connection_without_data_is_refused() {
    let script = Script::new();
    let error = analysed(&files(&script), &Options::default()).expect_err("a handshake only");
    assert!(matches!(error, AnalyzeError::NoData { .. }), "{error}");
}

#[test]
fn message_ends_must_rise() {
    let options = Options {
        message_ends: Some(vec![100, 100]),
        ..Options::default()
    };
    let error = analysed(&files(&script()), &options).expect_err("an empty message");
    assert_eq!(
        error,
        AnalyzeError::MessageEnds {
            index: 1,
            end: 100,
            previous: 100
        }
    );
}

/// The analysis where one end's capture lacks the third of five data packets.
fn without_third(end: End) -> thinlab_trace::Analysis {
    let mut trace = script().run();
    let frames = trace.frames.iter().enumerate();
    let third = frames
        .filter(|(_, frame)| frame.end == end && frame.packet.len() > 150)
        .nth(2);
    let third = third.expect("five data packets leave and arrive").0;
    trace.frames.remove(third);
    analysed(&trace.files(&FileFormat::default()), &Options::default()).expect("the rest")
}

/// A capture that dropped packets is not a path that lost them.
#[test]
fn packets_missing_from_a_capture_are_warned_about() {
    let analysis = without_third(End::Receiver);
    assert_eq!(
        analysis.warnings,
        [Warning::MissingAtReceiver { bytes: 120 }]
    );
    assert_eq!(
        analysis.metrics.delivered_bytes, 480,
        "the hole holds nothing up"
    );
    assert_eq!(
        longest_us(analysis.summary.metrics.application),
        Some(65_000.0)
    );

    let analysis = without_third(End::Sender);
    assert!(
        analysis
            .warnings
            .contains(&Warning::MissingAtSender { bytes: 120 }),
        "{:?}",
        analysis.warnings
    );
    assert_eq!(analysis.metrics.unique_bytes, 480);
}

#[test]
fn packets_larger_than_a_segment_are_warned_about() {
    let mut script = Script::new();
    script.data(1_000 * MS, Intent::New, 0..9_000, Fate::arrives(65 * MS));
    let analysis = analysed(&files(&script), &Options::default()).expect("one packet");
    assert_eq!(analysis.warnings, [Warning::Offloaded { packets: 2 }]);
}

/// Two bits of IP's header that its checksum does not tell from others: the packet claims to be
/// longer than its frame was. IP throws it away, and so nothing else that it says is believed.
#[test]
fn a_packet_that_claims_more_than_its_frame_is_damaged() {
    let mut pair = files(&script());
    let last = last_ipv4_header(&pair.receiver, 200);
    let header = &mut pair.receiver[last..last + 40];
    // The length from below 256 to beyond it, and the time to live as much less.
    header[2] += 1;
    header[8] -= 1;
    let flags = &mut header[33];
    *flags |= 1 << 1;
    let analysis = analysed(&pair, &Options::default()).expect("opened once");
    assert_eq!(analysis.metrics.delivered_bytes, 480);
    assert_eq!(analysis.forward.damaged, 1);
}

/// Where the last IPv4 header begins of a packet with less than so many bytes, and with data.
fn last_ipv4_header(file: &[u8], most_bytes: u8) -> usize {
    let starts = |at: &usize| {
        let header = &file[*at..*at + 20];
        header[..2] == [0x45, 0] && header[2] == 0 && (80..most_bytes).contains(&header[3])
    };
    (0..file.len() - 40)
        .rev()
        .find(starts)
        .expect("a packet with data")
}
