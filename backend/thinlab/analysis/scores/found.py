"""Conditions that are rated: their mean opinion scores, and how they differ.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Literal

from thinlab.analysis.absolute import estimate, fit, mos
from thinlab.analysis.result_kind import BlockVotes, Case
from thinlab.analysis.runs import by_run
from thinlab.analysis.scores.findings import ConditionFindings, DifferenceFindings, ScoresPart
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, participants


def scores(case: Case) -> ScoresPart:
    """Of all blocks."""
    plan = case.plan
    return ScoresPart(
        conditions=[
            one
            for mine in _categorical(case)
            for one in conditions(mine.block, mine.rated, plan.confidence)
        ],
        differences=[
            one
            for mine in _categorical(case)
            for one in differences(mine.block, mine.rated, plan.primary, plan.confidence)
        ],
    )


def _categorical(case: Case) -> list[BlockVotes]:
    """Blocks on scales of five categories."""
    return [mine for mine in case.blocks if mine.block.scale in {"acr", "dcr"}]


def conditions(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> list[ConditionFindings]:
    """The MOS of each condition over all clips, and with each clip where there are several."""
    found = []
    for name in dict.fromkeys(vote.rated for vote in votes):
        mine = [vote for vote in votes if vote.rated == name]
        found.append(_condition(block, name, None, mine, confidence))
        clips = dict.fromkeys(vote.clip for vote in mine)
        if len(clips) > 1:
            for clip in clips:
                of_clip = [vote for vote in mine if vote.clip == clip]
                found.append(_condition(block, name, clip, of_clip, confidence))
    return found


def differences(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], primary: frozenset[str], confidence: float
) -> list[DifferenceFindings]:
    """Every two conditions, over the clips that both were heard with; primary ones first.

    Two conditions that both have `primary` trials are compared over these alone.
    """
    declared = [vote for vote in votes if vote.trial in primary]
    decisive = {vote.rated for vote in declared}
    names = dict.fromkeys(vote.rated for vote in votes)
    found = []
    for a, b in combinations(names, 2):
        both = a in decisive and b in decisive
        compared = fit(a, b, declared if both else votes, confidence)
        difference = estimate(a, b, *compared, confidence, scale=block.scale) if compared else None
        if difference is not None:
            found.append(
                DifferenceFindings(
                    block=block.id,
                    scale=_rating(block),
                    condition_a=a,
                    condition_b=b,
                    primary=both,
                    difference=difference,
                )
            )
    return sorted(found, key=lambda one: not one.primary)


def _rating(block: AnalysedBlock) -> Literal["acr", "dcr"]:
    return "dcr" if block.scale == "dcr" else "acr"


def _condition(
    block: AnalysedBlock,
    name: str,
    clip: str | None,
    votes: Sequence[AnalysedVote],
    confidence: float,
) -> ConditionFindings:
    counts = Counter(int(vote.answer) for vote in votes)
    where = name if clip is None else f"{name} with {clip}"
    one_clip = len({vote.clip for vote in votes}) == 1
    score = partial(mos, where, confidence=confidence, scale=block.scale)
    return ConditionFindings(
        block=block.id,
        scale=_rating(block),
        condition=name,
        clip=clip,
        participants=participants(votes),
        histogram={given: counts[given] for given in range(1, 6)},
        mos=score(votes),
        runs=by_run(votes, score) if one_clip else [],
    )
