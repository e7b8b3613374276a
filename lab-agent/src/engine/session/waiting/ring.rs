//! Waiting by telling the kernel beforehand (`io_uring`): it writes each message at
//! its time and reads what arrives when it arrives ([`reading`]), and the transfer wakes
//! when a chain of them is over.
//!
//! A flow's messages are chains: wait until a time, write, wait until the next … A
//! message that its socket does not take whole ends the chain at that very instant;
//! from then on the flow is written as the other way of waiting does it.
//!
//! [`reading`]: super::reading
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::io::ErrorKind;
use std::os::fd::AsRawFd as _;

use io_uring::squeue::{Entry, Flags};
use io_uring::types::{Fd, SubmitArgs, TimeoutFlags, Timespec};
use io_uring::{IoUring, opcode};
use rustix::thread::ClockId;

use super::chains::{COMPLETIONS, ENTRIES, share};
use super::reading::Reading;
use super::woken::{Woken, Written};
use crate::clock::SECOND_NS;
use crate::engine::session::flow::Flow;
use crate::fault::{Doing, Fault, Outcome};

/// Less than any path's packets have.
const PACKET_BYTES: usize = 500;

/// What an entry was for; with the flow and the message in its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read = 0,
    Write = 1,
    Room = 2,
    Time = 3,
}

/// See the module.
pub struct Ring<'a> {
    queues: IoUring,
    reading: Reading,
    flows: Vec<FlowState>,
    /// The clock of the entries' times when the transfer's was 0.
    start_ns: u64,
    streams: std::marker::PhantomData<&'a [u8]>,
}

struct FlowState {
    writer: Writer,
    /// Whether the kernel was asked when there is room.
    is_watched: bool,
}

/// Who writes a flow's next message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    /// Until it is scheduled.
    Transfer,
    /// A chain is under way.
    Kernel,
    /// Something had no room, and what waits has to be written first.
    TransferForGood,
}

fn number(kind: Kind, flow: usize, message: usize) -> u64 {
    (message as u64) << 18 | (flow as u64) << 2 | kind as u64
}

fn meaning(number: u64) -> (Kind, usize, usize) {
    let kind = match number & 3 {
        0 => Kind::Read,
        1 => Kind::Write,
        2 => Kind::Room,
        _ => Kind::Time,
    };
    let flow = (number >> 2) as usize & 0xffff;
    (kind, flow, (number >> 18) as usize)
}

fn timespec(ns: u64) -> Timespec {
    Timespec::new()
        .sec(ns / SECOND_NS)
        .nsec((ns % SECOND_NS) as u32)
}

impl<'a> Ring<'a> {
    /// Watches these flows, whose sockets it makes such that wait; none: the kernel has
    /// no rings.
    pub fn open(flows: &[Flow<'a>], stamps_from_ns: u64) -> Outcome<Option<Self>> {
        let mut builder = IoUring::builder();
        builder
            .setup_single_issuer()
            .setup_defer_taskrun()
            .setup_cqsize(COMPLETIONS);
        let queues = match builder.build(ENTRIES) {
            Ok(queues) => queues,
            Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(None),
            Err(error) => return Err(error).doing("making a ring"),
        };
        let watched = flows.iter().map(|flow| {
            flow.connection.let_wait()?;
            Ok(FlowState {
                writer: Writer::Transfer,
                is_watched: false,
            })
        });
        let now = rustix::time::clock_gettime(ClockId::Monotonic);
        Ok(Some(Self {
            flows: watched.collect::<Outcome<_>>()?,
            reading: Reading::open(flows, stamps_from_ns)?,
            queues,
            start_ns: now.tv_sec as u64 * SECOND_NS + now.tv_nsec as u64,
            streams: std::marker::PhantomData,
        }))
    }

    /// See [`super::Waiting::expect`].
    pub fn expect(
        &mut self,
        number_of_flow: usize,
        flow: &mut Flow,
        is_heard_of: bool,
    ) -> Outcome<()> {
        if is_heard_of {
            self.reading.stop(number_of_flow)?;
            self.reading.take(number_of_flow, flow)?;
        }
        if flow.is_whole() {
            return Ok(());
        }
        let wake = (
            self.queues.as_raw_fd(),
            number(Kind::Read, number_of_flow, 0),
        );
        self.reading.ask(number_of_flow, is_heard_of, wake)
    }

    /// See [`super::Waiting::wait`].
    pub fn wait(&mut self, ns: u64) -> Outcome<Woken> {
        let limit = timespec(ns);
        let until = SubmitArgs::new().timespec(&limit);
        let is_time_up = match self.queues.submitter().submit_with_args(1, &until) {
            Ok(_) => false,
            Err(error) if error.raw_os_error() == Some(libc::ETIME) => true,
            Err(error) => return Err(error).doing("waiting for the streams"),
        };
        let mut woken = Woken {
            is_time_up,
            ..Woken::default()
        };
        let done: Vec<_> = self.queues.completion().collect();
        for entry in done {
            let (kind, flow, message) = meaning(entry.user_data());
            let watched = &mut self.flows[flow];
            match (kind, entry.result()) {
                // What was behind in a chain that has ended; a time that has come.
                (_, result) if result == -libc::ECANCELED => {}
                (Kind::Time, result) if result == -libc::ETIME => {}
                (Kind::Read, _) => woken.readable.push(flow),
                (Kind::Write, result) => {
                    watched.writer = Writer::Transfer;
                    let bytes = taken(result)?;
                    woken.written.push(Written {
                        flow,
                        message,
                        bytes,
                    });
                }
                (Kind::Room, result) => {
                    watched.is_watched = false;
                    taken(result)?;
                    woken.writable.push(flow);
                }
                (Kind::Time, result) => {
                    taken(result)?;
                }
            }
        }
        self.reading.collect()?;
        Ok(woken)
    }

    /// See [`super::Waiting::read`].
    pub fn read(&mut self, number: usize, flow: &mut Flow) -> Outcome<()> {
        self.reading.take(number, flow)
    }

    /// See [`super::Waiting::is_scheduled`].
    pub fn is_scheduled(&self, flow: usize) -> bool {
        self.flows[flow].writer == Writer::Kernel
    }

    /// See [`super::Waiting::schedule`].
    pub fn schedule(
        &mut self,
        number_of_flow: usize,
        flow: &Flow<'a>,
        before_ns: Option<u64>,
    ) -> Outcome<()> {
        let writer = &mut self.flows[number_of_flow].writer;
        if flow.sending.wants_room() {
            *writer = Writer::TransferForGood;
        }
        if *writer != Writer::Transfer {
            return Ok(());
        }
        let is_before = |at_ns: u64| before_ns.is_none_or(|before_ns| at_ns < before_ns);
        let planned = flow.sending.planned();
        let planned = planned.take_while(|(_, at_ns, _)| is_before(*at_ns));
        let share = share(self.flows.len());
        let mut packets = 0;
        let fits = |(_, _, bytes): &(usize, u64, &[u8])| {
            let is_first = packets == 0;
            packets += 1 + bytes.len() / PACKET_BYTES;
            is_first || packets < share
        };
        let messages: Vec<_> = planned.take_while(fits).collect();
        let Some(last) = messages.last().map(|(message, ..)| *message) else {
            return Ok(());
        };
        self.flows[number_of_flow].writer = Writer::Kernel;
        let sender = Fd(flow.connection.sender.as_raw_fd());
        // The kernel takes the times when it is handed the entries, below.
        let times = messages.iter().map(|(_, at_ns, _)| self.start_ns + at_ns);
        let times: Vec<_> = times.map(timespec).collect();
        let mut chain = Vec::with_capacity(2 * messages.len());
        let mut waited_ns = None;
        for ((message, at_ns, bytes), time) in messages.iter().zip(&times) {
            let number = |kind| number(kind, number_of_flow, *message);
            // Each wait would end a little after the one before, also if it is for the
            // same instant.
            if waited_ns != Some(at_ns) {
                let until = opcode::Timeout::new(time)
                    .flags(TimeoutFlags::ABS | TimeoutFlags::ETIME_SUCCESS)
                    .build()
                    .flags(Flags::IO_LINK | Flags::SKIP_SUCCESS);
                chain.push(until.user_data(number(Kind::Time)));
            }
            waited_ns = Some(at_ns);
            // As a socket that does not wait would: what it does not take ends the chain.
            let write = opcode::Send::new(sender, bytes.as_ptr(), bytes.len() as u32)
                .flags(libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT | libc::MSG_WAITALL)
                .build()
                .user_data(number(Kind::Write));
            chain.push(if *message == last {
                write
            } else {
                write.flags(Flags::IO_LINK | Flags::SKIP_SUCCESS)
            });
        }
        self.push(&chain)?;
        self.submit()
    }

    /// See [`super::Waiting::watch_for_room`].
    pub fn watch_for_room(&mut self, flow: usize, of: &Flow, is_wanted: bool) -> Outcome<()> {
        let watched = &mut self.flows[flow];
        if !is_wanted || watched.is_watched {
            return Ok(());
        }
        watched.is_watched = true;
        let sender = Fd(of.connection.sender.as_raw_fd());
        let entry = opcode::PollAdd::new(sender, libc::POLLOUT as u32).build();
        self.push(&[entry.user_data(number(Kind::Room, flow, 0))])
    }

    /// Queues entries as one chain.
    fn push(&mut self, chain: &[Entry]) -> Outcome<()> {
        let mut queue = self.queues.submission();
        if queue.capacity() - queue.len() < chain.len() {
            drop(queue);
            self.submit()?;
            queue = self.queues.submission();
        }
        // What they point to lives until they are done: buffers are this ring's, and
        // messages outlive it.
        unsafe { queue.push_multiple(chain) }
            .map_err(|_| Fault::Failed("the ring has no room for a chain".into()))
    }

    fn submit(&self) -> Outcome<()> {
        self.queues
            .submit()
            .doing("telling the kernel what to write")?;
        Ok(())
    }
}

/// Bytes that were taken; none where there was no room.
fn taken(result: i32) -> Outcome<usize> {
    match result {
        bytes @ 0.. => Ok(bytes as usize),
        error if error == -libc::EAGAIN => Ok(0),
        error => Err(std::io::Error::from_raw_os_error(-error))
            .moving("sending the stream: the connection broke"),
    }
}

impl Drop for Ring<'_> {
    /// Nothing of it may be under way when what its entries point to is gone.
    fn drop(&mut self) {
        let all = io_uring::types::CancelBuilder::any();
        let _ = self.queues.submitter().register_sync_cancel(None, all);
    }
}
