//! The library's functions and structures, as `usrsctp.h` of 0.9.5 has them.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};

/// A family of addresses that are pointers: whoever uses the library carries its packets.
pub const AF_CONN: u16 = 123;
pub const SCTP_INITMSG: c_int = 0x03;
pub const SCTP_NODELAY: c_int = 0x04;
pub const SCTP_PEER_ADDR_PARAMS: c_int = 0x0a;
pub const SCTP_DELAYED_SACK: c_int = 0x0f;
pub const SCTP_RECVRCVINFO: c_int = 0x1f;
pub const SCTP_STATUS: c_int = 0x100;
pub const SCTP_UNORDERED: u16 = 0x0400;
pub const SCTP_SENDV_SNDINFO: c_uint = 1;
pub const SCTP_RECVV_RCVINFO: c_uint = 1;
pub const SCTP_ESTABLISHED: i32 = 0x0008;
pub const SPP_PMTUD_DISABLE: u32 = 0x10;

/// `struct socket`, of which nothing is known.
#[repr(C)]
pub struct Socket {
    _of_the_library: [u8; 0],
}

/// `struct sockaddr_conn`.
#[repr(C)]
pub struct Address {
    pub family: u16,
    /// In the order of the network.
    pub port: u16,
    pub place: *mut c_void,
}

/// `struct sctp_initmsg`.
#[repr(C)]
pub struct InitMsg {
    pub ostreams: u16,
    pub max_instreams: u16,
    pub max_attempts: u16,
    pub max_init_timeo: u16,
}

/// `struct sctp_sack_info`.
#[repr(C)]
pub struct SackInfo {
    pub assoc_id: u32,
    pub delay_ms: u32,
    pub frequency: u32,
}

/// `struct sctp_paddrparams`, for any address.
#[repr(C, align(8))]
pub struct PeerParameters {
    pub address: [u64; 16],
    pub assoc_id: u32,
    pub hbinterval: u32,
    pub pathmtu: u32,
    pub flags: u32,
    pub ipv6_flowlabel: u32,
    pub pathmaxrxt: u16,
    pub dscp: u8,
}

/// `struct sctp_sndinfo`.
#[repr(C)]
pub struct SndInfo {
    pub stream: u16,
    pub flags: u16,
    pub ppid: u32,
    pub context: u32,
    pub assoc_id: u32,
}

/// `struct sctp_rcvinfo`.
#[repr(C)]
#[derive(Default)]
pub struct RcvInfo {
    pub stream: u16,
    pub ssn: u16,
    pub flags: u16,
    pub ppid: u32,
    pub tsn: u32,
    pub cumtsn: u32,
    pub context: u32,
    pub assoc_id: u32,
}

/// The beginning of `struct sctp_status`, and room for the rest of it.
#[repr(C)]
pub struct Status {
    pub assoc_id: u32,
    pub state: i32,
    pub rwnd: u32,
    pub unackdata: u16,
    pub penddata: u16,
    pub rest: [u64; 48],
}

pub type Output = extern "C" fn(*mut c_void, *mut c_void, usize, u8, u8) -> c_int;

unsafe extern "C" {
    pub fn usrsctp_init_nothreads(
        udp_port: u16,
        output: Output,
        print: Option<unsafe extern "C" fn(*const c_char, ...)>,
    );
    pub fn usrsctp_register_address(place: *mut c_void);
    pub fn usrsctp_socket(
        domain: c_int,
        kind: c_int,
        protocol: c_int,
        receive: *const c_void,
        send: *const c_void,
        threshold: u32,
        with: *mut c_void,
    ) -> *mut Socket;
    pub fn usrsctp_set_non_blocking(socket: *mut Socket, on: c_int) -> c_int;
    pub fn usrsctp_setsockopt(
        socket: *mut Socket,
        level: c_int,
        option: c_int,
        value: *const c_void,
        length: u32,
    ) -> c_int;
    pub fn usrsctp_getsockopt(
        socket: *mut Socket,
        level: c_int,
        option: c_int,
        value: *mut c_void,
        length: *mut u32,
    ) -> c_int;
    pub fn usrsctp_bind(socket: *mut Socket, address: *const Address, length: u32) -> c_int;
    pub fn usrsctp_listen(socket: *mut Socket, backlog: c_int) -> c_int;
    pub fn usrsctp_accept(
        socket: *mut Socket,
        address: *mut Address,
        length: *mut u32,
    ) -> *mut Socket;
    pub fn usrsctp_connect(socket: *mut Socket, address: *const Address, length: u32) -> c_int;
    pub fn usrsctp_close(socket: *mut Socket);
    pub fn usrsctp_conninput(place: *mut c_void, packet: *const c_void, length: usize, ecn: u8);
    pub fn usrsctp_sendv(
        socket: *mut Socket,
        data: *const c_void,
        length: usize,
        to: *const Address,
        addresses: c_int,
        info: *const SndInfo,
        info_length: u32,
        info_kind: c_uint,
        flags: c_int,
    ) -> isize;
    pub fn usrsctp_recvv(
        socket: *mut Socket,
        data: *mut c_void,
        length: usize,
        from: *mut Address,
        from_length: *mut u32,
        info: *mut RcvInfo,
        info_length: *mut u32,
        info_kind: *mut c_uint,
        flags: *mut c_int,
    ) -> isize;
    pub fn usrsctp_handle_timers(elapsed_ms: u32);
    /// Not in the header: what the library starts a timer with, to be called by
    /// `timers.rs` alone.
    pub fn sctp_os_timer_start(
        timer: *mut c_void,
        ticks: u32,
        then: *const c_void,
        with: *mut c_void,
    ) -> c_int;
}

/// The library's settings, which it has once for all associations; by the names of FreeBSD's.
macro_rules! settings {
    ($($name:literal $get:ident),* $(,)?) => {
        unsafe extern "C" {
            $(fn $get() -> u32;)*
        }

        /// What each is set to.
        pub fn settings() -> Vec<(&'static str, u32)> {
            // They only read.
            unsafe { vec![$(($name, $get())),*] }
        }
    };
}

settings! {
    "assoc_rtx_max" usrsctp_sysctl_get_sctp_assoc_rtx_max_default,
    "cc_module" usrsctp_sysctl_get_sctp_default_cc_module,
    "delayed_sack_time" usrsctp_sysctl_get_sctp_delayed_sack_time_default,
    "ecn_enable" usrsctp_sysctl_get_sctp_ecn_enable,
    "fr_maxburst" usrsctp_sysctl_get_sctp_fr_max_burst_default,
    "heartbeat_interval" usrsctp_sysctl_get_sctp_heartbeat_interval_default,
    "initial_cwnd" usrsctp_sysctl_get_sctp_initial_cwnd,
    "init_rto_max" usrsctp_sysctl_get_sctp_init_rto_max_default,
    "init_rtx_max" usrsctp_sysctl_get_sctp_init_rtx_max_default,
    "max_burst" usrsctp_sysctl_get_sctp_max_burst_default,
    "nr_sack_enable" usrsctp_sysctl_get_sctp_nrsack_enable,
    "path_rtx_max" usrsctp_sysctl_get_sctp_path_rtx_max_default,
    "recvspace" usrsctp_sysctl_get_sctp_recvspace,
    "rto_initial" usrsctp_sysctl_get_sctp_rto_initial_default,
    "rto_max" usrsctp_sysctl_get_sctp_rto_max_default,
    "rto_min" usrsctp_sysctl_get_sctp_rto_min_default,
    "sack_freq" usrsctp_sysctl_get_sctp_sack_freq_default,
    "sendspace" usrsctp_sysctl_get_sctp_sendspace,
}
