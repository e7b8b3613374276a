//! What there is in a guest that would grow if something were left behind.
// SPDX-License-Identifier: Apache-2.0
use std::fs;

use lab_proto::guest::Stock;

use crate::fault::{Doing, Fault, Outcome};
use crate::lane::Namespace;

const NAMESPACE_LIMIT: &str = "/proc/sys/user/max_net_namespaces";

/// Counts it.
pub fn take() -> Outcome<Stock> {
    let memory = fs::read_to_string("/proc/meminfo").doing("reading /proc/meminfo")?;
    let kib = |name: &str| {
        let line = memory.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
        number.ok_or_else(|| Fault::Failed(format!("/proc/meminfo has no {name}")))
    };
    let used_kib = kib("MemTotal:")? - kib("MemAvailable:")?;
    Ok(Stock {
        processes: processes()?,
        descriptors: entries("/proc/self/fd")?,
        network_namespaces: network_namespaces()?,
        used_bytes: used_kib << 10,
    })
}

/// Programs' processes; the kernel's own threads come and go and have no image.
fn processes() -> Outcome<u64> {
    let all = fs::read_dir("/proc").doing("listing processes")?.flatten();
    let programs = all.filter(|entry| {
        let number = entry.file_name().to_string_lossy().parse::<u32>().is_ok();
        number && fs::read_link(entry.path().join("exe")).is_ok()
    });
    Ok(programs.count() as u64)
}

/// Those that anything holds on to, a forgotten socket as well. The kernel does
/// not tell how many there are, but refuses one beyond a limit: the lowest limit
/// that allows one more is how many there are then. Nobody else may want one
/// meanwhile.
fn network_namespaces() -> Outcome<u64> {
    let usual = fs::read_to_string(NAMESPACE_LIMIT).doing("reading the limit of namespaces")?;
    let set = |limit: &str| fs::write(NAMESPACE_LIMIT, limit).doing("limiting namespaces");
    let mut count = 0;
    let counted = loop {
        if let Err(fault) = set(&format!("{}", count + 1)) {
            break Err(fault);
        }
        if Namespace::create().is_ok() {
            break Ok(count);
        }
        count += 1;
    };
    set(usual.trim())?;
    counted
}

fn entries(folder: &str) -> Outcome<u64> {
    let entries = fs::read_dir(folder).doing(format!("listing {folder}"))?;
    Ok(entries.count() as u64)
}
