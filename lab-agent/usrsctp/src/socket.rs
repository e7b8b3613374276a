//! A socket of the library, in the one-to-one style, that never waits.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::io::{Error, ErrorKind, Result};
use std::ptr::{null, null_mut};

use super::Settings;
use super::ffi::{self, Address};

/// What a socket is bound to and connected with: a number of ours, by which the library says
/// whose packet it is.
pub type Place = usize;

/// An IPv4 header's 20 bytes and SCTP's own 12 are not the library's to count.
const PATH_MTU_BYTES: u32 = 1500 - 20 - 12;

/// See the module.
pub struct Socket(*mut ffi::Socket);

/// What a message brings.
pub struct Message {
    /// Of its bytes that were read.
    pub length: usize,
    /// The payload protocol identifier, as it is in the packet.
    pub ppid: [u8; 4],
    /// Whether it ends with these bytes.
    pub is_end: bool,
}

impl Socket {
    /// A socket with these settings, bound to a place.
    pub fn bound(place: Place, port: u16, settings: &Settings) -> Result<Self> {
        // Neither callback is wanted.
        let made = unsafe {
            ffi::usrsctp_socket(
                c_int::from(ffi::AF_CONN),
                libc::SOCK_STREAM,
                libc::IPPROTO_SCTP,
                null(),
                null(),
                0,
                null_mut(),
            )
        };
        let made = Self::of(made)?;
        made.set(
            ffi::SCTP_INITMSG,
            &ffi::InitMsg {
                ostreams: settings.streams,
                max_instreams: settings.streams,
                max_attempts: 0,
                max_init_timeo: 0,
            },
        )?;
        made.set(
            ffi::SCTP_PEER_ADDR_PARAMS,
            &ffi::PeerParameters {
                address: [0; 16],
                assoc_id: 0,
                hbinterval: 0,
                pathmtu: PATH_MTU_BYTES,
                flags: ffi::SPP_PMTUD_DISABLE,
                ipv6_flowlabel: 0,
                pathmaxrxt: 0,
                dscp: 0,
            },
        )?;
        if let Some(delay_ms) = settings.sack_delay_ms {
            // As the kernel's: no delay is a SACK for every packet.
            let sack = ffi::SackInfo {
                assoc_id: 0,
                delay_ms,
                frequency: u32::from(delay_ms == 0),
            };
            made.set(ffi::SCTP_DELAYED_SACK, &sack)?;
        }
        let own = address(place, port);
        checked(unsafe { ffi::usrsctp_bind(made.0, &raw const own, size_of::<Address>() as u32) })?;
        Ok(made)
    }

    fn of(socket: *mut ffi::Socket) -> Result<Self> {
        if socket.is_null() {
            return Err(Error::last_os_error());
        }
        let made = Self(socket);
        checked(unsafe { ffi::usrsctp_set_non_blocking(made.0, 1) })?;
        made.set(ffi::SCTP_NODELAY, &1_i32)?;
        made.set(ffi::SCTP_RECVRCVINFO, &1_i32)?;
        Ok(made)
    }

    /// Waits for an association.
    pub fn listen(&self) -> Result<()> {
        checked(unsafe { ffi::usrsctp_listen(self.0, 1) })
    }

    /// The association that came up, if one did.
    pub fn accept(&self) -> Result<Option<Self>> {
        let mut from = address(0, 0);
        let mut length = size_of::<Address>() as u32;
        let made = unsafe { ffi::usrsctp_accept(self.0, &raw mut from, &raw mut length) };
        none_where_nothing_is(Self::of(made))
    }

    /// Begins an association with another port of the same place.
    pub fn connect(&self, place: Place, port: u16) -> Result<()> {
        let peer = address(place, port);
        let begun = checked(unsafe {
            ffi::usrsctp_connect(self.0, &raw const peer, size_of::<Address>() as u32)
        });
        match begun {
            Err(error) if error.raw_os_error() == Some(libc::EINPROGRESS) => Ok(()),
            begun => begun,
        }
    }

    /// Whether the association is up, and how many chunks and messages wait to be sent or
    /// acknowledged; none: it is not there.
    pub fn standing(&self) -> Option<(bool, u32)> {
        let mut status = ffi::Status {
            assoc_id: 0,
            state: 0,
            rwnd: 0,
            unackdata: 0,
            penddata: 0,
            rest: [0; 48],
        };
        let mut length = size_of::<ffi::Status>() as u32;
        checked(unsafe {
            ffi::usrsctp_getsockopt(
                self.0,
                libc::IPPROTO_SCTP,
                ffi::SCTP_STATUS,
                (&raw mut status).cast(),
                &raw mut length,
            )
        })
        .ok()?;
        let waiting = u32::from(status.unackdata) + u32::from(status.penddata);
        Some((status.state == ffi::SCTP_ESTABLISHED, waiting))
    }

    /// Sends a message; whether there was room for it.
    pub fn send(
        &self,
        stream: u16,
        is_unordered: bool,
        ppid: [u8; 4],
        bytes: &[u8],
    ) -> Result<bool> {
        let info = ffi::SndInfo {
            stream,
            flags: if is_unordered { ffi::SCTP_UNORDERED } else { 0 },
            ppid: u32::from_ne_bytes(ppid),
            context: 0,
            assoc_id: 0,
        };
        let sent = unsafe {
            ffi::usrsctp_sendv(
                self.0,
                bytes.as_ptr().cast(),
                bytes.len(),
                null(),
                0,
                &raw const info,
                size_of::<ffi::SndInfo>() as u32,
                ffi::SCTP_SENDV_SNDINFO,
                0,
            )
        };
        Ok(none_where_nothing_is(length(sent))?.is_some())
    }

    /// Reads a message, or as much of it as there is room for.
    pub fn receive(&self, buffer: &mut [u8]) -> Result<Option<Message>> {
        let mut from = address(0, 0);
        let mut from_length = size_of::<Address>() as u32;
        let mut info = ffi::RcvInfo::default();
        let mut info_length = size_of::<ffi::RcvInfo>() as u32;
        let (mut info_kind, mut flags) = (0, 0);
        let read = unsafe {
            ffi::usrsctp_recvv(
                self.0,
                buffer.as_mut_ptr().cast(),
                buffer.len(),
                &raw mut from,
                &raw mut from_length,
                &raw mut info,
                &raw mut info_length,
                &raw mut info_kind,
                &raw mut flags,
            )
        };
        let Some(length) = none_where_nothing_is(length(read))? else {
            return Ok(None);
        };
        if length == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if info_kind != ffi::SCTP_RECVV_RCVINFO {
            return Err(Error::other("usrsctp did not say which message it was"));
        }
        Ok(Some(Message {
            length,
            ppid: info.ppid.to_ne_bytes(),
            is_end: flags & libc::MSG_EOR != 0,
        }))
    }

    fn set<T>(&self, option: c_int, value: &T) -> Result<()> {
        // Reads one `T`, which is laid out as the library has it.
        checked(unsafe {
            ffi::usrsctp_setsockopt(
                self.0,
                libc::IPPROTO_SCTP,
                option,
                std::ptr::from_ref(value).cast(),
                size_of::<T>() as u32,
            )
        })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let at_once = libc::linger {
            l_onoff: 1,
            l_linger: 0,
        };
        unsafe {
            ffi::usrsctp_setsockopt(
                self.0,
                libc::SOL_SOCKET,
                libc::SO_LINGER,
                (&raw const at_once).cast(),
                size_of::<libc::linger>() as u32,
            );
            ffi::usrsctp_close(self.0);
        }
    }
}

/// Lets the library take packets for a place; again, if there was another before.
pub fn register(place: Place) {
    unsafe { ffi::usrsctp_register_address(pointer(place)) };
}

/// Gives the library a packet that came to a place.
pub fn take(place: Place, packet: &[u8], ecn: u8) {
    unsafe { ffi::usrsctp_conninput(pointer(place), packet.as_ptr().cast(), packet.len(), ecn) };
}

fn address(place: Place, port: u16) -> Address {
    Address {
        family: ffi::AF_CONN,
        port: port.to_be(),
        place: pointer(place),
    }
}

/// The library never follows it. It is in the cookie that is sent, so it has to be the same in
/// every run.
fn pointer(place: Place) -> *mut c_void {
    std::ptr::without_provenance_mut(place)
}

fn checked(result: c_int) -> Result<()> {
    if result == 0 {
        return Ok(());
    }
    Err(Error::last_os_error())
}

fn length(result: isize) -> Result<usize> {
    usize::try_from(result).map_err(|_| Error::last_os_error())
}

fn none_where_nothing_is<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(there) => Ok(Some(there)),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}
