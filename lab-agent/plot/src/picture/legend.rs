//! What the marks and lines of a picture mean.
// SPDX-License-Identifier: Apache-2.0

use super::canvas::{Anchor, Canvas, width};
use super::marks::{Shape, shape};

const ROW: f64 = 15.0;
const KEY: f64 = 20.0;
const GAP: f64 = 12.0;

/// A key and its meaning.
pub(crate) struct Entry {
    pub class: String,
    /// None: a line.
    pub shape: Option<Shape>,
    pub text: String,
}

impl Entry {
    pub(crate) fn line(class: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            class: class.into(),
            shape: None,
            text: text.into(),
        }
    }

    pub(crate) fn mark(class: impl Into<String>, shape: Shape, text: impl Into<String>) -> Self {
        Self {
            class: class.into(),
            shape: Some(shape),
            text: text.into(),
        }
    }
}

/// Rows from `left` to `right`, growing the canvas.
pub(crate) fn legend(canvas: &mut Canvas, entries: &[Entry], left: f64, right: f64) {
    if entries.is_empty() {
        return;
    }
    let mut x = left;
    canvas.height += ROW;
    canvas.body.push_str("<g class=\"legend\">\n");
    for entry in entries {
        let wide = KEY + 4.0 + width(&entry.text);
        if x > left && x + wide > right {
            x = left;
            canvas.height += ROW;
        }
        let y = canvas.height - 6.0;
        match entry.shape {
            None => canvas.line(&entry.class, (x, y), (x + KEY, y)),
            Some(which) => canvas.path(&entry.class, &shape(which, (x + KEY / 2.0, y))),
        }
        canvas.text("", (x + KEY + 4.0, y + 4.0), Anchor::Start, &entry.text);
        x += wide + GAP;
    }
    canvas.body.push_str("</g>\n");
    canvas.height += 3.0;
}
