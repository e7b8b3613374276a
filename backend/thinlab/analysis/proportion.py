"""A share of votes, with an interval that is honest about who cast them, and on what.

Of these recordings alone, one vote each: Clopper and Pearson's exact interval and the exact
binomial test (Biometrika 26, 1934). Votes that repeat by participant: Korn and Graubard's interval
(Survey Methodology 24, 1998), which is Clopper-Pearson's at the effective number of votes: as many
independent votes as would have the variance that is seen between participants. A pooled binomial
is never used: 24 listeners with 12 votes each make it find differences that are not there in a
third of studies.

Of other recordings as well: the variance of `thinlab.analysis.crossed`, and Wilson's interval (JASA
22, 1927) at the effective number of votes, with Student's t. Clopper-Pearson's would be too wide
for it: at the two degrees of freedom of three recordings there are few effective votes left.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special, stats

from thinlab.analysis.crossed import (
    FEWEST_PARTICIPANTS,
    FEWEST_RECORDINGS,
    Array,
    Bounds,
    Names,
    Spread,
    combined,
    numbered,
)
from thinlab.analysis.votes import Scope

EXACT = "exact binomial (Clopper-Pearson)"
CLUSTERED = "binomial at the effective number of votes, clustered by participant (Korn-Graubard)"
CROSSED = (
    "Wilson's interval at the effective number of votes, participants and recordings both as "
    "samples (leave-one-out, Student's t)"
)
# A recording's number of hits is whole: of what it stands for, it is off by up to a half.
ROUNDING_VARIANCE = 1 / 12


@dataclass(frozen=True)
class Proportion:
    """A share, its interval, and the p-value of one half."""

    share: float
    low: float
    high: float
    p_half: float
    method: str
    effective: float
    """Votes that are independent of each other."""
    scope: Scope = "these_recordings"
    these: Bounds | None = None
    """Of these recordings alone, where the interval is about others too."""
    freedom: float | None = None
    """Of Student's t; none where the interval is Clopper-Pearson's."""

    def p_above(self, bound: float) -> float:
        """One-sided, of "not above the bound": agrees with the interval's lower end."""
        hits = self.share * self.effective
        if self.freedom is not None:
            return float(special.stdtr(self.freedom, -self._deviation(bound)))
        return float(special.betainc(hits, self.effective - hits + 1, bound)) if hits > 0 else 1.0

    def p_below(self, bound: float) -> float:
        """One-sided, of "not below the bound": agrees with the interval's upper end."""
        hits = self.share * self.effective
        if self.freedom is not None:
            return float(special.stdtr(self.freedom, self._deviation(bound)))
        if hits >= self.effective:
            return 1.0
        return float(special.betaincc(hits + 1, self.effective - hits, bound))

    def _deviation(self, bound: float) -> float:
        """In standard errors at the bound, as Wilson's interval has it."""
        return (self.share - bound) / float(np.sqrt(bound * (1 - bound) / self.effective))


def proportion(
    hits: Sequence[bool],
    participants: Sequence[str],
    confidence: float,
    *,
    recordings: Sequence[str] | None = None,
) -> Proportion | None:
    """The share of hits; none without votes. Without `recordings`: of these alone."""
    if not hits:
        return None
    values = np.asarray(hits, dtype=np.float64)
    these = (
        _exact(sum(hits), len(hits), confidence)
        if len(set(participants)) == len(participants)
        else _clustered(values, participants, confidence)
    )
    if recordings is None:
        return these
    both = over_recordings(values, participants, recordings, confidence)
    if both is None:
        return these
    return replace(both, these=Bounds(these.low, these.high, these.p_half))


def _exact(hits: int, votes: int, confidence: float) -> Proportion:
    p_half = float(stats.binomtest(hits, votes).pvalue)
    return Proportion(hits / votes, *_beta_ends(hits, votes, confidence), p_half, EXACT, votes)


def _clustered(hits: Array, participants: Sequence[str], confidence: float) -> Proportion:
    share = float(hits.mean())
    cluster = numbered(participants)
    people = int(cluster.max()) + 1
    votes = len(hits)
    effective = float(people)
    if 0 < share < 1 and people > 1:
        deviations = np.bincount(cluster, weights=hits - share)
        variance = people / (people - 1) * float(np.sum(deviations**2)) / votes**2
        if variance > 0:
            effective = share * (1 - share) / variance
        # The variance is itself estimated, from so many people.
        quantile = 0.5 + confidence / 2
        wide = float(special.stdtrit(people - 1, quantile))
        narrow = float(special.stdtrit(votes - 1, quantile))
        effective *= (narrow / wide) ** 2
    # Never more than was cast; never less than one person's.
    effective = min(max(effective, 1.0), float(votes))
    low, high = _beta_ends(share * effective, effective, confidence)
    p_half = _p_half(share * effective, effective)
    return Proportion(share, low, high, p_half, CLUSTERED, effective)


def over_recordings(
    hits: Array, participants: Names, recordings: Names, confidence: float
) -> Proportion | None:
    """With recordings as a sample; none where there are too few, or where all votes agree."""
    share = float(hits.mean())
    person, heard = numbered(participants), numbered(recordings)
    people, count = int(person.max()) + 1, int(heard.max()) + 1
    if people < FEWEST_PARTICIPANTS or count < FEWEST_RECORDINGS or not 0 < share < 1:
        return None
    meeting = numbered(person * count + heard)
    deviations = hits - share
    # By chance all recordings may have the same share. No share is known more finely than votes are
    # counted: the variance of rounding is the least (Sheppard, Proc. London Math. Soc. 29, 1898).
    of_recordings = max(_left_out(deviations, heard), count * ROUNDING_VARIANCE / len(hits) ** 2)
    both = combined(
        Spread(np.array([of_recordings]), np.array([count - 1.0])),
        np.array([_left_out(deviations, person)]),
        np.array([_left_out(deviations, meeting)]),
        participants=people,
    )
    variance, freedom = float(both.variances[0]), float(both.freedoms[0])
    effective = share * (1 - share) / variance
    found = wilson(share, effective, freedom, confidence)
    return Proportion(
        share,
        found.low,
        found.high,
        found.p_value,
        CROSSED,
        effective,
        scope="other_losses",
        freedom=freedom,
    )


def wilson(share: float, effective: float, freedom: float, confidence: float) -> Bounds:
    """Of a share of so many effective votes, neither none nor all; the test is of one half."""
    t = float(special.stdtrit(freedom, 0.5 + confidence / 2))
    middle = (share + t**2 / (2 * effective)) / (1 + t**2 / effective)
    reach = t * np.sqrt(share * (1 - share) / effective + (t / (2 * effective)) ** 2)
    reach /= 1 + t**2 / effective
    p_half = 2 * float(special.stdtr(freedom, -abs(share - 0.5) * 2 * np.sqrt(effective)))
    return Bounds(max(0.0, float(middle - reach)), min(1.0, float(middle + reach)), p_half)


def _left_out(deviations: Array, groups: np.ndarray) -> float:
    """The jackknife's variance of a mean, of these deviations from it."""
    sizes = np.bincount(groups)
    changes = np.bincount(groups, weights=deviations) / (len(deviations) - sizes)
    return float((len(sizes) - 1) / len(sizes) * np.sum(changes**2))


def _beta_ends(hits: float, votes: float, confidence: float) -> tuple[float, float]:
    """Clopper-Pearson, which needs no whole numbers."""
    tail = (1 - confidence) / 2
    low = float(special.betaincinv(hits, votes - hits + 1, tail)) if hits > 0 else 0.0
    high = float(special.betaincinv(hits + 1, votes - hits, 1 - tail)) if hits < votes else 1.0
    return low, high


def _p_half(hits: float, votes: float) -> float:
    """Twice the smaller tail at one half: agrees with the interval's ends."""
    upper = float(special.betainc(hits, votes - hits + 1, 0.5)) if hits > 0 else 1.0
    lower = float(special.betaincc(hits + 1, votes - hits, 0.5)) if hits < votes else 1.0
    return min(1.0, 2 * min(upper, lower))
