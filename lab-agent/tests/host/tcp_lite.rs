//! TCP Lite: damaged payload is a result of the session, and never delivered unmarked.
//! What the kernel does packet by packet is tested in `wire/scripts` and `wire/src/lite`.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{AudioStream, Codec, LaneChange, LaneSpec, Mechanism};

use crate::agent::{Agent, audio, changing, lane, same, spec, thin};
use crate::bit_errors::{ERRORS, over};
use crate::frames::frames;

const SPLIT: [Mechanism; 2] = [Mechanism::TcpLite, Mechanism::HeaderChecksum];

fn damaging(mechanisms: &[Mechanism]) -> LaneSpec {
    LaneSpec {
        mechanisms: mechanisms.iter().map(|&one| one as i32).collect(),
        ..over(Some(ERRORS))
    }
}

#[tokio::test]
async fn what_is_read_changed_was_told_and_nothing_waits_for_its_repair() {
    let agent = Agent::start("virtual");
    let run = async |mechanisms| {
        agent
            .run(spec(damaging(mechanisms), thin(400)))
            .await
            .unwrap()
    };
    let plain = run(&[]).await.result;
    assert_eq!((plain.changed_bytes, plain.damage), (0, None));
    let plain = plain.metrics.unwrap();
    for mechanisms in [&SPLIT[..1], &SPLIT] {
        let finished = run(mechanisms).await;
        let result = &finished.result;
        let damage = result.damage.unwrap();
        assert!(result.changed_bytes > 20, "{damage:?}");
        assert_eq!(damage.untold_bytes, 0, "{damage:?}");
        assert!(damage.told_bytes >= result.changed_bytes, "{damage:?}");
        let read_bytes = 400.0 * 120.0;
        let share = result.changed_bytes as f64 / read_bytes;
        assert!((damage.changed_share - share).abs() < 1e-9, "{damage:?}");
        assert!((1..=result.changed_bytes).contains(&damage.runs));
        assert!(damage.longest_run_bytes >= 1);
        assert!((1..=400).contains(&damage.changed_messages));
        // What was accepted need not come again, and was received when it came.
        let metrics = result.metrics.as_ref().unwrap();
        assert_eq!(metrics.delivered_bytes, 400 * 120);
        let repaired_bytes = [metrics.retransmitted_bytes, plain.retransmitted_bytes];
        assert!(repaired_bytes[0] < repaired_bytes[1], "{repaired_bytes:?}");
        same(finished, run(mechanisms).await);
    }
}

#[tokio::test]
async fn without_damage_it_is_as_without_the_mechanism() {
    let agent = Agent::start("virtual");
    let run = async |mechanisms: &[Mechanism]| {
        agent
            .run(spec(lane(0.05, mechanisms), thin(400)))
            .await
            .unwrap()
    };
    let (off, on) = (run(&[]).await, run(&SPLIT[..1]).await);
    // Each packet, if not to the nanosecond: what may be damaged is read by other calls.
    for (off, on) in [(&off.sender, &on.sender), (&off.receiver, &on.receiver)] {
        let bytes = |capture| frames(capture).into_iter().map(|frame| frame.bytes);
        assert!(bytes(off).eq(bytes(on)));
    }
    assert_eq!(on.result.damage, None);
}

#[tokio::test]
async fn damaged_sound_is_played_or_left_out_as_its_codec_can() {
    let agent = Agent::start("virtual");
    let played = async |codec: Codec, mechanisms| {
        let Stream::Audio(tone) = audio(20) else {
            unreachable!("a tone is audio")
        };
        let stream = Stream::Audio(AudioStream {
            codec: codec.into(),
            ..tone
        });
        let mut lane = damaging(mechanisms);
        for path in [&mut lane.forward, &mut lane.backward]
            .into_iter()
            .flatten()
        {
            // Sound of 64 kbit/s, with headers.
            path.rate_bit_per_s = 1_000_000;
        }
        let finished = agent.run(spec(lane, stream)).await.unwrap();
        (finished.result.playout.unwrap(), finished.recording)
    };
    for codec in [Codec::G711, Codec::Opus] {
        let (plain, plain_sound) = played(codec, &[]).await;
        // Of that little passes TCP's checksum.
        assert!(plain.damaged_ms.unwrap_or(0.0) < 10.0);
        let (lite, lite_sound) = played(codec, &SPLIT).await;
        let damaged_ms = lite.damaged_ms.unwrap();
        assert!(damaged_ms > 0.0, "{codec:?}: {lite:?}");
        assert!(plain_sound != lite_sound);
        // A byte of G.711 is a sample, and damaged by itself; of Opus a whole packet is.
        let lost_ms = lite.lost_ms.unwrap_or(0.0);
        match codec {
            Codec::Opus => assert!(lost_ms > 0.0, "{lite:?}"),
            _ => assert!(damaged_ms < 1000.0, "{lite:?}"),
        }
    }
}

#[tokio::test]
async fn what_a_connection_was_opened_with_stays() {
    let agent = Agent::start("virtual");
    let change = LaneChange {
        at_ns: 1_000_000_000,
        spec: Some(damaging(&SPLIT)),
    };
    let refused = agent
        .run(changing(damaging(&[]), thin(100), vec![change]))
        .await
        .unwrap_err();
    assert!(refused.message().contains("tcp_lite"), "{refused}");
    let alone = spec(damaging(&SPLIT[1..]), thin(100));
    let refused = agent.run(alone).await.unwrap_err();
    assert!(refused.message().contains("header_checksum"), "{refused}");
}
