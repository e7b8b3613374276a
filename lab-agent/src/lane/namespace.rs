//! Network namespaces without names: each lives as long as its handle and the
//! sockets made in it, so that nothing stays behind.
// SPDX-License-Identifier: Apache-2.0
use std::cell::RefCell;
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::sync::Arc;

use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space};

use crate::fault::{Doing, Outcome};

/// A handle on a network namespace.
#[derive(Clone)]
pub struct Namespace {
    handle: Arc<File>,
}

thread_local! {
    /// Where the thread is, once somebody has asked. A lane asks dozens of times, and
    /// to look it up anew costs a guest more than to go there.
    static HERE: RefCell<Option<Namespace>> = const { RefCell::new(None) };
}

impl Namespace {
    /// Makes an empty namespace; the calling thread stays where it is.
    pub fn create() -> Outcome<Self> {
        let home = Self::current()?;
        // Only the network is unshared, which is safe for a thread among others.
        #[allow(unsafe_code)]
        unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNET) }
            .doing("making a network namespace")?;
        let made = Self::look_up();
        home.become_current()?;
        made
    }

    /// Runs `work` with the calling thread in this namespace. Sockets opened by
    /// it stay here.
    pub fn run<T>(&self, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        let home = Self::current()?;
        self.become_current()?;
        let result = work();
        home.become_current()?;
        result
    }

    /// The descriptor that netlink takes to move a link here.
    pub fn raw(&self) -> RawFd {
        self.handle.as_raw_fd()
    }

    fn current() -> Outcome<Self> {
        let known = HERE.with_borrow(Clone::clone);
        known.map_or_else(Self::look_up, Ok)
    }

    fn look_up() -> Outcome<Self> {
        let handle = File::open("/proc/thread-self/ns/net").doing("opening a network namespace")?;
        Ok(Self {
            handle: Arc::new(handle),
        })
    }

    fn become_current(&self) -> Outcome<()> {
        move_into_link_name_space(self.handle.as_fd(), Some(LinkNameSpaceType::Network))
            .doing("entering a network namespace")?;
        HERE.set(Some(self.clone()));
        Ok(())
    }
}
