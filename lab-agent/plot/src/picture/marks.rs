//! Marks that tell packets apart, and how many of them share one place.
// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::canvas::Canvas;
use crate::markup::At;

/// Marks closer than this, in both directions, are drawn as one.
pub(crate) const CELL: f64 = 1.0;

/// A mark's outline: no two look alike in grey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    Square,
    Triangle,
    Diamond,
    Cross,
    SmallCross,
    Dash,
    Bar,
}

/// Path data of a mark around a place, as large as in a legend.
pub(crate) fn shape(shape: Shape, at: (f64, f64)) -> String {
    scaled(shape, at, 1.0)
}

fn scaled(shape: Shape, at: (f64, f64), scale: f64) -> String {
    let corners: &[(f64, f64)] = match shape {
        Shape::Square => &[(-2.6, -2.6), (2.6, -2.6), (2.6, 2.6), (-2.6, 2.6)],
        Shape::Triangle => &[(0.0, -4.2), (3.8, 2.6), (-3.8, 2.6)],
        Shape::Diamond => &[(0.0, -4.4), (4.0, 0.0), (0.0, 4.4), (-4.0, 0.0)],
        Shape::Cross => &[(-3.6, -3.6), (3.6, 3.6), (3.6, -3.6), (-3.6, 3.6)],
        Shape::SmallCross => &[(-2.4, -2.4), (2.4, 2.4), (2.4, -2.4), (-2.4, 2.4)],
        Shape::Dash => &[(-2.5, 0.0), (2.5, 0.0)],
        Shape::Bar => &[(0.0, -5.0), (0.0, 5.0)],
    };
    let is_outline = matches!(shape, Shape::Square | Shape::Triangle | Shape::Diamond);
    let mut data = String::new();
    for (nth, (dx, dy)) in corners.iter().enumerate() {
        let begins = nth == 0 || (!is_outline && nth == 2);
        let sign = if begins { 'M' } else { 'L' };
        let (x, y) = (At(at.0 + dx * scale), At(at.1 + dy * scale));
        let _ = write!(data, "{sign}{x} {y}");
    }
    if is_outline {
        data.push('z');
    }
    data
}

/// Marks of one meaning. Those in one cell become one mark that knows their
/// number, so that none is left out and a picture stays small.
pub(crate) struct Marks {
    class: &'static str,
    shape: Shape,
    cells: BTreeMap<(i64, i64), (u64, (f64, f64))>,
    count: u64,
}

impl Marks {
    pub(crate) fn new(class: &'static str, shape: Shape) -> Self {
        Self {
            class,
            shape,
            cells: BTreeMap::new(),
            count: 0,
        }
    }

    pub(crate) fn add(&mut self, at: (f64, f64)) {
        let cell = ((at.0 / CELL).floor() as i64, (at.1 / CELL).floor() as i64);
        self.cells.entry(cell).or_insert((0, at)).0 += 1;
        self.count += 1;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many there are, and how many of them others stand for.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.count, self.count - self.cells.len() as u64)
    }

    pub(crate) fn entry(&self, text: &str) -> Option<super::legend::Entry> {
        (!self.is_empty()).then(|| super::legend::Entry::mark(self.class, self.shape, text))
    }

    /// Smaller the more there are, so that they do not hide each other; never so
    /// small that one is overlooked.
    pub(crate) fn draw(&self, canvas: &mut Canvas) {
        if self.is_empty() {
            return;
        }
        let scale = (40.0 / self.cells.len() as f64).sqrt().clamp(0.4, 1.0);
        if scale < 0.7 {
            canvas.body.push_str("<g class=\"fine\">\n");
        }
        for (count, at) in self.cells.values() {
            let many = if *count > 1 {
                format!(" data-count=\"{count}\"")
            } else {
                String::new()
            };
            let _ = writeln!(
                canvas.body,
                "<path class=\"{}\"{many} d=\"{}\"/>",
                self.class,
                scaled(self.shape, *at, scale)
            );
        }
        if scale < 0.7 {
            canvas.body.push_str("</g>\n");
        }
    }
}

/// Upright bars, such as a packet's bytes at the moment it leaves; those that
/// touch in one column become one.
#[derive(Default)]
pub(crate) struct Bars {
    columns: BTreeMap<i64, Vec<(f64, f64)>>,
    count: u64,
}

impl Bars {
    const COLUMN: f64 = 0.5;

    pub(crate) fn add(&mut self, x: f64, one: f64, other: f64) {
        // A packet is seen however many bytes the axis spans.
        let half = ((one - other).abs() / 2.0).max(0.6);
        let middle = f64::midpoint(one, other);
        let column = (x / Self::COLUMN).round() as i64;
        let bars = self.columns.entry(column).or_default();
        let (top, bottom) = (middle - half, middle + half);
        self.count += 1;
        match bars.last_mut() {
            Some(last) if top <= last.1 + 0.4 && last.0 <= bottom + 0.4 => {
                *last = (last.0.min(top), last.1.max(bottom));
            }
            _ => bars.push((top, bottom)),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn data(&self) -> String {
        let mut data = String::new();
        for (column, bars) in &self.columns {
            for (top, bottom) in merged(bars) {
                let x = At(*column as f64 * Self::COLUMN);
                let _ = write!(data, "M{x} {}V{}", At(top), At(bottom));
            }
        }
        data
    }
}

fn merged(bars: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = bars.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (top, bottom) in sorted {
        match merged.last_mut() {
            Some(last) if top <= last.1 + 0.4 => last.1 = last.1.max(bottom),
            _ => merged.push((top, bottom)),
        }
    }
    merged
}

/// A line through points in order of x that only rises or only falls: at most one
/// corner in a cell, the first and the last always.
#[derive(Default)]
pub(crate) struct Staircase {
    data: String,
    last: Option<(f64, f64)>,
    waiting: Option<(f64, f64)>,
}

impl Staircase {
    /// On to `y` at `x`: level first, then up or down.
    pub(crate) fn step(&mut self, x: f64, y: f64) {
        let Some(last) = self.last else {
            self.corner(x, y);
            return;
        };
        if (x - last.0).abs() >= 0.5 || (y - last.1).abs() >= 0.5 {
            // What was passed over is drawn when the way goes on from there.
            if let Some(waiting) = self.waiting.take()
                && (x - waiting.0).abs() >= 0.5
            {
                self.corner(waiting.0, waiting.1);
            }
            self.corner(x, y);
        } else {
            self.waiting = Some((x, y));
        }
    }

    fn corner(&mut self, x: f64, y: f64) {
        let _ = match self.last {
            None => write!(self.data, "M{} {}", At(x), At(y)),
            Some(_) => write!(self.data, "H{}V{}", At(x), At(y)),
        };
        self.last = Some((x, y));
        self.waiting = None;
    }

    /// The path, level from its last point to `x`.
    pub(crate) fn until(mut self, x: Option<f64>) -> String {
        if let Some(waiting) = self.waiting {
            self.corner(waiting.0, waiting.1);
        }
        if let (Some(x), Some(_)) = (x, self.last) {
            let _ = write!(self.data, "H{}", At(x));
        }
        self.data
    }
}
