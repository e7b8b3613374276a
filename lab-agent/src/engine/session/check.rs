//! Whether a session that was asked for makes sense, as far as that can be known
//! before anything is sent: every message names the field and the remedy.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use lab_proto::guest::Transfer;
use lab_proto::{Flow, HostDescription, LaneChange, LaneSpec, Mechanism, SessionLane, SessionSpec};

use crate::fault::{Outcome, invalid};
use crate::lane::datagram::LONGEST_MESSAGE_BYTES;
use crate::lane::protocol::Protocol;
use crate::lane::{self, MOST_LANES};
use crate::source::{LONGEST_STREAM_BYTES, Message};

/// Of all lanes together: what one thread can serve, many times over.
const MOST_FLOWS: usize = 512;

/// Checks all but the streams.
pub fn session(host: &HostDescription, spec: &SessionSpec) -> Outcome<()> {
    if !(1..=MOST_LANES).contains(&spec.lanes.len()) {
        return invalid(format!(
            "lanes has {} entries: give 1 to {MOST_LANES}",
            spec.lanes.len()
        ));
    }
    let flows: usize = spec.lanes.iter().map(|lane| lane.flows.len()).sum();
    if flows > MOST_FLOWS {
        return invalid(format!(
            "lanes have {flows} flows together: give at most {MOST_FLOWS}"
        ));
    }
    for (number, lane) in spec.lanes.iter().enumerate() {
        let has_emulator = number == 0 || !spec.shared_bottleneck;
        let checked = match &lane.lane {
            None => invalid("lane is not set: give its paths and baseline"),
            Some(_) if lane.flows.is_empty() => invalid("flows is empty: give one"),
            Some(asked) => one(host, asked, has_emulator)
                .and_then(|()| whole_headers(lane, spec.shared_bottleneck))
                .and_then(|()| changes(host, asked, &lane.changes, has_emulator))
                .and_then(|()| connections(&lane.flows))
                .and_then(|()| datagrams(asked, &lane.flows)),
        };
        checked.map_err(|fault| fault.below(&format!("lanes[{number}].")))?;
    }
    Ok(())
}

/// Refuses bit errors where a router comes behind them: it throws away what has a damaged IP
/// header, uncounted, and the lane would not balance.
fn whole_headers(lane: &SessionLane, shared_bottleneck: bool) -> Outcome<()> {
    let later = lane
        .changes
        .iter()
        .filter_map(|change| change.spec.as_ref());
    let has_errors = |spec: &LaneSpec| {
        let mut ways = [&spec.forward, &spec.backward].into_iter().flatten();
        ways.any(|path| path.bit_errors.is_some())
    };
    if shared_bottleneck && lane.lane.iter().chain(later).any(has_errors) {
        return invalid(
            "lane has bit_errors at a shared bottleneck, behind which a router drops what has a \
             damaged IP header: leave bit_errors or shared_bottleneck out",
        );
    }
    Ok(())
}

/// Refuses more than fits into a guest.
pub fn size(transfer: &Transfer) -> Outcome<()> {
    let flows = transfer.lanes.iter().flat_map(|lane| &lane.flows);
    let bytes: usize = flows.map(|flow| flow.stream.len()).sum();
    if bytes > LONGEST_STREAM_BYTES {
        return invalid(format!(
            "lanes: the flows have {} MiB together: send at most {} MiB in a session",
            bytes >> 20,
            LONGEST_STREAM_BYTES >> 20
        ));
    }
    Ok(())
}

/// Whether each flow has a connection of its own or one to go back over.
fn connections(flows: &[Flow]) -> Outcome<()> {
    for (nth, flow) in flows.iter().enumerate() {
        let before = nth.checked_sub(1).map(|before| &flows[before]);
        let complaint = match before {
            _ if !flow.same_connection => flow
                .answers
                .then_some("answers goes with same_connection: set that, too"),
            None => Some("same_connection needs a flow before it: put one there"),
            Some(before) if before.same_connection => Some(
                "same_connection follows a flow that goes back already: a connection has two ways",
            ),
            Some(before) if before.backward == flow.backward => {
                Some("backward is that of the flow before it: same_connection goes the other way")
            }
            Some(_) => None,
        };
        if let Some(complaint) = complaint {
            return invalid(format!("flows[{nth}].{complaint}"));
        }
    }
    Ok(())
}

/// Refuses what needs every message to come.
fn datagrams(spec: &LaneSpec, flows: &[Flow]) -> Outcome<()> {
    let protocol = Protocol::of_lane(spec);
    let answers = flows.iter().position(|flow| flow.answers);
    match answers.filter(|_| protocol.is_of_datagrams()) {
        Some(nth) => invalid(format!(
            "flows[{nth}].answers goes over TCP and SCTP, and {} may lose what is to be answered: \
             leave it out, or choose another baseline",
            protocol.name()
        )),
        None => Ok(()),
    }
}

/// Refuses messages that no datagram has room for.
pub fn messages(lane: Option<&LaneSpec>, messages: &[Message]) -> Outcome<()> {
    let protocol = lane.map_or(Protocol::Tcp, Protocol::of_lane);
    let longest = messages.iter().map(|message| message.bytes.len()).max();
    if !protocol.is_of_datagrams() || longest.is_none_or(|it| it <= LONGEST_MESSAGE_BYTES) {
        return Ok(());
    }
    invalid(format!(
        "stream has a message of {} bytes, and a datagram of {} has room for {}: send smaller \
         ones, or choose a baseline of TCP or SCTP",
        longest.unwrap_or_default(),
        protocol.name(),
        LONGEST_MESSAGE_BYTES
    ))
}

fn one(host: &HostDescription, spec: &LaneSpec, has_emulator: bool) -> Outcome<()> {
    if has_emulator {
        lane::check::lane(spec)?;
    } else {
        if spec.forward.is_some() || spec.backward.is_some() || spec.seed != 0 {
            return invalid(
                "lane names a path or a seed, but shares the first lane's bottleneck: leave \
                 forward, backward and seed out",
            );
        }
        lane::check::transport(spec)?;
    }
    lane::check::available(host, spec)
}

fn changes(
    host: &HostDescription,
    lane: &LaneSpec,
    changes: &[LaneChange],
    has_emulator: bool,
) -> Outcome<()> {
    let mut earlier_ns = 0;
    for (index, change) in changes.iter().enumerate() {
        let name = format!("changes[{index}]");
        let Some(spec) = &change.spec else {
            return invalid(format!(
                "{name}.spec is not set: give the lane's whole new state"
            ));
        };
        if change.at_ns < earlier_ns {
            return invalid(format!(
                "{name}.at_ns is before the change in front of it: sort the changes by time"
            ));
        }
        earlier_ns = change.at_ns;
        if spec.baseline != lane.baseline {
            return invalid(format!(
                "{name}.spec.baseline is not lane.baseline: a running connection keeps its \
                 congestion control; use a session for each baseline"
            ));
        }
        if spec.tcp != lane.tcp {
            return invalid(format!(
                "{name}.spec.tcp is not lane.tcp: a connection keeps what it was opened with; use \
                 a session for each"
            ));
        }
        if spec.sctp != lane.sctp {
            return invalid(format!(
                "{name}.spec.sctp is not lane.sctp: an association keeps what it was opened \
                 with; use a session for each"
            ));
        }
        if spec.udp_lite != lane.udp_lite {
            return invalid(format!(
                "{name}.spec.udp_lite is not lane.udp_lite: a socket keeps what it was opened \
                 with; use a session for each"
            ));
        }
        let of_sockets = |spec: &LaneSpec| {
            let all = spec.mechanisms();
            let own = all.filter(|one| Mechanism::TAKES_DAMAGE.contains(one));
            own.collect::<BTreeSet<_>>()
        };
        if of_sockets(spec) != of_sockets(lane) {
            return invalid(format!(
                "{name}.spec.mechanisms has tcp_lite or header_checksum where lane.mechanisms has \
                 not, or the reverse: a connection keeps what it was opened with; use a session for \
                 each"
            ));
        }
        one(host, spec, has_emulator).map_err(|fault| fault.below(&format!("{name}.spec: ")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lab_proto::stream::Kind as Stream;
    use lab_proto::{Baseline, BitErrors, Mechanism, MechanismSupport, Path, SessionLane};

    use super::*;
    use crate::fault::Fault;

    /// A kernel that has everything but bundling.
    fn stock() -> HostDescription {
        let support = |mechanism, reason: &str| MechanismSupport {
            mechanism: mechanism as i32,
            available: reason.is_empty(),
            reason: reason.into(),
        };
        HostDescription {
            mechanisms: vec![
                support(Mechanism::LinearTimeouts, ""),
                support(Mechanism::Bundling, "no tcp_rdb"),
            ],
            ..HostDescription::default()
        }
    }

    fn lane(mechanism: Mechanism) -> LaneSpec {
        LaneSpec {
            baseline: Baseline::Modern as i32,
            mechanisms: vec![mechanism as i32],
            ..LaneSpec::both_ways(Path::default())
        }
    }

    fn session_of(lane: LaneSpec) -> SessionSpec {
        SessionSpec::of_one(
            lane,
            Stream::Synthetic(lab_proto::SyntheticStream::default()),
        )
    }

    fn complaint(spec: &SessionSpec) -> Fault {
        session(&stock(), spec).unwrap_err()
    }

    #[test]
    fn what_the_kernel_lacks_is_refused_at_once_and_later() {
        let (has, lacks) = (lane(Mechanism::LinearTimeouts), lane(Mechanism::Bundling));
        let mut later = session_of(has);
        assert!(session(&stock(), &later).is_ok());
        later.lanes[0].changes.push(LaneChange {
            at_ns: 0,
            spec: Some(lacks.clone()),
        });
        for (fault, beginning) in [
            (complaint(&session_of(lacks)), "lanes[0].lane.mechanisms"),
            (
                complaint(&later),
                "lanes[0].changes[0].spec: lane.mechanisms",
            ),
        ] {
            assert!(matches!(fault, Fault::Unsupported(_)), "{fault:?}");
            let message = fault.to_string();
            assert!(message.starts_with(beginning), "{message}");
            assert!(message.contains("no tcp_rdb"), "{message}");
        }
    }

    #[test]
    fn a_lane_at_the_firsts_bottleneck_has_no_path_of_its_own() {
        let mut spec = session_of(lane(Mechanism::LinearTimeouts));
        spec.lanes.push(spec.lanes[0].clone());
        assert!(session(&stock(), &spec).is_ok());
        spec.shared_bottleneck = true;
        let said = complaint(&spec).to_string();
        assert!(said.starts_with("lanes[1].lane names a path"), "{said}");
        let second = spec.lanes[1].lane.as_mut().unwrap();
        (second.forward, second.backward) = (None, None);
        assert!(session(&stock(), &spec).is_ok());
    }

    #[test]
    fn bit_errors_are_not_before_a_router() {
        let mut spec = session_of(lane(Mechanism::LinearTimeouts));
        let mut radio = spec.lanes[0].lane.clone().unwrap();
        radio.forward.as_mut().unwrap().bit_errors = Some(BitErrors::default());
        spec.lanes[0].changes.push(LaneChange {
            at_ns: 0,
            spec: Some(radio),
        });
        assert!(session(&stock(), &spec).is_ok());
        spec.shared_bottleneck = true;
        complaint(&spec).expect_invalid("lanes[0].lane has bit_errors");
    }

    #[test]
    fn a_flow_goes_back_over_one_that_goes_there() {
        let plain = Flow::default();
        let back = Flow {
            backward: true,
            same_connection: true,
            ..Flow::default()
        };
        let answering = Flow {
            answers: true,
            ..back.clone()
        };
        assert!(connections(&[plain.clone(), back.clone(), plain.clone(), answering]).is_ok());
        let lonely = Flow {
            answers: true,
            ..plain.clone()
        };
        let parallel = Flow {
            backward: false,
            ..back.clone()
        };
        for (flows, says) in [
            (vec![back.clone()], "flows[0].same_connection needs a flow"),
            (
                vec![plain.clone(), back.clone(), parallel.clone()],
                "flows[2].same_connection follows",
            ),
            (vec![plain.clone(), parallel], "flows[1].backward"),
            (vec![lonely], "flows[0].answers"),
        ] {
            let said = connections(&flows).unwrap_err().to_string();
            assert!(said.starts_with(says), "{said}");
        }
    }

    #[test]
    fn lanes_and_flows_are_some_and_not_too_many() {
        let one = session_of(lane(Mechanism::LinearTimeouts));
        let with = |spoil: &dyn Fn(&mut SessionSpec)| {
            let mut spec = one.clone();
            spoil(&mut spec);
            complaint(&spec).to_string()
        };
        let none = with(&|spec| spec.lanes.clear());
        assert!(none.starts_with("lanes has 0 entries"), "{none}");
        let five = with(&|spec| spec.lanes = vec![spec.lanes[0].clone(); 5]);
        assert!(five.starts_with("lanes has 5 entries"), "{five}");
        let silent = with(&|spec| spec.lanes[0].flows.clear());
        assert!(silent.starts_with("lanes[0].flows is empty"), "{silent}");
        let unset = with(&|spec| spec.lanes.push(SessionLane::default()));
        assert!(unset.starts_with("lanes[1].lane is not set"), "{unset}");
        let many = with(&|spec| spec.lanes[0].flows = vec![Flow::default(); MOST_FLOWS + 1]);
        assert!(many.contains("513 flows"), "{many}");
    }
}
