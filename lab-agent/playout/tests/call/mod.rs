//! A call that runs: tells a playout what is known at each tick, and collects
//! what it gives.
// SPDX-License-Identifier: Apache-2.0
#![allow(dead_code)] // each test file uses its part

use thinlab_playout::{Arrival, Codec, LivePlayout, Message, TICK_NS};

pub const MS_NS: u64 = 1_000_000;
/// Of an undisturbed path.
pub const LEAST_DELAY_NS: u64 = 60 * MS_NS;
/// Any instant: 2026.
pub const START_NS: u64 = 1_790_000_000_000_000_000;

pub struct Call<'a> {
    pub playout: LivePlayout,
    messages: &'a [Message],
    arrivals: &'a [Arrival],
    sent: usize,
    arrived: usize,
    pub now_ns: u64,
    pub heard: Vec<i16>,
}

impl<'a> Call<'a> {
    /// The first tick is `from_ns` after the capture of the first sample.
    pub fn new(messages: &'a [Message], arrivals: &'a [Arrival], from_ns: u64) -> Self {
        Self {
            playout: LivePlayout::new(Codec::Opus),
            messages,
            arrivals,
            sent: 0,
            arrived: 0,
            now_ns: START_NS + from_ns,
            heard: Vec::new(),
        }
    }

    /// The same of messages that are datagrams.
    pub fn of_datagrams(messages: &'a [Message], arrivals: &'a [Arrival], from_ns: u64) -> Self {
        Self {
            playout: LivePlayout::of_datagrams(Codec::Opus),
            ..Self::new(messages, arrivals, from_ns)
        }
    }

    pub fn tick(&mut self) {
        while let Some(message) = self.messages.get(self.sent)
            && START_NS + message.at_ns <= self.now_ns
        {
            self.playout
                .send(message, START_NS + message.at_ns)
                .unwrap();
            self.sent += 1;
        }
        while let Some(arrival) = self.arrivals.get(self.arrived)
            && START_NS + arrival.at_ns <= self.now_ns
        {
            self.playout
                .arrive(arrival.message as u64, START_NS + arrival.at_ns)
                .unwrap();
            self.arrived += 1;
        }
        self.heard.extend(self.playout.tick(self.now_ns));
        self.now_ns += TICK_NS;
    }

    pub fn hear(&mut self, samples: usize) {
        while self.heard.len() < samples {
            self.tick();
        }
    }
}
