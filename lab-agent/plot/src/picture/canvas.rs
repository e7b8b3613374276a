//! What a picture is written on.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::Write as _;

use crate::markup::{At, Escaped};

/// SVG elements so far, in the order in which they are painted.
#[derive(Default)]
pub(crate) struct Canvas {
    pub body: String,
    pub height: f64,
}

/// Where a text's place is.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Canvas {
    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<path class=\"{class}\" d=\"M{} {}L{} {}\"/>",
            At(from.0),
            At(from.1),
            At(to.0),
            At(to.1)
        );
    }

    /// Path data as it is.
    pub(crate) fn path(&mut self, class: &str, data: &str) {
        if !data.is_empty() {
            let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{data}\"/>");
        }
    }

    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() {
            String::new()
        } else {
            format!(" class=\"{class}\"")
        };
        let _ = writeln!(
            self.body,
            "<text{class} x=\"{}\" y=\"{}\"{anchor}>{}</text>",
            At(at.0),
            At(at.1),
            Escaped(text)
        );
    }

    /// Along the vertical, upwards, its middle at a place.
    pub(crate) fn upright(&mut self, at: (f64, f64), text: &str) {
        let (x, y) = (At(at.0), At(at.1));
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" transform=\"rotate(-90 {x} {y})\">{}</text>",
            Escaped(text)
        );
    }

    /// Lines of small text below everything else, as many as a width makes of them.
    pub(crate) fn notes(&mut self, notes: &[String], left: f64, right: f64) {
        for note in notes {
            for line in wrapped(note, ((right - left) / 4.9) as usize) {
                self.height += 12.5;
                self.text("small", (left, self.height - 3.5), Anchor::Start, &line);
            }
        }
        self.height += 3.0;
    }
}

/// About how wide a text becomes.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().count() as f64 * 5.6
}

/// A name cut to some signs; what it is cut to says so.
pub(crate) fn shortened(text: &str, signs: usize) -> String {
    if text.chars().count() <= signs {
        return text.to_owned();
    }
    let kept: String = text.chars().take(signs.saturating_sub(1)).collect();
    format!("{kept}…")
}

fn wrapped(text: &str, signs: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= signs => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
