//! A lane's messages from capture to arrival, and when each would have arrived if
//! the machine had never been held up: what is late because the guest or the agent
//! did not run, the network did not delay.
// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;

/// More than a machine at rest is late with writing.
const PUNCTUAL_NS: u64 = 5_000_000;
/// So long after its capture a message that was not written is waited for no more.
const NOT_WRITTEN_NS: u64 = 2_000_000_000;
/// The least that the network takes is remembered for so long, counted by capture.
const WINDOW_NS: u64 = 2_000_000_000;

/// See the module. All instants are of one clock.
#[derive(Default)]
pub struct Way {
    /// Under way, or to be written.
    messages: VecDeque<Message>,
    /// Number of the first of them.
    first: u64,
    burst: Burst,
    recent: VecDeque<Passage>,
    arrived_ns: u64,
}

struct Message {
    captured_ns: u64,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    Due,
    Written(Written),
    Skipped,
}

#[derive(Clone, Copy)]
struct Written {
    /// When the socket had it.
    at_ns: u64,
    /// If it is part of a burst, so much longer than at least it may take.
    forgiven_ns: Option<u64>,
}

/// What is written late is written at once, and TCP's window may hold a part of it
/// back, and what follows. That, too, is the machine's fault: for as long as it was
/// late, as much as it was late. What takes still longer was delayed by the
/// network, and is waited for no more.
#[derive(Default)]
struct Burst {
    late_ns: u64,
    until_ns: u64,
}

/// How a message passed that the machine did not delay.
struct Passage {
    captured_ns: u64,
    took_ns: u64,
}

impl Burst {
    /// A message was written; what it is forgiven.
    fn written(&mut self, captured_ns: u64, at_ns: u64) -> Option<u64> {
        let late_ns = at_ns.saturating_sub(captured_ns);
        if late_ns > PUNCTUAL_NS {
            if captured_ns >= self.until_ns {
                self.late_ns = 0;
            }
            self.late_ns = self.late_ns.max(late_ns);
            self.until_ns = self.until_ns.max(at_ns + self.late_ns);
        }
        (captured_ns < self.until_ns).then_some(self.late_ns)
    }
}

impl Way {
    /// The next message is captured then, which may be yet to come.
    pub fn sent(&mut self, captured_ns: u64) {
        self.messages.push_back(Message {
            captured_ns,
            stage: Stage::Due,
        });
    }

    /// The socket had taken a message by then.
    pub fn written(&mut self, number: u64, at_ns: u64) {
        let index = self.index(number);
        if let Some(message) = index.and_then(|index| self.messages.get_mut(index)) {
            let forgiven_ns = self.burst.written(message.captured_ns, at_ns);
            message.stage = Stage::Written(Written { at_ns, forgiven_ns });
        }
    }

    /// The guest stood still for so much longer: what a burst held back waited for
    /// that, too.
    pub fn stood_still(&mut self, ns: u64) {
        self.burst.late_ns += ns;
        self.burst.until_ns += ns;
        for message in &mut self.messages {
            if let Stage::Written(Written {
                forgiven_ns: Some(forgiven_ns),
                ..
            }) = &mut message.stage
            {
                *forgiven_ns += ns;
            }
        }
    }

    /// A message will never be written.
    pub fn skipped(&mut self, number: u64) {
        let index = self.index(number);
        if let Some(message) = index.and_then(|index| self.messages.get_mut(index)) {
            message.stage = Stage::Skipped;
        }
    }

    fn index(&self, number: u64) -> Option<usize> {
        number.checked_sub(self.first).map(|index| index as usize)
    }

    /// A message was read at `at_ns`, which a standstill may have held up by
    /// `held_ns`: when it would have been read.
    pub fn arrived(&mut self, number: u64, at_ns: u64, held_ns: u64) -> u64 {
        let mut message = None;
        while self.first <= number {
            message = self.messages.pop_front();
            self.first += 1;
        }
        let would_have_ns = match message {
            Some(Message {
                captured_ns,
                stage: Stage::Written(written),
            }) => self.would_have_arrived(captured_ns, written, at_ns, held_ns),
            _ => at_ns,
        };
        // TCP delivers in order.
        self.arrived_ns = self.arrived_ns.max(would_have_ns);
        self.arrived_ns
    }

    fn would_have_arrived(
        &mut self,
        captured_ns: u64,
        written: Written,
        at_ns: u64,
        held_ns: u64,
    ) -> u64 {
        let took_ns = at_ns.saturating_sub(written.at_ns);
        let least_ns = self.least_ns();
        let soonest_ns = at_ns.min(captured_ns + least_ns);
        match written.forgiven_ns {
            Some(forgiven_ns) if took_ns <= least_ns + forgiven_ns + held_ns => soonest_ns,
            Some(_) => at_ns - held_ns,
            None if held_ns > 0 => {
                let would_have_taken_ns = took_ns.saturating_sub(held_ns);
                soonest_ns.max(captured_ns + would_have_taken_ns)
            }
            None => {
                self.observe(captured_ns, took_ns);
                captured_ns + took_ns
            }
        }
    }

    fn observe(&mut self, captured_ns: u64, took_ns: u64) {
        self.recent.push_back(Passage {
            captured_ns,
            took_ns,
        });
        let is_old = |passage: &mut Passage| passage.captured_ns + WINDOW_NS < captured_ns;
        while self.recent.pop_front_if(is_old).is_some() {}
    }

    fn least_ns(&self) -> u64 {
        let took_ns = self.recent.iter().map(|passage| passage.took_ns);
        took_ns.min().unwrap_or(0)
    }

    /// Until when all arrivals are known, as they would have been, when all is told
    /// that was read before `told_ns`.
    pub fn known_until_ns(&self, told_ns: u64) -> u64 {
        let least_ns = self.least_ns();
        let known_ns = self.messages.iter().map(|message| {
            let soonest_ns = message.captured_ns + least_ns;
            match message.stage {
                Stage::Due if told_ns < message.captured_ns + NOT_WRITTEN_NS => soonest_ns,
                Stage::Written(written) => match written.forgiven_ns {
                    Some(forgiven_ns) if told_ns <= written.at_ns + least_ns + forgiven_ns => {
                        soonest_ns
                    }
                    Some(_) => told_ns,
                    None => {
                        let late_ns = written.at_ns.saturating_sub(message.captured_ns);
                        soonest_ns.max(told_ns.saturating_sub(late_ns))
                    }
                },
                Stage::Due | Stage::Skipped => told_ns,
            }
        });
        known_ns.fold(told_ns, u64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const LEAST: u64 = 65 * MS;

    /// Messages every 40 ms that took the least, until this was captured.
    fn punctual(until_ns: u64) -> (Way, u64) {
        let (mut way, mut number) = (Way::default(), 0);
        while number * 40 * MS < until_ns {
            let at_ns = number * 40 * MS;
            way.sent(at_ns);
            way.written(number, at_ns);
            assert_eq!(way.arrived(number, at_ns + LEAST, 0), at_ns + LEAST);
            number += 1;
        }
        (way, number)
    }

    #[test]
    fn on_a_machine_at_rest_arrivals_are_what_they_are() {
        let (mut way, number) = punctual(4000 * MS);
        way.sent(4000 * MS);
        way.written(number, 4001 * MS);
        assert_eq!(way.known_until_ns(4500 * MS), 4499 * MS);
        // Delayed by the network: by a millisecond less as written a millisecond late.
        assert_eq!(way.arrived(number, 4500 * MS, 0), 4499 * MS);
        assert_eq!(way.known_until_ns(4500 * MS), 4500 * MS);
    }

    #[test]
    fn what_a_standstill_held_up_came_when_it_began_but_not_too_soon() {
        let (mut way, number) = punctual(4000 * MS);
        for n in 0..2 {
            way.sent(4000 * MS + n * 40 * MS);
            way.written(number + n, 4000 * MS + n * 40 * MS);
        }
        // From 4080 to 4280; the first had come late by 15 ms before.
        assert_eq!(way.arrived(number, 4280 * MS, 200 * MS), 4080 * MS);
        assert_eq!(way.arrived(number + 1, 4281 * MS, 201 * MS), 4105 * MS);
    }

    #[test]
    fn what_was_written_late_came_in_time_unless_the_network_was_late_too() {
        let (mut way, number) = punctual(4000 * MS);
        for n in 0..3 {
            way.sent(4000 * MS + n * 40 * MS);
            way.written(number + n, 4110 * MS);
        }
        way.sent(4220 * MS);
        // Nothing is known of what would have come by now.
        assert_eq!(way.known_until_ns(4170 * MS), 4065 * MS);
        assert_eq!(way.arrived(number, 4175 * MS, 0), 4065 * MS);
        assert_eq!(way.known_until_ns(4180 * MS), 4105 * MS);
        // The window held it back.
        assert_eq!(way.arrived(number + 1, 4240 * MS, 0), 4105 * MS);
        assert_eq!(way.known_until_ns(4285 * MS), 4145 * MS);
        way.stood_still(50 * MS);
        assert_eq!(way.known_until_ns(4335 * MS), 4145 * MS);
        // As much later as it was written late, and it is the network's.
        assert_eq!(way.known_until_ns(4336 * MS), 4285 * MS);
        assert_eq!(way.arrived(number + 2, 4400 * MS, 0), 4400 * MS);
    }

    #[test]
    fn nobody_waits_for_what_will_not_come() {
        let (mut way, number) = punctual(4000 * MS);
        way.sent(4000 * MS);
        way.sent(4040 * MS);
        assert_eq!(way.known_until_ns(5000 * MS), 4065 * MS);
        way.skipped(number);
        assert_eq!(way.known_until_ns(5000 * MS), 4105 * MS);
        assert_eq!(way.known_until_ns(6040 * MS), 6040 * MS);
    }

    #[test]
    fn memory_is_bounded() {
        let (way, _) = punctual(600_000 * MS);
        assert!(way.recent.len() <= 51 && way.messages.is_empty());
    }
}
