//! The writing half of a flow: its messages, each at its time, into a socket that
//! may not take them at once. It knows nothing of the half that reads.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::guest::TransferFlow;

use crate::engine::departures::Departures;
use crate::fault::Outcome;

/// What is still to be written of a flow, and when the rest was.
pub struct Sending<'a> {
    flow: &'a TransferFlow,
    /// When messages that answer are due, as far as what they answer was read.
    answers_ns: Vec<u64>,
    departures: Departures<&'a [u8]>,
    /// When each message was due to be handed over and was, as far as its socket
    /// had room.
    pub written_ns: Vec<u64>,
    /// Messages that the socket did not take at once.
    pub blocked_writes: u64,
}

/// Whether a flow's messages come one after the other, and not all at once.
pub fn has_gaps(flow: &TransferFlow) -> bool {
    flow.answers || flow.at_ns.first() != flow.at_ns.last()
}

impl<'a> Sending<'a> {
    /// All of it is to be written.
    pub fn new(flow: &'a TransferFlow) -> Self {
        Self {
            flow,
            answers_ns: Vec::new(),
            departures: Departures::default(),
            written_ns: Vec::with_capacity(flow.at_ns.len()),
            blocked_writes: 0,
        }
    }

    /// When the next message is due; none: all are written, or what the next one
    /// answers was not read.
    pub fn next_ns(&self) -> Option<u64> {
        self.due_ns().get(self.written_ns.len()).copied()
    }

    /// When the last message is due, as far as that is known.
    pub fn last_ns(&self) -> Option<u64> {
        self.due_ns().last().copied()
    }

    fn due_ns(&self) -> &[u64] {
        if self.flow.answers {
            &self.answers_ns
        } else {
            &self.flow.at_ns
        }
    }

    /// What a flow that answers is to answer was read at these times so far.
    pub fn answer(&mut self, read_ns: &[u64]) {
        if !self.flow.answers {
            return;
        }
        let known = self.answers_ns.len();
        let after_ns = &self.flow.at_ns[known..];
        for (read_ns, after_ns) in read_ns[known.min(read_ns.len())..].iter().zip(after_ns) {
            let earlier_ns = self.answers_ns.last().copied().unwrap_or(0);
            self.answers_ns.push(earlier_ns.max(read_ns + after_ns));
        }
    }

    /// The messages that are not due yet: number, time, bytes; none of a flow that
    /// answers, whose times are not known before.
    pub fn planned(&self) -> impl Iterator<Item = (usize, u64, &'a [u8])> {
        let flow = self.flow;
        let mut start = self.departures.due_bytes() as usize;
        let known = if flow.answers { 0 } else { flow.at_ns.len() };
        (self.written_ns.len()..known).map(move |message| {
            let end = start + flow.message_bytes[message] as usize;
            let bytes = &flow.stream[start..end];
            start = end;
            (message, flow.at_ns[message], bytes)
        })
    }

    /// See [`has_gaps`].
    pub fn has_gaps(&self) -> bool {
        has_gaps(self.flow)
    }

    /// Whether it sends something for each message that the other one reads.
    pub fn is_answer(&self) -> bool {
        self.flow.answers
    }

    /// Somebody else has written the messages up to this one, each at its time, and of
    /// the last one so many bytes.
    pub fn was_written(&mut self, message: usize, bytes: usize) -> Outcome<()> {
        while self.written_ns.len() <= message {
            let number = self.written_ns.len();
            let taken = if number < message {
                self.flow.message_bytes[number] as usize
            } else {
                bytes
            };
            let at = self.flow.at_ns[number];
            let mut left = taken;
            self.write_next(at, at, |bytes| {
                Ok(std::mem::take(&mut left).min(bytes.len()))
            })?;
        }
        Ok(())
    }

    /// As [`Self::was_written`], of all there are.
    pub fn was_all_written(&mut self) -> Outcome<()> {
        match (self.flow.at_ns.len(), self.flow.message_bytes.last()) {
            (all @ 1.., Some(&bytes)) => self.was_written(all - 1, bytes as usize),
            _ => Ok(()),
        }
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
            self.write_next(at, now, &mut write)?;
        }
        Ok(())
    }

    fn write_next(
        &mut self,
        at: u64,
        now: u64,
        write: impl FnMut(&[u8]) -> Outcome<usize>,
    ) -> Outcome<()> {
        let blocked = self.wants_room();
        let start = self.departures.due_bytes() as usize;
        let length = self.flow.message_bytes[self.written_ns.len()] as usize;
        let message = &self.flow.stream[start..start + length];
        self.departures.push(at, message);
        self.written_ns.push(now);
        if !blocked {
            self.write(write)?;
        }
        if self.wants_room() {
            self.blocked_writes += 1;
        }
        Ok(())
    }

    /// Writes what had no room before.
    pub fn write(&mut self, write: impl FnMut(&[u8]) -> Outcome<usize>) -> Outcome<()> {
        self.departures.write(write)?;
        self.departures.forget_written();
        Ok(())
    }

    /// Whether there is nothing left to write.
    pub fn is_over(&self) -> bool {
        self.written_ns.len() == self.flow.at_ns.len() && !self.wants_room()
    }

    /// Whether something waits for room in the socket.
    pub fn wants_room(&self) -> bool {
        self.departures.unwritten_bytes() > 0
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::process::Command;

    use super::*;
    use crate::engine::session::receiving::Receiving;
    use crate::fault::Doing as _;
    use crate::random::SplitMix;

    const OTHER_PROCESS: &str = "engine::session::sending::tests::the_half_that_writes";

    /// Its last message is more than a socket takes at once.
    fn flow() -> TransferFlow {
        let message_bytes: Vec<u32> = (1..=200).chain([4 << 20]).collect();
        let all_bytes: u32 = message_bytes.iter().sum();
        TransferFlow {
            at_ns: (0..message_bytes.len() as u64).collect(),
            stream: SplitMix(7).bytes(all_bytes as usize).into(),
            message_bytes,
            ..TransferFlow::default()
        }
    }

    #[test]
    fn what_somebody_else_has_written_is_written_at_its_time() {
        let flow = TransferFlow {
            at_ns: vec![10, 20, 30],
            message_bytes: vec![2, 3, 4],
            stream: (0..9).collect(),
            ..TransferFlow::default()
        };
        let mut sending = Sending::new(&flow);
        let planned: Vec<_> = sending.planned().skip(1).collect();
        let (second, third) = (&flow.stream[2..5], &flow.stream[5..]);
        assert_eq!(planned, [(1, 20, second), (2, 30, third)]);
        // Of the second message one byte had room.
        sending.was_written(1, 1).unwrap();
        assert_eq!((sending.next_ns(), sending.blocked_writes), (Some(30), 1));
        assert_eq!(sending.planned().next(), Some((2, 30, third)));
        let mut rest = Vec::new();
        sending
            .write(|bytes| {
                rest.extend_from_slice(bytes);
                Ok(bytes.len())
            })
            .unwrap();
        assert_eq!(rest, [3, 4]);
        sending.was_all_written().unwrap();
        assert_eq!(sending.written_ns, [10, 20, 30]);
        assert!(!sending.wants_room());
    }

    #[test]
    fn answers_are_due_after_what_they_answer_and_in_order() {
        let flow = TransferFlow {
            at_ns: vec![0, 50, 10],
            message_bytes: vec![1, 1, 1],
            stream: vec![1, 2, 3].into(),
            answers: true,
            ..TransferFlow::default()
        };
        let mut sending = Sending::new(&flow);
        assert_eq!(sending.next_ns(), None);
        sending.answer(&[100]);
        assert_eq!(sending.next_ns(), Some(100));
        let mut write = |bytes: &[u8]| Ok(bytes.len());
        sending.write_due(120, &mut write).unwrap();
        assert_eq!(sending.next_ns(), None);
        sending.answer(&[100, 200, 210]);
        assert_eq!(sending.next_ns(), Some(250));
        sending.write_due(250, &mut write).unwrap();
        assert_eq!(sending.written_ns, [120, 250, 250]);
    }

    /// On two machines neither half sees the other's memory.
    #[test]
    fn halves_in_two_processes_share_the_connection_alone() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let writing = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut reading, _) = listener.accept().unwrap();
        let mut other = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", OTHER_PROCESS, "--ignored"])
            .stdin(OwnedFd::from(writing))
            .spawn()
            .unwrap();
        let flow = flow();
        let mut receiving = Receiving::new(&flow);
        let mut buffer = vec![0; 1 << 16];
        let mut now = 0;
        while receiving.missing_bytes() > 0 {
            let read = reading.read(&mut buffer).unwrap();
            assert!(read > 0, "the other process ended early");
            now += 1;
            receiving.take(None, &buffer[..read], now);
        }
        assert!(other.wait().unwrap().success());
        assert_eq!(receiving.available_ns.len(), flow.at_ns.len());
        assert!(receiving.available_ns.is_sorted());
        assert_eq!(receiving.changed_bytes(), 0);
    }

    #[test]
    #[ignore = "the other process of the test above, whose socket is its input"]
    fn the_half_that_writes() {
        let socket = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
        let mut socket = TcpStream::from(socket);
        let flow = flow();
        let mut sending = Sending::new(&flow);
        let mut write = |bytes: &[u8]| socket.write(bytes).doing("writing to the stream");
        while let Some(due_ns) = sending.next_ns() {
            sending.write_due(due_ns, &mut write).unwrap();
            while sending.wants_room() {
                sending.write(&mut write).unwrap();
            }
        }
        assert_eq!(sending.written_ns, flow.at_ns);
    }
}
