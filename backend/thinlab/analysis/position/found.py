"""Whether answers change in the course of a session: fatigue, practice, a scale used otherwise.

Each trial has a level of its own, which is taken out of its answers and its positions; what is left
of the answers is set against what is left of the positions by least squares (the within estimator;
Wooldridge: Econometric Analysis of Cross Section and Panel Data, 2010, section 10.5). Trials come
in another order to each participant, so that position goes with nothing else.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence

import numpy as np

from thinlab.analysis import category, preference, score
from thinlab.analysis.findings import Estimate
from thinlab.analysis.position.findings import PositionFindings, PositionPart
from thinlab.analysis.result_kind import BlockVotes, Case
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, trials_of
from thinlab.analysis.wording import signed

TRIALS = 10
FIT = "least squares, each trial at its own level"
WHAT = {
    "preference": "the share that prefers the second-named of two",
    "ccr": "the score of the second-named of two",
    "acr": "the score",
    "dcr": "the score",
    "mushra": "the score",
}


def positions(case: Case) -> PositionPart:
    """Of each block with votes."""
    found = (
        _of_block(mine, case.plan.confidence) for mine in case.blocks if mine.block.scale in WHAT
    )
    return PositionPart(positions=[one for one in found if one.answer or one.told])


def _of_block(mine: BlockVotes, confidence: float) -> PositionFindings:
    block = mine.block
    votes = [*mine.pairs, *mine.rated]
    said = votes if block.scale != "preference" else [v for v in votes if preference.chosen(v)]
    tells = block.scale == "ccr" or (block.scale == "preference" and block.no_difference)
    return PositionFindings(
        block=block.id,
        scale=block.scale,
        answer=_change(
            block, said, _rating if mine.rated else _answer, WHAT[block.scale], confidence
        ),
        told=_change(block, mine.pairs, _told, "the share that tells of a difference", confidence)
        if tells
        else None,
    )


def _answer(vote: AnalysedVote) -> float:
    if isinstance(vote.answer, str):
        return float(preference.chosen(vote) == "b")
    return float(category.oriented(vote))


def _rating(vote: AnalysedVote) -> float:
    return float(vote.answer)


def _told(vote: AnalysedVote) -> float:
    return float(vote.answer not in {"no_difference", 0})


def _change(
    block: AnalysedBlock,
    votes: Sequence[AnalysedVote],
    value: Callable[[AnalysedVote], float],
    what: str,
    confidence: float,
) -> Estimate | None:
    """Per ten trials later; none where no trial was met at two positions."""
    trials = trials_of(votes).values()
    if all(len({vote.position for vote in of_trial}) == 1 for of_trial in trials):
        return None
    ordered: list[AnalysedVote] = []
    x: list[float] = []
    y: list[float] = []
    for of_trial in trials:
        places = np.array([vote.position for vote in of_trial], dtype=np.float64) / TRIALS
        values = np.array([value(vote) for vote in of_trial])
        ordered += of_trial
        x += (places - places.mean()).tolist()
        y += (values - values.mean()).tolist()
    fitted = score.least_squares(np.array(x).reshape(-1, 1), y, ordered, confidence)
    if fitted is None:
        return None
    return score.estimate(
        ordered,
        fitted[0],
        confidence,
        measure=f"change of {what} per {TRIALS} trials later in the session",
        opening=(
            f"{block.id}: per {TRIALS} trials later in the session, {what} changed by "
            f"{signed(fitted[0].value)}"
        ),
        fit=FIT,
    )
