//! What there is in a guest that would grow if something were left behind.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::fs;

use lab_proto::guest::Stock;

use crate::fault::{Doing, Fault, Outcome};

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

/// Those that anything holds on to: the kernel numbers each, and the allocator
/// of the structure counts them all.
fn network_namespaces() -> Outcome<u64> {
    let slabs = fs::read_to_string("/proc/slabinfo").unwrap_or_default();
    let counted = slabs.lines().find_map(|line| {
        let rest = line.strip_prefix("net_namespace ")?;
        rest.split_whitespace().next()?.parse::<u64>().ok()
    });
    if let Some(counted) = counted {
        return Ok(counted);
    }
    held_by_processes()
}

/// Where the allocator does not tell: those that processes are in.
fn held_by_processes() -> Outcome<u64> {
    let all = fs::read_dir("/proc").doing("listing processes")?.flatten();
    let seen: BTreeSet<_> = all
        .filter_map(|entry| fs::read_link(entry.path().join("ns/net")).ok())
        .collect();
    Ok(seen.len() as u64)
}

fn entries(folder: &str) -> Outcome<u64> {
    let entries = fs::read_dir(folder).doing(format!("listing {folder}"))?;
    Ok(entries.count() as u64)
}
