//! Packets one by one, on scripted connections whose truth is known.
// SPDX-License-Identifier: Apache-2.0
mod captured;

use captured::captured;
use thinlab_trace::golden::scenarios::two_losses;
use thinlab_trace::golden::{Fate, Intent, Script};
use thinlab_trace::{PacketKind, PacketPassage, packets};

const MS: u64 = 1_000_000;
const THERE: Fate = Fate::Arrives { after_ns: 65 * MS };

fn read(script: &Script) -> Vec<PacketPassage> {
    let ([sender, receiver], _) = captured(script);
    packets(&sender, &receiver, None, &[]).unwrap()
}

/// Kind, bytes, first new byte, when it left and when it arrived, in ms of the script.
type Row = (PacketKind, u64, u64, u64, u64, Option<u64>);

fn payload(script: &Script, forward: bool) -> Vec<Row> {
    let since = |at_ns: i64| (at_ns as u64 - script.clocks.epoch_ns) / MS;
    let all = read(script);
    let carrying = all
        .iter()
        .filter(|it| it.forward == forward && it.end > it.start);
    carrying
        .map(|it| {
            let arrived = it.arrived_ns.map(since);
            (
                it.kind,
                it.start,
                it.end,
                it.new_from,
                since(it.sent_ns),
                arrived,
            )
        })
        .collect()
}

#[test]
fn each_packet_says_what_it_carried_and_when_it_arrived() {
    assert_eq!(
        payload(&two_losses(), true),
        [
            (PacketKind::New, 0, 36, 0, 1000, Some(1065)),
            (PacketKind::New, 36, 72, 36, 1200, None),
            (PacketKind::Bundle, 36, 108, 72, 1400, Some(1465)),
            (PacketKind::New, 108, 144, 108, 1600, None),
            (PacketKind::Retransmission, 108, 144, 144, 2600, Some(2665)),
        ]
    );
}

#[test]
fn the_way_back_has_a_stream_of_its_own() {
    let mut script = Script::new();
    script.data(1000 * MS, Intent::New, 0..36, THERE);
    script.echo(1070 * MS, 0..52, THERE);
    script.echo(1270 * MS, 52..104, Fate::Lost);
    assert_eq!(
        payload(&script, false),
        [
            (PacketKind::New, 0, 52, 0, 1070, Some(1135)),
            (PacketKind::New, 52, 104, 52, 1270, None),
        ]
    );
}

#[test]
fn they_come_in_the_order_in_which_they_left_and_acknowledgements_are_among_them() {
    let mut script = Script::new();
    script.data(1000 * MS, Intent::New, 0..36, THERE);
    script.data(1200 * MS, Intent::New, 36..72, THERE);
    let all = read(&script);
    assert!(all.is_sorted_by_key(|it| it.sent_ns));
    let of = |kind: PacketKind| all.iter().filter(|it| it.kind == kind).count();
    assert_eq!(of(PacketKind::New), 2);
    assert!(of(PacketKind::Acknowledgement) > 0, "the receiver's");
    assert!(all.iter().all(|it| it.arrived_ns > Some(it.sent_ns)));
}
