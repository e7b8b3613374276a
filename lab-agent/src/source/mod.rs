//! Sources: what is sent over a lane, as messages with times. One file each.
//! A session's are known before it begins; [`live`] makes them as time goes on.
// SPDX-License-Identifier: Apache-2.0
pub mod audio;
mod bulk;
mod clip;
pub mod live;
mod microphone;
mod replay;
mod synthetic;
mod timeline;
mod voice;

use lab_proto::flow::Stream as StreamSpec;

use crate::fault::{Fault, Outcome};

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
pub fn messages(spec: Option<&StreamSpec>, seed: u64) -> Outcome<Vec<Message>> {
    let (stream, name): (&dyn Stream, _) = match spec {
        Some(StreamSpec::Audio(stream)) => (stream, "audio"),
        Some(StreamSpec::Synthetic(stream)) => (stream, "synthetic"),
        Some(StreamSpec::Replay(stream)) => (stream, "replay"),
        Some(StreamSpec::Bulk(stream)) => (stream, "bulk"),
        None => {
            return Err(Fault::Invalid(
                "stream is not set: give audio, synthetic, replay or bulk".into(),
            ));
        }
    };
    let messages = stream.messages(seed)?;
    let Some(last) = messages.last() else {
        return Err(Fault::Invalid(format!("{name} has no messages: give one")));
    };
    if last.at_ns > LONGEST_STREAM_NS {
        return Err(Fault::Invalid(format!(
            "{name} lasts longer than a day: send it in parts"
        )));
    }
    let bytes: usize = messages.iter().map(|message| message.bytes.len()).sum();
    if bytes > LONGEST_STREAM_BYTES {
        return Err(Fault::Invalid(format!(
            "{name} has {} MiB: send at most {} MiB in a session",
            bytes >> 20,
            LONGEST_STREAM_BYTES >> 20
        )));
    }
    Ok(messages)
}
