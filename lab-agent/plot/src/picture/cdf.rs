//! Latencies as cumulative shares, and the tail on an axis of its own.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::Write as _;

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, shortened};
use super::chart::{LEFT, RIGHT, frame};
use super::legend::{Entry, legend};
use super::{Picture, Series, milliseconds};
use crate::curve::Curve;
use crate::markup::{At, Grouped};

const SHARES_HEIGHT: f64 = 150.0;
const TAIL_HEIGHT: f64 = 150.0;

/// One curve of one series, and how it is drawn.
pub(super) struct Line<'a> {
    pub class: String,
    pub name: String,
    pub curve: &'a Curve,
}

/// All curves that hold anything, several series in several colours; none: nothing arrived.
pub(super) fn lines<'a>(series: &[Series<'a>]) -> Option<Vec<Line<'a>>> {
    let mut lines = Vec::new();
    for (nth, of) in series.iter().enumerate() {
        for (layer, curve) in of.latencies.named() {
            let (class, name) = if series.len() == 1 {
                (layer.to_owned(), layer.to_owned())
            } else {
                let label = shortened(of.label, 24);
                (format!("{layer} s{}", nth % 7), format!("{label}, {layer}"))
            };
            if curve.total() > 0 {
                lines.push(Line { class, name, curve });
            }
        }
    }
    (!lines.is_empty()).then_some(lines)
}

/// From the smallest to the largest latency of all, and what it is called.
pub(super) fn latency_axis(lines: &[Line], left: f64) -> (Axis, &'static str) {
    let ms = |ns: Option<i64>| ns.map(|ns| ns as f64 / 1e6);
    let min = lines.iter().filter_map(|line| ms(line.curve.min_ns()));
    let max = lines.iter().filter_map(|line| ms(line.curve.max_ns()));
    let (min, max) = (
        min.fold(f64::INFINITY, f64::min),
        max.fold(f64::NEG_INFINITY, f64::max),
    );
    let axis = Axis::of_latencies(min, max, left, RIGHT);
    let name = if axis.is_log {
        "latency, ms (logarithmic)"
    } else {
        "latency, ms"
    };
    (axis, name)
}

/// How many of how many samples lie at or below each latency; and how many above,
/// on a logarithmic axis, down to the last one.
pub fn cdf(series: &[Series]) -> Picture {
    let title = title("Latency distribution", series);
    let Some(lines) = lines(series) else {
        return nothing("cdf", title);
    };
    let (x, x_name) = latency_axis(&lines, LEFT);
    let mut canvas = Canvas::default();
    let entries = lines
        .iter()
        .map(|line| Entry::line(line.class.clone(), line.name.clone()));
    legend(&mut canvas, &entries.collect::<Vec<_>>(), LEFT, RIGHT);
    let top = canvas.height + 6.0;
    let shares = Axis::linear(0.0, 1.0, top + SHARES_HEIGHT, top);
    frame(&mut canvas, &x, &shares, x_name, Some("share F"));
    canvas.body.push_str("<g class=\"shares\">\n");
    for line in &lines {
        canvas.path(&line.class, &share_path(line.curve, &x, &shares));
    }
    canvas.body.push_str("</g>\n");

    let top = canvas.height + 8.0;
    let largest = lines
        .iter()
        .map(|line| line.curve.total())
        .max()
        .unwrap_or(1);
    let tail = Axis::log(0.5 / largest as f64, 1.0, top + TAIL_HEIGHT, top);
    frame(&mut canvas, &x, &tail, x_name, Some("tail, 1 − F"));
    canvas.body.push_str("<g class=\"tails\">\n");
    for line in &lines {
        canvas.path(&line.class, &tail_path(line.curve, &x, &tail));
    }
    canvas.body.push_str("</g>\n");
    let samples: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {}", line.name, Grouped(line.curve.total())))
        .collect();
    canvas.notes(&[format!("Samples: {}.", samples.join(", "))], LEFT, RIGHT);
    let told: Vec<String> = lines.iter().map(described).collect();
    Picture::new(
        "cdf",
        title,
        format!("Cumulative distribution and its tail. {}", told.join(" ")),
        canvas,
    )
}

fn described(line: &Line) -> String {
    let ms = |part, whole| {
        line.curve
            .quantile(part, whole)
            .map_or(String::new(), milliseconds)
    };
    format!(
        "{}: median {} ms, 99 % within {} ms, longest {} ms.",
        line.name,
        ms(1, 2),
        ms(99, 100),
        ms(1, 1)
    )
}

pub(super) fn title(what: &str, series: &[Series]) -> String {
    match series {
        [only] => format!("{what}, {}", shortened(only.label, 120)),
        several => format!("{what} of {} streams", several.len()),
    }
}

pub(super) fn nothing(name: &'static str, title: String) -> Picture {
    let mut canvas = Canvas {
        height: 60.0,
        ..Canvas::default()
    };
    let middle = (super::WIDTH / 2.0, 34.0);
    canvas.text(
        "",
        middle,
        Anchor::Middle,
        "Nothing arrived, so there is no latency.",
    );
    Picture::new(
        name,
        title,
        "Nothing arrived, so there is no latency.".to_owned(),
        canvas,
    )
}

/// The steps of a curve of which the first in a cell is kept, and the last of all.
/// What is kept lies on the curve.
fn corners(places: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut last = None;
    for place in places {
        last = Some(place);
        let near = kept.last().is_some_and(|before| {
            (place.0 - before.0).abs() < 0.25 && (place.1 - before.1).abs() < 0.25
        });
        if !near {
            kept.push(place);
        }
    }
    if kept.last().copied() != last {
        kept.extend(last);
    }
    kept
}

/// From nothing at the smallest latency: up at each latency that occurred.
fn share_path(curve: &Curve, x: &Axis, y: &Axis) -> String {
    let total = curve.total() as f64;
    let places = curve.steps().iter().map(|(latency_ns, cumulative)| {
        let ms = *latency_ns as f64 / 1e6;
        (x.at(ms), y.at(*cumulative as f64 / total))
    });
    let mut data = String::new();
    for (nth, (at, share)) in corners(places).into_iter().enumerate() {
        if nth == 0 {
            let _ = write!(data, "M{} {}V{}", At(at), At(y.start), At(share));
        } else {
            let _ = write!(data, "H{}V{}", At(at), At(share));
        }
    }
    // Level from the largest latency on: everything is there.
    let _ = write!(data, "H{}", At(x.end));
    data
}

/// From everything at the smallest latency, down at each, to below the last sample.
fn tail_path(curve: &Curve, x: &Axis, y: &Axis) -> String {
    let total = curve.total();
    let places = curve.steps().iter().map(|(latency_ns, cumulative)| {
        let above = (total - cumulative) as f64 / total as f64;
        let bottom = if *cumulative == total {
            y.start
        } else {
            y.at(above)
        };
        (x.at(*latency_ns as f64 / 1e6), bottom)
    });
    let mut data = format!("M{} {}", At(x.start), At(y.at(1.0)));
    for (at, above) in corners(places) {
        let _ = write!(data, "H{}V{}", At(at), At(above));
    }
    data
}

#[cfg(test)]
mod tests {
    use thinlab_trace::Sample;

    use super::{Axis, Curve, corners, share_path, tail_path};

    /// Half a million latencies, no two alike, one of them far from all others.
    fn many() -> Curve {
        let latencies = (0..500_000_i64).map(|n| 65_000_000 + n * 977 % 500_009 * 400);
        let samples = latencies.chain([900_000_000]).map(|latency_ns| Sample {
            latency_ns,
            weight: 1,
        });
        Curve::of(samples)
    }

    /// The corners of a path of `M x y`, then `H x V y`.
    fn read(path: &str) -> Vec<(f64, f64)> {
        let steps = path.split(['M', 'H']).filter(|step| !step.is_empty());
        let number = |text: &str| text.parse::<f64>().expect("a number");
        steps
            .filter_map(|step| {
                let (x, y) = step.split_once('V')?;
                let x = x.split(' ').next().unwrap_or(x);
                Some((number(x), number(y)))
            })
            .collect()
    }

    #[test]
    fn drawn_points_lie_on_the_true_curve_and_are_few() {
        let curve = many();
        let total = curve.total() as f64;
        let x = Axis::linear(0.0, 1_000.0, 58.0, 408.0);
        let y = Axis::linear(0.0, 1.0, 160.0, 10.0);
        let tail = Axis::log(0.5 / total, 1.0, 160.0, 10.0);
        for (drawn, is_tail) in [
            (read(&share_path(&curve, &x, &y)), false),
            (read(&tail_path(&curve, &x, &tail)), true),
        ] {
            assert!((10..4_000).contains(&drawn.len()), "{}", drawn.len());
            let mut steps = curve.steps().iter();
            for (at, height) in &drawn {
                // In the order of the curve: each point is one of the rest.
                let found = steps.find(|(latency_ns, cumulative)| {
                    let place = x.at(*latency_ns as f64 / 1e6);
                    let share = *cumulative as f64 / total;
                    let true_height = match (is_tail, *cumulative == curve.total()) {
                        (false, _) => y.at(share),
                        (true, true) => tail.start,
                        (true, false) => tail.at(1.0 - share),
                    };
                    (place - at).abs() < 0.006 && (true_height - height).abs() < 0.006
                });
                assert!(found.is_some(), "{at} {height} is not on the curve");
            }
            assert!(steps.next().is_none(), "the largest latency is drawn");
        }
    }

    #[test]
    fn few_points_are_all_kept() {
        let places = [(0.0, 9.0), (1.0, 8.0), (1.1, 7.9), (1.2, 7.8), (1.3, 7.7)];
        let kept = corners(places.into_iter());
        assert_eq!(kept, [(0.0, 9.0), (1.0, 8.0), (1.3, 7.7)]);
    }
}
