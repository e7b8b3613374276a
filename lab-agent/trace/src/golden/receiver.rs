//! The script's receiver: it keeps what it accepts, byte by byte, and says so
//! with cumulative and selective acknowledgements.
// SPDX-License-Identifier: Apache-2.0

use std::ops::Range;

use super::script::{Fate, Send};

/// The window a receiver offers when the script does not say.
const WINDOW_BYTES: u64 = 1 << 20;
/// What the SYN-ACK offers.
const FIRST_WINDOW_BYTES: u64 = 65_160;

/// One acknowledgement.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub at_ns: u64,
    /// The first byte not yet held in order (one more after the FIN).
    pub next: u64,
    /// Ranges held above it, the latest first.
    pub held: Vec<Range<u64>>,
    pub window: u64,
}

/// A copy of a transmission that the receiver took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// Index of the transmission.
    pub send: usize,
    pub at_ns: u64,
}

pub(super) struct Receiver {
    holds: Vec<bool>,
    windows: Vec<(u64, u64)>,
    /// One past the highest byte ever offered room for.
    edge: u64,
    finished: bool,
    pub takes_damage_from: Option<usize>,
    pub taken: Vec<Taken>,
}

enum Event {
    Data { send: usize, refused: bool },
    Fin,
    Window,
}

impl Receiver {
    pub(super) fn new(
        stream_bytes: usize,
        windows: &[(u64, u64)],
        handshake: bool,
        takes_damage_from: Option<usize>,
    ) -> Self {
        Self {
            holds: vec![false; stream_bytes],
            windows: windows.to_vec(),
            edge: if handshake {
                FIRST_WINDOW_BYTES
            } else {
                u64::MAX
            },
            finished: false,
            takes_damage_from,
            taken: Vec::new(),
        }
    }

    /// Hears everything in order of arrival and returns what it says back.
    pub(super) fn listen(
        &mut self,
        sends: &[Send],
        fins: &[(u64, Fate)],
        ack_after_ns: u64,
    ) -> Vec<Said> {
        let mut events = Vec::new();
        for (index, send) in sends.iter().enumerate() {
            let refused = send.fate.is_damage_refused(self.takes_damage_from);
            for (after_ns, _) in send.fate.arrivals() {
                let data = Event::Data {
                    send: index,
                    refused,
                };
                events.push((send.at_ns + after_ns, send.at_ns, data));
            }
        }
        for (at_ns, fate) in fins {
            for (after_ns, _) in fate.arrivals() {
                events.push((at_ns + after_ns, *at_ns, Event::Fin));
            }
        }
        events.extend(
            self.windows
                .iter()
                .map(|(at_ns, _)| (*at_ns, *at_ns, Event::Window)),
        );
        events.sort_by_key(|(arrival, departure, _)| (*arrival, *departure));
        let mut said = Vec::new();
        for (at_ns, _, event) in events {
            let mut latest = None;
            match event {
                Event::Data { refused: true, .. } => continue,
                Event::Data { send, .. } => {
                    self.take(send, &sends[send], at_ns);
                    latest = u64::try_from(sends[send].offset).ok();
                }
                Event::Fin => self.finished = true,
                Event::Window => {}
            }
            said.push(self.say(at_ns + ack_after_ns, latest));
        }
        said
    }

    fn take(&mut self, index: usize, send: &Send, at_ns: u64) {
        let Ok(start) = u64::try_from(send.offset) else {
            return;
        };
        if start >= self.edge {
            return;
        }
        for byte in start..start + send.length {
            self.holds[byte as usize] = true;
        }
        self.taken.push(Taken { send: index, at_ns });
    }

    fn say(&mut self, at_ns: u64, latest: Option<u64>) -> Said {
        let mut runs = self.runs();
        let in_order = runs
            .first()
            .filter(|run| run.start == 0)
            .map_or(0, |run| run.end);
        runs.retain(|run| run.start > in_order);
        let is_latest = |run: &Range<u64>| latest.is_some_and(|byte| run.contains(&byte));
        runs.sort_by_key(|run| (!is_latest(run), run.start));
        let whole = in_order == self.holds.len() as u64;
        let offered = self.windows.iter().rev().find(|(from, _)| *from <= at_ns);
        let window = offered.map_or(WINDOW_BYTES, |(_, bytes)| *bytes);
        self.edge = self.edge.max(in_order + window);
        Said {
            at_ns,
            next: in_order + u64::from(self.finished && whole),
            held: runs,
            window,
        }
    }

    fn runs(&self) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        for (byte, _) in self.holds.iter().enumerate().filter(|(_, holds)| **holds) {
            let byte = byte as u64;
            match runs.last_mut() {
                Some(run) if run.end == byte => run.end += 1,
                _ => runs.push(byte..byte + 1),
            }
        }
        runs
    }
}
