//! Bit errors of a radio link: what a session's packets meet, and what the result tells of it.
//! What the link does by itself is tested in `kernel/radio`.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    BitErrorCounts, BitErrors, BulkStream, LaneChange, LaneSpec, Path, QueueDiscipline, SessionLane,
};

use crate::agent::{Agent, Finished, changing, lane, same, spec, thin};
use crate::frames::{Frame, frames};

const ETHERNET_BYTES: usize = 14;
pub const ERRORS: BitErrors = BitErrors {
    good_us: 500_000,
    bad_us: 100_000,
    error_share_good: 0.0,
    error_share_bad: 0.001,
    tick_us: 0,
    at_end: false,
};

const SENDER: [u8; 4] = [10, 9, 1, 1];
/// Found by trial: one packet in some thousands has flipped bits that IP's checksum does not
/// find.
const SEED_WITH_A_PACKET_FROM_NOWHERE: u64 = 2_692_114_424_593_342_766;

/// Both ways, at 64 kbit/s: a message is on the air for two ticks and a bit.
pub fn over(errors: Option<BitErrors>) -> LaneSpec {
    let clean = lane(0.0, &[]);
    let way = |path: Option<Path>| {
        path.map(|path| Path {
            rate_bit_per_s: 64_000,
            bit_errors: errors,
            ..path
        })
    };
    LaneSpec {
        forward: way(clean.forward),
        backward: way(clean.backward),
        ..clean
    }
}

fn told(finished: &Finished) -> Option<BitErrorCounts> {
    finished.result.check.unwrap().forward.unwrap().bit_errors
}

/// Of the packets that arrived, those of which no packet that left is a copy; and the bits in
/// which they differ from the one that left in their place.
fn damaged(finished: &Finished) -> (u64, u64) {
    let left = frames(&finished.sender);
    let left: Vec<_> = left.iter().filter(|frame| frame.left).collect();
    let came = frames(&finished.receiver);
    let came: Vec<_> = came.iter().filter(|frame| !frame.left).collect();
    // Nothing is lost, and the rate lets none overtake another.
    assert_eq!(left.len(), came.len());
    let flipped = left
        .iter()
        .zip(came)
        .map(|(sent, came)| flipped(sent, came));
    let flipped: Vec<_> = flipped.filter(|&bits| bits > 0).collect();
    (flipped.len() as u64, flipped.iter().sum())
}

fn flipped(sent: &Frame, came: &Frame) -> u64 {
    // The type: addresses are each link's own.
    assert_eq!(
        sent.bytes[12..ETHERNET_BYTES],
        came.bytes[12..ETHERNET_BYTES]
    );
    let forwarded = forwarded(&sent.bytes[ETHERNET_BYTES..]);
    let bytes = forwarded.iter().zip(&came.bytes[ETHERNET_BYTES..]);
    bytes
        .map(|(sent, came)| u64::from((sent ^ came).count_ones()))
        .sum()
}

/// What the emulator's hop makes of a packet: one less to live, and a checksum that says so.
fn forwarded(packet: &[u8]) -> Vec<u8> {
    const TIME_TO_LIVE: usize = 8;
    let mut packet = packet.to_vec();
    packet[TIME_TO_LIVE] -= 1;
    let sum = u32::from(u16::from_be_bytes([packet[10], packet[11]])) + 0x100;
    let folded = (sum & 0xffff) + (sum >> 16);
    packet[10..12].copy_from_slice(&(folded as u16).to_be_bytes());
    packet
}

#[tokio::test]
async fn what_is_told_to_be_damaged_arrives_damaged_and_tcp_repairs_it() {
    let agent = Agent::start("virtual");
    let request = spec(over(Some(ERRORS)), thin(400));
    let finished = agent.run(request.clone()).await.unwrap();
    let counts = told(&finished).unwrap();
    let check = finished.result.check.unwrap().forward.unwrap();
    assert_eq!(counts.packets, check.sent_packets);
    assert_eq!(
        damaged(&finished),
        (
            counts.damaged_packets,
            counts.good_flipped_bits + counts.bad_flipped_bits
        )
    );
    assert!(counts.damaged_packets > 20, "{counts:?}");
    assert!(counts.exposed_packets >= counts.damaged_packets);
    assert_eq!(counts.good_flipped_bits, 0);
    // A sixth of the time, or a tenth or a third of so short a one.
    let bad_share = counts.bad_ns as f64 / (counts.good_ns + counts.bad_ns) as f64;
    assert!((0.1..0.35).contains(&bad_share), "{bad_share}");
    assert_eq!(finished.result.changed_bytes, 0);
    same(finished, agent.run(request).await.unwrap());
}

#[tokio::test]
async fn without_bit_errors_nothing_is_damaged_and_nothing_is_told() {
    let agent = Agent::start("virtual");
    let finished = agent.run(spec(over(None), thin(100))).await.unwrap();
    assert_eq!((damaged(&finished), told(&finished)), ((0, 0), None));
    // A link that flips nothing leaves every packet as it is without one, and tells its times.
    let harmless = BitErrors {
        error_share_bad: 0.0,
        ..ERRORS
    };
    let other = agent
        .run(spec(over(Some(harmless)), thin(100)))
        .await
        .unwrap();
    assert!(told(&other).unwrap().exposed_packets > 0);
    assert!(finished.sender == other.sender && finished.receiver == other.receiver);
}

/// A host that answered one would send a packet that nobody forwards, and the session would
/// find it missing.
#[tokio::test]
async fn nobody_answers_a_packet_that_comes_from_nowhere() {
    let agent = Agent::start("virtual");
    // UMTS, loss profile 1 (backend/thinlab/condition/radio.py).
    let way = Some(Path {
        delay_us: 70_000,
        rate_bit_per_s: 384_000,
        queue_packets: 50,
        queue_discipline: QueueDiscipline::Fifo as i32,
        bit_errors: Some(BitErrors {
            good_us: 2_000_000,
            bad_us: 30_000,
            error_share_good: 0.0,
            error_share_bad: 0.01,
            tick_us: 10_000,
            at_end: true,
        }),
        ..Path::default()
    });
    let lane = LaneSpec {
        forward: way.clone(),
        backward: way,
        seed: SEED_WITH_A_PACKET_FROM_NOWHERE,
        ..lane(0.0, &[])
    };
    let bulk = Stream::Bulk(BulkStream { bytes: 3_000_000 });
    let finished = agent.run(spec(lane, bulk)).await.unwrap();
    let receiver = frames(&finished.receiver);
    let came = receiver.iter().filter(|frame| !frame.left);
    let from_nowhere = came.filter(|frame| frame.ip_checksum_holds() && frame.source() != SENDER);
    assert!(from_nowhere.count() > 0, "another seed is needed");
    let answers = receiver.iter().filter(|frame| frame.left);
    assert!(
        answers
            .into_iter()
            .all(|frame| frame.destination() == SENDER)
    );
}

#[tokio::test]
async fn a_lane_can_get_and_lose_its_radio_link() {
    let agent = Agent::start("virtual");
    let at = |at_ns, errors| LaneChange {
        at_ns,
        spec: Some(over(errors)),
    };
    let changes = vec![at(2_000_000_000, Some(ERRORS)), at(6_000_000_000, None)];
    let request = changing(over(None), thin(100), changes);
    let counts = told(&agent.run(request).await.unwrap()).unwrap();
    let bad_and_good_ns = counts.good_ns + counts.bad_ns;
    assert!(
        (3_500_000_000..=4_500_000_000).contains(&bad_and_good_ns),
        "{counts:?}"
    );
    assert!((20..60).contains(&counts.packets), "{counts:?}");
}

#[tokio::test]
async fn a_shared_bottleneck_has_none() {
    let agent = Agent::start("virtual");
    let mut request = spec(over(Some(ERRORS)), thin(5));
    request.lanes.push(SessionLane {
        lane: Some(LaneSpec {
            forward: None,
            backward: None,
            seed: 0,
            ..over(None)
        }),
        ..request.lanes[0].clone()
    });
    request.shared_bottleneck = true;
    let refused = agent.run_all(request).await.unwrap_err().to_string();
    assert!(
        refused.contains("lanes[0].lane has bit_errors at a shared bottleneck"),
        "{refused}"
    );
}
