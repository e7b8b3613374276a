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
            stream: SplitMix(7).bytes(all_bytes as usize),
            message_bytes,
            ..TransferFlow::default()
        }
    }

    #[test]
    fn answers_are_due_after_what_they_answer_and_in_order() {
        let flow = TransferFlow {
            at_ns: vec![0, 50, 10],
            message_bytes: vec![1, 1, 1],
            stream: vec![1, 2, 3],
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
            receiving.take(&buffer[..read], now);
        }
        assert!(other.wait().unwrap().success());
        assert_eq!(receiving.available_ns.len(), flow.at_ns.len());
        assert!(receiving.available_ns.is_sorted());
        assert_eq!(receiving.arrivals().changed_bytes(), 0);
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
