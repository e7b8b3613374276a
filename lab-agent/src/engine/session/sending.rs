//! The writing half of a flow: its messages, each at its time, into a socket that
//! may not take them at once. It knows nothing of the half that reads.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::TransferFlow;

use crate::engine::departures::Departures;
use crate::fault::Outcome;

/// What is still to be written of a flow, and when the rest was.
pub struct Sending<'a> {
    flow: &'a TransferFlow,
    departures: Departures<&'a [u8]>,
    /// When each message was due to be handed over and was, as far as its socket
    /// had room.
    pub written_ns: Vec<u64>,
    /// Messages that the socket did not take at once.
    pub blocked_writes: u64,
}

impl<'a> Sending<'a> {
    /// All of it is to be written.
    pub fn new(flow: &'a TransferFlow) -> Self {
        Self {
            flow,
            departures: Departures::default(),
            written_ns: Vec::with_capacity(flow.at_ns.len()),
            blocked_writes: 0,
        }
    }

    /// When the next message is due; none: all are written.
    pub fn next_ns(&self) -> Option<u64> {
        self.flow.at_ns.get(self.written_ns.len()).copied()
    }

    /// When the last message is due.
    pub fn last_ns(&self) -> Option<u64> {
        self.flow.at_ns.last().copied()
    }

    /// Writes the messages whose time has come, one write each, as far as `write`
    /// takes them.
    pub fn write_due(
        &mut self,
        now: u64,
        mut write: impl FnMut(&[u8]) -> Outcome<usize>,
    ) -> Outcome<()> {
        while let Some(at) = self.next_ns()
            && at <= now
        {
            let blocked = self.wants_room();
            let start = self.departures.due_bytes() as usize;
            let length = self.flow.message_bytes[self.written_ns.len()] as usize;
            let message = &self.flow.stream[start..start + length];
            self.departures.push(at, message);
            self.written_ns.push(now);
            if !blocked {
                self.write(&mut write)?;
            }
            if self.wants_room() {
                self.blocked_writes += 1;
            }
        }
        Ok(())
    }

    /// Writes what had no room before.
    pub fn write(&mut self, write: impl FnMut(&[u8]) -> Outcome<usize>) -> Outcome<()> {
        self.departures.write(write)?;
        self.departures.forget_written();
        Ok(())
    }

    /// Whether something waits for room in the socket.
    pub fn wants_room(&self) -> bool {
        self.departures.unwritten_bytes() > 0
    }
}
