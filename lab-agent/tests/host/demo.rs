//! Takes of a demo: lanes side by side that are heard, measured and switched
//! while people watch.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path;
use std::process::Command;

use lab_proto::live_input::Input;
use lab_proto::stream::Kind as Stream;
use lab_proto::{
    AudioStream, DemoLaneResult, DemoResult, DemoSound, FileKind, LaneSpec, Mechanism,
    MicrophoneStream, SoundPiece, SyntheticStream,
};
use serde_json::Value;
use thinlab_playout::{Codec, Message};
use tonic::Code;

use crate::agent::{Agent, endless, eventually, kill, lane, spec};
use crate::presenter::Take;

const PACKET_NS: u64 = 20_000_000;

fn start(demos: &str) -> Agent {
    Agent::start_with(&["--clock", "real", "--demos", demos])
}

/// A gliding tone.
fn tone(samples: std::ops::Range<usize>) -> Vec<u8> {
    let samples = samples.map(|index| {
        let t = index as f64 / 48_000.0;
        let phase = std::f64::consts::TAU * (200.0 + 40.0 * t.sin()) * t;
        (phase.sin() * 9000.0) as i16
    });
    samples.flat_map(i16::to_le_bytes).collect()
}

pub fn clip() -> Stream {
    Stream::Audio(AudioStream {
        source_s16le_48k_mono: tone(0..48_000 * 3),
        ..AudioStream::default()
    })
}

fn synthetic(payload_bytes: u32, iat_ms: u64) -> Stream {
    Stream::Synthetic(SyntheticStream::endless(payload_bytes, iat_ms * 1000))
}

fn off_and_all(loss_share: f64) -> Vec<LaneSpec> {
    vec![lane(loss_share, &[]), lane(loss_share, &Mechanism::PAPERS)]
}

/// What people hear of a lane.
fn heard(sounds: &[DemoSound], lane: usize) -> Vec<i16> {
    let packets = sounds.iter().zip(1..).map(|(sound, count)| {
        let packet = &sound.opus[lane];
        let length = (packet.len() as u16).to_be_bytes();
        Message {
            at_ns: count * PACKET_NS,
            bytes: [&length, &packet[..]].concat(),
        }
    });
    thinlab_playout::decode(Codec::Opus, &packets.collect::<Vec<_>>()).unwrap()
}

#[tokio::test]
async fn live_figures_are_those_of_the_analyser_over_the_saved_files() {
    let agent = start("1");
    let mut take = Take::open(&agent, off_and_all(0.05), clip()).await.unwrap();
    take.until(|take| take.passed(0) > 100 && take.passed(1) > 100)
        .await
        .unwrap();
    let mut swapped = off_and_all(0.03);
    swapped.reverse();
    let changed = take.change(swapped).await;
    assert_eq!(changed.problem, "");
    assert!(changed.kernel_at_ns > take.ready.at_ns);
    take.until(|take| take.passed(0) > 300 && take.passed(1) > 300)
        .await
        .unwrap();
    let result = take.finish().await.unwrap();
    assert_eq!(result.reason, "");

    for number in 0..2_u32 {
        let told = &result.lanes[number as usize];
        expect_as_of_files(&agent, &take, number, told);
        // The last moment tells the same of the whole take.
        let last = &take.moments.last().unwrap().lanes[number as usize];
        assert_eq!(last.whole, told.figures);
    }
    in_step(&take.sounds, &result);
}

/// What was told of a lane live is what the analyser finds in its files, and nothing was left
/// out of it.
pub fn expect_as_of_files(agent: &Agent, take: &Take, number: u32, told: &DemoLaneResult) {
    let figures = told.figures.as_ref().unwrap();
    let [sender, receiver, ends] = [
        FileKind::SenderCapture,
        FileKind::ReceiverCapture,
        FileKind::MessageEnds,
    ]
    .map(|kind| take.save(agent.folder(), number, kind));
    let analysed = analysed(&sender, &receiver, &ends);
    assert_eq!(analysed["metrics"], json(&figures.metrics), "lane {number}");
    let copies = json(&figures.copies);
    for (name, value) in copies.as_object().unwrap() {
        assert_eq!(&analysed["traffic"][name], value, "lane {number}: {name}");
    }
    // And the emulator counted the same packets.
    let dropped = told.check.unwrap().forward.unwrap().dropped_packets;
    let metrics = figures.metrics.as_ref().unwrap();
    assert_eq!(metrics.lost_packets_forward, dropped);
    let messages = figures.felt.as_ref().unwrap().messages;
    assert_eq!(messages as usize, take.passed(number as usize));
    assert_eq!(told.skipped_messages, 0);
}

/// What `lab-agent analyze` says of saved files.
fn analysed(sender: &Path, receiver: &Path, message_ends: &Path) -> Value {
    let ran = Command::new(env!("CARGO_BIN_EXE_lab-agent"))
        .args(["analyze", "--json", "--message-ends"])
        .args([message_ends, sender, receiver])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    serde_json::from_slice(&ran.stdout).unwrap()
}

/// Written and read as the analyser's own is.
pub fn json(value: &impl serde::Serialize) -> Value {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

/// One packet of every lane after another, without a hole.
/// All lanes in each packet, and a packet for each 20 ms but those for which the
/// machine was too late.
fn in_step(sounds: &[DemoSound], result: &DemoResult) {
    let first = sounds.first().expect("something is heard");
    let begin_ns = first.at_ns - first.number * PACKET_NS;
    for sound in sounds {
        assert_eq!(sound.opus.len(), result.lanes.len());
        assert!(sound.opus.iter().all(|packet| !packet.is_empty()));
        assert_eq!(sound.at_ns, begin_ns + sound.number * PACKET_NS);
    }
    assert!(sounds.is_sorted_by(|one, next| one.number < next.number));
    let last = sounds.last().expect("there is a first");
    let missing = last.number + 1 - sounds.len() as u64;
    let left_out = result.held_up.expect("every result has it").sound_left_out;
    assert!(missing <= left_out, "{missing} of {left_out}");
}

#[tokio::test]
async fn what_is_spoken_is_heard_on_every_lane() {
    let agent = start("1");
    let lanes = vec![
        lane(0.0, &[]),
        lane(0.0, &Mechanism::PAPERS),
        lane(0.0, &[]),
    ];
    let microphone = Stream::Microphone(MicrophoneStream::default());
    let mut take = Take::open(&agent, lanes, microphone).await.unwrap();
    // Nothing is spoken: silence is sent.
    take.until(|take| take.passed(2) > 20).await.unwrap();
    let spoken_from = take.sounds.len();
    // Pieces of 20 ms, each when its place in the sound comes.
    for piece in 0..150_usize {
        let heard_already = take.sounds.len();
        take.say(Input::Microphone(SoundPiece {
            s16le_48k_mono: tone(piece * 960..(piece + 1) * 960),
        }))
        .await;
        take.until(|take| take.sounds.len() > heard_already)
            .await
            .unwrap();
    }
    let result = take.finish().await.unwrap();
    in_step(&take.sounds, &result);
    for number in 0..3 {
        let samples = heard(&take.sounds, number);
        let loud = |samples: &[i16]| samples.iter().any(|sample| sample.abs() > 4000);
        assert!(!loud(&samples[..spoken_from * 960]), "before it was spoken");
        assert!(loud(&samples[spoken_from * 960..]), "lane {number} is mute");
        assert_eq!(result.lanes[number].skipped_messages, 0);
    }
}

#[tokio::test]
async fn a_paused_take_writes_nothing_and_goes_on_where_it_was() {
    let agent = start("1");
    let lanes = vec![lane(0.0, &[])];
    let mut take = Take::open(&agent, lanes, synthetic(120, 20)).await.unwrap();
    take.until(|take| take.passed(0) > 10).await.unwrap();
    take.pause(true).await;
    take.until(|take| {
        let recent = take.moments.iter().rev().take(5);
        recent
            .filter(|moment| moment.lanes[0].messages.is_empty())
            .count()
            == 5
    })
    .await
    .unwrap();
    let before = take.passed(0);
    take.pause(false).await;
    take.until(|take| take.passed(0) > before + 10)
        .await
        .unwrap();
    let result = take.finish().await.unwrap();
    let messages = take.moments.iter().flat_map(|m| &m.lanes[0].messages);
    let numbers: Vec<u64> = messages.map(|message| message.number).collect();
    assert!(
        numbers.iter().copied().eq(0..numbers.len() as u64),
        "{numbers:?}"
    );
    let metrics = result.lanes[0].figures.as_ref().unwrap().metrics.as_ref();
    assert_eq!(metrics.unwrap().unique_bytes, 120 * numbers.len() as u64);
}

#[tokio::test]
async fn a_new_size_and_pace_is_taken_while_it_runs() {
    let agent = start("1");
    let lanes = vec![lane(0.0, &[])];
    let mut take = Take::open(&agent, lanes, synthetic(10, 5000))
        .await
        .unwrap();
    take.until(|take| take.passed(0) == 1).await.unwrap();
    let wanted = SyntheticStream::endless(300, 10_000);
    take.say(Input::Synthetic(wanted)).await;
    take.until(|take| take.passed(0) > 20).await.unwrap();
    let result = take.finish().await.unwrap();
    let metrics = result.lanes[0].figures.as_ref().unwrap().metrics.as_ref();
    let large = take.passed(0) as u64 - 1;
    assert_eq!(metrics.unwrap().unique_bytes, 10 + 300 * large);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_by_name() {
    let agent = start("1");
    let refused = async |lanes, stream, beginning: &str| {
        let status = Take::open(&agent, lanes, stream).await.err().unwrap();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(
            status.message().starts_with(beginning),
            "{}",
            status.message()
        );
    };
    refused(vec![], clip(), "lanes has 0").await;
    let mut spoiled = off_and_all(0.0);
    spoiled[1].forward = None;
    refused(spoiled.clone(), clip(), "lanes[1]: lane.forward").await;
    refused(
        off_and_all(0.0),
        synthetic(0, 20),
        "synthetic.payload_bytes",
    )
    .await;

    // A take that runs goes on.
    let mut take = Take::open(&agent, off_and_all(0.0), clip()).await.unwrap();
    let changed = take.change(spoiled).await;
    let problem = "change.lanes[1].spec: lane.forward is not set";
    assert!(changed.problem.starts_with(problem), "{}", changed.problem);
    take.until(|take| take.passed(0) > 5).await.unwrap();
    take.finish().await.unwrap();

    // What is not of the take's stream ends it.
    let mut take = Take::open(&agent, off_and_all(0.0), clip()).await.unwrap();
    let piece = SoundPiece::default();
    take.say(Input::Microphone(piece)).await;
    let status = take.until(|_| false).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().starts_with("microphone"), "{status:?}");
}

#[tokio::test]
async fn a_host_that_keeps_no_guest_for_demos_says_so() {
    for (clock, remedy) in [("real", "--demos"), ("virtual", "--clock real")] {
        let agent = Agent::start(clock);
        let status = Take::open(&agent, off_and_all(0.0), clip()).await;
        let status = status.err().unwrap();
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert!(status.message().contains(remedy), "{}", status.message());
    }
}

#[tokio::test]
async fn a_killed_guest_ends_the_take_and_the_next_one_has_another() {
    let agent = start("1");
    let mut study = agent.sending(spec(lane(0.0, &[]), endless())).await;
    let mut take = Take::open(&agent, off_and_all(0.0), clip()).await.unwrap();
    take.until(|take| take.passed(0) > 5).await.unwrap();
    let first = take.ready.host.clone();
    kill(*agent.guests().last().unwrap(), libc::SIGKILL);
    let status = take.until(|_| false).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert!(status.message().starts_with("host-lost"), "{status:?}");

    let mut take = Take::open(&agent, off_and_all(0.0), clip()).await.unwrap();
    assert_ne!(take.ready.host, first);
    take.until(|take| take.passed(0) > 5).await.unwrap();
    take.finish().await.unwrap();
    // A study's session has gone on beside it.
    kill(agent.guests()[0], libc::SIGKILL);
    let status = study.message().await.unwrap_err();
    assert!(
        status.message().starts_with("host-lost: guest-0"),
        "{status:?}"
    );
}

#[tokio::test]
async fn of_a_caller_that_goes_away_nothing_is_left() {
    let agent = start("1");
    let mut at_rest = None;
    for _ in 0..5 {
        let mut take = Take::open(&agent, off_and_all(0.0), clip()).await.unwrap();
        take.until(|take| take.passed(0) > 5).await.unwrap();
        // A thread has its name when it runs.
        eventually("its two threads run", || holdings(&agent).0 == 2).await;
        drop(take);
        // The first one may leave what all the others use.
        eventually("nothing is left of the take", || {
            let (threads, descriptors) = holdings(&agent);
            threads == 0 && at_rest.is_none_or(|at_rest| descriptors <= at_rest)
        })
        .await;
        at_rest.get_or_insert_with(|| holdings(&agent).1);
    }
}

/// What a take has of the agent: its threads, by name, and descriptors.
fn holdings(agent: &Agent) -> (usize, usize) {
    let proc = std::path::PathBuf::from(format!("/proc/{}", agent.id()));
    let threads = std::fs::read_dir(proc.join("task")).unwrap().flatten();
    let name = |thread: std::fs::DirEntry| {
        std::fs::read_to_string(thread.path().join("comm")).unwrap_or_default()
    };
    let own = threads.map(name);
    let own = own.filter(|name| ["sound", "analyst"].contains(&name.trim()));
    let descriptors = std::fs::read_dir(proc.join("fd")).unwrap();
    (own.count(), descriptors.count())
}

#[tokio::test]
async fn a_take_leaves_nothing_in_its_guest() {
    let shown = Command::new(env!("CARGO_BIN_EXE_lab-agent"))
        .args(["demo", "--for", "1", "--switch-every", "0.1"])
        .output()
        .unwrap();
    assert!(shown.status.success(), "{shown:?}");
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    for what in ["processes", "descriptors", "namespaces"] {
        let name = format!("guest_{what}");
        assert_eq!(shown["before"][&name], shown["after"][&name], "{what}");
    }
    assert!(shown["switches"]["count"].as_u64() > Some(0));
    for lane in shown["lanes"].as_array().unwrap() {
        assert_eq!(lane["check"]["forward"]["dropped_packets"], 0);
        // A machine that stands still for longer than an RTO brings timeouts; none has a loss for
        // its reason.
        let figures = &lane["figures"];
        let (copies, metrics) = (&figures["copies"], &figures["metrics"]);
        assert_eq!(copies["spurious_packets"], metrics["retransmitted_packets"]);
    }
}

/// For a minute, each in a guest of its own.
#[tokio::test]
async fn two_takes_go_on_side_by_side() {
    let agent = start("2");
    let minute = async || {
        let mut take = Take::open(&agent, off_and_all(0.02), clip()).await.unwrap();
        take.until(|take| take.sounds.len() == 3000).await.unwrap();
        let result = take.finish().await.unwrap();
        in_step(&take.sounds, &result);
    };
    tokio::join!(minute(), minute());
}
