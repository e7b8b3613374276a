"""Findings on the absolute category scale (ACR): mean opinion scores, 5 … 1. ITU-T P.800, Annex B.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from thinlab.analysis import score
from thinlab.analysis.crossed import Coefficient
from thinlab.analysis.findings import ConditionFindings, DifferenceFindings, Estimate
from thinlab.analysis.runs import by_run
from thinlab.analysis.votes import AnalysedVote, participants
from thinlab.analysis.wording import plain, signed


def conditions(
    block: str, votes: Sequence[AnalysedVote], confidence: float
) -> list[ConditionFindings]:
    """The MOS of each condition over all clips, and with each clip where there are several."""
    found = []
    for name in dict.fromkeys(vote.conditions[0] for vote in votes):
        mine = [vote for vote in votes if vote.conditions[0] == name]
        found.append(_condition(block, name, None, mine, confidence))
        clips = dict.fromkeys(vote.clip for vote in mine)
        if len(clips) > 1:
            for clip in clips:
                of_clip = [vote for vote in mine if vote.clip == clip]
                found.append(_condition(block, name, clip, of_clip, confidence))
    return found


def differences(
    block: str, votes: Sequence[AnalysedVote], primary: frozenset[str], confidence: float
) -> list[DifferenceFindings]:
    """Every two conditions, over the clips that both were heard with; primary ones first.

    Two conditions that both have `primary` trials are compared over these alone.
    """
    declared = [vote for vote in votes if vote.trial in primary]
    decisive = {vote.conditions[0] for vote in declared}
    names = dict.fromkeys(vote.conditions[0] for vote in votes)
    found = []
    for a, b in combinations(names, 2):
        both = a in decisive and b in decisive
        compared = fit(a, b, declared if both else votes, confidence)
        difference = estimate(a, b, *compared, confidence) if compared else None
        if difference is not None:
            found.append(
                DifferenceFindings(
                    block=block,
                    condition_a=a,
                    condition_b=b,
                    primary=both,
                    difference=difference,
                )
            )
    return sorted(found, key=lambda one: not one.primary)


def _condition(
    block: str, name: str, clip: str | None, votes: Sequence[AnalysedVote], confidence: float
) -> ConditionFindings:
    counts = Counter(int(vote.answer) for vote in votes)
    where = name if clip is None else f"{name} with {clip}"
    one_clip = len({vote.clip for vote in votes}) == 1
    return ConditionFindings(
        block=block,
        condition=name,
        clip=clip,
        participants=participants(votes),
        histogram={given: counts[given] for given in range(1, 6)},
        mos=_mos(where, votes, confidence),
        runs=by_run(votes, lambda mine: _mos(where, mine, confidence)) if one_clip else [],
    )


def _mos(where: str, votes: Sequence[AnalysedVote], confidence: float) -> Estimate:
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
