//! Whether a take that was asked for makes sense: every message names the field
//! and what to give instead.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::stream::Kind;
use lab_proto::{DemoChange, DemoOpen, HostDescription, LaneSpec, TerminalTask};

use crate::engine::terminal;
use crate::fault::{Fault, Outcome, invalid};
use crate::lane;
use crate::source::live;

/// More than people tell apart, and than one serial line carries the packets of.
const MOST_LANES: usize = 4;

/// Checks the request, before anything is made.
pub fn open(open: &DemoOpen, host: &HostDescription) -> Outcome<()> {
    if !(1..=MOST_LANES).contains(&open.lanes.len()) {
        return invalid(format!(
            "lanes has {} entries: give one to {MOST_LANES}",
            open.lanes.len()
        ));
    }
    let kind = open.stream.as_ref().and_then(|it| it.kind.as_ref());
    for (index, spec) in open.lanes.iter().enumerate() {
        lane(&format!("lanes[{index}]: "), spec, kind, host)?;
    }
    live::check(kind)?;
    match kind {
        Some(Kind::Terminal(terminal)) => self::terminal(terminal, host),
        _ => Ok(()),
    }
}

/// Checks a change of a take with so many lanes and such a stream.
pub fn change(
    change: &DemoChange,
    lanes: usize,
    stream: &Kind,
    host: &HostDescription,
) -> Outcome<()> {
    if change.lanes.is_empty() {
        return invalid("change.lanes is empty: name the lanes that are to change");
    }
    for (index, changed) in change.lanes.iter().enumerate() {
        let place = format!("change.lanes[{index}]");
        if changed.lane as usize >= lanes {
            return invalid(format!(
                "{place}.lane is {}: the take has lanes 0 to {}",
                changed.lane,
                lanes - 1
            ));
        }
        let before = &change.lanes[..index];
        if before.iter().any(|other| other.lane == changed.lane) {
            return invalid(format!(
                "{place}.lane is {} again: give each lane one new state",
                changed.lane
            ));
        }
        let Some(spec) = &changed.spec else {
            return invalid(format!(
                "{place}.spec is not set: give the lane's whole new state"
            ));
        };
        lane(&format!("{place}.spec: "), spec, Some(stream), host)?;
    }
    Ok(())
}

fn lane(
    place: &str,
    spec: &LaneSpec,
    stream: Option<&Kind>,
    host: &HostDescription,
) -> Outcome<()> {
    let check = match stream {
        Some(Kind::Terminal(_)) => lane::check::lane_for_terminal,
        _ => lane::check::lane_for_people,
    };
    check(spec)
        .and_then(|()| lane::check::available(host, spec))
        .map_err(|fault| fault.below(place))
}

fn terminal(wanted: &TerminalTask, host: &HostDescription) -> Outcome<()> {
    if let Some(support) = &host.terminal
        && !support.available
    {
        return Err(Fault::WrongHost(format!("terminal: {}", support.reason)));
    }
    terminal::check::task(wanted).map_err(|fault| fault.below("terminal."))
}

#[cfg(test)]
mod tests {
    use lab_proto::{
        AudioStream, Baseline, DemoLaneChange, Editor, Mechanism, MechanismSupport,
        MicrophoneStream, Path,
    };

    use super::*;

    fn lane() -> LaneSpec {
        LaneSpec::both_ways(Path::default())
    }

    fn good() -> DemoOpen {
        DemoOpen {
            lanes: vec![lane(), lane()],
            stream: Some(Kind::Microphone(MicrophoneStream::default()).into()),
        }
    }

    fn host() -> HostDescription {
        HostDescription {
            mechanisms: vec![MechanismSupport {
                mechanism: Mechanism::Bundling as i32,
                available: false,
                reason: "no tcp_rdb".into(),
            }],
            ..HostDescription::default()
        }
    }

    fn expect(checked: Outcome<()>, beginning: &str) {
        let fault = checked.unwrap_err();
        assert!(
            matches!(fault, Fault::Invalid(_) | Fault::Unsupported(_)),
            "{fault:?}"
        );
        assert!(fault.to_string().starts_with(beginning), "{fault}");
    }

    #[test]
    fn every_field_of_a_take_is_named_in_its_complaint() {
        type Spoil = fn(&mut DemoOpen);
        let spoiled: [(&str, Spoil); 8] = [
            ("lanes has 0", |o| o.lanes.clear()),
            ("lanes has 5", |o| o.lanes = vec![lane(); 5]),
            ("lanes[1]: lane.forward is not set", |o| {
                o.lanes[1].forward = None;
            }),
            ("lanes[1]: lane.mechanisms", |o| {
                o.lanes[1].mechanisms = vec![Mechanism::Bundling as i32];
            }),
            ("stream is not set", |o| o.stream = None),
            ("audio.source_s16le_48k_mono", |o| {
                o.stream = Some(Kind::Audio(AudioStream::default()).into());
            }),
            ("terminal.editor", |o| {
                o.stream = Some(Kind::Terminal(TerminalTask::default()).into());
            }),
            ("terminal.rows", |o| {
                let flat = TerminalTask {
                    editor: Editor::Vi as i32,
                    text: vec![],
                    columns: 80,
                    rows: 0,
                };
                o.stream = Some(Kind::Terminal(flat).into());
            }),
        ];
        assert!(open(&good(), &host()).is_ok());
        for (beginning, spoil) in spoiled {
            let mut asked = good();
            spoil(&mut asked);
            expect(open(&asked, &host()), beginning);
        }
    }

    /// Sound and messages are heard and counted damaged or with holes; a terminal breaks.
    #[test]
    fn a_terminal_alone_takes_neither_damage_nor_datagrams() {
        let terminal = || {
            Kind::Terminal(TerminalTask {
                editor: Editor::Vi as i32,
                columns: 80,
                rows: 24,
                ..TerminalTask::default()
            })
        };
        let lossy = [
            LaneSpec {
                baseline: Baseline::Udp as i32,
                ..lane()
            },
            LaneSpec {
                baseline: Baseline::UdpLite as i32,
                ..lane()
            },
            LaneSpec {
                mechanisms: vec![Mechanism::TcpLite as i32],
                ..lane()
            },
        ];
        for spec in lossy {
            let what = if spec.mechanisms.is_empty() {
                "lane.baseline"
            } else {
                "lane.mechanisms"
            };
            let asked = |stream: Kind| DemoOpen {
                lanes: vec![lane(), spec.clone()],
                stream: Some(stream.into()),
            };
            let sound = asked(Kind::Microphone(MicrophoneStream::default()));
            assert!(open(&sound, &host()).is_ok());
            expect(
                open(&asked(terminal()), &host()),
                &format!("lanes[1]: {what}"),
            );
            let to = vec![DemoLaneChange {
                lane: 0,
                spec: Some(spec.clone()),
            }];
            let changed = DemoChange { id: 1, lanes: to };
            let refused = change(&changed, 2, &terminal(), &host());
            expect(refused, &format!("change.lanes[0].spec: {what}"));
        }
    }

    #[test]
    fn every_field_of_a_change_is_named_in_its_complaint() {
        let to = |lane, spec| DemoLaneChange { lane, spec };
        let asked = |lanes| DemoChange { id: 7, lanes };
        let microphone = Kind::Microphone(MicrophoneStream::default());
        let checked = |lanes| change(&asked(lanes), 2, &microphone, &host());
        assert!(checked(vec![to(1, Some(lane())), to(0, Some(lane()))]).is_ok());
        expect(checked(vec![]), "change.lanes is empty");
        expect(checked(vec![to(2, Some(lane()))]), "change.lanes[0].lane");
        expect(checked(vec![to(1, None)]), "change.lanes[0].spec is not");
        let twice = vec![to(1, Some(lane())), to(1, Some(lane()))];
        expect(checked(twice), "change.lanes[1].lane");
        let lacking = LaneSpec {
            mechanisms: vec![Mechanism::Bundling as i32],
            ..lane()
        };
        let fault = checked(vec![to(0, Some(lacking))]);
        expect(fault, "change.lanes[0].spec: lane.mechanisms");
    }
}
