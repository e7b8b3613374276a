//! What became of every key, from what the guest and the machine each saw.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::Range;

use lab_proto::guest::{Passages, TerminalLeft};
use lab_proto::{
    ClockComparison, Copies, KeyLine, LaneSpec, Recovery, TerminalResult, TraceMetrics,
};
use thinlab_trace::keystroke::{Carried, Key, KeyWay, Passage, Relayed, ways};
use thinlab_trace::{
    Analysis, AnalyzeError, Capture, Departures, Flow, Options, analyze, felt_answers,
};

use super::timing;
use crate::boot::{CaptureFiles, Comparison};
use crate::engine::balance;
use crate::engine::files::{analysing, packets};
use crate::fault::Outcome;

/// What the machine saw of a terminal.
pub struct Outside {
    /// When each key came from the caller, by number.
    pub received_ns: BTreeMap<u32, u64>,
    /// When each screen went to the caller, by number.
    pub forwarded_ns: BTreeMap<u32, u64>,
    /// How the guest's clock stood to the machine's when the terminal began.
    pub clock: Comparison,
    /// How much further apart they were in the end.
    pub drift_ns: i64,
}

impl Outside {
    /// Of a terminal that begins.
    pub fn new(clock: Comparison) -> Self {
        Self {
            received_ns: BTreeMap::new(),
            forwarded_ns: BTreeMap::new(),
            clock,
            drift_ns: 0,
        }
    }
}

/// Puts it all together.
pub fn result(
    left: &TerminalLeft,
    captures: &CaptureFiles,
    outside: &Outside,
    spec: &LaneSpec,
) -> Outcome<TerminalResult> {
    let (sender, receiver) = packets(captures)?;
    let ends = Ends {
        sender,
        receiver,
        whole: left.overruns == 0,
    };
    let keys = ends.departures(None)?;
    let (flow, back) = (keys.flow, reversed(keys.flow));
    let echoes = ends.swapped().departures(Some(back))?;
    let ways = key_ways(left);
    let lines = ways
        .iter()
        .map(|way| line(way, left, outside, [&keys, &echoes]));
    let ready_ns = left.ready_ns as i64;
    let typed = ready_ns..left.end_ns as i64;
    let (metrics_forward, copies_forward) = split(ends.metrics(flow, &typed)?);
    let (metrics_backward, copies_backward) = split(ends.swapped().metrics(back, &typed)?);
    let check = left.check.unwrap_or_default();
    let mut timing = timing::judge(
        (
            &spec.forward.clone().unwrap_or_default(),
            &within(&typed, &keys.forward_delays_ns),
        ),
        (
            &spec.backward.clone().unwrap_or_default(),
            &within(&typed, &keys.backward_delays_ns),
        ),
    );
    let holes = (left.overruns > 0).then(|| {
        format!(
            "the captures lack {} packets: a ring was full",
            left.overruns
        )
    });
    for reason in [holes, balance::complaint(&check)].into_iter().flatten() {
        timing.trustworthy = false;
        timing.reason = [timing.reason, reason].join("; ");
    }
    let echo_times = ways.iter().filter_map(|way| {
        let echoed_ns = way.echo?.delivered_ns?;
        Some((way.key?.written_ns, echoed_ns))
    });
    Ok(TerminalResult {
        end: left.end,
        reason: left.reason.clone(),
        text: left.text.clone(),
        keys: lines.collect(),
        check: Some(check),
        timing: Some(timing),
        metrics_forward,
        metrics_backward,
        copies_forward,
        copies_backward,
        felt: Some(felt_answers(&echo_times.collect::<Vec<_>>())),
        tcp_info_sender: left.tcp_info_sender,
        tcp_info_receiver: left.tcp_info_receiver,
        counters: left.counters.clone(),
        receiver_counters: left.receiver_counters.clone(),
        ready_ns: outside.clock.of_guest(left.ready_ns),
        end_ns: outside.clock.of_guest(left.end_ns),
        clock: Some(ClockComparison {
            offset_ns: outside.clock.offset_ns,
            round_trip_ns: outside.clock.round_trip_ns,
            drift_ns: outside.drift_ns,
        }),
    })
}

struct Ends {
    sender: Capture,
    receiver: Capture,
    /// No packet is missing that a full ring kept out.
    whole: bool,
}

impl Ends {
    /// What left the sender; of the one connection of the lane, the way the keys go,
    /// where no flow is named.
    fn departures(&self, flow: Option<Flow>) -> Outcome<Departures> {
        Departures::read(&self.sender, &self.receiver, flow).map_err(|error| analysing(&error))
    }

    fn swapped(&self) -> Self {
        Self {
            sender: self.receiver.clone(),
            receiver: self.sender.clone(),
            whole: self.whole,
        }
    }

    /// Of what was sent while somebody typed; none when nothing was, and none of
    /// captures with holes: where the sender's lacks the first copy of a byte, that
    /// byte arrives before it is sent.
    fn metrics(&self, flow: Flow, typed: &Range<i64>) -> Outcome<Option<(TraceMetrics, Copies)>> {
        if !self.whole {
            return Ok(None);
        }
        let options = Options {
            flow: Some(flow),
            ..Options::default()
        };
        let sender = self.sender.during(typed, flow.sender);
        let receiver = self.receiver.during(typed, flow.receiver);
        match analyze(&sender, &receiver, &options) {
            Ok(Analysis { summary, .. }) => Ok(Some((summary.metrics, summary.traffic.copies()))),
            Err(AnalyzeError::NoData { .. } | AnalyzeError::FlowAbsent { .. }) => Ok(None),
            Err(error) => Err(analysing(&error)),
        }
    }
}

fn key_ways(left: &TerminalLeft) -> Vec<KeyWay> {
    let keys: Vec<Key> = left
        .keys
        .iter()
        .map(|key| Key {
            number: key.number,
            at_ns: key.at_ns,
        })
        .collect();
    ways(
        &keys,
        &Relayed {
            key_written: &passages(left.key_written.as_ref()),
            key_delivered: &passages(left.key_delivered.as_ref()),
            echo_written: &passages(left.echo_written.as_ref()),
            echo_delivered: &passages(left.echo_delivered.as_ref()),
        },
    )
}

fn line(
    way: &KeyWay,
    left: &TerminalLeft,
    outside: &Outside,
    [keys, echoes]: [&Departures; 2],
) -> KeyLine {
    let here = |at_ns: Option<u64>| at_ns.map(|at_ns| outside.clock.of_guest(at_ns));
    let typed = left
        .keys
        .binary_search_by_key(&way.number, |key| key.number);
    let pty_written_ns = typed.ok().map(|index| left.keys[index].at_ns);
    let key = travelled(way.key, keys);
    let echo = travelled(way.echo, echoes);
    let shown = way
        .echo
        .and_then(|echo| echo.delivered_ns)
        .and_then(|at_ns| {
            let first = left.screens.partition_point(|screen| screen.at_ns < at_ns);
            left.screens.get(first)
        });
    let screen = shown.map_or(0, |screen| screen.number);
    KeyLine {
        number: way.number,
        agent_received_ns: outside.received_ns.get(&way.number).copied(),
        pty_written_ns: here(pty_written_ns),
        key_written_ns: here(way.key.map(|key| key.written_ns)),
        key_sent_ns: here(key.sent_ns),
        key_arrived_ns: here(key.arrived_ns),
        key_delivered_ns: here(way.key.and_then(|key| key.delivered_ns)),
        echo_written_ns: here(way.echo.map(|echo| echo.written_ns)),
        echo_sent_ns: here(echo.sent_ns),
        echo_arrived_ns: here(echo.arrived_ns),
        echo_delivered_ns: here(way.echo.and_then(|echo| echo.delivered_ns)),
        screen_ns: here(shown.map(|screen| screen.at_ns)),
        agent_forwarded_ns: outside.forwarded_ns.get(&screen).copied(),
        screen,
        key_transmissions: key.transmissions,
        echo_transmissions: echo.transmissions,
        key_recovery: key.recovery as i32,
        echo_recovery: echo.recovery as i32,
    }
}

/// What the captures say of a piece.
#[derive(Default)]
struct Travelled {
    sent_ns: Option<u64>,
    arrived_ns: Option<u64>,
    transmissions: u32,
    recovery: Recovery,
}

fn travelled(piece: Option<Carried>, departures: &Departures) -> Travelled {
    let Some(piece) = piece else {
        return Travelled::default();
    };
    let (sent_ns, arrived_ns) = departures.instants(piece.start, piece.end);
    let (transmissions, recovery) = departures.of(piece.end - 1);
    Travelled {
        sent_ns: sent_ns.map(|at_ns| at_ns as u64),
        arrived_ns: arrived_ns.map(|at_ns| at_ns as u64),
        transmissions,
        recovery,
    }
}

fn within(typed: &Range<i64>, delays_ns: &[(i64, i64)]) -> Vec<i64> {
    let within = delays_ns
        .iter()
        .filter(|(sent_ns, _)| typed.contains(sent_ns));
    within.map(|(_, delay_ns)| *delay_ns).collect()
}

fn passages(passages: Option<&Passages>) -> Vec<Passage> {
    let Some(passages) = passages else {
        return Vec::new();
    };
    let ends = passages.offset_end.iter();
    ends.zip(&passages.at_ns)
        .map(|(&offset_end, &at_ns)| Passage { offset_end, at_ns })
        .collect()
}

fn reversed(flow: Flow) -> Flow {
    let (sender, receiver): (SocketAddr, SocketAddr) = (flow.receiver, flow.sender);
    Flow { sender, receiver }
}

fn split<A, B>(pair: Option<(A, B)>) -> (Option<A>, Option<B>) {
    pair.map_or((None, None), |(a, b)| (Some(a), Some(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use thinlab_trace::golden::{End, Fate, FileFormat, Intent, Script};

    const MS: u64 = 1_000_000;

    /// Keys that are echoed, the second sent twice although it arrived; the sender's
    /// ring was full when it left first.
    fn without_a_first_copy() -> CaptureFiles {
        let mut script = Script::new();
        let way = || Fate::arrives(65 * MS);
        for key in 0..4 {
            let bytes = key * 100..key * 100 + 100;
            script.data(
                1_000 * MS + key * 140 * MS,
                Intent::New,
                bytes.clone(),
                way(),
            );
            script.echo(1_070 * MS + key * 140 * MS, bytes, way());
        }
        script.data(1_600 * MS, Intent::Retransmission, 100..200, way());
        let mut trace = script.run();
        let mut keys = trace.frames.iter().enumerate().filter(|(_, frame)| {
            frame.end == End::Sender && frame.outgoing && frame.packet.len() > 100
        });
        let (second, _) = keys.nth(1).expect("four keys leave");
        trace.frames.remove(second);
        let files = trace.files(&FileFormat::default());
        CaptureFiles {
            sender: files.sender,
            receiver: files.receiver,
        }
    }

    #[test]
    fn captures_with_holes_give_no_metrics_and_say_so() {
        let captures = without_a_first_copy();
        let result = |overruns| {
            let left = TerminalLeft {
                overruns,
                end_ns: u64::MAX >> 1,
                ..TerminalLeft::default()
            };
            let outside = Outside::new(Comparison {
                offset_ns: 0,
                round_trip_ns: 0,
            });
            super::result(&left, &captures, &outside, &LaneSpec::default())
        };
        let unaware = result(0).expect_err("a byte arrives before it is sent");
        assert!(
            unaware.to_string().contains("before it is sent"),
            "{unaware}"
        );
        let told = result(1).expect("a terminal whose ring was full for a moment");
        assert_eq!((told.metrics_forward, told.metrics_backward), (None, None));
        let timing = told.timing.expect("the emulator is judged");
        assert!(!timing.trustworthy);
        assert!(
            timing.reason.contains("lack 1 packets"),
            "{}",
            timing.reason
        );
    }
}
