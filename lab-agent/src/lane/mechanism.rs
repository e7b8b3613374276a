//! Mechanisms: which of the kernel's thin-stream changes are there, and
//! switching them for one lane.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Mechanism, MechanismSupport};

use super::sysctl;
use crate::fault::{Fault, Outcome};

/// All mechanisms that a caller can name, in the contract's order.
const ALL: [Mechanism; 3] = [
    Mechanism::LinearTimeouts,
    Mechanism::EarlyFastRetransmit,
    Mechanism::Bundling,
];

/// The per-namespace setting that switches a mechanism, where one exists. The
/// kernel reads it at every use, so running connections follow.
fn switch(mechanism: Mechanism) -> Option<&'static str> {
    match mechanism {
        Mechanism::LinearTimeouts => Some("net.ipv4.tcp_thin_linear_timeouts"),
        Mechanism::EarlyFastRetransmit | Mechanism::Bundling | Mechanism::Unspecified => None,
    }
}

/// Why this kernel cannot do it; `None` when it can.
fn lacking(mechanism: Mechanism) -> Option<String> {
    match switch(mechanism) {
        Some(setting) if sysctl::exists(setting) => None,
        Some(setting) => Some(format!("this kernel has no {setting}")),
        None => Some(
            match mechanism {
                Mechanism::EarlyFastRetransmit => {
                    "the kernel dropped it in 4.11, and this one has no patch that brings it back"
                }
                _ => "this kernel has no patch that adds it",
            }
            .into(),
        ),
    }
}

/// What the kernel of the calling thread's namespace can do.
pub fn support() -> Vec<MechanismSupport> {
    ALL.into_iter()
        .map(|mechanism| {
            let reason = lacking(mechanism);
            MechanismSupport {
                mechanism: mechanism as i32,
                available: reason.is_none(),
                reason: reason.unwrap_or_default(),
            }
        })
        .collect()
}

/// Switches exactly `wanted` on, in the calling thread's namespace, and all
/// others off. Fails before it has switched anything.
pub fn set(wanted: &[Mechanism]) -> Outcome<()> {
    for &mechanism in wanted {
        if let Some(reason) = lacking(mechanism) {
            return Err(Fault::Unsupported(format!(
                "lane.mechanisms: {} is not available: {reason}",
                mechanism.as_str_name()
            )));
        }
    }
    for mechanism in ALL {
        if let Some(setting) = switch(mechanism).filter(|setting| sysctl::exists(setting)) {
            let on = wanted.contains(&mechanism);
            sysctl::write(setting, if on { "1" } else { "0" })?;
        }
    }
    Ok(())
}
