"""Estimates on the absolute category scale (ACR): mean opinion scores, 5 … 1. ITU-T P.800, Annex B.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np

from thinlab.analysis import score
from thinlab.analysis.crossed import Coefficient
from thinlab.analysis.findings import Estimate
from thinlab.analysis.votes import AnalysedVote
from thinlab.analysis.wording import plain, signed


def mos(where: str, votes: Sequence[AnalysedVote], confidence: float) -> Estimate:
    """The mean opinion score of what was heard `where`; there is at least one vote."""
    mean = score.mean(votes, [float(vote.answer) for vote in votes], confidence)
    return score.estimate(
        votes,
        mean,
        confidence,
        measure=f"MOS of {where}",
        opening=f"{where} got a mean opinion score of {plain(mean.value)}",
        tested=False,
    )


def fit(
    a: str, b: str, votes: Sequence[AnalysedVote], confidence: float
) -> tuple[list[AnalysedVote], Coefficient] | None:
    """MOS of b minus MOS of a, and the votes on clips that were heard with both.

    With a level for each clip, so that a condition is not judged by the clips it came with.
    """
    heard = {name: {vote.clip for vote in votes if vote.conditions[0] == name} for name in (a, b)}
    both = sorted(heard[a] & heard[b])
    mine = [vote for vote in votes if vote.conditions[0] in {a, b} and vote.clip in both]
    if not mine:
        return None
    x = np.zeros((len(mine), len(both) + 1))
    for row, vote in enumerate(mine):
        x[row, 0] = vote.conditions[0] == b
        x[row, 1 + both.index(vote.clip)] = 1
    scores = [float(vote.answer) for vote in mine]
    fitted = score.least_squares(x, scores, mine, confidence)
    return (mine, fitted[0]) if fitted else None


def estimate(
    a: str,
    b: str,
    votes: Sequence[AnalysedVote],
    found: Coefficient,
    confidence: float,
    *,
    tested: bool = True,
) -> Estimate:
    """MOS of b minus MOS of a, as fitted."""
    return score.estimate(
        votes,
        found,
        confidence,
        measure=f"MOS of {b} minus MOS of {a}, over the clips heard with both",
        opening=f"The mean opinion score of {b} differed from that of {a} by {signed(found.value)}",
        tested=tested,
    )
