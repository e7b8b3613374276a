"""The likelihood of a cumulative logit mixed model, by Laplace's approximation, with its gradient.

A vote y = 0 … K − 1 of participant i on recording j has

    P(y ≤ k) = logistic(θ_k − η),        η = x β + p u_i + r v_j

with u and v standard normal, crossed, and p and r their standard deviations. The integral over
them is Laplace's: the height at their mode, less half the log determinant of the curvature there,
as R's `ordinal::clmm` has it with crossed terms (Christensen: Cumulative link models for ordinal
regression with the R package ordinal, 2019). No library of Python's has the model. The gradient
follows the mode as it moves; a test holds it against differences, and the fit against `clmm`.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import special

from thinlab.analysis.crossed import Array, numbered
from thinlab.analysis.delay.curvature import CrossedCurvature

MOST_STEPS = 50
TOLERANCE = 1e-10
# As far apart as cutpoints are kept, so that every answer has some likelihood.
LEAST_GAP = 1e-8


@dataclass(frozen=True)
class Parameters:
    """As the model's text names them."""

    cutpoints: Array
    """θ, rising."""
    effects: Array
    """β."""
    people: float
    """Of u; its sign means nothing."""
    recordings: float
    """Of v."""

    @property
    def flat(self) -> Array:
        """All of them in a row."""
        return np.concatenate([self.cutpoints, self.effects, [self.people, self.recordings]])


@dataclass
class Laplace:
    """The likelihood of these votes; keeps the last mode, to start from it."""

    answer: NDArray[np.intp]
    """0 … `answers` − 1, each of them given by somebody."""
    x: Array
    """A row a vote."""
    person: NDArray[np.intp]
    recording: NDArray[np.intp]
    mode: Array = field(init=False)
    """u, then v."""

    @classmethod
    def of(
        cls, answer: NDArray[np.intp], x: Array, people: Sequence[str], recordings: Sequence[str]
    ) -> "Laplace":
        """Of names."""
        return cls(answer, x, numbered(people), numbered(recordings))

    def __post_init__(self) -> None:
        self.people = int(self.person.max()) + 1
        self.recordings = int(self.recording.max()) + 1
        self.answers = int(self.answer.max()) + 1
        self.mode = np.zeros(self.people + self.recordings)

    def parameters(self, flat: Array) -> Parameters:
        """Of all of them in a row."""
        cuts = self.answers - 1
        return Parameters(flat[:cuts], flat[cuts:-2], float(flat[-2]), float(flat[-1]))

    def value_and_gradient(self, at: Parameters) -> tuple[float, Array]:
        """The log-likelihood, and its slope by each parameter."""
        if (np.diff(at.cutpoints) < LEAST_GAP).any():
            return -np.inf, np.zeros(len(at.flat))
        height, votes, curvature = self._climb(at)
        value = height - curvature.half_log_determinant
        return value, self._gradient(at, votes, curvature)

    def _climb(self, at: Parameters) -> tuple[float, "_Votes", CrossedCurvature]:
        """To the mode of the random effects: Newton's steps, halved until they climb."""
        height, votes = self._height(at, self.mode)
        for _ in range(MOST_STEPS):
            slope = self._gathered(at, votes.slope) - self.mode
            curvature = self._curvature(at, votes.weight)
            step = curvature.solved(slope)
            if float(slope @ step) < TOLERANCE:
                break
            while True:
                new_height, new_votes = self._height(at, self.mode + step)
                if new_height >= height or abs(step).max() < TOLERANCE:
                    break
                step = step / 2
            self.mode, height, votes = self.mode + step, new_height, new_votes
        return height, votes, self._curvature(at, votes.weight)

    def _height(self, at: Parameters, mode: Array) -> tuple[float, "_Votes"]:
        eta = (
            self.x @ at.effects
            + at.people * mode[self.person]
            + at.recordings * mode[self.people + self.recording]
        )
        votes = _Votes.of(at.cutpoints, self.answer, eta)
        return float(votes.log_share.sum() - mode @ mode / 2), votes

    def _gathered(self, at: Parameters, of_votes: Array) -> Array:
        """Zᵀ times a number a vote."""
        return np.concatenate(
            [
                at.people * np.bincount(self.person, of_votes, self.people),
                at.recordings * np.bincount(self.recording, of_votes, self.recordings),
            ]
        )

    def _spread(self, at: Parameters, effects: Array) -> Array:
        """Z times a number a random effect."""
        spread: Array = (
            at.people * effects[self.person] + at.recordings * effects[self.people + self.recording]
        )
        return spread

    def _curvature(self, at: Parameters, weight: Array) -> CrossedCurvature:
        """ZᵀWZ + 1."""
        own = at.people**2 * np.bincount(self.person, weight, self.people)
        heard = at.recordings**2 * np.bincount(self.recording, weight, self.recordings)
        met = np.bincount(
            self.person * self.recordings + self.recording, weight, self.people * self.recordings
        ).reshape(self.people, self.recordings)
        return CrossedCurvature(1 + own, 1 + heard, at.people * at.recordings * met)

    def _gradient(self, at: Parameters, votes: "_Votes", curvature: CrossedCurvature) -> Array:
        heard = self.people + self.recording
        diagonal = curvature.inverse_diagonal
        own, of_heard = diagonal[self.person], diagonal[heard]
        both = curvature.inverse_met[self.person, self.recording]
        leverage = (
            at.people**2 * own + 2 * at.people * at.recordings * both + at.recordings**2 * of_heard
        )
        # How half the log determinant moves with η, directly and as the mode follows.
        direct = leverage * votes.weight_slope
        followed = curvature.solved(self._gathered(at, direct))
        through_mode = self._spread(at, followed)
        by_eta = votes.slope - (direct - votes.weight * through_mode) / 2
        gradient = [
            *self._by_cutpoints(votes, leverage, through_mode),
            *(self.x.T @ by_eta),
        ]
        for index, determinant in (
            (self.person, at.people * own + at.recordings * both),
            (heard, at.people * both + at.recordings * of_heard),
        ):
            gradient.append(
                float(
                    by_eta @ self.mode[index]
                    - votes.weight @ determinant
                    - votes.slope @ followed[index] / 2
                )
            )
        return np.array(gradient)

    def _by_cutpoints(self, votes: "_Votes", leverage: Array, through_mode: Array) -> list[float]:
        above = (
            votes.above_log
            - (leverage * votes.above_curve + through_mode * votes.above_density) / 2
        )
        below = (
            votes.below_log
            - (leverage * votes.below_curve + through_mode * votes.below_density) / 2
        )
        of_above = np.bincount(self.answer, above, self.answers)
        of_below = np.bincount(self.answer, below, self.answers)
        return [float(of_above[k] + of_below[k + 1]) for k in range(self.answers - 1)]


@dataclass(frozen=True)
class _Votes:
    """Of each vote, what its likelihood and its derivatives are made of.

    With F logistic, a = θ_y − η and c = θ_(y − 1) − η: the share is F(a) − F(c), its log's slope by
    η is F(a) + F(c) − 1, and minus that slope's slope is f(a) + f(c).
    """

    log_share: Array
    slope: Array
    weight: Array
    weight_slope: Array
    """Of the weight, by η."""
    above_log: Array
    """The log share's slope by the cutpoint above."""
    above_density: Array
    """The slope's slope by it."""
    above_curve: Array
    """The weight's slope by it."""
    below_log: Array
    below_density: Array
    below_curve: Array

    @classmethod
    def of(cls, cutpoints: Array, answer: NDArray[np.intp], eta: Array) -> "_Votes":
        ends = np.concatenate([[-np.inf], cutpoints, [np.inf]])
        above, below = ends[answer + 1] - eta, ends[answer] - eta
        gap = ends[answer + 1] - ends[answer]
        # F(a) − F(c) = F(a) F(−c) (1 − e^(c − a)), which loses nothing in the tails.
        log_share = special.log_expit(above) + special.log_expit(-below) + np.log(-np.expm1(-gap))
        share_above, share_below = special.expit(above), special.expit(below)
        density_above = share_above * (1 - share_above)
        density_below = share_below * (1 - share_below)
        curve_above = density_above * (1 - 2 * share_above)
        curve_below = density_below * (1 - 2 * share_below)
        # f(a) / P and −f(c) / P: what is left when P's factors are taken out.
        apart = -np.expm1(-gap)
        above_log = np.exp(special.log_expit(-above) - special.log_expit(-below)) / apart
        below_log = -np.exp(special.log_expit(below) - special.log_expit(above)) / apart
        return cls(
            log_share,
            share_above + share_below - 1,
            density_above + density_below,
            -(curve_above + curve_below),
            np.where(np.isinf(above), 0.0, above_log),
            density_above,
            curve_above,
            np.where(np.isinf(below), 0.0, below_log),
            density_below,
            curve_below,
        )
