//! Named scripts of datagrams.
// SPDX-License-Identifier: Apache-2.0

use std::net::SocketAddr;

use super::play::Script;
use crate::golden::Fate;

const MS: u64 = 1_000_000;
const IAT: u64 = 140 * MS;
const DELAY: u64 = 65 * MS;
const BYTES: u64 = 120;
const MESSAGES: u64 = 12;

/// All of them.
pub fn all() -> Vec<(&'static str, Script)> {
    vec![
        ("nothing happens", with(&[])),
        ("losses, of the first and the last too", lost()),
        ("none arrives but one", one_arrives()),
        (
            "reordering",
            with(&[(4, Fate::arrives(DELAY + 2 * IAT + MS))]),
        ),
        ("duplicates, one behind the next message", duplicates()),
        ("damage in the payload", damaged_at(60)),
        ("damage in the ports", damaged_at(21)),
        ("damage in the length", damaged_at(25)),
        ("damage in the IP header: addresses", damaged_at(14)),
        ("damage in the IP header: protocol", damaged_at(9)),
        ("sizes of all kinds, none too", sizes()),
        ("two-way", two_way()),
        ("UDP-Lite, all covered", lite(0, &[])),
        ("UDP-Lite, header covered", lite(8, &[])),
        ("UDP-Lite, damage that is let through", lite(12, &[60, 147])),
        ("UDP-Lite, damage in what is covered", lite(12, &[29])),
        ("UDP-Lite, damage in the coverage", lite(12, &[24])),
        ("UDP-Lite over IPv6, damage either way", lite_v6()),
        ("no checksums", without_checksums()),
        ("offloaded checksums", offloaded()),
        ("all messages alike", alike()),
        (
            "all messages alike, no identifications",
            alike_without_ids(),
        ),
        ("IPv6", v6(lost())),
        ("microseconds", microseconds()),
    ]
}

/// The fates of some messages; all others arrive.
fn with(fates: &[(u64, Fate)]) -> Script {
    let mut script = Script::new();
    for number in 0..MESSAGES {
        let fate = fates.iter().find(|(which, _)| *which == number);
        let fate = fate.map_or(Fate::arrives(DELAY), |(_, fate)| fate.clone());
        // Never two at the same moment at the same end.
        script.message(1_000 * MS + number * IAT + number, BYTES, fate);
    }
    script
}

fn lost() -> Script {
    with(&[0, 3, 4, MESSAGES - 1].map(|which| (which, Fate::Lost)))
}

fn one_arrives() -> Script {
    let fates: Vec<_> = (0..MESSAGES)
        .filter(|which| *which != 5)
        .map(|which| (which, Fate::Lost))
        .collect();
    with(&fates)
}

fn duplicates() -> Script {
    let twice = |again_after_ns| Fate::Twice {
        after_ns: DELAY,
        again_after_ns,
    };
    with(&[(2, twice(DELAY + MS)), (6, twice(DELAY + IAT + 2 * MS))])
}

fn damage(at_byte: usize) -> Fate {
    Fate::Damaged {
        after_ns: DELAY,
        at_byte,
    }
}

fn damaged_at(at_byte: usize) -> Script {
    with(&[(4, damage(at_byte)), (7, Fate::Lost)])
}

fn sizes() -> Script {
    let mut script = Script::new();
    for (number, bytes) in [1, 7, 8, 9, 0, 1_000, 1_472, 2].into_iter().enumerate() {
        let at_ns = 1_000 * MS + number as u64 * IAT;
        script.message(at_ns, bytes, Fate::arrives(DELAY));
    }
    script
}

fn two_way() -> Script {
    let mut script = with(&[(5, Fate::Lost)]);
    script.answer(1_100 * MS, 80, Fate::arrives(DELAY));
    script.answer(1_300 * MS, 80, Fate::Lost);
    script.answer(1_500 * MS, 40, Fate::arrives(DELAY));
    script
}

fn lite(coverage_bytes: u16, hit: &[usize]) -> Script {
    let fates: Vec<_> = hit
        .iter()
        .zip(4..)
        .map(|(at, n)| (n, damage(*at)))
        .collect();
    let mut script = with(&fates);
    script.wire.coverage_bytes = Some(coverage_bytes);
    script
}

fn lite_v6() -> Script {
    v6(lite(12, &[70, 49]))
}

fn without_checksums() -> Script {
    let mut script = lost();
    script.wire.without_checksums = true;
    script
}

fn offloaded() -> Script {
    let mut script = lost();
    script.wire.sender_offloads_checksums = true;
    script
}

fn alike() -> Script {
    let mut script = lost();
    script.wire.tells_apart = false;
    script
}

/// Nothing but time tells them apart: what comes is the copy of the latest that can have
/// made it.
fn alike_without_ids() -> Script {
    let mut script = alike();
    script.wire.ip_ids = false;
    script
}

fn v6(mut script: Script) -> Script {
    let address = |last| SocketAddr::from(([0xfd00, 0, 0, 0, 0, 0, 0, last], 5_000));
    (script.wire.sender, script.wire.receiver) = (address(1), address(2));
    script
}

fn microseconds() -> Script {
    let mut script = lost();
    script.clocks.resolution_ns = 1_000;
    script
}
