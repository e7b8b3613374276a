//! SCTP's mechanisms: the settings of lab-agent/kernel/patches 02xx.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::Mechanism;

use crate::lane::sysctl::flag;

/// Every mechanism of SCTP's, and what switches it.
const ALL: [(Mechanism, [&str; 1]); 8] = [
    (Mechanism::ShortMinRto, ["net.sctp.thin_rto_min"]),
    (Mechanism::RtoRestart, ["net.sctp.thin_rto_restart"]),
    (Mechanism::LinearTimeouts, ["net.sctp.thin_linear_timeouts"]),
    (
        Mechanism::EarlyFastRetransmit,
        ["net.sctp.thin_fast_retransmit"],
    ),
    (Mechanism::BundledRetransmit, ["net.sctp.thin_rtx_bundling"]),
    (Mechanism::ImmediateSack, ["net.sctp.thin_sack_immediately"]),
    (Mechanism::Bundling, ["net.sctp.thin_bundling"]),
    (Mechanism::TailCopy, ["net.sctp.thin_tail_copy"]),
];

/// See the module above.
pub fn needed(mechanism: Mechanism) -> &'static [&'static str] {
    let found = ALL.iter().find(|(one, _)| *one == mechanism);
    found.map_or(&[], |(_, names)| names)
}

/// Every setting with its value.
pub fn settings(on: impl Fn(Mechanism) -> bool) -> Vec<(&'static str, String)> {
    let all = ALL.iter();
    all.map(|&(mechanism, [name])| (name, flag(on(mechanism))))
        .collect()
}
