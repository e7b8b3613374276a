//! An association of usrsctp over a lane: raw sockets in the namespaces of both hosts, and the
//! kernel's own SCTP kept from answering what is not its own.
// SPDX-License-Identifier: Apache-2.0
use std::cell::Cell;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::OwnedFd;
use std::time::Duration;

use lab_proto::Sctp;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SocketType, bind, connect, ipproto, listen, recv, socket, sockopt,
};
use thinlab_usrsctp::{End, Progress, Settings, Wire};

use super::sctp::{LONGEST_MESSAGE_BYTES, Piece, streams};
use super::udp;
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::Namespace;
use crate::socket_option;

/// Longer than the library tries an INIT (eight times, at most a minute each).
const OPENING_LIMIT: Duration = Duration::from_mins(10);
/// Between two looks of the stack many packets may come, in real time.
const BUFFER_BYTES: usize = 4 << 20;
/// Behind IP's header, which has no options on a lane.
const PORTS_AT: u32 = 20;

/// Opens an association from the first end to the second, each a host and its address.
pub fn open(ends: [(&Namespace, SocketAddrV4); 2], settings: &Sctp) -> Outcome<[End; 2]> {
    let [(writers, own), (readers, peer)] = ends;
    let writer = writers.run(|| wire(own, peer))?;
    let reader = readers.run(|| wire(peer, own))?;
    let settings = Settings {
        streams: streams(settings),
        unordered: settings.unordered,
        sack_delay_ms: settings.sack_delay_ms,
    };
    thinlab_usrsctp::connect((writer, reader), settings, OPENING_LIMIT).map_err(|error| {
        Fault::Failed(format!(
            "{error} while opening the association over the lane: is its loss too high?"
        ))
    })
}

/// An association as one of its ends writes to it.
pub struct Association {
    written_messages: Cell<u64>,
    written_bytes: Cell<u64>,
    /// Of the end that writes, and of the other.
    progress: [Progress; 2],
}

impl Association {
    /// Nothing is written yet.
    pub fn of(progress: [Progress; 2]) -> Self {
        Self {
            written_messages: Cell::default(),
            written_bytes: Cell::default(),
            progress,
        }
    }

    /// The same, as the other end writes to it.
    pub fn turned(&self) -> Self {
        let [sender, receiver] = &self.progress;
        Self::of([receiver.clone(), sender.clone()])
    }

    /// Writes what comes next of the stream, as one message; 0 when nothing is taken now.
    pub fn write(&self, socket: &OwnedFd, bytes: &[u8]) -> Outcome<usize> {
        let bytes = &bytes[..bytes.len().min(LONGEST_MESSAGE_BYTES)];
        let offset = self.written_bytes.get();
        // The stack takes messages as the lane takes datagrams, with their offset before them.
        let length = match udp::try_write(socket, offset, bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            written => written.doing("writing to the stream: the association broke"),
        }?;
        let messages = self.written_messages.get() + u64::from(length > 0);
        self.written_messages.set(messages);
        self.written_bytes.set(offset + length as u64);
        Ok(length)
    }

    /// Whether all that was written is.
    pub fn is_acknowledged(&self) -> bool {
        self.progress[0].is_acknowledged(self.written_messages.get())
    }
}

/// Reads a message. A buffer has room for the longest.
pub fn read(socket: &OwnedFd, buffer: &mut [u8]) -> Outcome<Piece> {
    match recv(socket, &mut *buffer, RecvFlags::DONTWAIT | RecvFlags::PEEK) {
        Ok((0, _)) => Err(Fault::Failed(
            "the association was closed in the middle of the stream".into(),
        )),
        _ => udp::read(socket, buffer),
    }
}

fn wire(own: SocketAddrV4, peer: SocketAddrV4) -> Outcome<Wire> {
    let doing = "opening a raw socket for SCTP";
    let packets = socket(AddressFamily::INET, SocketType::RAW, Some(ipproto::SCTP)).doing(doing)?;
    let at = |address: Ipv4Addr| SocketAddrV4::new(address, 0);
    // Before it hears anything: packets of the lane's other associations are not its own.
    attach(&packets, &of_ports(peer.port(), own.port())).doing(doing)?;
    bind(&packets, &at(*own.ip())).doing(doing)?;
    connect(&packets, &at(*peer.ip())).doing(doing)?;
    let _ = sockopt::set_socket_recv_buffer_size_force(&packets, BUFFER_BYTES);
    Ok(Wire {
        packets,
        own_port: own.port(),
        peer_port: peer.port(),
        kept: silence(own)?.into_iter().collect(),
    })
}

/// The kernel's SCTP aborts an association that it does not know. So a socket of its own has the
/// port, and a filter that lets nothing through. A kernel that has no SCTP is silent anyhow.
fn silence(own: SocketAddrV4) -> Outcome<Option<OwnedFd>> {
    let doing = "keeping a port from the kernel's SCTP";
    let made = match socket(AddressFamily::INET, SocketType::STREAM, Some(ipproto::SCTP)) {
        Ok(made) => made,
        Err(Errno::PROTONOSUPPORT) => return Ok(None),
        Err(error) => return Err(error).doing(doing),
    };
    attach(&made, &[instruction(libc::BPF_RET | libc::BPF_K, 0, 0, 0)]).doing(doing)?;
    bind(&made, &own).doing(doing)?;
    listen(&made, 1).doing(doing)?;
    Ok(Some(made))
}

/// Lets through what comes from a port for a port.
fn of_ports(from: u16, to: u16) -> [libc::sock_filter; 4] {
    let ports = u32::from(from) << 16 | u32::from(to);
    [
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, PORTS_AT),
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, ports),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, u32::MAX),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, 0),
    ]
}

fn instruction(code: u32, jt: u8, jf: u8, k: u32) -> libc::sock_filter {
    libc::sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    }
}

fn attach(socket: &OwnedFd, filter: &[libc::sock_filter]) -> std::io::Result<()> {
    let program = libc::sock_fprog {
        len: filter.len() as libc::c_ushort,
        filter: filter.as_ptr().cast_mut(),
    };
    // The kernel copies the instructions.
    socket_option::set(socket, libc::SOL_SOCKET, libc::SO_ATTACH_FILTER, &program)
}
