//! Whether a terminal that was asked for makes sense: every message names the
//! field and what to give instead.
// SPDX-License-Identifier: Apache-2.0
use lab_proto::{Editor, TerminalKeys, TerminalOpen, TerminalTask};

use crate::fault::{Fault, Outcome, invalid};
use crate::lane;

/// Below the kernel's limit of a pty, above every screen.
const WIDEST: u32 = 500;
/// What an editor is shown: more is no task for a person.
const LONGEST_TEXT_BYTES: usize = 64 << 10;
/// What one keydown may be for a terminal: an escape sequence, a composed
/// character; a pasted text is no key.
const LONGEST_KEY_BYTES: usize = 256;
const LONGEST_LIMIT_NS: u64 = 3600 * crate::clock::SECOND_NS;

/// Checks the request, before anything is made.
pub fn open(open: &TerminalOpen) -> Outcome<()> {
    let lane = open.lane.as_ref();
    lane::check::lane_for_terminal(
        lane.ok_or_else(|| Fault::Invalid("lane is not set: give its paths and baseline".into()))?,
    )?;
    let task = open.task.as_ref();
    let unset = || Fault::Invalid("task is not set: give editor, text, columns and rows".into());
    self::task(task.ok_or_else(unset)?).map_err(|fault| fault.below("task."))?;
    if !(1..=LONGEST_LIMIT_NS).contains(&open.limit_ns) {
        return invalid("limit_ns must be above 0 and at most an hour");
    }
    Ok(())
}

/// Checks what an editor shows, and how much of it.
pub fn task(task: &TerminalTask) -> Outcome<()> {
    if !matches!(task.editor(), Editor::Vi | Editor::Nano) {
        return invalid("editor must be vi (1) or nano (2)");
    }
    if task.text.len() > LONGEST_TEXT_BYTES {
        return invalid("text must be at most 64 KiB");
    }
    if std::str::from_utf8(&task.text).is_err() {
        return invalid("text must be UTF-8");
    }
    for (field, cells) in [("columns", task.columns), ("rows", task.rows)] {
        if !(2..=WIDEST).contains(&cells) {
            return invalid(format!("{field} must be from 2 to {WIDEST}"));
        }
    }
    Ok(())
}

/// Checks a key; `before` is the number of the last one.
pub fn key(key: &TerminalKeys, before: u32) -> Outcome<()> {
    if key.number != before + 1 {
        return invalid(format!(
            "keys.number is {} after {before}: numbers rise by one, from 1",
            key.number
        ));
    }
    if key.data.is_empty() || key.data.len() > LONGEST_KEY_BYTES {
        return invalid(format!(
            "keys.data must be what one key is for the terminal, 1 to {LONGEST_KEY_BYTES} bytes"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lab_proto::{LaneSpec, Path};

    use super::*;

    fn good() -> TerminalOpen {
        TerminalOpen {
            lane: Some(LaneSpec::both_ways(Path::default())),
            task: Some(TerminalTask {
                editor: Editor::Nano as i32,
                text: "Skriv her: æøå".into(),
                columns: 80,
                rows: 24,
            }),
            limit_ns: 1,
        }
    }

    #[test]
    fn every_field_is_named_in_its_complaint() {
        type Spoil = fn(&mut TerminalOpen);
        let spoiled: [(&str, Spoil); 8] = [
            ("lane is not set", |o| o.lane = None),
            ("lane.forward", |o| o.lane.as_mut().unwrap().forward = None),
            ("task is not set", |o| o.task = None),
            ("task.editor", |o| o.task.as_mut().unwrap().editor = 7),
            ("task.text must be UTF-8", |o| {
                o.task.as_mut().unwrap().text = vec![0xff];
            }),
            ("task.columns", |o| o.task.as_mut().unwrap().columns = 1),
            ("task.rows", |o| o.task.as_mut().unwrap().rows = 501),
            ("limit_ns", |o| o.limit_ns = 0),
        ];
        assert!(open(&good()).is_ok());
        for (beginning, spoil) in spoiled {
            let mut asked = good();
            spoil(&mut asked);
            open(&asked).unwrap_err().expect_invalid(beginning);
        }
    }

    #[test]
    fn keys_are_counted_and_short() {
        let made = |number, bytes| TerminalKeys {
            number,
            data: vec![b'x'; bytes],
        };
        assert!(key(&made(1, 1), 0).is_ok());
        assert!(key(&made(8, 256), 7).is_ok());
        for (number, bytes, field) in [(2, 1, "number"), (1, 0, "data"), (1, 257, "data")] {
            let fault = key(&made(number, bytes), 0).unwrap_err();
            fault.expect_invalid(&format!("keys.{field}"));
        }
    }
}
