//! Route netlink, request by request: what `ip` and `tc` do, without a process
//! per command.
// SPDX-License-Identifier: Apache-2.0
use netlink_packet_core::{
    NLM_F_ACK, NLM_F_CREATE, NLM_F_DUMP, NLM_F_EXCL, NLM_F_REPLACE, NLM_F_REQUEST, NetlinkHeader,
    NetlinkMessage, NetlinkPayload,
};
use netlink_packet_route::RouteNetlinkMessage;
use netlink_sys::{Socket, SocketAddr, protocols::NETLINK_ROUTE};

use crate::fault::{Doing, Fault, Outcome};

/// Makes something or replaces what is there.
pub const REPLACE: u16 = NLM_F_CREATE | NLM_F_REPLACE;

/// A netlink socket. It belongs for good to the namespace it was opened in.
pub struct Netlink {
    socket: Socket,
    sequence: u32,
}

impl Netlink {
    /// Opens a socket in the calling thread's network namespace.
    pub fn open() -> Outcome<Self> {
        let mut socket = Socket::new(NETLINK_ROUTE).doing("opening a netlink socket")?;
        socket.bind_auto().doing("binding a netlink socket")?;
        socket
            .connect(&SocketAddr::new(0, 0))
            .doing("connecting a netlink socket to the kernel")?;
        Ok(Self {
            socket,
            sequence: 0,
        })
    }

    /// Carries out one change and waits for the kernel's acknowledgement.
    pub fn change(&mut self, message: RouteNetlinkMessage, flags: u16, what: &str) -> Outcome<()> {
        self.send(message, NLM_F_REQUEST | NLM_F_ACK | flags, what)?;
        self.answers(what, |_| ())
    }

    /// Makes something that must not exist yet.
    pub fn create(&mut self, message: RouteNetlinkMessage, what: &str) -> Outcome<()> {
        self.change(message, NLM_F_CREATE | NLM_F_EXCL, what)
    }

    /// Asks for all objects of a kind and hands each to `each`.
    pub fn dump(
        &mut self,
        message: RouteNetlinkMessage,
        what: &str,
        each: impl FnMut(RouteNetlinkMessage),
    ) -> Outcome<()> {
        self.send(message, NLM_F_REQUEST | NLM_F_DUMP, what)?;
        self.answers(what, each)
    }

    /// The index of the interface of this name.
    pub fn index(&self, name: &str) -> Outcome<u32> {
        rustix::net::netdevice::name_to_index(&self.socket, name)
            .doing(format!("looking up the link {name}"))
    }

    fn send(&mut self, message: RouteNetlinkMessage, flags: u16, what: &str) -> Outcome<()> {
        self.sequence += 1;
        let mut header = NetlinkHeader::default();
        header.flags = flags;
        header.sequence_number = self.sequence;
        let mut message = NetlinkMessage::new(header, NetlinkPayload::from(message));
        message.finalize();
        let mut bytes = vec![0; message.buffer_len()];
        message.serialize(&mut bytes);
        self.socket.send(&bytes, 0).doing(what)?;
        Ok(())
    }

    /// Reads until the answer to the last request is complete.
    fn answers(&mut self, what: &str, mut each: impl FnMut(RouteNetlinkMessage)) -> Outcome<()> {
        loop {
            let (datagram, _) = self.socket.recv_from_full().doing(what)?;
            let mut rest = &datagram[..];
            while !rest.is_empty() {
                let message = NetlinkMessage::<RouteNetlinkMessage>::deserialize(rest)
                    .map_err(|error| Fault::Failed(format!("{error} while {what}")))?;
                match message.payload {
                    NetlinkPayload::Done(_) => return Ok(()),
                    NetlinkPayload::Error(error) if error.code.is_none() => return Ok(()),
                    NetlinkPayload::Error(error) => return Err(error.to_io()).doing(what),
                    NetlinkPayload::InnerMessage(inner) => each(inner),
                    _ => {}
                }
                let length = (message.header.length as usize).next_multiple_of(4);
                rest = rest.get(length..).unwrap_or_default();
            }
        }
    }
}
