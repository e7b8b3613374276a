//! What the sound of a demo costs: framed once, played out and encoded for the
//! audience on each lane.
// SPDX-License-Identifier: Apache-2.0
use rustix::thread::ClockId;
use thinlab_playout::{
    BROADCAST_SAMPLES, Broadcast, Codec, Encoder, LivePlayout, Message, TICK_NS, TICK_SAMPLES,
};

use super::figure::Figure;
use crate::fault::{Fault, Outcome};
use crate::random::SplitMix;

const LANES: usize = 4;
const PATH_NS: u64 = 65_000_000;
/// One message in fifty waits for a retransmission, and those behind it with it.
const LOST_OF: u64 = 50;
const LOST_NS: u64 = 3 * 34_000_000 + 2 * PATH_NS;

/// The share of one core that four lanes of `source` take.
pub fn cpu(source: &[i16]) -> Outcome<Figure> {
    let begun_ns = cpu_ns();
    let messages = Encoder::new(Codec::Opus)
        .and_then(|mut encoder| encoder.push(source))
        .map_err(failed)?;
    for seed in 0..LANES {
        hear(&messages, seed as u64, source.len() / BROADCAST_SAMPLES)?;
    }
    let spent_ns = cpu_ns() - begun_ns;
    let length_ns = (source.len() / TICK_SAMPLES) as u64 * TICK_NS;
    Ok(Figure {
        name: "demo_sound_cpu_percent",
        value: 100.0 * spent_ns as f64 / length_ns as f64,
        unit: "%",
        how: format!(
            "of one core, for {LANES} lanes of a minute of audio in real time: one encoder, and a \
             lane's playout at 2 % loss and its broadcast; CPU time"
        ),
    })
}

/// A lane from the messages to the audience's packets.
fn hear(messages: &[Message], seed: u64, packets: usize) -> Outcome<()> {
    let mut playout = LivePlayout::new(Codec::Opus);
    let mut broadcast = Broadcast::new().map_err(failed)?;
    let mut random = SplitMix(seed);
    let (mut sent, mut arrived, mut arrives_ns) = (0, 0, 0);
    let mut samples = [0; BROADCAST_SAMPLES];
    let mut now_ns = 0;
    for _ in 0..packets {
        for tick in samples.chunks_exact_mut(TICK_SAMPLES) {
            while let Some(message) = messages.get(sent).filter(|it| it.at_ns <= now_ns) {
                playout.send(message, message.at_ns).map_err(failed)?;
                let late_ns = LOST_NS * u64::from(random.next().is_multiple_of(LOST_OF));
                arrives_ns = (message.at_ns + PATH_NS + late_ns).max(arrives_ns);
                playout.arrive(arrived, arrives_ns).map_err(failed)?;
                (sent, arrived) = (sent + 1, arrived + 1);
            }
            tick.copy_from_slice(&playout.tick(now_ns));
            now_ns += TICK_NS;
        }
        broadcast.encode(&samples).map_err(failed)?;
    }
    Ok(())
}

fn cpu_ns() -> u64 {
    let spent = rustix::time::clock_gettime(ClockId::ThreadCPUTime);
    spent.tv_sec as u64 * 1_000_000_000 + spent.tv_nsec as u64
}

fn failed(error: impl std::fmt::Display) -> Fault {
    Fault::Failed(format!("the sound's bench: {error}"))
}
