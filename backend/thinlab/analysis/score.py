"""What is said of scores that least squares have fitted: means, differences, order effects.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np

from thinlab.analysis import linear
from thinlab.analysis.findings import Estimate
from thinlab.analysis.linear import Coefficient
from thinlab.analysis.votes import AnalysedVote, one_vote_each, participants
from thinlab.analysis.wording import counted, interval, p_text


def mean(votes: Sequence[AnalysedVote], scores: Sequence[float], confidence: float) -> Coefficient:
    """The mean of one score a vote; there is at least one."""
    people = [vote.participant for vote in votes]
    fitted = linear.least_squares(np.ones((len(votes), 1)), np.array(scores), people, confidence)
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
    how = "leave-one-out (HC3), Student's t" if one_vote_each(votes) else linear.CLUSTERED
    test = f", {p_text(p_value)}" if p_value is not None else ""
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
        method=f"{fit}, {how}",
        sentence=(
            f"{opening} ({interval(found.low, found.high, confidence, share=False)}{test}; "
            f"{counted(len(votes), 'vote')} of {counted(people, 'participant')})."
        ),
    )
