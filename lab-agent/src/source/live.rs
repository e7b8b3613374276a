//! Sources without end: their messages are made as time goes on, and they can be
//! stopped, fed and changed meanwhile.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind as Stream;
use lab_proto::{SoundPiece, SyntheticStream};
use thinlab_playout::Codec;

use super::Message;
use super::audio::codec;
use super::clip::{self, Clip};
use super::microphone::{self, Microphone};
use super::synthetic::{self, Endless};
use super::timeline::Timeline;
use super::voice::{PIECE_NS, Voice};
use crate::fault::{Fault, Outcome, invalid};

/// So long before they are due messages go to the guest: far longer than a busy
/// machine holds them up, and as long as a pause takes to be heard of.
pub const AHEAD_NS: u64 = 150_000_000;

const ENDLESS: &str = "give audio, microphone, synthetic or terminal";

/// Checks a take's stream, but for what its terminals need of a host.
///
/// # Errors
/// `Invalid`, naming the field and the remedy.
pub fn check(kind: Option<&Stream>) -> Outcome<()> {
    match kind {
        Some(Stream::Audio(stream)) => clip::check(stream),
        Some(Stream::Synthetic(stream)) => synthetic::check_endless(stream),
        Some(Stream::Microphone(_) | Stream::Terminal(_)) => Ok(()),
        Some(Stream::Replay(_)) => ends("replay"),
        Some(Stream::Bulk(_)) => ends("bulk"),
        Some(Stream::Drawn(_)) => ends("drawn"),
        None => invalid(format!("stream is not set: {ENDLESS}")),
    }
}

fn ends<T>(name: &str) -> Outcome<T> {
    invalid(format!("{name} has an end, and a demo goes on: {ENDLESS}"))
}

/// The messages of a take, without end.
pub struct Source {
    timeline: Timeline,
    kind: Kind,
}

enum Kind {
    Clip(Voice, Clip),
    Microphone(Voice, Microphone),
    Synthetic(Endless),
    /// People type: there is nothing to send by itself.
    Keys,
}

impl Source {
    /// Begins at `now_ns`; the stream was checked.
    pub fn new(stream: &Stream, seed: u64, now_ns: u64) -> Outcome<Self> {
        let kind = match stream {
            Stream::Audio(clip) => Kind::Clip(Voice::new(codec(clip.codec)?)?, Clip::new(clip)),
            Stream::Microphone(sound) => {
                Kind::Microphone(Voice::new(codec(sound.codec)?)?, Microphone::default())
            }
            Stream::Synthetic(stream) => Kind::Synthetic(Endless::new(*stream, seed)),
            Stream::Terminal(_) => Kind::Keys,
            Stream::Replay(_) => return ends("replay"),
            Stream::Bulk(_) => return ends("bulk"),
            Stream::Drawn(_) => return ends("drawn"),
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
            Kind::Synthetic(made) => made.until(until_ns + AHEAD_NS),
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
            Kind::Synthetic(made) => made.next_ns().saturating_sub(AHEAD_NS),
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
            Kind::Synthetic(made) => made.next_ns(),
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
        microphone::check(piece)?;
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
    pub fn set(&mut self, stream: SyntheticStream, now_ns: u64) -> Outcome<()> {
        synthetic::check_endless(&stream)?;
        match &mut self.kind {
            Kind::Synthetic(made) => {
                made.set(stream, self.timeline.stream_ns(now_ns).unwrap_or_default());
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

    /// What it is coded as, if it is to be heard.
    pub fn codec(&self) -> Option<Codec> {
        match &self.kind {
            Kind::Clip(voice, _) | Kind::Microphone(voice, _) => Some(voice.codec()),
            Kind::Synthetic(_) | Kind::Keys => None,
        }
    }
}

fn other(input: &str) -> Fault {
    Fault::Invalid(format!(
        "{input}: the take's stream is of another kind; open a take for it"
    ))
}

#[cfg(test)]
mod tests {
    use lab_proto::{AudioStream, BulkStream, MicrophoneStream, ReplayStream};

    use super::*;

    #[test]
    fn what_cannot_go_on_without_end_is_refused_by_name() {
        let even = SyntheticStream::endless(120, 140_000);
        assert!(check(Some(&Stream::Synthetic(even))).is_ok());
        assert!(check(Some(&Stream::Microphone(MicrophoneStream::default()))).is_ok());
        let synthetic = |spoil: fn(&mut SyntheticStream)| {
            let mut spoiled = even;
            spoil(&mut spoiled);
            Stream::Synthetic(spoiled)
        };
        let audio = |bytes, start_sample| {
            Stream::Audio(AudioStream {
                source_s16le_48k_mono: vec![0; bytes],
                start_sample,
                ..AudioStream::default()
            })
        };
        for (beginning, kind) in [
            ("audio.source_s16le_48k_mono", audio(0, 0)),
            ("audio.source_s16le_48k_mono", audio(3, 0)),
            ("audio.start_sample", audio(8, 4)),
            (
                "synthetic.payload_bytes",
                synthetic(|it| it.payload_bytes = 1401),
            ),
            ("synthetic.iat_us", synthetic(|it| it.iat_us = 9_999)),
            (
                "synthetic.iat_spread_us",
                synthetic(|it| it.iat_spread_us = 70_001),
            ),
            (
                "synthetic.iat_distribution",
                synthetic(|it| it.iat_distribution = 9),
            ),
            ("synthetic.messages", synthetic(|it| it.messages = 1)),
            ("replay has an end", Stream::Replay(ReplayStream::default())),
            ("bulk has an end", Stream::Bulk(BulkStream { bytes: 1 })),
        ] {
            check(Some(&kind)).unwrap_err().expect_invalid(beginning);
        }
        check(None).unwrap_err().expect_invalid("stream is not set");
    }
}
