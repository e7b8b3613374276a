//! Where one of two clocks was set, and by how much.
//!
//! Measured across two clocks, a step shifts all delays of one direction upwards and
//! all of the other downwards, by as much and from one packet of one capture on.
//! Another route shifts one direction, or both the same way; queues make delays longer,
//! never shorter than the path's. So the lower envelopes on both sides of a place tell:
//! those of a few packets where to look, and those of many, with what drift explains
//! taken off, what it is. How far the lowest of these are apart says how much chance has
//! to do with it.
// SPDX-License-Identifier: Apache-2.0

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;

use crate::clock::{Cloud, Crossing, common_slope};
use crate::error::Direction;
use crate::step::{ClockStep, SetClock, Unclear};

/// Packets each way, on either side of a place, that say whether to look closer.
const NEAR: usize = 16;
/// And then.
const FAR: usize = 512;
/// Fewer say nothing of a path's lowest delay.
const FEWEST: usize = 4;
/// A clock that is less off is slewed, not set.
const SMALLEST_NS: i64 = 1_000_000;
/// So many times what nine of ten places show by chance.
const ABOVE_CHANCE: i64 = 8;
/// As much as Linux makes up for.
const MOST_DRIFT: f64 = 500e-6;
/// What is no step leaves as much open as it says.
const SURE: f64 = 4.0;

/// What was found between two clocks.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub steps: Vec<ClockStep>,
    pub unclear: Vec<Unclear>,
}

/// A crossing, with its delay as measured.
#[derive(Clone, Copy, Debug)]
struct Measured {
    direction: Direction,
    delay_ns: i64,
    /// The sender's and the receiver's.
    stamps_ns: [i64; 2],
    frames: [u32; 2],
}

/// Delays in the order of one capture.
struct InOrder {
    all: Vec<Measured>,
    ways: [OneWay; 2],
}

/// Those of one direction.
struct OneWay {
    /// Among all.
    places: Vec<usize>,
    delays_ns: Vec<i64>,
    /// The lowest of each and the ones just before it.
    until_ns: Vec<i64>,
    /// Of each and the next ones.
    from_ns: Vec<i64>,
}

/// A place where a clock may have been set: before one of all delays.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    at: usize,
    /// By direction, the lowest delays before and after.
    levels_ns: [[i64; 2]; 2],
}

/// Whose clock was set, before which of its capture's frames.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// 0: the sender's, 1: the receiver's.
    capture: usize,
    is_certain: bool,
    /// The other clock's best place does not just mean a little more time in queues.
    is_proved: bool,
    frame: u32,
    at_ns: i64,
}

/// What speaks against a place: delays below the path's lowest, time in queues.
type Cost = (usize, i64);

/// Finds the steps. `slack_ns` is the rounding of a delay.
pub(crate) fn find(forward: &[Crossing], backward: &[Crossing], slack_ns: i64) -> Found {
    let forward = forward
        .iter()
        .map(|it| Measured::of(Direction::Forward, it));
    let backward = backward
        .iter()
        .map(|it| Measured::of(Direction::Backward, it));
    let all: Vec<Measured> = forward.chain(backward).collect();
    let receivers = InOrder::of(all.clone(), 1);
    let mut steps = receivers.steps(slack_ns);
    steps.extend(InOrder::of(all, 0).steps(slack_ns));
    // A slow stream shows a step in both orders, a fast one clearly only in that of the
    // clock that was set.
    steps.sort_by_key(|(at, step)| (receivers.nearest(*at), step.uncertainty_ns));
    let is_near = |next: &mut (Measured, ClockStep), last: &mut (Measured, ClockStep)| {
        let places = [receivers.nearest(next.0), receivers.nearest(last.0)];
        if places[0] - places[1] > 4 * NEAR {
            return false;
        }
        if next.1.uncertainty_ns < last.1.uncertainty_ns {
            *last = *next;
        }
        true
    };
    steps.dedup_by(is_near);
    Found {
        steps: steps.into_iter().map(|(_, step)| step).collect(),
        unclear: receivers.unclear(),
    }
}

impl Measured {
    fn of(direction: Direction, crossing: &Crossing) -> Self {
        let ahead_ns = crossing.receivers_clock_ns - crossing.senders_clock_ns;
        Self {
            direction,
            delay_ns: match direction {
                Direction::Forward => ahead_ns,
                Direction::Backward => -ahead_ns,
            },
            stamps_ns: [crossing.senders_clock_ns, crossing.receivers_clock_ns],
            frames: crossing.frames,
        }
    }
}

impl OneWay {
    fn of(direction: Direction, all: &[Measured]) -> Self {
        let places = 0..all.len();
        let places: Vec<usize> = places
            .filter(|at| all[*at].direction == direction)
            .collect();
        let delays_ns: Vec<i64> = places.iter().map(|at| all[*at].delay_ns).collect();
        let mut from_ns = lowest_of_last(delays_ns.iter().rev());
        from_ns.reverse();
        Self {
            places,
            until_ns: lowest_of_last(delays_ns.iter()),
            from_ns,
            delays_ns,
        }
    }

    /// The lowest delays just before and after the first `passed`.
    fn levels_ns(&self, passed: usize) -> Option<[i64; 2]> {
        let is_enough = passed >= FEWEST && self.places.len() - passed >= FEWEST;
        is_enough.then(|| [self.until_ns[passed - 1], self.from_ns[passed]])
    }

    /// From `count` delays before a place to as many behind it.
    fn around(&self, at: usize, count: usize) -> Option<Range<usize>> {
        let passed = self.places.partition_point(|place| *place < at);
        let last = (passed + count).min(self.places.len()).checked_sub(1)?;
        Some(self.places[passed.saturating_sub(count).min(last)]..self.places[last] + 1)
    }

    /// What is more than the lowest delays change by chance.
    fn threshold_ns(&self) -> i64 {
        let all = 0..self.places.len();
        let levels_ns = all.filter_map(|passed| self.levels_ns(passed));
        threshold_ns(
            levels_ns
                .map(|[before, after]| (after - before).abs())
                .collect(),
        )
    }

    /// The largest lasting change of the lowest delay at one of some places, and behind
    /// how many delays, if it is more than chance.
    fn lasting_change(&self, range: Range<usize>) -> Option<(usize, i64)> {
        let delays_ns = self.delays_ns[range.clone()].iter();
        let (before, after) = if range.start == 0 {
            (
                lowest_so_far(delays_ns),
                self.from_ns[range.clone()].to_vec(),
            )
        } else {
            let mut after = lowest_so_far(delays_ns.rev());
            after.reverse();
            (self.until_ns[range.clone()].to_vec(), after)
        };
        let changes = (FEWEST..range.len().saturating_sub(FEWEST))
            .map(|at| (range.start + at, after[at] - before[at - 1]));
        // Lowest delays around it show a rise only from its place on, a fall only up to it.
        let largest = changes.max_by_key(|(at, by_ns)| {
            let at = *at as i64;
            (by_ns.abs(), if *by_ns > 0 { -at } else { at })
        })?;
        (largest.1.abs() >= self.threshold_ns()).then_some(largest)
    }
}

impl InOrder {
    fn of(mut all: Vec<Measured>, capture: usize) -> Self {
        all.sort_by_key(|delay| delay.frames[capture]);
        let ways = [Direction::Forward, Direction::Backward];
        Self {
            ways: ways.map(|direction| OneWay::of(direction, &all)),
            all,
        }
    }

    /// Of the receiver's order: where a delay of the other order is in this one.
    fn nearest(&self, delay: Measured) -> usize {
        let frame = delay.frames[1];
        self.all.partition_point(|other| other.frames[1] < frame)
    }

    /// Each with the first delay after it.
    fn steps(&self, slack_ns: i64) -> Vec<(Measured, ClockStep)> {
        let candidates = self.candidates();
        let places = candidates.iter().map(|candidate| candidate.at);
        let ends: Vec<usize> = std::iter::once(0)
            .chain(places)
            .chain(std::iter::once(self.all.len()))
            .collect();
        let found = candidates.iter().zip(ends.windows(3));
        let found = found.filter_map(|(candidate, ends)| {
            let part = ends[0]..ends[2];
            let place = candidate.place(&self.all[self.around(candidate.at, NEAR, &part)]);
            let far = &self.all[self.around(candidate.at, FAR, &part)];
            let step = place.step(far, slack_ns)?;
            Some((self.all[candidate.at], step))
        });
        found.collect()
    }

    /// Where both directions' lowest delays change against each other.
    fn candidates(&self) -> Vec<Candidate> {
        let mut agreed_ns = Vec::new();
        let mut passed = [0; 2];
        let mut candidates = Vec::new();
        for (at, delay) in self.all.iter().enumerate() {
            let [forward, backward] = &self.ways;
            let levels_ns = forward
                .levels_ns(passed[0])
                .zip(backward.levels_ns(passed[1]));
            if let Some((forward, backward)) = levels_ns {
                let levels_ns = [forward, backward];
                let candidate = Candidate { at, levels_ns };
                agreed_ns.push(candidate.agreed_ns());
                if candidate.agreed_ns() >= SMALLEST_NS {
                    candidates.push(candidate);
                }
            }
            passed[delay.direction as usize] += 1;
        }
        if candidates.is_empty() {
            return candidates;
        }
        let threshold_ns = threshold_ns(agreed_ns);
        candidates.retain(|candidate| candidate.agreed_ns() >= threshold_ns);
        let nearby = candidates.chunk_by(|one, next| next.at - one.at < NEAR);
        nearby
            .filter_map(|near| near.iter().copied().max_by_key(Candidate::agreed_ns))
            .collect()
    }

    /// Up to `count` delays each way on either side of a place, of a part of all.
    fn around(&self, at: usize, count: usize, part: &Range<usize>) -> Range<usize> {
        let ways = self.ways.iter().filter_map(|way| way.around(at, count));
        let whole = ways.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end));
        let whole = whole.unwrap_or(at..at + 1);
        whole.start.max(part.start)..whole.end.min(part.end)
    }

    /// Changes where packets went one way only: at the beginning and at the end.
    fn unclear(&self) -> Vec<Unclear> {
        let mut unclear = Vec::new();
        for direction in [Direction::Forward, Direction::Backward] {
            let way = &self.ways[direction as usize];
            let other = &self.ways[1 - direction as usize].places;
            let (Some(first), Some(last)) = (other.first(), other.last()) else {
                continue;
            };
            let head = way.places.partition_point(|at| at < first);
            let tail = way.places.partition_point(|at| at < last);
            for alone in [0..head, tail..way.places.len()] {
                if let Some((at, by_ns)) = way.lasting_change(alone) {
                    unclear.push(Unclear {
                        direction,
                        receiver_frame: self.all[way.places[at]].frames[1],
                        by_ns,
                    });
                }
            }
        }
        unclear
    }
}

impl Candidate {
    /// What both directions agree on; 0 if nothing.
    fn agreed_ns(&self) -> i64 {
        let [forward, backward] = self.levels_ns.map(|[before, after]| after - before);
        if (forward < 0) == (backward < 0) {
            return 0;
        }
        forward.abs().min(backward.abs())
    }

    /// Whose step it is, and where, by the delays around it: of all places in both
    /// captures, the one that costs least.
    fn place(&self, around: &[Measured]) -> Place {
        let mut around = around.to_vec();
        let mut best = |capture: usize| {
            around.sort_by_key(|delay| delay.frames[capture]);
            let (cost, at) = self.cheapest_cut(&around);
            let (first, last) = (around[at], around[at - 1]);
            let place = Place {
                capture,
                is_certain: true,
                is_proved: true,
                frame: first.frames[capture],
                at_ns: first.stamps_ns[capture],
            };
            // Only a clock that is set runs backwards.
            (cost, place.at_ns >= last.stamps_ns[capture], place)
        };
        let (sender, receiver) = (best(0), best(1));
        let ordering = (receiver.0, receiver.1).cmp(&(sender.0, sender.1));
        let place = match ordering {
            Ordering::Greater => sender.2,
            Ordering::Less | Ordering::Equal => receiver.2,
        };
        Place {
            is_certain: ordering.is_ne(),
            is_proved: receiver.0.0 != sender.0.0
                || receiver.1 != sender.1
                || receiver.0.1.max(sender.0.1) > 2 * receiver.0.1.min(sender.0.1),
            ..place
        }
    }

    /// Before which delay the step costs least.
    fn cheapest_cut(&self, delays: &[Measured]) -> (Cost, usize) {
        let cost = |delay: &Measured, side: usize| -> Cost {
            let above_ns = delay.delay_ns - self.levels_ns[delay.direction as usize][side];
            let is_impossible = above_ns < -self.agreed_ns() / 4;
            (usize::from(is_impossible), above_ns.abs())
        };
        let mut all = delays.iter().fold((0, 0), |sum: Cost, delay| {
            let (impossible, above_ns) = cost(delay, 1);
            (sum.0 + impossible, sum.1 + above_ns)
        });
        let mut best = (all, 1);
        for (at, delay) in delays.iter().enumerate() {
            if at > 0 && (at == 1 || all < best.0) {
                best = (all, at);
            }
            let (before, after) = (cost(delay, 0), cost(delay, 1));
            all = (all.0 + before.0 - after.0, all.1 + before.1 - after.1);
        }
        best
    }
}

impl Place {
    /// The step, if delays on both sides show that it is one.
    fn step(self, delays: &[Measured], slack_ns: i64) -> Option<ClockStep> {
        // The other clock runs on.
        let steady = 1 - self.capture;
        let mut sides: [[Vec<(i64, i64)>; 2]; 2] = Default::default();
        let reference = delays.first()?;
        for delay in delays {
            let side = usize::from(delay.frames[self.capture] >= self.frame);
            let elapsed_ns = delay.stamps_ns[steady] - reference.stamps_ns[steady];
            sides[side][delay.direction as usize].push((elapsed_ns, delay.delay_ns));
        }
        if sides.iter().flatten().any(|points| points.len() < FEWEST) {
            return None;
        }
        let [before, after] = sides.clone().map(|side| side.map(Cloud::new));
        let slope = common_slope(&[&before[0], &after[0]], &[&before[1], &after[1]])
            .clamp(-MOST_DRIFT, MOST_DRIFT);
        let forward_ns = after[0].lowest_at(slope) - before[0].lowest_at(slope);
        let backward_ns = after[1].lowest_at(-slope) - before[1].lowest_at(-slope);
        let slopes = [slope, -slope];
        let chance_ns = |side: &[Vec<(i64, i64)>; 2]| {
            let ways = side.iter().zip(slopes);
            ways.map(|(points, slope)| spacing_ns(points, slope))
                .sum::<f64>()
        };
        let chance_ns: f64 = sides.iter().map(chance_ns).sum();
        let ahead_ns = (forward_ns - backward_ns) / 2.0;
        // If it was the other clock, the time that passed on that one holds the step, too.
        let drifted_ns = if self.is_proved {
            0.0
        } else {
            (slope * ahead_ns).abs()
        };
        let open_ns = f64::midpoint((forward_ns + backward_ns).abs(), chance_ns) + drifted_ns;
        if ahead_ns.abs() < SURE * open_ns || ahead_ns.abs() < SMALLEST_NS as f64 {
            return None;
        }
        let ahead_ns = ahead_ns.round() as i64;
        let is_receivers = self.capture == 1;
        Some(ClockStep {
            clock: match (self.is_certain, is_receivers) {
                (false, _) => SetClock::Either,
                (true, true) => SetClock::Receiver,
                (true, false) => SetClock::Sender,
            },
            sender_frame: (!is_receivers).then_some(self.frame),
            receiver_frame: is_receivers.then_some(self.frame),
            at_ns: self.at_ns,
            by_ns: if is_receivers { ahead_ns } else { -ahead_ns },
            uncertainty_ns: Some(open_ns.round() as u64 + slack_ns.unsigned_abs()),
        })
    }
}

/// How far the lowest delays are apart, and with that, how far the lowest one may be from
/// the path's: where queues are never empty, that is chance.
fn spacing_ns(points: &[(i64, i64)], slope: f64) -> f64 {
    let heights = points
        .iter()
        .map(|(at, delay)| *delay as f64 - slope * *at as f64);
    let mut heights: Vec<f64> = heights.collect();
    let (lowest, last, _) = heights.select_nth_unstable_by(FEWEST - 1, f64::total_cmp);
    let first = lowest.iter().copied().fold(*last, f64::min);
    (*last - first) / (FEWEST - 1) as f64
}

/// What nine of ten places do not nearly reach.
fn threshold_ns(mut changes_ns: Vec<i64>) -> i64 {
    // A step itself takes up a few places.
    if changes_ns.len() < 4 * NEAR {
        return SMALLEST_NS;
    }
    let common = changes_ns.len() * 9 / 10;
    let common_ns = *changes_ns.select_nth_unstable(common).1;
    SMALLEST_NS.max(common_ns.saturating_mul(ABOVE_CHANCE))
}

/// Of each delay and all before it, the lowest.
fn lowest_so_far<'a>(delays_ns: impl Iterator<Item = &'a i64>) -> Vec<i64> {
    let mut lowest_ns = i64::MAX;
    delays_ns
        .map(|delay_ns| {
            lowest_ns = lowest_ns.min(*delay_ns);
            lowest_ns
        })
        .collect()
}

/// Of each delay and the ones just before it, the lowest.
fn lowest_of_last<'a>(delays_ns: impl Iterator<Item = &'a i64>) -> Vec<i64> {
    let mut rising: VecDeque<(usize, i64)> = VecDeque::new();
    let lowest = |(at, delay_ns): (usize, &i64)| {
        while rising
            .pop_back_if(|(_, last_ns)| *last_ns >= *delay_ns)
            .is_some()
        {}
        rising.push_back((at, *delay_ns));
        while rising
            .pop_front_if(|(first, _)| *first + NEAR <= at)
            .is_some()
        {}
        rising[0].1
    };
    delays_ns.enumerate().map(lowest).collect()
}
