//! Switches segmentation, aggregation and checksum offloads off, so that the
//! packets in a trace are the packets on the wire, and netem damages packets
//! whose checksum is already in them.
// SPDX-License-Identifier: Apache-2.0
use std::os::fd::AsRawFd;

use rustix::net::{AddressFamily, SocketType, socket};

use crate::fault::{Doing, Outcome};

const SIOCETHTOOL: libc::c_ulong = 0x8946;
// linux/ethtool.h: the ETHTOOL_S… commands that take an `ethtool_value`.
const SET_RX_CHECKSUM: u32 = 0x15;
const SET_TX_CHECKSUM: u32 = 0x17;
const SET_SCATTER_GATHER: u32 = 0x19;
const SET_TSO: u32 = 0x1f;
const SET_GSO: u32 = 0x24;
const SET_GRO: u32 = 0x2c;

#[repr(C)]
struct EthtoolValue {
    command: u32,
    data: u32,
}

#[repr(C)]
struct InterfaceRequest {
    name: [u8; libc::IFNAMSIZ],
    data: *mut EthtoolValue,
    // `struct ifreq` is 40 bytes: the union's longest member is 24.
    rest: [u8; 16],
}

/// Switches all offloads of the interface off, in the calling thread's
/// namespace.
pub fn switch_off(name: &str) -> Outcome<()> {
    let control = socket(AddressFamily::INET, SocketType::DGRAM, None)
        .doing("opening a socket to switch offloads off")?;
    for (command, what) in [
        (SET_TSO, "tso"),
        (SET_GSO, "gso"),
        (SET_GRO, "gro"),
        (SET_TX_CHECKSUM, "tx checksum"),
        (SET_RX_CHECKSUM, "rx checksum"),
        (SET_SCATTER_GATHER, "scatter-gather"),
    ] {
        let mut value = EthtoolValue { command, data: 0 };
        let mut request = InterfaceRequest {
            name: [0; libc::IFNAMSIZ],
            data: &raw mut value,
            rest: [0; 16],
        };
        request.name[..name.len()].copy_from_slice(name.as_bytes());
        // The kernel reads `request` and the value it points to; both live here.
        #[allow(unsafe_code)]
        let result = unsafe { libc::ioctl(control.as_raw_fd(), SIOCETHTOOL, &raw mut request) };
        if result < 0 {
            Err(std::io::Error::last_os_error())
                .doing(format!("switching {what} off on {name}"))?;
        }
    }
    Ok(())
}
