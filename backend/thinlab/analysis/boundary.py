"""Where a test may stop a study at a look: boundaries that keep the level over all looks.

The chance of a false finding is spent look by look, as a function of the information so far
(Lan, DeMets: Discrete sequential boundaries for clinical trials. Biometrika 70, 1983), and little
of it early: their function whose boundaries are like those of O'Brien and Fleming (Biometrics 35,
1979). What a boundary has to be, once so much may be spent, follows from the distribution of the
test statistics of those that were not stopped, which is integrated numerically, look by look
(Armitage, McPherson, Rowe: Repeated significance tests on accumulating data. JRSS A 132, 1969).

Statistics of successive looks are taken for normal with independent increments of information.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy import optimize, special

from thinlab.analysis.crossed import Array

Sides = Literal[1, 2]
# In standard deviations: nobody gets beyond by chance.
FAR = 9.0
# Of a quadrature in panels, over an integrand that is smooth on the scale of an increment.
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
FEWEST_PANELS = 8
# Less is spent on nothing.
LEAST_SPENT = 1e-14


def spent(fraction: float, alpha: float, sides: Sides = 2) -> float:
    """Of the level `alpha`, what may be spent when so much of the information is there.

    >>> round(spent(0.5, 0.05), 5), spent(1.0, 0.05)
    (0.00305, 0.05)
    """
    if fraction <= 0:
        return 0.0
    if fraction >= 1:
        return alpha
    quantile = -float(special.ndtri(alpha / sides / 2))
    return float(sides * 2 * special.ndtr(-quantile / np.sqrt(fraction)))


def critical_values(
    information: Sequence[float], spent_by: Sequence[float], sides: Sides = 2
) -> list[float]:
    """The boundary of the standard normal statistic at each look.

    `information` rises, in any unit; `spent_by` is what has been spent at each look, all told.
    Raises `ValueError` where information does not rise.

    >>> [round(one, 3) for one in critical_values([0.5, 1.0], [spent(0.5, 0.05), 0.05])]
    [2.963, 1.969]
    """
    if any(
        after <= before for before, after in zip([0.0, *information], information, strict=False)
    ):
        raise ValueError(f"information has to rise from look to look: {list(information)}")
    found: list[float] = []
    continuing: _Continuing | None = None
    before = 0.0
    for at, total in zip(information, spent_by, strict=True):
        now = _Look(at, sides, continuing)
        found.append(now.critical(max(0.0, total - before)))
        continuing = now.continuing(found[-1])
        before = total
    return found


def nominal(critical: float, sides: Sides = 2) -> float:
    """The level at which a look's own p-value is judged."""
    return float(sides * special.ndtr(-critical))


class _Continuing:
    """The sums (statistic × √information) of studies that go on: nodes and their weights."""

    def __init__(self, nodes: Array, weights: Array, information: float) -> None:
        self.nodes = nodes
        self.weights = weights
        self.information = information


class _Look:
    """One look at studies without an effect."""

    def __init__(self, information: float, sides: Sides, before: _Continuing | None) -> None:
        self.information = information
        self.sides = sides
        self.before = before

    def critical(self, to_spend: float) -> float:
        """Beyond which as many end as there is to spend."""
        if to_spend < LEAST_SPENT:
            return FAR

        def over(critical: float) -> float:
            return self._ending(critical) - to_spend

        return float(optimize.brentq(over, 0.0, FAR, xtol=1e-10)) if over(FAR) < 0 else FAR

    def continuing(self, critical: float) -> _Continuing:
        """Who goes on."""
        high = critical * np.sqrt(self.information)
        low = -high if self.sides == 2 else -FAR * np.sqrt(self.information)  # noqa: PLR2004
        before = 0.0 if self.before is None else self.before.information
        deviations = (high - low) / np.sqrt(self.information - before)
        # A panel for every two deviations: sixteen nodes of Gauss are exact there to ten places.
        panels = max(FEWEST_PANELS, int(np.ceil(deviations / 2)))
        width = (high - low) / panels
        starts = low + width * np.arange(panels)
        places = (starts[:, None] + width * (NODES + 1) / 2).ravel()
        weights = np.tile(WEIGHTS * width / 2, panels)
        return _Continuing(places, weights * self._density(places), self.information)

    def _density(self, places: Array) -> Array:
        if self.before is None:
            return _normal(places, self.information)
        steps = places[:, None] - self.before.nodes
        found: Array = _normal(steps, self.information - self.before.information) @ (
            self.before.weights
        )
        return found

    def _ending(self, critical: float) -> float:
        reach = critical * np.sqrt(self.information)
        if self.before is None:
            return float(self.sides * special.ndtr(-critical))
        deviation = np.sqrt(self.information - self.before.information)
        beyond = special.ndtr((self.before.nodes - reach) / deviation)
        if self.sides == 2:  # noqa: PLR2004
            beyond = beyond + special.ndtr((-self.before.nodes - reach) / deviation)
        return float(self.before.weights @ beyond)


def _normal(steps: Array, variance: float) -> Array:
    found: Array = np.exp(-(steps**2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    return found
