//! Two clocks made one: the offset and the drift between them, from the lower
//! envelopes of the delays in both directions.
//!
//! A delay measured across two clocks is the path's delay plus the clocks'
//! difference; forwards the difference adds, backwards it subtracts. The path's
//! smallest delay does not change, so the difference is the straight line that
//! hugs both clouds of delays from below: the drift is the slope that brings
//! both lower convex hulls closest to their clouds (after Moon, Skelly and
//! Towsley, INFOCOM 1999, section IV, for both directions at once). The offset
//! follows from taking the two smallest delays as equal, as NTP does: only half
//! their true difference remains in absolute latencies, and nothing of it in
//! latencies above the lowest.
//!
//! Steps have been taken out before ([`crate::stepping`]).
// SPDX-License-Identifier: Apache-2.0

use crate::error::{AnalyzeError, Direction};

/// From the receiver's clock to the sender's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClockRelation {
    /// The receiver's clock is ahead by this at `reference_ns`.
    pub offset_ns: f64,
    /// It gains this share.
    pub drift: f64,
    /// On the receiver's clock.
    pub reference_ns: i64,
}

impl ClockRelation {
    /// Whether both tell the same time.
    #[allow(clippy::float_cmp, reason = "nothing was fitted")]
    fn is_none(&self) -> bool {
        self.offset_ns == 0.0 && self.drift == 0.0
    }

    /// The sender's clock at the moment when the receiver's says `at_ns`.
    pub fn on_senders_clock(&self, at_ns: i64) -> i64 {
        if self.is_none() {
            return at_ns;
        }
        let elapsed = (at_ns - self.reference_ns) as f64;
        at_ns - (self.offset_ns + self.drift * elapsed).round() as i64
    }
}

/// A packet seen at both ends, each by its own clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub senders_clock_ns: i64,
    pub receivers_clock_ns: i64,
    /// In the sender's capture and in the receiver's.
    pub frames: [u32; 2],
}

/// Fits the relation to packets that crossed the path either way.
pub(crate) fn fit(
    forward: &[Crossing],
    backward: &[Crossing],
) -> Result<ClockRelation, AnalyzeError> {
    for (direction, crossings) in [
        (Direction::Forward, forward),
        (Direction::Backward, backward),
    ] {
        if crossings.is_empty() {
            return Err(AnalyzeError::ClockUnobservable { direction });
        }
    }
    let reference_ns = forward[0].receivers_clock_ns;
    let reference_difference = reference_ns - forward[0].senders_clock_ns;
    // (elapsed on the receiver's clock, difference as far as it is a delay)
    let points = |crossings: &[Crossing], sign: i64| -> Vec<(i64, i64)> {
        let point = |crossing: &Crossing| {
            let difference = crossing.receivers_clock_ns - crossing.senders_clock_ns;
            (
                crossing.receivers_clock_ns - reference_ns,
                sign * (difference - reference_difference),
            )
        };
        crossings.iter().map(point).collect()
    };
    let forward = Cloud::new(points(forward, 1));
    let backward = Cloud::new(points(backward, -1));
    let drift = common_slope(&[&forward], &[&backward]);
    let above = (forward.lowest_at(drift) - backward.lowest_at(-drift)) / 2.0;
    Ok(ClockRelation {
        offset_ns: reference_difference as f64 + above,
        drift,
        reference_ns,
    })
}

/// Delays of one direction: their lower convex hull and their mean.
pub(crate) struct Cloud {
    hull: Vec<(i64, i64)>,
    mean_at: f64,
    mean_delay: f64,
}

impl Cloud {
    /// Of instants and delays, at least one.
    pub(crate) fn new(mut points: Vec<(i64, i64)>) -> Self {
        let mean = |values: &dyn Fn(&(i64, i64)) -> i64| {
            points.iter().map(|point| values(point) as f64).sum::<f64>() / points.len() as f64
        };
        let (mean_at, mean_delay) = (mean(&|point| point.0), mean(&|point| point.1));
        points.sort_unstable();
        let mut hull: Vec<(i64, i64)> = Vec::new();
        for point in points {
            while let [.., before, last] = hull[..] {
                let cross = i128::from(last.0 - before.0) * i128::from(point.1 - before.1)
                    - i128::from(last.1 - before.1) * i128::from(point.0 - before.0);
                if cross > 0 {
                    break;
                }
                hull.pop();
            }
            // At one instant only the lowest counts.
            if hull.last().is_none_or(|last| last.0 < point.0) {
                hull.push(point);
            }
        }
        Self {
            hull,
            mean_at,
            mean_delay,
        }
    }

    fn slopes(&self) -> impl Iterator<Item = f64> + '_ {
        self.hull
            .windows(2)
            .map(|pair| (pair[1].1 - pair[0].1) as f64 / (pair[1].0 - pair[0].0) as f64)
    }

    /// Height at elapsed 0 of the highest line of this slope below all points.
    pub(crate) fn lowest_at(&self, slope: f64) -> f64 {
        let heights = self
            .hull
            .iter()
            .map(|(at, delay)| *delay as f64 - slope * *at as f64);
        heights.fold(f64::INFINITY, f64::min)
    }

    /// Mean distance of the cloud from that line.
    fn distance(&self, slope: f64) -> f64 {
        self.mean_delay - slope * self.mean_at - self.lowest_at(slope)
    }
}

/// The slope that brings all lines closest to their clouds, backward ones falling as
/// forward ones rise. The distance is convex in it and bends only at slopes of hull
/// edges, so the best is one.
pub(crate) fn common_slope(forward: &[&Cloud], backward: &[&Cloud]) -> f64 {
    let distance = |slope: f64| {
        let forward = forward.iter().map(|cloud| cloud.distance(slope));
        let backward = backward.iter().map(|cloud| cloud.distance(-slope));
        forward.sum::<f64>() + backward.sum::<f64>()
    };
    let forward_slopes = forward.iter().flat_map(|cloud| cloud.slopes());
    let backward_slopes = backward.iter().flat_map(|cloud| cloud.slopes());
    let mut slopes: Vec<f64> = forward_slopes
        .chain(backward_slopes.map(|slope| -slope))
        .collect();
    slopes.sort_by(f64::total_cmp);
    let (mut low, mut high) = (0, slopes.len());
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if distance(slopes[middle - 1]) > distance(slopes[middle]) {
            low = middle;
        } else {
            high = middle;
        }
    }
    slopes.get(low).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::{Crossing, fit};

    /// 100 packets each way, 1 s apart, over 65 ms; the receiver's clock gains
    /// 40 ppm. Forwards only the one in the middle meets an empty path, so that
    /// the forward cloud alone says nothing of the drift: the way back does.
    #[test]
    fn one_direction_helps_out_the_other() {
        let receivers_clock = |true_ns: i64| true_ns + 5_000_000 + true_ns * 40 / 1_000_000;
        let queue_ns = |n: i64| {
            if n == 50 {
                0
            } else {
                10_000_000 + n * 7_919 % 23 * 1_000_000
            }
        };
        let forward = (0..100).map(|n| {
            let sent_ns = n * 1_000_000_000;
            let arrived_ns = sent_ns + 65_000_000 + queue_ns(n);
            Crossing {
                senders_clock_ns: sent_ns,
                receivers_clock_ns: receivers_clock(arrived_ns),
                frames: [0; 2],
            }
        });
        let backward = (0..100).map(|n| {
            let sent_ns = n * 1_000_000_000 + 500_000_000;
            let arrived_ns = sent_ns + 65_000_000;
            Crossing {
                senders_clock_ns: arrived_ns,
                receivers_clock_ns: receivers_clock(sent_ns),
                frames: [0; 2],
            }
        });
        let (forward, backward): (Vec<_>, Vec<_>) = (forward.collect(), backward.collect());
        let relation = fit(&forward, &backward).expect("packets both ways");
        for true_ns in [0, 30_000_000_000, 99_000_000_000] {
            let told = relation.on_senders_clock(receivers_clock(true_ns));
            assert!(
                told.abs_diff(true_ns) <= 2,
                "{told} against {true_ns}: {relation:?}"
            );
        }
    }
}
