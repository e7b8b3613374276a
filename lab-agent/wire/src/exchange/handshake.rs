//! How the connection comes to be.
// SPDX-License-Identifier: Apache-2.0
use std::net::SocketAddr;

use anyhow::{Context, Result, bail};

use super::link::Link;
use super::peer::{FAR_PORT, NEAR_PORT};
use crate::arrivals::Arrivals as _;
use crate::packet::{Segment, describe_flags, flag};
use crate::script::{Instant, Script};
use crate::socket::Socket;

/// A handshake's packets come at once; a machine in real time may be busy.
const HANDSHAKE_NS: i64 = 2_000_000_000;

/// Opens the connection as the script has it; gives its socket.
pub fn run(link: &mut Link<'_>, socket: Socket, script: &Script) -> Result<Socket> {
    link.begin();
    if script.opening.active {
        connect(link, &socket, script.opening.round_trip_ns)?;
        Ok(socket)
    } else {
        accept(link, &socket, script)
    }
}

/// The socket connects to the peer, whose answer takes so long.
pub fn connect(link: &mut Link<'_>, socket: &Socket, round_trip_ns: Instant) -> Result<()> {
    socket.connect(SocketAddr::new(link.ends.far, FAR_PORT))?;
    let syn = next(link, flag::SYN, "SYN")?;
    link.peer.meet(&syn)?;
    let mut flags = flag::SYN | flag::ACK;
    if link.peer.presented.ecn {
        if !syn.has(flag::ECE | flag::CWR) {
            bail!("the kernel's SYN does not ask for ECN: sysctl tcp_ecn 1");
        }
        flags |= flag::ECE;
    }
    link.wait_until(link.now() + round_trip_ns)?;
    link.begin();
    let acknowledgement = link.peer.in_kernel_stream(0);
    link.send(&link.peer.opening(flags, acknowledgement))?;
    next(link, flag::ACK, "the handshake's ACK")?;
    socket.error()
}

fn accept(link: &mut Link<'_>, socket: &Socket, script: &Script) -> Result<Socket> {
    socket.listen(SocketAddr::new(link.ends.near, NEAR_PORT))?;
    let ecn = if script.peer.ecn {
        flag::ECE | flag::CWR
    } else {
        0
    };
    link.send(&link.peer.opening(flag::SYN | ecn, 0))?;
    let answer = next(link, flag::SYN | flag::ACK, "SYN/ACK")?;
    link.peer.meet(&answer)?;
    if script.peer.ecn && !answer.has(flag::ECE) {
        bail!("the kernel's SYN/ACK does not agree to ECN: sysctl tcp_ecn 1 or 2");
    }
    link.wait_until(link.now() + script.opening.round_trip_ns)?;
    link.begin();
    let acknowledgement = link.peer.in_kernel_stream(0);
    link.send(&link.peer.segment(flag::ACK, 0, acknowledgement))?;
    socket.accept()
}

fn next(link: &mut Link<'_>, flags: u8, what: &str) -> Result<Segment> {
    let came = link
        .next_segment(link.now() + HANDSHAKE_NS)?
        .with_context(|| format!("the kernel sent no {what}"))?;
    if !came.segment.has(flags) {
        bail!(
            "instead of {what} came{}",
            describe_flags(came.segment.flags)
        );
    }
    if !came.segment.payload.is_empty() {
        bail!("{what} carries {} bytes", came.segment.payload.len());
    }
    Ok(came.segment)
}
