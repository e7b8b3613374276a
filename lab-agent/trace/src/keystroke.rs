//! Keystrokes over SSH: which packet of the stream carried a key, and which
//! brought its echo.
//!
//! SSH encrypts, so nothing can be read out of the stream. But whoever relays it
//! between SSH and the sockets knows when each piece passed, and causes come
//! before effects: a key is in the first piece that SSH hands over after the key
//! was typed, and its echo begins with the first piece that the other end hands
//! over after the key was delivered there.
//!
//! Two rules sort out what comes close together. Every piece that follows a key
//! at once was made for a key of its own: where two keys and then two pieces
//! come within [`TURN_NS`], the second key is in the second piece, although it
//! was typed before the first. And a key that has no echo (an arrow at the edge
//! of the text) must not take that of the next one.
// SPDX-License-Identifier: Apache-2.0

/// SSH makes a piece of what was typed within this, on a machine that is not
/// overloaded: a read, an encryption, a write, and the turns in between.
const TURN_NS: u64 = 3_000_000;
/// An editor that has not answered after this has nothing to say to a key.
const ECHO_LIMIT_NS: u64 = 100_000_000;

/// A piece of a stream that passed: how many bytes of the stream had passed
/// after it, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Stream offset after the piece.
    pub offset_end: u64,
    /// Since 1970.
    pub at_ns: u64,
}

/// A key, as it was written to the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its number; rises from key to key.
    pub number: u32,
    /// Since 1970.
    pub at_ns: u64,
}

/// All that was relayed between SSH and the sockets, each in order of time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Relayed<'a> {
    /// Into the sender's socket.
    pub key_written: &'a [Passage],
    /// Out of the receiver's socket.
    pub key_delivered: &'a [Passage],
    /// Into the receiver's socket.
    pub echo_written: &'a [Passage],
    /// Out of the sender's socket.
    pub echo_delivered: &'a [Passage],
}

/// A piece of a stream, from its writer to its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// Stream offset of its first byte.
    pub start: u64,
    /// Stream offset after its last byte.
    pub end: u64,
    /// When it was handed to the socket.
    pub written_ns: u64,
    /// When the other end had read all of it; none when it never had.
    pub delivered_ns: Option<u64>,
}

/// What became of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyWay {
    /// The key's number.
    pub number: u32,
    /// The piece that held it; none when SSH never sent it.
    pub key: Option<Carried>,
    /// The piece that its echo began with; none when it has none.
    pub echo: Option<Carried>,
}

/// The way of every key, in order.
pub fn ways(keys: &[Key], relayed: &Relayed) -> Vec<KeyWay> {
    let carried: Vec<Option<Carried>> = pieces(keys, relayed.key_written)
        .into_iter()
        .map(|piece| Some(carry(relayed.key_written, piece?, relayed.key_delivered)))
        .collect();
    let delivered_ns = |key: &Option<Carried>| key.and_then(|key| key.delivered_ns);
    keys.iter()
        .enumerate()
        .map(|(index, key)| {
            let echo = delivered_ns(&carried[index]).and_then(|at_ns| {
                let later = carried[index..].iter().filter_map(delivered_ns);
                let next_ns = later
                    .into_iter()
                    .find(|later| *later > at_ns + ECHO_LIMIT_NS);
                echo(at_ns, next_ns, relayed)
            });
            KeyWay {
                number: key.number,
                key: carried[index],
                echo,
            }
        })
        .collect()
}

/// For each key the piece that holds it, as an index.
fn pieces(keys: &[Key], written: &[Passage]) -> Vec<Option<usize>> {
    let typed_before = |at_ns: u64| keys.partition_point(|key| key.at_ns <= at_ns);
    let mut pieces = vec![None; keys.len()];
    let mut taken = 0;
    for (index, piece) in written.iter().enumerate() {
        let here = typed_before(piece.at_ns) - taken;
        if here == 0 {
            // SSH's own: a greeting, more room for screens.
            continue;
        }
        let soon = written[index + 1..]
            .iter()
            .take_while(|later| later.at_ns <= piece.at_ns + TURN_NS);
        let left_for_later = soon
            .enumerate()
            .map(|(between, later)| (typed_before(later.at_ns) - taken).saturating_sub(between + 1))
            .min();
        let held = here.min(left_for_later.unwrap_or(here)).max(1);
        pieces[taken..taken + held].fill(Some(index));
        taken += held;
    }
    pieces
}

/// The first piece after `delivered_ns`, unless it answers a key that came at
/// `next_ns`, long after this one.
fn echo(delivered_ns: u64, next_ns: Option<u64>, relayed: &Relayed) -> Option<Carried> {
    let written = relayed.echo_written;
    let first = written.partition_point(|piece| piece.at_ns < delivered_ns);
    let at_ns = written.get(first)?.at_ns;
    if next_ns.is_some_and(|next_ns| next_ns <= at_ns) {
        return None;
    }
    Some(carry(written, first, relayed.echo_delivered))
}

fn carry(written: &[Passage], index: usize, delivered: &[Passage]) -> Carried {
    let piece = written[index];
    let whole = delivered.partition_point(|passed| passed.offset_end < piece.offset_end);
    Carried {
        start: index
            .checked_sub(1)
            .map_or(0, |before| written[before].offset_end),
        end: piece.offset_end,
        written_ns: piece.at_ns,
        delivered_ns: delivered.get(whole).map(|passed| passed.at_ns),
    }
}

/// The same while it happens: which keys the screens so far have answered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answers {
    /// Of the keys, those that need no further look.
    keys: usize,
    /// Of `key_written`, those that hold them.
    pieces: usize,
    highest: u32,
}

impl Answers {
    /// The highest key whose echo was at the sender's end by `at_ns`; 0: none.
    /// `keys` and `relayed` are all there are so far.
    pub fn by(&mut self, at_ns: u64, keys: &[Key], relayed: &Relayed) -> u32 {
        self.newly_by(at_ns, keys, relayed);
        self.highest
    }

    /// The ways of those whose echo is there by `at_ns` and was not at the last
    /// call; keys without an echo are left out.
    pub fn newly_by(&mut self, at_ns: u64, keys: &[Key], relayed: &Relayed) -> Vec<KeyWay> {
        let open = Relayed {
            key_written: &relayed.key_written[self.pieces..],
            ..*relayed
        };
        let mut ways = ways(&keys[self.keys..], &open);
        let answered = |way: &KeyWay| {
            let echo = way.echo.and_then(|echo| echo.delivered_ns);
            echo.is_some_and(|delivered_ns| delivered_ns <= at_ns)
        };
        let Some(last) = ways.iter().rposition(answered) else {
            return Vec::new();
        };
        self.highest = ways[last].number;
        self.keys += last + 1;
        let end = ways[last].key.map_or(0, |key| key.end);
        self.pieces = relayed
            .key_written
            .partition_point(|piece| piece.offset_end <= end);
        ways.truncate(last + 1);
        ways.retain(answered);
        ways
    }

    /// The highest key that was answered so far; 0: none.
    pub fn highest(&self) -> u32 {
        self.highest
    }
}
