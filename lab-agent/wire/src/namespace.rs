//! Network namespaces for the calling thread.
// SPDX-License-Identifier: Apache-2.0
use std::fs::File;
use std::os::fd::AsFd;

use anyhow::{Context, Result};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space};

/// A namespace that can be entered again.
pub struct Namespace(File);

/// Puts the calling thread into a new namespace, which is gone when the thread
/// has left it and its sockets are closed.
pub fn enter_new() -> Result<()> {
    // Only the network is unshared, which is safe for a thread among others.
    #[allow(unsafe_code)]
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWNET) }
        .context("making a network namespace: run this as root")?;
    // Nothing but the test's own packets: no solicitations, no tests for
    // duplicate addresses.
    for (name, value) in [("router_solicitations", "0"), ("accept_dad", "0")] {
        let path = format!("/proc/sys/net/ipv6/conf/default/{name}");
        std::fs::write(&path, value)
            .with_context(|| format!("writing {path} (is IPv6 switched off?)"))?;
    }
    Ok(())
}

impl Namespace {
    /// The calling thread's.
    pub fn current() -> Result<Self> {
        File::open("/proc/thread-self/ns/net")
            .map(Self)
            .context("opening the network namespace")
    }

    /// Makes it the calling thread's.
    pub fn enter(&self) -> Result<()> {
        move_into_link_name_space(self.0.as_fd(), Some(LinkNameSpaceType::Network))
            .context("entering a network namespace")
    }
}
