//! How packets get to and from the library: a raw socket of IP's protocol 132 for each end, so
//! that they are ordinary SCTP over IPv4 for all that delays, loses, captures and reads them.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::io::{ErrorKind, Result};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{RecvFlags, SendFlags, recv, send, sockopt};

use super::socket::{self, Place};

/// The two bits of ECN in IP's traffic class.
const ECN: u8 = 3;

/// An end's way to the other.
pub struct Wire {
    /// Raw, connected to the other end, and hears the packets of these ports alone.
    pub packets: OwnedFd,
    /// The end's own port.
    pub own_port: u16,
    /// That of the other end.
    pub peer_port: u16,
    /// What is to live as long.
    pub kept: Vec<OwnedFd>,
}

struct Open {
    wire: Wire,
    traffic_class: u8,
}

thread_local! {
    /// By place. The library sends from the stack's thread alone.
    static WIRES: RefCell<BTreeMap<Place, Open>> = RefCell::default();
}

/// Has a place's packets go over a wire; gives the place, the first that is free.
pub fn open(wire: Wire) -> Place {
    WIRES.with_borrow_mut(|wires| {
        let mut places = 1..;
        let place = places.find(|place| !wires.contains_key(place));
        let place = place.expect("there are more places than wires");
        wires.insert(
            place,
            Open {
                wire,
                traffic_class: 0,
            },
        );
        socket::register(place);
        place
    })
}

/// Lets go of a place: what its end sends from now on goes nowhere.
pub fn close(place: Place) {
    WIRES.with_borrow_mut(|wires| wires.remove(&place));
}

/// Both ports of a place.
pub fn ports(place: Place) -> (u16, u16) {
    WIRES.with_borrow(|wires| {
        let wire = &wires[&place].wire;
        (wire.own_port, wire.peer_port)
    })
}

/// Calls `with` with the socket of a place.
pub fn with_packets<T>(place: Place, with: impl FnOnce(BorrowedFd<'_>) -> T) -> T {
    WIRES.with_borrow(|wires| with(wires[&place].wire.packets.as_fd()))
}

/// Gives the library the packet that came to a place, if one did.
pub fn take(place: Place, packet: &mut [u8]) -> Result<()> {
    let read = with_packets(place, |packets| {
        recv(packets, &mut *packet, RecvFlags::DONTWAIT)
    });
    let length = match read {
        Ok((length, _)) => length,
        Err(error) if std::io::Error::from(error).kind() == ErrorKind::WouldBlock => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    // A raw socket hands out IP's header, too.
    let header = usize::from(packet[0] & 0xf) * 4;
    if let Some(payload) = packet[..length].get(header..) {
        socket::take(place, payload, packet[1] & ECN);
    }
    Ok(())
}

/// The library has a packet that leaves a place.
pub extern "C" fn send_packet(
    place: *mut c_void,
    packet: *mut c_void,
    length: usize,
    traffic_class: u8,
    _is_whole: u8,
) -> c_int {
    // As the library says.
    let packet = unsafe { std::slice::from_raw_parts(packet.cast::<u8>(), length) };
    WIRES.with_borrow_mut(|wires| {
        let Some(open) = wires.get_mut(&place.addr()) else {
            return 0;
        };
        let packets = &open.wire.packets;
        if open.traffic_class != traffic_class {
            if let Err(error) = sockopt::set_ip_tos(packets, traffic_class) {
                return error.raw_os_error();
            }
            open.traffic_class = traffic_class;
        }
        match send(packets, packet, SendFlags::empty()) {
            Ok(_) => 0,
            Err(error) => error.raw_os_error(),
        }
    })
}
