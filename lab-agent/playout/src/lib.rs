//! What a telephone does at both ends of a lane: framing before the
//! socket, jitter buffer, concealment and time stretching after it.
//!
//! Nothing here does I/O or reads a clock: [`encode`] is a function of the
//! audio, [`play`] of the messages and of when each became readable. Both are
//! deterministic on every machine. `docs/playout.md` gives each parameter and
//! its reason.
//!
//! [`Encoder`] and [`LivePlayout`] do the same to audio that comes as it is
//! spoken, [`Broadcast`] encodes what is heard for who listens in.
//!
//! ```
//! use thinlab_playout::{Arrival, Codec, encode, play};
//!
//! let source = vec![0_i16; 48_000];
//! let messages = encode(Codec::Opus, &source)?;
//! // A path that takes 65 ms, always.
//! let arrivals: Vec<Arrival> = messages
//!     .iter()
//!     .enumerate()
//!     .map(|(message, sent)| Arrival { message, at_ns: sent.at_ns + 65_000_000 })
//!     .collect();
//! let heard = play(Codec::Opus, &messages, &arrivals, 65_000_000, source.len())?;
//! assert_eq!(heard.samples.len(), source.len());
//! assert_eq!(heard.facts.gaps, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
// SPDX-License-Identifier: Apache-2.0
#![forbid(unsafe_code)]
// Counts of samples: an hour is 2^28 of them.
#![allow(clippy::cast_possible_wrap)]

mod account;
mod broadcast;
mod buffer;
mod codec;
mod conceal;
mod damage;
mod decode;
mod encode;
mod frame_lengths;
mod live;
mod lowest;
mod play;
mod receiver;
mod splice;
mod target;
mod timeline;
mod under_way;

pub use account::Account;
pub use broadcast::{BROADCAST_SAMPLES, Broadcast};
pub use codec::Codec;
pub use damage::{Damage, damage};
pub use decode::{MessageError, decode};
pub use encode::{EncodeError, Encoder, encode};
pub use live::{LivePlayout, TICK_NS, TICK_SAMPLES};
pub use play::{PlayError, Playout, play, play_datagrams};
pub use timeline::{Event, EventKind};
pub use under_way::LiveError;

/// Of every buffer of samples in this crate; mono.
pub const SAMPLE_RATE_HZ: u32 = 48_000;

/// The longest message (docs/playout.md, framing).
pub const LONGEST_MESSAGE_MS: u32 = 40;

const SAMPLES_PER_MS: usize = SAMPLE_RATE_HZ as usize / 1000;

/// One frame as the application writes it to its socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// When the frame's last sample was captured: the earliest moment at which
    /// a sender can write it. Counts from the capture of the first sample.
    pub at_ns: u64,
    /// A big-endian `u16`, the length of what the codec made, which follows.
    pub bytes: Vec<u8>,
}

/// A message has become readable, as a whole and in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Index into the messages.
    pub message: usize,
    /// Same clock and zero as [`Message::at_ns`].
    pub at_ns: u64,
}

const fn ns_of_samples(samples: u64) -> u64 {
    // 48 000 samples a second: 125 000 / 6 ns each, exact for whole milliseconds.
    samples * 125_000 / 6
}

/// Rounded down.
const fn samples_of_ns(ns: i64) -> i64 {
    (ns * 6).div_euclid(125_000)
}
