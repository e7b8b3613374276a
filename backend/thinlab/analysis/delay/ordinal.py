"""CCR and ACR over delay: a cumulative logit mixed model, participants and recordings at random.

Scores are ordered and no more: a step from 3 to 4 need not be one from 4 to 5. Participants have a
level of their own, and so have recordings, beyond what their delay explains: without the latter,
what three recordings happen to have lost would be told as what delay does.

What is asked of the model is where half of the votes are on one side of a cutpoint. That is the
same for a typical listener with a typical recording as over all of either, since both differ as
much one way as the other.

Intervals are Wald's with Student's t. The slope is one over recordings, so its degrees of freedom
are theirs, less the level and the slope: the normal distribution, which `clmm` takes, is too narrow
for a dozen of them.

SPDX-License-Identifier: Apache-2.0
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from thinlab.analysis.crossed import Array
from thinlab.analysis.delay.descent import least
from thinlab.analysis.delay.laplace import Laplace, Parameters
from thinlab.analysis.delay.observed import Observed

# Hermite's nodes, for what the model says over all participants and recordings.
NODES = 30
# Of the random effects' standard deviations: below this they are nought.
LEAST_SPREAD = 1e-3
STEP = 1e-4
# Cutpoints and effects in the units of the fit lie within this, or have no bound.
UNBOUNDED = 12.0


@dataclass(frozen=True)
class Ordinal:
    """A fitted model. The slope is over `unit` of the metric inside, and over 1 outside."""

    scores: tuple[int, ...]
    """That somebody gave, rising."""
    at: Parameters
    covariance: Array
    """Of cutpoints and effects."""
    freedom: float
    unit: float
    log_likelihood: float

    @property
    def slope(self) -> float:
        """Log odds of a higher score, per unit of the metric."""
        return float(self.at.effects[0]) / self.unit

    @property
    def separated(self) -> bool:
        """Whether a cutpoint or the slope has no bound."""
        return bool(abs(self.at.flat[:-2]).max() > UNBOUNDED)

    def slope_ends(self, confidence: float) -> tuple[float, float]:
        """Of the slope."""
        place = len(self.at.cutpoints)
        reach = self._t(confidence) * math.sqrt(self.covariance[place, place]) / self.unit
        return self.slope - reach, self.slope + reach

    def half_above(self, score: int) -> float | None:
        """Where half of the votes are above `score`; none where all or none are everywhere."""
        cut = self._cut(score)
        if cut is None or not self.at.effects[0]:
            return None
        return float(self.at.cutpoints[cut] / self.at.effects[0]) * self.unit

    def half_above_ends(self, score: int, confidence: float) -> tuple[float, float] | None:
        """Fieller's interval of that; none where the slope may be nought."""
        cut = self._cut(score)
        if cut is None:
            return None
        place = len(self.at.cutpoints)
        top, below = float(self.at.cutpoints[cut]), float(self.at.effects[0])
        t2 = self._t(confidence) ** 2
        v_top = self.covariance[cut, cut]
        v_both = self.covariance[cut, place]
        v_below = self.covariance[place, place]
        a = below**2 - t2 * v_below
        b = top * below - t2 * v_both
        c = top**2 - t2 * v_top
        if a <= 0:
            return None
        reach = math.sqrt(max(0.0, b**2 - a * c))
        return (b - reach) / a * self.unit, (b + reach) / a * self.unit

    def mean(self, delay: Array) -> Array:
        """The mean score over all participants and recordings, both orders alike."""
        return self._mean(self.at.cutpoints, float(self.at.effects[0]), delay)

    def mean_ends(self, delay: Array, confidence: float) -> tuple[Array, Array]:
        """Its interval at each delay, by the delta method."""
        place = len(self.at.cutpoints)
        flat = np.concatenate([self.at.cutpoints, self.at.effects[:1]])
        covariance = self.covariance[: place + 1, : place + 1]
        middle = self.mean(delay)
        slopes = np.empty((len(flat), len(delay)))
        for index in range(len(flat)):
            moved = flat.copy()
            moved[index] += STEP
            slopes[index] = (self._mean(moved[:-1], float(moved[-1]), delay) - middle) / STEP
        error = np.sqrt(np.einsum("pd,pq,qd->d", slopes, covariance, slopes))
        reach = self._t(confidence) * error
        lowest, highest = self.scores[0], self.scores[-1]
        return np.maximum(middle - reach, lowest), np.minimum(middle + reach, highest)

    def _mean(self, cutpoints: Array, slope: float, delay: Array) -> Array:
        nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
        spread = math.hypot(self.at.people, self.at.recordings)
        eta = slope * delay[:, None] / self.unit + spread * nodes
        above = special.expit(eta[:, :, None] - cutpoints)
        steps = np.diff(self.scores)
        found: Array = self.scores[0] + (above @ steps) @ weights / weights.sum()
        return found

    def _cut(self, score: int) -> int | None:
        """The number of the cutpoint between `score` and what is above."""
        below = sum(one <= score for one in self.scores)
        return below - 1 if 0 < below < len(self.scores) else None

    def _t(self, confidence: float) -> float:
        return float(special.stdtrit(self.freedom, 0.5 + confidence / 2))


def fit(observed: Observed) -> Ordinal | None:
    """Maximum likelihood; none where all gave one score, or nothing is found.

    Of pairs with an effect of the order, half for the less delayed as the second and minus a half
    for it as the first: who leans to the second whatever it is raises the former.
    """
    scores, answer = np.unique(observed.answer, return_inverse=True)
    if len(scores) < 2:  # noqa: PLR2004
        return None
    unit = float(np.abs(observed.delay).max(initial=0.0)) or 1.0
    x = (observed.delay / unit)[:, None]
    if observed.scale == "ccr":
        x = np.column_stack([x, np.where(observed.less_first, -0.5, 0.5)])
    laplace = Laplace.of(answer.ravel().astype(np.intp), x, observed.people, observed.recordings)
    found = _summit(laplace)
    if found is None:
        return None
    at, value = found
    covariance = _covariance(laplace, at)
    if covariance is None:
        return None
    freedom = max(1, min(laplace.recordings, laplace.people) - 2)
    return Ordinal(
        tuple(int(score) for score in scores), at, covariance, float(freedom), unit, value
    )


def _summit(laplace: Laplace) -> tuple[Parameters, float] | None:
    shares = np.cumsum(np.bincount(laplace.answer, minlength=laplace.answers))[:-1]
    cutpoints = special.logit(shares / len(laplace.answer))
    effects = laplace.x.shape[1]
    start = np.concatenate(
        [cutpoints[:1], np.log(np.diff(cutpoints)), np.zeros(effects), [0.5, 0.5]]
    )
    cuts = laplace.answers - 1

    def drop(free: Array) -> tuple[float, Array]:
        flat = _flat(free, cuts)
        value, gradient = laplace.value_and_gradient(laplace.parameters(flat))
        # A cutpoint moves with every gap below it.
        own = gradient.copy()
        own[:cuts] = np.cumsum(gradient[:cuts][::-1])[::-1]
        own[1:cuts] *= np.exp(free[1:cuts])
        return -value, -own

    bounds = [(-2 * UNBOUNDED, 2 * UNBOUNDED)] * (len(start) - 2) + [(0.0, 10.0)] * 2
    free, misfit = least(drop, start, bounds, gradient_below=1e-6)
    if not np.isfinite(misfit):
        return None
    return laplace.parameters(_flat(free, cuts)), -misfit


def _flat(free: Array, cuts: int) -> Array:
    """Cutpoints of the first and the logs of the gaps; the rest as it is."""
    flat = free.copy()
    flat[1:cuts] = free[0] + np.cumsum(np.exp(free[1:cuts]))
    return flat


def _covariance(laplace: Laplace, at: Parameters) -> Array | None:
    """Of cutpoints and effects: minus the inverse of the log-likelihood's curvature.

    A standard deviation that is nought lies on its bound, and is held there.
    """
    flat = at.flat
    spreads = [len(flat) - 2, len(flat) - 1]
    free = [
        place for place in range(len(flat)) if place not in spreads or flat[place] > LEAST_SPREAD
    ]
    curvature = np.empty((len(free), len(free)))
    for row, place in enumerate(free):
        sides = []
        for step in (STEP, -STEP):
            moved = flat.copy()
            moved[place] += step
            sides.append(laplace.value_and_gradient(laplace.parameters(moved))[1][free])
        curvature[row] = (sides[0] - sides[1]) / (2 * STEP)
    try:
        whole = np.linalg.inv(-(curvature + curvature.T) / 2)
    except np.linalg.LinAlgError:
        return None
    fixed = len(flat) - 2
    covariance: Array = whole[:fixed, :fixed].astype(np.float64)
    return covariance if (np.diag(covariance) > 0).all() else None
