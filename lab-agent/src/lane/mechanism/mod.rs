//! Mechanisms: which of the kernel's thin-stream changes are there, and
//! switching them for one lane.
//!
//! Each is a set of per-namespace settings of a transport protocol. The kernel reads
//! them at every use, so running connections follow. All of them are written for every
//! lane, those of a mechanism that is off with the kernel's defaults: nothing of an
//! earlier state of the lane stays behind.
// SPDX-License-Identifier: Apache-2.0
mod sctp;
mod tcp;

use clap::ValueEnum;
use lab_proto::{Baseline, LaneSpec, Mechanism, MechanismSupport};

use super::protocol::Protocol;
use super::sysctl::{self, Setting};
use crate::fault::{Fault, Outcome};

/// What the kernel must have for a mechanism of a protocol.
fn needed(protocol: Protocol, mechanism: Mechanism) -> &'static [&'static str] {
    match protocol {
        Protocol::Tcp => tcp::needed(mechanism),
        Protocol::Sctp => sctp::needed(mechanism),
        Protocol::Udp | Protocol::UdpLite => &[],
    }
}

/// Why a kernel cannot do it that has the settings of which `exists` is true;
/// `None` when it can.
fn lacking(
    protocol: Protocol,
    mechanism: Mechanism,
    exists: impl Fn(&str) -> bool,
) -> Option<String> {
    let missing = needed(protocol, mechanism)
        .iter()
        .find(|name| !exists(name))?;
    Some(format!(
        "this kernel has no {missing}: boot one that is built with lab-agent/kernel/patches"
    ))
}

/// What the kernel of the calling thread's namespace can do, for the first protocol that has
/// the mechanism: [`check`] tells of a lane's own.
pub fn support() -> Vec<MechanismSupport> {
    let every = Mechanism::value_variants().iter();
    every
        .map(|&mechanism| {
            let mut protocols = [Protocol::Tcp, Protocol::Sctp].into_iter();
            let protocol = protocols.find(|protocol| protocol.has(mechanism));
            let reason = protocol.and_then(|protocol| lacking(protocol, mechanism, sysctl::exists));
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
    let protocol = Protocol::of_lane(spec);
    for mechanism in spec.mechanisms() {
        if let Some(reason) = lacking(protocol, mechanism, &exists) {
            return Err(Fault::Unsupported(format!(
                "lane.mechanisms: {} is not available: {reason}",
                mechanism.as_str_name()
            )));
        }
    }
    Ok(())
}

/// Every setting with its value: exactly the lane's mechanisms on, and all others off, those
/// of the other protocol too. [`check`] comes first: a setting that is not there is left out.
pub fn settings(spec: &LaneSpec) -> Vec<Setting> {
    let protocol = Protocol::of_lane(spec);
    let on = |of: Protocol| {
        move |mechanism| of == protocol && spec.mechanisms().any(|wanted| wanted == mechanism)
    };
    let all = tcp::settings(spec, on(Protocol::Tcp)).into_iter();
    let all = all.chain(sctp::settings(on(Protocol::Sctp)));
    all.map(|(name, value)| Setting {
        name,
        value,
        may_lack: true,
    })
    .collect()
}

/// Whether what is read from a lane's sockets may be wrong.
pub fn takes_damage(spec: &LaneSpec) -> bool {
    spec.mechanisms().any(|one| one == Mechanism::TcpLite)
}

/// Whether the ends of a lane's connection agree on a checksum for headers when it is opened.
pub fn checks_headers(spec: &LaneSpec) -> bool {
    spec.mechanisms()
        .any(|one| one == Mechanism::HeaderChecksum)
}

/// What a network namespace has from its beginning, whatever its parent was set to.
pub fn of_a_new_namespace() -> Vec<Setting> {
    // Where no mechanism is on, the kernel's defaults are written.
    settings(&LaneSpec {
        baseline: Baseline::Newreno2008 as i32,
        ..LaneSpec::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(baseline: Baseline, mechanism: Mechanism) -> LaneSpec {
        LaneSpec {
            baseline: baseline as i32,
            mechanisms: vec![mechanism as i32],
            ..LaneSpec::default()
        }
    }

    #[test]
    fn what_is_off_is_written_with_the_kernels_defaults() {
        let off = of_a_new_namespace();
        for protocol in [Protocol::Tcp, Protocol::Sctp] {
            for &mechanism in Mechanism::value_variants() {
                for name in needed(protocol, mechanism) {
                    let found = off.iter().find(|one| one.name == *name);
                    let default = tcp::default_of(name);
                    assert_eq!(found.unwrap().value, default, "{name}");
                }
            }
        }
    }

    #[test]
    fn a_mechanism_has_settings_where_its_protocol_has_it_and_nowhere_else() {
        for protocol in [Protocol::Tcp, Protocol::Sctp] {
            for &mechanism in Mechanism::value_variants() {
                let is_there = !needed(protocol, mechanism).is_empty();
                assert_eq!(is_there, protocol.has(mechanism), "{mechanism:?}");
            }
        }
    }

    #[test]
    fn a_mechanism_of_both_protocols_is_switched_on_in_the_lanes_own() {
        let value = |baseline, name: &str| {
            let all = settings(&wants(baseline, Mechanism::LinearTimeouts));
            all.into_iter().find(|one| one.name == name).unwrap().value
        };
        for (baseline, of_tcp, of_sctp) in
            [(Baseline::Modern, "1", "0"), (Baseline::Lksctp, "0", "1")]
        {
            let tcp = value(baseline, "net.ipv4.tcp_thin_linear_timeouts");
            let sctp = value(baseline, "net.sctp.thin_linear_timeouts");
            assert_eq!((tcp.as_str(), sctp.as_str()), (of_tcp, of_sctp));
        }
    }

    /// 6.12 as it is has the linear timeouts of TCP; a first version of bundling might
    /// have had no `tcp_rdb_min_iat_us`.
    #[test]
    fn a_kernel_without_a_setting_is_refused_by_name() {
        const LINEAR: &str = "net.ipv4.tcp_thin_linear_timeouts";
        let stock = |name: &str| name == LINEAR;
        let half_way = |name: &str| name != "net.ipv4.tcp_rdb_min_iat_us";
        let modern = |mechanism| wants(Baseline::Modern, mechanism);
        assert!(check_with(&modern(Mechanism::LinearTimeouts), stock).is_ok());
        let of_sctp = wants(Baseline::Lksctp, Mechanism::LinearTimeouts);
        for (fault, missing) in [
            (
                check_with(&modern(Mechanism::EarlyFastRetransmit), stock),
                "net.ipv4.tcp_thin_dupack",
            ),
            (
                check_with(&modern(Mechanism::Bundling), stock),
                "net.ipv4.tcp_rdb",
            ),
            (
                check_with(&modern(Mechanism::Bundling), half_way),
                "net.ipv4.tcp_rdb_min_iat_us",
            ),
            (check_with(&of_sctp, stock), "net.sctp.thin_linear_timeouts"),
        ] {
            let fault = fault.unwrap_err();
            assert!(matches!(fault, Fault::Unsupported(_)));
            assert!(fault.to_string().contains(missing), "{fault}");
        }
    }
}
