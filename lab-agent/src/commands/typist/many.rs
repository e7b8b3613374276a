//! Many typed terminals, some at once, and whether anything of them is left
//! behind.
// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lab_proto::TerminalOpen;
use lab_proto::guest::Stock;
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::stroke::Stroke;
use super::typing::{Typed, run};
use crate::boot::Host;
use crate::fault::{Doing, Fault, Outcome};

/// Kernels take things down a moment after the call that asked for it.
const DISMANTLING_LIMIT: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Runs one terminal for each of `scripts`, at most `at_once` at a time; `each`
/// hears of every one that is over.
pub async fn run_all(
    host: &Arc<Host>,
    scripts: Vec<(TerminalOpen, Vec<Stroke>)>,
    at_once: usize,
    mut each: impl FnMut(Typed),
) -> Outcome<()> {
    let places = Arc::new(Semaphore::new(at_once));
    let mut running = JoinSet::new();
    for (open, strokes) in scripts {
        let place = Arc::clone(&places).acquire_owned().await;
        let host = Arc::clone(host);
        running.spawn(async move {
            let typed = run(host, open, strokes).await;
            drop(place);
            typed
        });
        while let Some(done) = running.try_join_next() {
            each(flatten(done)?);
        }
    }
    while let Some(done) = running.join_next().await {
        each(flatten(done)?);
    }
    Ok(())
}

fn flatten(done: Result<Outcome<Typed>, tokio::task::JoinError>) -> Outcome<Typed> {
    done.unwrap_or_else(|error| Err(Fault::Failed(format!("{error} while typing"))))
}

/// What there is that would grow if terminals left something behind: in all
/// guests together, and in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Holdings {
    /// Programs that run in the guests.
    pub guest_processes: u64,
    /// Descriptors of the guests' agents.
    pub guest_descriptors: u64,
    /// Network namespaces of the guests.
    pub guest_namespaces: u64,
    /// Memory that the guests have used, KiB.
    pub guest_memory_kib: u64,
    /// Descriptors of this process.
    pub descriptors: u64,
    /// Its threads.
    pub threads: u64,
    /// Its memory, KiB.
    pub memory_kib: u64,
}

impl Holdings {
    /// Counts them.
    pub async fn now(host: &Host) -> Outcome<Self> {
        let mut stocks = Vec::new();
        for guest in host.serving()? {
            let stock = guest.stock().await;
            stocks.push(stock.map_err(|status| Fault::Failed(status.message().into()))?);
        }
        let sum = |of: fn(&Stock) -> u64| stocks.iter().map(of).sum();
        let status = fs::read_to_string("/proc/self/status").doing("reading /proc/self/status")?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
            number.ok_or_else(|| Fault::Failed(format!("/proc/self/status has no {name}")))
        };
        let descriptors = fs::read_dir("/proc/self/fd").doing("listing descriptors")?;
        Ok(Self {
            guest_processes: sum(|stock| stock.processes),
            guest_descriptors: sum(|stock| stock.descriptors),
            guest_namespaces: sum(|stock| stock.network_namespaces),
            guest_memory_kib: sum(|stock| stock.used_bytes) >> 10,
            descriptors: descriptors.count() as u64,
            threads: field("Threads:")?,
            memory_kib: field("VmRSS:")?,
        })
    }

    /// Counts them once a host that has just been started is at rest.
    pub async fn at_rest(host: &Host) -> Outcome<Self> {
        let mut before = Self::now(host).await?;
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let now = Self::now(host).await?;
            if now.extra(&before) == 0 && before.extra(&now) == 0 {
                return Ok(now);
            }
            before = now;
        }
    }

    /// Counts them once everything is taken down that is going to be: at the
    /// latest when nobody would call it a moment any more.
    pub async fn settled(host: &Host, before: &Self) -> Outcome<Self> {
        let start = Instant::now();
        loop {
            let now = Self::now(host).await?;
            if now.extra(before) == 0 || start.elapsed() > DISMANTLING_LIMIT {
                return Ok(now);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Processes, descriptors and namespaces that were not there before.
    pub fn extra(&self, before: &Self) -> u64 {
        let pairs = [
            (self.guest_processes, before.guest_processes),
            (self.guest_descriptors, before.guest_descriptors),
            (self.guest_namespaces, before.guest_namespaces),
            (self.descriptors, before.descriptors),
        ];
        pairs
            .map(|(now, then)| now.saturating_sub(then))
            .iter()
            .sum()
    }
}
