"""The tests of the results page, of many studies at once: who gets what is the same in all.

What hangs on the design alone is worked out once, and sums over votes for all studies together.
The figures are those of `thinlab.analysis.proportion` and `thinlab.analysis.linear`, which a test
compares study by study (`tests/analysis/test_power.py`).

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from thinlab.analysis import linear
from thinlab.analysis.crossed import (
    FEWEST_PARTICIPANTS,
    FEWEST_RECORDINGS,
    LEAST_VARIANCE,
    Array,
    FewGroups,
    Spread,
    combined,
    numbered,
    still_determined,
)
from thinlab.analysis.proportion import ROUNDING_VARIANCE
from thinlab.analysis.simulated.presented import Numbers


@dataclass(frozen=True)
class Tested:
    """One test: an entry a study."""

    values: Array
    p_values: Array
    """Not a number where there is none."""


def shares(for_b: NDArray[np.bool_], decided: NDArray[np.bool_], recordings: Numbers) -> Tested:
    """Of votes with a preference, one a participant: a row a study, a column a participant."""
    heard = np.eye(int(recordings.max()) + 1)[recordings]
    sizes, hits = decided @ heard, (for_b & decided) @ heard
    votes, for_it = sizes.sum(axis=1), hits.sum(axis=1)
    count = (sizes > 0).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = for_it / votes
        changes = (hits - share[:, None] * sizes) / (votes[:, None] - sizes)
        variance = (count - 1) / count * np.sum(changes**2, axis=1)
        variance = np.maximum(variance, count * ROUNDING_VARIANCE / votes**2)
        effective = share * (1 - share) / variance
        crossed = 2 * special.stdtr(count - 1, -np.abs(share - 0.5) * 2 * np.sqrt(effective))
        # The binomial test of one half: twice the smaller tail.
        fewer = np.minimum(for_it, votes - for_it)
        exact = np.minimum(1.0, 2 * special.betainc(votes - fewer, fewer + 1, 0.5))
    exact = np.where(votes > 0, exact, np.nan)
    enough = (votes >= FEWEST_PARTICIPANTS) & (count >= FEWEST_RECORDINGS)
    enough &= (for_it > 0) & (for_it < votes)
    return Tested(share, np.where(enough, crossed, exact))


def least_squares(
    x: Array,
    scores: Array,
    participants: Numbers,
    recordings: Numbers,
    *,
    levels: bool = False,
) -> Tested | None:
    """The first column's coefficient; `scores` has a row a study, `x` a row a vote.

    Nobody votes on one recording twice. None where the columns do not tell it apart. `levels`: with
    a level for each participant as well.
    """
    effects = None
    if levels:
        x, scores = linear.levelled(x, participants), linear.levelled(scores.T, participants).T
        effects = linear.effects_of(recordings, x, participants)
    if np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    fit = np.linalg.pinv(x)
    coefficients = scores @ fit.T
    residuals = scores - coefficients @ x.T
    values = coefficients[:, 0]
    people, heard = numbered(participants), numbered(recordings)
    count = int(people.max()) + 1
    of_people = _left_out(x, residuals, people)
    if of_people is None or count < FEWEST_PARTICIPANTS:
        return Tested(values, np.full(len(values), np.nan))
    p_values = _p(values, of_people, np.full(len(values), count - 1.0))
    of_recordings = _of_recordings(x, residuals, heard, effects)
    if of_recordings is not None:
        of_votes = _left_out(x, residuals, np.arange(len(x)))
        of_votes = of_people if of_votes is None else of_votes
        both = combined(of_recordings, of_people, of_votes, participants=count)
        crossed = _p(values, both.variances, both.freedoms)
        p_values = np.where(np.isnan(crossed), p_values, crossed)
    return Tested(values, p_values)


def _p(values: Array, variances: Array, freedoms: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        p_values = 2 * special.stdtr(freedoms, -np.abs(values) / np.sqrt(variances))
    return np.where(variances < LEAST_VARIANCE, np.nan, p_values)


def _left_out(x: Array, residuals: Array, groups: Numbers) -> Array | None:
    """The jackknife's variance in one step; none where the estimate hangs on one group."""
    own = _information(x, groups)
    left = own.sum(axis=0) - own
    if not still_determined(own.sum(axis=0), left):
        return None
    # By so much a vote's residual changes the first coefficient when its group is left out.
    weights = np.einsum("vp,vp->v", np.linalg.inv(left)[groups, 0], x)
    changes = _sums(residuals * weights, groups)
    count = len(own)
    variances: Array = (count - 1) / count * np.einsum("sg,sg->s", changes, changes)
    return variances


def _of_recordings(
    x: Array, residuals: Array, groups: Numbers, effects: Array | None
) -> Spread | None:
    """The sandwich's variance over recordings; none where there are too few of them."""
    own = _information(x, groups)
    if len(own) < FEWEST_RECORDINGS:
        return None
    sizes = np.bincount(groups).astype(np.float64)
    few = FewGroups.of(own, sizes) if effects is None else FewGroups.levelled(own, effects)
    if few is None:
        return None
    changes = _sums(residuals * (x @ few.inverse[:, 0]), groups)
    variances = few.correction[0] * np.einsum("sg,sg->s", changes, changes)
    return Spread(variances, np.full(len(variances), few.freedoms[0]))


def _information(x: Array, groups: Numbers) -> Array:
    """Of each group: x xᵀ over its votes."""
    found = np.zeros((int(groups.max()) + 1, x.shape[1], x.shape[1]))
    np.add.at(found, groups, x[:, :, None] * x[:, None, :])
    return found


def _sums(of_votes: Array, groups: Numbers) -> Array:
    """Over each group's votes: a row a study, a column a group."""
    by_group = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[by_group], np.arange(int(groups.max()) + 1))
    return np.add.reduceat(of_votes[:, by_group], starts, axis=1)
