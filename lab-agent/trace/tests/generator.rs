//! The generator of golden traces, held against figures worked out by hand and
//! against parsers that are not ours.
// SPDX-License-Identifier: Apache-2.0

use etherparse::{SlicedPacket, TransportSlice};
use pcap_parser::traits::PcapNGPacketBlock as _;
use pcap_parser::{
    PcapBlockOwned, PcapNGSlice, parse_pcap_frame, parse_pcap_frame_be, parse_pcap_header,
};
use thinlab_trace::golden::{
    ByteOrder, Container, Fate, FileFormat, Intent, Link, Script, scenarios,
};

const MS: u64 = 1_000_000;

/// Messages of 10 bytes, sent 10 ms apart from 1 s on; the third arrives after so long.
fn the_second_of_three_lost(third_ms: u64) -> Script {
    let mut script = Script::new();
    script.data(1_000 * MS, Intent::New, 0..10, Fate::arrives(50 * MS));
    script.data(1_010 * MS, Intent::New, 10..20, Fate::Lost);
    script.data(
        1_020 * MS,
        Intent::New,
        20..30,
        Fate::arrives(third_ms * MS),
    );
    script
}

/// Messages of 10 bytes over 50 ms: the second lost, the third late, then a
/// bundle of the second and a fourth.
///
/// | bytes | sent | arrives | available |
/// | --- | --- | --- | --- |
/// | 0–9 | 1000 | 1050 | 1050 |
/// | 10–19 | 1010 (lost), 1030 in the bundle | 1080 | 1080 |
/// | 20–29 | 1020 | 1095, but 1080 in the bundle | 1080 |
/// | 30–39 | 1030 | 1080 | 1080 |
#[test]
fn truth_by_hand() {
    let mut script = the_second_of_three_lost(75);
    script.data(
        1_030 * MS,
        Intent::Bundle { new_from: 30 },
        10..40,
        Fate::arrives(50 * MS),
    );
    script.data(
        1_400 * MS,
        Intent::Retransmission,
        15..25,
        Fate::arrives(50 * MS),
    );
    let truth = script.run().truth;
    let told = |byte: usize| {
        let byte = truth.bytes[byte];
        [byte.sent_ns, byte.arrived_ns, byte.available_ns].map(|at| at.map_or(0, |at| at / MS))
    };
    assert_eq!([told(0), told(9)], [[1_000, 1_050, 1_050]; 2]);
    assert_eq!([told(10), told(19)], [[1_010, 1_080, 1_080]; 2]);
    assert_eq!([told(20), told(29)], [[1_020, 1_080, 1_080]; 2]);
    assert_eq!([told(30), told(39)], [[1_030, 1_080, 1_080]; 2]);
    let traffic = &truth.traffic;
    assert_eq!((traffic.data_packets, traffic.payload_bytes), (5, 70));
    assert_eq!(
        (traffic.retransmitted_packets, traffic.retransmitted_bytes),
        (1, 10)
    );
    assert_eq!((traffic.bundle_packets, traffic.bundled_bytes), (1, 20));
    assert_eq!(
        traffic.bundle_hit_bytes, 20,
        "10–19 were lost, 20–29 overtaken"
    );
    assert_eq!(traffic.spurious_bytes, 10, "all of 15–24 had arrived");
    // SYN, ACK, five data packets; SYN-ACK and an ACK for each arrival.
    assert_eq!((truth.forward.sent, truth.forward.lost), (7, 1));
    assert_eq!((truth.backward.sent, truth.backward.lost), (5, 0));
}

#[test]
fn receiver_acknowledges_cumulatively_and_selectively() {
    let script = the_second_of_three_lost(50);
    let trace = script.run();
    let pair = trace.files(&FileFormat::default());
    let last = frames_of_pcapng(&pair.receiver)
        .pop()
        .expect("the receiver acknowledges");
    let packet = SlicedPacket::from_ethernet(&last).expect("a whole packet");
    let Some(TransportSlice::Tcp(tcp)) = packet.transport else {
        panic!("not TCP")
    };
    let first = script.wire.sender_isn + 1;
    assert_eq!(tcp.acknowledgment_number(), first + 10);
    let sack = tcp.options_iterator().find_map(|option| match option {
        Ok(etherparse::TcpOptionElement::SelectiveAcknowledgement(block, _)) => Some(block),
        _ => None,
    });
    assert_eq!(sack, Some((first + 20, first + 30)));
}

/// Every frame of every scenario, in every format, is read back byte for byte
/// by `pcap-parser`, with the scripted stamp, and checks out with `etherparse`.
#[test]
fn files_are_what_other_parsers_expect() {
    for (name, script) in scenarios::all() {
        let trace = script.run();
        let expected = trace
            .frames
            .iter()
            .filter(|frame| frame.end == thinlab_trace::golden::End::Sender);
        let expected: Vec<u64> = expected.map(|frame| frame.stamp_ns).collect();
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let pcapng = FileFormat {
                order,
                ..FileFormat::default()
            };
            let frames = frames_of_pcapng(&trace.files(&pcapng).sender);
            assert_eq!(frames.len(), expected.len(), "{name}, {order:?}");
            let pcap = FileFormat {
                order,
                container: Container::Pcap,
                ..FileFormat::default()
            };
            let stamps = stamps_of_pcap(&trace.files(&pcap).sender);
            assert_eq!(stamps, expected, "{name}, {order:?}");
        }
    }
}

#[test]
fn checksums_are_right_as_etherparse_counts_them() {
    for (name, script) in scenarios::all() {
        if script.wire.sender_offloads_checksums || name.starts_with("damage") {
            continue;
        }
        let raw = FileFormat {
            link: Link::Ethernet,
            ..FileFormat::default()
        };
        let pair = script.run().files(&raw);
        for frame in frames_of_pcapng(&pair.sender)
            .iter()
            .chain(&frames_of_pcapng(&pair.receiver))
        {
            let packet = SlicedPacket::from_ethernet(frame).expect("a whole packet");
            let Some(TransportSlice::Tcp(tcp)) = packet.transport else {
                continue;
            };
            let (header, payload) = (tcp.to_header(), tcp.payload());
            let expected = match packet.net {
                Some(etherparse::NetSlice::Ipv4(ip)) => {
                    header.calc_checksum_ipv4(&ip.header().to_header(), payload)
                }
                Some(etherparse::NetSlice::Ipv6(ip)) => {
                    header.calc_checksum_ipv6(&ip.header().to_header(), payload)
                }
                _ => panic!("TCP over neither IPv4 nor IPv6"),
            };
            assert_eq!(Ok(tcp.checksum()), expected, "{name}");
        }
    }
}

#[test]
#[should_panic(expected = "was sent before")]
fn a_script_that_calls_old_bytes_new_is_refused() {
    let mut script = Script::new();
    script.data(1_000 * MS, Intent::New, 0..10, Fate::arrives(50 * MS));
    script.data(1_100 * MS, Intent::New, 9..20, Fate::arrives(50 * MS));
    script.run();
}

fn frames_of_pcapng(file: &[u8]) -> Vec<Vec<u8>> {
    let blocks = PcapNGSlice::from_slice(file).expect("a pcapng file");
    let data = blocks.into_iter().filter_map(|block| match block {
        Ok(PcapBlockOwned::NG(pcap_parser::Block::EnhancedPacket(packet))) => {
            assert_eq!(packet.caplen, packet.origlen);
            Some(packet.packet_data()[..packet.caplen as usize].to_vec())
        }
        _ => None,
    });
    data.collect()
}

fn stamps_of_pcap(file: &[u8]) -> Vec<u64> {
    let (mut rest, header) = parse_pcap_header(file).expect("a pcap file");
    let scale = if header.is_nanosecond_precision() {
        1
    } else {
        1_000
    };
    let parse = if header.is_bigendian() {
        parse_pcap_frame_be
    } else {
        parse_pcap_frame
    };
    let mut stamps = Vec::new();
    while !rest.is_empty() {
        let (after, packet) = parse(rest).expect("a whole record");
        stamps.push(u64::from(packet.ts_sec) * 1_000_000_000 + u64::from(packet.ts_usec) * scale);
        rest = after;
    }
    stamps
}
