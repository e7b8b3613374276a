//! What the agent outside a guest and the one inside have to agree on: names in
//! the spool, the one folder that both see, and a word on the kernel's command
//! line.
// SPDX-License-Identifier: Apache-2.0

/// Where the guest sees the spool.
pub const SPOOL: &str = "/spool";
/// The word that asks a guest for service on its serial line.
pub const SERVE: &str = "lab.serve";
/// The job.
pub const JOB: &str = "job.pb";
/// The outcome.
pub const OUTCOME: &str = "outcome.pb";
/// Appears when the guest has booted: what comes after is the run's own time.
pub const STARTED: &str = "started";

/// The captures of a run's `lane`th lane, in the run's folder: its sender's, its
/// receiver's.
pub fn captures(lane: usize) -> [String; 2] {
    ["sender", "receiver"].map(|end| format!("{end}-{lane}.pcapng"))
}
