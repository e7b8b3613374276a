//! Whether a lane that was asked for makes sense: every message names the field
//! and what to give instead.
// SPDX-License-Identifier: Apache-2.0
use std::fmt::Display;

use lab_proto::{
    Baseline, BitErrors, Bundling, HiddenLossResponse, HostDescription, LaneSpec, Mechanism, Path,
    QueueDiscipline, Tcp, path::Loss,
};

use super::datagram::LONGEST_MESSAGE_BYTES;
use super::mechanism::takes_damage;
use super::netem::DEFAULT_TICK_US;
use super::protocol::Protocol;
use super::qdisc::FULL_PACKET_BYTES;
use super::red;
use super::route::MTU_BYTES;
use crate::fault::{Fault, Outcome, invalid};

/// An hour: netem keeps 64-bit nanoseconds, people do not wait longer.
const LONGEST_DELAY_US: u64 = 3_600_000_000;
const MOST_QUEUED_PACKETS: u32 = 1_000_000;
const MOST_QUEUED_BYTES: u32 = 1_000_000_000;
/// No segment is longer than an IP packet.
const MOST_BUNDLED_BYTES: u32 = 65_535;
/// Of a byte each.
const MOST_BUNDLED_PACKETS: u32 = MOST_BUNDLED_BYTES;
/// They share an attribute of 64 KiB with all other options of a queueing discipline.
const MOST_LISTED_LOSSES: usize = 16_000;
/// As many as an association's INIT can ask for.
const MOST_SCTP_STREAMS: u32 = 65_535;
/// RFC 9260, 6.2.
const LONGEST_SACK_DELAY_MS: u32 = 500;
/// Every IPv4 host takes so much (RFC 791).
const LEAST_MTU_BYTES: u32 = 576;
/// What the kernel's least buffer can hold.
const LEAST_WINDOW_BYTES: u32 = 4096;
/// Its buffer is to be counted in 31 bits.
const MOST_WINDOW_BYTES: u32 = 100_000_000;
/// As many full packets as that.
const MOST_INITIAL_PACKETS: u32 = 65_535;
const HIGHEST_RATE_BIT_PER_S: u64 = 1_000_000_000_000;
/// Less is nothing but work for the kernel.
const SHORTEST_TICK_US: u64 = 100;
/// A second.
const LONGEST_TICK_US: u64 = 1_000_000;
/// What the kernel's arithmetic takes.
const LEAST_ERROR_SHARE: f64 = 1e-10;
/// Then nothing of what was sent is left.
const MOST_ERROR_SHARE: f64 = 0.5;

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
                "lane.baseline must be newreno2008 (1), modern (2), bbr (3), lksctp (4), udp (5) or \
                 udp_lite (6)",
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
            "lane.sctp is set, but the baseline is of {name}: give lksctp, or leave it out"
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

fn direction(name: &str, path: Option<&Path>) -> Outcome<()> {
    let Some(path) = path else {
        return invalid(format!("{name} is not set: give it a delay_us at least"));
    };
    if path.delay_us > LONGEST_DELAY_US {
        return invalid(format!("{name}.delay_us must be at most an hour"));
    }
    if path.jitter_us > path.delay_us {
        return invalid(format!(
            "{name}.jitter_us must be at most delay_us: no packet arrives before it is sent"
        ));
    }
    let rate = format!("{name}.rate_bit_per_s");
    at_most(
        &rate,
        path.rate_bit_per_s,
        HIGHEST_RATE_BIT_PER_S,
        "unlimited",
    )?;
    at_most(
        &format!("{name}.queue_packets"),
        path.queue_packets,
        MOST_QUEUED_PACKETS,
        "1000",
    )?;
    if path.mtu_bytes != 0 && !(LEAST_MTU_BYTES..=MTU_BYTES).contains(&path.mtu_bytes) {
        return invalid(format!(
            "{name}.mtu_bytes must be {LEAST_MTU_BYTES}, which every IPv4 host takes, to \
             {MTU_BYTES}; 0 is {MTU_BYTES}"
        ));
    }
    queue(name, path)?;
    for (what, one) in [
        ("corrupt_share", path.corrupt_share),
        ("reorder_share", path.reorder_share),
        ("duplicate_share", path.duplicate_share),
    ] {
        share(&format!("{name}.{what}"), one)?;
    }
    if let Some(errors) = &path.bit_errors {
        bit_errors(&format!("{name}.bit_errors"), errors)?;
    }
    match &path.loss {
        None => Ok(()),
        Some(Loss::Uniform(loss)) => share(&format!("{name}.uniform.loss_share"), loss.loss_share),
        Some(Loss::GilbertElliott(loss)) => {
            let name = format!("{name}.gilbert_elliott");
            share(&format!("{name}.good_to_bad_share"), loss.good_to_bad_share)?;
            share(&format!("{name}.bad_to_good_share"), loss.bad_to_good_share)?;
            share(&format!("{name}.loss_share_bad"), loss.loss_share_bad)?;
            share(&format!("{name}.loss_share_good"), loss.loss_share_good)
        }
        Some(Loss::Listed(list)) => listed(&format!("{name}.listed.packets"), &list.packets),
    }
}

fn bit_errors(name: &str, errors: &BitErrors) -> Outcome<()> {
    let tick_us = match errors.tick_us {
        0 => DEFAULT_TICK_US,
        named => named,
    };
    if !(SHORTEST_TICK_US..=LONGEST_TICK_US).contains(&tick_us) {
        return invalid(format!(
            "{name}.tick_us must be {SHORTEST_TICK_US} to {LONGEST_TICK_US}; 0 is {DEFAULT_TICK_US}"
        ));
    }
    if (errors.good_us == 0) != (errors.bad_us == 0) {
        return invalid(format!(
            "{name}.good_us and bad_us go together: give both, or leave both out for a link that \
             is never bad"
        ));
    }
    for (what, mean_us) in [("good_us", errors.good_us), ("bad_us", errors.bad_us)] {
        if mean_us > LONGEST_DELAY_US || (mean_us > 0 && mean_us < tick_us) {
            return invalid(format!(
                "{name}.{what} must be at least a tick, {tick_us} µs, and at most an hour"
            ));
        }
    }
    for (what, share) in [
        ("error_share_good", errors.error_share_good),
        ("error_share_bad", errors.error_share_bad),
    ] {
        if share != 0.0 && !(LEAST_ERROR_SHARE..=MOST_ERROR_SHARE).contains(&share) {
            return invalid(format!(
                "{name}.{what} must be a share of bits from {LEAST_ERROR_SHARE:e} to \
                 {MOST_ERROR_SHARE}; 0 flips none"
            ));
        }
    }
    if errors.error_share_bad > 0.0 && errors.bad_us == 0 {
        return invalid(format!(
            "{name}.error_share_bad is set, but the link is never bad: give good_us and bad_us"
        ));
    }
    Ok(())
}

fn listed(name: &str, packets: &[u32]) -> Outcome<()> {
    if !(1..=MOST_LISTED_LOSSES).contains(&packets.len()) {
        return invalid(format!(
            "{name} has {} numbers: give 1 to {MOST_LISTED_LOSSES}, or leave `listed` out",
            packets.len()
        ));
    }
    if packets[0] == 0 || packets.windows(2).any(|two| two[0] >= two[1]) {
        return invalid(format!(
            "{name} must ascend from 1 on, the number of the first packet: sort it, and name \
             each packet once"
        ));
    }
    Ok(())
}

/// The queue before the rate: what it is, how long, and whether it marks.
fn queue(name: &str, path: &Path) -> Outcome<()> {
    let Ok(discipline) = QueueDiscipline::try_from(path.queue_discipline) else {
        return invalid(format!(
            "{name}.queue_discipline must be fifo (1), codel (2), fq_codel (3) or red (4)"
        ));
    };
    at_most(
        &format!("{name}.queue_bytes"),
        path.queue_bytes,
        MOST_QUEUED_BYTES,
        "as many packets as queue_packets says",
    )?;
    if path.queue_bytes > 0 && path.queue_packets > 0 {
        return invalid(format!(
            "{name}.queue_bytes and queue_packets are both set: give one of them"
        ));
    }
    let set = match discipline {
        QueueDiscipline::Unspecified if path.queue_bytes > 0 => "queue_bytes",
        QueueDiscipline::Unspecified => {
            return no_ecn(
                name,
                path,
                "give a queue_discipline that can mark: codel, fq_codel or red",
            );
        }
        _ => "queue_discipline",
    };
    if path.rate_bit_per_s == 0 {
        return invalid(format!(
            "{name}.{set} is set, but no packet waits without a rate: give rate_bit_per_s, or \
             leave it out"
        ));
    }
    match discipline {
        QueueDiscipline::Unspecified | QueueDiscipline::Fifo => no_ecn(
            name,
            path,
            "FIFO drops only what it has no room for: give codel, fq_codel or red as \
             queue_discipline, or leave ecn out",
        ),
        QueueDiscipline::Codel | QueueDiscipline::FqCodel if path.queue_bytes > 0 => {
            invalid(format!(
                "{name}.queue_bytes is set, but CoDel counts packets: give queue_packets instead"
            ))
        }
        QueueDiscipline::Codel | QueueDiscipline::FqCodel => Ok(()),
        QueueDiscipline::Red => red_queue(name, path),
    }
}

fn red_queue(name: &str, path: &Path) -> Outcome<()> {
    let (field, bytes) = match (path.queue_bytes, path.queue_packets) {
        (0, 0) => return Ok(()),
        (0, packets) => (
            "queue_packets",
            u64::from(packets) * u64::from(FULL_PACKET_BYTES),
        ),
        (bytes, _) => ("queue_bytes", u64::from(bytes)),
    };
    if (u64::from(red::LEAST_BYTES)..=u64::from(red::MOST_BYTES)).contains(&bytes) {
        return Ok(());
    }
    invalid(format!(
        "{name}.{field} must be {} to {} bytes with RED, a packet being {FULL_PACKET_BYTES}",
        red::LEAST_BYTES,
        red::MOST_BYTES
    ))
}

fn no_ecn(name: &str, path: &Path, remedy: &str) -> Outcome<()> {
    if path.ecn {
        return invalid(format!("{name}.ecn is set, but nothing marks: {remedy}"));
    }
    Ok(())
}

fn at_most<N: Copy + PartialOrd + Display>(
    name: &str,
    value: N,
    most: N,
    zero: &str,
) -> Outcome<()> {
    if value <= most {
        return Ok(());
    }
    invalid(format!("{name} must be at most {most}; 0 is {zero}"))
}

fn share(name: &str, share: f64) -> Outcome<()> {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    invalid(format!(
        "{name} is {share} and must be a share from 0 to 1 (5 % is 0.05)"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab_proto::{GilbertElliottLoss, Sctp, UniformLoss};

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
    fn bit_errors_that_cannot_be_are_named() {
        let errors = BitErrors {
            good_us: 2_000_000,
            bad_us: 30_000,
            error_share_bad: 0.01,
            ..BitErrors::default()
        };
        let set = |errors| {
            move |spec: &mut LaneSpec| spec.backward.as_mut().unwrap().bit_errors = Some(errors)
        };
        let mut spec = good();
        set(errors)(&mut spec);
        assert!(lane(&spec).is_ok());
        for (field, errors) in [
            (
                "tick_us",
                BitErrors {
                    tick_us: 99,
                    ..errors
                },
            ),
            (
                "good_us and bad_us",
                BitErrors {
                    good_us: 0,
                    ..errors
                },
            ),
            (
                "bad_us",
                BitErrors {
                    bad_us: 9_999,
                    ..errors
                },
            ),
            (
                "good_us",
                BitErrors {
                    good_us: u64::MAX,
                    ..errors
                },
            ),
            (
                "error_share_good",
                BitErrors {
                    error_share_good: 1e-11,
                    ..errors
                },
            ),
            (
                "error_share_bad",
                BitErrors {
                    error_share_bad: f64::NAN,
                    ..errors
                },
            ),
            (
                "error_share_bad is set",
                BitErrors {
                    good_us: 0,
                    bad_us: 0,
                    ..errors
                },
            ),
        ] {
            complains_about(&format!("lane.backward.bit_errors.{field}"), set(errors));
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

    #[test]
    fn a_queue_that_cannot_be_is_named() {
        let codel = Path {
            rate_bit_per_s: 1,
            queue_discipline: QueueDiscipline::Codel as i32,
            ecn: true,
            ..Path::default()
        };
        assert!(lane(&LaneSpec::both_ways(codel.clone())).is_ok());
        for (field, path) in [
            (
                "queue_discipline must be",
                Path {
                    queue_discipline: 5,
                    ..codel.clone()
                },
            ),
            (
                "queue_discipline is set, but no packet waits",
                Path {
                    rate_bit_per_s: 0,
                    ..codel.clone()
                },
            ),
            (
                "queue_bytes is set, but CoDel",
                Path {
                    queue_bytes: 1,
                    ..codel.clone()
                },
            ),
            (
                "queue_bytes and queue_packets",
                Path {
                    queue_bytes: 1,
                    queue_packets: 1,
                    ..codel.clone()
                },
            ),
            (
                "queue_bytes must be at most",
                Path {
                    queue_bytes: u32::MAX,
                    ..codel.clone()
                },
            ),
            (
                "queue_bytes is set, but no packet waits",
                Path {
                    queue_bytes: 1,
                    ..Path::default()
                },
            ),
            (
                "ecn",
                Path {
                    ecn: true,
                    ..Path::default()
                },
            ),
            (
                "ecn",
                Path {
                    queue_discipline: QueueDiscipline::Fifo as i32,
                    ..codel.clone()
                },
            ),
            (
                "queue_packets must be 10000 to 8000000 bytes with RED",
                Path {
                    queue_discipline: QueueDiscipline::Red as i32,
                    queue_packets: 6,
                    ..codel.clone()
                },
            ),
        ] {
            complains_about(&format!("lane.backward.{field}"), |s| {
                s.backward = Some(path);
            });
        }
    }
}
