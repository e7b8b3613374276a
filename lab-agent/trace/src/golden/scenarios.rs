//! The named scenarios: one thing that happens to thin streams each, written
//! out packet by packet.
//!
//! Messages are 120 bytes, 140 ms apart, over a round trip of 130 ms, unless a
//! scenario needs otherwise; its comment says what happens and when.
// SPDX-License-Identifier: Apache-2.0

use std::net::SocketAddr;
use std::ops::Range;

use super::script::{ClockSet, Clocks, End, Fate, Intent, Noise, Script};
use super::wire::IpIds;

const MS: u64 = 1_000_000;
const BYTES: u64 = 120;
const ONE_WAY: u64 = 65 * MS;
/// Of the timer: 200 ms and a round trip.
const TIMEOUT: u64 = 330 * MS;

/// Messages of 36 bytes each 200 ms, the second lost and bundled, the fourth lost
/// and sent again, and two answers of 52 bytes.
pub fn two_losses() -> Script {
    let mut script = Script::new();
    script.data(1000 * MS, Intent::New, 0..36, arrives());
    script.data(1200 * MS, Intent::New, 36..72, Fate::Lost);
    script.data(
        1400 * MS,
        Intent::Bundle { new_from: 72 },
        36..108,
        arrives(),
    );
    script.data(1600 * MS, Intent::New, 108..144, Fate::Lost);
    script.data(2600 * MS, Intent::Retransmission, 108..144, arrives());
    script.echo(1070 * MS, 0..52, arrives());
    script.echo(1470 * MS, 52..104, arrives());
    script
}

/// Every scenario, by name.
pub fn all() -> Vec<(&'static str, Script)> {
    vec![
        ("nothing happens", quiet()),
        ("loss, repaired by timeout", loss_and_timeout()),
        ("loss, repaired after a SACK", loss_and_sack()),
        ("bundles heal a loss", healing_bundles()),
        ("bundles for nothing", needless_bundles()),
        (
            "bundle after a partial acknowledgement",
            bundle_after_partial_ack(),
        ),
        ("reordering", reordering()),
        ("the path duplicates", duplication()),
        ("acknowledgements lost, timeout spurious", lost_acks()),
        ("late original, timeout spurious", late_original()),
        ("timeout three times", repeated_timeout()),
        ("retransmission collapses segments", collapse()),
        (
            "retransmission bundles what follows",
            bundling_retransmission(),
        ),
        (
            "retransmission cuts across segments",
            partial_retransmission(),
        ),
        ("sequence numbers wrap", sequence_wrap()),
        ("probes", probes()),
        ("single bytes", single_bytes()),
        ("closed window", closed_window()),
        ("SYN lost twice", lost_syns()),
        ("capture begins in mid-connection", mid_connection()),
        ("the end never arrives", missing_end()),
        ("damage in the payload", damage()),
        ("damage in the ports", damaged_at(21, 23)),
        ("damage in the IP header: fragment", damaged_at(6, 6)),
        ("damage in the IP header: protocol", damaged_at(9, 9)),
        ("damage in the IP header: addresses", damaged_at(14, 19)),
        ("damage in the IP header: length", damaged_at(2, 2)),
        ("both directions talk", echoes()),
        ("foreign traffic", foreign_traffic()),
        ("checksums offloaded", offloaded_checksums()),
        ("identical copies, first one lost", identical_copies(true)),
        ("identical copies, both arrive", identical_copies(false)),
        ("IPv6 without timestamps", ipv6_without_timestamps()),
        (
            "one message over three packets, out of order",
            long_message(),
        ),
        ("FIN sent twice", repeated_fin()),
        ("jitter", jitter(Clocks::default())),
        (
            "microseconds",
            jitter(Clocks {
                resolution_ns: 1_000,
                ..Clocks::default()
            }),
        ),
    ]
}

/// Scenarios whose two captures were stamped by different clocks. Their path
/// minimum is the same both ways, so that the offset can be known.
pub fn separate_clocks() -> Vec<(&'static str, Script)> {
    let clocks = |receiver_offset_ns, receiver_drift_ppb, resolution_ns| Clocks {
        resolution_ns,
        receiver_offset_ns,
        receiver_drift_ppb,
        ..Clocks::default()
    };
    vec![
        ("offset ahead", jitter(clocks(3_600_000 * MS as i64, 0, 1))),
        ("offset behind", jitter(clocks(-7_777_777_777, 0, 1))),
        ("drift fast", jitter(clocks(0, 50_000, 1))),
        (
            "offset and drift slow",
            jitter(clocks(123_456_789, -80_000, 1)),
        ),
        (
            "offset and drift, microseconds",
            jitter(clocks(-987_654_321, 30_000, 1_000)),
        ),
    ]
}

/// Scenarios with two clocks of which one or the other is set while packets are under
/// way, enough of them to tell whose it was.
pub fn stepping_clocks() -> Vec<(&'static str, Script)> {
    let set = |end, at_ns, by_ns| ClockSet {
        end: Some(end),
        at_ns,
        by_ns,
    };
    let steady = || Clocks {
        receiver_offset_ns: -7_777_777_777,
        ..Clocks::default()
    };
    let clocks = |sets: &[ClockSet]| Clocks {
        sets: sets.to_vec(),
        ..steady()
    };
    let ms = MS as i64;
    vec![
        (
            "receiver's clock set forward",
            dense(clocks(&[set(End::Receiver, 14_003 * MS, 3_000 * ms)])),
        ),
        (
            "sender's clock set forward",
            dense(clocks(&[set(End::Sender, 14_003 * MS, 250 * ms)])),
        ),
        (
            "receiver's clock set back",
            dense(clocks(&[set(End::Receiver, 13_007 * MS, -1_500 * ms)])),
        ),
        (
            "sender's clock set back by an hour",
            dense(clocks(&[set(End::Sender, 14_003 * MS, -3_600_000 * ms)])),
        ),
        (
            "receiver's clock set by milliseconds, drift",
            dense(Clocks {
                receiver_drift_ppb: 30_000,
                ..clocks(&[set(End::Receiver, 14_003 * MS, 12 * ms)])
            }),
        ),
        (
            "both clocks set, drift, microseconds",
            dense(Clocks {
                resolution_ns: 1_000,
                receiver_drift_ppb: -50_000,
                ..clocks(&[
                    set(End::Receiver, 12_503 * MS, 700 * ms),
                    set(End::Sender, 15_501 * MS, -2_000 * ms),
                ])
            }),
        ),
        (
            "clock set back on a thin stream",
            jitter(clocks(&[set(End::Receiver, at(100) + 30 * MS, -400 * ms)])),
        ),
    ]
}

/// Messages 20 ms apart, so that some are under way at any time; every seventh and
/// every fifth acknowledgement meet an empty path.
pub fn dense(clocks: Clocks) -> Script {
    let mut script = Script::new();
    script.clocks = clocks;
    for n in 0..400 {
        let queue = |one_in, prime, step| {
            if n % one_in == 0 {
                0
            } else {
                n * prime % 19 * step
            }
        };
        let at_ns = 10_000 * MS + n * 20 * MS;
        let fate = Fate::arrives(ONE_WAY + queue(7, 7_919, 310_007));
        script.data(at_ns, Intent::New, messages(n..n + 1), fate);
        let back = Fate::arrives(ONE_WAY + queue(5, 6_007, 270_001));
        script.acknowledgement(n as usize, back);
    }
    script
}

/// The instant message `n` is written.
fn at(n: u64) -> u64 {
    10_000 * MS + n * 140 * MS
}

/// The stream bytes of messages `n`.
fn messages(n: Range<u64>) -> Range<u64> {
    n.start * BYTES..n.end * BYTES
}

fn arrives() -> Fate {
    Fate::arrives(ONE_WAY)
}

/// What scenarios say in messages instead of instants and bytes.
impl Script {
    /// Message `n` on time, as a packet of its own.
    fn message(&mut self, n: u64, fate: Fate) {
        self.data(at(n), Intent::New, messages(n..n + 1), fate);
    }

    /// Messages `n` on time, each as a packet of its own that arrives.
    fn plain(&mut self, n: Range<u64>) {
        self.delayed(n.start, n);
    }

    /// The same from message `slot`'s turn on.
    fn delayed(&mut self, slot: u64, n: Range<u64>) {
        for (turn, n) in n.enumerate() {
            let bytes = messages(n..n + 1);
            self.data(at(slot + turn as u64), Intent::New, bytes, arrives());
        }
    }

    /// Message `n` on time, in one packet with those since `first`.
    fn bundle(&mut self, n: u64, first: u64, fate: Fate) {
        let new_from = n * BYTES;
        self.data(
            at(n),
            Intent::Bundle { new_from },
            messages(first..n + 1),
            fate,
        );
    }

    /// Messages `n` once more, as one packet.
    fn again(&mut self, at_ns: u64, n: Range<u64>, fate: Fate) {
        self.data(at_ns, Intent::Retransmission, messages(n), fate);
    }
}

fn quiet() -> Script {
    let mut script = Script::new();
    script.plain(0..20);
    script
}

/// Message 3 is lost; 4 and 5 wait behind it until the timer (200 ms + RTT)
/// has fired.
fn loss_and_timeout() -> Script {
    let mut script = quiet_but_lost(3);
    script.again(at(3) + TIMEOUT, 3..4, arrives());
    script
}

/// Message 3 is lost; the SACKs that 4, 5 and 6 draw bring it back.
fn loss_and_sack() -> Script {
    let mut script = quiet_but_lost(3);
    script.again(at(6) + 130 * MS, 3..4, arrives());
    script
}

fn quiet_but_lost(n: u64) -> Script {
    let mut script = Script::new();
    script.plain(0..n);
    script.message(n, Fate::Lost);
    script.plain(n + 1..20);
    script
}

/// Four messages, of which the last comes again after the timer, whatever its first copy met.
fn fourth_again(first: Fate) -> Script {
    let mut script = Script::new();
    script.plain(0..3);
    script.message(3, first);
    script.again(at(3) + TIMEOUT, 3..4, arrives());
    script
}

/// Each packet carries the one or two messages before it; two in a row are
/// lost and the third brings all they had.
fn healing_bundles() -> Script {
    let mut script = Script::new();
    script.plain(0..2);
    script.message(2, Fate::Lost);
    script.bundle(3, 2, Fate::Lost);
    script.bundle(4, 2, arrives());
    script.bundle(5, 4, arrives());
    script.plain(6..9);
    script
}

/// Bundles on a path that loses nothing: every old byte is redundant, none is
/// a retransmission.
fn needless_bundles() -> Script {
    let mut script = Script::new();
    script.plain(0..1);
    for n in 1..12 {
        script.bundle(n, n - 1, arrives());
    }
    script
}

/// The acknowledgement of half a message moves the front of the next bundle
/// into the middle of a message.
fn bundle_after_partial_ack() -> Script {
    let mut script = Script::new();
    script.plain(0..1);
    script.data(at(1), Intent::New, 120..240, Fate::Lost);
    script.data(at(1) + TIMEOUT, Intent::Retransmission, 120..180, arrives());
    script.data(at(5), Intent::Bundle { new_from: 240 }, 180..360, arrives());
    script.data(at(6), Intent::New, 360..480, arrives());
    script
}

/// Message 4 is overtaken by 5 and 6.
fn reordering() -> Script {
    let mut script = Script::new();
    script.plain(0..4);
    script.message(4, Fate::arrives(400 * MS));
    script.plain(5..10);
    script
}

fn duplication() -> Script {
    let mut script = Script::new();
    script.plain(0..3);
    let twice = Fate::Twice {
        after_ns: ONE_WAY,
        again_after_ns: ONE_WAY + 3 * MS,
    };
    script.message(3, twice);
    script.plain(4..8);
    let ack_twice = Fate::Twice {
        after_ns: ONE_WAY,
        again_after_ns: ONE_WAY,
    };
    script.acknowledgement(2, ack_twice);
    script
}

/// The data arrive, their acknowledgements do not, the timer fires for nothing.
fn lost_acks() -> Script {
    let mut script = fourth_again(arrives());
    script.acknowledgement(3, Fate::Lost);
    script.data(at(9), Intent::New, messages(4..5), arrives());
    script
}

/// The original is delayed past the timer: its copy arrives first, and the
/// retransmission is spurious all the same.
fn late_original() -> Script {
    let mut script = fourth_again(Fate::arrives(900 * MS));
    script.delayed(11, 4..8);
    script
}

/// The retransmission is lost twice and the timer doubles.
fn repeated_timeout() -> Script {
    let mut script = Script::new();
    script.plain(0..3);
    script.message(3, Fate::Lost);
    script.again(at(3) + TIMEOUT, 3..4, Fate::Lost);
    script.again(at(3) + 990 * MS, 3..4, Fate::Lost);
    script.again(at(3) + 2_310 * MS, 3..4, arrives());
    // Written meanwhile, held back by a congestion window of one, sent as one.
    script.data(at(21), Intent::New, messages(4..12), arrives());
    script.delayed(22, 12..14);
    script
}

/// Three lost messages come back as one packet, of which the middle one had
/// in truth arrived.
fn collapse() -> Script {
    let mut script = Script::new();
    script.plain(0..2);
    script.message(2, Fate::Lost);
    script.message(3, arrives());
    script.message(4, Fate::Lost);
    script.again(at(4) + TIMEOUT, 2..5, arrives());
    script.delayed(8, 5..9);
    script
}

/// RDB on retransmission: the copy of message 3 carries 4 and 5 behind it,
/// which are in flight and arrive by themselves.
fn bundling_retransmission() -> Script {
    let mut script = Script::new();
    script.plain(0..3);
    script.message(3, Fate::Lost);
    script.plain(4..6);
    script.again(at(5) + 50 * MS, 3..6, arrives());
    script.plain(6..8);
    script
}

/// A retransmission from the middle of one message to the middle of another.
fn partial_retransmission() -> Script {
    let mut script = quiet_but_lost(3);
    script.data(
        at(4) + 200 * MS,
        Intent::Retransmission,
        300..420,
        arrives(),
    );
    script.data(
        at(5) + 200 * MS,
        Intent::Retransmission,
        420..510,
        arrives(),
    );
    script
}

/// 2^32 lies inside a bundle, so inside a packet and between its old and its
/// new bytes.
fn sequence_wrap() -> Script {
    let mut script = healing_bundles();
    script.wire.sender_isn = u32::MAX - 3 * BYTES as u32 - 30;
    script.wire.receiver_isn = u32::MAX;
    script
}

/// Keepalives with and without their byte, before the first byte of the stream
/// and after the last.
fn probes() -> Script {
    let mut script = Script::new();
    script.probe(5_000 * MS, 0, 1, arrives());
    script.plain(0..3);
    script.probe(at(20), 3 * BYTES, 0, arrives());
    script.probe(at(30), 3 * BYTES, 1, arrives());
    script.probe(at(31), 3 * BYTES, 1, Fate::Lost);
    script.data(at(40), Intent::New, messages(3..4), arrives());
    script
}

/// Keys typed one by one: the last one is lost and comes again. On the wire it
/// looks like a keepalive, but it is not acknowledged.
fn single_bytes() -> Script {
    let mut script = Script::new();
    script.data(at(0), Intent::New, 0..1, arrives());
    script.data(at(1), Intent::New, 1..2, Fate::Lost);
    script.data(at(1) + TIMEOUT, Intent::Retransmission, 1..2, arrives());
    script.data(at(5), Intent::New, 2..3, arrives());
    script.data(at(5) + TIMEOUT, Intent::Retransmission, 2..3, arrives());
    script.acknowledgement(2, Fate::Lost);
    script
}

/// The receiver's window closes once its first offer is filled; a byte sent into
/// it arrives but is not taken, and comes again once the window is open.
fn closed_window() -> Script {
    let mut script = Script::new();
    // The SYN-ACK's first offer is not reached: the stream fills it.
    script.window(9_000 * MS, 0);
    script.data(9_100 * MS, Intent::New, 0..1_400, arrives());
    for packet in 1..47 {
        let start = packet * 1_400;
        let bytes = start..(start + 1_400).min(65_160);
        script.data(9_100 * MS + packet * MS, Intent::New, bytes, arrives());
    }
    script.data(12_000 * MS, Intent::New, 65_160..65_161, arrives());
    script.probe(12_500 * MS, 65_160, 0, arrives());
    script.window(13_000 * MS, 1 << 20);
    script.data(
        13_065 * MS,
        Intent::Bundle { new_from: 65_161 },
        65_160..66_000,
        arrives(),
    );
    script
}

fn lost_syns() -> Script {
    let mut script = quiet();
    script.lost_syns = 2;
    script
}

fn mid_connection() -> Script {
    let mut script = loss_and_sack();
    script.without_handshake = true;
    script.wire.sender_isn = u32::MAX - 1_000;
    script
}

/// Message 5 never arrives: what comes after it is there but never available.
fn missing_end() -> Script {
    let mut script = Script::new();
    script.plain(0..5);
    script.message(5, Fate::Lost);
    script.plain(6..8);
    script.again(at(5) + TIMEOUT, 5..6, Fate::Lost);
    script
}

/// A flipped bit in the payload: the packet is there, its bytes are not taken.
fn damage() -> Script {
    let mut script = Script::new();
    script.plain(0..3);
    let damaged = Fate::Damaged {
        after_ns: ONE_WAY,
        at_byte: 100,
    };
    script.message(3, damaged);
    script.plain(4..6);
    script.again(at(5) + 200 * MS, 3..4, arrives());
    script
}

/// The flipped bit is in a header: the packet looks like another connection's,
/// like a fragment, like no TCP at all. One packet each way.
fn damaged_at(backward_byte: usize, forward_byte: usize) -> Script {
    let damaged = |at_byte| Fate::Damaged {
        after_ns: ONE_WAY,
        at_byte,
    };
    let mut script = fourth_again(damaged(forward_byte));
    script.acknowledgement(1, damaged(backward_byte));
    script
}

/// The receiver talks back; one of its messages is lost and comes again.
fn echoes() -> Script {
    let mut script = quiet_but_lost(3);
    script.again(at(3) + TIMEOUT, 3..4, arrives());
    for n in 0..6 {
        let fate = if n == 2 { Fate::Lost } else { arrives() };
        script.echo(at(n) + 100 * MS, n * 50..n * 50 + 50, fate);
    }
    script.echo(at(4) + 110 * MS, 100..150, arrives());
    script
}

fn foreign_traffic() -> Script {
    let mut script = loss_and_sack();
    for (n, end) in [End::Sender, End::Receiver, End::Sender]
        .into_iter()
        .enumerate()
    {
        let offset = n as u64 * MS;
        script.noise(at(1) + offset, end, Noise::Arp);
        script.noise(at(2) + offset, end, Noise::Udp);
    }
    script.noise(at(4) + 7, End::Sender, Noise::OtherConnection);
    script
}

fn offloaded_checksums() -> Script {
    let mut script = loss_and_timeout();
    script.wire.sender_offloads_checksums = true;
    script
}

/// Without timestamps and IP identification a retransmission is the original's
/// twin; only the time tells which one arrived.
fn identical_copies(first_lost: bool) -> Script {
    let first = if first_lost { Fate::Lost } else { arrives() };
    let mut script = fourth_again(first);
    script.wire.timestamps = false;
    script.wire.ip_ids = IpIds::Zero;
    script.delayed(8, 4..8);
    script
}

fn ipv6_without_timestamps() -> Script {
    let mut script = loss_and_sack();
    script.wire.sender = "[2001:db8::1]:40000"
        .parse::<SocketAddr>()
        .expect("an address");
    script.wire.receiver = "[2001:db8:1::2]:5000"
        .parse::<SocketAddr>()
        .expect("an address");
    script.wire.timestamps = false;
    script
}

/// A message of three packets whose first arrives last.
fn long_message() -> Script {
    let mut script = Script::new();
    script.data(at(0), Intent::New, 0..1_000, Fate::arrives(90 * MS));
    script.data(
        at(0) + MS,
        Intent::New,
        1_000..2_000,
        Fate::arrives(70 * MS),
    );
    script.data(at(0) + 2 * MS, Intent::New, 2_000..2_500, arrives());
    script.data(at(2), Intent::New, 2_500..2_600, arrives());
    script
}

fn repeated_fin() -> Script {
    let mut script = quiet();
    script.fins = vec![(at(25), Fate::Lost), (at(27), arrives())];
    script
}

/// Two hundred messages whose delays vary, among them losses, but touch the
/// minimum often; acknowledgements the same.
/// A thin stream over a path with queues, one message in 41 lost.
pub fn jitter(clocks: Clocks) -> Script {
    let mut script = Script::new();
    script.clocks = clocks;
    for n in 0..200 {
        let extra = if n % 7 == 0 {
            0
        } else {
            n * 7_919 % 23 * 310_007
        };
        let fate = if n % 41 == 40 {
            Fate::Lost
        } else {
            Fate::arrives(ONE_WAY + extra)
        };
        script.message(n, fate);
        if n % 41 == 40 {
            script.again(at(n) + 329 * MS, n..n + 1, arrives());
        }
        let back = if n % 5 == 0 {
            0
        } else {
            n * 6_007 % 19 * 270_001
        };
        script.acknowledgement(n as usize, Fate::arrives(ONE_WAY + back));
    }
    script
}
