//! Captures with anything wrong in them: read or refused by name, never a panic, and
//! never more memory than the file is worth.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeSet;

use thinlab_trace::golden::sctp::scenarios as golden_sctp;
use thinlab_trace::golden::{ByteOrder, Container, FileFormat, Link, Pair, scenarios};
use thinlab_trace::{
    End, Messages, Options, ReadError, Reading, Watch, WatchOptions, analyze, at_receiver,
    at_sender, conversations, headers_bytes, packets, read_capture, read_capture_as, summarize,
};

/// Of each pair of files.
const MUTATIONS: u64 = 60;
/// What the smallest record takes up.
const LEAST_BYTES: usize = 16;

/// Numbers as `SplitMix64` makes them of a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Numbers that length fields, counters and offsets are least prepared for.
const EXTREMES: [u32; 10] = [
    0,
    1,
    3,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0xffff_fffc,
    0x0400_0000,
    0x0004_0000,
    0x0001_0000,
];

/// Does something to a file, once or several times.
fn mutate(file: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        if file.is_empty() {
            return;
        }
        let at = random.below(file.len());
        let until = (at + random.below(200)).min(file.len());
        match random.below(8) {
            0 => file[at] ^= 1 << random.below(8),
            1 => file[at] = random.next() as u8,
            2 => file.truncate(at),
            3 => drop(file.drain(at..until)),
            4 => {
                let piece = file[at..until].to_vec();
                let to = random.below(file.len());
                file.splice(to..to, piece);
            }
            5 => file[at..until].fill(random.next() as u8),
            _ => {
                let aligned = at - at % 4;
                let extreme = EXTREMES[random.below(EXTREMES.len())];
                let bytes = if random.below(2) == 0 {
                    extreme.to_le_bytes()
                } else {
                    extreme.to_be_bytes()
                };
                if let Some(field) = file.get_mut(aligned..aligned + 4) {
                    field.copy_from_slice(&bytes);
                }
            }
        }
    }
}

/// Every format and link layer in turn.
fn formats() -> Vec<FileFormat> {
    let mut formats = Vec::new();
    for container in [Container::Pcap, Container::Pcapng] {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for link in [Link::Ethernet, Link::Vlan, Link::RawIp, Link::Cooked] {
                formats.push(FileFormat {
                    container,
                    order,
                    link,
                    ..FileFormat::default()
                });
            }
        }
    }
    formats
}

/// All that can be asked of two files; what is wrong with them, if they are refused.
fn ask(pair: &Pair) -> Option<String> {
    for file in [&pair.sender, &pair.receiver] {
        let as_packets = Reading {
            mss_bytes: Some(500),
        };
        let _ = read_capture_as(file, as_packets);
        match read_capture(file) {
            Ok(capture) => {
                assert!(capture.packets.len() <= file.len() / LEAST_BYTES);
                assert!(capture.connections.len() <= capture.packets.len());
                let _ = at_sender(&capture, None);
                let _ = at_receiver(&capture, None);
                let _ = conversations(&capture);
            }
            Err(error) => {
                expect_place(&error, file.len());
                assert_eq!(
                    summarize(&pair.sender, &pair.receiver, &Options::default()),
                    None
                );
                return Some(error.to_string());
            }
        }
    }
    let [sender, receiver] =
        [&pair.sender, &pair.receiver].map(|file| read_capture(file).expect("it was just read"));
    let whole = analyze(&sender, &receiver, &Options::default());
    let _ = packets(&sender, &receiver, None, &[]);
    if let Some(told) = summarize(&pair.sender, &pair.receiver, &Options::default()) {
        assert_eq!(Ok(told), whole.map(|whole| whole.summary));
    }
    None
}

/// It says where: the byte and, behind the file's header, the record.
fn expect_place(error: &ReadError, file_bytes: usize) {
    let said = error.to_string();
    match error {
        ReadError::Empty => assert_eq!(file_bytes, 0),
        ReadError::Foreign { .. } => assert!(said.contains("byte 0"), "{said}"),
        ReadError::CutRecord { offset, record, .. }
        | ReadError::BadRecord { offset, record, .. } => {
            assert!(*offset < file_bytes as u64, "{said}");
            assert!(said.contains(&format!("byte {offset}:")), "{said}");
            assert!(said.contains(&format!("record {record}")), "{said}");
        }
        ReadError::CutHeader { offset, .. }
        | ReadError::UnknownLink { offset, .. }
        | ReadError::NoTimestamp { offset } => {
            assert!(said.contains(&format!("byte {offset}:")), "{said}");
        }
    }
}

#[test]
fn whatever_is_wrong_with_a_capture_is_said() {
    let formats = formats();
    let mut kinds = BTreeSet::new();
    let (mut read, mut refused) = (0, 0);
    let tcp = scenarios::all().into_iter().map(|(_, it)| it.run());
    let sctp = golden_sctp::all().into_iter().map(|(_, it)| it.run().trace);
    for (number, trace) in tcp.chain(sctp).enumerate() {
        let whole = trace.files(&formats[number % formats.len()]);
        for seed in 0..MUTATIONS {
            let mut random = Random((number as u64) << 32 | seed);
            let mut pair = whole.clone();
            mutate(&mut pair.sender, &mut random);
            if random.below(2) == 0 {
                mutate(&mut pair.receiver, &mut random);
            }
            match ask(&pair) {
                None => read += 1,
                Some(said) => {
                    refused += 1;
                    kinds.insert(
                        said.chars()
                            .filter(char::is_ascii_alphabetic)
                            .collect::<String>(),
                    );
                }
            }
        }
    }
    assert!(
        read > 100 && refused > 100,
        "{read} read, {refused} refused"
    );
    assert!(kinds.len() > 10, "{kinds:?}");
}

/// What is on the wire may be anything, too.
#[test]
fn whatever_is_wrong_with_a_frame_is_survived() {
    for (number, (_, script)) in scenarios::all().into_iter().enumerate() {
        let mut random = Random(number as u64);
        let mut watch = Watch::new(WatchOptions {
            messages: Messages::Packets,
            ..WatchOptions::default()
        });
        for frame in script.run().frames {
            let end = match frame.end {
                thinlab_trace::golden::End::Sender => End::Sender,
                thinlab_trace::golden::End::Receiver => End::Receiver,
            };
            let mut bytes = frame.ethernet();
            watch.saw(end, frame.stamp_ns as i64, &bytes);
            mutate(&mut bytes, &mut random);
            assert!(headers_bytes(&bytes) <= 14 + 60 + 60);
            watch.saw(end, frame.stamp_ns as i64, &bytes);
            let _ = watch.news();
        }
        let _ = watch.figures();
        let _ = watch.finish();
    }
}

/// Chunks that say anything, with checksums that nobody has filled in, so that they count.
#[test]
fn whatever_chunks_say_is_survived() {
    const SCTP_AT: usize = 20;
    let mut read = 0;
    for (number, (_, script)) in golden_sctp::all().into_iter().enumerate() {
        if !script.wire.sender.is_ipv4() {
            continue;
        }
        let whole = script.run().trace;
        for seed in 0..20 {
            let mut random = Random((number as u64) << 40 | seed);
            let mut trace = whole.clone();
            for frame in &mut trace.frames {
                let packet = &mut frame.packet;
                packet[SCTP_AT + 8..SCTP_AT + 12].fill(0);
                for _ in 0..random.below(3) {
                    let room = packet.len() - SCTP_AT - 12;
                    let at = SCTP_AT + 12 + random.below(room.min(48)) / 4 * 4;
                    let extreme = EXTREMES[random.below(EXTREMES.len())].to_be_bytes();
                    match random.below(3) {
                        0 => packet[at + random.below(4)] = random.next() as u8,
                        1 => packet[at] = [0, 1, 2, 3, 7, 64, 192][random.below(7)],
                        _ => packet[at..at + 4].copy_from_slice(&extreme),
                    }
                }
            }
            read += u32::from(ask(&trace.files(&FileFormat::default())).is_none());
        }
    }
    assert!(read > 500, "{read}");
}
