//! A TUN device: what the kernel sends is read here, what is written here has
//! arrived at the kernel. The calling thread's network namespace has nothing
//! else.
// SPDX-License-Identifier: Apache-2.0
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;

use anyhow::{Context, Result, bail};
use rustix::net::{AddressFamily, SocketType, socket};

use crate::clock;

const DEVICE: &str = "/dev/net/tun";
const NAME: &[u8] = b"wire";
const TUNSETIFF: libc::c_ulong = 0x4004_54ca;
const IFF_TUN: u16 = 1;
/// No header of TUN's own before the packet.
const IFF_NO_PI: u16 = 0x1000;
const TUNSETOFFLOAD: libc::c_ulong = 0x4004_54d0;
/// `TUN_F_CSUM`, `TUN_F_TSO4`, `TUN_F_TSO6`, `TUN_F_TSO_ECN`.
const LIKE_ETHERNET: libc::c_ulong = 15;
const SIOCGIFFLAGS: libc::c_ulong = 0x8913;
const SIOCSIFFLAGS: libc::c_ulong = 0x8914;
const SIOCSIFADDR: libc::c_ulong = 0x8916;
const SIOCSIFNETMASK: libc::c_ulong = 0x891c;
const SIOCSIFMTU: libc::c_ulong = 0x8922;
const SIOCGIFINDEX: libc::c_ulong = 0x8933;
const IFF_UP: u16 = 1;
const USABLE_WITHIN_NS: i64 = 5_000_000_000;
const LOOK_EVERY_NS: i64 = 1_000_000;

/// `struct ifreq`: a name and a union whose longest member has 24 bytes.
#[repr(C)]
struct InterfaceRequest {
    name: [u8; libc::IFNAMSIZ],
    value: [u8; 24],
}

/// `struct in6_ifreq`.
#[repr(C)]
struct Ipv6Request {
    address: [u8; 16],
    prefix_length: u32,
    index: u32,
}

/// The addresses of a connection's two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The kernel under test, or the sender.
    pub near: IpAddr,
    /// The script's peer, or the receiver.
    pub far: IpAddr,
}

impl Ends {
    /// The ends in IPv4 or IPv6.
    pub fn of(version: u8) -> Self {
        if version == 4 {
            Self {
                near: Ipv4Addr::new(10, 1, 0, 1).into(),
                far: Ipv4Addr::new(10, 1, 0, 2).into(),
            }
        } else {
            let address = |last| Ipv6Addr::new(0xfd00, 1, 0, 0, 0, 0, 0, last).into();
            Self {
                near: address(1),
                far: address(2),
            }
        }
    }
}

/// See the module.
pub struct Tun {
    device: File,
    control: OwnedFd,
}

impl Tun {
    /// Makes the interface, with `address` and packets of up to `mtu` bytes.
    pub fn open(address: IpAddr, mtu: u32) -> Result<Self> {
        let device = open_device()?;
        let mut request = named();
        request.value[..2].copy_from_slice(&(IFF_TUN | IFF_NO_PI).to_ne_bytes());
        ioctl(device.as_fd(), TUNSETIFF, &mut request).context("making a TUN interface")?;
        let control = socket(AddressFamily::INET, SocketType::DGRAM, None)
            .context("opening a socket to set the interface up")?;
        let tun = Self { device, control };
        tun.set_mtu(mtu)?;
        let control = tun.control.as_fd();
        if let IpAddr::V4(address) = address {
            set_ipv4(control, SIOCSIFADDR, address).context("adding an IPv4 address")?;
            set_ipv4(control, SIOCSIFNETMASK, Ipv4Addr::new(255, 255, 255, 0))
                .context("setting the IPv4 netmask")?;
        }
        let mut request = named();
        ioctl(control, SIOCGIFFLAGS, &mut request).context("reading interface flags")?;
        let flags = u16::from_ne_bytes([request.value[0], request.value[1]]) | IFF_UP;
        request.value[..2].copy_from_slice(&flags.to_ne_bytes());
        ioctl(control, SIOCSIFFLAGS, &mut request).context("switching the interface on")?;
        if let IpAddr::V6(address) = address {
            add_ipv6(control, address)?;
        }
        Ok(tun)
    }

    /// The interface takes packets of up to `mtu` bytes from now on.
    pub fn set_mtu(&self, mtu: u32) -> Result<()> {
        let mut request = named();
        request.value[..4].copy_from_slice(&mtu.to_ne_bytes());
        ioctl(self.control.as_fd(), SIOCSIFMTU, &mut request)
            .with_context(|| format!("setting the interface's MTU to {mtu}"))
    }

    /// Lets the kernel leave checksums and the division into segments to the
    /// interface, as it does with most Ethernet cards: packets come as large as
    /// TCP has made them.
    pub fn offload(&self) -> Result<()> {
        // The argument is a number.
        #[allow(unsafe_code)]
        let result = unsafe { libc::ioctl(self.device.as_raw_fd(), TUNSETOFFLOAD, LIKE_ETHERNET) };
        if result < 0 {
            return Err(std::io::Error::last_os_error()).context("offloading to the interface");
        }
        Ok(())
    }

    /// The interface's number.
    pub fn index(&self) -> Result<u32> {
        index(self.control.as_fd())
    }

    /// The next packet that the kernel has sent, if there is one.
    pub fn receive(&mut self, buffer: &mut [u8]) -> Result<Option<usize>> {
        match self.device.read(buffer) {
            Ok(length) => Ok(Some(length)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error).context("reading a packet from the TUN interface"),
        }
    }

    /// Lets a packet arrive at the kernel.
    pub fn send(&mut self, packet: &[u8]) -> Result<()> {
        self.device
            .write_all(packet)
            .context("writing a packet to the TUN interface")
    }
}

impl AsFd for Tun {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

fn open_device() -> Result<File> {
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(DEVICE);
    match opened {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "there is no {DEVICE}: load the module (modprobe tun), or boot a kernel with CONFIG_TUN"
        ),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            bail!("{DEVICE} may not be opened: run this as root")
        }
        opened => opened.with_context(|| format!("opening {DEVICE}")),
    }
}

fn named() -> InterfaceRequest {
    let mut name = [0; libc::IFNAMSIZ];
    name[..NAME.len()].copy_from_slice(NAME);
    InterfaceRequest {
        name,
        value: [0; 24],
    }
}

fn set_ipv4(control: BorrowedFd, request_code: libc::c_ulong, address: Ipv4Addr) -> Result<()> {
    let mut request = named();
    // struct sockaddr_in: family, port, address.
    request.value[..2].copy_from_slice(&(libc::AF_INET as u16).to_ne_bytes());
    request.value[4..8].copy_from_slice(&address.octets());
    ioctl(control, request_code, &mut request)
}

fn index(control: BorrowedFd) -> Result<u32> {
    let mut request = named();
    ioctl(control, SIOCGIFINDEX, &mut request).context("finding the interface's number")?;
    let index = request.value[..4].try_into().expect("four bytes");
    Ok(u32::from_ne_bytes(index))
}

fn add_ipv6(control: BorrowedFd, address: Ipv6Addr) -> Result<()> {
    let mut request = Ipv6Request {
        address: address.octets(),
        prefix_length: 64,
        index: index(control)?,
    };
    let control = socket(AddressFamily::INET6, SocketType::DGRAM, None)
        .context("opening an IPv6 socket (is IPv6 switched off?)")?;
    ioctl(control.as_fd(), SIOCSIFADDR, &mut request).context("adding an IPv6 address")?;
    usable(address)
}

/// Waits until the kernel has let the address in, which a worker of its own
/// does a moment later.
fn usable(address: Ipv6Addr) -> Result<()> {
    let given_up = clock::now_ns() + USABLE_WITHIN_NS;
    loop {
        let probe = socket(AddressFamily::INET6, SocketType::DGRAM, None)
            .context("opening an IPv6 socket")?;
        match rustix::net::bind(&probe, &SocketAddr::new(address.into(), 0)) {
            Err(rustix::io::Errno::ADDRNOTAVAIL) if clock::now_ns() < given_up => {
                let _ = rustix::thread::nanosleep(&clock::span(LOOK_EVERY_NS));
            }
            bound => return bound.context("waiting for the IPv6 address to become usable"),
        }
    }
}

fn ioctl<T>(on: BorrowedFd, code: libc::c_ulong, request: &mut T) -> Result<()> {
    // Every code used here reads or writes the one structure it is given, whose
    // layout is the kernel's.
    #[allow(unsafe_code)]
    let result = unsafe { libc::ioctl(on.as_raw_fd(), code, std::ptr::from_mut(request)) };
    if result < 0 {
        return Err(std::io::Error::last_os_error().into());
    }
    Ok(())
}
