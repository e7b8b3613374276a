//! Two lanes that meet the same are heard in step, for hours, and hold no more
//! at the end than at the beginning.
// SPDX-License-Identifier: Apache-2.0
#![allow(missing_docs)]

mod call;
mod signal;

use call::{MS_NS, START_NS};
use signal::{MS, PATH_NS, speech_like};
use thinlab_playout::{Codec, LivePlayout, Message, TICK_NS, encode};

const TICKS_PER_SECOND: u64 = 1_000_000_000 / TICK_NS;
const HOUR_TICKS: u64 = 3600 * TICKS_PER_SECOND;
/// Both lanes' messages are written with so much time to spare.
const AHEAD_NS: u64 = 150 * MS_NS;
/// Each lane's own: the guest serves one after the other.
const OWN_JITTER_NS: u64 = 2 * MS_NS;
/// The machine does nothing: what is due is written at the end.
const STALL_NS: std::ops::Range<u64> = 600_000 * MS_NS..600_300 * MS_NS;

/// A clip over and over, as a demo plays it.
struct Loop(Vec<Message>);

impl Loop {
    /// Twelve seconds of speech in every minute, so that an hour is simulated
    /// in seconds; the stall is in the midst of them.
    fn new() -> Self {
        let mut clip = speech_like(12_000 * MS);
        clip.resize(60_000 * MS, 0);
        clip.rotate_right(6_000 * MS);
        Self(encode(Codec::Opus, &clip).unwrap())
    }

    fn message(&self, number: u64) -> &Message {
        &self.0[(number % self.0.len() as u64) as usize]
    }

    fn captured_ns(&self, number: u64) -> u64 {
        let length_ns = self.0[self.0.len() - 1].at_ns;
        START_NS + number / self.0.len() as u64 * length_ns + self.message(number).at_ns
    }

    /// When a message is written; as a rule, when it was captured.
    fn written_ns(&self, number: u64) -> u64 {
        let captured_ns = self.captured_ns(number);
        if STALL_NS.contains(&(captured_ns - START_NS)) {
            START_NS + STALL_NS.end
        } else {
            captured_ns
        }
    }
}

struct Lane {
    playout: LivePlayout,
    seed: u64,
    arrived: u64,
    arrived_ns: u64,
}

impl Lane {
    fn new(seed: u64) -> Self {
        Self {
            playout: LivePlayout::new(Codec::Opus),
            seed,
            arrived: 0,
            arrived_ns: 0,
        }
    }

    fn hear(&mut self, clip: &Loop, sent: u64, now_ns: u64) {
        while self.arrived < sent {
            let mut noise = self.seed ^ self.arrived.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            noise = (noise ^ (noise >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let took_ns = PATH_NS + (noise >> 33) % OWN_JITTER_NS;
            let at_ns = self.arrived_ns.max(clip.written_ns(self.arrived) + took_ns);
            if at_ns > now_ns {
                break;
            }
            self.playout.arrive(self.arrived, at_ns).unwrap();
            self.arrived_ns = at_ns;
            self.arrived += 1;
        }
        self.playout.tick(now_ns);
    }
}

#[test]
fn an_hour_stays_in_step_and_in_memory_though_the_machine_stalls_once() {
    let clip = Loop::new();
    let mut lanes = [Lane::new(1), Lane::new(2)];
    let mut sent = 0;
    let mut kept_in_a_minute = Vec::new();
    let mut kept_max = (0, 0);
    for tick in 1..=HOUR_TICKS {
        let now_ns = START_NS + tick * TICK_NS;
        while clip.captured_ns(sent) <= now_ns + AHEAD_NS {
            for lane in &mut lanes {
                lane.playout
                    .send(clip.message(sent), clip.captured_ns(sent))
                    .unwrap();
            }
            sent += 1;
        }
        for lane in &mut lanes {
            lane.hear(&clip, sent, now_ns);
            let (samples, messages) = lane.playout.kept();
            kept_max = (kept_max.0.max(samples), kept_max.1.max(messages));
        }
        let reports = [0, 1].map(|lane: usize| lanes[lane].playout.report());
        let apart_ms = (reports[0].delay_ms - reports[1].delay_ms).abs();
        // While both make good what the stall cost, one may be a tick and a
        // splice ahead.
        let catching_up = reports.iter().any(|report| !report.passages.is_empty());
        let apart_max_ms = if catching_up { 30.0 } else { 20.0 };
        assert!(apart_ms <= apart_max_ms, "{apart_ms} ms at tick {tick}");
        if tick % (60 * TICKS_PER_SECOND) == 0 {
            assert!(apart_ms < 7.5, "{apart_ms} ms at tick {tick}");
            kept_in_a_minute.push(std::mem::take(&mut kept_max));
        }
    }
    let facts = lanes.map(|lane| lane.playout.facts());
    for facts in facts {
        // The stall is the only gap, and all of it is made good.
        assert_eq!((facts.gaps, facts.dropped_ms), (1, 0.0));
        assert!((150.0..=310.0).contains(&facts.concealed_ms), "{facts:?}");
        assert!((facts.compressed_ms - facts.concealed_ms - facts.stretched_ms).abs() < 10.0);
    }
    // A quarter of a second of sound; what came in the stall on top of it once.
    let stalled = kept_in_a_minute.remove(10);
    assert!(stalled.0 < 600 * MS && stalled.1 < 20, "{stalled:?}");
    for kept in kept_in_a_minute {
        assert!(kept.0 < 250 * MS && kept.1 < 10, "{kept:?}");
    }
}
