//! Hear what stalls do: plays a clip over a made-up lossy TCP path.
//!
//! `cargo run --release -p thinlab-playout --example telephone -- CLIP.wav HEARD.wav 0.02`
//!
//! The path is a caricature (a lost message and all behind it wait for one
//! retransmission, now and then for a timeout); recordings come from a lane.
// SPDX-License-Identifier: Apache-2.0

use std::time::Instant;

use thinlab_playout::{Arrival, Codec, Message, encode, play};

const ONE_WAY_NS: u64 = 65_000_000;
/// Three later messages must arrive before the loss is noticed, then it takes a
/// round trip.
const FAST_RETRANSMIT_NS: u64 = 3 * 34_000_000 + 2 * ONE_WAY_NS;
/// The papers' minimum RTO, 200 ms, on top of the round trip.
const TIMEOUT_NS: u64 = 200_000_000 + 2 * ONE_WAY_NS;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, clip, heard, loss_share] = arguments.as_slice() else {
        return Err("give CLIP.wav, HEARD.wav and a loss share such as 0.02".into());
    };
    let wav = std::fs::read(clip)?;
    let (header, data) = wav.split_at(44);
    let source: Vec<i16> = data
        .chunks_exact(2)
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
        .collect();

    let start = Instant::now();
    let messages = encode(Codec::Opus, &source)?;
    let encoded = start.elapsed();
    let arrivals = lossy_path(&messages, loss_share.parse()?);
    let start = Instant::now();
    let recording = play(Codec::Opus, &messages, &arrivals, ONE_WAY_NS, source.len())?;
    let played = start.elapsed();

    let mut out = header.to_vec();
    out.extend(
        recording
            .samples
            .iter()
            .flat_map(|sample| sample.to_le_bytes()),
    );
    std::fs::write(heard, out)?;
    let mut sizes: Vec<usize> = messages.iter().map(|message| message.bytes.len()).collect();
    sizes.sort_unstable();
    println!(
        "{} messages, bytes mean {:.1} min {} median {} max {}",
        sizes.len(),
        sizes.iter().sum::<usize>() as f64 / sizes.len() as f64,
        sizes[0],
        sizes[sizes.len() / 2],
        sizes[sizes.len() - 1]
    );
    println!(
        "encode {encoded:?}, play {played:?}\n{:#?}",
        recording.facts
    );
    Ok(())
}

fn lossy_path(messages: &[Message], loss_share: f64) -> Vec<Arrival> {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut before_ns = 0;
    messages
        .iter()
        .enumerate()
        .map(|(message, sent)| {
            let mut at_ns = sent.at_ns + ONE_WAY_NS;
            if uniform() < loss_share {
                at_ns += FAST_RETRANSMIT_NS;
                let mut backoff_ns = TIMEOUT_NS;
                while uniform() < 3.0 * loss_share {
                    at_ns += backoff_ns;
                    backoff_ns *= 2;
                }
            }
            before_ns = at_ns.max(before_ns);
            Arrival {
                message,
                at_ns: before_ns,
            }
        })
        .collect()
}
