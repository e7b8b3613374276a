//! Associations of usrsctp 0.9.5, which is FreeBSD's SCTP in user space, between two ends in
//! this process whose packets really leave it.
//!
//! [`connect`] takes a raw socket for either end and gives a socket for each, which passes
//! messages whole: the first four bytes say where in the stream a message begins, and travel as
//! its payload protocol identifier; the rest is its payload.
//!
//! All of the library runs in one thread, which is started with the first association and sleeps
//! until a packet, a message or a timer (`stack.rs`).
// SPDX-License-Identifier: Apache-2.0
mod association;
mod ffi;
mod socket;
mod stack;
mod timers;
mod wire;

use std::io::{Error, ErrorKind, Result};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use association::Standing;
pub use wire::Wire;

/// What a message begins with on the socket of an end.
pub const OFFSET_BYTES: usize = 4;

/// What an association is told.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which its messages take in turn.
    pub streams: u16,
    /// Whether each is read as soon as it is whole.
    pub unordered: bool,
    /// None: the library's.
    pub sack_delay_ms: Option<u32>,
}

/// One end of an association.
pub struct End {
    /// Passes messages; never waits.
    pub messages: OwnedFd,
    /// How it stands.
    pub progress: Progress,
}

/// What became of the messages that were written at an end.
#[derive(Clone)]
pub struct Progress(Arc<Standing>);

impl Progress {
    /// Whether so many messages were sent, and all of them are acknowledged.
    pub fn is_acknowledged(&self, messages: u64) -> bool {
        self.0.taken.load(Ordering::Acquire) >= messages
            && self.0.is_acknowledged.load(Ordering::Acquire)
    }
}

/// What the library is set to, by FreeBSD's names for it, in their order.
///
/// # Errors
/// When there is no thread to be had for the library.
pub fn settings() -> Result<Vec<(&'static str, u32)>> {
    stack::started()?;
    Ok(ffi::settings())
}

type Connected = Vec<(OwnedFd, Arc<Standing>)>;

/// An association that is wanted.
struct Order {
    /// From the end that asks to the one that is asked.
    wires: Option<(Wire, Wire)>,
    settings: Settings,
    answer: SyncSender<Result<Connected>>,
    is_given_up: Arc<AtomicBool>,
}

impl Order {
    fn answer(&self, answer: Result<Connected>) {
        // Whoever gave up does not listen.
        let _ = self.answer.send(answer);
    }
}

/// Makes an association over two wires, and waits until both ends have it: the one that asks for
/// it, and the other.
///
/// # Errors
/// `TimedOut` when it is not there within `limit`, and what the library says.
pub fn connect(wires: (Wire, Wire), settings: Settings, limit: Duration) -> Result<[End; 2]> {
    let (answer, answered) = sync_channel(1);
    let is_given_up = Arc::new(AtomicBool::new(false));
    stack::order(Order {
        wires: Some(wires),
        settings,
        answer,
        is_given_up: Arc::clone(&is_given_up),
    })?;
    let ends = match answered.recv_timeout(limit) {
        Ok(ends) => ends?,
        Err(RecvTimeoutError::Timeout) => {
            is_given_up.store(true, Ordering::Relaxed);
            return Err(ErrorKind::TimedOut.into());
        }
        Err(RecvTimeoutError::Disconnected) => {
            return Err(Error::other("the thread of usrsctp has ended"));
        }
    };
    let ends = ends.into_iter().map(|(messages, standing)| End {
        messages,
        progress: Progress(standing),
    });
    let ends: Vec<_> = ends.collect();
    ends.try_into()
        .map_err(|_| Error::other("an association has two ends"))
}
