//! What the receiver did to the sound, and where in the recording.
// SPDX-License-Identifier: Apache-2.0

use lab_proto::PlayoutEvent;

use crate::SAMPLES_PER_MS;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Made up from what was heard before, while the next message was missing.
    Concealed,
    /// Nothing to hear, while the next message was missing.
    Silent,
    /// Source heard twice.
    Stretched,
    /// Source left out by playing faster, or where the sound came back.
    Compressed,
    /// Source thrown away because it came too late.
    Dropped,
}

impl EventKind {
    /// The contract's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Concealed => "concealed",
            Self::Silent => "silent",
            Self::Stretched => "stretched",
            Self::Compressed => "compressed",
            Self::Dropped => "dropped",
        }
    }
}

/// One thing done, to the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Its first sample in the recording.
    pub at: u64,
    /// Of the recording if [`EventKind::Concealed`] or [`EventKind::Silent`]:
    /// so long does it last. Of the source else: so much was added or is missing.
    pub samples: u64,
}

impl Event {
    /// In the contract's terms.
    pub(crate) fn in_ms(self) -> PlayoutEvent {
        let ms = |samples: u64| samples as f64 / SAMPLES_PER_MS as f64;
        PlayoutEvent {
            kind: self.kind.name().into(),
            at_ms: ms(self.at),
            length_ms: ms(self.samples),
        }
    }
}

/// In order of `at`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timeline {
    pub events: Vec<Event>,
}

impl Timeline {
    /// Something that takes time in the recording: goes on where the last of
    /// its kind ended, or begins.
    pub fn last(&mut self, kind: EventKind, at: u64, samples: u64) {
        let before = self.events.iter_mut().rfind(|event| event.kind == kind);
        match before.filter(|event| event.at + event.samples == at) {
            Some(event) => event.samples += samples,
            None => self.happen(kind, at, samples),
        }
    }

    /// Something that takes no time of its own.
    pub fn happen(&mut self, kind: EventKind, at: u64, samples: u64) {
        if samples > 0 {
            self.events.push(Event { kind, at, samples });
        }
    }
}
