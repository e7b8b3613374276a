//! The command `wire hostile`: the kernel's sender, its mechanisms switched at
//! random, through a path that loses, duplicates and reorders, to a receiver
//! that has none of the mechanisms. Every byte has to arrive, once and right.
//!
//! Both ends are sockets of this kernel, in namespaces of their own; the path
//! between their TUN interfaces is this program.
// SPDX-License-Identifier: Apache-2.0
mod allocations;
mod path;
mod repair;
mod round;
mod switches;

use std::fmt;

use anyhow::Result;
use clap::Args;

use crate::clock;
use repair::Repair;
use round::Round;

/// Counters that the sender's namespace gives at the end of a round, where the
/// kernel has them.
const COUNTERS: [&str; 14] = [
    "RetransSegs",
    "TCPTimeouts",
    "TCPThinLinearTimeouts",
    "TCPThinEarlyRetrans",
    "TCPRDBBundles",
    "TCPRDBRepairs",
    "TCPRDBCongestion",
    "TCPRDBDSACKs",
    "TCPThinWindowFloors",
    "TCPRDBDeep",
    "TCPThinProbes",
    "TCPThinTailCopies",
    "TCPThinTailRepairs",
    "TCPDSACKUndo",
];

/// Sends through a hostile path, as root, and compares every byte.
#[derive(Args)]
pub struct Hostile {
    /// All that is random follows from it.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// How many losses, duplications and reorderings there have to be.
    #[arg(long, default_value = "100000")]
    events: u64,
    /// Only this round: what a failure names.
    #[arg(long)]
    round: Option<u64>,
    /// Leaves the mechanisms alone: for a kernel that has none.
    #[arg(long)]
    stock: bool,
    /// Lets so many of the kernel's allocations fail that may not wait: on a
    /// kernel with failslab, as the debug kernel.
    #[arg(long, default_value = "0", value_parser = clap::value_parser!(u32).range(..=10))]
    failing_allocations_percent: u32,
}

/// What the path has done, and the kernel's counters.
#[derive(Clone, Default)]
pub struct Tally {
    /// Packets that entered the path.
    pub packets: u64,
    /// Packets thrown away.
    pub lost: u64,
    /// Packets sent on twice.
    pub duplicated: u64,
    /// Packets that arrived after a later one.
    pub reordered: u64,
    /// Packets marked as having met congestion.
    pub marked: u64,
    /// Bytes that arrived, both ways.
    pub bytes: u64,
    /// Settings changed while running.
    pub switched: u64,
    /// What the losses cost.
    pub repair: Repair,
    /// See [`COUNTERS`].
    pub counters: [u64; COUNTERS.len()],
}

impl Hostile {
    /// Whether everything arrived.
    pub fn run(&self) -> Result<bool> {
        clock::wake_exactly()?;
        let started_ns = clock::now_ns();
        let mut tally = Tally::default();
        let mut rounds = 0;
        let first = self.round.unwrap_or(0);
        while rounds == 0 || (self.round.is_none() && tally.events() < self.events) {
            let number = first + rounds;
            let round = Round::new(
                self.seed,
                number,
                !self.stock,
                self.failing_allocations_percent,
            );
            if let Err(failure) = round.run(&mut tally) {
                println!(
                    "FAILED seed {} round {number}: {:#}\n    {}\n    again: wire hostile --seed {} --round {number}",
                    self.seed,
                    failure.error,
                    round.describe(),
                    self.seed
                );
                for line in failure.last_packets {
                    println!("    {line}");
                }
                return Ok(false);
            }
            rounds += 1;
        }
        let seconds = (clock::now_ns() - started_ns) / 1_000_000_000;
        println!(
            "{rounds} connections, {seconds} s, seed {}: {tally}",
            self.seed
        );
        Ok(true)
    }
}

impl Tally {
    /// What a stream has to survive.
    pub fn events(&self) -> u64 {
        self.lost + self.duplicated + self.reordered
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{} packets, {} lost, {} duplicated, {} reordered, {} marked; {} bytes arrived; {} \
             settings changed",
            self.packets,
            self.lost,
            self.duplicated,
            self.reordered,
            self.marked,
            self.bytes,
            self.switched
        )?;
        writeln!(out, "{}", self.repair)?;
        for (name, value) in COUNTERS.iter().zip(self.counters) {
            write!(out, "{name} {value} ")?;
        }
        Ok(())
    }
}
