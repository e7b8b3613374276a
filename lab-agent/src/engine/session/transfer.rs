//! Sends messages over a lane at their times, and stamps when the receiver can
//! read each of them whole.
//!
//! One thread, one epoll, both ends: nothing but the kernel's timers and the
//! lane decides when something happens, so that in virtual time every run is
//! the same run.
// SPDX-License-Identifier: Apache-2.0
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lab_proto::guest::{Transfer, Transferred};
use rustix::event::{Timespec, epoll};

use crate::capture::FRAMES;
use crate::clock::{Clock, Pace, SECOND_NS};
use crate::endpoint::connection::Connection;
use crate::endpoint::tcp_info;
use crate::engine::arrivals::Arrivals;
use crate::engine::balance;
use crate::engine::captures::Captures;
use crate::engine::departures::Departures;
use crate::engine::rest::Rest;
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::Lane;
use crate::punctual;

/// How long after the last message the stream may still be under way: twenty
/// minutes is past the kernel's own limit for a dead connection.
const DRAIN_LIMIT: Duration = Duration::from_mins(20);
/// Steps in which the end of the transfer is looked for.
const SETTLE_STEP: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 1_000_000,
};
const SENDER_READY: u64 = 1;
const RECEIVER_READY: u64 = 2;

/// Runs the transfer on a lane of its own and leaves both captures in
/// `spool`/`folder`. `stop` ends it early.
///
/// # Errors
/// `Failed` when the connection broke, the stream did not get through, bytes
/// arrived changed, or sent − received is not what the emulator dropped.
pub fn run(
    transfer: &Transfer,
    spool: &Path,
    pace: Pace,
    stop: &AtomicBool,
) -> Outcome<Transferred> {
    let spec = transfer
        .lane
        .as_ref()
        .ok_or_else(|| Fault::Invalid("lane is not set".into()))?;
    let folder = spool.join(&transfer.folder);
    let mut lane = Lane::open(spec)?;
    let captures = Captures::open(&lane, FRAMES, &folder)?;
    become_punctual()?;
    let connection = Connection::open(&lane)?;
    let mut pump = Pump::new(transfer, connection, captures, pace, stop)?;
    pump.send_all(&mut lane)?;
    let stream_ns = pump.settle(&mut lane)?;
    finish(pump, &mut lane, stream_ns)
}

/// Takes the calling thread out of the kernel's timer slack: epoll lets other
/// threads sleep a thousandth longer than they asked, which would move every
/// message by that much.
fn become_punctual() -> Outcome<()> {
    punctual::prefer(punctual::PROGRAM).doing("giving the stream's thread priority")
}

/// The transfer under way.
struct Pump<'a> {
    transfer: &'a Transfer,
    connection: Connection,
    captures: Captures,
    stop: &'a AtomicBool,
    epoll: std::os::fd::OwnedFd,
    clock: Clock,
    start_ns: u64,
    departures: Departures<&'a [u8]>,
    arrivals: Arrivals<&'a [u8]>,
    waiting_for_room: bool,
    blocked_writes: u64,
    /// How many of the lane's changes have been made.
    changed: usize,
    written_ns: Vec<u64>,
    available_ns: Vec<u64>,
}

impl<'a> Pump<'a> {
    fn new(
        transfer: &'a Transfer,
        connection: Connection,
        captures: Captures,
        pace: Pace,
        stop: &'a AtomicBool,
    ) -> Outcome<Self> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).doing("making an epoll")?;
        for (socket, data, flags) in [
            (&connection.sender, SENDER_READY, epoll::EventFlags::empty()),
            (&connection.receiver, RECEIVER_READY, epoll::EventFlags::IN),
        ] {
            epoll::add(&epoll, socket, epoll::EventData::new_u64(data), flags)
                .doing("watching a socket")?;
        }
        let clock = Clock::new(pace);
        Ok(Self {
            transfer,
            connection,
            captures,
            stop,
            epoll,
            start_ns: clock.now_ns(),
            clock,
            departures: Departures::default(),
            arrivals: Arrivals::default(),
            waiting_for_room: false,
            blocked_writes: 0,
            changed: 0,
            written_ns: Vec::with_capacity(transfer.at_ns.len()),
            available_ns: Vec::with_capacity(transfer.at_ns.len()),
        })
    }

    /// Until the receiver has read everything.
    fn send_all(&mut self, lane: &mut Lane) -> Outcome<()> {
        let total = self.transfer.stream.len() as u64;
        let last_ns = self.transfer.at_ns.last().copied().unwrap_or(0);
        let deadline_ns = last_ns + DRAIN_LIMIT.as_nanos() as u64;
        let mut buffer = vec![0; 1 << 16];
        let mut now = 0;
        loop {
            self.change_due(lane, now)?;
            self.write_due(now)?;
            let received = self.arrivals.read_bytes();
            if received == total {
                return self.check_all_changed(now);
            }
            if now > deadline_ns {
                return Err(Fault::Failed(format!(
                    "{} of {total} bytes had not arrived {} s after the last message: lower the \
                     lane's loss",
                    total - received,
                    DRAIN_LIMIT.as_secs()
                )));
            }
            let next_ns = [self.next_due_ns(), self.next_change_ns()];
            let next_ns = next_ns.into_iter().flatten().min();
            let next_ns = next_ns.unwrap_or(deadline_ns + 1);
            let readable = self.wait(now, next_ns)?;
            now = self.clock.now_ns() - self.start_ns;
            if readable {
                self.read(&mut buffer, now)?;
            }
        }
    }

    fn next_due_ns(&self) -> Option<u64> {
        self.transfer.at_ns.get(self.written_ns.len()).copied()
    }

    fn next_change_ns(&self) -> Option<u64> {
        let change = self.transfer.changes.get(self.changed)?;
        Some(change.at_ns)
    }

    /// Changes the lane as far as it is time to; a message of the same instant
    /// already meets the new state.
    fn change_due(&mut self, lane: &mut Lane, now: u64) -> Outcome<()> {
        while let Some(change) = self.transfer.changes.get(self.changed)
            && change.at_ns <= now
        {
            let spec = change.spec.as_ref();
            lane.change(spec.ok_or_else(|| Fault::Invalid("a change has no spec".into()))?)?;
            self.changed += 1;
        }
        Ok(())
    }

    fn check_all_changed(&self, now: u64) -> Outcome<()> {
        if self.changed == self.transfer.changes.len() {
            return Ok(());
        }
        Err(Fault::Invalid(format!(
            "changes[{}].at_ns is after the stream, which was through after {now} ns: move the \
             change forward, or send more",
            self.changed
        )))
    }

    /// Writes the messages whose time has come, one write each, as far as the
    /// socket takes them.
    fn write_due(&mut self, now: u64) -> Outcome<()> {
        while let Some(at) = self.next_due_ns()
            && at <= now
        {
            let blocked = self.departures.unwritten_bytes() > 0;
            let message = self.message(self.written_ns.len());
            self.arrivals.expect(self.written_ns.len() as u64, message);
            self.departures.push(at, message);
            self.written_ns.push(now);
            if !blocked {
                self.write_pending()?;
            }
            if self.departures.unwritten_bytes() > 0 {
                self.blocked_writes += 1;
            }
        }
        Ok(())
    }

    /// The bytes of the next message, which is the `number`th.
    fn message(&self, number: usize) -> &'a [u8] {
        let start = self.departures.due_bytes() as usize;
        &self.transfer.stream[start..start + self.transfer.message_bytes[number] as usize]
    }

    fn write_pending(&mut self) -> Outcome<()> {
        let connection = &self.connection;
        self.departures.write(|bytes| connection.write(bytes))?;
        self.departures.forget_written();
        self.watch_for_room(self.departures.unwritten_bytes() > 0)
    }

    fn watch_for_room(&mut self, wanted: bool) -> Outcome<()> {
        if wanted == self.waiting_for_room {
            return Ok(());
        }
        self.waiting_for_room = wanted;
        let flags = if wanted {
            epoll::EventFlags::OUT
        } else {
            epoll::EventFlags::empty()
        };
        let data = epoll::EventData::new_u64(SENDER_READY);
        epoll::modify(&self.epoll, &self.connection.sender, data, flags).doing("watching a socket")
    }

    /// Waits from `now` until `next_ns` or an event, and brings captures and
    /// clock up to date; tells whether there is something to read, and writes
    /// what there is room for.
    fn wait(&mut self, now: u64, next_ns: u64) -> Outcome<bool> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Fault::Failed("the caller went away".into()));
        }
        // Wake up now and then to see `stop`; in virtual time nothing is lost.
        let until_ns = next_ns.clamp(now, now + SECOND_NS);
        let timeout = Timespec {
            tv_sec: ((until_ns - now) / SECOND_NS) as i64,
            tv_nsec: ((until_ns - now) % SECOND_NS) as i64,
        };
        let mut room = [MaybeUninit::uninit(); 2];
        let (events, _) =
            epoll::wait(&self.epoll, &mut room, Some(&timeout)).doing("waiting for the stream")?;
        let (mut readable, mut room_again) = (false, false);
        for event in &*events {
            match event.data.u64() {
                RECEIVER_READY => readable = true,
                _ => room_again = true,
            }
        }
        let due_ns = events.is_empty().then_some(self.start_ns + until_ns);
        self.captures.drain()?;
        self.clock.after_wait(self.captures.newest_ns(), due_ns);
        if room_again {
            self.write_pending()?;
        }
        Ok(readable)
    }

    fn read(&mut self, buffer: &mut [u8], now: u64) -> Outcome<()> {
        let read = self.connection.read(buffer)?;
        let before = self.arrivals.read_bytes();
        let available_ns = &mut self.available_ns;
        self.arrivals
            .take(&buffer[..read], |_| available_ns.push(now));
        self.arrivals
            .want_unchanged(|| format!(" after byte {before} of the stream"))
    }

    /// Waits until everything is acknowledged and nothing is under way in the
    /// emulator, so that both captures and its counters speak of the same
    /// packets. Gives the time of the last acknowledgement.
    fn settle(&mut self, lane: &mut Lane) -> Outcome<u64> {
        let mut rest = Rest::begin(self.elapsed_ns(), DRAIN_LIMIT);
        let mut acknowledged_ns = None;
        while rest.has_time(self.elapsed_ns()) && !self.stop.load(Ordering::Relaxed) {
            let _ = rustix::thread::nanosleep(&SETTLE_STEP);
            self.captures.drain()?;
            if self.connection.unacknowledged()? > 0 {
                continue;
            }
            let now = self.elapsed_ns();
            let acknowledged_ns = *acknowledged_ns.get_or_insert(now);
            if rest.look(lane.under_way()? == 0) {
                return Ok(acknowledged_ns);
            }
        }
        Err(Fault::Failed(
            "the connection did not come to rest after the last message".into(),
        ))
    }

    fn elapsed_ns(&mut self) -> u64 {
        self.clock.read() - self.start_ns
    }
}

fn finish(pump: Pump<'_>, lane: &mut Lane, stream_ns: u64) -> Outcome<Transferred> {
    let seen = pump.captures.finish()?.whole()?;
    let check = balance::check(seen.sender, seen.receiver, lane.queues()?)?;
    let (counters, receiver_counters) = lane.counters()?;
    Ok(Transferred {
        written_ns: pump.written_ns,
        available_ns: pump.available_ns,
        blocked_writes: pump.blocked_writes,
        check: Some(check),
        counters,
        stream_ns,
        sender_capture_bytes: seen.sender.file_bytes,
        receiver_capture_bytes: seen.receiver.file_bytes,
        tcp_info: Some(tcp_info::read(&pump.connection.sender)?),
        receiver_counters,
    })
}
