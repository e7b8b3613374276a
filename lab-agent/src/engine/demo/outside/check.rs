//! Whether a take that was asked for makes sense: every message names the field
//! and what to give instead.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::demo_open::Stream;
use lab_proto::{
    DemoChange, DemoClip, DemoOpen, DemoSynthetic, HostDescription, LaneSpec, SoundPiece,
    TerminalTask,
};

use crate::engine::terminal;
use crate::fault::{Fault, Outcome, invalid};
use crate::lane;

/// More than people tell apart, and than one serial line carries the packets of.
const MOST_LANES: usize = 4;
/// Ten minutes: nobody listens longer to what comes again.
const LONGEST_CLIP_BYTES: usize = 10 * 60 * 48_000 * 2;
/// What fits into one packet of a lane: a thin stream's messages do.
const LARGEST_MESSAGE_BYTES: u32 = 1400;
/// Above this rate the packets' copies at every end fill the serial line.
const SHORTEST_IAT_US: u64 = 10_000;
const LONGEST_IAT_US: u64 = 10_000_000;
/// A second: what comes in larger pieces is no microphone.
const LONGEST_PIECE_BYTES: usize = 48_000 * 2;

/// Checks the request, before anything is made.
pub fn open(open: &DemoOpen, host: &HostDescription) -> Outcome<()> {
    if !(1..=MOST_LANES).contains(&open.lanes.len()) {
        return invalid(format!(
            "lanes has {} entries: give one to {MOST_LANES}",
            open.lanes.len()
        ));
    }
    for (index, spec) in open.lanes.iter().enumerate() {
        lane(&format!("lanes[{index}]: "), spec, host)?;
    }
    match &open.stream {
        Some(Stream::Clip(clip)) => self::clip(clip),
        Some(Stream::Microphone(_)) => Ok(()),
        Some(Stream::Synthetic(stream)) => synthetic(stream),
        Some(Stream::Terminal(terminal)) => self::terminal(terminal, host),
        None => invalid("stream is not set: give clip, microphone, synthetic or terminal"),
    }
}

/// Checks a change of a take with so many lanes.
pub fn change(change: &DemoChange, lanes: usize, host: &HostDescription) -> Outcome<()> {
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
        lane(&format!("{place}.spec: "), spec, host)?;
    }
    Ok(())
}

/// Checks a size and a pace.
pub fn synthetic(stream: &DemoSynthetic) -> Outcome<()> {
    if !(1..=LARGEST_MESSAGE_BYTES).contains(&stream.payload_bytes) {
        return invalid(format!(
            "synthetic.payload_bytes is {} and must be 1 to {LARGEST_MESSAGE_BYTES}",
            stream.payload_bytes
        ));
    }
    if !(SHORTEST_IAT_US..=LONGEST_IAT_US).contains(&stream.iat_us) {
        return invalid(format!(
            "synthetic.iat_us is {} and must be {SHORTEST_IAT_US} to {LONGEST_IAT_US} (10 ms to \
             10 s)",
            stream.iat_us
        ));
    }
    Ok(())
}

/// Checks a piece of sound.
pub fn microphone(piece: &SoundPiece) -> Outcome<()> {
    let bytes = piece.s16le_48k_mono.len();
    if !bytes.is_multiple_of(2) || bytes > LONGEST_PIECE_BYTES {
        return invalid(format!(
            "microphone.s16le_48k_mono has {bytes} bytes: give whole 16-bit samples, a second of \
             them at most"
        ));
    }
    Ok(())
}

fn lane(place: &str, spec: &LaneSpec, host: &HostDescription) -> Outcome<()> {
    lane::check::lane(spec)
        .and_then(|()| lane::check::available(host, spec))
        .map_err(|fault| fault.below(place))
}

fn clip(clip: &DemoClip) -> Outcome<()> {
    let bytes = clip.source_s16le_48k_mono.len();
    if bytes == 0 || !bytes.is_multiple_of(2) || bytes > LONGEST_CLIP_BYTES {
        return invalid(format!(
            "clip.source_s16le_48k_mono has {bytes} bytes: give whole 16-bit samples, ten minutes \
             of them at most"
        ));
    }
    let samples = bytes as u64 / 2;
    if clip.start_sample >= samples {
        return invalid(format!(
            "clip.start_sample is {}, but the clip has {samples} samples",
            clip.start_sample
        ));
    }
    Ok(())
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
    use lab_proto::{DemoLaneChange, DemoMicrophone, Editor, Mechanism, MechanismSupport, Path};

    use super::*;

    fn lane() -> LaneSpec {
        LaneSpec::both_ways(Path::default())
    }

    fn good() -> DemoOpen {
        DemoOpen {
            lanes: vec![lane(), lane()],
            stream: Some(Stream::Microphone(DemoMicrophone {})),
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
        let spoiled: [(&str, Spoil); 11] = [
            ("lanes has 0", |o| o.lanes.clear()),
            ("lanes has 5", |o| o.lanes = vec![lane(); 5]),
            ("lanes[1]: lane.forward is not set", |o| {
                o.lanes[1].forward = None;
            }),
            ("lanes[1]: lane.mechanisms", |o| {
                o.lanes[1].mechanisms = vec![Mechanism::Bundling as i32];
            }),
            ("stream is not set", |o| o.stream = None),
            ("clip.source_s16le_48k_mono", |o| {
                o.stream = Some(Stream::Clip(DemoClip::default()));
            }),
            ("clip.start_sample", |o| {
                o.stream = Some(Stream::Clip(DemoClip {
                    source_s16le_48k_mono: vec![0; 8],
                    start_sample: 4,
                }));
            }),
            ("synthetic.payload_bytes", |o| {
                o.stream = Some(Stream::Synthetic(DemoSynthetic {
                    payload_bytes: 1401,
                    iat_us: 140_000,
                }));
            }),
            ("synthetic.iat_us", |o| {
                o.stream = Some(Stream::Synthetic(DemoSynthetic {
                    payload_bytes: 120,
                    iat_us: 9_999,
                }));
            }),
            ("terminal.editor", |o| {
                o.stream = Some(Stream::Terminal(TerminalTask::default()));
            }),
            ("terminal.rows", |o| {
                o.stream = Some(Stream::Terminal(TerminalTask {
                    editor: Editor::Vi as i32,
                    text: vec![],
                    columns: 80,
                    rows: 0,
                }));
            }),
        ];
        assert!(open(&good(), &host()).is_ok());
        for (beginning, spoil) in spoiled {
            let mut asked = good();
            spoil(&mut asked);
            expect(open(&asked, &host()), beginning);
        }
    }

    #[test]
    fn every_field_of_a_change_is_named_in_its_complaint() {
        let to = |lane, spec| DemoLaneChange { lane, spec };
        let asked = |lanes| DemoChange { id: 7, lanes };
        let checked = |lanes| change(&asked(lanes), 2, &host());
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

    #[test]
    fn half_a_sample_is_refused() {
        let piece = |bytes| SoundPiece {
            s16le_48k_mono: vec![0; bytes],
        };
        assert!(microphone(&piece(1920)).is_ok());
        expect(microphone(&piece(3)), "microphone.s16le_48k_mono");
        expect(microphone(&piece(96_002)), "microphone.s16le_48k_mono");
    }
}
