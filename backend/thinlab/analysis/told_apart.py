"""Estimates on ABX: which of two X is, told rightly or by chance.

Whoever cannot tell the two apart is right in half of all trials, whatever they lean to: X is the
first or the second by chance, drawn for each trial anew. So the share of right answers is tested
against one half, as a share of preferences is; a share well below one half is no ability.

d-prime is how far apart the two are to the ear, in standard deviations of what is heard, with an
observer who compares X with either and is biased to neither (independent observations: Macmillan,
Kaplan and Creelman: The psychophysics of categorical perception. Psychological Review 84, 1977;
Macmillan and Creelman: Detection Theory, 2nd ed. 2005, chapter 9).

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Sequence

from scipy import optimize, special

from thinlab.analysis.findings import Estimate, Parameter
from thinlab.analysis.share import Claim, of_votes
from thinlab.analysis.votes import AnalysedVote
from thinlab.analysis.wording import counted

# Beyond this everybody is right, as far as votes can tell.
MOST_D_PRIME = 10.0


def share_right(
    votes: Sequence[AnalysedVote], confidence: float, *, tested: bool = True
) -> Estimate | None:
    """The share of right answers, with d-prime as its parameter; none without votes."""
    if not votes:
        return None
    hits = [vote.right is True for vote in votes]
    a, b = votes[0].conditions
    claim = Claim(
        measure=f"share of right answers, {b} against {a}",
        opening=f"X was told rightly in {sum(hits)} of {counted(len(hits), 'vote')} on {b} and {a}",
        what=f"how often {b} and {a} can be told apart",
        tested=tested,
    )
    share = of_votes(votes, hits, claim, confidence)
    return share.model_copy(update={"parameter": _d_prime(share)}) if share else None


def _d_prime(share: Estimate) -> Parameter:
    return Parameter(
        name="d-prime (independent observations)",
        value=d_prime(share.value),
        low=None if share.low is None else d_prime(share.low),
        high=None if share.high is None else d_prime(share.high),
    )


def d_prime(share: float) -> float | None:
    """Of a share of right answers; 0 at one half and below, none where all are right.

    >>> [round(d_prime(share) or 0, 2) for share in (0.4, 0.5, 0.75, 0.9)]
    [0.0, 0.0, 1.68, 2.55]
    """
    if share <= 0.5:  # noqa: PLR2004 - chance
        return 0.0
    if share >= share_of(MOST_D_PRIME):
        return None
    return float(optimize.brentq(lambda d: share_of(d) - share, 0.0, MOST_D_PRIME))


def share_of(d: float) -> float:
    """Of right answers, at d-prime: both comparisons point to the right one, or neither does."""
    root, half = special.ndtr(d / math.sqrt(2)), special.ndtr(d / 2)
    return float(root * half + (1 - root) * (1 - half))
