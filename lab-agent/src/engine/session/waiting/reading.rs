//! Reading what comes of each flow at the instant at which it comes, without its reader
//! being woken: chains of reads, each followed by a stamp of when it was.
//!
//! The reads have a ring of their own, so that who waits at the other one sleeps on. The
//! end of a chain wakes it. Where each read is to be heard of, a chain has one.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::io::ErrorKind;
use std::os::fd::{AsRawFd as _, RawFd};

use io_uring::squeue::{Entry, Flags};
use io_uring::types::Fd;
use io_uring::{IoUring, opcode};

use super::chains::{COMPLETIONS, ENTRIES, share};
use super::stamps::Stamps;
use super::woken::READ_BYTES;
use crate::engine::session::flow::Flow;
use crate::fault::{Doing, Fault, Outcome};

/// An entry that is not a read.
const OTHER: u64 = u64::MAX;

/// See the module.
pub struct Reading {
    queues: IoUring,
    flows: Vec<FlowState>,
    /// Reads of one flow's chain.
    chain: usize,
    /// What times count from, by the clock of stamps.
    start_ns: u64,
}

struct FlowState {
    receiver: Fd,
    stamps: Stamps,
    /// A slice for each read of a chain.
    buffer: Box<[u8]>,
    /// Bytes of the chain's reads that are done.
    done: Vec<usize>,
    /// Reads of the chain that are not.
    awaited: usize,
}

impl Reading {
    /// Of these flows.
    pub fn open(flows: &[Flow], start_ns: u64) -> Outcome<Self> {
        let mut builder = IoUring::builder();
        builder.setup_single_issuer().setup_cqsize(COMPLETIONS);
        let queues = builder.build(ENTRIES).doing("making a ring to read by")?;
        let chain = share(flows.len());
        let states = flows.iter().map(|flow| {
            Ok(FlowState {
                receiver: Fd(flow.connection.receiver.as_raw_fd()),
                stamps: Stamps::new()?,
                buffer: vec![0; chain * READ_BYTES].into(),
                done: Vec::with_capacity(chain),
                awaited: 0,
            })
        });
        Ok(Self {
            flows: states.collect::<Outcome<_>>()?,
            queues,
            chain,
            start_ns,
        })
    }

    /// Has the kernel read a flow, unless it does; at the chain's end, `wakes` gets an entry
    /// with the number `wake`.
    pub fn ask(
        &mut self,
        number: usize,
        is_heard_of: bool,
        (wakes, wake): (RawFd, u64),
    ) -> Outcome<()> {
        let flow = &mut self.flows[number];
        if flow.awaited > 0 || !flow.done.is_empty() {
            return Ok(());
        }
        let reads = if is_heard_of { 1 } else { self.chain };
        flow.awaited = reads;
        let mut chain = Vec::with_capacity(2 * reads + 1);
        for slice in flow.buffer.chunks_mut(READ_BYTES).take(reads) {
            let (address, length) = (slice.as_mut_ptr(), slice.len() as u32);
            let read = opcode::Recv::new(flow.receiver, address, length).build();
            let read = read.user_data(number as u64);
            let stamp = flow.stamps.entry().user_data(OTHER);
            chain.push(read.flags(Flags::IO_LINK));
            chain.push(stamp.flags(Flags::IO_LINK | Flags::SKIP_SUCCESS));
        }
        let end = opcode::MsgRingData::new(Fd(wakes), 0, wake, None).build();
        chain.push(end.user_data(OTHER).flags(Flags::SKIP_SUCCESS));
        self.submit(&chain)
    }

    /// Ends a flow's chain where it is, if it has more than one read to go.
    pub fn stop(&mut self, number: usize) -> Outcome<()> {
        if self.flows[number].awaited < 2 {
            return Ok(());
        }
        let of_flow = io_uring::types::CancelBuilder::user_data(number as u64);
        match self.queues.submitter().register_sync_cancel(None, of_flow) {
            // Its last read was just done.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            result => result.doing("ending a chain of reads")?,
        }
        self.collect()
    }

    /// Learns which reads are done.
    ///
    /// # Errors
    /// `Broken` when a connection broke.
    pub fn collect(&mut self) -> Outcome<()> {
        for entry in self.queues.completion() {
            match (entry.user_data(), entry.result()) {
                // The rest of a chain that was ended, or of which a read failed.
                (OTHER, result) if result == -libc::ECANCELED => {}
                (OTHER, result) => {
                    done(result, "stamping the streams")?;
                }
                (flow, result) if result == -libc::ECANCELED => {
                    self.flows[flow as usize].awaited -= 1;
                }
                (flow, result) => {
                    let bytes =
                        result_of(result).moving("reading the stream: the connection broke")?;
                    if bytes == 0 {
                        return Err(Fault::Broken(
                            "the connection was closed in the middle of the stream".into(),
                        ));
                    }
                    let flow = &mut self.flows[flow as usize];
                    flow.awaited -= 1;
                    flow.done.push(bytes);
                }
            }
        }
        Ok(())
    }

    /// Gives what a flow's chain has read, and when, once it is over.
    pub fn take(&mut self, number: usize, flow: &mut Flow) -> Outcome<()> {
        let state = &mut self.flows[number];
        if state.awaited > 0 || state.done.is_empty() {
            return Ok(());
        }
        let stamps_ns = state.stamps.take(state.done.len())?;
        let slices = state.buffer.chunks(READ_BYTES);
        for ((bytes, at_ns), slice) in state.done.drain(..).zip(stamps_ns).zip(slices) {
            flow.take(
                None,
                &slice[..bytes],
                &[],
                at_ns.saturating_sub(self.start_ns),
            )?;
        }
        Ok(())
    }

    fn submit(&mut self, chain: &[Entry]) -> Outcome<()> {
        // What they point to is this ring's, and outlives them.
        unsafe { self.queues.submission().push_multiple(chain) }
            .map_err(|_| Fault::Failed("the ring has no room for a chain".into()))?;
        self.queues
            .submit()
            .doing("telling the kernel what to read")?;
        Ok(())
    }
}

fn done(result: i32, doing: &str) -> Outcome<usize> {
    result_of(result).doing(doing)
}

/// What the kernel answered to an entry.
fn result_of(result: i32) -> std::io::Result<usize> {
    usize::try_from(result).map_err(|_| std::io::Error::from_raw_os_error(-result))
}

impl Drop for Reading {
    /// Nothing of it may be under way when what its entries point to is gone.
    fn drop(&mut self) {
        let all = io_uring::types::CancelBuilder::any();
        let _ = self.queues.submitter().register_sync_cancel(None, all);
    }
}
