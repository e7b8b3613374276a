"""What answers say about the parameters, and which level tells most about them. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinlab.questplus.function import Grid, Numbers

# Two levels that tell as much as each other but for rounding must rank alike on every machine.
DIGITS = 9


@dataclass(frozen=True)
class Answer:
    """What was presented, and whether it was told rightly."""

    log_level: float
    right: bool


@dataclass(frozen=True)
class Posterior:
    """How likely each combination of parameters is."""

    grid: Grid
    weights: Numbers
    """Thresholds × slopes × lapse shares; their sum is 1."""

    @classmethod
    def of(cls, grid: Grid, answers: Iterable[Answer]) -> "Posterior":
        """After these answers; in what order they came does not matter."""
        log_weights = np.zeros(grid.shape)
        for level, right, wrong in _counted(answers):
            shares = grid.right_shares(level)[0]
            log_weights += right * np.log(shares) + wrong * np.log1p(-shares)
        weights = np.exp(log_weights - log_weights.max())
        return cls(grid, weights / weights.sum())

    @property
    def entropy(self) -> float:
        """In bits: how much is not known."""
        return float(_entropy(self.weights.reshape(1, -1))[0])

    def expected_entropies(self, log_levels: Sequence[float]) -> Numbers:
        """In bits, after one more answer at each of these levels (Watson 2017, equation 4)."""
        shares = self.grid.right_shares(log_levels).reshape(len(log_levels), -1)
        right = shares * self.weights.reshape(1, -1)
        wrong = self.weights.reshape(1, -1) - right
        expected: Numbers = _expected(right) + _expected(wrong)
        return expected

    def next_level(self, log_levels: Sequence[float]) -> int:
        """Index of the level that is expected to tell most; the first of equals."""
        return int(np.argmin(np.round(self.expected_entropies(log_levels), DIGITS)))

    @property
    def of_threshold(self) -> Numbers:
        """How likely each threshold is, whatever the slope and the lapse share."""
        marginal: Numbers = self.weights.sum(axis=(1, 2))
        return marginal

    @property
    def log_threshold(self) -> float:
        """The mean of the threshold's decimal logarithm."""
        return float(self.of_threshold @ np.array(self.grid.log_thresholds))

    @property
    def sd(self) -> float:
        """The standard deviation of the same, in decades."""
        apart = np.array(self.grid.log_thresholds) - self.log_threshold
        return float(np.sqrt(self.of_threshold @ apart**2))

    @property
    def slope(self) -> float:
        """The mean slope."""
        return float(self.weights.sum(axis=(0, 2)) @ np.array(self.grid.slopes))

    @property
    def lapse_share(self) -> float:
        """The mean lapse share."""
        return float(self.weights.sum(axis=(0, 1)) @ np.array(self.grid.lapse_shares))

    def interval(self, credibility: float) -> tuple[float, float]:
        """Of the threshold's decimal logarithm: as much of the posterior lies beyond either end."""
        return interval_of(np.array(self.grid.log_thresholds), self.of_threshold, credibility)


def interval_of(values: Numbers, weights: Numbers, credibility: float) -> tuple[float, float]:
    """The central interval of weights on evenly spaced values, each spread over its own cell."""
    step = values[1] - values[0]
    edges = np.concatenate(([values[0] - step / 2], values + step / 2))
    below = np.concatenate(([0.0], np.cumsum(weights)))
    tail = (1.0 - credibility) / 2
    low, high = np.interp([tail, 1.0 - tail], below / below[-1], edges)
    return float(low), float(high)


def _counted(answers: Iterable[Answer]) -> list[tuple[float, int, int]]:
    """Level by level: how many were right, how many wrong."""
    found: dict[float, list[int]] = {}
    for one in answers:
        found.setdefault(one.log_level, [0, 0])[0 if one.right else 1] += 1
    return [(level, right, wrong) for level, (right, wrong) in sorted(found.items())]


def _entropy(weights: NDArray[np.float64]) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        told = np.where(weights > 0, weights * np.log2(weights), 0.0)
    entropy: Numbers = -told.sum(axis=1)
    return entropy


def _expected(joint: Numbers) -> Numbers:
    """Each answer's entropy times its probability: -Σ p log(p / Σp)."""
    total = joint.sum(axis=1)
    expected: Numbers = _entropy(joint) + total * np.log2(total)
    return expected
