//! Mechanisms: which of the kernel's thin-stream changes are there, and
//! switching them for one lane.
//!
//! Each is a set of per-namespace settings. The kernel reads them at every use,
//! so running connections follow. All are written for every lane, those of a
//! mechanism that is off with the kernel's defaults: nothing of an earlier state
//! of the lane stays behind.
// SPDX-License-Identifier: Apache-2.0
use clap::ValueEnum;
use lab_proto::{Baseline, Bundling, HiddenLossResponse, LaneSpec, Mechanism, MechanismSupport};

use super::sysctl::{self, Setting};
use crate::fault::{Fault, Outcome};

const LINEAR_TIMEOUTS: &str = "net.ipv4.tcp_thin_linear_timeouts";
const EARLY_FAST_RETRANSMIT: &str = "net.ipv4.tcp_thin_dupack";
const WINDOW_FLOOR: &str = "net.ipv4.tcp_thin_window_floor";
const EARLY_PROBE: &str = "net.ipv4.tcp_thin_probe";
const TAIL_COPY: &str = "net.ipv4.tcp_thin_tail_copy";
const WRITE_RECOVERY: &str = "net.ipv4.tcp_thin_write_recovery";
const BUNDLING: &str = "net.ipv4.tcp_rdb";
const BUNDLING_MAX_BYTES: &str = "net.ipv4.tcp_rdb_max_bytes";
const BUNDLING_MAX_PACKETS: &str = "net.ipv4.tcp_rdb_max_packets";
const BUNDLING_CONGESTION: &str = "net.ipv4.tcp_rdb_congestion";
const BUNDLING_MIN_IAT_US: &str = "net.ipv4.tcp_rdb_min_iat_us";
const BUNDLING_TARGET: &str = "net.ipv4.tcp_rdb_target";

/// Level 1 would bundle only for sockets that ask; a lane asks for all of its.
const EVERY_THIN_STREAM: &str = "2";
/// The kernel's own.
const DEFAULT_MIN_IAT_US: u64 = 5000;
/// Of 1000 losses; what one earlier segment leaves where 2 % of the packets are
/// lost one at a time is well below it, and above it at 5 %.
const LOSSES_THAT_BUNDLES_MAY_LEAVE: u32 = 40;

/// What the kernel must have for a mechanism.
fn needed(mechanism: Mechanism) -> &'static [&'static str] {
    match mechanism {
        Mechanism::LinearTimeouts => &[LINEAR_TIMEOUTS],
        Mechanism::EarlyFastRetransmit => &[EARLY_FAST_RETRANSMIT],
        Mechanism::Bundling => &[
            BUNDLING,
            BUNDLING_MAX_BYTES,
            BUNDLING_MAX_PACKETS,
            BUNDLING_CONGESTION,
            BUNDLING_MIN_IAT_US,
        ],
        Mechanism::WindowFloor => &[WINDOW_FLOOR],
        Mechanism::BundlingDepth => &[BUNDLING_TARGET],
        Mechanism::EarlyProbe => &[EARLY_PROBE],
        Mechanism::TailCopy => &[TAIL_COPY],
        Mechanism::WriteRecovery => &[WRITE_RECOVERY],
        Mechanism::Unspecified => &[],
    }
}

/// Why a kernel cannot do it that has the settings of which `exists` is true;
/// `None` when it can.
fn lacking(mechanism: Mechanism, exists: impl Fn(&str) -> bool) -> Option<String> {
    let missing = needed(mechanism).iter().find(|name| !exists(name))?;
    Some(format!(
        "this kernel has no {missing}: boot one that is built with lab-agent/kernel/patches"
    ))
}

/// What the kernel of the calling thread's namespace can do.
pub fn support() -> Vec<MechanismSupport> {
    let every = Mechanism::value_variants().iter();
    every
        .map(|&mechanism| {
            let reason = lacking(mechanism, sysctl::exists);
            MechanismSupport {
                mechanism: mechanism as i32,
                available: reason.is_none(),
                reason: reason.unwrap_or_default(),
            }
        })
        .collect()
}

/// Whether the kernel of the calling thread's namespace can do all that the
/// lane wants.
pub fn check(spec: &LaneSpec) -> Outcome<()> {
    check_with(spec, sysctl::exists)
}

fn check_with(spec: &LaneSpec, exists: impl Fn(&str) -> bool) -> Outcome<()> {
    for mechanism in spec.mechanisms() {
        if let Some(reason) = lacking(mechanism, &exists) {
            return Err(Fault::Unsupported(format!(
                "lane.mechanisms: {} is not available: {reason}",
                mechanism.as_str_name()
            )));
        }
    }
    Ok(())
}

/// Every setting with its value: exactly the lane's mechanisms on, and all others off.
/// What a mechanism is told comes before it is switched on, so that no segment goes out
/// by half of the new state. [`check`] comes first: a setting that is not there is left
/// out.
pub fn settings(spec: &LaneSpec) -> Vec<Setting> {
    let on = |mechanism| spec.mechanisms().any(|wanted| wanted == mechanism);
    let flag = |on: bool| if on { "1" } else { "0" }.to_owned();
    let bundling = spec.bundling.unwrap_or_default();
    let responds = !on(Mechanism::Bundling) || responds(&bundling, spec.baseline());
    let min_iat_us = bundling.min_iat_us.unwrap_or(DEFAULT_MIN_IAT_US);
    let level = if on(Mechanism::Bundling) {
        EVERY_THIN_STREAM.to_owned()
    } else {
        flag(false)
    };
    let target = if on(Mechanism::BundlingDepth) {
        LOSSES_THAT_BUNDLES_MAY_LEAVE
    } else {
        0
    };
    let all = [
        (LINEAR_TIMEOUTS, flag(on(Mechanism::LinearTimeouts))),
        (
            EARLY_FAST_RETRANSMIT,
            flag(on(Mechanism::EarlyFastRetransmit)),
        ),
        (WINDOW_FLOOR, flag(on(Mechanism::WindowFloor))),
        (EARLY_PROBE, flag(on(Mechanism::EarlyProbe))),
        (TAIL_COPY, flag(on(Mechanism::TailCopy))),
        (WRITE_RECOVERY, flag(on(Mechanism::WriteRecovery))),
        (BUNDLING_MAX_BYTES, bundling.max_bytes.to_string()),
        (BUNDLING_MAX_PACKETS, bundling.max_packets.to_string()),
        (BUNDLING_CONGESTION, flag(responds)),
        (BUNDLING_MIN_IAT_US, min_iat_us.to_string()),
        (BUNDLING_TARGET, target.to_string()),
        (BUNDLING, level),
    ];
    let all = all.into_iter().map(|(name, value)| Setting {
        name,
        value,
        may_lack: true,
    });
    all.collect()
}

/// What a network namespace has from its beginning, whatever its parent was set to.
pub fn of_a_new_namespace() -> Vec<Setting> {
    // Where no mechanism is on, the kernel's defaults are written.
    settings(&LaneSpec {
        baseline: Baseline::Newreno2008 as i32,
        ..LaneSpec::default()
    })
}

/// Whether a hidden loss reduces the window. The papers' kernel did not know of
/// hidden losses; `newreno2008` stands for it.
fn responds(bundling: &Bundling, baseline: Baseline) -> bool {
    match bundling.hidden_loss_response() {
        HiddenLossResponse::None => false,
        HiddenLossResponse::ReduceWindow => true,
        HiddenLossResponse::Unspecified => baseline != Baseline::Newreno2008,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(spec: &LaneSpec, name: &str) -> String {
        let all = settings(spec);
        let found = all.into_iter().find(|one| one.name == name);
        found.expect("every setting is written").value
    }

    fn bundling_on(baseline: Baseline, bundling: Option<Bundling>) -> LaneSpec {
        LaneSpec {
            baseline: baseline as i32,
            mechanisms: vec![Mechanism::Bundling as i32],
            bundling,
            ..LaneSpec::default()
        }
    }

    #[test]
    fn what_is_off_is_written_with_the_kernels_defaults() {
        let off = of_a_new_namespace();
        for &mechanism in Mechanism::value_variants() {
            for name in needed(mechanism) {
                let default = match *name {
                    BUNDLING_CONGESTION => "1",
                    BUNDLING_MIN_IAT_US => "5000",
                    _ => "0",
                };
                let found = off.iter().find(|one| one.name == *name);
                assert_eq!(found.unwrap().value, default, "{name}");
            }
        }
    }

    #[test]
    fn a_lane_that_does_not_say_how_it_responds_follows_its_baseline() {
        for (baseline, response) in [
            (Baseline::Newreno2008, "0"),
            (Baseline::Modern, "1"),
            (Baseline::Bbr, "1"),
        ] {
            let spec = bundling_on(baseline, None);
            assert_eq!(value(&spec, BUNDLING_CONGESTION), response, "{baseline:?}");
        }
        for (response, written) in [
            (HiddenLossResponse::None, "0"),
            (HiddenLossResponse::ReduceWindow, "1"),
        ] {
            for baseline in [Baseline::Newreno2008, Baseline::Modern] {
                let bundling = Bundling {
                    hidden_loss_response: response as i32,
                    ..Bundling::default()
                };
                let spec = bundling_on(baseline, Some(bundling));
                assert_eq!(value(&spec, BUNDLING_CONGESTION), written);
            }
        }
    }

    /// 6.12 as it is has the linear timeouts; a first version of bundling might
    /// have had no `tcp_rdb_min_iat_us`.
    #[test]
    fn a_kernel_without_a_setting_is_refused_by_name() {
        let stock = |name: &str| name == LINEAR_TIMEOUTS;
        let half_way = |name: &str| name != BUNDLING_MIN_IAT_US;
        let wants = |mechanism| LaneSpec {
            mechanisms: vec![mechanism as i32],
            ..LaneSpec::default()
        };
        assert!(check_with(&wants(Mechanism::LinearTimeouts), stock).is_ok());
        for (fault, missing) in [
            (
                check_with(&wants(Mechanism::EarlyFastRetransmit), stock),
                EARLY_FAST_RETRANSMIT,
            ),
            (check_with(&wants(Mechanism::Bundling), stock), BUNDLING),
            (
                check_with(&wants(Mechanism::Bundling), half_way),
                BUNDLING_MIN_IAT_US,
            ),
        ] {
            let fault = fault.unwrap_err();
            assert!(matches!(fault, Fault::Unsupported(_)));
            assert!(fault.to_string().contains(missing), "{fault}");
        }
    }

    #[test]
    fn limits_are_written_before_bundling_is_switched_on() {
        let spec = bundling_on(
            Baseline::Modern,
            Some(Bundling {
                max_bytes: 500,
                max_packets: 2,
                min_iat_us: Some(0),
                ..Bundling::default()
            }),
        );
        assert_eq!(value(&spec, BUNDLING_MAX_BYTES), "500");
        assert_eq!(value(&spec, BUNDLING_MAX_PACKETS), "2");
        assert_eq!(value(&spec, BUNDLING_MIN_IAT_US), "0");
        let last = settings(&spec).pop().unwrap();
        assert_eq!((last.name, last.value.as_str()), (BUNDLING, "2"));
    }
}
