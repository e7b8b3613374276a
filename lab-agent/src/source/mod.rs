//! Sources: what is sent over a lane, as messages with times. One file each.
//! A session's are known before it begins; [`live`] makes them as time goes on.
// SPDX-License-Identifier: Apache-2.0
pub mod audio;
mod bulk;
mod clip;
mod distribution;
mod drawn;
pub mod live;
mod microphone;
mod replay;
mod synthetic;
mod timeline;
mod voice;

use lab_proto::stream::Kind;

use crate::fault::{Outcome, invalid};

/// What an analysis has room for.
pub const MOST_MESSAGES: usize = 1_000_000;
/// What fits into a guest, with its copies: ten hours of a thin stream.
pub const LONGEST_STREAM_BYTES: usize = 32 << 20;
/// A day: what the contract's nanoseconds are safe with, many times over.
pub const LONGEST_STREAM_NS: u64 = 86_400_000_000_000;

/// One application write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// When, from the start of the stream; of sound, when its last sample was
    /// captured.
    pub at_ns: u64,
    /// What, length prefix included if it has one.
    pub bytes: Vec<u8>,
}

/// Something that can be sent.
pub trait Stream {
    /// The messages, in the order of their times. Deterministic in `seed`.
    fn messages(&self, seed: u64) -> Outcome<Vec<Message>>;
}

/// The messages of a flow's stream, checked.
///
/// # Errors
/// `Invalid`, naming the field and the remedy.
pub fn messages(kind: Option<&Kind>, seed: u64) -> Outcome<Vec<Message>> {
    const ENDING: &str = "give audio, synthetic, replay, bulk or drawn";
    let endless = |name| {
        invalid(format!(
            "{name} goes on without end, and a session has one: {ENDING}"
        ))
    };
    let (stream, name): (&dyn Stream, _) = match kind {
        Some(Kind::Audio(stream)) => (stream, "audio"),
        Some(Kind::Synthetic(stream)) => (stream, "synthetic"),
        Some(Kind::Replay(stream)) => (stream, "replay"),
        Some(Kind::Bulk(stream)) => (stream, "bulk"),
        Some(Kind::Drawn(stream)) => (stream, "drawn"),
        Some(Kind::Microphone(_)) => return endless("microphone"),
        Some(Kind::Terminal(_)) => return endless("terminal"),
        None => return invalid(format!("stream is not set: {ENDING}")),
    };
    let messages = stream.messages(seed)?;
    let Some(last) = messages.last() else {
        return invalid(format!("{name} has no messages: give one"));
    };
    if last.at_ns > LONGEST_STREAM_NS {
        return invalid(format!("{name} lasts longer than a day: send it in parts"));
    }
    let bytes: usize = messages.iter().map(|message| message.bytes.len()).sum();
    if bytes > LONGEST_STREAM_BYTES {
        return invalid(format!(
            "{name} has {} MiB: send at most {} MiB in a session",
            bytes >> 20,
            LONGEST_STREAM_BYTES >> 20
        ));
    }
    Ok(messages)
}
