//! A `TPACKET_V2` receive ring (packet(7)): the kernel copies packets and their
//! nanosecond stamps into memory shared with us, no system call a packet.
//!
//! Version 2 and not 3: version 3 hands over blocks on a timer, and in virtual
//! time every timer that fires is work.
// SPDX-License-Identifier: Apache-2.0
#![allow(unsafe_code)]

use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::net::{AddressFamily, SocketType, socket};

use super::pcapng::Packet;
use crate::fault::{Doing, Outcome};
use crate::forking;
use crate::socket_option;

/// Room for a full Ethernet frame behind its header (66 bytes and alignment).
const FRAME_BYTES: usize = 2048;
/// More than a stream sends between two looks of the transfer's loop, of whatever kind
/// it is. Where fewer are enough, fewer cost less: a guest takes 5 µs for each.
pub const FRAMES: usize = 1024;
const BLOCK_BYTES: usize = 1 << 16;

/// The ring of one interface.
pub struct Ring {
    socket: OwnedFd,
    memory: NonNull<u8>,
    frames: usize,
    next: usize,
}

// The memory belongs to this ring alone; only the thread that holds it reads,
// and only who may change the ring.
unsafe impl Send for Ring {}
unsafe impl Sync for Ring {}

impl Ring {
    /// Opens a ring of `frames`, rounded up to whole blocks, on `interface` of
    /// the calling thread's namespace.
    pub fn open(interface: &str, frames: usize) -> Outcome<Self> {
        let blocks = (frames * FRAME_BYTES).div_ceil(BLOCK_BYTES);
        let frames = blocks * BLOCK_BYTES / FRAME_BYTES;
        // Protocol 0: nothing arrives before `bind` has named the interface.
        let socket = socket(AddressFamily::PACKET, SocketType::RAW, None)
            .doing("opening a capture socket")?;
        let index = rustix::net::netdevice::name_to_index(&socket, interface)
            .doing(format!("looking up the link {interface}"))?;
        set_option(
            &socket,
            libc::PACKET_VERSION,
            &libc::tpacket_versions::TPACKET_V2,
        )?;
        let request = libc::tpacket_req {
            tp_block_size: BLOCK_BYTES as u32,
            tp_block_nr: blocks as u32,
            tp_frame_size: FRAME_BYTES as u32,
            tp_frame_nr: frames as u32,
        };
        set_option(&socket, libc::PACKET_RX_RING, &request)?;
        let memory = map(&socket, frames * FRAME_BYTES)?;
        let ring = Self {
            socket,
            memory,
            frames,
            next: 0,
        };
        ring.bind(index)?;
        Ok(ring)
    }

    /// Hands every waiting packet to `each`, oldest first.
    pub fn drain(&mut self, mut each: impl FnMut(&Packet<'_>)) {
        loop {
            let frame = unsafe { self.memory.add(self.next * FRAME_BYTES) };
            let header = frame.cast::<libc::tpacket2_hdr>();
            // The kernel writes the status last, we hand it back last.
            let status =
                unsafe { AtomicU32::from_ptr((&raw mut (*header.as_ptr()).tp_status).cast()) };
            if status.load(Ordering::Acquire) & libc::TP_STATUS_USER == 0 {
                return;
            }
            each(&unsafe { read_frame(frame) });
            status.store(libc::TP_STATUS_KERNEL, Ordering::Release);
            self.next = (self.next + 1) % self.frames;
        }
    }

    /// Packets that found the ring full, since the last call.
    pub fn overruns(&self) -> Outcome<u32> {
        let mut statistics = [0u32; 2]; // packets, drops
        let mut length = size_of_val(&statistics) as libc::socklen_t;
        let result = unsafe {
            libc::getsockopt(
                self.socket.as_raw_fd(),
                libc::SOL_PACKET,
                libc::PACKET_STATISTICS,
                statistics.as_mut_ptr().cast(),
                &raw mut length,
            )
        };
        os_result(result).doing("reading a capture's statistics")?;
        Ok(statistics[1])
    }

    fn bind(&self, index: u32) -> Outcome<()> {
        let mut address: libc::sockaddr_ll = unsafe { std::mem::zeroed() };
        address.sll_family = libc::AF_PACKET as u16;
        address.sll_protocol = (libc::ETH_P_ALL as u16).to_be();
        address.sll_ifindex = index as i32;
        let result = unsafe {
            libc::bind(
                self.socket.as_raw_fd(),
                (&raw const address).cast(),
                size_of_val(&address) as libc::socklen_t,
            )
        };
        os_result(result).doing("binding a capture to its link")
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.frames * FRAME_BYTES) };
    }
}

/// # Safety
/// `frame` points to a frame that the kernel has handed over.
unsafe fn read_frame<'a>(frame: NonNull<u8>) -> Packet<'a> {
    unsafe {
        let header = &*frame.cast::<libc::tpacket2_hdr>().as_ptr();
        let aligned = size_of::<libc::tpacket2_hdr>().next_multiple_of(libc::TPACKET_ALIGNMENT);
        let address = &*frame.add(aligned).cast::<libc::sockaddr_ll>().as_ptr();
        let start = frame.add(usize::from(header.tp_mac)).as_ptr();
        Packet {
            at_ns: u64::from(header.tp_sec) * 1_000_000_000 + u64::from(header.tp_nsec),
            outgoing: address.sll_pkttype == libc::PACKET_OUTGOING,
            bytes: std::slice::from_raw_parts(start, header.tp_snaplen as usize),
        }
    }
}

fn set_option<T>(socket: &OwnedFd, name: libc::c_int, value: &T) -> Outcome<()> {
    socket_option::set(socket, libc::SOL_PACKET, name, value).doing("setting up a capture's ring")
}

fn map(socket: &OwnedFd, bytes: usize) -> Outcome<NonNull<u8>> {
    let _alone = forking::alone();
    let address = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            socket.as_raw_fd(),
            0,
        )
    };
    if address == libc::MAP_FAILED {
        return Err(std::io::Error::last_os_error()).doing("mapping a capture's ring");
    }
    // Nobody who is started while a capture runs may see it; and User Mode Linux
    // drops such pages twice when a second process has them.
    os_result(unsafe { libc::madvise(address, bytes, libc::MADV_DONTFORK) })
        .doing("keeping a capture's ring to ourselves")?;
    Ok(NonNull::new(address.cast()).expect("a mapping is never at address 0"))
}

fn os_result(result: libc::c_int) -> std::io::Result<()> {
    if result < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}
