//! Carries the bytes of OpenSSH's two ends over the lane, at once, and notes when
//! each of them was written and delivered. The sockets on the lane are the
//! agent's: what runs at either end has no network but this.
// SPDX-License-Identifier: Apache-2.0
use std::net::SocketAddrV4;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rustix::io::Errno;
use rustix::net::{Shutdown, SocketFlags, accept_with, connect, listen, shutdown, sockopt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::task::JoinSet;

use super::journal::{self, End, Journal};
use crate::clock::now_ns;
use crate::endpoint::connection::{set_nodelay, socket_for};
use crate::endpoint::watched::Watched;
use crate::fault::{Doing, Outcome};
use crate::lane::protocol::Protocol;
use crate::lane::{Lane, addresses};

/// Fixed at both ends: every session's packets have the same.
const CLIENT_PORT: u16 = 40_000;
const SERVER_PORT: u16 = 22;
const BUFFER_BYTES: usize = 16 << 10;

/// The connection on the lane.
pub struct Sockets {
    /// At the client's end.
    pub sender: Arc<Watched>,
    /// At the server's end.
    pub receiver: Arc<Watched>,
}

impl Sockets {
    /// Opens the connection; Nagle is off at both ends, as OpenSSH has it for
    /// terminals.
    pub async fn open(lane: &Lane) -> Outcome<Self> {
        let protocol = Protocol::of_lane(lane.spec());
        let settings = lane.spec().sctp.unwrap_or_default();
        let watched = |socket| {
            Watched::new(socket, (protocol == Protocol::Sctp).then_some(settings)).map(Arc::new)
        };
        let (listener, sender) = begin(lane)?;
        let (listener, sender) = (watched(listener)?, watched(sender)?);
        let (accepted, connected) = tokio::join!(accept(&listener), sender.writable());
        connected.doing("opening a terminal's connection")?;
        let error = sockopt::socket_error(&sender).doing("opening a terminal's connection")?;
        error.doing("opening a terminal's connection over the lane")?;
        let receiver = accepted?;
        set_nodelay(&receiver, protocol)?;
        Ok(Self {
            sender,
            receiver: watched(receiver)?,
        })
    }
}

/// The steps that need the lane's namespaces; none of them waits.
fn begin(lane: &Lane) -> Outcome<(OwnedFd, OwnedFd)> {
    let (sender, receiver) = addresses(lane.number());
    let server = SocketAddrV4::new(receiver, SERVER_PORT);
    let client = SocketAddrV4::new(sender, CLIENT_PORT);
    let listener = lane.receiver().run(|| {
        let listener = socket_for(lane, server)?;
        listen(&listener, 1).doing("listening for a terminal's connection")?;
        Ok(listener)
    })?;
    let sender = lane.sender().run(|| socket_for(lane, client))?;
    set_nodelay(&sender, Protocol::of_lane(lane.spec()))?;
    match connect(&sender, &server) {
        Ok(()) | Err(Errno::INPROGRESS) => {}
        Err(error) => Err(error).doing("opening a terminal's connection")?,
    }
    Ok((listener, sender))
}

async fn accept(listener: &Watched) -> Outcome<OwnedFd> {
    listener
        .readable()
        .await
        .doing("waiting for a terminal's connection")?;
    accept_with(listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC)
        .doing("accepting a terminal's connection")
}

/// How much may come back to the screen, and whether more wanted to.
pub struct ScreenBound {
    left: AtomicU64,
    passed: AtomicBool,
}

impl ScreenBound {
    /// Of `bytes`.
    pub fn new(bytes: u64) -> Self {
        Self {
            left: AtomicU64::new(bytes),
            passed: AtomicBool::new(false),
        }
    }

    /// Whether more wanted to come.
    pub fn passed(&self) -> bool {
        self.passed.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        let enough = |left: u64| left.checked_sub(bytes);
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, enough)
            .is_ok();
        if !taken {
            self.passed.store(true, Ordering::Relaxed);
        }
        taken
    }
}

/// Starts the relays of one end. They end with its connections, or when the set
/// is dropped.
pub fn start<S>(
    tasks: &mut JoinSet<()>,
    process: S,
    lane: &Arc<Watched>,
    journal: &Arc<Mutex<Journal>>,
    end: End,
    bound: Option<Arc<ScreenBound>>,
) where
    S: AsyncRead + AsyncWrite + Send + 'static,
{
    let (from, to) = tokio::io::split(process);
    tasks.spawn(onto_lane(
        from,
        Arc::clone(lane),
        Arc::clone(journal),
        end,
        bound,
    ));
    tasks.spawn(off_lane(Arc::clone(lane), to, Arc::clone(journal), end));
}

async fn onto_lane(
    mut process: impl AsyncRead + Unpin,
    lane: Arc<Watched>,
    journal: Arc<Mutex<Journal>>,
    end: End,
    bound: Option<Arc<ScreenBound>>,
) {
    let mut buffer = vec![0; BUFFER_BYTES];
    while let Ok(read @ 1..) = process.read(&mut buffer).await {
        if bound.as_ref().is_some_and(|bound| !bound.take(read)) {
            break;
        }
        let mut rest = &buffer[..read];
        while !rest.is_empty() {
            if lane.writable().await.is_err() {
                return;
            }
            let at_ns = now_ns();
            match lane.try_write(rest) {
                Ok(taken) => {
                    let mut journal = journal::open(&journal);
                    journal::note(&mut journal.end(end).written, taken, at_ns);
                    rest = &rest[taken..];
                }
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => return,
            }
        }
    }
    let _ = shutdown(&lane, Shutdown::Write);
}

async fn off_lane(
    lane: Arc<Watched>,
    mut process: impl AsyncWrite + Unpin,
    journal: Arc<Mutex<Journal>>,
    end: End,
) {
    let mut buffer = vec![0; BUFFER_BYTES];
    while lane.readable().await.is_ok() {
        match lane.try_read(&mut buffer) {
            Ok(read @ 1..) => {
                let at_ns = now_ns();
                journal::note(&mut journal::open(&journal).end(end).delivered, read, at_ns);
                if process.write_all(&buffer[..read]).await.is_err() {
                    break;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Ok(0) | Err(_) => break,
        }
    }
    let _ = process.shutdown().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_the_bound_is_noticed() {
        let bound = ScreenBound::new(10);
        assert!(bound.take(10));
        assert!(!bound.passed());
        assert!(!bound.take(1));
        assert!(bound.passed());
    }
}
