//! TCP's mechanisms: the settings of lab-agent/kernel/patches 01xx and 031x.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Baseline, Bundling, HiddenLossResponse, LaneSpec, Mechanism};

use crate::lane::sysctl::flag;

const LINEAR_TIMEOUTS: &str = "net.ipv4.tcp_thin_linear_timeouts";
const EARLY_FAST_RETRANSMIT: &str = "net.ipv4.tcp_thin_dupack";
const WINDOW_FLOOR: &str = "net.ipv4.tcp_thin_window_floor";
const EARLY_PROBE: &str = "net.ipv4.tcp_thin_probe";
const TAIL_COPY: &str = "net.ipv4.tcp_thin_tail_copy";
const WRITE_RECOVERY: &str = "net.ipv4.tcp_thin_write_recovery";
const TCP_LITE: &str = "net.ipv4.tcp_lite";
const HEADER_CHECKSUM: &str = "net.ipv4.tcp_lite_split";
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

/// See the module above.
pub fn needed(mechanism: Mechanism) -> &'static [&'static str] {
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
        Mechanism::TcpLite => &[TCP_LITE],
        Mechanism::HeaderChecksum => &[HEADER_CHECKSUM],
        _ => &[],
    }
}

/// Every setting with its value. What a mechanism is told comes before it is switched on, so
/// that no segment goes out by half of the new state.
pub fn settings(
    spec: &LaneSpec,
    on: impl Fn(Mechanism) -> bool,
) -> impl IntoIterator<Item = (&'static str, String)> {
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
    [
        (LINEAR_TIMEOUTS, flag(on(Mechanism::LinearTimeouts))),
        (
            EARLY_FAST_RETRANSMIT,
            flag(on(Mechanism::EarlyFastRetransmit)),
        ),
        (WINDOW_FLOOR, flag(on(Mechanism::WindowFloor))),
        (EARLY_PROBE, flag(on(Mechanism::EarlyProbe))),
        (TAIL_COPY, flag(on(Mechanism::TailCopy))),
        (WRITE_RECOVERY, flag(on(Mechanism::WriteRecovery))),
        (TCP_LITE, flag(on(Mechanism::TcpLite))),
        (HEADER_CHECKSUM, flag(on(Mechanism::HeaderChecksum))),
        (BUNDLING_MAX_BYTES, bundling.max_bytes.to_string()),
        (BUNDLING_MAX_PACKETS, bundling.max_packets.to_string()),
        (BUNDLING_CONGESTION, flag(responds)),
        (BUNDLING_MIN_IAT_US, min_iat_us.to_string()),
        (BUNDLING_TARGET, target.to_string()),
        (BUNDLING, level),
    ]
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

/// What the kernel has where nothing is written.
#[cfg(test)]
pub fn default_of(name: &str) -> &'static str {
    match name {
        BUNDLING_CONGESTION => "1",
        BUNDLING_MIN_IAT_US => "5000",
        _ => "0",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings_of(spec: &LaneSpec) -> Vec<(&'static str, String)> {
        let on = |mechanism| spec.mechanisms().any(|wanted| wanted == mechanism);
        settings(spec, on).into_iter().collect()
    }

    fn value(spec: &LaneSpec, name: &str) -> String {
        let found = settings_of(spec).into_iter().find(|one| one.0 == name);
        found.expect("every setting is written").1
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
        let last = settings_of(&spec).pop().unwrap();
        assert_eq!((last.0, last.1.as_str()), (BUNDLING, "2"));
    }
}
