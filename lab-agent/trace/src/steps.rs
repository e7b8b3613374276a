//! A clock that was set while it stamped: steps of one clock against the other, found
//! where the delays of both directions jump by as much, one up and one down.
//!
//! A queue that fills delays one direction, or both the same way. Only a clock makes
//! one direction slower and the other faster at once.
// SPDX-License-Identifier: Apache-2.0

use std::fmt;

use crate::capture::Capture;
use crate::clock::{self, Crossing};
use crate::error::AnalyzeError;
use crate::flow::{self, EndView, Flow, Role};
use crate::whole;

/// Packets of each direction that are compared, before and after.
const WINDOW: usize = 24;
/// With fewer nothing is said.
const FEWEST: usize = 8;
/// Smaller steps are drift, or queues.
const SMALLEST_NS: i64 = 1_000_000;
/// So much of a step may the two directions differ by.
const TOLERANCE_SHARE: f64 = 0.1;

/// A step of the receiver's clock against the sender's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockStep {
    /// The first stamp after it, by the receiver's clock as it was.
    pub at_ns: i64,
    /// By how much it was set forward; back when negative.
    pub by_ns: i64,
}

impl fmt::Display for ClockStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at_ns, by_ns } = self;
        let seconds = *by_ns as f64 / 1e9;
        write!(
            f,
            "the receiver's clock was set by {seconds:+.6} s at {at_ns} ns since 1970 (or the sender's, the \
             other way): removed"
        )
    }
}

/// A packet seen at both ends, in the order of the receiver's capture.
#[derive(Clone, Copy)]
struct Met {
    /// In the receiver's capture.
    at: usize,
    is_forward: bool,
    crossing: Crossing,
}

/// The receiver's capture as a clock that was never set would have stamped it, and the
/// steps of the one that was. The capture must be in the order of its file
/// ([`crate::Reading::keeps_order`]).
///
/// # Errors
/// [`AnalyzeError`], when the captures hold several flows, or not the one asked for.
pub fn without_steps(
    sender: &Capture,
    mut receiver: Capture,
    flow: Option<Flow>,
) -> Result<(Capture, Vec<ClockStep>), AnalyzeError> {
    let flow = flow::choose(sender, &receiver, flow)?;
    let mets = mets(sender, &receiver, &flow);
    let bounds = bounds(&mets);
    let steps_ns = sizes(&mets, &bounds);
    let mut steps = Vec::new();
    for (bound, by_ns) in bounds.iter().zip(steps_ns) {
        let at = mets[*bound].at;
        steps.push(ClockStep {
            at_ns: receiver.packets[at].at_ns,
            by_ns,
        });
        for packet in &mut receiver.packets[at..] {
            packet.at_ns -= by_ns;
        }
    }
    Ok((receiver, steps))
}

fn mets(sender: &Capture, receiver: &Capture, flow: &Flow) -> Vec<Met> {
    let (here, there) = (EndView::new(sender, flow), EndView::new(receiver, flow));
    let roles = receiver
        .connections
        .iter()
        .map(|connection| Role::of(connection, flow).filter(|role| role.exact));
    let roles: Vec<Option<Role>> = roles.collect();
    let mut places: [Vec<usize>; 2] = Default::default();
    for (at, packet) in receiver.packets.iter().enumerate() {
        if let Some(role) = roles[packet.connection as usize] {
            places[usize::from(!role.is_forward(packet))].push(at);
        }
    }
    let forward = whole::pair(&here.forward, &there.forward);
    let backward = whole::pair(&there.backward, &here.backward);
    let met = |at: usize, is_forward, senders_clock_ns| Met {
        at,
        is_forward,
        crossing: Crossing {
            senders_clock_ns,
            receivers_clock_ns: receiver.packets[at].at_ns,
        },
    };
    let forward = forward
        .pairs()
        .map(|(departure, arrival)| met(places[0][arrival], true, here.forward[departure].at_ns));
    let backward = backward
        .pairs()
        .map(|(departure, arrival)| met(places[1][departure], false, here.backward[arrival].at_ns));
    let mut mets: Vec<Met> = forward.chain(backward).collect();
    mets.sort_by_key(|met| met.at);
    mets
}

impl Met {
    /// The receiver's clock ahead of the sender's, as this packet shows it.
    fn ahead_ns(&self) -> i64 {
        self.crossing.receivers_clock_ns - self.crossing.senders_clock_ns
    }
}

/// The bounds that the two directions' packets set to the clocks' difference: no more
/// than any forward shows, no less than any backward.
#[derive(Clone, Copy)]
struct Between {
    most: [(i64, i64, i64); 2],
}

impl Between {
    /// Of each direction the least delay, the sum of all, and how many.
    fn of<'a>(mets: impl Iterator<Item = &'a Met>) -> Self {
        let mut most = [(i64::MAX, 0_i64, 0_i64); 2];
        let mut taken = [0; 2];
        for met in mets {
            let way = usize::from(!met.is_forward);
            if taken[way] == WINDOW {
                continue;
            }
            taken[way] += 1;
            let delay_ns = if met.is_forward {
                met.ahead_ns()
            } else {
                -met.ahead_ns()
            };
            let (least, sum, count) = most[way];
            most[way] = (least.min(delay_ns), sum.saturating_add(delay_ns), count + 1);
        }
        Self { most }
    }

    fn is_enough(&self) -> bool {
        self.most
            .iter()
            .all(|(_, _, count)| *count >= FEWEST as i64)
    }

    /// How far all lie above the least of their direction.
    fn above_least_ns(&self) -> i128 {
        let above = self.most.iter().filter(|(_, _, count)| *count > 0);
        above
            .map(|(least, sum, count)| i128::from(*sum) - i128::from(*least) * i128::from(*count))
            .sum()
    }
}

/// Where steps are: at these places of the list the next piece begins.
fn bounds(mets: &[Met]) -> Vec<usize> {
    let mut bounds = Vec::new();
    let mut begin = 0;
    let mut best: Option<(i128, usize)> = None;
    for at in 1..mets.len() {
        let around = |at: usize| {
            let reach = 4 * WINDOW;
            let before = Between::of(mets[begin.max(at.saturating_sub(reach))..at].iter().rev());
            let after = Between::of(mets[at..mets.len().min(at + reach)].iter());
            (before, after)
        };
        let (before, after) = around(at);
        if is_step(&before, &after) {
            let cost = before.above_least_ns() + after.above_least_ns();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
        } else if let Some((_, bound)) = best.take() {
            bounds.push(bound);
            begin = bound;
        }
    }
    bounds.extend(best.map(|(_, bound)| bound));
    bounds
}

fn is_step(before: &Between, after: &Between) -> bool {
    if !before.is_enough() || !after.is_enough() {
        return false;
    }
    let forward_ns = after.most[0].0 - before.most[0].0;
    let backward_ns = before.most[1].0 - after.most[1].0;
    let smaller = forward_ns.abs().min(backward_ns.abs());
    let apart = forward_ns.abs_diff(backward_ns) as f64;
    smaller >= SMALLEST_NS && apart <= TOLERANCE_SHARE * smaller as f64
}

/// How large each step is: by the least delays of whole pieces, drift removed.
fn sizes(mets: &[Met], bounds: &[usize]) -> Vec<i64> {
    if bounds.is_empty() {
        return Vec::new();
    }
    // A piece by itself has the same drift; all together know it better, once the steps
    // between them are known.
    let longest = pieces(mets, bounds).max_by_key(|piece| piece.len());
    let mut drift = longest.map_or(0.0, |piece| self::drift(piece.iter().map(|met| (met, 0))));
    let mut steps_ns = vec![0; bounds.len()];
    for _ in 0..2 {
        let offsets: Vec<f64> = pieces(mets, bounds)
            .map(|piece| offset_ns(piece, mets[0].crossing.senders_clock_ns, drift))
            .collect();
        for (step_ns, offsets) in steps_ns.iter_mut().zip(offsets.windows(2)) {
            *step_ns = (offsets[1] - offsets[0]).round() as i64;
        }
        let mut stepped_ns = 0;
        let stepless = pieces(mets, bounds)
            .enumerate()
            .flat_map(|(number, piece)| {
                stepped_ns += number.checked_sub(1).map_or(0, |before| steps_ns[before]);
                let stepped_ns = stepped_ns;
                piece.iter().map(move |met| (met, stepped_ns))
            });
        drift = self::drift(stepless);
    }
    steps_ns
}

/// The share that the receiver's clock gains, its steps taken back; 0 when packets of
/// one direction are missing.
fn drift<'a>(mets: impl Iterator<Item = (&'a Met, i64)>) -> f64 {
    let mut ways: [Vec<Crossing>; 2] = Default::default();
    for (met, stepped_ns) in mets {
        let mut crossing = met.crossing;
        crossing.receivers_clock_ns -= stepped_ns;
        ways[usize::from(!met.is_forward)].push(crossing);
    }
    clock::fit(&ways[0], &ways[1]).map_or(0.0, |relation| relation.drift)
}

fn pieces<'a>(mets: &'a [Met], bounds: &'a [usize]) -> impl Iterator<Item = &'a [Met]> {
    let begins = std::iter::once(0).chain(bounds.iter().copied());
    let ends = bounds.iter().copied().chain(std::iter::once(mets.len()));
    begins.zip(ends).map(|(begin, end)| &mets[begin..end])
}

/// The clocks' difference in one piece, if the least delays are equal both ways.
fn offset_ns(piece: &[Met], since_ns: i64, drift: f64) -> f64 {
    let least = |forward: bool| {
        let of_way = piece.iter().filter(|met| met.is_forward == forward);
        let delays = of_way.map(|met| {
            let elapsed = (met.crossing.senders_clock_ns - since_ns) as f64;
            let ahead = met.ahead_ns() as f64 - drift * elapsed;
            if forward { ahead } else { -ahead }
        });
        delays.fold(f64::INFINITY, f64::min)
    };
    (least(true) - least(false)) / 2.0
}
