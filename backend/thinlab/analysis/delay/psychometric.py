"""A psychometric function of preference over delay, with ties, an order effect and lapses.

With x the difference in delay, the log odds of the less delayed against the more delayed are β x:
where nothing differs, nothing is preferred. As in Davidson's model with an order term, the less
delayed, the more delayed and "no difference" have the weights

    e^((β x + s ω) / 2)        e^(−(β x + s ω) / 2)        e^τ

with s = 1 where the less delayed is presented first, else −1. Whoever lapses, in a share λ of
votes, answers anything, and all answers are then as likely. λ is fitted between 0 and `MOST_LAPSES`
with the rest: a few lapses where the difference is plain would otherwise flatten the whole curve
(Wichmann, Hill: The psychometric function: I. Fitting, sampling, and goodness of fit. Perception &
Psychophysics 63, 2001).

The threshold is where three in four of those who choose choose the less delayed, lapses and order
taken out: β x = log 3.

Participants and recordings are both samples. The function is fitted to all votes together, and its
uncertainty is clustered by either (`thinlab.analysis.crossed`): so it is about people such as these
and losses such as these, as all shares of the results are. Random effects would make it one of a
typical listener and a typical recording, which is steeper and cannot be looked up in what was
counted; and their likelihood is an approximation where these are few.

SPDX-License-Identifier: Apache-2.0
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thinlab.analysis.crossed import Array, Bounds, Coefficient, Groups, Told, uncertainty
from thinlab.analysis.delay.descent import least
from thinlab.analysis.delay.observed import NEITHER, Observed

# Wichmann and Hill's bound.
MOST_LAPSES = 0.06
# Log odds beyond this stand for "no bound" (160000 : 1).
UNBOUNDED = 12.0
# Of those who choose, so many choose the less delayed at the threshold.
THRESHOLD_SHARE = 0.75
THRESHOLD_LOG_ODDS = math.log(THRESHOLD_SHARE / (1 - THRESHOLD_SHARE))
# A step from a bound, for what lies on it by rounding.
NEAR = 1e-6


@dataclass(frozen=True)
class Curve:
    """A fitted function."""

    slope: float
    """Log odds of the less delayed, per unit of the metric."""
    order: float
    """Log odds of what was presented first."""
    tie: float | None
    """Log weight of no difference; none where nobody said it."""
    lapse: float

    def share(self, delay: Array) -> Array:
        """For the less delayed among those who choose, the order effect taken out."""
        return _chosen(self, delay, 0.0)

    def share_in_both_orders(self, delay: Array) -> Array:
        """The same over both orders of presentation."""
        return (_chosen(self, delay, self.order) + _chosen(self, delay, -self.order)) / 2

    @property
    def threshold(self) -> float:
        """In the metric's unit; infinite where the less delayed is not preferred."""
        return THRESHOLD_LOG_ODDS / self.slope if self.slope > 0 else math.inf


@dataclass(frozen=True)
class Psychometric:
    """A function with its uncertainty."""

    curve: Curve
    slope: Coefficient
    separated: bool
    """Whether its slope has no bound: at every difference (nearly) all chose alike."""


def fit(observed: Observed, confidence: float) -> Psychometric:
    """Maximum likelihood, clustered by participant and recording."""
    likelihood = _Likelihood.of(observed)
    at = likelihood.summit()
    curve = likelihood.curve(at)
    free = likelihood.free(at)
    groups = Groups.of(
        observed.people, observed.recordings, likelihood.cell_of_vote, likelihood.cells
    )
    found = uncertainty(*likelihood.derivatives(at, free), groups)
    told = found.told(float(at[0]), 0, confidence)
    separated = abs(at[0]) > UNBOUNDED - NEAR
    slope = Coefficient(float(at[0]), told)
    return Psychometric(curve, _per_unit(slope, likelihood.unit), separated)


def curve_of(observed: Observed) -> Curve:
    """The function alone."""
    likelihood = _Likelihood.of(observed)
    return likelihood.curve(likelihood.summit())


@dataclass(frozen=True)
class _Likelihood:
    """Of (slope, order, lapse, tie), the slope over the largest difference; no tie without any."""

    x: Array
    """Of each cell, a difference and an order: the difference, as a share of the largest."""
    sign: Array
    """Of each cell: 1 where the less delayed was first, else −1."""
    counts: Array
    """`counts[cell, answer]`."""
    cell_of_vote: NDArray[np.intp]
    """Cells here are an answer as well."""
    unit: float
    """The largest difference."""

    @classmethod
    def of(cls, observed: Observed) -> "_Likelihood":
        unit = float(observed.delay.max(initial=0.0)) or 1.0
        sign = np.where(observed.less_first, 1.0, -1.0)
        cells, cell = np.unique(
            np.column_stack([observed.delay / unit, sign]), axis=0, return_inverse=True
        )
        answers = 3 if bool((observed.answer == NEITHER).any()) else 2
        of_vote = (cell.ravel() * answers + observed.answer).astype(np.intp)
        counts = np.bincount(of_vote, minlength=len(cells) * answers)
        return cls(
            cells[:, 0],
            cells[:, 1],
            counts.reshape(len(cells), answers).astype(np.float64),
            of_vote,
            unit,
        )

    @property
    def cells(self) -> int:
        return int(self.counts.size)

    @property
    def answers(self) -> int:
        return int(self.counts.shape[1])

    def curve(self, at: Array) -> Curve:
        tie = float(at[3]) if self.answers > 2 else None  # noqa: PLR2004
        return Curve(float(at[0]) / self.unit, float(at[1]), tie, float(at[2]))

    def shares(self, at: Array) -> tuple[Array, Array]:
        """Of each cell and answer: how likely it is, and that by each parameter."""
        lean = at[0] * self.x + at[1] * self.sign
        half = np.zeros((len(self.x), self.answers, len(at)))
        half[:, 0, 0], half[:, 1, 0] = self.x / 2, -self.x / 2
        half[:, 0, 1], half[:, 1, 1] = self.sign / 2, -self.sign / 2
        utility = np.column_stack([lean / 2, -lean / 2])
        if self.answers > 2:  # noqa: PLR2004
            half[:, 2, 3] = 1.0
            utility = np.column_stack([utility, np.full(len(lean), at[3])])
        weight = np.exp(utility - utility.max(axis=1)[:, None])
        share = weight / weight.sum(axis=1)[:, None]
        mean = np.einsum("ca,cap->cp", share, half)
        slope = (1 - at[2]) * share[:, :, None] * (half - mean[:, None, :])
        slope[:, :, 2] = 1 / self.answers - share
        return (1 - at[2]) * share + at[2] / self.answers, slope

    def summit(self) -> Array:
        def drop(at: Array) -> tuple[float, Array]:
            share, slope = self.shares(at)
            floor = np.maximum(share, 1e-300)
            weight = self.counts / floor
            return -float((self.counts * np.log(floor)).sum()), -np.einsum(
                "ca,cap->p", weight, slope
            )

        size = 4 if self.answers > 2 else 3  # noqa: PLR2004
        start = np.zeros(size)
        start[2] = 0.02
        bounds = [(-UNBOUNDED, UNBOUNDED)] * size
        bounds[2] = (0.0, MOST_LAPSES)
        return least(drop, start, bounds, gradient_below=1e-7)[0]

    def free(self, at: Array) -> NDArray[np.intp]:
        """Parameters that do not lie on a bound: no votes tell how they vary there."""
        free = np.abs(at) < UNBOUNDED - NEAR
        free[2] = NEAR < at[2] < MOST_LAPSES - NEAR
        free[0] = True
        return np.flatnonzero(free)

    def derivatives(self, at: Array, free: NDArray[np.intp]) -> tuple[Array, Array]:
        """Of one vote of each cell and answer: the score, and the expected information."""
        share, slope = self.shares(at)
        floor = np.maximum(share, 1e-300)
        slope = slope[:, :, free]
        score = slope / floor[:, :, None]
        information = np.einsum("cap,caq,ca->cpq", slope, slope, 1 / floor)
        return (
            score.reshape(-1, len(free)),
            np.repeat(information, self.answers, axis=0),
        )


def _chosen(curve: Curve, delay: Array, order: float) -> Array:
    lean = curve.slope * delay + order
    less, more = np.exp(np.minimum(lean, 0.0)), np.exp(np.minimum(-lean, 0.0))
    # As weights over the larger of the two, so that nothing overflows.
    none = 0.0 if curve.tie is None else np.exp(curve.tie - abs(lean) / 2)
    answers = 2 if curve.tie is None else 3
    total = less + more + none
    guessed = curve.lapse / answers
    of_less = (1 - curve.lapse) * less / total + guessed
    of_more = (1 - curve.lapse) * more / total + guessed
    share: Array = of_less / (of_less + of_more)
    return share


def _per_unit(found: Coefficient, unit: float) -> Coefficient:
    """Of a slope over the largest difference, that over one of the metric's unit."""
    told = found.told
    these = _divided(told.these, unit)
    return Coefficient(found.value / unit, Told(_divided(told.bounds, unit), told.scope, these))


def _divided(bounds: Bounds | None, unit: float) -> Bounds | None:
    return bounds and replace(bounds, low=bounds.low / unit, high=bounds.high / unit)
