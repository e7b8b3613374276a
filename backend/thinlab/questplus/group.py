"""What several people's thresholds have in common. Pure.

A hierarchical model: log thresholds are normally distributed among people, with a mean and a
standard deviation of their own. Each person's answers enter as the likelihood of each threshold,
slope and lapse share integrated out, and not as an estimate with an error: so somebody whose
answers only tell that the threshold is above every level is taken for just that. Both parameters
have flat priors (of a standard deviation: A. Gelman, Bayesian Analysis 1:515, 2006), and all
integrals are sums over a grid, so that nothing is drawn by chance and everybody finds the same.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thinlab.questplus.function import Numbers
from thinlab.questplus.posterior import interval_of

# In decades. People hardly ever differ by more than ten times, and 5 % is as good as nothing.
BETWEEN = tuple(round(0.02 * step, 2) for step in range(1, 51))
# Fewer do not tell how people differ.
FEWEST_PEOPLE = 3


@dataclass(frozen=True)
class GroupThreshold:
    """The threshold of the typical person, and how much people differ."""

    log_threshold: float
    """The mean of people's, as a decimal logarithm."""
    low: float
    high: float
    between: float
    """The standard deviation among people, in decades; its posterior mean."""


def group_threshold(
    log_thresholds: Sequence[float], likelihoods: Numbers, credibility: float
) -> GroupThreshold | None:
    """`likelihoods`: people × thresholds, each row to any scale. None of too few people."""
    if len(likelihoods) < FEWEST_PEOPLE:
        return None
    values = np.array(log_thresholds)
    scaled = likelihoods / likelihoods.max(axis=1, keepdims=True)
    spreads = np.array(BETWEEN)
    log_joint = np.empty((len(spreads), len(values)))
    apart = (values.reshape(1, -1) - values.reshape(-1, 1)) ** 2
    for number, spread in enumerate(spreads):
        among = np.exp(-apart / (2 * spread**2))
        # Means × thresholds: nobody's threshold is thought to lie beyond the grid.
        among /= among.sum(axis=1, keepdims=True)
        log_joint[number] = np.log(among @ scaled.T + 1e-300).sum(axis=1)
    joint = np.exp(log_joint - log_joint.max())
    joint /= joint.sum()
    of_mean: Numbers = joint.sum(axis=0)
    low, high = interval_of(values, of_mean, credibility)
    return GroupThreshold(
        log_threshold=float(of_mean @ values),
        low=low,
        high=high,
        between=float(joint.sum(axis=1) @ spreads),
    )
