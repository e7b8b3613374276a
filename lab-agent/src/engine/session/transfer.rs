//! Sends every flow's messages over its lane at their times, and stamps when the
//! other end can read each of them whole.
//!
//! One thread, one place to wait, all ends: nothing but the kernel's timers and the lanes
//! decides when something happens, so that in virtual time every run is the same
//! run.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lab_proto::LaneChange;
use lab_proto::guest::{Transfer, TransferFlow, TransferLane, Transferred, TransferredLane};

use super::flow::Flow;
use super::sending;
use super::waiting::{CHAINED, Waiting, Woken};
use crate::capture::FRAMES;
use crate::clock::{Clock, Pace, timespec};
use crate::engine::balance;
use crate::engine::captures::{Captures, Seen};
use crate::engine::rest::Rest;
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::{Lane, damages};
use crate::punctual;

/// How long after the last message the streams may still be under way: twenty
/// minutes is past the kernel's own limit for a dead connection.
const DRAIN_LIMIT: Duration = Duration::from_mins(20);
/// Steps in which the end of a flow, and of the transfer, is looked for.
const SETTLE_STEP_NS: u64 = 1_000_000;

/// What surely fits into one segment (MSS), options and all.
const SEGMENT_BYTES: u32 = 1_400;
/// At either end, of a message that fits into a segment: the most eager mechanisms send it
/// three times, and each is acknowledged. Two are to spare.
const PACKETS_OF_A_MESSAGE: usize = 8;

/// Runs the transfer on lanes of its own and leaves their captures in
/// `spool`/`folder`. `stop` ends it early.
///
/// # Errors
/// `Failed` when a connection broke, a stream did not get through, bytes arrived
/// changed that no path damages, or sent − received is not what the emulator
/// dropped.
pub fn run(
    transfer: &Transfer,
    spool: &Path,
    pace: Pace,
    stop: &AtomicBool,
) -> Outcome<Transferred> {
    let folder = spool.join(&transfer.folder);
    let mut lanes = open(transfer)?;
    let captures = lanes.iter().zip(&transfer.lanes);
    let captures = captures.map(|(lane, asked)| Captures::open(lane, frames(asked), &folder));
    let mut captures = captures.collect::<Outcome<Vec<_>>>()?;
    let settings = lanes.iter_mut().map(Lane::settings);
    let settings = settings.collect::<Outcome<_>>()?;
    become_punctual()?;
    let flows = connect(transfer, &lanes, &mut captures)?;
    let changes = transfer.lanes.iter();
    let changes = changes.map(|lane| Changes {
        before_it: lane.changes.iter().peekable(),
        in_all: lane.changes.len(),
        may_remain: lane.changes_may_remain,
    });
    let mut pump = Pump::new(lanes, flows, changes.collect(), captures, pace, stop)?;
    pump.send_all()?;
    pump.settle()?;
    pump.finish(transfer.shared_bottleneck, settings)
}

/// How many packets an end of the lane may see between two looks.
fn frames(lane: &TransferLane) -> usize {
    let is_thin = |flow: &TransferFlow| {
        let mut sizes = flow.message_bytes.iter();
        sending::has_gaps(flow) && sizes.all(|&bytes| bytes <= SEGMENT_BYTES)
    };
    if lane.flows.len() <= CHAINED && lane.flows.iter().all(is_thin) {
        CHAINED * PACKETS_OF_A_MESSAGE
    } else {
        FRAMES
    }
}

fn open(transfer: &Transfer) -> Outcome<Vec<Lane>> {
    let unset = || Fault::Invalid("lane is not set".into());
    let specs = transfer
        .lanes
        .iter()
        .map(|lane| lane.lane.as_ref().ok_or_else(unset));
    let specs = specs.collect::<Outcome<Vec<_>>>()?;
    if transfer.shared_bottleneck {
        return Lane::open_at_one_bottleneck(&specs);
    }
    let specs = specs.into_iter().enumerate();
    specs
        .map(|(number, spec)| Lane::open_nth(spec, number))
        .collect()
}

/// Opens every flow's connection, one after the other. The handshakes of hundreds are more
/// than a ring holds.
fn connect<'a>(
    transfer: &'a Transfer,
    lanes: &[Lane],
    captures: &mut [Captures],
) -> Outcome<Vec<Flow<'a>>> {
    let may_change = may_change(transfer);
    let mut flows: Vec<Flow<'a>> = Vec::new();
    for (number, (lane, asked)) in lanes.iter().zip(&transfer.lanes).enumerate() {
        for (nth, flow) in asked.flows.iter().enumerate() {
            flows.push(match flows.last() {
                Some(there) if flow.same_connection => there.back(flow)?,
                _ => Flow::open(lane, number, nth, flow, may_change)?,
            });
            captures[number].drain()?;
        }
    }
    Ok(flows)
}

/// Whether a path damages packets, from the beginning or later.
fn may_change(transfer: &Transfer) -> bool {
    let specs = |lane: &TransferLane| {
        let later = lane.changes.iter().filter_map(|change| change.spec.clone());
        lane.lane
            .clone()
            .into_iter()
            .chain(later)
            .any(|spec| damages(&spec))
    };
    transfer.lanes.iter().any(specs)
}

/// Takes the calling thread out of the kernel's timer slack: epoll lets other
/// threads sleep a thousandth longer than they asked, which would move every
/// message by that much.
fn become_punctual() -> Outcome<()> {
    punctual::prefer(punctual::PROGRAM).doing("giving the stream's thread priority")
}

/// What happens to a lane.
struct Changes<'a> {
    before_it: std::iter::Peekable<std::slice::Iter<'a, LaneChange>>,
    in_all: usize,
    may_remain: bool,
}

/// The transfer under way.
struct Pump<'a> {
    lanes: Vec<Lane>,
    flows: Vec<Flow<'a>>,
    /// By lanes.
    changes: Vec<Changes<'a>>,
    captures: Vec<Captures>,
    stop: &'a AtomicBool,
    waiting: Waiting<'a>,
    clock: Clock,
    start_ns: u64,
    /// Of what may be lost: looks for whether more of it is under way, and the last one.
    rest: Rest,
    looked_ns: u64,
}

impl<'a> Pump<'a> {
    fn new(
        lanes: Vec<Lane>,
        flows: Vec<Flow<'a>>,
        changes: Vec<Changes<'a>>,
        captures: Vec<Captures>,
        pace: Pace,
        stop: &'a AtomicBool,
    ) -> Outcome<Self> {
        let clock = Clock::new(pace);
        Ok(Self {
            waiting: Waiting::new(&flows, pace, clock.now_ns())?,
            lanes,
            flows,
            changes,
            captures,
            stop,
            start_ns: clock.now_ns(),
            clock,
            rest: Rest::begin(0, DRAIN_LIMIT),
            looked_ns: 0,
        })
    }

    /// Until every flow's reader has read everything, or all that comes.
    fn send_all(&mut self) -> Outcome<()> {
        let due = self.flows.iter().filter_map(|flow| flow.sending.last_ns());
        let deadline_ns = due.max().unwrap_or(0) + DRAIN_LIMIT.as_nanos() as u64;
        let mut now = 0;
        loop {
            self.change_due(now)?;
            self.write_due(now)?;
            self.expect()?;
            if self.flows.iter().all(Flow::is_over) && self.is_at_rest(now)? {
                self.scheduled_is_written()?;
                return self.check_all_changed(now);
            }
            if now > deadline_ns {
                return Err(self.too_slow());
            }
            let next_ns = self.next_ns(now).unwrap_or(deadline_ns + 1);
            let readable = self.wait(now, next_ns)?;
            now = self.clock.now_ns() - self.start_ns;
            for number in readable {
                let flow = &mut self.flows[number];
                self.waiting.read(number, flow, now)?;
                self.answer(number + 1);
            }
            self.flows.iter_mut().try_for_each(|flow| flow.look(now))?;
        }
    }

    /// Has each flow read. Reads are heard of that are answered, or of which one is the last.
    fn expect(&mut self) -> Outcome<()> {
        for number in 0..self.flows.len() {
            let next = self.flows.get(number + 1);
            let is_answered = next.is_some_and(|next| next.sending.is_answer());
            let flow = &mut self.flows[number];
            let is_heard_of = is_answered || flow.sending.is_over();
            self.waiting.expect(number, flow, is_heard_of)?;
        }
        Ok(())
    }

    /// Tells a flow that answers the one before it what was read of that.
    fn answer(&mut self, flow: usize) {
        let (before, after) = self.flows.split_at_mut(flow);
        if let (Some(asking), Some(answering)) = (before.last(), after.first_mut()) {
            answering.sending.answer(&asking.receiving.available_ns);
        }
    }

    /// Whether nothing can come any more of flows whose messages may be lost; they are written.
    fn is_at_rest(&mut self, now: u64) -> Outcome<bool> {
        if !self.flows.iter().any(Flow::is_lossy) {
            return Ok(true);
        }
        if now < self.looked_ns + SETTLE_STEP_NS {
            return Ok(false);
        }
        self.looked_ns = now;
        let mut under_way = 0;
        for lane in &mut self.lanes {
            under_way += lane.under_way()?;
        }
        Ok(self.rest.look(under_way == 0))
    }

    fn too_slow(&self) -> Fault {
        let missing: u64 = self
            .flows
            .iter()
            .filter(|flow| !flow.is_lossy())
            .map(|flow| flow.receiving.missing_bytes())
            .sum();
        Fault::Broken(format!(
            "{missing} bytes had not arrived {} s after the last message: lower the lane's loss",
            DRAIN_LIMIT.as_secs()
        ))
    }

    /// When something is to be done.
    fn next_ns(&mut self, now: u64) -> Option<u64> {
        let change = self.next_change_ns();
        let flows = self.flows.iter().enumerate();
        let own = flows.filter(|(number, _)| !self.waiting.is_scheduled(*number));
        let writes = own.filter_map(|(_, flow)| flow.sending.next_ns());
        // Nothing wakes us when a flow's last byte is acknowledged.
        let mut waiting = self.flows.iter();
        let look = waiting
            .any(|flow| flow.waits_for_acknowledgement() || flow.is_lossy() && flow.is_over());
        let look = look.then_some(now + SETTLE_STEP_NS);
        writes.chain(change).chain(look).min()
    }

    /// Changes the lanes as far as it is time to; a message of the same instant
    /// already meets the new state.
    fn change_due(&mut self, now: u64) -> Outcome<()> {
        for (lane, changes) in self.lanes.iter_mut().zip(&mut self.changes) {
            while let Some(change) = changes.before_it.next_if(|change| change.at_ns <= now) {
                let spec = change.spec.as_ref();
                lane.change(spec.ok_or_else(|| Fault::Invalid("a change has no spec".into()))?)?;
            }
        }
        Ok(())
    }

    fn check_all_changed(&self, now: u64) -> Outcome<()> {
        for (lane, changes) in self.changes.iter().enumerate() {
            if changes.before_it.len() > 0 && !changes.may_remain {
                let change = changes.in_all - changes.before_it.len();
                return Err(Fault::Invalid(format!(
                    "lanes[{lane}].changes[{change}].at_ns is after the streams, which were \
                     through after {now} ns: move the change forward, or send more"
                )));
            }
        }
        Ok(())
    }

    fn write_due(&mut self, now: u64) -> Outcome<()> {
        let change_ns = self.next_change_ns();
        for number in 0..self.flows.len() {
            if self.waiting.is_scheduled(number) {
                continue;
            }
            self.flows[number].write_due(now)?;
            let flow = &self.flows[number];
            self.waiting.watch_for_room(number, flow)?;
            self.waiting.schedule(number, flow, change_ns)?;
        }
        Ok(())
    }

    /// When the next of the lanes changes.
    fn next_change_ns(&mut self) -> Option<u64> {
        let changes = self.changes.iter_mut();
        let changes = changes.filter_map(|lane| lane.before_it.peek());
        changes.map(|change| change.at_ns).min()
    }

    /// Takes note that what was read has been written.
    fn scheduled_is_written(&mut self) -> Outcome<()> {
        let flows = self.flows.iter_mut().enumerate();
        let mut scheduled = flows.filter(|(number, _)| self.waiting.is_scheduled(*number));
        scheduled.try_for_each(|(_, flow)| flow.sending.was_all_written())
    }

    /// Waits from `now` until `next_ns` or an event, and brings captures and
    /// clock up to date; tells which flows have something to read, and writes what
    /// there is room for.
    fn wait(&mut self, now: u64, next_ns: u64) -> Outcome<Vec<usize>> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Fault::Failed("the caller went away".into()));
        }
        // Wake up now and then to see `stop`.
        let until_ns = next_ns.clamp(now, now + self.clock.pace().look_ns());
        let Woken {
            is_time_up,
            readable,
            writable,
            written,
        } = self.waiting.wait(until_ns - now)?;
        self.drain()?;
        let mut known_ns = is_time_up.then_some(until_ns);
        for one in written {
            let flow = &mut self.flows[one.flow];
            flow.sending.was_written(one.message, one.bytes)?;
            known_ns = known_ns.max(flow.sending.written_ns.last().copied());
        }
        let newest = self.captures.iter().map(Captures::newest_ns).max();
        let known_ns = known_ns.map(|ns| self.start_ns + ns);
        self.clock.after_wait(newest.unwrap_or_default(), known_ns);
        for flow in writable {
            self.flows[flow].write()?;
            self.waiting.watch_for_room(flow, &self.flows[flow])?;
        }
        Ok(readable)
    }

    fn drain(&mut self) -> Outcome<()> {
        self.captures.iter_mut().try_for_each(Captures::drain)
    }

    /// Waits until everything is acknowledged and nothing is under way in the
    /// emulators, so that captures and counters speak of the same packets.
    fn settle(&mut self) -> Outcome<()> {
        let mut rest = Rest::begin(self.elapsed_ns(), DRAIN_LIMIT);
        while rest.has_time(self.elapsed_ns()) && !self.stop.load(Ordering::Relaxed) {
            let _ = rustix::thread::nanosleep(&timespec(SETTLE_STEP_NS));
            self.drain()?;
            let now = self.elapsed_ns();
            self.flows.iter_mut().try_for_each(|flow| flow.look(now))?;
            if self.flows.iter().any(Flow::waits_for_acknowledgement) {
                continue;
            }
            let mut under_way = 0;
            for lane in &mut self.lanes {
                under_way += lane.under_way()?;
            }
            if rest.look(under_way == 0) {
                return Ok(());
            }
        }
        Err(Fault::Failed(
            "the connections did not come to rest after the last message".into(),
        ))
    }

    fn elapsed_ns(&mut self) -> u64 {
        self.clock.read() - self.start_ns
    }

    /// `before`: what each lane was set to when nothing had been sent.
    fn finish(mut self, shared_bottleneck: bool, before: Vec<String>) -> Outcome<Transferred> {
        let seen = self
            .captures
            .into_iter()
            .map(|captures| captures.finish()?.whole());
        let seen = seen.collect::<Outcome<Vec<Seen>>>()?;
        let queues = self.lanes.iter_mut().map(Lane::queues);
        let queues = queues.collect::<Outcome<Vec<_>>>()?;
        let together = if shared_bottleneck {
            let counts = seen.iter().map(|one| (one.sender, one.receiver));
            let (sender, receiver) = counts.fold(Default::default(), |all: (_, _), one| {
                (all.0 + one.0, all.1 + one.1)
            });
            Some(balance::check(sender, receiver, queues[0])?)
        } else {
            None
        };
        let mut lanes = Vec::new();
        let lanes_seen = self.lanes.iter_mut().zip(&seen);
        for (((lane, seen), queues), before) in lanes_seen.zip(queues).zip(before) {
            let own = || balance::check(seen.sender, seen.receiver, queues);
            let (counters, receiver_counters) = lane.counters()?;
            lanes.push(TransferredLane {
                check: Some(together.map_or_else(own, Ok)?),
                counters,
                receiver_counters,
                sender_capture_bytes: seen.sender.file_bytes,
                receiver_capture_bytes: seen.receiver.file_bytes,
                settings: told(&before, &lane.settings()?),
                flows: Vec::new(),
            });
        }
        for flow in self.flows {
            lanes[flow.lane].flows.push(flow.finish()?);
        }
        Ok(Transferred { lanes })
    }
}

/// A lane's settings as a file; those of the end only where they are others.
fn told(before: &str, after: &str) -> String {
    let after = if before == after { "the same\n" } else { after };
    format!("# before the first message\n{before}# after the last\n{after}")
}
