"""What is said of scores that least squares have fitted: means, differences, order effects.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np

from thinlab.analysis import linear
from thinlab.analysis.crossed import Array, Coefficient
from thinlab.analysis.findings import Estimate, Interval
from thinlab.analysis.votes import AnalysedVote, Scope, one_vote_each, participants, recordings
from thinlab.analysis.wording import counted, exploratory, generalises, interval

LEFT_OUT_ONE = "leave-one-out (HC3), Student's t"
LEFT_OUT_PEOPLE = "clustered by participant (leave-one-out, Student's t)"
LEFT_OUT_BOTH = "clustered by participant and by recording (leave-one-out, Student's t)"


def least_squares(
    x: Array,
    scores: Sequence[float] | Array,
    votes: Sequence[AnalysedVote],
    confidence: float,
    *,
    levels: bool = False,
) -> tuple[Coefficient, ...] | None:
    """One coefficient a column of `x`, which has a row a vote; none where it is short of rank.

    `levels`: with a level for each participant as well.
    """
    return linear.least_squares(
        x,
        np.asarray(scores, dtype=np.float64),
        [vote.participant for vote in votes],
        [vote.recording for vote in votes],
        confidence,
        levels=levels,
    )


def mean(votes: Sequence[AnalysedVote], scores: Sequence[float], confidence: float) -> Coefficient:
    """The mean of one score a vote; there is at least one."""
    fitted = least_squares(np.ones((len(votes), 1)), scores, votes, confidence)
    assert fitted is not None, "a column of ones is never short of rank"  # noqa: S101
    return fitted[0]


def estimate(
    votes: Sequence[AnalysedVote],
    found: Coefficient,
    confidence: float,
    *,
    measure: str,
    opening: str,
    fit: str = "mean",
    tested: bool = True,
) -> Estimate:
    """With the sentence that `opening` begins; `tested` is whether no effect would be zero."""
    p_value = found.p_value if tested else None
    test = f", {exploratory(p_value)}" if p_value is not None else ""
    scope, these = found.told.scope, found.told.these
    about = f"; {generalises(scope, votes[0].words)}" if found.told.bounds else ""
    people = participants(votes)
    return Estimate(
        measure=measure,
        value=found.value,
        low=found.low,
        high=found.high,
        null_value=0.0 if tested else None,
        p_value=p_value,
        votes=len(votes),
        participants=people,
        recordings=recordings(votes),
        scope=scope,
        these=Interval(low=these.low, high=these.high, p_value=these.p_value if tested else None)
        if these
        else None,
        method=f"{fit}, {_how(votes, scope)}",
        sentence=(
            f"{opening} ({interval(found.low, found.high, confidence, share=False)}{test}; "
            f"{counted(len(votes), 'vote')} of {counted(people, 'participant')}{about})."
        ),
    )


def _how(votes: Sequence[AnalysedVote], scope: Scope) -> str:
    if scope == "other_losses":
        return LEFT_OUT_BOTH
    return LEFT_OUT_ONE if one_vote_each(votes) else LEFT_OUT_PEOPLE
