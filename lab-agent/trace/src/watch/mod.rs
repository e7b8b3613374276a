//! The analysis of a connection while it runs: packet by packet, by the code
//! that analyses files.
// SPDX-License-Identifier: Apache-2.0

mod damaged;
mod figures;
mod following;
mod meeting;
mod messages;
mod news;
mod opening;
mod unread;

use lab_proto::{LaneFigures, MessagePassage, PacketDeparture, PacketFate};

use self::opening::{Opening, Seen};
use crate::analysis::{Analysis, Options, analyze};
use crate::error::{AnalyzeError, End};
use crate::flow::Flow;
use following::Following;

/// What to follow, and how.
#[derive(Clone, Debug, Default)]
pub struct WatchOptions {
    /// Which connection, in which direction; by default the first one that is
    /// opened, the way its SYN goes.
    pub flow: Option<Flow>,
    /// What a message is.
    pub messages: Messages,
    /// Single packets and messages older than this are forgotten; the figures
    /// stay whole. What a path holds back for longer counts as lost, and
    /// [`Watch::figures_since`] reaches no further back. None: nothing is.
    pub forget_after_ns: Option<i64>,
    /// Whether the flow is of datagrams, of which each is there for itself. Then the first
    /// packet that leaves its sender says which flow it is.
    pub is_of_datagrams: bool,
    /// Whether TCP's receiver may take what came damaged, as TCP Lite does: a damaged packet
    /// whose bytes it acknowledges, and that nothing else brought, has arrived. What
    /// [`crate::accept_damaged`] does to files.
    pub takes_damage: bool,
}

/// What a message is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Messages {
    /// What the application writes, as told by [`Watch::wrote`].
    #[default]
    Written,
    /// Each packet's new bytes. Their write is taken for their transmission.
    Packets,
}

/// One connection between two ends with one clock, as its packets pass.
///
/// Each end's frames come in the order of its capture. How the two ends' and the
/// applications' instants take turns changes nothing in the end.
#[derive(Clone, Debug)]
pub struct Watch {
    messages: Messages,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// Before it is known which connection it is and where its stream begins.
    Opening(Box<Opening>),
    Following(Box<Following>),
}

/// What became known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    /// Packets that left. Numbers rise by one.
    pub departures: Vec<PacketDeparture>,
    /// What became of packets. A packet that one behind it has overtaken is lost;
    /// where it arrives after all, that is told as a second fate.
    pub fates: Vec<PacketFate>,
    /// Messages that became available, in order of the stream.
    pub messages: Vec<MessagePassage>,
}

impl Watch {
    /// Nothing has been seen yet.
    pub fn new(options: WatchOptions) -> Self {
        Self {
            messages: options.messages,
            state: State::Opening(Box::new(Opening::new(options))),
        }
    }

    /// An Ethernet frame, whole, in the capture of `end`.
    pub fn saw(&mut self, end: End, at_ns: i64, frame: &[u8]) {
        match &mut self.state {
            State::Following(following) => following.saw(end, at_ns, frame),
            State::Opening(opening) => {
                if let Some(following) = opening.saw(end, at_ns, frame) {
                    self.state = State::Following(Box::new(following));
                }
            }
        }
    }

    /// The application wrote message `number`, which ends at offset `end` of the
    /// stream. Numbers rise; those of messages that were never written are left
    /// out.
    pub fn wrote(&mut self, number: u64, at_ns: u64, end: u64) {
        self.application(Seen::Wrote { number, at_ns, end });
    }

    /// The other application has read all of message `number`.
    pub fn read(&mut self, number: u64, at_ns: u64) {
        self.application(Seen::Read { number, at_ns });
    }

    fn application(&mut self, seen: Seen) {
        match &mut self.state {
            State::Following(following) => following.application(seen),
            State::Opening(opening) => opening.application.push(seen),
        }
    }

    /// Nothing more will come: what is under way is lost. From here on the
    /// figures are those of the two captures as files.
    pub fn end(&mut self) {
        if let State::Following(following) = &mut self.state {
            following.end();
        }
    }

    /// What became known since the last call.
    pub fn news(&mut self) -> News {
        match &mut self.state {
            State::Following(following) => following.news(),
            State::Opening(_) => News::default(),
        }
    }

    /// The figures of all so far. Packets under way are neither lost nor arrived.
    pub fn figures(&self) -> LaneFigures {
        match &self.state {
            State::Following(following) => following.figures(),
            State::Opening(_) => figures::none(),
        }
    }

    /// The same of what was sent (and, of messages felt, written) since `at_ns`.
    pub fn figures_since(&self, at_ns: i64) -> LaneFigures {
        match &self.state {
            State::Following(following) => following.figures_since(at_ns),
            State::Opening(_) => figures::none(),
        }
    }

    /// All there is to tell: what [`analyze`] says of the two captures as files,
    /// with the messages as they were written, but for forgotten messages and
    /// ranges.
    ///
    /// # Errors
    /// [`AnalyzeError`], as of files.
    pub fn finish(self) -> Result<Analysis, AnalyzeError> {
        match self.state {
            State::Following(mut following) => {
                following.end();
                following.finish()
            }
            State::Opening(opening) => {
                let message_ends = match self.messages {
                    Messages::Written => Some(opening.written_ends()),
                    Messages::Packets => None,
                };
                let options = Options {
                    flow: opening.options.flow,
                    message_ends,
                    ..Options::default()
                };
                let [sender, receiver] = opening.captures();
                analyze(&sender, &receiver, &options)
            }
        }
    }
}
