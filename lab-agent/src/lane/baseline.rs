//! Baselines: the transport protocol and its configuration that a mechanism is compared on.
//!
//! Every setting here is per namespace in 6.12, and every baseline writes every
//! one of them: a new namespace takes some from the initial one
//! (`tcp_congestion_control`) and some from the kernel's defaults, and a lane
//! whose baseline changes must not keep the old one's. What is global stays
//! out: `tcp_mem` (sized by the guest's memory) and the parameters of the
//! congestion control modules.
// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use clap::ValueEnum as _;
use lab_proto::{Baseline, BaselineSupport};

use super::protocol::{Protocol, is_outside_kernel};
use super::sysctl::{self, Setting};
use crate::fault::{Fault, Outcome};

/// Its folder is there with the protocol.
const A_SETTING_OF_SCTP: &str = "net.sctp.rto_min";
/// A kernel that has no UDP-Lite any more does not tell of its sockets.
const SOCKETS_OF_UDP_LITE: &str = "/proc/thread-self/net/udplite";

struct Settings {
    congestion_control: &'static str,
    /// Tail loss probe.
    early_retrans: &'static str,
    /// Bit 0: RACK decides what is lost.
    recovery: &'static str,
    frto: &'static str,
    autocorking: &'static str,
    ecn: &'static str,
    fastopen: &'static str,
    no_metrics_save: &'static str,
}

/// What the papers' kernels did, as far as a kernel of today can be told to.
const NEWRENO2008: Settings = Settings {
    congestion_control: "reno",
    early_retrans: "0",
    recovery: "0",
    frto: "0",
    autocorking: "0",
    ecn: "0",
    fastopen: "0",
    no_metrics_save: "1",
};

/// The defaults of 6.12.
const MODERN: Settings = Settings {
    congestion_control: "cubic",
    early_retrans: "3",
    recovery: "1",
    frto: "2",
    autocorking: "1",
    ecn: "2",
    fastopen: "1",
    no_metrics_save: "0",
};

const BBR: Settings = Settings {
    congestion_control: "bbr",
    ..MODERN
};

/// Buffers: the defaults of a machine with a few gigabytes. The kernel derives
/// them from the memory size, and a small guest would send through small ones.
const BUFFERS: [(&str, &str); 2] = [
    ("net.ipv4.tcp_rmem", "4096 131072 6291456"),
    ("net.ipv4.tcp_wmem", "4096 16384 4194304"),
];

/// Every setting with its value, for a namespace that [`check`] has found to have the
/// baseline. Congestion control counts for connections opened from now on; the rest at
/// once. Where a path marks packets, both ends ask for ECN whatever the baseline has:
/// somebody has to be marked.
pub fn settings(baseline: Baseline, is_marked: bool) -> Outcome<Vec<Setting>> {
    let of = of(baseline)?;
    let mut all = vec![
        ("net.ipv4.tcp_congestion_control", of.congestion_control),
        ("net.ipv4.tcp_early_retrans", of.early_retrans),
        ("net.ipv4.tcp_recovery", of.recovery),
        ("net.ipv4.tcp_frto", of.frto),
        ("net.ipv4.tcp_autocorking", of.autocorking),
        ("net.ipv4.tcp_ecn", if is_marked { "1" } else { of.ecn }),
        ("net.ipv4.tcp_fastopen", of.fastopen),
        ("net.ipv4.tcp_no_metrics_save", of.no_metrics_save),
        ("net.ipv4.tcp_sack", "1"),
        ("net.ipv4.tcp_dsack", "1"),
        ("net.ipv4.tcp_timestamps", "1"),
    ];
    all.extend(BUFFERS);
    let all = all.into_iter().map(|(name, value)| Setting {
        name,
        value: value.to_owned(),
        may_lack: false,
    });
    Ok(all.collect())
}

/// The congestion control of its connections.
pub fn congestion_control(baseline: Baseline) -> Outcome<&'static str> {
    Ok(of(baseline)?.congestion_control)
}

/// Whether the kernel of the calling thread's namespace can give it.
pub fn check(baseline: Baseline) -> Outcome<()> {
    let is_kernels_sctp = Protocol::of(baseline) == Protocol::Sctp && !is_outside_kernel(baseline);
    if is_kernels_sctp && !sysctl::exists(A_SETTING_OF_SCTP) {
        return Err(Fault::Unsupported(format!(
            "baseline {baseline:?} needs SCTP, and this kernel has none: load its module \
             (modprobe sctp), or boot one that has it"
        )));
    }
    if Protocol::of(baseline) == Protocol::UdpLite && !Path::new(SOCKETS_OF_UDP_LITE).exists() {
        return Err(Fault::Unsupported(format!(
            "baseline {baseline:?} needs UDP-Lite, and this kernel has none: boot an older one"
        )));
    }
    let settings = of(baseline)?;
    let available = sysctl::read("net.ipv4.tcp_available_congestion_control")?;
    if available
        .split_whitespace()
        .any(|name| name == settings.congestion_control)
    {
        return Ok(());
    }
    Err(Fault::Unsupported(format!(
        "baseline {baseline:?} needs the congestion control `{}`, and this kernel has only: \
         {available}",
        settings.congestion_control
    )))
}

/// Which baselines this kernel can give, and why not.
pub fn support() -> Vec<BaselineSupport> {
    Baseline::value_variants()
        .iter()
        .map(|&baseline| {
            let fault = check(baseline).err();
            BaselineSupport {
                baseline: baseline as i32,
                available: fault.is_none(),
                reason: fault.map(|f| f.to_string()).unwrap_or_default(),
            }
        })
        .collect()
}

fn of(baseline: Baseline) -> Outcome<&'static Settings> {
    match baseline {
        Baseline::Newreno2008 => Ok(&NEWRENO2008),
        // A namespace is new, and its SCTP as the kernel has it; of TCP nothing passes there.
        Baseline::Modern
        | Baseline::Lksctp
        | Baseline::Usrsctp
        | Baseline::Udp
        | Baseline::UdpLite => Ok(&MODERN),
        Baseline::Bbr => Ok(&BBR),
        Baseline::Unspecified => Err(Fault::Invalid(
            "lane.baseline is not set: give newreno2008, modern, bbr, lksctp, usrsctp, udp \
             or udp_lite"
                .into(),
        )),
    }
}
