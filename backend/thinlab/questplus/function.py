"""The psychometric function: how often a level is told rightly. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]

# Of two, one is right: so many answers of who hears nothing are.
GUESS_SHARE = 0.5
# Nobody is so sure that one slip would rule out everything that was learnt before.
MOST_SURE = 1.0 - 1e-9


def right_share(
    log_level: ArrayLike, log_threshold: ArrayLike, slope: ArrayLike, lapse_share: ArrayLike
) -> Numbers:
    """How often an answer is right, after Weibull (Watson 2017, equation 7).

    Levels and thresholds are decimal logarithms of the quantity. Where both are the same, an answer
    is right in 1 - 1/e (63 %) of the way from guessing to lapsing: of two, in 82 % without lapses.
    """
    steepness = np.asarray(slope, dtype=np.float64)
    distance = np.asarray(log_level, dtype=np.float64) - np.asarray(log_threshold)
    # Far above a threshold the power overflows, and the exponential is 0 all the same.
    heard = 1.0 - np.exp(-(10.0 ** np.minimum(steepness * distance, 300.0)))
    share: Numbers = GUESS_SHARE + (1.0 - GUESS_SHARE - np.asarray(lapse_share)) * heard
    return np.minimum(share, MOST_SURE)


@dataclass(frozen=True)
class Grid:
    """What is thought possible before the first answer: every combination is equally likely.

    A prior that is flat in the logarithm of the threshold lets the answers of several people be
    taken together as likelihoods (`group`).
    """

    log_thresholds: tuple[float, ...]
    """Decimal logarithms of the quantity, evenly spaced and ascending."""
    slopes: tuple[float, ...]
    lapse_shares: tuple[float, ...]

    @classmethod
    def between(
        cls,
        lowest: float,
        highest: float,
        slopes: tuple[float, ...],
        lapse_shares: tuple[float, ...],
        thresholds: int,
    ) -> "Grid":
        """Thresholds from the lowest to the highest, in the quantity's own unit."""
        ends = np.log10([lowest, highest])
        spaced = np.linspace(ends[0], ends[1], thresholds)
        return cls(tuple(float(one) for one in spaced), slopes, lapse_shares)

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many thresholds, slopes and lapse shares."""
        return len(self.log_thresholds), len(self.slopes), len(self.lapse_shares)

    def right_shares(self, log_levels: ArrayLike) -> Numbers:
        """Of each level under each combination: levels × thresholds × slopes × lapse shares."""
        levels = np.asarray(log_levels, dtype=np.float64).reshape(-1, 1, 1, 1)
        return right_share(
            levels,
            np.array(self.log_thresholds).reshape(-1, 1, 1),
            np.array(self.slopes).reshape(-1, 1),
            np.array(self.lapse_shares),
        )
