//! Whether a lane that was asked for makes sense: every message names the field
//! and what to give instead.
// SPDX-License-Identifier: Apache-2.0
mod limits;
mod path;

use lab_proto::{
    Baseline, Bundling, HiddenLossResponse, HostDescription, LaneSpec, Mechanism, Tcp,
};

use super::datagram::LONGEST_MESSAGE_BYTES;
use super::mechanism::takes_damage;
use super::protocol::{Protocol, is_outside_kernel};
use super::route::MTU_BYTES;
use crate::fault::{Fault, Outcome, invalid};
use limits::{LONGEST_DELAY_US, at_most};
use path::direction;

/// No segment is longer than an IP packet.
const MOST_BUNDLED_BYTES: u32 = 65_535;
/// Of a byte each.
const MOST_BUNDLED_PACKETS: u32 = MOST_BUNDLED_BYTES;
/// As many as an association's INIT can ask for.
const MOST_SCTP_STREAMS: u32 = 65_535;
/// RFC 9260, 6.2.
const LONGEST_SACK_DELAY_MS: u32 = 500;
/// What the kernel's least buffer can hold.
const LEAST_WINDOW_BYTES: u32 = 4096;
/// Its buffer is to be counted in 31 bits.
const MOST_WINDOW_BYTES: u32 = 100_000_000;
/// As many full packets as that.
const MOST_INITIAL_PACKETS: u32 = 65_535;

/// Checks a lane's specification, before anything is made.
pub fn lane(spec: &LaneSpec) -> Outcome<()> {
    direction("lane.forward", spec.forward.as_ref())?;
    direction("lane.backward", spec.backward.as_ref())?;
    for (name, path) in [("forward", &spec.forward), ("backward", &spec.backward)] {
        let is_set = path.as_ref().is_some_and(|path| path.mtu_bytes > 0);
        if is_set && Protocol::of_lane(spec) != Protocol::Tcp {
            return invalid(format!(
                "lane.{name}.mtu_bytes is set, but the baseline is of {}, whose messages are to \
                 fit into packets of {MTU_BYTES} bytes: leave it out, or give a baseline of TCP",
                Protocol::of_lane(spec).name()
            ));
        }
    }
    transport(spec)
}

/// As [`lane`], of a terminal, whose stream has to come whole, in order and undamaged.
pub fn lane_for_terminal(spec: &LaneSpec) -> Outcome<()> {
    lane_for_people(spec)?;
    let protocol = Protocol::of_lane(spec);
    if protocol.is_of_datagrams() {
        return invalid(format!(
            "lane.baseline is of {}, which may lose what a terminal needs: give one of TCP or SCTP",
            protocol.name()
        ));
    }
    if takes_damage(spec) {
        return invalid(
            "lane.mechanisms has tcp_lite, by which damaged bytes are handed over, and a terminal \
             takes none: leave it out",
        );
    }
    Ok(())
}

/// As [`lane`], of a run that people are in: what it sends is one stream.
pub fn lane_for_people(spec: &LaneSpec) -> Outcome<()> {
    lane(spec)?;
    if is_outside_kernel(spec.baseline()) {
        return invalid(format!(
            "lane.baseline is {}, which is for sessions: give lksctp",
            spec.baseline().as_str_name()
        ));
    }
    let sctp = spec.sctp.unwrap_or_default();
    if sctp.streams > 1 || sctp.unordered {
        return invalid(
            "lane.sctp has several streams, or messages without order, which are for sessions: \
             leave streams and unordered out",
        );
    }
    Ok(())
}

/// Checks what a lane's two hosts are told.
pub fn transport(spec: &LaneSpec) -> Outcome<()> {
    match Baseline::try_from(spec.baseline) {
        Ok(Baseline::Unspecified) | Err(_) => {
            return invalid(
                "lane.baseline must be newreno2008 (1), modern (2), bbr (3), lksctp (4), udp (5), \
                 udp_lite (6) or usrsctp (7)",
            );
        }
        Ok(_) => {}
    }
    for (index, &number) in spec.mechanisms.iter().enumerate() {
        match Mechanism::try_from(number) {
            Ok(Mechanism::Unspecified) | Err(_) => {
                return invalid(format!(
                    "lane.mechanisms[{index}] is {number}, which names no mechanism"
                ));
            }
            Ok(_) if spec.mechanisms[..index].contains(&number) => {
                return invalid(format!(
                    "lane.mechanisms[{index}] is there twice: name each mechanism once"
                ));
            }
            Ok(_) => {}
        }
    }
    protocol(spec)?;
    let has = |wanted| spec.mechanisms().any(|one| one == wanted);
    if has(Mechanism::HeaderChecksum) && !has(Mechanism::TcpLite) {
        return invalid(
            "lane.mechanisms has header_checksum, which is of use with tcp_lite alone: give that, \
             too, or leave it out",
        );
    }
    match &spec.bundling {
        Some(settings) => bundling(spec, settings),
        None => Ok(()),
    }
}

/// Refuses what the lane's protocol does not have.
fn protocol(spec: &LaneSpec) -> Outcome<()> {
    let protocol = Protocol::of_lane(spec);
    let name = protocol.name();
    for (index, mechanism) in spec.mechanisms().enumerate() {
        if is_outside_kernel(spec.baseline()) {
            return invalid(format!(
                "lane.mechanisms[{index}] is {}, which {} does not have: leave it out, or give \
                 lksctp",
                mechanism.as_str_name(),
                spec.baseline().as_str_name()
            ));
        }
        if !protocol.has(mechanism) {
            return invalid(format!(
                "lane.mechanisms[{index}] is {}, which {name} does not have: leave it out, or \
                 choose another baseline",
                mechanism.as_str_name()
            ));
        }
    }
    if protocol != Protocol::Tcp && spec.bundling.is_some() {
        return invalid("lane.bundling is set, but its settings are TCP's: leave it out");
    }
    if let Some(settings) = &spec.tcp {
        if protocol != Protocol::Tcp {
            return invalid(format!(
                "lane.tcp is set, but the baseline is of {name}: leave it out, or choose another \
                 baseline"
            ));
        }
        tcp(*settings)?;
    }
    if let Some(settings) = &spec.udp_lite {
        if protocol != Protocol::UdpLite {
            return invalid(format!(
                "lane.udp_lite is set, but the baseline is of {name}: give udp_lite, or leave it out"
            ));
        }
        at_most(
            "lane.udp_lite.covered_bytes",
            settings.covered_bytes,
            LONGEST_MESSAGE_BYTES as u32,
            "nothing beside the headers",
        )?;
    }
    let Some(settings) = &spec.sctp else {
        return Ok(());
    };
    if protocol != Protocol::Sctp {
        return invalid(format!(
            "lane.sctp is set, but the baseline is of {name}: give lksctp or usrsctp, or leave it \
             out"
        ));
    }
    at_most(
        "lane.sctp.streams",
        settings.streams,
        MOST_SCTP_STREAMS,
        "one",
    )?;
    match settings.sack_delay_ms {
        Some(ms) => at_most(
            "lane.sctp.sack_delay_ms",
            ms,
            LONGEST_SACK_DELAY_MS,
            "no delay",
        ),
        None => Ok(()),
    }
}

fn tcp(settings: Tcp) -> Outcome<()> {
    let window = settings.window_bytes;
    if window != 0 && !(LEAST_WINDOW_BYTES..=MOST_WINDOW_BYTES).contains(&window) {
        return invalid(format!(
            "lane.tcp.window_bytes must be {LEAST_WINDOW_BYTES} to {MOST_WINDOW_BYTES}; 0 is the \
             kernel's"
        ));
    }
    at_most(
        "lane.tcp.initial_window_packets",
        settings.initial_window_packets,
        MOST_INITIAL_PACKETS,
        "the kernel's 10",
    )
}

/// Refuses what the kernel cannot do, before anything is made.
pub fn available(description: &HostDescription, lane: &LaneSpec) -> Outcome<()> {
    for support in &description.mechanisms {
        if !support.available && lane.mechanisms.contains(&support.mechanism) {
            return Err(Fault::Unsupported(format!(
                "lane.mechanisms: {} is not available: {}",
                support.mechanism().as_str_name(),
                support.reason
            )));
        }
    }
    for support in &description.baselines {
        if !support.available && lane.baseline == support.baseline {
            return Err(Fault::Unsupported(format!(
                "lane.baseline: {}",
                support.reason
            )));
        }
    }
    Ok(())
}

fn bundling(spec: &LaneSpec, settings: &Bundling) -> Outcome<()> {
    if !spec.mechanisms().any(|name| name == Mechanism::Bundling) {
        return invalid(
            "lane.bundling is set, but bundling is not among lane.mechanisms: name it there, or \
             leave its settings out",
        );
    }
    at_most(
        "lane.bundling.max_bytes",
        settings.max_bytes,
        MOST_BUNDLED_BYTES,
        "a whole segment",
    )?;
    at_most(
        "lane.bundling.max_packets",
        settings.max_packets,
        MOST_BUNDLED_PACKETS,
        "all that fit",
    )?;
    if settings.min_iat_us.is_some_and(|us| us > LONGEST_DELAY_US) {
        return invalid("lane.bundling.min_iat_us must be at most an hour; 0 bundles at any rate");
    }
    if HiddenLossResponse::try_from(settings.hidden_loss_response).is_err() {
        return invalid("lane.bundling.hidden_loss_response must be none (1) or reduce_window (2)");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab_proto::{GilbertElliottLoss, Path, Sctp, UniformLoss, path::Loss};

    fn good() -> LaneSpec {
        LaneSpec::both_ways(Path::default())
    }

    /// Spoils a good lane and wants the complaint to name the field.
    fn complains_about(field: &str, spoil: impl FnOnce(&mut LaneSpec)) {
        let mut spec = good();
        assert!(lane(&spec).is_ok());
        spoil(&mut spec);
        lane(&spec).unwrap_err().expect_invalid(field);
    }

    #[test]
    fn every_field_is_named_in_its_complaint() {
        complains_about("lane.forward is not set", |s| s.forward = None);
        complains_about("lane.backward.delay_us", |s| {
            s.backward.as_mut().unwrap().delay_us = u64::MAX;
        });
        complains_about("lane.forward.jitter_us", |s| {
            s.forward.as_mut().unwrap().jitter_us = 1;
        });
        complains_about("lane.forward.rate_bit_per_s", |s| {
            s.forward.as_mut().unwrap().rate_bit_per_s = u64::MAX;
        });
        complains_about("lane.forward.queue_packets", |s| {
            s.forward.as_mut().unwrap().queue_packets = u32::MAX;
        });
        complains_about("lane.forward.corrupt_share", |s| {
            s.forward.as_mut().unwrap().corrupt_share = f64::NAN;
        });
        complains_about("lane.backward.reorder_share", |s| {
            s.backward.as_mut().unwrap().reorder_share = 1.5;
        });
        complains_about("lane.forward.duplicate_share", |s| {
            s.forward.as_mut().unwrap().duplicate_share = -0.5;
        });
        complains_about("lane.forward.uniform.loss_share", |s| {
            s.forward.as_mut().unwrap().loss = Some(Loss::Uniform(UniformLoss { loss_share: 5.0 }));
        });
        complains_about("lane.backward.gilbert_elliott.loss_share_bad", |s| {
            s.backward.as_mut().unwrap().loss = Some(Loss::GilbertElliott(GilbertElliottLoss {
                loss_share_bad: -0.1,
                ..GilbertElliottLoss::default()
            }));
        });
        complains_about("lane.baseline", |s| s.baseline = 9);
        complains_about("lane.mechanisms[1]", |s| s.mechanisms = vec![1, 1]);
        complains_about("lane.mechanisms[0]", |s| s.mechanisms = vec![0]);
        complains_about("lane.bundling is set", |s| {
            s.bundling = Some(Bundling::default());
        });
        for (field, settings) in [
            (
                "max_bytes",
                Bundling {
                    max_bytes: 65_536,
                    ..Bundling::default()
                },
            ),
            (
                "max_packets",
                Bundling {
                    max_packets: u32::MAX,
                    ..Bundling::default()
                },
            ),
            (
                "hidden_loss_response",
                Bundling {
                    hidden_loss_response: 3,
                    ..Bundling::default()
                },
            ),
            (
                "min_iat_us",
                Bundling {
                    min_iat_us: Some(u64::MAX),
                    ..Bundling::default()
                },
            ),
        ] {
            complains_about(&format!("lane.bundling.{field}"), |s| {
                s.mechanisms = vec![Mechanism::Bundling as i32];
                s.bundling = Some(settings);
            });
        }
    }

    #[test]
    fn what_the_protocol_does_not_have_is_named() {
        let of_sctp = |spoil: &dyn Fn(&mut LaneSpec)| {
            let mut spec = good();
            spec.baseline = Baseline::Lksctp as i32;
            spoil(&mut spec);
            lane(&spec)
        };
        let settings = |streams, sack_delay_ms| {
            move |spec: &mut LaneSpec| {
                spec.sctp = Some(Sctp {
                    streams,
                    sack_delay_ms,
                    ..Sctp::default()
                });
            }
        };
        assert!(of_sctp(&settings(10, Some(0))).is_ok());
        let outside = of_sctp(&|s| {
            s.baseline = Baseline::Usrsctp as i32;
            settings(10, Some(0))(s);
            assert!(lane(s).is_ok());
            lane_for_people(s)
                .unwrap_err()
                .expect_invalid("lane.baseline is BASELINE_USRSCTP, which is for sessions");
            s.mechanisms = vec![Mechanism::LinearTimeouts as i32];
        });
        outside.unwrap_err().expect_invalid(
            "lane.mechanisms[0] is MECHANISM_LINEAR_TIMEOUTS, which BASELINE_USRSCTP",
        );
        assert!(of_sctp(&|s| s.mechanisms = Mechanism::OF_SCTP.map(|m| m as i32).into()).is_ok());
        complains_about("lane.sctp is set", settings(1, None));
        complains_about("lane.mechanisms[0]", |s| {
            s.mechanisms = vec![Mechanism::RtoRestart as i32];
        });
        let tcps = of_sctp(&|s| s.mechanisms = vec![Mechanism::EarlyProbe as i32]);
        tcps.unwrap_err().expect_invalid("lane.mechanisms[0]");
        let bundling = of_sctp(&|s| {
            s.mechanisms = vec![Mechanism::Bundling as i32];
            s.bundling = Some(Bundling::default());
        });
        bundling.unwrap_err().expect_invalid("lane.bundling");
        let many = of_sctp(&settings(65_536, None));
        many.unwrap_err().expect_invalid("lane.sctp.streams");
        let people = |sctp| {
            lane_for_people(&LaneSpec {
                baseline: Baseline::Lksctp as i32,
                sctp: Some(sctp),
                ..good()
            })
        };
        let sack_delay_ms = Some(0);
        assert!(
            people(Sctp {
                sack_delay_ms,
                ..Sctp::default()
            })
            .is_ok()
        );
        let unordered = true;
        for more in [
            Sctp {
                streams: 2,
                ..Sctp::default()
            },
            Sctp {
                unordered,
                ..Sctp::default()
            },
        ] {
            people(more)
                .unwrap_err()
                .expect_invalid("lane.sctp has several");
        }
        let late = of_sctp(&settings(1, Some(501)));
        late.unwrap_err().expect_invalid("lane.sctp.sack_delay_ms");
    }

    #[test]
    fn lengths_and_windows_that_cannot_be_are_named() {
        let mtu = |mtu_bytes| {
            move |spec: &mut LaneSpec| spec.backward.as_mut().unwrap().mtu_bytes = mtu_bytes
        };
        let tcp = |window_bytes, initial_window_packets| {
            move |spec: &mut LaneSpec| {
                spec.tcp = Some(Tcp {
                    window_bytes,
                    initial_window_packets,
                });
            }
        };
        for spoil in [575, 1501] {
            complains_about("lane.backward.mtu_bytes must be 576", mtu(spoil));
        }
        complains_about("lane.tcp.window_bytes", tcp(4095, 0));
        complains_about("lane.tcp.window_bytes", tcp(100_000_001, 0));
        complains_about("lane.tcp.initial_window_packets", tcp(0, 65_536));
        complains_about("lane.backward.mtu_bytes is set, but", |s| {
            mtu(576)(s);
            s.baseline = Baseline::Lksctp as i32;
        });
        complains_about("lane.tcp is set, but", |s| {
            tcp(32_768, 1)(s);
            s.baseline = Baseline::Udp as i32;
        });
        let mut spec = good();
        mtu(576)(&mut spec);
        tcp(4096, 1)(&mut spec);
        assert!(lane(&spec).is_ok());
    }
}
