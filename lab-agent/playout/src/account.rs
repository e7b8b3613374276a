//! What became of every sample: of the source, and of the output.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::PlayoutFacts;

use crate::SAMPLES_PER_MS;
use crate::timeline::{Event, EventKind, Timeline};

/// Samples by what happened to them. Two identities hold exactly:
///
/// - output: `played + concealed + after_end = length`
/// - source: `played + compressed + dropped + lost + unplayed = source + stretched`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Of the output.
    pub length: u64,
    /// Output that carries source audio.
    pub played: u64,
    /// Output made up while the next message was missing: concealment, then silence.
    pub concealed: u64,
    /// Output while nothing was to be heard: after the last sample of the
    /// source, and before and between what a call has.
    pub after_end: u64,
    /// Of the source, as decoded (the last message's padding included).
    pub source: u64,
    /// Source heard twice, to fall back behind.
    pub stretched: u64,
    /// Source left out by playing faster.
    pub compressed: u64,
    /// Source thrown away because it came too late to be of use.
    pub dropped: u64,
    /// Source that was given up: its messages had not come when their place was over.
    pub lost: u64,
    /// Source not yet played when the output ended.
    pub unplayed: u64,
    /// Runs of concealment.
    pub gaps: u64,
    /// The longest of them, in samples.
    pub longest_gap: u64,
    run: u64,
    timeline: Timeline,
    delay_sum: i128,
    delay_max: Option<i64>,
}

impl Account {
    /// Output that carries source audio, heard `delay` samples after its
    /// capture, beyond the earliest message's delay.
    pub(crate) fn play(&mut self, samples: usize, delay: i64) {
        if samples == 0 {
            return;
        }
        self.run = 0;
        self.length += samples as u64;
        self.played += samples as u64;
        self.delay_sum += i128::from(delay) * samples as i128;
        self.delay_max = self.delay_max.max(Some(delay));
    }

    /// Output made up: `sounding` samples of concealment, then `silent` ones.
    pub(crate) fn conceal(&mut self, sounding: usize, silent: usize) {
        for (kind, samples) in [
            (EventKind::Concealed, sounding as u64),
            (EventKind::Silent, silent as u64),
        ] {
            if samples == 0 {
                continue;
            }
            self.timeline.last(kind, self.length, samples);
            self.gaps += u64::from(self.run == 0);
            self.run += samples;
            self.longest_gap = self.longest_gap.max(self.run);
            self.length += samples;
            self.concealed += samples;
        }
    }

    /// Source repeated, from the next sample of the output on.
    pub(crate) fn stretch(&mut self, samples: usize) {
        self.stretched += samples as u64;
        self.happen(EventKind::Stretched, samples);
    }

    /// Source left out, before the next sample of the output.
    pub(crate) fn compress(&mut self, samples: usize) {
        self.compressed += samples as u64;
        self.happen(EventKind::Compressed, samples);
    }

    /// Source thrown away, before the next sample of the output.
    pub(crate) fn throw_away(&mut self, samples: usize) {
        self.dropped += samples as u64;
        self.happen(EventKind::Dropped, samples);
    }

    /// Source given up, whose place in the output was made up before.
    pub(crate) fn give_up(&mut self, samples: usize) {
        self.source += samples as u64;
        self.lost += samples as u64;
    }

    /// For how long nothing but made-up output has been heard.
    pub(crate) fn run(&self) -> u64 {
        self.run
    }

    fn happen(&mut self, kind: EventKind, samples: usize) {
        self.timeline.happen(kind, self.length, samples as u64);
    }

    /// What was done, in order of its place in the output.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.timeline.events
    }

    /// The same, and no longer kept here.
    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.timeline.events)
    }

    pub(crate) fn end(&mut self, samples: usize) {
        self.run = 0;
        self.length += samples as u64;
        self.after_end += samples as u64;
    }

    /// In the contract's terms. `beyond_minimum_ns` is what the earliest
    /// message took beyond the path's minimum.
    pub(crate) fn facts(&self, beyond_minimum_ns: i64) -> PlayoutFacts {
        let lowest_ms = beyond_minimum_ns as f64 / 1e6;
        let mean = self.delay_sum as f64 / self.played.max(1) as f64;
        let delay_ms = |samples: f64| match self.delay_max {
            Some(_) => samples / SAMPLES_PER_MS as f64 + lowest_ms,
            None => 0.0,
        };
        PlayoutFacts {
            played_ms: self.played / SAMPLES_PER_MS as u64,
            gaps: self.gaps,
            concealed_ms: ms(self.concealed),
            longest_gap_ms: ms(self.longest_gap),
            stretched_ms: ms(self.stretched),
            compressed_ms: ms(self.compressed),
            dropped_ms: ms(self.dropped),
            damaged_ms: None,
            lost_ms: Some(ms(self.lost)),
            delay_mean_ms: delay_ms(mean),
            delay_max_ms: delay_ms(self.delay_max.unwrap_or(0) as f64),
        }
    }
}

fn ms(samples: u64) -> f64 {
    samples as f64 / SAMPLES_PER_MS as f64
}
