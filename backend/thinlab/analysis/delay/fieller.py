"""The ratio of a model's first two coefficients, with Fieller's interval.

Every θ of which the second coefficient less θ times the first is not told from nought (Some
problems in interval estimation. J Royal Statistical Society B 16, 1954), with participants and
recordings both as samples (`thinlab.analysis.crossed`). The interval has two ends where the votes
tell the first from nought; where they do not, no ratio is told.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from thinlab.analysis.crossed import Array, Coefficient, Groups, uncertainty
from thinlab.analysis.votes import Scope

# An end of the interval is looked for so far away, in units of what the metrics differ by.
FARTHEST = 1e4


@dataclass(frozen=True)
class Fitted:
    """An M-estimate with its derivatives, as `uncertainty` takes them."""

    at: Array
    scores: Array
    information: Array
    groups: Groups
    effects: Array | None = None


@dataclass(frozen=True)
class Ratio:
    """Of the second coefficient to the first."""

    value: float
    low: float
    high: float
    first: Coefficient
    scope: Scope

    def scaled(self, factor: float) -> "Ratio":
        """In other units of the ratio."""
        return Ratio(
            self.value * factor, self.low * factor, self.high * factor, self.first, self.scope
        )


def ratio(fitted: Fitted, confidence: float) -> Ratio | None:
    """None where the votes set it no ends."""
    test = _tests(fitted, confidence)
    first, scope = test(0.0)[1]
    if first.low is None or first.high is None or first.low <= 0 <= first.high:
        return None
    value = float(fitted.at[1] / fitted.at[0])
    low, high = (_end(test, value, side, 1 - confidence) for side in (-1, 1))
    if low is None or high is None:
        return None
    return Ratio(value, low, high, first, scope)


Test = Callable[[float], tuple[float | None, tuple[Coefficient, Scope]]]


def _tests(fitted: Fitted, confidence: float) -> Test:
    """Of a θ: the p-value of δ − θβ = 0; and β itself, with what it generalises to."""
    at, groups, effects = fitted.at, fitted.groups, fitted.effects

    def test(ratio: float) -> tuple[float | None, tuple[Coefficient, Scope]]:
        # In the metrics u + θ v and v, the second's coefficient is δ − θβ.
        turn = np.eye(len(at))
        turn[1, 0] = ratio
        found = uncertainty(
            fitted.scores @ turn,
            np.einsum("pi,cpq,qj->cij", turn, fitted.information, turn),
            groups,
            None if effects is None else effects @ turn,
        )
        rest = found.told(float(at[1] - ratio * at[0]), 1, confidence)
        first = found.told(float(at[0]), 0, confidence)
        p_value = rest.bounds.p_value if rest.bounds else None
        return p_value, (Coefficient(float(at[0]), first), first.scope)

    return test


def _end(test: Test, value: float, side: int, alpha: float) -> float | None:
    """Of Fieller's interval; none where it has no end on this side."""

    def above(distance: float) -> float:
        p_value = test(value + side * distance)[0]
        return (0.0 if p_value is None else p_value) - alpha

    distance = 0.01 * max(1.0, abs(value))
    while above(distance) > 0:
        distance *= 2
        if distance > FARTHEST * max(1.0, abs(value)):
            return None
    inside = distance / 2 if above(distance / 2) > 0 else 0.0
    found = distance if inside == distance else optimize.brentq(above, inside, distance, xtol=1e-9)
    return value + side * float(found)
