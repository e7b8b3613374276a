"""Findings on scales that rate one condition, 5 … 1: mean opinion scores.

The absolute category scale (ACR; ITU-T P.800, Annex B) rates a recording alone; the degradation
category scale (DCR; Annex D) rates how much worse it is than its reference, and its mean is the
degradation mean opinion score (DMOS). What a condition is rated by is no effect of its own, so both
are analysed alike.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thinlab.analysis import score
from thinlab.analysis.crossed import Array, Coefficient
from thinlab.analysis.findings import Estimate
from thinlab.analysis.votes import AnalysedVote
from thinlab.analysis.wording import plain, signed
from thinlab.study.scale import RATED, ScaleKind


def mos(
    where: str, votes: Sequence[AnalysedVote], *, confidence: float, scale: ScaleKind
) -> Estimate:
    """The mean opinion score of what was heard `where`; there is at least one vote."""
    short, full = RATED[scale].short, RATED[scale].full
    mean = score.mean(votes, [float(vote.answer) for vote in votes], confidence)
    return score.estimate(
        votes,
        mean,
        confidence,
        measure=f"{short} of {where}",
        opening=f"{where} got a {full} of {plain(mean.value)}",
        tested=False,
    )


def fit(
    a: str, b: str, votes: Sequence[AnalysedVote], confidence: float
) -> tuple[list[AnalysedVote], Coefficient] | None:
    """MOS of b minus MOS of a, and the votes on clips that were heard with both.

    With a level for each clip, so that a condition is not judged by the clips it came with, and one
    for each participant: how kindly somebody rates moves both conditions alike, and is no part of
    what participants add to the difference.
    """
    heard = {name: {vote.clip for vote in votes if vote.rated == name} for name in (a, b)}
    both = sorted(heard[a] & heard[b])
    mine = [vote for vote in votes if vote.rated in {a, b} and vote.clip in both]
    if not mine:
        return None
    x = difference([vote.rated == b for vote in mine], [both.index(vote.clip) for vote in mine])
    scores = [float(vote.answer) for vote in mine]
    fitted = score.least_squares(x, scores, mine, confidence, levels=True)
    return (mine, fitted[0]) if fitted else None


def difference(
    is_b: Sequence[bool] | NDArray[np.bool_], clips: Sequence[int] | NDArray[np.intp]
) -> Array:
    """What a difference of two conditions is fitted by: it is the first column.

    Of each vote, in a row: whether it is on b, and its clip's number.
    """
    columns = [np.asarray(is_b), *(np.asarray(clips) == one for one in range(max(clips) + 1))]
    return np.column_stack(columns).astype(np.float64)


def estimate(
    a: str,
    b: str,
    votes: Sequence[AnalysedVote],
    found: Coefficient,
    confidence: float,
    *,
    scale: ScaleKind,
    tested: bool = True,
) -> Estimate:
    """MOS of b minus MOS of a, as fitted."""
    short, full = RATED[scale].short, RATED[scale].full
    return score.estimate(
        votes,
        found,
        confidence,
        measure=f"{short} of {b} minus {short} of {a}, over the clips heard with both",
        opening=f"The {full} of {b} differed from that of {a} by {signed(found.value)}",
        tested=tested,
    )
