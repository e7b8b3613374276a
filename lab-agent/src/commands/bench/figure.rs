//! What a bench gives, and what several of them send.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::path::Loss;
use lab_proto::{LaneSpec, Path, UniformLoss};
use serde::Serialize;

/// Of all lanes.
pub const LANE_SEED: u64 = 1;

/// A figure that Thinlab states.
#[derive(Serialize)]
pub struct Figure {
    pub name: &'static str,
    pub value: f64,
    pub unit: &'static str,
    pub how: String,
}

/// The papers' lane: 130 ms there and back.
pub fn lane(mechanisms: Vec<i32>, loss_share: f64) -> LaneSpec {
    let path = Path {
        delay_us: 65_000,
        loss: Some(Loss::Uniform(UniformLoss { loss_share })),
        ..Path::default()
    };
    LaneSpec {
        mechanisms,
        seed: LANE_SEED,
        ..LaneSpec::both_ways(path)
    }
}

/// A voice-like sound: a gliding tone with three harmonics, in syllables.
pub fn samples(seconds: usize) -> impl Iterator<Item = i16> {
    (0..seconds * 48_000).map(|index| {
        let t = index as f64 / 48_000.0;
        let phase = std::f64::consts::TAU * 140.0 * t + 3.0 * (2.0 * t).sin();
        let tone: f64 = (1..=4)
            .map(|k| (phase * f64::from(k)).sin() / f64::from(k))
            .sum();
        let syllable = (std::f64::consts::PI * 4.0 * t).sin().max(0.0);
        (tone * syllable * 8000.0) as i16
    })
}

/// The middle one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
