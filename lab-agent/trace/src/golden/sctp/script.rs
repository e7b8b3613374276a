//! The script of an association: which chunks there are, in which packets they leave and
//! why, and what the path does to those.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeMap;

use super::super::script::{self, Clocks, Fate, Path};
use super::truth::Truth;
use super::wire::Wire;
use crate::sctp::ChunkKind;

/// A message or a fragment of one. Its TSN is its place among all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub stream: u16,
    pub is_ordered: bool,
    pub begins: bool,
    pub ends: bool,
    pub bytes: u64,
    /// Number of its message in its stream, among the ordered or the unordered.
    pub message: u32,
    /// Number of the fragment in it.
    pub fragment: u32,
}

/// One packet with data.
#[derive(Clone, Debug)]
pub(super) struct Send {
    pub at_ns: u64,
    /// Which pieces, each with why it is in it.
    pub pieces: Vec<(usize, ChunkKind)>,
    pub fate: Fate,
    pub on_second_path: bool,
}

/// A packet without data.
#[derive(Clone, Debug)]
pub(super) struct Control {
    pub at_ns: u64,
    pub from_sender: bool,
    pub kind: u8,
    pub value: Vec<u8>,
    pub fate: Fate,
    pub on_second_path: bool,
}

/// What a script leaves behind.
pub type Played = script::Played<Truth>;

/// An association to be played. The handshake begins at 0 and is over after two round
/// trips: let the data start later.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Identity and habits on the wire.
    pub wire: Wire,
    /// The captures' clocks.
    pub clocks: Clocks,
    /// Delays of what the script does not decide itself.
    pub path: Path,
    /// Whether the captures lack the handshake.
    pub without_handshake: bool,
    /// How many INIT ACKs are lost, each with a tag and a TSN of its own: until the cookie
    /// comes back, a receiver remembers nothing.
    pub lost_init_acks: u32,
    pub(super) pieces: Vec<Piece>,
    pub(super) sends: Vec<Send>,
    pub(super) controls: Vec<Control>,
    pub(super) sack_fates: BTreeMap<usize, Fate>,
    pub(super) answers: Vec<(u64, u64, Fate)>,
}

impl Script {
    /// An empty script: RTT 130 ms, one nanosecond clock, IPv4.
    pub fn new() -> Self {
        Self::default()
    }

    /// There is an ordered message in one chunk; returns the chunk.
    pub fn message(&mut self, stream: u16, bytes: u64) -> usize {
        self.fragments(stream, true, &[bytes])
    }

    /// There is an unordered message in one chunk.
    pub fn unordered(&mut self, stream: u16, bytes: u64) -> usize {
        self.fragments(stream, false, &[bytes])
    }

    /// There is a message in several chunks; returns the first.
    pub fn fragments(&mut self, stream: u16, is_ordered: bool, bytes: &[u64]) -> usize {
        let first = self.pieces.len();
        for fragment in 0..bytes.len() {
            self.fragment(stream, is_ordered, bytes[fragment], (fragment, bytes.len()));
        }
        first
    }

    /// There is a fragment: so many-th of so many. Those of one message follow each
    /// other in their stream.
    pub fn fragment(
        &mut self,
        stream: u16,
        is_ordered: bool,
        bytes: u64,
        (fragment, of): (usize, usize),
    ) -> usize {
        let same =
            |piece: &&Piece| piece.stream == stream && piece.is_ordered == is_ordered && piece.ends;
        let message = self.pieces.iter().filter(same).count() as u32;
        self.pieces.push(Piece {
            stream,
            is_ordered,
            begins: fragment == 0,
            ends: fragment + 1 == of,
            bytes,
            message,
            fragment: fragment as u32,
        });
        self.pieces.len() - 1
    }

    /// A packet leaves with some chunks, each for a reason.
    pub fn send(&mut self, at_ns: u64, pieces: &[(usize, ChunkKind)], fate: Fate) -> &mut Self {
        self.sends.push(Send {
            at_ns,
            pieces: pieces.to_vec(),
            fate,
            on_second_path: false,
        });
        self
    }

    /// A packet leaves with chunks for the first time.
    pub fn new_chunks(&mut self, at_ns: u64, pieces: &[usize], fate: Fate) -> &mut Self {
        let pieces = pieces.iter().map(|piece| (*piece, ChunkKind::New));
        let pieces: Vec<_> = pieces.collect();
        self.send(at_ns, &pieces, fate)
    }

    /// The last packet takes the second path.
    ///
    /// # Panics
    /// When none has left.
    pub fn by_second_path(&mut self) -> &mut Self {
        self.sends
            .last_mut()
            .expect("a packet to be sent")
            .on_second_path = true;
        self
    }

    /// Decides the fate of the `ordinal`-th (from 0) acknowledgement; the others arrive
    /// after [`Path::backward_ns`].
    pub fn sack(&mut self, ordinal: usize, fate: Fate) -> &mut Self {
        self.sack_fates.insert(ordinal, fate);
        self
    }

    /// The receiver sends a message of its own.
    pub fn answer(&mut self, at_ns: u64, bytes: u64, fate: Fate) -> &mut Self {
        self.answers.push((at_ns, bytes, fate));
        self
    }

    /// A chunk without data leaves either end: its kind, and what is in it.
    pub fn control(
        &mut self,
        at_ns: u64,
        from_sender: bool,
        (kind, value): (u8, &[u8]),
        fate: Fate,
    ) -> &mut Self {
        self.controls.push(Control {
            at_ns,
            from_sender,
            kind,
            value: value.to_vec(),
            fate,
            on_second_path: false,
        });
        self
    }

    /// The last one takes the second path.
    ///
    /// # Panics
    /// When there is none.
    pub fn control_by_second_path(&mut self) -> &mut Self {
        self.controls
            .last_mut()
            .expect("a chunk to be sent")
            .on_second_path = true;
        self
    }
}
