//! What a namespace's kernel is set to, as text: its transport's sysctls and every queueing
//! discipline. It is what a result was made with, told by the kernel itself and not
//! by who set it.
// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;
use std::os::fd::OwnedFd;

use lab_proto::LaneSpec;
use netlink_packet_core::Nla as _;
use netlink_packet_route::RouteNetlinkMessage;
use netlink_packet_route::tc::{TcAttribute, TcHandle, TcMessage};
use rustix::fs::{Dir, Mode, OFlags, open, openat};
use rustix::io::pread;

use super::netlink::Netlink;
use super::protocol::{Protocol, is_outside_kernel};
use super::{link, netem};
use crate::fault::{Doing, Outcome};

/// Where a protocol's settings are, what their names begin with there, and what the
/// kernel calls the folder.
fn place(protocol: Protocol) -> (&'static str, &'static str, &'static str) {
    match protocol {
        Protocol::Tcp => ("/proc/sys/net/ipv4", "tcp_", "net.ipv4"),
        Protocol::Sctp => ("/proc/sys/net/sctp", "", "net.sctp"),
        Protocol::Udp | Protocol::UdpLite => ("/proc/sys/net/ipv4", "udp_", "net.ipv4"),
    }
}

/// Longer than any of them: the longest list congestion controls.
const SETTING_BYTES: usize = 1024;

/// A protocol's settings in a namespace, or of usrsctp. Of the kernel's, each file is open: a
/// guest pays for each system call, and what is read before and after takes one instead of three
/// the second time.
pub struct Sysctls(Vec<(String, Value)>);

enum Value {
    OfKernel(OwnedFd),
    OfUsrsctp(u32),
}

impl Sysctls {
    /// Those of a lane, in the calling thread's namespace.
    pub fn open(spec: &LaneSpec) -> Outcome<Self> {
        if is_outside_kernel(spec.baseline()) {
            return Self::of_usrsctp();
        }
        Self::of_kernel(Protocol::of_lane(spec))
    }

    fn of_kernel(protocol: Protocol) -> Outcome<Self> {
        let (path, prefix, kernels_name) = place(protocol);
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let folder = open(path, flags | OFlags::DIRECTORY, Mode::empty());
        let folder = folder.doing(format!("opening {path}"))?;
        let entries = Dir::read_from(&folder).doing(format!("listing {path}"))?;
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry.doing(format!("listing {path}"))?;
            let name = entry.file_name().to_string_lossy();
            if name.starts_with('.') || !name.starts_with(prefix) {
                continue;
            }
            // Some may be written and not read, such as a key.
            if let Ok(file) = openat(&folder, &*name, flags, Mode::empty()) {
                files.push((format!("{kernels_name}.{name}"), Value::OfKernel(file)));
            }
        }
        files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Ok(Self(files))
    }

    /// No association changes them.
    fn of_usrsctp() -> Outcome<Self> {
        let all = thinlab_usrsctp::settings().doing("asking usrsctp for its settings")?;
        let all = all
            .into_iter()
            .map(|(name, value)| (format!("usrsctp.{name}"), Value::OfUsrsctp(value)));
        Ok(Self(all.collect()))
    }

    /// One a line, by name.
    pub fn read(&self) -> String {
        let mut text = String::new();
        let mut bytes = [0; SETTING_BYTES];
        for (name, value) in &self.0 {
            match value {
                Value::OfKernel(file) => {
                    if let Ok(length) = pread(file, &mut bytes, 0) {
                        let value = String::from_utf8_lossy(&bytes[..length]);
                        let _ = writeln!(text, "{name} = {}", value.trim_end());
                    }
                }
                Value::OfUsrsctp(value) => {
                    let _ = writeln!(text, "{name} = {value}");
                }
            }
        }
        text
    }
}

/// The queueing disciplines of the calling thread's namespace, one a line: interface,
/// place, kind, and the options' values in hex as the kernel tells them
/// (`linux/pkt_sched.h`), without counters, and without the seed of netem, which each
/// session has of its own.
pub fn queueing_disciplines() -> Outcome<String> {
    let mut netlink = Netlink::open()?;
    let mut told = Vec::new();
    netlink.dump(
        RouteNetlinkMessage::GetQueueDiscipline(TcMessage::default()),
        "listing queueing disciplines",
        |answer| {
            if let RouteNetlinkMessage::NewQueueDiscipline(qdisc) = answer {
                told.push(qdisc);
            }
        },
    )?;
    let names = link::names(&mut netlink)?;
    let lines = told.iter().map(|qdisc| {
        let name = names
            .iter()
            .find(|(index, _)| *index == qdisc.header.index as u32);
        line(name.map_or("?", |(_, name)| name), qdisc)
    });
    let mut lines: Vec<_> = lines.collect();
    lines.sort_unstable();
    Ok(lines.concat())
}

fn line(interface: &str, qdisc: &TcMessage) -> String {
    let (mut kind, mut options) = ("", String::new());
    for attribute in &qdisc.attributes {
        if let TcAttribute::Kind(name) = attribute {
            kind = name;
        }
        if let TcAttribute::Options(all) = attribute {
            for option in all {
                let mut bytes = vec![0; option.value_len()];
                option.emit_value(&mut bytes);
                if kind == netem::KIND {
                    bytes = netem::without_seed(&bytes);
                }
                let _ = bytes
                    .iter()
                    .try_for_each(|byte| write!(options, "{byte:02x}"));
            }
        }
    }
    let handle = qdisc.header.handle.major;
    let parent = match qdisc.header.parent {
        TcHandle::ROOT => "root".to_owned(),
        TcHandle::CLSACT => "clsact".to_owned(),
        TcHandle { major, minor } => format!("parent {major:x}:{minor:x}"),
    };
    format!("qdisc {kind} {handle:x}: dev {interface} {parent} options {options}\n")
}
