//! The named scenarios of SCTP: one thing that happens to an association each, written out
//! packet by packet.
//!
//! Messages are 120 bytes over a round trip of 130 ms: 140 ms apart, or 20 ms apart where
//! acknowledgements have to call for something.
// SPDX-License-Identifier: Apache-2.0

use std::net::SocketAddr;

use super::super::script::{Clocks, Fate};
use super::Script;
use crate::sctp::ChunkKind::{self, Bundled, Fast, New, Timeout, WithFast, WithTimeout};

const MS: u64 = 1_000_000;
const BYTES: u64 = 120;
const ONE_WAY: u64 = 65 * MS;

/// Every scenario, by name.
pub fn all() -> Vec<(&'static str, Script)> {
    vec![
        ("nothing happens", thin(10, &[])),
        ("loss, repaired by timeout", loss_and_timeout()),
        ("loss, repaired after gap reports", loss_and_gap_reports()),
        ("two losses, one fast packet", two_reported()),
        ("fast retransmission with what waits", fast_with_others()),
        ("fast retransmission with a new chunk", fast_with_new()),
        ("timeout with what waits", timeout_with_others()),
        ("timeout three times", repeated_timeout()),
        ("timeout after a fast one was lost", timeout_after_fast()),
        ("bundles heal a loss", bundles(&[1])),
        ("bundles for nothing", bundles(&[])),
        ("bundles heal two losses in a row", bundles(&[1, 2])),
        ("SACK lost, timeout spurious", lost_sack_spurious()),
        ("SACK lost, nothing follows", lost_sack()),
        ("late original, timeout spurious", late_original()),
        ("reordering, fast one spurious", reordered_spurious()),
        ("reordering", reordering()),
        ("the path duplicates", duplication()),
        ("gap reports of several blocks", several_blocks()),
        ("TSNs wrap", wrap()),
        ("TSNs wrap while one is lost", wrap_with_loss()),
        ("streams do not wait for each other", streams()),
        ("a stream waits for its own", one_stream()),
        ("unordered messages wait for none", unordered()),
        ("a fragment is lost", fragments(true)),
        ("an unordered fragment is lost", fragments(false)),
        ("fragments between other messages", fragments_between()),
        (
            "a fragment of the last message never comes",
            missing_fragment(),
        ),
        ("several chunks in a packet", several_chunks()),
        (
            "a packet of several streams is lost",
            several_streams_lost(),
        ),
        ("the end never arrives", missing_end()),
        ("tail copies", tail_copies()),
        ("shutdown", shutdown()),
        ("abort", abort()),
        ("heartbeats", heartbeats()),
        ("second path for what is sent again", second_path()),
        ("heartbeats on the second path", second_path_heartbeats()),
        ("capture begins in mid-association", mid_association()),
        ("both directions talk", two_way()),
        ("INIT ACKs lost twice", lost_init_acks()),
        ("checksums offloaded", offloaded()),
        ("damage in the payload", damaged_at(70)),
        ("damage in the ports", damaged_at(21)),
        ("damage in the verification tag", damaged_at(25)),
        ("damage in the TSN", damaged_at(38)),
        ("damage in the IP header: addresses", damaged_at(14)),
        ("damage in the IP header: protocol", damaged_at(9)),
        ("damage in the IP header: length", damaged_at(2)),
        ("identical packets", identical()),
        ("IPv6", ipv6()),
        ("I-DATA", interleaving(false)),
        ("I-DATA, fragments interleave", interleaving(true)),
        ("jitter", jitter(1)),
        ("microseconds", jitter(1_000)),
    ]
}

fn arrives() -> Fate {
    Fate::arrives(ONE_WAY)
}

/// When message n leaves a thin stream.
fn at(n: usize) -> u64 {
    1_000 * MS + n as u64 * 140 * MS
}

/// The same where messages are 20 ms apart.
fn soon(n: usize) -> u64 {
    1_000 * MS + n as u64 * 20 * MS
}

/// When the acknowledgement that message n causes comes, and a little later.
fn told(n: usize) -> u64 {
    soon(n) + 2 * ONE_WAY + MS
}

fn fate(n: usize, lost: &[usize]) -> Fate {
    if lost.contains(&n) {
        Fate::Lost
    } else {
        arrives()
    }
}

/// Messages of one stream, some of them lost.
fn thin(messages: usize, lost: &[usize]) -> Script {
    let mut script = Script::new();
    for n in 0..messages {
        let chunk = script.message(0, BYTES);
        script.new_chunks(at(n), &[chunk], fate(n, lost));
    }
    script
}

/// The same, 20 ms apart.
fn dense(messages: usize, lost: &[usize]) -> Script {
    let mut script = Script::new();
    for n in 0..messages {
        let chunk = script.message(0, BYTES);
        script.new_chunks(soon(n), &[chunk], fate(n, lost));
    }
    script
}

/// Chunk 1 comes again long after the last acknowledgement.
fn loss_and_timeout() -> Script {
    let mut script = thin(6, &[1]);
    script.send(at(1) + 340 * MS, &[(1, Timeout)], arrives());
    script
}

/// The third report of chunk 2 calls for it.
fn loss_and_gap_reports() -> Script {
    let mut script = dense(14, &[2]);
    script.send(told(5), &[(2, Fast)], arrives());
    script
}

fn two_reported() -> Script {
    let mut script = dense(14, &[2, 4]);
    script.send(told(7), &[(2, Fast), (4, Fast)], arrives());
    script
}

/// Chunk 7 is under way when chunk 2 is sent again, and goes along.
fn fast_with_others() -> Script {
    let mut script = dense(14, &[2]);
    script.send(told(5), &[(2, Fast), (7, WithFast)], arrives());
    script
}

/// The packet has room for a chunk that was not sent.
fn fast_with_new() -> Script {
    let mut script = dense(11, &[2]);
    let chunk = script.message(0, BYTES);
    script.send(told(5), &[(2, Fast), (chunk, New)], arrives());
    script
}

/// The last three are lost, and no acknowledgement tells.
fn timeout_with_others() -> Script {
    let mut script = dense(6, &[3, 4, 5]);
    let again = [(3, Timeout), (4, WithTimeout), (5, WithTimeout)];
    script.send(soon(3) + 1_000 * MS, &again, arrives());
    script
}

fn repeated_timeout() -> Script {
    let mut script = thin(3, &[2]);
    for (after_ms, fate) in [(1_000, Fate::Lost), (3_000, Fate::Lost), (7_000, arrives())] {
        script.send(at(2) + after_ms * MS, &[(2, Timeout)], fate);
    }
    script
}

fn timeout_after_fast() -> Script {
    let mut script = dense(8, &[2]);
    script.send(told(5), &[(2, Fast)], Fate::Lost);
    script.send(told(5) + 1_000 * MS, &[(2, Timeout)], arrives());
    script
}

/// Each packet has the chunk before it in front.
fn bundles(lost: &[usize]) -> Script {
    let mut script = Script::new();
    for n in 0..8 {
        let chunk = script.message(0, BYTES);
        if n == 0 {
            script.new_chunks(at(n), &[chunk], arrives());
        } else {
            let pieces = [(chunk - 1, Bundled), (chunk, New)];
            script.send(at(n), &pieces, fate(n, lost));
        }
    }
    if lost.len() > 1 {
        script.send(at(2) + 500 * MS, &[(1, Timeout)], arrives());
    }
    script
}

/// The only acknowledgement of the last chunk is lost.
fn lost_sack_spurious() -> Script {
    let mut script = thin(3, &[]);
    script.sack(2, Fate::Lost);
    script.send(at(2) + 1_000 * MS, &[(2, Timeout)], arrives());
    script
}

fn lost_sack() -> Script {
    let mut script = thin(6, &[]);
    script.sack(2, Fate::Lost);
    script
}

fn late_original() -> Script {
    let mut script = thin(3, &[]);
    let chunk = script.message(0, BYTES);
    script.new_chunks(at(3), &[chunk], Fate::arrives(1_300 * MS));
    script.send(at(3) + 1_000 * MS, &[(chunk, Timeout)], arrives());
    script
}

/// Chunk 2 takes a detour; reports call for it before it comes.
fn reordered_spurious() -> Script {
    let mut script = Script::new();
    for n in 0..10 {
        let chunk = script.message(0, BYTES);
        let fate = if n == 2 {
            Fate::arrives(150 * MS)
        } else {
            arrives()
        };
        script.new_chunks(soon(n), &[chunk], fate);
    }
    script.send(told(5), &[(2, Fast)], arrives());
    script
}

fn reordering() -> Script {
    let mut script = Script::new();
    for n in 0..8 {
        let chunk = script.message(0, BYTES);
        let fate = if n % 3 == 1 {
            Fate::arrives(95 * MS + 7)
        } else {
            arrives()
        };
        script.new_chunks(soon(n), &[chunk], fate);
    }
    script
}

fn duplication() -> Script {
    let mut script = Script::new();
    for n in 0..5 {
        let chunk = script.message(0, BYTES);
        let fate = if n == 2 {
            Fate::Twice {
                after_ns: ONE_WAY,
                again_after_ns: ONE_WAY + 3 * MS,
            }
        } else {
            arrives()
        };
        script.new_chunks(at(n), &[chunk], fate);
    }
    script
}

/// Chunks 1, 3, 5 and 7 are lost: up to four blocks.
fn several_blocks() -> Script {
    let mut script = dense(9, &[1, 3, 5, 7]);
    for (count, chunk) in [1, 3, 5, 7].into_iter().enumerate() {
        let at_ns = soon(9) + 1_000 * MS + count as u64 * 140 * MS;
        script.send(at_ns, &[(chunk, Timeout)], arrives());
    }
    script
}

fn wrap() -> Script {
    let mut script = thin(8, &[]);
    script.wire.sender_tsn = u32::MAX - 3;
    script
}

fn wrap_with_loss() -> Script {
    let mut script = dense(12, &[3]);
    script.wire.sender_tsn = u32::MAX - 3;
    script.send(told(6), &[(3, Fast)], arrives());
    script
}

/// Chunk 1 is of stream 1 and is lost; chunks of stream 0 go on.
fn streams() -> Script {
    let mut script = Script::new();
    for n in 0..8 {
        let chunk = script.message(n as u16 % 2, BYTES);
        script.new_chunks(at(n), &[chunk], fate(n, &[1]));
    }
    script.send(at(1) + 340 * MS, &[(1, Timeout)], arrives());
    script
}

fn one_stream() -> Script {
    let mut script = Script::new();
    for n in 0..8 {
        let chunk = script.message(5, BYTES + n);
        script.new_chunks(at(n as usize), &[chunk], fate(n as usize, &[1]));
    }
    script.send(at(1) + 340 * MS, &[(1, Timeout)], arrives());
    script
}

/// An ordered one waits, the unordered ones of the same stream do not.
fn unordered() -> Script {
    let mut script = Script::new();
    for n in 0..8 {
        let chunk = if n % 2 == 0 {
            script.message(0, BYTES)
        } else {
            script.unordered(0, BYTES)
        };
        script.new_chunks(at(n), &[chunk], fate(n, &[2]));
    }
    script.send(at(2) + 340 * MS, &[(2, Timeout)], arrives());
    script
}

/// A message of three fragments in a packet each; the middle one is lost.
fn fragments(is_ordered: bool) -> Script {
    let mut script = Script::new();
    let first = script.fragments(0, is_ordered, &[1_400, 1_400, 300]);
    for n in 0..3 {
        script.new_chunks(at(0) + n as u64 * MS, &[first + n], fate(n, &[1]));
    }
    let next = script.message(0, BYTES);
    script.new_chunks(at(1), &[next], arrives());
    script.send(at(0) + 1_000 * MS, &[(1, Timeout)], arrives());
    script
}

fn fragments_between() -> Script {
    let mut script = Script::new();
    let small = script.message(0, 40);
    script.new_chunks(at(0), &[small], arrives());
    let large = script.fragments(1, true, &[1_000, 1_000]);
    script.new_chunks(at(1), &[large], arrives());
    script.new_chunks(at(1) + MS, &[large + 1], Fate::arrives(90 * MS));
    let small = script.message(0, 40);
    let after = script.message(1, 60);
    script.new_chunks(at(1) + 2 * MS, &[small, after], arrives());
    script
}

fn missing_fragment() -> Script {
    let mut script = thin(3, &[]);
    let first = script.fragments(0, true, &[800, 800]);
    script.new_chunks(at(3), &[first], arrives());
    script.new_chunks(at(3) + MS, &[first + 1], Fate::Lost);
    let other = script.message(1, 50);
    script.new_chunks(at(4), &[other], arrives());
    script
}

/// Sizes that need padding.
fn several_chunks() -> Script {
    let mut script = Script::new();
    for n in 0..5 {
        let sizes = [33, 1, 118];
        let chunks = sizes.map(|bytes| script.message(0, bytes + n));
        script.new_chunks(at(n as usize), &chunks, arrives());
    }
    script
}

fn several_streams_lost() -> Script {
    let mut script = Script::new();
    for n in 0..6 {
        let chunks = [0, 1, 2].map(|stream| script.message(stream, 50));
        script.new_chunks(at(n), &chunks, fate(n, &[2]));
    }
    let again: [(usize, ChunkKind); 3] = [(6, Timeout), (7, WithTimeout), (8, WithTimeout)];
    script.send(at(2) + 340 * MS, &again, arrives());
    script
}

fn missing_end() -> Script {
    thin(5, &[3, 4])
}

/// The last chunk goes out twice more, for safety.
fn tail_copies() -> Script {
    let mut script = thin(4, &[]);
    script.send(at(3) + 20 * MS, &[(3, Timeout)], arrives());
    script.send(at(3) + 40 * MS, &[(3, Timeout)], arrives());
    script
}

fn shutdown() -> Script {
    let mut script = thin(4, &[]);
    let last = script.wire.receiver_tsn.wrapping_sub(1).to_be_bytes();
    script.control(at(8), true, (7, &last), arrives());
    script.control(at(8) + 70 * MS, false, (8, &[]), arrives());
    script.control(at(8) + 140 * MS, true, (14, &[]), arrives());
    script
}

fn abort() -> Script {
    let mut script = thin(4, &[3]);
    script.control(at(6), true, (6, &[]), arrives());
    script
}

fn heartbeat(number: u8) -> [u8; 12] {
    [0, 1, 0, 12, number, 2, 3, 4, 5, 6, 7, number]
}

/// One of them is lost, and so is one answer.
fn heartbeats() -> Script {
    let mut script = thin(6, &[]);
    for number in 0..4_u8 {
        let at_ns = at(usize::from(number)) + 30 * MS;
        let info = heartbeat(number);
        let is_lost = number == 1;
        let fate = if is_lost { Fate::Lost } else { arrives() };
        script.control(at_ns, true, (4, &info), fate);
        if !is_lost {
            let fate = if number == 2 { Fate::Lost } else { arrives() };
            script.control(at_ns + 66 * MS, false, (5, &info), fate);
        }
    }
    script
}

fn second_path() -> Script {
    let mut script = thin(6, &[1, 4]);
    script.send(at(1) + 340 * MS, &[(1, Timeout)], Fate::arrives(80 * MS));
    script.by_second_path();
    script.send(at(4) + 340 * MS, &[(4, Timeout)], Fate::arrives(80 * MS));
    script.by_second_path();
    script
}

fn second_path_heartbeats() -> Script {
    let mut script = thin(6, &[]);
    for number in 0..3_u8 {
        let at_ns = at(usize::from(number)) - 400 * MS;
        let info = heartbeat(number);
        script.control(at_ns, true, (4, &info), arrives());
        script.control_by_second_path();
        script.control(at_ns + 66 * MS, false, (5, &info), arrives());
        script.control_by_second_path();
    }
    script
}

fn mid_association() -> Script {
    let mut script = dense(12, &[4]);
    script.without_handshake = true;
    script.send(told(7), &[(4, Fast)], arrives());
    script
}

/// Each INIT has another answer, and the last one counts.
fn lost_init_acks() -> Script {
    let mut script = two_way();
    script.lost_init_acks = 2;
    script
}

fn two_way() -> Script {
    let mut script = thin(8, &[2]);
    script.wire.receiver_tsn = u32::MAX;
    script.send(at(2) + 340 * MS, &[(2, Timeout)], arrives());
    for n in 0..5 {
        let fate = if n == 3 { Fate::Lost } else { arrives() };
        script.answer(at(n) + 100 * MS, 52, fate);
    }
    script
}

fn offloaded() -> Script {
    let mut script = loss_and_timeout();
    script.wire.sender_offloads_checksums = true;
    script
}

/// A bit of this byte of the IP packet is flipped under way.
fn damaged_at(at_byte: usize) -> Script {
    let mut script = Script::new();
    for n in 0..6 {
        let chunk = script.message(0, BYTES);
        let fate = if n == 2 {
            Fate::Damaged {
                after_ns: ONE_WAY,
                at_byte,
            }
        } else {
            arrives()
        };
        script.new_chunks(at(n), &[chunk], fate);
    }
    script.send(at(2) + 340 * MS, &[(2, Timeout)], arrives());
    script
}

/// Nothing tells copies of a chunk apart but time.
fn identical() -> Script {
    let mut script = thin(5, &[2]);
    script.wire.ip_ids = false;
    script.send(at(2) + 340 * MS, &[(2, Timeout)], arrives());
    script.send(at(4) + 1_000 * MS, &[(4, Timeout)], arrives());
    script
}

fn ipv6() -> Script {
    let mut script = dense(12, &[4]);
    script.wire.sender = SocketAddr::new([0xfd00, 0, 0, 1, 0, 0, 0, 1].into(), 40_000);
    script.wire.receiver = SocketAddr::new([0xfd00, 0, 0, 2, 0, 0, 0, 2].into(), 5_000);
    script.send(told(7), &[(4, Fast)], arrives());
    script
}

/// Two messages of two fragments; one after the other, or taking turns.
fn interleaving(takes_turns: bool) -> Script {
    let mut script = Script::new();
    script.wire.interleaves = true;
    let before = script.message(0, BYTES);
    script.new_chunks(at(0), &[before], arrives());
    let order = if takes_turns {
        [(1, 0), (2, 0), (1, 1), (2, 1)]
    } else {
        [(1, 0), (1, 1), (2, 0), (2, 1)]
    };
    for (n, (stream, fragment)) in order.into_iter().enumerate() {
        let chunk = script.fragment(stream, true, 700, (fragment, 2));
        script.new_chunks(at(1) + n as u64 * MS, &[chunk], fate(n, &[2]));
    }
    let after = script.message(1, BYTES);
    script.new_chunks(at(2), &[after], arrives());
    script.send(at(1) + 1_000 * MS, &[(3, Timeout)], arrives());
    script
}

fn jitter(resolution_ns: u64) -> Script {
    let mut script = Script::new();
    script.clocks = Clocks {
        resolution_ns,
        ..Clocks::default()
    };
    for n in 0..40_u64 {
        let chunk = if n % 5 == 4 {
            script.unordered(2, 60 + n)
        } else {
            script.message(n as u16 % 3, BYTES)
        };
        let after_ns = ONE_WAY + n * 7_919 % 37 * 1_310_007;
        script.new_chunks(soon(n as usize), &[chunk], Fate::arrives(after_ns));
    }
    script
}
