//! Captures with comments: as before in everything else, and every packet named.
// SPDX-License-Identifier: Apache-2.0
mod shown;

use pcap_parser::{Block, OptionCode, parse_block_be, parse_block_le};
use proptest::prelude::*;
use shown::{Shown, all};
use thinlab_plot::{Connection, comment};
use thinlab_trace::golden::{ByteOrder, Container, FileFormat, Link, scenarios};
use thinlab_trace::{Capture, End, read_capture};

/// A frame: its stamp's two halves, its whole length, what was kept, the comment.
type Frame = (u32, u32, u32, Vec<u8>, Vec<String>);

fn frames(file: &[u8], order: ByteOrder) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut rest = file;
    while !rest.is_empty() {
        let parse = match order {
            ByteOrder::Little => parse_block_le,
            ByteOrder::Big => parse_block_be,
        };
        let (after, block) = parse(rest).expect("a block");
        rest = after;
        if let Block::EnhancedPacket(packet) = block {
            let comments = packet
                .options
                .iter()
                .filter(|it| it.code == OptionCode::Comment);
            let text = |it: &pcap_parser::PcapNGOption| {
                let value = &it.value[..usize::from(it.len)];
                String::from_utf8(value.to_vec()).expect("text")
            };
            frames.push((
                packet.ts_high,
                packet.ts_low,
                packet.origlen,
                packet.data[..packet.caplen as usize].to_vec(),
                comments.map(text).collect(),
            ));
        }
    }
    frames
}

fn seen(capture: &Capture) -> Vec<(i64, u32, u64)> {
    let packets = capture.packets.iter();
    packets
        .map(|it| (it.at_ns, it.frame, it.identity))
        .collect()
}

#[test]
fn captures_stay_as_they_were_but_for_one_comment_a_packet() {
    for shown in all() {
        let connection = Connection::new(shown.name, &shown.analysis, &shown.records);
        for (end, file) in [
            (End::Sender, &shown.files.sender),
            (End::Receiver, &shown.files.receiver),
        ] {
            let commented = comment(file, end, &connection).unwrap();
            let before = frames(file, ByteOrder::Little);
            let after = frames(&commented, ByteOrder::Little);
            let bare = |frames: &[Frame]| -> Vec<Frame> {
                let bare = |it: &Frame| (it.0, it.1, it.2, it.3.clone(), vec![]);
                frames.iter().map(bare).collect()
            };
            assert_eq!(bare(&after), bare(&before), "{}", shown.name);
            let here = |it: &&thinlab_trace::PacketRecord| {
                it.passage.forward == (end == End::Sender) || it.arrived_frame.is_some()
            };
            let of_flow = shown.records.packets.iter().filter(here).count();
            let strays = shown
                .records
                .strays
                .iter()
                .filter(|it| it.end == end)
                .count();
            let named = after.iter().filter(|it| it.4.len() == 1).count();
            assert_eq!(named, of_flow + strays, "{}: one comment each", shown.name);
        }
    }
}

#[test]
fn comments_count_what_the_analysis_counts() {
    for shown in all() {
        let connection = Connection::new(shown.name, &shown.analysis, &shown.records);
        let at = |end, file: &[u8]| -> Vec<String> {
            let commented = comment(file, end, &connection).unwrap();
            frames(&commented, ByteOrder::Little)
                .into_iter()
                .flat_map(|it| it.4)
                .collect()
        };
        let sender = at(End::Sender, &shown.files.sender);
        let receiver = at(End::Receiver, &shown.files.receiver);
        let count = |comments: &[String], what: &str| {
            comments.iter().filter(|it| it.contains(what)).count() as u64
        };
        let (traffic, forward) = (&shown.analysis.traffic, &shown.analysis.forward);
        let backward_lost = shown.analysis.backward.lost + shown.analysis.backward.damaged;
        for (what, told, truth) in [
            (
                "lost",
                count(&sender, "; lost"),
                forward.lost + forward.damaged,
            ),
            ("lost back", count(&receiver, "; lost"), backward_lost),
            (
                "copies",
                count(&receiver, "another copy"),
                forward.duplicated,
            ),
        ] {
            assert_eq!(told, truth, "{}: {what}", shown.name);
        }
        if shown.name != "both directions talk" {
            assert_eq!(
                count(&sender, "bundle: "),
                traffic.bundle_packets,
                "{}",
                shown.name
            );
            let again = count(&sender, "retransmission ");
            assert_eq!(again, traffic.retransmitted_packets, "{}", shown.name);
            assert_eq!(
                count(&sender, "; spurious"),
                traffic.spurious_packets,
                "{}",
                shown.name
            );
        }
    }
}

#[test]
fn every_container_and_byte_order_becomes_pcapng() {
    let (name, script) = scenarios::all().into_iter().nth(4).unwrap();
    for container in [Container::Pcap, Container::Pcapng] {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for link in [Link::Ethernet, Link::RawIp, Link::Cooked2] {
                let format = FileFormat {
                    container,
                    order,
                    link,
                    snapshot_bytes: 117,
                };
                let shown = Shown::of(name, &script, &format);
                let connection = Connection::new(name, &shown.analysis, &shown.records);
                let commented = comment(&shown.files.sender, End::Sender, &connection).unwrap();
                let before = read_capture(&shown.files.sender).unwrap();
                let after = read_capture(&commented).unwrap();
                assert_eq!(seen(&after), seen(&before), "{format:?}");
                let frames = frames(&commented, order);
                assert_eq!(frames.len() as u64, before.frames);
                assert!(frames.iter().all(|it| it.4.len() == 1), "{format:?}");
            }
        }
    }
}

#[test]
fn comments_that_are_there_already_stay() {
    let shown = all().remove(3);
    let connection = Connection::new(shown.name, &shown.analysis, &shown.records);
    let once = comment(&shown.files.sender, End::Sender, &connection).unwrap();
    let twice = comment(&once, End::Sender, &connection).unwrap();
    let frames = frames(&twice, ByteOrder::Little);
    assert!(
        frames
            .iter()
            .all(|it| it.4.len() == 2 && it.4[0] == it.4[1])
    );
}

#[test]
fn a_record_cut_short_is_left_out() {
    let shown = all().remove(3);
    let connection = Connection::new(shown.name, &shown.analysis, &shown.records);
    let file = &shown.files.sender;
    let whole = frames(
        &comment(file, End::Sender, &connection).unwrap(),
        ByteOrder::Little,
    );
    let cut = comment(&file[..file.len() - 5], End::Sender, &connection).unwrap();
    assert_eq!(frames(&cut, ByteOrder::Little), whole[..whole.len() - 1]);
}

proptest! {
    /// Whatever the bytes: commented or refused.
    #[test]
    fn nothing_makes_it_stumble(at in 0..2_000_usize, with in any::<[u8; 4]>(), keep in 0..4_000_usize) {
        let (name, script) = scenarios::all().swap_remove(3);
        let shown = Shown::of(name, &script, &FileFormat::default());
        let connection = Connection::new(name, &shown.analysis, &shown.records);
        let mut file = shown.files.sender.clone();
        let at = at.min(file.len() - 4);
        file[at..at + 4].copy_from_slice(&with);
        file.truncate(keep);
        let _ = comment(&file, End::Sender, &connection);
    }
}
