"""Scores beside a reference: median and quartiles, means, and how they differ.

BS.1534-3, section 9, reports median and interquartile range, since scores near the ends of the
scale are not normal. What generalises to other listeners and other losses is the mean: scores are
taken for numbers, as those of all ratings here are. Quartiles interpolate linearly (Hyndman and
Fan 1996, type 7; the default of R and of NumPy); whiskers are Tukey's.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from thinlab.analysis import absolute
from thinlab.analysis.mushra.findings import BesideDifference, BesideFindings, MushraPart
from thinlab.analysis.result_kind import Case
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, participants

REACH = 1.5
"""Of whiskers, in interquartile ranges (Tukey: Exploratory Data Analysis, 1977)."""


def beside_reference(case: Case) -> MushraPart:
    """Of all blocks on this scale."""
    rated = [(mine.block, mine.rated) for mine in case.blocks if mine.block.scale == "mushra"]
    return MushraPart(
        beside=[
            one for block, votes in rated for one in _conditions(block, votes, case.plan.confidence)
        ],
        beside_differences=[
            one
            for block, votes in rated
            for one in _differences(block, votes, case.plan.primary, case.plan.confidence)
        ],
    )


def _names(block: AnalysedBlock, votes: Sequence[AnalysedVote]) -> list[str]:
    """The hidden reference, then the others in the study file's order."""
    names = dict.fromkeys(vote.rated for vote in votes)
    return sorted(names, key=lambda name: name != block.reference)


def _conditions(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> Iterator[BesideFindings]:
    for name in _names(block, votes):
        mine = [vote for vote in votes if vote.rated == name]
        yield _condition(block, name, None, mine, confidence)
        clips = dict.fromkeys(vote.clip for vote in mine)
        if len(clips) > 1:
            for clip in clips:
                of_clip = [vote for vote in mine if vote.clip == clip]
                yield _condition(block, name, clip, of_clip, confidence)


def _condition(
    block: AnalysedBlock,
    name: str,
    clip: str | None,
    votes: Sequence[AnalysedVote],
    confidence: float,
) -> BesideFindings:
    scores = np.array([int(vote.answer) for vote in votes])
    lower, median, upper = (float(one) for one in np.percentile(scores, [25, 50, 75]))
    reach = REACH * (upper - lower)
    within = scores[(scores >= lower - reach) & (scores <= upper + reach)]
    return BesideFindings(
        block=block.id,
        condition=name,
        is_reference=name == block.reference,
        clip=clip,
        participants=participants(votes),
        votes=len(votes),
        median=median,
        lower_quartile=lower,
        upper_quartile=upper,
        lower_whisker=float(within.min()),
        upper_whisker=float(within.max()),
        beyond=sorted(scores[(scores < lower - reach) | (scores > upper + reach)].tolist()),
        mean=absolute.mos(
            name if clip is None else f"{name} with {clip}",
            votes,
            confidence=confidence,
            scale=block.scale,
        ),
    )


def _differences(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], primary: frozenset[str], confidence: float
) -> list[BesideDifference]:
    """Every two conditions, over the clips that both were heard with; primary ones first.

    Two that both have `primary` trials are compared over these alone.
    """
    declared = [vote for vote in votes if vote.trial in primary]
    decisive = {vote.rated for vote in declared}
    found = []
    for a, b in combinations(_names(block, votes), 2):
        both = a in decisive and b in decisive
        compared = absolute.fit(a, b, declared if both else votes, confidence)
        if compared is None:
            continue
        found.append(
            BesideDifference(
                block=block.id,
                condition_a=a,
                condition_b=b,
                to_reference=a == block.reference,
                primary=both,
                difference=absolute.estimate(a, b, *compared, confidence, scale=block.scale),
            )
        )
    return sorted(found, key=lambda one: (not one.primary, not one.to_reference))
