//! A lane's parts as the command line calls them.
// SPDX-License-Identifier: Apache-2.0
use clap::ValueEnum;
use lab_proto::{Baseline, Mechanism};

/// A baseline.
#[derive(Clone, Copy, ValueEnum)]
pub enum BaselineName {
    /// As the papers' kernels.
    Newreno2008,
    /// As kernels of today.
    Modern,
    /// With BBR.
    Bbr,
}

impl BaselineName {
    /// In the contract.
    pub fn number(self) -> i32 {
        let baseline = match self {
            Self::Newreno2008 => Baseline::Newreno2008,
            Self::Modern => Baseline::Modern,
            Self::Bbr => Baseline::Bbr,
        };
        baseline as i32
    }
}

/// A mechanism.
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum MechanismName {
    /// No back-off.
    LinearTimeouts,
    /// One duplicate acknowledgement is enough.
    EarlyFastRetransmit,
    /// Redundant data bundling.
    Bundling,
    /// The window that losses allow is kept.
    WindowFloor,
}

impl MechanismName {
    /// In the contract.
    pub fn number(self) -> i32 {
        let mechanism = match self {
            Self::LinearTimeouts => Mechanism::LinearTimeouts,
            Self::EarlyFastRetransmit => Mechanism::EarlyFastRetransmit,
            Self::Bundling => Mechanism::Bundling,
            Self::WindowFloor => Mechanism::WindowFloor,
        };
        mechanism as i32
    }
}
