//! Packets alike in all that a path leaves alone, told apart by time: of all ways
//! to pair them in order, the one that leaves the fewest arrivals unexplained and
//! then needs the least delay beyond the path's minimum.
// SPDX-License-Identifier: Apache-2.0

/// Larger groups of identical packets are paired greedily.
const LARGEST_EXACT_GROUP: usize = 4_000_000;

/// For each arrival its departure; none for copies. `excess` is a pair's delay
/// beyond the minimum; none when it cannot be one.
pub(crate) fn pair(
    departures: &[usize],
    arrivals: &[usize],
    excess: impl Fn(usize, usize) -> Option<i64>,
) -> Vec<Option<usize>> {
    if departures.len() * arrivals.len() <= LARGEST_EXACT_GROUP {
        cheapest_in_order(departures, arrivals, excess)
    } else {
        first_in_order(departures, arrivals, excess)
    }
}

/// For each arrival its departure, in order, by dynamic programming: an
/// unexplained arrival costs more than any delay, a loss costs nothing.
fn cheapest_in_order(
    departures: &[usize],
    arrivals: &[usize],
    excess: impl Fn(usize, usize) -> Option<i64>,
) -> Vec<Option<usize>> {
    const UNEXPLAINED: i64 = i64::MAX >> 16;
    let columns = departures.len() + 1;
    // best[a * columns + d]: the cost of the first a arrivals and d departures.
    let mut best = vec![0_i64; (arrivals.len() + 1) * columns];
    let pair_cost = |a: usize, d: usize| excess(departures[d], arrivals[a]);
    for a in 1..=arrivals.len() {
        best[a * columns] = best[(a - 1) * columns].saturating_add(UNEXPLAINED);
        for d in 1..columns {
            let lost = best[a * columns + d - 1];
            let copy = best[(a - 1) * columns + d].saturating_add(UNEXPLAINED);
            let pair = pair_cost(a - 1, d - 1).map_or(i64::MAX, |cost| {
                best[(a - 1) * columns + d - 1].saturating_add(cost)
            });
            best[a * columns + d] = lost.min(copy).min(pair);
        }
    }
    let mut pairs = vec![None; arrivals.len()];
    let (mut a, mut d) = (arrivals.len(), departures.len());
    while a > 0 {
        let cost = best[a * columns + d];
        if d > 0 && best[a * columns + d - 1] == cost {
            d -= 1;
        } else if best[(a - 1) * columns + d].saturating_add(UNEXPLAINED) == cost {
            a -= 1;
        } else {
            (a, d) = (a - 1, d - 1);
            pairs[a] = Some(departures[d]);
        }
    }
    pairs
}

/// The same by a single walk: each arrival takes the earliest departure left
/// that leaves no later one unable to explain its own.
fn first_in_order(
    departures: &[usize],
    arrivals: &[usize],
    excess: impl Fn(usize, usize) -> Option<i64>,
) -> Vec<Option<usize>> {
    let mut next = 0;
    let walk = |(position, arrival): (usize, &usize)| {
        let spare = |next: usize| departures.len() - next > arrivals.len() - position;
        while next + 1 < departures.len()
            && spare(next)
            && excess(departures[next + 1], *arrival).is_some()
        {
            next += 1;
        }
        let departure = departures
            .get(next)
            .copied()
            .filter(|d| excess(*d, *arrival).is_some());
        next += usize::from(departure.is_some());
        departure
    };
    arrivals.iter().enumerate().map(walk).collect()
}

#[cfg(test)]
mod tests {
    use super::{cheapest_in_order, first_in_order};

    /// Three copies leave at 0, 330 and 660; the path takes 65.
    fn excess(departure: usize, arrival: usize) -> Option<i64> {
        let excess = arrival as i64 - departure as i64 - 65;
        (excess >= 0).then_some(excess)
    }

    #[test]
    fn the_copy_that_fits_the_time_is_the_one_that_arrived() {
        for pairs in [cheapest_in_order, first_in_order] {
            assert_eq!(pairs(&[0, 330, 660], &[395], excess), [Some(330)]);
            assert_eq!(pairs(&[0, 330, 660], &[725], excess), [Some(660)]);
            assert_eq!(pairs(&[0, 330], &[65, 395], excess), [Some(0), Some(330)]);
        }
        assert_eq!(
            cheapest_in_order(&[0, 330], &[65, 70, 395], excess),
            [Some(0), None, Some(330)]
        );
    }
}
