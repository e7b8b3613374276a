//! Sources without end: their messages are made as time goes on, and they can be
//! stopped, fed and changed meanwhile.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::demo_open::Stream;
use lab_proto::{DemoSynthetic, SoundPiece};

use super::Message;
use super::clip::Clip;
use super::microphone::Microphone;
use super::synthetic::Even;
use super::timeline::Timeline;
use super::voice::{PIECE_NS, Voice};
use crate::fault::{Fault, Outcome};

/// So long before they are due messages go to the guest: far longer than a busy
/// machine holds them up, and as long as a pause takes to be heard of.
pub const AHEAD_NS: u64 = 150_000_000;

/// The messages of a take, without end.
pub struct Source {
    timeline: Timeline,
    kind: Kind,
}

enum Kind {
    Clip(Voice, Clip),
    Microphone(Voice, Microphone),
    Even(Even),
    /// People type: there is nothing to send by itself.
    Keys,
}

impl Source {
    /// Begins at `now_ns`.
    pub fn new(stream: &Stream, seed: u64, now_ns: u64) -> Outcome<Self> {
        let kind = match stream {
            Stream::Clip(clip) => Kind::Clip(Voice::new()?, Clip::new(clip)),
            Stream::Microphone(_) => Kind::Microphone(Voice::new()?, Microphone::default()),
            Stream::Synthetic(stream) => Kind::Even(Even::new(*stream, seed)),
            Stream::Terminal(_) => Kind::Keys,
        };
        Ok(Self {
            timeline: Timeline::new(now_ns),
            kind,
        })
    }

    /// The messages that are to be on their way at `now_ns` and were not given
    /// before.
    pub fn until(&mut self, now_ns: u64) -> Outcome<Vec<Message>> {
        let Some(until_ns) = self.timeline.stream_ns(now_ns) else {
            return Ok(Vec::new());
        };
        let made = match &mut self.kind {
            Kind::Clip(voice, clip) => {
                voice.speak(until_ns + AHEAD_NS, |count| clip.next(count))?
            }
            Kind::Microphone(voice, sound) => voice.speak(until_ns, |count| sound.next(count))?,
            Kind::Even(even) => even.until(until_ns + AHEAD_NS),
            Kind::Keys => Vec::new(),
        };
        let placed = made.into_iter().map(|message| Message {
            at_ns: self.timeline.at_ns(message.at_ns),
            ..message
        });
        Ok(placed.collect())
    }

    /// When to ask again.
    pub fn next_ns(&self, now_ns: u64) -> u64 {
        let next_ns = match &self.kind {
            Kind::Clip(voice, _) => (voice.made_ns() + PIECE_NS).saturating_sub(AHEAD_NS),
            Kind::Microphone(voice, _) => voice.made_ns() + PIECE_NS,
            Kind::Even(even) => even.next_ns().saturating_sub(AHEAD_NS),
            Kind::Keys => return u64::MAX,
        };
        match self.timeline.stream_ns(now_ns) {
            Some(_) => self.timeline.at_ns(next_ns),
            None => u64::MAX,
        }
    }

    /// Stops, or goes on where it stopped.
    pub fn pause(&mut self, paused: bool, now_ns: u64) {
        let made_ns = match &self.kind {
            Kind::Clip(voice, _) | Kind::Microphone(voice, _) => voice.made_ns(),
            Kind::Even(even) => even.next_ns(),
            Kind::Keys => 0,
        };
        if paused {
            self.timeline.stop();
        } else {
            self.timeline.go_on(now_ns, made_ns);
        }
    }

    /// Sound that came in.
    pub fn hear(&mut self, piece: &SoundPiece) -> Outcome<()> {
        match &mut self.kind {
            Kind::Microphone(_, sound) => {
                if !self.timeline.is_stopped() {
                    sound.hear(&piece.s16le_48k_mono);
                }
                Ok(())
            }
            _ => Err(other("microphone")),
        }
    }

    /// A new size and pace.
    pub fn set(&mut self, stream: DemoSynthetic, now_ns: u64) -> Outcome<()> {
        match &mut self.kind {
            Kind::Even(even) => {
                even.set(stream, self.timeline.stream_ns(now_ns).unwrap_or_default());
                Ok(())
            }
            _ => Err(other("synthetic")),
        }
    }

    /// Whether people type into it.
    pub fn takes_keys(&self) -> Outcome<()> {
        match self.kind {
            Kind::Keys => Ok(()),
            _ => Err(other("keys")),
        }
    }

    /// Whether it is to be heard.
    pub fn is_sound(&self) -> bool {
        matches!(self.kind, Kind::Clip(..) | Kind::Microphone(..))
    }
}

fn other(input: &str) -> Fault {
    Fault::Invalid(format!(
        "{input}: the take's stream is of another kind; open a take for it"
    ))
}
