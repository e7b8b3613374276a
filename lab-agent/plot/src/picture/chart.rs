//! Axes with ticks, units and a grid around what is shown.
// SPDX-License-Identifier: Apache-2.0

use super::axis::Axis;
use super::canvas::{Anchor, Canvas};

/// Room for the labels left of the vertical axis.
pub(crate) const LEFT: f64 = 58.0;
/// Where the horizontal axis ends.
pub(crate) const RIGHT: f64 = super::WIDTH - 12.0;

/// Grid, axes and their names; the canvas grows to below them.
pub(crate) fn frame(canvas: &mut Canvas, x: &Axis, y: &Axis, x_name: &str, y_name: Option<&str>) {
    let (left, right, top, bottom) = (x.start, x.end, y.end, y.start);
    for (value, label) in x.ticks(6) {
        let at = x.at(value);
        canvas.line("grid", (at, top), (at, bottom));
        canvas.text("", (at, bottom + 14.0), Anchor::Middle, &label);
    }
    if let Some(name) = y_name {
        for (value, label) in y.ticks(5) {
            let at = y.at(value);
            canvas.line("grid", (left, at), (right, at));
            canvas.text("", (left - 5.0, at + 4.0), Anchor::End, &label);
        }
        canvas.upright((12.0, f64::midpoint(top, bottom)), name);
    }
    canvas.line("frame", (left, bottom), (right, bottom));
    canvas.line("frame", (left, top), (left, bottom));
    let middle = f64::midpoint(left, right);
    canvas.text("", (middle, bottom + 29.0), Anchor::Middle, x_name);
    canvas.height = bottom + 35.0;
}
