//! A connection over a lane, an association of SCTP, or two sockets for datagrams; both ends in
//! this process.
// SPDX-License-Identifier: Apache-2.0
use std::cell::Cell;
use std::io::ErrorKind;
use std::net::SocketAddrV4;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, accept_with, bind, connect,
    ipproto, listen, recv, send, socket, sockopt,
};

use lab_proto::{Baseline, Sctp, SctpInfo};

use super::sctp::{self, Piece};
use super::{lite, udp, usrsctp, window};
use crate::fault::{Doing, Fault, Outcome};
use crate::lane::protocol::Protocol;
use crate::lane::{Lane, addresses, mechanism};

/// Fixed on both ends: a session's bytes must not depend on which port was free.
/// The lane's next connection has the next ports.
const WRITER_PORT: u16 = 40_000;
const READER_PORT: u16 = 5_000;

/// Longer than the kernel tries a SYN and a SYN-ACK (127 s).
const OPENING_LIMIT: Timespec = Timespec {
    tv_sec: 150,
    tv_nsec: 0,
};

/// An open connection; Nagle is off at the sender.
pub struct Connection {
    /// The end that writes.
    pub sender: OwnedFd,
    /// The end that reads.
    pub receiver: OwnedFd,
    carrier: Carrier,
}

/// What each protocol wants to know of what is written.
enum Carrier {
    Tcp {
        takes_damage: bool,
    },
    Sctp(Association),
    Usrsctp(usrsctp::Association),
    Datagrams {
        protocol: Protocol,
        written_bytes: Cell<u64>,
    },
}

/// What SCTP wants to know of each message.
#[derive(Default)]
struct Association {
    settings: Sctp,
    written_messages: Cell<u64>,
    written_bytes: Cell<u64>,
}

/// Which of a lane's connections it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Which {
    /// From 0.
    pub number: u16,
    /// Whether the lane's receiver writes and its sender reads.
    pub backward: bool,
}

impl Which {
    /// The address of the end that writes, and of the end that reads, over the
    /// `lane`th lane of a run.
    pub fn addresses(self, lane: usize) -> (SocketAddrV4, SocketAddrV4) {
        let (mut writer, mut reader) = addresses(lane);
        if self.backward {
            std::mem::swap(&mut writer, &mut reader);
        }
        (
            SocketAddrV4::new(writer, WRITER_PORT + self.number),
            SocketAddrV4::new(reader, READER_PORT + self.number),
        )
    }
}

impl Connection {
    /// Opens a connection over the lane, from the end that writes, and waits until
    /// both ends have it.
    pub fn open(lane: &Lane, which: Which) -> Outcome<Self> {
        let (own, peer) = which.addresses(lane.number());
        let (mut writer, mut reader) = (lane.sender(), lane.receiver());
        if which.backward {
            std::mem::swap(&mut writer, &mut reader);
        }
        let protocol = Protocol::of_lane(lane.spec());
        if protocol.is_of_datagrams() {
            let settings = lane.spec().udp_lite.unwrap_or_default();
            return Ok(Self {
                sender: writer.run(|| udp::open(protocol, (own, peer), settings))?,
                receiver: reader.run(|| udp::open(protocol, (peer, own), settings))?,
                carrier: Carrier::of_datagrams(protocol),
            });
        }
        let settings = lane.spec().sctp.unwrap_or_default();
        if lane.spec().baseline() == Baseline::Usrsctp {
            let [sender, receiver] = usrsctp::open([(writer, own), (reader, peer)], &settings)?;
            return Ok(Self {
                sender: sender.messages,
                receiver: receiver.messages,
                carrier: Carrier::Usrsctp(usrsctp::Association::of([
                    sender.progress,
                    receiver.progress,
                ])),
            });
        }
        let made = |address| socket_for(lane, address);
        let listener = reader.run(|| {
            let listener = made(peer)?;
            listen(&listener, 1).doing("listening for the stream")?;
            Ok(listener)
        })?;
        let sender = writer.run(|| made(own))?;
        set_nodelay(&sender, protocol)?;
        match connect(&sender, &peer) {
            Ok(()) | Err(Errno::INPROGRESS) => {}
            Err(error) => Err(error).doing("opening the connection")?,
        }
        wait_for(&sender, PollFlags::OUT)?;
        if let Err(error) = sockopt::socket_error(&sender).doing("opening the connection")? {
            Err(error).moving("opening the connection over the lane: is its loss too high?")?;
        }
        wait_for(&listener, PollFlags::IN)?;
        let receiver = accept_with(&listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC)
            .doing("accepting the connection")?;
        Ok(Self {
            sender,
            receiver,
            carrier: match protocol {
                Protocol::Sctp => Carrier::Sctp(Association::of(settings)),
                _ => Carrier::Tcp {
                    takes_damage: mechanism::takes_damage(lane.spec()),
                },
            },
        })
    }

    /// Whether a plain read tells all that there is to know: the next bytes of the stream.
    pub fn is_read_plainly(&self) -> bool {
        matches!(
            self.carrier,
            Carrier::Tcp {
                takes_damage: false
            }
        )
    }

    /// What its association was told, if it is SCTP's.
    pub fn sctp(&self) -> Option<Sctp> {
        match &self.carrier {
            Carrier::Sctp(association) => Some(association.settings),
            Carrier::Tcp { .. } | Carrier::Usrsctp(_) | Carrier::Datagrams { .. } => None,
        }
    }

    /// How the end that writes stands, if the kernel's SCTP carries it.
    pub fn sctp_info(&self) -> Outcome<Option<SctpInfo>> {
        let is_kernels = self.sctp().is_some();
        is_kernels.then(|| sctp::info(&self.sender)).transpose()
    }

    /// What carries it.
    pub fn protocol(&self) -> Protocol {
        match self.carrier {
            Carrier::Tcp { .. } => Protocol::Tcp,
            Carrier::Sctp(_) | Carrier::Usrsctp(_) => Protocol::Sctp,
            Carrier::Datagrams { protocol, .. } => protocol,
        }
    }

    /// The same connection for who writes the other way.
    pub fn turned(&self) -> Outcome<Self> {
        let again = |end: &OwnedFd| end.try_clone().doing("keeping a socket for both ways");
        let turned = Self {
            sender: again(&self.receiver)?,
            receiver: again(&self.sender)?,
            carrier: match &self.carrier {
                Carrier::Tcp { takes_damage } => Carrier::Tcp {
                    takes_damage: *takes_damage,
                },
                Carrier::Sctp(there) => Carrier::Sctp(Association::of(there.settings)),
                Carrier::Usrsctp(there) => Carrier::Usrsctp(there.turned()),
                Carrier::Datagrams { protocol, .. } => Carrier::of_datagrams(*protocol),
            },
        };
        if matches!(turned.carrier, Carrier::Usrsctp(_)) {
            // Its sockets pass messages to the stack, which has Nagle off at both ends.
            return Ok(turned);
        }
        set_nodelay(&turned.sender, turned.protocol())?;
        Ok(turned)
    }

    /// Lets the kernel wait at either end where it is asked to; [`Self::write`] and
    /// [`Self::read`] never do.
    pub fn let_wait(&self) -> Outcome<()> {
        for end in [&self.sender, &self.receiver] {
            rustix::io::ioctl_fionbio(end, false).doing("making a socket wait")?;
        }
        Ok(())
    }

    /// Writes what the socket takes; 0 when it takes nothing now.
    pub fn write(&self, bytes: &[u8]) -> Outcome<usize> {
        match &self.carrier {
            Carrier::Tcp { .. } => {}
            Carrier::Sctp(association) => return association.write(&self.sender, bytes),
            Carrier::Usrsctp(association) => return association.write(&self.sender, bytes),
            Carrier::Datagrams { written_bytes, .. } => {
                let offset = written_bytes.get();
                let written = udp::write(&self.sender, offset, bytes)?;
                written_bytes.set(offset + written as u64);
                return Ok(written);
            }
        }
        match send(
            &self.sender,
            bytes,
            SendFlags::NOSIGNAL | SendFlags::DONTWAIT,
        ) {
            Ok(written) => Ok(written),
            Err(Errno::AGAIN) => Ok(0),
            Err(error) => Err(error).moving("writing to the stream: the connection broke"),
        }
    }

    /// Reads what is there. Puts in `told` which of its bytes the kernel says may be wrong.
    pub fn read(&self, buffer: &mut [u8], told: &mut Vec<Range<usize>>) -> Outcome<Piece> {
        match self.carrier {
            Carrier::Tcp { takes_damage: true } => {
                let read = lite::read(&self.receiver, buffer, told);
                return read_from_stream(read);
            }
            Carrier::Tcp { .. } => {}
            Carrier::Sctp(_) => return sctp::read(&self.receiver, buffer),
            Carrier::Usrsctp(_) => return usrsctp::read(&self.receiver, buffer),
            Carrier::Datagrams { .. } => return udp::read(&self.receiver, buffer),
        }
        let read = recv(&self.receiver, buffer, RecvFlags::DONTWAIT);
        read_from_stream(read.map(|(read, _)| read).map_err(Into::into))
    }

    /// Whether all that was written is acknowledged; of datagrams nothing ever is.
    pub fn is_acknowledged(&self) -> Outcome<bool> {
        if let Carrier::Usrsctp(association) = &self.carrier {
            return Ok(association.is_acknowledged());
        }
        let left = match self.protocol() {
            Protocol::Tcp => tcp_unacknowledged(&self.sender)?,
            Protocol::Sctp => sctp::unacknowledged(&self.sender)?,
            Protocol::Udp | Protocol::UdpLite => return Ok(false),
        };
        Ok(left == 0)
    }
}

/// What reading a stream came to.
fn read_from_stream(read: std::io::Result<usize>) -> Outcome<Piece> {
    let length = match read {
        Ok(0) => {
            return Err(Fault::Broken(
                "the connection was closed in the middle of the stream".into(),
            ));
        }
        Ok(length) => length,
        Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
        Err(error) => Err(error).moving("reading from the stream: the connection broke")?,
    };
    Ok(Piece {
        length,
        offset: None,
    })
}

impl Carrier {
    fn of_datagrams(protocol: Protocol) -> Self {
        Self::Datagrams {
            protocol,
            written_bytes: Cell::default(),
        }
    }
}

impl Association {
    fn of(settings: Sctp) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    fn write(&self, socket: &OwnedFd, bytes: &[u8]) -> Outcome<usize> {
        let place = (self.written_messages.get(), self.written_bytes.get());
        let written = sctp::write(socket, &self.settings, place, bytes)?;
        if written > 0 {
            self.written_messages.set(place.0 + 1);
            self.written_bytes.set(place.1 + written as u64);
        }
        Ok(written)
    }
}

/// `SIOCOUTQNSD` (linux/sockios.h), which libc does not name.
const NOT_SENT: libc::Ioctl = 0x894b;

/// Bytes that were written to a socket of either protocol and are not acknowledged yet; of
/// SCTP, with the kernel's own room for them.
pub fn unacknowledged(socket: impl AsFd) -> Outcome<usize> {
    let protocol = sockopt::socket_protocol(&socket).doing("asking what a socket's protocol is")?;
    if protocol == Some(ipproto::SCTP) {
        return sctp::unacknowledged(socket);
    }
    tcp_unacknowledged(socket)
}

fn tcp_unacknowledged(socket: impl AsFd) -> Outcome<usize> {
    ask(socket, libc::TIOCOUTQ).doing("asking what is unacknowledged")
}

/// The same of both ends of a connection together.
pub fn unacknowledged_at_ends(ends: [BorrowedFd<'_>; 2]) -> Outcome<usize> {
    Ok(unacknowledged(ends[0])? + unacknowledged(ends[1])?)
}

/// Has a connection end at once when it is closed. Closed the ordinary way, a
/// socket whose last packets are lost lives on for minutes, and its namespace
/// with it.
pub fn close_at_once(socket: BorrowedFd<'_>) -> Outcome<()> {
    sockopt::set_socket_linger(socket, Some(Duration::ZERO)).doing("setting up a socket")
}

/// Bytes that were written to a socket and were not sent once yet.
pub fn unsent(socket: impl AsFd) -> Outcome<usize> {
    ask(socket, NOT_SENT).doing("asking what is unsent")
}

fn ask(socket: impl AsFd, question: libc::Ioctl) -> std::io::Result<usize> {
    let mut bytes: libc::c_int = 0;
    // Both questions are answered with one int.
    #[allow(unsafe_code)]
    let result = unsafe { libc::ioctl(socket.as_fd().as_raw_fd(), question, &raw mut bytes) };
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(bytes as usize)
}

/// A socket for a lane's messages that never waits, bound on the lane.
pub(super) fn socket_for(lane: &Lane, address: SocketAddrV4) -> Outcome<OwnedFd> {
    let spec = lane.spec();
    let protocol = Protocol::of_lane(spec);
    let made = socket_of(protocol, address)?;
    if protocol == Protocol::Sctp {
        sctp::prepare(&made, &spec.sctp.unwrap_or_default())?;
    }
    if protocol == Protocol::Tcp {
        // Two flipped bits that pass the checksum may say URG, which nobody here sends: the kernel
        // would take a byte out of the stream.
        sockopt::set_socket_oobinline(&made, true).doing("keeping urgent bytes in their place")?;
    }
    let settings = spec.tcp.unwrap_or_default();
    if settings.window_bytes > 0 {
        window::limit(&made, settings.window_bytes, lane.longest_packet_bytes())?;
    }
    Ok(made)
}

fn socket_of(protocol: Protocol, address: SocketAddrV4) -> Outcome<OwnedFd> {
    let kind = match protocol {
        Protocol::Sctp => Some(ipproto::SCTP),
        _ => None,
    };
    let made = socket(AddressFamily::INET, SocketType::STREAM, kind)
        .doing("opening a socket for the stream")?;
    rustix::io::ioctl_fionbio(&made, true).doing("making a socket non-blocking")?;
    sockopt::set_socket_reuseaddr(&made, true).doing("setting up a socket")?;
    bind(&made, &address).doing("binding a socket on the lane")?;
    Ok(made)
}

/// Switches Nagle's algorithm off.
pub(super) fn set_nodelay(socket: &OwnedFd, protocol: Protocol) -> Outcome<()> {
    match protocol {
        Protocol::Tcp => {
            sockopt::set_tcp_nodelay(socket, true).doing("switching Nagle's algorithm off")
        }
        Protocol::Sctp => sctp::set_nodelay(socket),
        Protocol::Udp | Protocol::UdpLite => Ok(()),
    }
}

fn wait_for(socket: &OwnedFd, what: PollFlags) -> Outcome<()> {
    let mut waiting = [PollFd::new(socket, what)];
    if poll(&mut waiting, Some(&OPENING_LIMIT)).doing("waiting for the connection")? == 0 {
        return Err(Fault::Broken(
            "no connection came up over the lane in 150 s: lower its loss".into(),
        ));
    }
    Ok(())
}
