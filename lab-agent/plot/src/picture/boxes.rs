//! Box plots: one box per latency and stream.
// SPDX-License-Identifier: Apache-2.0

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, shortened};
use super::cdf::{Line, latency_axis, lines, nothing, title};
use super::chart::{RIGHT, frame};
use super::{Picture, Series, milliseconds};
use crate::curve::Curve;
use crate::markup::At;

const ROW: f64 = 26.0;
const HALF: f64 = 7.5;
/// What the marks stand for, in words; the figures below have to agree.
const KEY: &str = "Box: quartiles. Bold line: median. Whiskers: 1st and 99th percentile. Dots: smallest and \
                   largest. Percentiles are nearest ranks.";

/// The five figures of a box, and the extremes.
struct Figures {
    min: f64,
    low: f64,
    first: f64,
    median: f64,
    third: f64,
    high: f64,
    max: f64,
}

impl Figures {
    fn of(curve: &Curve) -> Option<Self> {
        let percentile = |percent| curve.quantile(percent, 100).map(|ns| ns as f64 / 1e6);
        Some(Self {
            min: percentile(0)?,
            low: percentile(1)?,
            first: percentile(25)?,
            median: percentile(50)?,
            third: percentile(75)?,
            high: percentile(99)?,
            max: percentile(100)?,
        })
    }
}

/// Boxes of all latencies of all series.
pub fn boxes(series: &[Series]) -> Picture {
    let title = title("Latencies", series);
    let Some(lines) = lines(series) else {
        return nothing("boxes", title);
    };
    let longest = lines
        .iter()
        .map(|line| super::canvas::width(&line.name))
        .fold(0.0, f64::max);
    let left = (longest + 14.0).clamp(70.0, 190.0);
    let (x, x_name) = latency_axis(&lines, left);
    let bottom = 10.0 + ROW * lines.len() as f64;
    let y = Axis::linear(0.0, lines.len() as f64, bottom, 6.0);
    let mut canvas = Canvas::default();
    frame(&mut canvas, &x, &y, x_name, None);
    for (row, line) in lines.iter().enumerate() {
        let middle = 8.0 + ROW * (row as f64 + 0.5);
        let name = shortened(&line.name, ((left - 10.0) / 5.6) as usize);
        canvas.text("", (left - 6.0, middle + 4.0), Anchor::End, &name);
        if let Some(figures) = Figures::of(line.curve) {
            draw(&mut canvas, line, &figures, &x, middle);
        }
    }
    canvas.notes(&[KEY.to_owned()], 10.0, RIGHT);
    let told: Vec<String> = lines.iter().map(described).collect();
    let description = format!("Box plots. {KEY} {}", told.join(" "));
    Picture::new("boxes", title, description, canvas)
}

fn described(line: &Line) -> String {
    let ms = |percent| {
        line.curve
            .quantile(percent, 100)
            .map_or(String::new(), milliseconds)
    };
    let figures = [0, 1, 25, 50, 75, 99, 100].map(ms);
    format!("{}: {} ms.", line.name, figures.join(", "))
}

fn draw(canvas: &mut Canvas, line: &Line, figures: &Figures, x: &Axis, middle: f64) {
    let at = |ms: f64| x.at(ms);
    let class = |part: &str| format!("{} {part}", line.class);
    let whisker = class("whisker");
    canvas.line(
        &whisker,
        (at(figures.low), middle),
        (at(figures.first), middle),
    );
    canvas.line(
        &whisker,
        (at(figures.third), middle),
        (at(figures.high), middle),
    );
    for end in [figures.low, figures.high] {
        canvas.line(&whisker, (at(end), middle - 4.0), (at(end), middle + 4.0));
    }
    let (left, right) = (at(figures.first), at(figures.third));
    canvas.path(
        &class("box"),
        &format!(
            "M{} {}H{}V{}H{}z",
            At(left),
            At(middle - HALF),
            At(right.max(left + 0.8)),
            At(middle + HALF),
            At(left)
        ),
    );
    let median = at(figures.median);
    canvas.line("median", (median, middle - HALF), (median, middle + HALF));
    for extreme in [figures.min, figures.max] {
        canvas.path(
            "extreme",
            &format!(
                "M{} {}a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0z",
                At(at(extreme) - 2.2),
                At(middle)
            ),
        );
    }
}
