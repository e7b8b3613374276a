//! What applications wrote, off scripted connections.
// SPDX-License-Identifier: Apache-2.0
mod captured;

use captured::captured;
use thinlab_trace::golden::Script;
use thinlab_trace::golden::scenarios::two_losses;
use thinlab_trace::{Capture, Write, conversations};

const MS: u64 = 1_000_000;

fn written(script: &Script, writes: &[Write]) -> Vec<(u64, u64)> {
    let since = |at_ns: i64| (at_ns as u64 - script.clocks.epoch_ns) / MS;
    writes
        .iter()
        .map(|one| (since(one.at_ns), one.bytes))
        .collect()
}

#[test]
fn bytes_count_once_and_acknowledgements_not_at_all() {
    let script = two_losses();
    let ([sender, _], _) = captured(&script);
    let all = conversations(&sender);
    let [one] = &all[..] else {
        panic!("{all:?}");
    };
    assert_eq!(
        (one.client, one.server),
        (script.wire.sender, script.wire.receiver)
    );
    let there = [(1000, 36), (1200, 36), (1400, 36), (1600, 36)];
    assert_eq!(written(&script, &one.there), there);
    assert_eq!(written(&script, &one.back), [(1135, 52), (1535, 52)]);
}

/// At the receiver the lost ones come late, but no byte is missing.
#[test]
fn a_capture_behind_the_losses_has_the_same_bytes() {
    let script = two_losses();
    let ([_, receiver], _) = captured(&script);
    let one = &conversations(&receiver)[0];
    assert_eq!(
        written(&script, &one.there),
        [(1065, 36), (1465, 72), (2665, 36)]
    );
}

/// Segments that do not say that the write is over belong to the next that does.
#[test]
fn a_write_of_many_segments_is_one() {
    let ([mut sender, _], _) = captured(&two_losses());
    for packet in sender
        .packets
        .iter_mut()
        .filter(|one| one.payload_bytes == 36)
        .take(2)
    {
        packet.flags.0 &= !(1 << 3);
    }
    let bytes: Vec<u64> = conversations(&sender)[0]
        .there
        .iter()
        .map(|one| one.bytes)
        .collect();
    assert_eq!(bytes, [108, 36]);
}

#[test]
fn a_connection_on_ports_that_were_used_before_is_another() {
    let ([mut sender, _], _) = captured(&two_losses());
    let again = sender.packets.clone();
    sender.packets.extend(again);
    let all = conversations(&sender);
    assert_eq!(all.len(), 2);
    assert_eq!(all[0], all[1]);
    let nothing = Capture {
        packets: Vec::new(),
        ..sender
    };
    assert!(conversations(&nothing).is_empty());
}
