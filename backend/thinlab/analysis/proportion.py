"""A share of votes, with an interval that is honest about who cast them.

One vote each: Clopper and Pearson's exact interval and the exact binomial test (Biometrika 26,
1934). Votes that repeat by participant: Korn and Graubard's interval (Survey Methodology 24,
1998), which is Clopper-Pearson's at the effective number of votes: as many independent votes as
would have the variance that is seen between participants. A pooled binomial is never used: 24
listeners with 12 votes each make it find differences that are not there in a third of studies.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

EXACT = "exact binomial (Clopper-Pearson)"
CLUSTERED = "binomial at the effective number of votes, clustered by participant (Korn-Graubard)"


@dataclass(frozen=True)
class Proportion:
    """A share, its interval, and the p-value of one half."""

    share: float
    low: float
    high: float
    p_half: float
    method: str


def proportion(
    hits: Sequence[bool], participants: Sequence[str], confidence: float
) -> Proportion | None:
    """The share of hits; none without votes."""
    if not hits:
        return None
    if len(set(participants)) == len(participants):
        return _exact(sum(hits), len(hits), confidence)
    return _clustered(np.asarray(hits, dtype=float), participants, confidence)


def _exact(hits: int, votes: int, confidence: float) -> Proportion:
    test = stats.binomtest(hits, votes)
    ends = test.proportion_ci(confidence_level=confidence, method="exact")
    return Proportion(hits / votes, float(ends.low), float(ends.high), float(test.pvalue), EXACT)


def _clustered(hits: np.ndarray, participants: Sequence[str], confidence: float) -> Proportion:
    share = float(hits.mean())
    names, cluster = np.unique(np.asarray(participants), return_inverse=True)
    people = len(names)
    votes = len(hits)
    effective = float(people)
    if 0 < share < 1 and people > 1:
        deviations = np.bincount(cluster, weights=hits - share)
        variance = people / (people - 1) * float(np.sum(deviations**2)) / votes**2
        if variance > 0:
            effective = share * (1 - share) / variance
        # The variance is itself estimated, from so many people.
        quantile = 0.5 + confidence / 2
        wide = float(stats.t.ppf(quantile, people - 1))
        narrow = float(stats.t.ppf(quantile, votes - 1))
        effective *= (narrow / wide) ** 2
    # Never more than was cast; never less than one person's.
    effective = min(max(effective, 1.0), float(votes))
    low, high = _beta_ends(share * effective, effective, confidence)
    return Proportion(share, low, high, _p_half(share * effective, effective), CLUSTERED)


def _beta_ends(hits: float, votes: float, confidence: float) -> tuple[float, float]:
    """Clopper-Pearson, which needs no whole numbers."""
    tail = (1 - confidence) / 2
    low = float(stats.beta.ppf(tail, hits, votes - hits + 1)) if hits > 0 else 0.0
    high = float(stats.beta.ppf(1 - tail, hits + 1, votes - hits)) if hits < votes else 1.0
    return low, high


def _p_half(hits: float, votes: float) -> float:
    """Twice the smaller tail at one half: agrees with the interval's ends."""
    upper = float(stats.beta.cdf(0.5, hits, votes - hits + 1)) if hits > 0 else 1.0
    lower = float(stats.beta.sf(0.5, hits + 1, votes - hits)) if hits < votes else 1.0
    return min(1.0, 2 * min(upper, lower))
