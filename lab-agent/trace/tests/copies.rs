//! What brought a byte when its first copy was lost, on scripted connections.
//! Messages are 36 bytes, as SSH makes of a key; a round trip is 130 ms.
// SPDX-License-Identifier: Apache-2.0
mod captured;

use captured::captured;
use lab_proto::Recovery;
use thinlab_trace::Departures;
use thinlab_trace::golden::{Fate, Intent, Script};

const MS: u64 = 1_000_000;
const ONE_WAY: u64 = 65 * MS;
const THERE: Fate = Fate::Arrives { after_ns: ONE_WAY };

fn read(script: &Script) -> Departures {
    let ([sender, receiver], flow) = captured(script);
    Departures::read(&sender, &receiver, Some(flow)).unwrap()
}

/// The `index`-th message, 200 ms after the one before it.
fn message(script: &mut Script, index: u64, fate: Fate) {
    let at_ns = (1000 + 200 * index) * MS;
    script.data(at_ns, Intent::New, 36 * index..36 * (index + 1), fate);
}

/// What brought the first message, which was lost and sent again then; the second arrived.
fn with_a_message_behind(again_ns: u64) -> (u32, Recovery) {
    let mut script = Script::new();
    message(&mut script, 0, Fate::Lost);
    message(&mut script, 1, THERE);
    script.data(again_ns, Intent::Retransmission, 0..36, THERE);
    read(&script).of(35)
}

#[test]
fn a_first_copy_that_arrives_needs_nothing() {
    let mut script = Script::new();
    message(&mut script, 0, THERE);
    let departures = read(&script);
    assert_eq!(departures.of(35), (1, Recovery::None));
    let epoch_ns = script.clocks.epoch_ns;
    let at = |ms: u64| Some((epoch_ns + ms * MS) as i64);
    assert_eq!(departures.instants(0, 36), (at(1000), at(1065)));
    assert_eq!(departures.instants(36, 72), (None, None), "never sent");
    let delays = departures.forward_delays_ns.iter().map(|(_, delay)| *delay);
    assert!(
        delays
            .into_iter()
            .all(|delay_ns| delay_ns == ONE_WAY as i64)
    );
}

#[test]
fn a_bundle_brings_what_was_lost_before_it() {
    let mut script = Script::new();
    message(&mut script, 0, Fate::Lost);
    script.data(1200 * MS, Intent::Bundle { new_from: 36 }, 0..72, THERE);
    let departures = read(&script);
    assert_eq!(departures.of(35), (2, Recovery::Bundle));
    assert_eq!(departures.of(71), (1, Recovery::None));
}

/// The receiver says at 1265 that it has the second message, the sender hears it
/// at 1330 and sends the first again.
#[test]
fn a_retransmission_after_a_selective_acknowledgement_is_fast() {
    let again_ns = 1330 * MS + 50_000;
    assert_eq!(with_a_message_behind(again_ns), (2, Recovery::Fast));
}

/// RACK waits a quarter of a round trip for reordered packets.
#[test]
fn racks_patience_is_fast_too() {
    let again_ns = 1362 * MS;
    assert_eq!(with_a_message_behind(again_ns), (2, Recovery::Fast));
}

/// One selective acknowledgement is too little for three duplicates: the timer
/// goes off later, with nothing that would have made it.
#[test]
fn a_retransmission_long_after_what_was_heard_is_the_timers() {
    let again_ns = 1450 * MS;
    assert_eq!(with_a_message_behind(again_ns), (2, Recovery::Timeout));
}

#[test]
fn a_retransmission_that_nobody_asked_for_is_the_timers() {
    let mut script = Script::new();
    message(&mut script, 0, Fate::Lost);
    script.data(1330 * MS, Intent::Retransmission, 0..36, Fate::Lost);
    script.data(1660 * MS, Intent::Retransmission, 0..36, THERE);
    assert_eq!(read(&script).of(35), (3, Recovery::Timeout));
}

#[test]
fn what_never_arrives_is_said_to_be_so() {
    let mut script = Script::new();
    message(&mut script, 0, THERE);
    message(&mut script, 1, Fate::Lost);
    let departures = read(&script);
    assert_eq!(departures.of(71), (1, Recovery::Never));
    let (sent_ns, arrived_ns) = departures.instants(36, 72);
    assert!(sent_ns.is_some() && arrived_ns.is_none());
    assert_eq!(departures.of(72), (0, Recovery::Unspecified));
}
