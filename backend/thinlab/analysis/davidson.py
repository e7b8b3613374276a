"""Davidson's model of paired comparison with ties, with a term for the order of presentation.

With δ the log odds of b against a, ω the log odds of the first presented against the second when
both are equally good (side bias), and τ the log weight of "no difference": presented with a
first, the answers "first", "second", "no difference" have weights

    e^((−δ + ω) / 2)        e^((δ − ω) / 2)        e^τ

and with b first the sign of δ turns. It is a multinomial logit: its likelihood has one summit.
Without any "no difference" it is Bradley and Terry's model with the order term.

Of few votes the curvature at the summit is flatter than at no preference, and Student's interval of
the log odds would find too little. Those of other recordings are Wilson's, of the share that the
log odds stand for, as of shares that are counted (`thinlab.analysis.proportion`).

Davidson: On extending the Bradley-Terry model to accommodate ties in paired comparison
experiments. JASA 65 (1970). Davidson, Beaver: On extending the Bradley-Terry model to incorporate
within-pair order effects. Biometrics 33 (1977); their order parameter is e^−ω, and
their tie parameter e^τ times the root of that.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

from thinlab.analysis.crossed import (
    NOTHING,
    Array,
    Bounds,
    Coefficient,
    Groups,
    Student,
    Told,
    uncertainty,
)
from thinlab.analysis.proportion import wilson

# Keeps parameters that the votes do not bound from running away; changes no bounded one visibly.
RIDGE = 1e-6
# A log odds beyond this stands for "no bound" (22000 : 1).
UNBOUNDED = 10.0
STEPS = 100


@dataclass(frozen=True)
class Comparison:
    """One vote between members of one of several pairs."""

    participant: str
    pair: int
    """Number of the pair, 0…: each pair has a δ of its own."""
    b_first: bool
    answer: int
    """0 the first, 1 the second, 2 no difference."""
    recording: str = ""


@dataclass(frozen=True)
class DavidsonFit:
    """The parameters: a preference for each pair; tie is none when nobody saw a tie.

    Ends are infinite where the votes set no bound, and none where too few participants carry it
    to tell.
    """

    preferences: tuple[Coefficient, ...]
    order: Coefficient
    tie: Coefficient | None
    clustered: bool


def fit(votes: Sequence[Comparison], pairs: int, confidence: float) -> DavidsonFit | None:
    """Maximum likelihood; none when nothing tells the parameters apart.

    That is so when every answer is "no difference", and when a pair was presented in one order
    only and no other pair tells what the order does: preference and side bias are then one number.

    Intervals are by participant and recording where there are enough of either. Else they are of
    these recordings alone: of the profile likelihood when nobody voted twice, or by participant.
    """
    if all(vote.answer == 2 for vote in votes) or not _told_apart(votes, pairs):  # noqa: PLR2004
        return None
    ties = any(vote.answer == 2 for vote in votes)  # noqa: PLR2004
    clustered = len({vote.participant for vote in votes}) < len(votes)
    likelihood = Likelihood.of(votes, pairs, ties=ties)
    at = likelihood.summit()
    interval = _intervals(likelihood, at, confidence, clustered=clustered)
    return DavidsonFit(
        preferences=tuple(_as_of_shares(interval(pair), confidence) for pair in range(pairs)),
        order=_as_of_shares(interval(pairs), confidence),
        tie=interval(pairs + 1) if ties else None,
        clustered=clustered,
    )


def _told_apart(votes: Sequence[Comparison], pairs: int) -> bool:
    """Whether the presentations, whatever was answered, tell δ of each pair and ω apart."""
    presented = {(vote.pair, vote.b_first) for vote in votes}
    contrasts = np.zeros((len(presented), pairs + 1))
    contrasts[:, -1] = 1
    for row, (pair, b_first) in enumerate(presented):
        contrasts[row, pair] = 1 if b_first else -1
    return int(np.linalg.matrix_rank(contrasts)) == pairs + 1


def _choices(toward_b: Array, b_first: NDArray[np.bool_], answers: int) -> Array:
    """Of each row and answer: what the log odds of b, of the first, and of a tie count in it."""
    size = toward_b.shape[1]
    x = np.zeros((len(toward_b), answers, size + answers - 1))
    half = np.where(b_first, 0.5, -0.5)[:, None] * toward_b
    x[:, 0, :size], x[:, 1, :size] = half, -half
    x[:, 0, size], x[:, 1, size] = 0.5, -0.5
    if answers > 2:  # noqa: PLR2004
        x[:, 2, size + 1] = 1.0
    return x


@dataclass(frozen=True)
class Likelihood:
    """A multinomial logit over cells: votes on one pair, in one order, with one answer."""

    x: Array
    """`x[cell, answer]`: the coefficients of an answer that could have been given."""
    chosen: NDArray[np.intp]
    groups: Groups

    @classmethod
    def of(cls, votes: Sequence[Comparison], pairs: int, *, ties: bool) -> "Likelihood":
        """Of preferences in each of several pairs."""
        answers = 3 if ties else 2
        shape = (pairs, 2, answers)
        pair, b_first, chosen = (index.ravel() for index in np.indices(shape))
        x = _choices(np.eye(pairs)[pair], b_first.astype(np.bool_), answers)
        cell = np.ravel_multi_index(
            (
                np.array([vote.pair for vote in votes]),
                np.array([vote.b_first for vote in votes], dtype=np.intp),
                np.array([vote.answer for vote in votes]),
            ),
            shape,
        )
        people, heard = [vote.participant for vote in votes], [vote.recording for vote in votes]
        return cls(x, chosen, Groups.of(people, heard, cell, len(pair)))

    @classmethod
    def over(
        cls, apart: Array, b_first: NDArray[np.bool_], chosen: NDArray[np.intp], groups: Groups
    ) -> "Likelihood":
        """Of preferences that follow what b has more than a: `apart` has a row a vote.

        Each vote is a cell; answers are those of `Comparison`.
        """
        answers = 3 if bool((chosen == 2).any()) else 2  # noqa: PLR2004
        return cls(_choices(apart, b_first, answers), chosen, groups)

    @cached_property
    def totals(self) -> Array:
        """Votes, by cell."""
        return np.asarray(self.groups.participants.sum(axis=0), dtype=np.float64)

    def value(self, at: Array) -> float:
        """Log-likelihood, less the ridge."""
        utility = self.x @ at
        top = utility.max(axis=1)
        total = top + np.log(np.exp(utility - top[:, None]).sum(axis=1))
        own = utility[np.arange(len(utility)), self.chosen]
        return float(self.totals @ (own - total) - RIDGE * at @ at / 2)

    def derivatives(self, at: Array) -> tuple[Array, Array]:
        """Of one vote of each cell: the score, and the information matrix."""
        utility = self.x @ at
        weight = np.exp(utility - utility.max(axis=1)[:, None])
        share = weight / weight.sum(axis=1)[:, None]
        mean = np.einsum("va,vap->vp", share, self.x)
        score = self.x[np.arange(len(self.x)), self.chosen] - mean
        apart = self.x - mean[:, None, :]
        return score, np.einsum("va,vap,vaq->vpq", share, apart, apart)

    def summit(self, fixed: int | None = None, start: Array | None = None) -> Array:
        """Newton's steps, halved until they climb; one parameter may be held."""
        at = np.zeros(self.x.shape[2]) if start is None else start.copy()
        free = np.array([index != fixed for index in range(len(at))])
        height = self.value(at)
        for _ in range(STEPS):
            score, information = self.derivatives(at)
            slope = (self.totals @ score - RIDGE * at)[free]
            curve = np.tensordot(self.totals, information, 1)[np.ix_(free, free)]
            curve = curve + RIDGE * np.eye(len(curve))
            step = np.zeros(len(at))
            step[free] = np.linalg.solve(curve, slope)
            if abs(step).max(initial=0.0) < 1e-9:  # noqa: PLR2004
                break
            # Where it is nearly flat a full step could leap out of reach.
            step *= min(1.0, 5.0 / abs(step).max())
            while (new := self.value(at + step)) < height and abs(step).max() > 1e-12:  # noqa: PLR2004
                step /= 2
            at, height = at + step, new
        return at


def _intervals(
    likelihood: Likelihood, at: Array, confidence: float, *, clustered: bool
) -> Callable[[int], Coefficient]:
    # Where any parameter has no bound, the curvature says nothing about the others either.
    bounded = abs(at).max() <= UNBOUNDED
    found = uncertainty(*likelihood.derivatives(at), likelihood.groups) if bounded else None

    def interval(index: int) -> Coefficient:
        value = float(at[index])
        told = found.told(value, index, confidence) if found else NOTHING
        if not clustered and told.scope == "these_recordings":
            told = Told(_by_profile(likelihood, at, index, confidence), told.scope)
        return Coefficient(_told(value), told)

    return interval


def _as_of_shares(found: Coefficient, confidence: float) -> Coefficient:
    """Log odds whose interval is about other recordings, with that of the share they stand for."""
    told = found.told
    if told.scope != "other_losses" or told.student is None:
        return found
    bounds = _by_wilson(told.student, confidence)
    return replace(found, told=replace(told, bounds=bounds, student=None))


def _by_wilson(log_odds: Student, confidence: float) -> Bounds:
    share = float(special.expit(log_odds.value))
    effective = 1 / (share * (1 - share) * log_odds.error**2)
    found = wilson(share, effective, log_odds.freedom, confidence)
    low, high = (float(special.logit(end)) for end in (found.low, found.high))
    return Bounds(low, high, found.p_value)


def _by_profile(likelihood: Likelihood, at: Array, index: int, confidence: float) -> Bounds:
    top = likelihood.value(at)
    limit = float(stats.chi2.ppf(confidence, 1))

    def drop(value: float) -> float:
        start = at.copy()
        start[index] = value
        return 2 * (top - likelihood.value(likelihood.summit(index, start)))

    def excess(there: float) -> float:
        return drop(there) - limit

    value = float(at[index])
    reach = UNBOUNDED + 5.0
    low, high = -math.inf, math.inf
    if value > -reach and excess(-reach) > 0:
        low = float(optimize.brentq(excess, -reach, value, xtol=1e-6))
    if value < reach and excess(reach) > 0:
        high = float(optimize.brentq(excess, value, reach, xtol=1e-6))
    return Bounds(low, high, float(stats.chi2.sf(max(0.0, drop(0.0)), 1)))


def _told(value: float) -> float:
    """What lies beyond every bound is told as infinite, not as what the ridge made of it."""
    return value if abs(value) <= UNBOUNDED else math.copysign(math.inf, value)
